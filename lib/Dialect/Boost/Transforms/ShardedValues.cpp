//===- ShardedValues.cpp - What products make of sharded values -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShardedValues.h"

#include "boost-mlir/Interfaces/ShardingRuleOpInterface.h"

#include <functional>

using namespace mlir;
using namespace mlir::boost;
using stablehlo::DotGeneralOp;

/// The dimension of a tensor that `loop` runs over; nothing if none is.
static std::optional<int64_t> findDim(ArrayRef<int> loops, int loop) {
  const int *found = llvm::find(loops, loop);
  if (loop == kNoLoop || found == loops.end())
    return std::nullopt;
  return found - loops.begin();
}

/// The dimension of the result that `dim` of an operand becomes; nothing if it
/// is summed over. Of one that is split up it is the outermost part, of several
/// that are merged the first.
static std::optional<int64_t> mapDim(OpOperand &operand, int64_t dim) {
  Operation *op = operand.getOwner();
  RankedTensorType from = getTensorType(operand.get());
  RankedTensorType to = getTensorType(op->getResult(0));
  if (isa<DotGeneralOp, stablehlo::ReduceOp>(op)) {
    ShardingRule rule = cast<ShardingRuleOpInterface>(op).getShardingRule();
    return findDim(rule.getResults()[0],
                   rule.getOperands()[operand.getOperandNumber()][dim]);
  }
  if (auto transpose = dyn_cast<stablehlo::TransposeOp>(op))
    return llvm::find(transpose.getPermutation(), dim) -
           transpose.getPermutation().begin();
  if (auto broadcast = dyn_cast<stablehlo::BroadcastInDimOp>(op))
    return broadcast.getBroadcastDimensions()[dim];
  if (isa<stablehlo::ReshapeOp>(op)) {
    int64_t before =
        ShapedType::getNumElements(from.getShape().take_front(dim));
    for (int64_t i = 0, outer = 1; i < to.getRank(); ++i) {
      if (outer == before && to.getDimSize(i) != 1)
        return i;
      outer *= to.getDimSize(i);
    }
  }
  return to.getRank() == from.getRank() ? dim : to.getRank() - 1;
}

/// Results of other operations are sharded as the operand whose sharded
/// dimension is the largest, unless one element of it is left. Norms stand
/// where the residual stream is replicated.
void ShardedValues::follow(Operation *op) {
  if (isa<LayerNormOp, RMSNormOp>(op) || op->getNumResults() == 0)
    return;
  OpOperand *sharded = nullptr;
  int64_t largest = 0;
  for (OpOperand &operand : op->getOpOperands()) {
    auto it = dims.find(operand.get());
    if (it == dims.end())
      continue;
    int64_t size = getTensorType(operand.get()).getDimSize(it->second);
    if (size > largest)
      sharded = &operand;
    largest = std::max(largest, size);
  }
  if (!sharded)
    return;
  auto dim = mapDim(*sharded, dims.lookup(sharded->get()));
  if (!dim)
    return;
  for (Value result : op->getResults())
    if (int64_t rank = getTensorType(result).getRank())
      if (int64_t own = std::min(*dim, rank - 1);
          getTensorType(result).getDimSize(own) != 1)
        dims[result] = own;
}

void ShardedValues::shardParameters(Operation *op, AxisMask axes,
                                    const Mesh &mesh,
                                    Placement &placement) const {
  if (!op->hasTrait<OpTrait::Elementwise>() || op->getNumOperands() != 2)
    return;
  for (auto [value, other] :
       {std::pair(op->getOperand(0), op->getOperand(1)),
        std::pair(op->getOperand(1), op->getOperand(0))}) {
    auto it = dims.find(value);
    if (it == dims.end() || contains(other) ||
        getTensorType(other).getDimSize(it->second) % mesh.getSize(axes) != 0)
      continue;
    placement.shard(other, it->second, axes, "size",
                    "what is added to a sharded value, or scales it: sharded "
                    "like it");
  }
}

/// The loop along which to shard a product whose input is not sharded by
/// another product: over the first dimension that the weight has in common with
/// the result and that ranks divide, that of the experts before their hidden
/// one, or else over the first that is summed over. Tokens that have been
/// brought to places of experts have that of the experts too. `loops` are those
/// of the weight.
static int chooseLoop(const ShardingRule &rule, ArrayRef<int> loops,
                      int64_t parts) {
  auto findLoop = [&](auto isWanted) {
    const int *found = llvm::find_if(loops, [&](int loop) {
      return loop != kNoLoop && rule.getLoops()[loop].extent % parts == 0 &&
             isWanted(loop);
    });
    return found == loops.end() ? kNoLoop : *found;
  };
  auto isInResult = [&](int loop) {
    return llvm::is_contained(rule.getResults()[0], loop);
  };
  int shared = findLoop(isInResult);
  return shared != kNoLoop ? shared : findLoop(std::not_fn(isInResult));
}

/// Shards the weight of a product that is no linear, since it has a dimension
/// for experts: along a dimension of its result, or like a sharded input. False
/// if the product has no weight.
bool ShardedValues::shardProduct(DotGeneralOp dot, AxisMask axes,
                                 const Mesh &mesh, Placement &placement) {
  bool isRight = weights.contains(dot.getRhs());
  if (isRight == weights.contains(dot.getLhs()))
    return false;
  Value weight = isRight ? dot.getRhs() : dot.getLhs();
  Value input = isRight ? dot.getLhs() : dot.getRhs();
  ShardingRule rule = cast<ShardingRuleOpInterface>(*dot).getShardingRule();
  ArrayRef<int> loops = rule.getOperands()[isRight ? 1 : 0];
  ArrayRef<int> inputLoops = rule.getOperands()[isRight ? 0 : 1];
  auto sharded = dims.find(input);
  int loop = sharded == dims.end() ? chooseLoop(rule, loops, mesh.getSize(axes))
                                   : inputLoops[sharded->second];
  if (auto dim = findDim(loops, loop))
    placement.shard(weight, *dim, axes, "width of a product",
                    sharded == dims.end()
                        ? "product with a replicated input: sharded along a "
                          "dimension of its result"
                        : "product with a sharded input: sharded like it");
  if (auto dim = findDim(rule.getResults()[0], loop))
    dims[dot] = *dim;
  return true;
}

void ShardedValues::visit(Operation *op, AxisMask axes, const Mesh &mesh,
                          Placement &placement) {
  auto dot = dyn_cast<DotGeneralOp>(op);
  if (dot && weights.contains(dot))
    return;
  if (dot && shardProduct(dot, axes, mesh, placement))
    return;
  shardParameters(op, axes, mesh, placement);
  follow(op);
}

void ShardedValues::visitWeights(Block &block, AxisMask axes, const Mesh &mesh,
                                 Placement &placement) {
  for (DotGeneralOp dot : block.getOps<DotGeneralOp>())
    if (weights.contains(dot))
      shardProduct(dot, axes, mesh, placement);
}
