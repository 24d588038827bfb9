//===- KernelLauncher.h - How the runtime starts its kernels ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface of a device for the host code of kernels. The kernels are those
// of kernels/; tests run them on an emulator.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_CUDA_KERNELLAUNCHER_H
#define BOOST_RUNTIME_CUDA_KERNELLAUNCHER_H

#include "common/ElementType.h"

#include <cstdint>
#include <type_traits>

namespace boost_rt {

struct GridSize {
  uint32_t x = 1, y = 1, z = 1;
};

class KernelLauncher {
public:
  virtual ~KernelLauncher() = default;

  /// Starts a kernel of the runtime on the stream. `arguments` point to the
  /// values of its parameters. `kernel` is a literal: its address stays, but
  /// is not the only one of that name.
  virtual void launch(const char *kernel, GridSize blocks, GridSize threads,
                      uint32_t dynamicSharedBytes, void **arguments) = 0;

  /// Sets bytes of device memory on the stream.
  virtual void fill(void *data, int value, int64_t bytes) = 0;
};

/// The dynamic shared memory that every GPU since sm_80 has. Above 48 KiB, a
/// kernel needs CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES.
inline constexpr uint32_t maxDynamicSharedBytes = 99 << 10;

/// Threads of a block, unless a kernel says otherwise.
inline constexpr uint32_t kernelThreads = 256;

/// Launches with values, whose types must be those of the parameters.
template <typename... Values>
void launchKernel(KernelLauncher &launcher, const char *kernel, GridSize blocks,
                  GridSize threads, uint32_t dynamicSharedBytes,
                  Values... values) {
  static_assert(
      ((std::is_pointer_v<Values> || std::is_class_v<Values> ||
        std::is_same_v<Values, int64_t> || std::is_same_v<Values, int32_t> ||
        std::is_same_v<Values, float>) &&
       ...),
      "what parameters of the runtime's kernels are");
  void *arguments[] = {
      const_cast<void *>(static_cast<const void *>(&values))...};
  launcher.launch(kernel, blocks, threads, dynamicSharedBytes, arguments);
}

/// The kernels of one function, by the element type of their tensors.
struct KernelNames {
  const char *f32, *bf16, *f16, *f64;

  const char *of(ElementType type) const {
    switch (type) {
    case BOOST_RT_BF16:
      return bf16;
    case BOOST_RT_F16:
      return f16;
    case BOOST_RT_F64:
      return f64;
    default:
      return f32;
    }
  }
};

#define BOOST_KERNEL_NAMES(PREFIX)                                             \
  {PREFIX "_f32", PREFIX "_bf16", PREFIX "_f16", PREFIX "_f64"}

inline int64_t ceilDivide(int64_t a, int64_t b) { return (a + b - 1) / b; }

/// Returns true if all pointers are multiples of `bytes`.
template <typename... Pointers>
bool areAligned(int64_t bytes, Pointers... pointers) {
  return (
      (reinterpret_cast<uintptr_t>(pointers) % static_cast<uintptr_t>(bytes) ==
       0) &&
      ...);
}

} // namespace boost_rt

#endif // BOOST_RUNTIME_CUDA_KERNELLAUNCHER_H
