//===- Packing.cuh - Kernels that move and convert elements -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_CUDA_KERNELS_PACKING_CUH
#define BOOST_RUNTIME_CUDA_KERNELS_PACKING_CUH

#include "Types.cuh"

namespace boost_rt {

/// Threads along x share a block of units, those along y have one each; grid
/// rows are parts of long blocks.
template <typename Unit>
__device__ inline void copyBlocks(const Unit *__restrict__ src,
                                  Unit *__restrict__ dst, int64_t rows,
                                  int64_t columns, int64_t units,
                                  int64_t sourceRow, int64_t sourceColumn) {
  int64_t block = int64_t(blockIdx.x) * blockDim.y + threadIdx.y;
  if (block >= rows * columns)
    return;
  int64_t row = block / columns, column = block % columns;
  const Unit *from = src + (row * sourceRow + column * sourceColumn) * units;
  Unit *to = dst + block * units;
  int64_t step = int64_t(gridDim.y) * blockDim.x;
#pragma unroll 4
  for (int64_t i = int64_t(blockIdx.y) * blockDim.x + threadIdx.x; i < units;
       i += step)
    to[i] = from[i];
}

/// A thread converts eight elements.
template <typename From, typename To>
__device__ inline void convertElements(const From *__restrict__ src,
                                       To *__restrict__ dst, int64_t count,
                                       bool isWide) {
  constexpr int width = 8;
  int64_t first = getThread() * width;
  if (isWide && first + width <= count) {
    Vector<From, width> from = loadVector<width>(src + first);
    storeVector(dst + first, __builtin_convertvector(from, Vector<To, width>));
    return;
  }
  for (int64_t i = first; i < first + width && i < count; ++i)
    dst[i] = To(src[i]);
}

} // namespace boost_rt

#define BOOST_COPY_BLOCKS(BYTES, UNIT)                                         \
  extern "C" __global__ void __launch_bounds__(boost_rt::kThreads)             \
      boost_copy_blocks_##BYTES(const UNIT *src, UNIT *dst, int64_t rows,      \
                                int64_t columns, int64_t units,                \
                                int64_t sourceRow, int64_t sourceColumn) {     \
    boost_rt::copyBlocks(src, dst, rows, columns, units, sourceRow,            \
                         sourceColumn);                                        \
  }
BOOST_FOR_COPY_UNITS(BOOST_COPY_BLOCKS)
#undef BOOST_COPY_BLOCKS

#define BOOST_CONVERT(FROM_NAME, FROM, TO_NAME, TO)                            \
  extern "C" __global__ void __launch_bounds__(boost_rt::kThreads)             \
      boost_convert_##FROM_NAME##_##TO_NAME(const FROM *src, TO *dst,          \
                                            int64_t count, int32_t isWide) {   \
    boost_rt::convertElements(src, dst, count, isWide);                        \
  }
BOOST_CONVERT(bf16, __bf16, f32, float)
BOOST_CONVERT(f16, _Float16, f32, float)
BOOST_CONVERT(f32, float, bf16, __bf16)
BOOST_CONVERT(f32, float, f16, _Float16)
#undef BOOST_CONVERT

#endif // BOOST_RUNTIME_CUDA_KERNELS_PACKING_CUH
