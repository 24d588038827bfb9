//===- Tokens.cpp - Fuzz the reader of token files ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FuzzFile.h"
#include "common/Failure.h"
#include "common/TokenFile.h"

using namespace boost_rt;

/// A file is refused with a message, or every token of it is readable.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  boost_fuzz::FuzzFile file(data, size);
  try {
    TokenFile tokens(file.getPath());
    auto position = tokens.findOutside(1000, 0, tokens.size());
    if (position && tokens[*position] >= 0 && tokens[*position] < 1000)
      std::abort();
  } catch (const Failure &failure) {
    if (failure.code != ExitCode::inputRefused || !*failure.what())
      std::abort();
  }
  return 0;
}
