//===- TokenFile.cpp - Token files of llm.c and nanoGPT -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/TokenFile.h"
#include "common/Failure.h"

#include <algorithm>
#include <cstring>

using namespace boost_rt;

static constexpr int64_t headerBytes = 256 * sizeof(int32_t);
static constexpr int32_t magic16 = 20240520, magic32 = 20240801;

TokenFile::TokenFile(const std::string &path)
    : path(path), file(path, "token file") {
  int32_t magic = 0;
  if (file.size() >= static_cast<int64_t>(sizeof(magic)))
    std::memcpy(&magic, file.data(), sizeof(magic));
  if (magic == magic16 || magic == magic32) {
    readHeader();
    return;
  }
  if (file.size() == 0)
    refuse("token file ", path, " is empty");
  if (file.size() % 2 != 0)
    refuse("token file ", path, " has no llm.c header and ", file.size(),
           " bytes: uint16 tokens need an even number; the file is truncated "
           "or of another kind");
  tokens = file.data();
  count = file.size() / 2;
}

void TokenFile::readHeader() {
  int32_t header[4] = {};
  if (file.size() < headerBytes)
    refuse("token file ", path, " is truncated: an llm.c header has ",
           headerBytes, " bytes, but the file has ", file.size(),
           "; write it again");
  std::memcpy(header, file.data(), sizeof(header));
  auto [magic, version, tokenCount, endPlusOne] = header;
  int32_t expected = magic == magic16 ? 1 : 7;
  if (version != expected)
    refuse("token file ", path, " has version ", version,
           " of the llm.c format with magic ", magic, ", expected version ",
           expected);
  width = magic == magic16 ? 2 : 4;
  tokens = file.data() + headerBytes;
  count = static_cast<uint32_t>(tokenCount);
  if (endPlusOne != 0)
    end = static_cast<int64_t>(static_cast<uint32_t>(endPlusOne)) - 1;
  int64_t available = (file.size() - headerBytes) / width;
  if (available < count)
    refuse("token file ", path, " is truncated: its header promises ", count,
           " tokens, but ", available, " follow; write it again");
}

template <typename T>
static std::optional<int64_t> findAboveIn(const T *tokens, int64_t limit,
                                          int64_t begin, int64_t end) {
  // Whole blocks go through a maximum, which vectorizes.
  constexpr int64_t block = 4096;
  for (int64_t start = begin; start < end; start += block) {
    int64_t stop = std::min(end, start + block);
    T largest = 0;
    for (int64_t i = start; i < stop; ++i)
      largest = std::max(largest, tokens[i]);
    if (largest < limit)
      continue;
    for (int64_t i = start; i < stop; ++i)
      if (tokens[i] >= limit)
        return i;
  }
  return std::nullopt;
}

std::optional<int64_t> TokenFile::findAbove(int64_t limit, int64_t begin,
                                            int64_t end) const {
  if (width == 4)
    return findAboveIn(reinterpret_cast<const uint32_t *>(tokens), limit, begin,
                       end);
  return findAboveIn(reinterpret_cast<const uint16_t *>(tokens), limit, begin,
                     end);
}
