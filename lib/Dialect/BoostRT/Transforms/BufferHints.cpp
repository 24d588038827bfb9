//===- BufferHints.cpp - What bufferization knows in advance --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Last uses of tensor values, and where values are best written to: straight
// into a function result, or into their part of a joined tensor.
//
//===----------------------------------------------------------------------===//

#include "Bufferizer.h"
#include "Utils.h"

#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::boost::rt;

SmallVector<std::pair<Value, Value>>
mlir::boost::rt::getAliases(Operation *op) {
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp,
          tensor::ExtractSliceOp>(op))
    return {{op->getOperand(0), op->getResult(0)}};
  if (op->getName().getStringRef() == "stablehlo.optimization_barrier")
    return llvm::to_vector(llvm::map_range(
        llvm::zip_equal(op->getOperands(), op->getResults()), [](auto pair) {
          return std::make_pair(Value(std::get<0>(pair)),
                                Value(std::get<1>(pair)));
        }));
  return {};
}

/// Earlier passes merge equal tensor.empty operations, and equal fills that
/// sums start from; each use is a buffer of its own again.
void FunctionBufferizer::separateInits() {
  for (auto fill : llvm::to_vector(func.front().getOps<linalg::FillOp>()))
    for (OpOperand &use : llvm::make_early_inc_range(fill->getUses())) {
      auto user = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
      if (fill->hasOneUse() || !user || !user.isDpsInit(&use))
        continue;
      builder.setInsertionPoint(user);
      use.set(builder.clone(*fill)->getResult(0));
    }
  // The clones stand further down the block: do not walk into them.
  for (auto empty : llvm::to_vector(func.front().getOps<tensor::EmptyOp>())) {
    for (OpOperand &use : llvm::make_early_inc_range(empty->getUses())) {
      builder.setInsertionPoint(use.getOwner());
      use.set(builder.clone(*empty)->getResult(0));
    }
    empty.erase();
  }
}

void FunctionBufferizer::computeLastUses() {
  Block &body = func.front();
  int64_t position = 0;
  for (Operation &op : body)
    positions[&op] = position++;

  auto lastUse = [&](Value value) {
    int64_t last = -1;
    for (Operation *user : value.getUsers()) {
      Operation *inBody = body.findAncestorOpInBlock(*user);
      last = std::max(last, positions.lookup(inBody));
      for (auto [source, result] : getAliases(inBody))
        if (source == value)
          last = std::max(last, lastUseOf(result));
    }
    return last;
  };
  for (Operation &op : llvm::reverse(body))
    for (Value result : op.getResults())
      lastUses[result] = lastUse(result);
  for (Value argument : body.getArguments())
    lastUses[argument] = lastUse(argument);
}

void FunctionBufferizer::computeHints() {
  Block &body = func.front();
  for (auto [index, value] :
       llvm::enumerate(body.getTerminator()->getOperands()))
    hints.try_emplace(value, Hint{static_cast<int64_t>(index), {}, {}});
  for (Operation &op : llvm::reverse(body)) {
    passHintBack(&op);
    if (auto insertion = dyn_cast<tensor::InsertSliceOp>(op))
      hintInsertion(insertion);
  }
}

/// What is asked of a result is asked of the value whose memory it takes over.
void FunctionBufferizer::passHintBack(Operation *op) {
  auto pass = [&](Value result, Value source, bool isAlias) {
    auto it = hints.find(result);
    if (it == hints.end())
      return;
    // Only kernels write with gaps, and a part has one value at a time.
    Hint hint = it->second;
    Operation *writer = source.getDefiningOp();
    bool canBePart = !isAlias && source.hasOneUse() &&
                     isa_and_present<linalg::LinalgOp, tensor::EmptyOp,
                                     tensor::InsertSliceOp>(writer);
    if (!hint.whole || canBePart)
      hints.try_emplace(source, hint);
  };
  if (!isa<tensor::ExtractSliceOp>(op))
    for (auto [source, result] : getAliases(op))
      pass(result, source, /*isAlias=*/true);
  if (auto insertion = dyn_cast<tensor::InsertSliceOp>(op))
    pass(insertion.getResult(), insertion.getDest(), /*isAlias=*/false);
  else if (auto dps = dyn_cast<DestinationStyleOpInterface>(op))
    for (OpOperand &init : dps.getDpsInitsMutable())
      if (isa<RankedTensorType>(init.get().getType()) &&
          readsDestination(dps, init))
        pass(dps.getTiedOpResult(&init), init.get(), /*isAlias=*/false);
}

/// Whether no element belongs to the bounding boxes of both parts.
static bool areDisjoint(tensor::InsertSliceOp a, tensor::InsertSliceOp b) {
  auto end = [](tensor::InsertSliceOp op, unsigned dim) {
    return op.getStaticOffset(dim) +
           (op.getStaticSize(dim) - 1) * op.getStaticStride(dim) + 1;
  };
  for (unsigned dim = 0; dim < a.getDestType().getRank(); ++dim)
    if (end(a, dim) <= b.getStaticOffset(dim) ||
        end(b, dim) <= a.getStaticOffset(dim))
      return true;
  return false;
}

/// The tensor.empty at the start of a chain of insertions without other uses,
/// none of which writes over this one.
static Value findWhole(tensor::InsertSliceOp insertion) {
  Value dest = insertion.getDest();
  while (dest.hasOneUse()) {
    if (dest.getDefiningOp<tensor::EmptyOp>())
      return dest;
    auto previous = dest.getDefiningOp<tensor::InsertSliceOp>();
    if (!previous || !areDisjoint(previous, insertion))
      return {};
    dest = previous.getDest();
  }
  return {};
}

/// Whether the part has no gaps: behind the first dimension that it takes more
/// than one element of, it takes everything.
static bool isDensePart(tensor::InsertSliceOp insertion) {
  bool whole = false;
  for (auto [dim, size] : llvm::enumerate(insertion.getStaticSizes())) {
    if (insertion.getStaticStride(dim) != 1 ||
        (whole && size != insertion.getDestType().getDimSize(dim)))
      return false;
    whole |= size != 1;
  }
  return true;
}

/// The inserted value is best computed in place. Kernels write parts with gaps;
/// calls of the runtime, also behind a reshape, those without.
void FunctionBufferizer::hintInsertion(tensor::InsertSliceOp insertion) {
  Value source = insertion.getSource();
  bool isDense = isDensePart(insertion);
  while (isDense && source.hasOneUse() &&
         isa_and_present<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
             source.getDefiningOp()))
    source = source.getDefiningOp()->getOperand(0);
  Operation *writer = source.getDefiningOp();
  bool canWrite = isDense ? isa_and_present<DestinationStyleOpInterface>(writer)
                          : isa_and_present<linalg::LinalgOp>(writer);
  if (!canWrite || !source.hasOneUse())
    return;
  if (Value whole = findWhole(insertion))
    hints.try_emplace(source, Hint{-1, insertion, whole});
}
