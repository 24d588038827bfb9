//===- Embedding.cpp - Embeddings on a GPU --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cuda/Embedding.h"
#include "cuda/Packing.h"

using namespace boost_rt;

void cuda::embedding(KernelLauncher &launcher, ElementType type,
                     const void *table, const void *ids, void *out,
                     int64_t rows, int64_t columns, int64_t count) {
  if (count == 0 || columns == 0)
    return;
  int64_t bytes = columns * sizeOf(type);
  int64_t unit = getCopyUnit(bytes, table, out);
  // A warp per row.
  constexpr uint32_t warps = kernelThreads / 32;
  static constexpr CopyKernelNames names =
      BOOST_COPY_KERNEL_NAMES("boost_embedding");
  launchKernel(launcher, names.of(unit),
               {static_cast<uint32_t>(ceilDivide(count, warps))}, {32, warps},
               0, table, ids, out, rows, bytes / unit, count);
}

void cuda::embeddingGrad(KernelLauncher &launcher, ElementType type,
                         const void *ids, const void *grad, void *table,
                         int64_t rows, int64_t columns, int64_t count) {
  launcher.fill(table, 0, rows * columns * sizeOf(type));
  if (count == 0 || rows == 0 || columns == 0)
    return;
  // Each thread owns 16 bytes of a row, or one element.
  bool isWide = columns * sizeOf(type) % 16 == 0 && areAligned(16, grad, table);
  int64_t perThread = isWide ? 16 / sizeOf(type) : 1;
  static constexpr KernelNames names =
      BOOST_KERNEL_NAMES("boost_embedding_grad");
  static constexpr KernelNames wideNames =
      BOOST_KERNEL_NAMES("boost_embedding_grad_wide");
  GridSize blocks{
      static_cast<uint32_t>(count),
      static_cast<uint32_t>(ceilDivide(columns, perThread * kernelThreads))};
  launchKernel(launcher, (isWide ? wideNames : names).of(type), blocks,
               {kernelThreads}, 0, ids, grad, table, rows, columns, count);
}
