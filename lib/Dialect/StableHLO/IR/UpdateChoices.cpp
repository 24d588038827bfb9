//===- UpdateChoices.cpp - Branches that counts choose --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/StableHLO/IR/UpdateChoices.h"

#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::stablehlo;

/// Returns true if an argument is a count or a number of the step.
static bool isNumberOfStep(BlockArgument argument) {
  auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
  auto type = dyn_cast<RankedTensorType>(argument.getType());
  if (!function || !type || type.getRank() != 0)
    return false;
  TensorAttr tensor = getArgTensor(function, argument.getArgNumber());
  return hasRole(tensor, TensorRole::Hyper) ||
         (hasRole(tensor, TensorRole::State) &&
          type.getElementType().isInteger());
}

std::optional<SmallVector<Operation *>>
stablehlo::findIndexOperations(Operation *branch) {
  Block *block = branch->getBlock();
  if (!isa<func::FuncOp>(block->getParentOp()))
    return std::nullopt;
  llvm::SetVector<Operation *> found;
  SmallVector<Value> values = {branch->getOperand(0)};
  while (!values.empty()) {
    Value value = values.pop_back_val();
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (!isNumberOfStep(argument))
        return std::nullopt;
      continue;
    }
    Operation *op = value.getDefiningOp();
    if (op->getNumRegions() > 0 || !isMemoryEffectFree(op))
      return std::nullopt;
    if (found.insert(op))
      llvm::append_range(values, op->getOperands());
  }
  SmallVector<Operation *> operations = found.takeVector();
  llvm::sort(operations, [](Operation *one, Operation *other) {
    return one->isBeforeInBlock(other);
  });
  return operations;
}

std::optional<UpdateChoice> stablehlo::findUpdateChoice(func::FuncOp update) {
  struct Candidate {
    UpdateChoice choice;
    int64_t operations = 0;
  };
  llvm::MapVector<Value, Candidate> candidates;
  for (Operation &op : update.front()) {
    if (!isa<CaseOp, IfOp>(op) || !findIndexOperations(&op))
      continue;
    Candidate &candidate = candidates[op.getOperand(0)];
    candidate.choice.index = op.getOperand(0);
    candidate.choice.branches.push_back(&op);
    candidate.choice.count =
        std::max(candidate.choice.count, op.getNumRegions());
    op.walk([&](Operation *) { ++candidate.operations; });
  }
  UpdateChoice *most = nullptr;
  int64_t operations = 0;
  for (auto &[index, candidate] : candidates) {
    unsigned count = candidate.choice.count;
    if (count < 2 || count > kMostUpdateChoices ||
        candidate.operations <= operations)
      continue;
    most = &candidate.choice;
    operations = candidate.operations;
  }
  return most ? std::optional(*most) : std::nullopt;
}

Region &stablehlo::getChosenRegion(Operation *branch, unsigned position) {
  if (isa<IfOp>(branch))
    return branch->getRegion(position == 0 ? 1 : 0);
  return branch->getRegion(std::min(position, branch->getNumRegions() - 1));
}
