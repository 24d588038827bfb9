//===- MaskFile.cpp - Which tokens of a file count in the loss ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/MaskFile.h"
#include "common/Failure.h"

#include <algorithm>

using namespace boost_rt;

MaskFile::MaskFile(const std::string &path, const std::string &of,
                   int64_t tokens)
    : path(path), file(path, "mask file") {
  if (file.size() != tokens)
    refuse("mask file ", path, " has ", file.size(), " bytes, but ", of,
           " has ", tokens,
           " tokens, and a mask has one byte for each; write it with that "
           "token file");
}

void MaskFile::check(int64_t begin, int64_t end) const {
  const char *bytes = file.data();
  const char *found = std::find_if(bytes + begin, bytes + end, [](char byte) {
    return static_cast<uint8_t>(byte) > 1;
  });
  if (found != bytes + end)
    refuse("mask file ", path, ": byte ", found - bytes, " is ",
           static_cast<int>(static_cast<uint8_t>(*found)),
           ", but a mask has 1 for tokens that count and 0 for others; is this "
           "a file of another kind?");
}
