//===- Attention.cpp - Attention on a GPU ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cuda/Attention.h"
#include "cuda/kernels/AttentionSizes.h"

#include <algorithm>

using namespace boost_rt;
using namespace boost_rt::cuda;

/// Bytes of the numbers that a type is computed in.
static int getComputeBytes(ElementType type) {
  return type == BOOST_RT_F64 ? 8 : 4;
}

static void copyStrides(const void *tensor, const int64_t *from, int64_t *to) {
  if (tensor)
    std::copy_n(from, 4, to);
}

/// `pointers` are those of tensors whose rows are loaded.
template <typename... Pointers>
static AttentionSizes getSizes(const AttentionInputs &inputs,
                               const AttentionOptions &options,
                               ElementType type, Pointers... pointers) {
  AttentionSizes sizes = {};
  sizes.b = options.b;
  sizes.sq = options.sq;
  sizes.sk = options.sk;
  sizes.h = options.h;
  sizes.kvh = options.kvh;
  sizes.dh = options.dh;
  copyStrides(inputs.bias, inputs.biasStrides, sizes.biasStrides);
  copyStrides(inputs.mask, inputs.maskStrides, sizes.maskStrides);
  sizes.scale = options.scale;
  sizes.softCap = options.softCap;
  sizes.causal = options.causal;
  sizes.isWide = options.dh * sizeOf(type) % 16 == 0 &&
                 areAligned(16, inputs.q, inputs.k, inputs.v, pointers...);
  return sizes;
}

namespace {
/// A launch of kernels without tensor cores.
struct TiledLaunch {
  KernelLauncher &launcher;
  ElementType type;

  int64_t getTile() const { return attentionTile(getComputeBytes(type)); }

  /// Blocks for rows and columns of heads.
  int64_t getBlocks(int64_t heads, int64_t rows, int64_t columns) const {
    return heads * ceilDivide(rows, getTile()) * ceilDivide(columns, getTile());
  }

  template <typename... Values>
  void operator()(const KernelNames &names, int64_t blocks,
                  Values... values) const {
    if (blocks != 0)
      launchKernel(launcher, names.of(type), {static_cast<uint32_t>(blocks)},
                   {kernelThreads}, attentionSharedBytes(getComputeBytes(type)),
                   values...);
  }
};
} // namespace

namespace {
/// A launch of kernels with tensor cores.
struct MatrixLaunch {
  KernelLauncher &launcher;
  ElementType type;

  /// The kernels of one function, by the columns that they are made for.
  struct Names {
    const char *bf16[4], *f16[4];
  };

  /// The index in matrixColumns for heads of a size.
  static size_t getIndex(int64_t dh) {
    const auto *end = std::end(matrixColumns);
    return static_cast<size_t>(
        std::lower_bound(std::begin(matrixColumns), end, dh) -
        std::begin(matrixColumns));
  }

  /// The columns that the kernels for such heads are made for.
  static int getColumns(int64_t dh) { return matrixColumns[getIndex(dh)]; }

  /// Blocks for rows of heads.
  static int64_t getBlocks(int64_t heads, int64_t rows) {
    return heads * ceilDivide(rows, matrixRows);
  }

  template <typename... Values>
  void operator()(const Names &names, int64_t blocks, uint32_t sharedBytes,
                  const AttentionSizes &sizes, Values... values) const {
    size_t index = getIndex(sizes.dh);
    const char *name =
        type == BOOST_RT_BF16 ? names.bf16[index] : names.f16[index];
    if (blocks != 0)
      launchKernel(launcher, name, {static_cast<uint32_t>(blocks)},
                   {matrixThreads}, sharedBytes, values..., sizes);
  }
};
} // namespace

#define BOOST_MATRIX_NAMES(PREFIX)                                             \
  {{PREFIX "_matrix32_bf16", PREFIX "_matrix64_bf16", PREFIX "_matrix96_bf16", \
    PREFIX "_matrix128_bf16"},                                                 \
   {PREFIX "_matrix32_f16", PREFIX "_matrix64_f16", PREFIX "_matrix96_f16",    \
    PREFIX "_matrix128_f16"}}

static bool usesTensorCores(AttentionPath path, ElementType type,
                            const AttentionSizes &sizes) {
  return path == AttentionPath::Best &&
         (type == BOOST_RT_BF16 || type == BOOST_RT_F16) && sizes.isWide &&
         MatrixLaunch::getIndex(sizes.dh) < std::size(matrixColumns);
}

void cuda::attentionForward(KernelLauncher &launcher, ElementType type,
                            const AttentionInputs &inputs, void *o, void *lse,
                            const AttentionOptions &options,
                            AttentionPath path) {
  AttentionSizes sizes = getSizes(inputs, options, type, o);
  int64_t heads = options.b * options.h;
  if (usesTensorCores(path, type, sizes)) {
    static constexpr MatrixLaunch::Names names =
        BOOST_MATRIX_NAMES("boost_attention_forward");
    MatrixLaunch{launcher, type}(
        names, MatrixLaunch::getBlocks(heads, options.sq),
        matrixForwardBytes(MatrixLaunch::getColumns(options.dh)), sizes,
        inputs.q, inputs.k, inputs.v, inputs.bias, inputs.mask, o, lse);
    return;
  }
  static constexpr KernelNames names =
      BOOST_KERNEL_NAMES("boost_attention_forward");
  TiledLaunch launch = {launcher, type};
  launch(names, launch.getBlocks(heads, options.sq, options.dh), inputs.q,
         inputs.k, inputs.v, inputs.bias, inputs.mask, o, lse, sizes);
}

namespace {
/// The arguments of a gradient, before those of its results.
struct GradientLaunch {
  const AttentionInputs &inputs;
  const AttentionGradientInputs &gradients;

  /// Calls launch(the arguments..., results...).
  template <typename Launch, typename... Results>
  void operator()(Launch launch, Results... results) const {
    launch(inputs.q, inputs.k, inputs.v, inputs.bias, inputs.mask, gradients.o,
           gradients.lse, gradients.dO, gradients.dLse, results...);
  }
};
} // namespace

int64_t cuda::getAttentionBackwardBytes(ElementType type,
                                        const AttentionOptions &options) {
  AttentionTraits call = {};
  call.b = options.b;
  call.sq = options.sq;
  call.h = options.h;
  call.dh = options.dh;
  call.isBF16OrF16 = type == BOOST_RT_BF16 || type == BOOST_RT_F16;
  call.isBackward = true;
  return attentionKernelBytes(call);
}

/// Gradients on tensor cores, of what is known of every query.
static void backwardOnMatrices(const MatrixLaunch &launch,
                               const AttentionInputs &inputs,
                               const AttentionGradientInputs &gradients,
                               void *statistics, void *dQ, void *dK, void *dV,
                               const AttentionSizes &sizes) {
  static constexpr KernelNames statisticsNames = {
      nullptr, "boost_attention_statistics_bf16",
      "boost_attention_statistics_f16", nullptr};
  static constexpr MatrixLaunch::Names queryNames =
      BOOST_MATRIX_NAMES("boost_attention_backward_queries");
  static constexpr MatrixLaunch::Names keyNames =
      BOOST_MATRIX_NAMES("boost_attention_backward_keys");
  int64_t heads = sizes.b * sizes.h, keyHeads = sizes.b * sizes.kvh;
  // A warp computes four.
  int64_t perBlock = 4 * kernelThreads / 32;
  if (int64_t blocks = ceilDivide(heads * sizes.sq, perBlock))
    launchKernel(launch.launcher, statisticsNames.of(launch.type),
                 {static_cast<uint32_t>(blocks)}, {kernelThreads}, 0, inputs.q,
                 inputs.k, inputs.v, inputs.bias, inputs.mask, gradients.o,
                 gradients.lse, gradients.dO, gradients.dLse, statistics,
                 sizes);
  int columns = MatrixLaunch::getColumns(sizes.dh);
  auto start = [&](const auto &names, int64_t blocks, uint32_t bytes,
                   auto... results) {
    launch(names, blocks, bytes, sizes, inputs.q, inputs.k, inputs.v,
           inputs.bias, inputs.mask, gradients.dO,
           static_cast<const void *>(statistics), results...);
  };
  start(queryNames, MatrixLaunch::getBlocks(heads, sizes.sq),
        matrixQueriesBytes(columns), dQ);
  start(keyNames, MatrixLaunch::getBlocks(keyHeads, sizes.sk),
        matrixKeysBytes(columns), dK, dV);
}

void cuda::attentionBackward(KernelLauncher &launcher, ElementType type,
                             const AttentionInputs &inputs,
                             const AttentionGradientInputs &gradients, void *dQ,
                             void *dK, void *dV,
                             const AttentionOptions &options, void *workspace,
                             AttentionPath path) {
  AttentionSizes sizes =
      getSizes(inputs, options, type, gradients.o, gradients.dO, dQ, dK, dV);
  if (usesTensorCores(path, type, sizes))
    return backwardOnMatrices({launcher, type}, inputs, gradients, workspace,
                              dQ, dK, dV, sizes);
  static constexpr KernelNames queryNames =
      BOOST_KERNEL_NAMES("boost_attention_backward_queries");
  static constexpr KernelNames keyNames =
      BOOST_KERNEL_NAMES("boost_attention_backward_keys");
  int64_t heads = options.b * options.h, keyHeads = options.b * options.kvh;
  GradientLaunch of = {inputs, gradients};
  TiledLaunch launch = {launcher, type};
  auto start = [&](const auto &names, int64_t blocks) {
    return [&launch, &names, &sizes, blocks](auto... values) {
      launch(names, blocks, values..., sizes);
    };
  };
  of(start(queryNames, launch.getBlocks(heads, options.sq, options.dh)), dQ);
  of(start(keyNames, launch.getBlocks(keyHeads, options.sk, options.dh)), dK,
     dV);
}

void cuda::attentionBiasBackward(KernelLauncher &launcher, ElementType type,
                                 const AttentionInputs &inputs,
                                 const AttentionGradientInputs &gradients,
                                 void *dBias, const AttentionOptions &options) {
  AttentionSizes sizes =
      getSizes(inputs, options, type, gradients.o, gradients.dO);
  TiledLaunch launch = {launcher, type};
  // A dimension of stride 0 belongs to one block.
  const int64_t counts[] = {options.b, options.h,
                            ceilDivide(options.sq, launch.getTile()),
                            ceilDivide(options.sk, launch.getTile())};
  int64_t blocks = 1;
  for (int i = 0; i < 4; ++i)
    blocks *= sizes.biasStrides[i] == 0 ? 1 : counts[i];
  static constexpr KernelNames names =
      BOOST_KERNEL_NAMES("boost_attention_bias_backward");
  GradientLaunch{inputs, gradients}(
      [&](auto... values) { launch(names, blocks, values..., sizes); }, dBias);
}
