//===- Evaluator.cpp - A slow, plain interpreter of tensor IR -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The walk over operations; what each computes is in the rule files beside.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Reference/Evaluator.h"

#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace mlir::boost::reference;

Evaluator::Evaluator(ArrayRef<int64_t> grid, Rounding rounding)
    : grid(grid), numRanks(1), rounding(rounding) {
  for (int64_t extent : grid)
    numRanks *= extent;
  addElementwiseRules(rules);
  addShapeRules(rules);
  addContractionRules(rules);
  addModelRules(rules);
  addOptimizerRules(rules);
  addCollectiveRules(rules);
}

SmallVector<int64_t> Evaluator::group(int64_t rank,
                                      ArrayRef<int16_t> axes) const {
  SmallVector<int64_t> strides(grid.size(), 1);
  for (int64_t axis = static_cast<int64_t>(grid.size()) - 2; axis >= 0; --axis)
    strides[axis] = strides[axis + 1] * grid[axis + 1];
  // The rank with coordinate 0 on every axis of the group, then all others.
  SmallVector<int64_t> members{rank};
  for (int16_t axis : axes)
    members[0] -= rank / strides[axis] % grid[axis] * strides[axis];
  for (int16_t axis : axes) {
    SmallVector<int64_t> next;
    for (int64_t member : members)
      for (int64_t i = 0; i < grid[axis]; ++i)
        next.push_back(member + i * strides[axis]);
    members = next;
  }
  return members;
}

int64_t Evaluator::position(int64_t rank, ArrayRef<int16_t> axes) const {
  SmallVector<int64_t> members = group(rank, axes);
  return llvm::find(members, rank) - members.begin();
}

FailureOr<SmallVector<RankValues>>
Evaluator::run(func::FuncOp function, ArrayRef<RankValues> arguments) {
  if (!function.getBody().hasOneBlock())
    return function.emitError()
           << "expects a function of one block to evaluate";
  return runBlock(function.getBody().front(), arguments);
}

FailureOr<SmallVector<Tensor>>
Evaluator::runRegion(Region &region, ArrayRef<Tensor> arguments) {
  SmallVector<RankValues> onRanks;
  for (const Tensor &argument : arguments)
    onRanks.push_back({argument});
  FailureOr<SmallVector<RankValues>> results =
      runBlock(region.front(), onRanks);
  if (failed(results))
    return failure();
  SmallVector<Tensor> single;
  for (RankValues &result : *results)
    single.push_back(std::move(result.front()));
  return single;
}

FailureOr<SmallVector<RankValues>>
Evaluator::runBlock(Block &block, ArrayRef<RankValues> arguments) {
  Environment values;
  for (auto [argument, given] :
       llvm::zip_equal(block.getArguments(), arguments))
    values[argument] = given;
  scopes.push_back(&values);
  llvm::scope_exit leave([&] { scopes.pop_back(); });

  for (Operation &op : block.without_terminator()) {
    if (failed(evaluate(&op, values)))
      return failure();
    // Free what this operation read last, so that deep models fit.
    for (Value operand : op.getOperands())
      if (operand.getParentBlock() == &block &&
          llvm::all_of(operand.getUsers(), [&](Operation *user) {
            Operation *inBlock = block.findAncestorOpInBlock(*user);
            return inBlock == &op || inBlock->isBeforeInBlock(&op);
          }))
        values.erase(operand);
  }
  SmallVector<RankValues> results;
  for (Value result : block.getTerminator()->getOperands())
    results.push_back(values.lookup(result));
  return results;
}

LogicalResult Evaluator::evaluate(Operation *op, Environment &values) {
  SmallVector<const RankValues *> operands;
  for (Value operand : op->getOperands()) {
    const RankValues *found = nullptr;
    for (Environment *scope : llvm::reverse(scopes)) {
      auto it = scope->find(operand);
      if (it == scope->end())
        continue;
      found = &it->second;
      break;
    }
    if (!found)
      return op->emitError() << "reads a value that was never computed";
    operands.push_back(found);
  }

  // A region runs on one rank at a time.
  int64_t ranksHere = scopes.size() > 1 ? 1 : numRanks;
  SmallVector<RankValues> results(op->getNumResults());
  for (auto [result, type] : llvm::zip(results, op->getResultTypes())) {
    auto tensorType = dyn_cast<RankedTensorType>(type);
    if (!tensorType)
      return op->emitError() << "expects tensors to evaluate, but got " << type;
    result.assign(ranksHere, Tensor(tensorType));
  }

  StringRef name = op->getName().getStringRef();
  if (auto rule = rules.collective.find(name); rule != rules.collective.end()) {
    if (failed(rule->second(op, operands, results, *this)))
      return failure();
  } else if (auto rule = rules.local.find(name); rule != rules.local.end()) {
    for (int64_t rank = 0; rank < ranksHere; ++rank) {
      SmallVector<const Tensor *> local;
      for (const RankValues *operand : operands)
        local.push_back(&(*operand)[operand->size() == 1 ? 0 : rank]);
      SmallVector<Tensor> localResults;
      for (RankValues &result : results)
        localResults.push_back(std::move(result[rank]));
      if (failed(rule->second(op, local, localResults, *this)))
        return failure();
      for (auto [result, local] : llvm::zip_equal(results, localResults))
        result[rank] = std::move(local);
    }
  } else if (op->getNumResults() != 0 || !isMemoryEffectFree(op)) {
    if (name != "boost.phase")
      return op->emitError() << "has no rule in the reference evaluator";
  }

  for (auto [value, result] : llvm::zip_equal(op->getResults(), results)) {
    for (Tensor &tensor : result)
      if (rounding == Rounding::Typed || isa<IntegerType>(tensor.elementType()))
        roundToType(tensor);
    values[value] = std::move(result);
  }
  return success();
}
