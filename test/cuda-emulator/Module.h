//===- Module.h - What retargeted device code says of itself ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layout of the one symbol that retargetToHost (boost-mlir/Target/
// HostRetarget.h) leaves in a module.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_TEST_CUDA_EMULATOR_MODULE_H
#define BOOST_MLIR_TEST_CUDA_EMULATOR_MODULE_H

#include <cstdint>

namespace boost_emu {

struct EmulatedKernel {
  const char *name;
  /// Runs one thread; each argument points to the value of a parameter, as for
  /// cudaLaunchKernel.
  void (*call)(void **arguments);
  const uint64_t *argumentBytes;
  uint64_t numArguments;
  /// Threads that a block of it may have.
  uint64_t maxThreads;
};

/// Static shared memory.
struct SharedBuffer {
  void *data;
  uint64_t bytes;
};

struct EmulatedModule {
  const EmulatedKernel *kernels;
  uint64_t numKernels;
  const SharedBuffer *shared;
  uint64_t numShared;
};

} // namespace boost_emu

#endif // BOOST_MLIR_TEST_CUDA_EMULATOR_MODULE_H
