//===- Module.h - What retargeted device code says of itself ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layout of the one symbol that retargetToHost (compiler/HostRetarget.h)
// leaves in a module.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_TEST_CUDA_EMULATOR_MODULE_H
#define BOOST_MLIR_TEST_CUDA_EMULATOR_MODULE_H

#include <cstdint>

namespace boost_emu {

/// Device memory cannot be touched by the host: its addresses, from
/// kDeviceMemory on, are reserved without access, and the bytes are at the same
/// distance from kDeviceBytes. Of the addresses of a process, only these have
/// bit 45 and not bit 44, so that retargeted code translates whatever it
/// accesses without knowing what it is.
constexpr uint64_t kDeviceMemory = uint64_t(1) << 45;
constexpr uint64_t kDeviceBytes = kDeviceMemory | uint64_t(1) << 44;

/// Returns the address of the bytes; pointers to other memory are unchanged.
template <typename T> T *translateDeviceAddress(T *pointer) {
  auto address = reinterpret_cast<uintptr_t>(pointer);
  return reinterpret_cast<T *>(address | (address >> 1 & uintptr_t(1) << 44));
}

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
