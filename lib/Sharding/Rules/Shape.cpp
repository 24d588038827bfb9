//===- Shape.cpp - Sharding of constants and data movement ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/Mesh.h"
#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "boost-mlir/Interfaces/ShardingRuleOpInterface.h"
#include "boost-mlir/Sharding/Collectives.h"
#include "boost-mlir/Sharding/Rules.h"
#include "boost-mlir/Support/TensorTypes.h"

using namespace mlir;
using namespace mlir::boost;

/// `sizes` with those that a rank holds only a part of replaced.
static SmallVector<int64_t> localSizes(ArrayRef<int64_t> sizes,
                                       ArrayRef<int64_t> globalShape,
                                       ArrayRef<int64_t> localShape) {
  SmallVector<int64_t> result(sizes);
  for (auto [size, global, local] :
       llvm::zip_equal(result, globalShape, localShape))
    if (global != local)
      size = local;
  return result;
}

//===----------------------------------------------------------------------===//
// Creation
//===----------------------------------------------------------------------===//

static ShardingRule constantRule(stablehlo::ConstantOp op) {
  if (!isa<SplatElementsAttr>(op.getValue()))
    return ShardingRule(op).setGenerator();
  return ShardingRule::pointwise(op).setGenerator();
}

static void buildConstant(stablehlo::ConstantOp op, OpBuilder &builder,
                          const LocalBuild &local,
                          SmallVectorImpl<Value> &results) {
  ElementsAttr value = op.getValue();
  if (auto splat = dyn_cast<SplatElementsAttr>(value))
    value = splat.resizeSplat(cast<ShapedType>(local.resultTypes.front()));
  results.push_back(stablehlo::ConstantOp::create(builder, op.getLoc(), value));
}

static ShardingRule iotaRule(stablehlo::IotaOp op) {
  return ShardingRule::pointwise(op).setGenerator();
}

static void buildIota(stablehlo::IotaOp op, OpBuilder &builder,
                      const LocalBuild &local,
                      SmallVectorImpl<Value> &results) {
  Value iota = cloneWithTypes(builder, op, local, results)->getResult(0);
  const AxisList &axes = local.loopAxes[op.getIotaDimension()];
  if (axes.empty())
    return;
  auto type = cast<RankedTensorType>(iota.getType());
  Location loc = op.getLoc();
  Value offset = buildShardOffset(builder, loc, local.mesh, axes,
                                  type.getDimSize(op.getIotaDimension()),
                                  type.getElementType());
  offset = stablehlo::broadcastScalar(builder, loc, offset, type.getShape());
  results.back() = stablehlo::AddOp::create(builder, loc, iota, offset);
}

static ShardingRule broadcastRule(stablehlo::BroadcastInDimOp op) {
  ShardingRule rule(op);
  ArrayRef<int64_t> from = getShape(op.getOperand());
  ArrayRef<int64_t> dims = op.getBroadcastDimensions();
  for (auto [dim, size] : llvm::enumerate(getShape(op))) {
    auto loop = rule.addLoop(LoopKind::Parallel, size).result(0, dim);
    auto *found = llvm::find(dims, int64_t(dim));
    unsigned operandDim = found - dims.begin();
    if (found != dims.end() && from[operandDim] == size)
      loop.operand(0, operandDim);
  }
  if (stablehlo::matchSplat(op.getOperand()))
    rule.setGenerator();
  return rule.setAdditive({0});
}

//===----------------------------------------------------------------------===//
// Shape
//===----------------------------------------------------------------------===//

/// Dimensions of operand and result fall into groups of equal products. In each
/// the most significant dimensions (of size above 1) are sharded alike.
static ShardingRule reshapeRule(stablehlo::ReshapeOp op) {
  ShardingRule rule(op);
  ArrayRef<int64_t> from = getShape(op.getOperand()), to = getShape(op);
  // Sizes need not meet where one is 0.
  if (op.getType().getNumElements() == 0)
    return rule.setAdditive({0});
  unsigned fromDim = 0, toDim = 0;
  while (true) {
    while (fromDim < from.size() && from[fromDim] == 1)
      ++fromDim;
    while (toDim < to.size() && to[toDim] == 1)
      ++toDim;
    if (fromDim == from.size() || toDim == to.size())
      break;
    rule.addLoop(LoopKind::Parallel, std::min(from[fromDim], to[toDim]))
        .operand(0, fromDim)
        .result(0, toDim);
    int64_t fromSize = from[fromDim++], toSize = to[toDim++];
    while (fromSize != toSize) {
      if (fromSize < toSize)
        fromSize *= from[fromDim++];
      else
        toSize *= to[toDim++];
    }
  }
  return rule.setAdditive({0});
}

static ShardingRule transposeRule(stablehlo::TransposeOp op) {
  ShardingRule rule(op);
  for (auto [dim, from] : llvm::enumerate(op.getPermutation()))
    rule.addLoop(LoopKind::Parallel, getShape(op)[dim])
        .operand(0, from)
        .result(0, dim);
  return rule.setAdditive({0});
}

static ShardingRule reverseRule(stablehlo::ReverseOp op) {
  ShardingRule rule(op);
  for (auto [dim, size] : llvm::enumerate(getShape(op)))
    if (!llvm::is_contained(op.getDimensions(), int64_t(dim)))
      rule.addLoop(LoopKind::Parallel, size).operand(0, dim).result(0, dim);
  return rule.setAdditive({0});
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

/// A dimension that is taken completely may be sharded.
static ShardingRule sliceRule(stablehlo::SliceOp op) {
  ShardingRule rule(op);
  ArrayRef<int64_t> from = getShape(op.getOperand());
  for (auto [dim, size] : llvm::enumerate(getShape(op)))
    if (from[dim] == size)
      rule.addLoop(LoopKind::Parallel, size).operand(0, dim).result(0, dim);
  return rule.setAdditive({0});
}

static void buildSlice(stablehlo::SliceOp op, OpBuilder &builder,
                       const LocalBuild &local,
                       SmallVectorImpl<Value> &results) {
  auto clone =
      cast<stablehlo::SliceOp>(cloneWithTypes(builder, op, local, results));
  clone.setLimitIndices(localSizes(op.getLimitIndices(),
                                   getShape(op.getOperand()),
                                   getShape(clone.getOperand())));
}

static ShardingRule concatenateRule(stablehlo::ConcatenateOp op) {
  ShardingRule rule(op);
  SmallVector<unsigned> all;
  for (unsigned index = 0; index < op->getNumOperands(); ++index)
    all.push_back(index);
  for (auto [dim, size] : llvm::enumerate(getShape(op))) {
    if (dim == op.getDimension())
      continue;
    auto loop = rule.addLoop(LoopKind::Parallel, size).result(0, dim);
    for (unsigned index : all)
      loop.operand(index, dim);
  }
  return rule.setAdditive(all);
}

static ShardingRule padRule(stablehlo::PadOp op) {
  ShardingRule rule(op);
  for (auto [dim, size] : llvm::enumerate(getShape(op)))
    if (op.getEdgePaddingLow()[dim] == 0 && op.getEdgePaddingHigh()[dim] == 0 &&
        op.getInteriorPadding()[dim] == 0)
      rule.addLoop(LoopKind::Parallel, size).operand(0, dim).result(0, dim);
  return rule.setAdditive({0, 1});
}

static ShardingRule dynamicSliceRule(stablehlo::DynamicSliceOp op) {
  ShardingRule rule(op);
  ArrayRef<int64_t> from = getShape(op.getOperand());
  for (auto [dim, size] : llvm::enumerate(op.getSliceSizes()))
    if (from[dim] == size)
      rule.addLoop(LoopKind::Parallel, size).operand(0, dim).result(0, dim);
  return rule.setAdditive({0});
}

static void buildDynamicSlice(stablehlo::DynamicSliceOp op, OpBuilder &builder,
                              const LocalBuild &local,
                              SmallVectorImpl<Value> &results) {
  auto clone = cast<stablehlo::DynamicSliceOp>(
      cloneWithTypes(builder, op, local, results));
  clone.setSliceSizes(localSizes(op.getSliceSizes(), getShape(op.getOperand()),
                                 getShape(clone.getOperand())));
}

static ShardingRule dynamicUpdateSliceRule(stablehlo::DynamicUpdateSliceOp op) {
  ShardingRule rule(op);
  ArrayRef<int64_t> update = getShape(op.getUpdate());
  for (auto [dim, size] : llvm::enumerate(getShape(op)))
    if (update[dim] == size)
      rule.addLoop(LoopKind::Parallel, size)
          .operand(0, dim)
          .operand(1, dim)
          .result(0, dim);
  return rule.setAdditive({0, 1});
}

void mlir::boost::attachShapeShardingRules(MLIRContext &context) {
  using namespace stablehlo;
  attachShardingRule<ConstantOp, constantRule, buildConstant>(context);
  attachShardingRule<IotaOp, iotaRule, buildIota>(context);
  attachShardingRule<BroadcastInDimOp, broadcastRule>(context);
  attachShardingRule<ReshapeOp, reshapeRule>(context);
  attachShardingRule<TransposeOp, transposeRule>(context);
  attachShardingRule<ReverseOp, reverseRule>(context);
  attachShardingRule<SliceOp, sliceRule, buildSlice>(context);
  attachShardingRule<ConcatenateOp, concatenateRule>(context);
  attachShardingRule<PadOp, padRule>(context);
  attachShardingRule<DynamicSliceOp, dynamicSliceRule, buildDynamicSlice>(
      context);
  attachShardingRule<DynamicUpdateSliceOp, dynamicUpdateSliceRule>(context);
}
