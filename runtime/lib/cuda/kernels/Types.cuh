//===- Types.cuh - What the runtime's kernels share -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Element types are clang's own: conversions of CUDA's are inline assembly,
// which the emulator of the tests does not run.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_CUDA_KERNELS_TYPES_CUH
#define BOOST_RUNTIME_CUDA_KERNELS_TYPES_CUH

#include <cstdint>

/// Calls MACRO(name, type) for the floats that tensors are made of.
#define BOOST_FOR_FLOATS(MACRO)                                                \
  MACRO(f32, float)                                                            \
  MACRO(bf16, __bf16)                                                          \
  MACRO(f16, _Float16)                                                         \
  MACRO(f64, double)

/// Calls MACRO(bytes, type) for the units in which bytes are copied.
#define BOOST_FOR_COPY_UNITS(MACRO)                                            \
  MACRO(1, uint8_t)                                                            \
  MACRO(2, uint16_t)                                                           \
  MACRO(4, uint32_t)                                                           \
  MACRO(8, uint64_t)                                                           \
  MACRO(16, boost_rt::Words)

/// Calls MACRO(name, type, columns) for the kernels with tensor cores.
#define BOOST_FOR_MATRIX_KERNELS(MACRO)                                        \
  MACRO(bf16, __bf16, 32)                                                      \
  MACRO(bf16, __bf16, 64)                                                      \
  MACRO(bf16, __bf16, 96)                                                      \
  MACRO(bf16, __bf16, 128)                                                     \
  MACRO(f16, _Float16, 32)                                                     \
  MACRO(f16, _Float16, 64)                                                     \
  MACRO(f16, _Float16, 96)                                                     \
  MACRO(f16, _Float16, 128)

namespace boost_rt {

constexpr int kWarp = 32;
constexpr unsigned kAllLanes = 0xffffffff;
/// Threads of a block, for most kernels.
constexpr int kThreads = 256;

using Words = uint32_t __attribute__((ext_vector_type(4)));

/// The type in which values of type T are summed.
template <typename T> struct ComputeType {
  using Type = float;
};
template <> struct ComputeType<double> {
  using Type = double;
};
template <typename T> using ComputeOf = typename ComputeType<T>::Type;

/// Returns the number in a way that the compiler cannot see through, so that
/// expressions of it are computed where they are used. Otherwise they would
/// leave the loop over tiles, and take registers throughout it.
__device__ inline int64_t opaque(int64_t number) {
  int64_t same;
  asm volatile("mov.b64 %0, %1;" : "=l"(same) : "l"(number));
  return same;
}
__device__ inline unsigned opaque(unsigned number) {
  unsigned same;
  asm volatile("mov.b32 %0, %1;" : "=r"(same) : "r"(number));
  return same;
}

/// As many elements as are loaded or stored at once.
template <typename T, int count>
using Vector = T __attribute__((ext_vector_type(count)));

/// Elements of 16 bytes.
template <typename T> constexpr int kPack = 16 / sizeof(T);
template <typename T> using Pack = Vector<T, kPack<T>>;

template <int count, typename T>
__device__ inline Vector<T, count> loadVector(const T *data) {
  return *reinterpret_cast<const Vector<T, count> *>(data);
}

template <typename T, typename V>
__device__ inline void storeVector(T *data, V values) {
  *reinterpret_cast<V *>(data) = values;
}

template <typename T> __device__ inline Pack<T> loadPack(const T *data) {
  return loadVector<kPack<T>>(data);
}

__device__ inline int64_t getThread() {
  return int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ inline int64_t getNumThreads() {
  return int64_t(gridDim.x) * blockDim.x;
}

/// The sum over `lanes` lanes next to each other, in all of them. All lanes of
/// the warp take part.
template <int lanes, typename T> __device__ inline T addLanes(T value) {
#pragma unroll
  for (int step = lanes / 2; step > 0; step /= 2)
    value += __shfl_xor_sync(kAllLanes, value, step);
  return value;
}

} // namespace boost_rt

#endif // BOOST_RUNTIME_CUDA_KERNELS_TYPES_CUH
