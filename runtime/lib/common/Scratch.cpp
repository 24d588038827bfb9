//===- Scratch.cpp - Buffers that are kept between calls ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Scratch.h"
#include "common/Failure.h"

#include <cstdlib>

using namespace boost_rt;

Scratch::~Scratch() {
  for (Buffer &buffer : buffers)
    std::free(buffer.data);
}

void *Scratch::get(int thread, int64_t bytes) {
  Buffer &buffer = buffers[static_cast<size_t>(thread)];
  if (buffer.bytes >= bytes)
    return buffer.data;
  std::free(buffer.data);
  buffer.bytes = (bytes + 63) / 64 * 64;
  buffer.data = std::aligned_alloc(64, static_cast<size_t>(buffer.bytes));
  if (!buffer.data)
    abortProgram(concat("out of memory: a runtime function needs ", bytes,
                        " bytes of scratch; use a smaller batch or sequence"));
  return buffer.data;
}
