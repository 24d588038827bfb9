//===- Packing.h - Moving and converting elements on a GPU ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts between the tensors of Functions.def and the flat buffers of a
// library of collectives. Pointers are to device memory; results do not overlap
// operands.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_CUDA_PACKING_H
#define BOOST_RUNTIME_CUDA_PACKING_H

#include "cuda/KernelLauncher.h"

namespace boost_rt::cuda {

/// dst[i][j] = src[j][i] for blocks of `bytes`; i < rows of dst, j < columns.
void transposeBlocks(KernelLauncher &launcher, const void *src, void *dst,
                     int64_t rows, int64_t columns, int64_t bytes);

/// dst[i] = src[i][position] for blocks of `bytes`; i < rows, src is [rows,
/// positions].
void sliceBlocks(KernelLauncher &launcher, const void *src, void *dst,
                 int64_t rows, int64_t positions, int64_t position,
                 int64_t bytes);

/// Rounds to nearest even. One of the types is f32, the other bf16 or f16.
void convertElements(KernelLauncher &launcher, ElementType from,
                     const void *src, ElementType to, void *dst, int64_t count);

/// The largest of 16, 8, 4, 2 and 1 that divides `bytes` and the addresses.
int64_t getCopyUnit(int64_t bytes, const void *src, const void *dst);

/// The kernels of one function, by the bytes that a thread copies at once.
struct CopyKernelNames {
  const char *by1, *by2, *by4, *by8, *by16;

  const char *of(int64_t unit) const;
};

#define BOOST_COPY_KERNEL_NAMES(PREFIX)                                        \
  {PREFIX "_1", PREFIX "_2", PREFIX "_4", PREFIX "_8", PREFIX "_16"}

} // namespace boost_rt::cuda

#endif // BOOST_RUNTIME_CUDA_PACKING_H
