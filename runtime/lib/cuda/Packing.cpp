//===- Packing.cpp - Moving and converting elements on a GPU --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cuda/Packing.h"

#include <algorithm>
#include <cassert>

using namespace boost_rt;

int64_t cuda::getCopyUnit(int64_t bytes, const void *src, const void *dst) {
  int64_t unit = 16;
  while (bytes % unit != 0 || !areAligned(unit, src, dst))
    unit /= 2;
  return unit;
}

const char *cuda::CopyKernelNames::of(int64_t unit) const {
  switch (unit) {
  case 16:
    return by16;
  case 8:
    return by8;
  case 4:
    return by4;
  case 2:
    return by2;
  default:
    return by1;
  }
}

namespace {
/// Blocks [row, column] of a dense destination; in the source, rows and columns
/// are these distances apart, counted in blocks.
struct BlockCopy {
  int64_t rows, columns, bytes;
  int64_t sourceRow, sourceColumn;
};
} // namespace

static void copyBlocks(KernelLauncher &launcher, const void *src, void *dst,
                       const BlockCopy &copy) {
  int64_t blocks = copy.rows * copy.columns;
  if (blocks == 0 || copy.bytes == 0)
    return;
  int64_t unit = cuda::getCopyUnit(copy.bytes, src, dst);
  int64_t units = copy.bytes / unit;
  // As many lanes as a block has units, and several blocks where it has few.
  uint32_t lanes = 1;
  while (lanes < kernelThreads && lanes < units)
    lanes *= 2;
  uint32_t together = kernelThreads / lanes;
  // A long block is shared by several thread blocks.
  constexpr int64_t unitsPerThread = 8, maxParts = 65535;
  int64_t parts =
      std::min(ceilDivide(units, int64_t(lanes) * unitsPerThread), maxParts);
  static constexpr cuda::CopyKernelNames names =
      BOOST_COPY_KERNEL_NAMES("boost_copy_blocks");
  launchKernel(launcher, names.of(unit),
               {static_cast<uint32_t>(ceilDivide(blocks, together)),
                static_cast<uint32_t>(parts)},
               {lanes, together}, 0, src, dst, copy.rows, copy.columns, units,
               copy.sourceRow, copy.sourceColumn);
}

void cuda::transposeBlocks(KernelLauncher &launcher, const void *src, void *dst,
                           int64_t rows, int64_t columns, int64_t bytes) {
  copyBlocks(launcher, src, dst, {rows, columns, bytes, 1, rows});
}

void cuda::sliceBlocks(KernelLauncher &launcher, const void *src, void *dst,
                       int64_t rows, int64_t positions, int64_t position,
                       int64_t bytes) {
  copyBlocks(launcher, static_cast<const char *>(src) + position * bytes, dst,
             {rows, 1, bytes, positions, 0});
}

void cuda::convertElements(KernelLauncher &launcher, ElementType from,
                           const void *src, ElementType to, void *dst,
                           int64_t count) {
  static constexpr KernelNames widen = {nullptr, "boost_convert_bf16_f32",
                                        "boost_convert_f16_f32", nullptr};
  static constexpr KernelNames narrow = {nullptr, "boost_convert_f32_bf16",
                                         "boost_convert_f32_f16", nullptr};
  const char *kernel = to == BOOST_RT_F32 ? widen.of(from) : narrow.of(to);
  assert(kernel && "one of the types is f32, the other has 16 bits");
  if (count == 0)
    return;
  constexpr int64_t perThread = 8;
  int32_t isWide = areAligned(perThread * sizeOf(from), src) &&
                   areAligned(perThread * sizeOf(to), dst);
  launchKernel(
      launcher, kernel,
      {static_cast<uint32_t>(ceilDivide(count, perThread * kernelThreads))},
      {kernelThreads}, 0, src, dst, count, isWide);
}
