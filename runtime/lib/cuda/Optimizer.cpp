//===- Optimizer.cpp - AdamW and norms on a GPU ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cuda/Optimizer.h"
#include "cuda/kernels/SumSizes.h"

#include <algorithm>

using namespace boost_rt;

void cuda::adamw(KernelLauncher &launcher, ElementType type,
                 ElementType gradType, const AdamWTensors &tensors, bool decays,
                 int64_t count, void *nonFinite) {
  if (count == 0)
    return;
  static constexpr KernelNames names = BOOST_KERNEL_NAMES("boost_adamw");
  static constexpr KernelNames f32Names = {
      "boost_adamw_f32", "boost_adamw_bf16_f32", "boost_adamw_f16_f32",
      "boost_adamw_f64_f32"};
  // A thread takes four elements at a time. Few blocks: each computes powers.
  constexpr int64_t perThread = 4, maxBlocks = 2048;
  int64_t blocks =
      std::min(ceilDivide(count, perThread * kernelThreads), maxBlocks);
  int32_t isWide =
      areAligned(perThread * sizeOf(type), tensors.p) &&
      areAligned(perThread * sizeOf(gradType), tensors.g) &&
      areAligned(perThread * sizeOf(BOOST_RT_F32), tensors.m, tensors.v);
  launchKernel(launcher, (gradType == type ? names : f32Names).of(type),
               {static_cast<uint32_t>(blocks)}, {kernelThreads}, 0, tensors.p,
               tensors.m, tensors.v, tensors.g, tensors.lr, tensors.t,
               tensors.scale, tensors.beta1, tensors.beta2, tensors.eps,
               tensors.decay, static_cast<int32_t>(decays), count, isWide,
               nonFinite);
}

namespace {
/// Tensors that one launch adds the squares of.
struct Tensors {
  const void *data[sumTensors] = {};
  int64_t counts[sumTensors] = {};
  int32_t types[sumTensors] = {};
};
} // namespace

static void addSquares(KernelLauncher &launcher, const Tensors &t,
                       bool isFirst) {
  static_assert(sumTensors == 4, "as many as there are parameters");
  int64_t largest = *std::max_element(t.counts, t.counts + sumTensors);
  // The first launch sets all parts.
  constexpr int64_t perBlock = 16 * kernelThreads;
  int64_t blocks = isFirst ? sumBlocks
                           : std::clamp<int64_t>(ceilDivide(largest, perBlock),
                                                 1, sumBlocks);
  launchKernel(launcher, "boost_add_squares",
               {static_cast<uint32_t>(blocks), sumTensors}, {kernelThreads}, 0,
               t.data[0], t.data[1], t.data[2], t.data[3], t.counts[0],
               t.counts[1], t.counts[2], t.counts[3], t.types[0], t.types[1],
               t.types[2], t.types[3], static_cast<int32_t>(isFirst));
}

void cuda::sumOfSquares(KernelLauncher &launcher, int64_t tensors,
                        const void *const *buffers, const int64_t *counts,
                        const int32_t *types, void *out) {
  for (int64_t first = 0; first == 0 || first < tensors; first += sumTensors) {
    Tensors part;
    for (int64_t i = first; i < std::min(tensors, first + sumTensors); ++i) {
      part.data[i - first] = buffers[i];
      part.counts[i - first] = counts[i];
      part.types[i - first] = types[i];
    }
    addSquares(launcher, part, first == 0);
  }
  launchKernel(launcher, "boost_finish_sum_of_squares", {}, {kernelThreads}, 0,
               out);
}
