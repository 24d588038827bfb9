//===- Options.cpp - What options of passes choose from -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/Transforms/Options.h"

using namespace mlir::boost;

template <>
llvm::ArrayRef<NamedValue<PrecisionKind>> mlir::boost::getNamedValues() {
  static constexpr NamedValue<PrecisionKind> values[] = {
      {PrecisionKind::F32, "f32", "as the program says"},
      {PrecisionKind::BF16, "bf16", "mixed precision: products in bf16"}};
  return values;
}

template <>
llvm::ArrayRef<NamedValue<PlacementKind>> mlir::boost::getNamedValues() {
  using Kind = PlacementKind;
  static constexpr NamedValue<Kind> values[] = {
      {Kind::Auto, "auto", "the one that is predicted to be fastest"},
      {Kind::Bottleneck, "bottleneck",
       "the stream and the inputs of first factors sharded, sums at the rank"},
      {Kind::Megatron, "megatron",
       "alternating columns and rows, bottlenecks along their rank"},
      {Kind::Vanilla, "vanilla",
       "megatron with attention of all heads on every rank"},
      {Kind::Sequence, "sequence",
       "bottleneck with latents sharded along the sequence"},
      {Kind::Gathered, "gathered",
       "bottleneck with the inputs of shared first factors gathered"},
      {Kind::VocabularyEmbedding, "vocabulary-embedding",
       "bottleneck with the embedding sharded along the vocabulary"},
      {Kind::HiddenHead, "hidden-head", "bottleneck with a row-parallel head"},
      {Kind::Searched, "searched",
       "the minimum of the predicted time over all shardings"},
      {Kind::Replicated, "replicated",
       "every parameter on every rank, the batch over all axes"},
      {Kind::Given, "given", "as boost.sharding of the arguments says"}};
  return values;
}

template <>
llvm::ArrayRef<NamedValue<OptimizerKind>> mlir::boost::getNamedValues() {
  static constexpr NamedValue<OptimizerKind> values[] = {
      {OptimizerKind::AdamW, "adamw", "AdamW with clipping and decay"}};
  return values;
}

template <>
llvm::ArrayRef<NamedValue<RematKind>> mlir::boost::getNamedValues() {
  static constexpr NamedValue<RematKind> values[] = {
      {RematKind::None, "none", "what costs no pass over memory"},
      {RematKind::LowRank, "low-rank", "all but down-projections"},
      {RematKind::FullBlock, "full-block",
       "all of a layer but its input, collectives too"}};
  return values;
}

template <>
llvm::ArrayRef<NamedValue<RecomputeClass>> mlir::boost::getNamedValues() {
  using Class = RecomputeClass;
  static constexpr NamedValue<Class> values[] = {
      {Class::Elementwise, "elementwise", "passes over memory"},
      {Class::UpProjection, "up-projection",
       "products with at least as many elements as their operand"},
      {Class::DownProjection, "down-projection", "products with fewer"},
      {Class::Attention, "attention", "attention"}};
  return values;
}
