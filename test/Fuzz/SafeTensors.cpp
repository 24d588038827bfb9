//===- SafeTensors.cpp - Fuzz the reader of safetensors files -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/SafeTensors.h"
#include "FuzzFile.h"
#include "common/Failure.h"

using namespace boost_rt;

/// A file is refused with a message, or every byte of every entry is readable.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  boost_fuzz::FuzzFile file(data, size);
  try {
    SafeTensorsReader reader(file.getPath());
    unsigned sum = 0;
    for (const auto &[name, entry] : reader.getEntries())
      for (int64_t i = 0; i < entry.bytes; ++i)
        sum += static_cast<unsigned char>(entry.data[i]);
    // Without a use the loads could be dropped.
    [[maybe_unused]] volatile unsigned sink = sum;
  } catch (const Failure &failure) {
    if (failure.code != ExitCode::inputRefused || !*failure.what())
      std::abort();
  }
  return 0;
}
