//===- ShardingRule.cpp - How an operation can be sharded -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Interfaces/ShardingRule.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::boost;

static size_t rankOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getRank() : 0;
}

bool mlir::boost::isReduction(LoopKind kind) {
  return kind == LoopKind::Sum || kind == LoopKind::Max ||
         kind == LoopKind::Min;
}

ShardingRule::ShardingRule(Operation *op) {
  for (Type type : op->getOperandTypes())
    operands.emplace_back(rankOf(type), kNoLoop);
  for (Type type : op->getResultTypes())
    results.emplace_back(rankOf(type), kNoLoop);
}

ShardingRule::LoopBuilder &ShardingRule::LoopBuilder::operand(unsigned index,
                                                              unsigned dim) {
  rule.operands[index][dim] = loop;
  return *this;
}

ShardingRule::LoopBuilder &
ShardingRule::LoopBuilder::operandOrRepeated(unsigned index, unsigned dim) {
  rule.repeatable.push_back({index, dim});
  return operand(index, dim);
}

ShardingRule::LoopBuilder &ShardingRule::LoopBuilder::result(unsigned index,
                                                             unsigned dim) {
  rule.results[index][dim] = loop;
  return *this;
}

ShardingRule::LoopBuilder ShardingRule::addLoop(LoopKind kind, int64_t extent) {
  loops.push_back({kind, extent});
  return LoopBuilder(*this, loops.size() - 1);
}

ShardingRule ShardingRule::pointwise(Operation *op) {
  ShardingRule rule(op);
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  for (auto [dim, size] : llvm::enumerate(type.getShape())) {
    LoopBuilder loop = rule.addLoop(LoopKind::Parallel, size);
    for (auto [index, map] : llvm::enumerate(rule.operands))
      if (map.size() == type.getShape().size())
        loop.operand(index, dim);
    for (auto [index, map] : llvm::enumerate(rule.results))
      if (map.size() == type.getShape().size())
        loop.result(index, dim);
  }
  return rule;
}

ShardingRule &ShardingRule::setAdditive(ArrayRef<unsigned> group) {
  additive.emplace_back(group.begin(), group.end());
  return *this;
}

bool ShardingRule::isAdditiveIn(ArrayRef<bool> partial,
                                ArrayRef<bool> zero) const {
  return llvm::any_of(additive, [&](ArrayRef<unsigned> group) {
    for (unsigned index = 0; index < partial.size(); ++index) {
      bool inGroup = llvm::is_contained(group, index);
      if (partial[index] ? !inGroup : inGroup && !zero[index])
        return false;
    }
    return true;
  });
}

/// The number of dimensions that loop `loop` has in each tensor, at most.
static int maxOccurrences(ArrayRef<DimLoops> maps, int loop) {
  int most = 0;
  for (const DimLoops &map : maps)
    most = std::max<int>(most, llvm::count(map, loop));
  return most;
}

static LogicalResult verifyMaps(Operation *op, ArrayRef<DimLoops> maps,
                                TypeRange types, StringRef what,
                                int loopCount) {
  if (maps.size() != types.size())
    return op->emitError() << "sharding rule speaks of " << maps.size() << " "
                           << what << "s, but there are " << types.size();
  for (auto [index, map, type] : llvm::enumerate(maps, types)) {
    if (map.size() != rankOf(type))
      return op->emitError()
             << "sharding rule gives " << what << " " << index << " "
             << map.size() << " dimensions, but it has " << rankOf(type);
    for (int loop : map)
      if (loop != kNoLoop && (loop < 0 || loop >= loopCount))
        return op->emitError() << "sharding rule names loop " << loop
                               << ", but there are " << loopCount;
  }
  return success();
}

LogicalResult ShardingRule::verify(Operation *op) const {
  if (failed(verifyMaps(op, operands, op->getOperandTypes(), "operand",
                        loops.size())) ||
      failed(verifyMaps(op, results, op->getResultTypes(), "result",
                        loops.size())))
    return failure();
  for (auto [index, loop] : llvm::enumerate(loops)) {
    int inResults = maxOccurrences(results, index);
    if (maxOccurrences(operands, index) > 1 || inResults > 1)
      return op->emitError()
             << "sharding rule uses loop " << index << " twice in one tensor";
    bool parallel = loop.kind == LoopKind::Parallel;
    if (parallel && inResults == 0)
      return op->emitError()
             << "sharding rule has no result with parallel loop " << index;
    auto hasLoop = [&, loop = static_cast<int>(index)](const DimLoops &map) {
      return llvm::is_contained(map, loop);
    };
    if (isReduction(loop.kind) && inResults != 0 &&
        llvm::all_of(results, hasLoop))
      return op->emitError()
             << "sharding rule has no result without reduction loop " << index;
    if (loop.kind == LoopKind::Completed && inResults != 0)
      return op->emitError()
             << "sharding rule has a result with completed loop " << index;
  }
  return success();
}
