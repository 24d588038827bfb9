//===- EmulatedGPU.h - The runtime's GPU in a test --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_TEST_UNIT_CUDAPROVIDER_EMULATEDGPU_H
#define BOOST_MLIR_TEST_UNIT_CUDAPROVIDER_EMULATEDGPU_H

#include "cuda/DeviceMemory.h"
#include "cuda/GPU.h"

#include <cstdlib>
#include <memory>

namespace boost_rt {

/// The GPU that the emulator stands in for, with room for a few tensors.
class EmulatedGPU {
public:
  static constexpr int64_t tensorBytes = 1 << 16;
  static constexpr int64_t workspaceBytes = 1 << 22;
  static constexpr int64_t bytes = tensorBytes + workspaceBytes;

  EmulatedGPU() : memory(open().allocate(bytes, "the test")) {}

  GPU &open() {
    // Death tests want no other thread.
    ::setenv("OPENBLAS_NUM_THREADS", "1", 1);
    ::setenv("BOOST_CUDA_EMULATOR", BOOST_CUDA_EMULATOR_LIBRARY, 1);
    if (!gpu)
      gpu = std::make_unique<GPU>();
    return *gpu;
  }

  Workspace workspace() const { return {memory + tensorBytes, workspaceBytes}; }

private:
  std::unique_ptr<GPU> gpu;

public:
  char *const memory;
};

} // namespace boost_rt

#endif // BOOST_MLIR_TEST_UNIT_CUDAPROVIDER_EMULATEDGPU_H
