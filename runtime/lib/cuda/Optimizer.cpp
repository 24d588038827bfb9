//===- Optimizer.cpp - AdamW and norms on a GPU ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cuda/Optimizer.h"

#include <algorithm>

using namespace boost_rt;

/// The kernel of f32 masters, by the types of gradients and rounded parameters.
static const char *findMasterKernel(ElementType gradType, ElementType rounded) {
  static constexpr KernelNames toBF16 = {
      "boost_adamw_f32_to_bf16", "boost_adamw_f32_bf16_to_bf16",
      "boost_adamw_f32_f16_to_bf16", nullptr};
  static constexpr KernelNames toF16 = {"boost_adamw_f32_to_f16",
                                        "boost_adamw_f32_bf16_to_f16",
                                        "boost_adamw_f32_f16_to_f16", nullptr};
  return (rounded == BOOST_RT_BF16 ? toBF16 : toF16).of(gradType);
}

static const char *findKernel(const cuda::AdamWTypes &types) {
  auto [type, gradType, rounded] = types;
  if (rounded != type)
    return findMasterKernel(gradType, rounded);
  static constexpr KernelNames names = BOOST_KERNEL_NAMES("boost_adamw");
  static constexpr KernelNames ofF32Gradients = {
      "boost_adamw_f32", "boost_adamw_bf16_f32", "boost_adamw_f16_f32",
      "boost_adamw_f64_f32"};
  if (gradType == type)
    return names.of(type);
  if (gradType == BOOST_RT_F32)
    return ofF32Gradients.of(type);
  return gradType == BOOST_RT_BF16 ? "boost_adamw_f32_bf16"
                                   : "boost_adamw_f32_f16";
}

void cuda::adamw(KernelLauncher &launcher, AdamWTypes types, int64_t tensors,
                 const AdamWTensor *updated, const AdamWNumbers &numbers,
                 void *nonFinite) {
  UpdateTable table;
  for (int i = 0; i < static_cast<int>(tensors); ++i) {
    const AdamWTensor &tensor = updated[i];
    table.p[i] = tensor.p;
    table.m[i] = static_cast<float *>(tensor.m);
    table.v[i] = static_cast<float *>(tensor.v);
    table.g[i] = tensor.g;
    table.rounded[i] = tensor.rounded;
    table.decays[i] = tensor.decays;
    table.chunks.add(i, tensor.count);
  }
  if (table.chunks.chunks == 0)
    return;
  // Few blocks: each computes powers.
  constexpr int64_t maxBlocks = 2048;
  int64_t blocks = std::min(table.chunks.chunks, maxBlocks);
  launchKernel(launcher, findKernel(types), {static_cast<uint32_t>(blocks)},
               {kernelThreads}, 0, table, numbers, nonFinite);
}

static void addSquares(KernelLauncher &launcher, const SquareTable &table,
                       bool isFirst) {
  // The first launch sets all parts.
  int64_t blocks =
      isFirst ? sumBlocks : std::min<int64_t>(table.chunks.chunks, sumBlocks);
  if (blocks > 0)
    launchKernel(launcher, "boost_add_squares", {static_cast<uint32_t>(blocks)},
                 {kernelThreads}, 0, table, static_cast<int32_t>(isFirst));
}

void cuda::sumOfSquares(KernelLauncher &launcher, int64_t tensors,
                        const void *const *buffers, const int64_t *counts,
                        const int32_t *types, void *out) {
  for (int64_t first = 0; first == 0 || first < tensors; first += sumTensors) {
    SquareTable table;
    int64_t end = std::min<int64_t>(tensors, first + sumTensors);
    for (int64_t i = first; i < end; ++i) {
      table.data[i - first] = buffers[i];
      table.types[i - first] = types[i];
      table.chunks.add(static_cast<int>(i - first), counts[i]);
    }
    addSquares(launcher, table, first == 0);
  }
  launchKernel(launcher, "boost_finish_sum_of_squares", {}, {kernelThreads}, 0,
               out);
}
