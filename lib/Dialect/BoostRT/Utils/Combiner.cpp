//===- Combiner.cpp - How partial results of reductions join --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/BoostRT/Utils/Combiner.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::boost;

Operation *rt::findCombiner(linalg::GenericOp op, unsigned number) {
  BlockArgument accumulator = op.getRegionOutputArgs()[number];
  Operation *yield = op.getBody()->getTerminator();
  Operation *combiner = yield->getOperand(number).getDefiningOp();
  bool isCombiner = combiner && combiner->getNumOperands() == 2 &&
                    combiner->getNumResults() == 1 && combiner->hasOneUse() &&
                    accumulator.hasOneUse() &&
                    *accumulator.user_begin() == combiner &&
                    arith::getNeutralElement(combiner);
  return isCombiner ? combiner : nullptr;
}

bool rt::canCombine(linalg::GenericOp op) {
  return llvm::all_of(
      llvm::seq<unsigned>(op.getNumDpsInits()),
      [&](unsigned number) { return findCombiner(op, number); });
}

/// The element that an output becomes if it does not stay what it has so far.
static Value findElement(linalg::GenericOp op, unsigned number) {
  Value accumulator = op.getRegionOutputArgs()[number];
  Value yielded = op.getBody()->getTerminator()->getOperand(number);
  auto select = yielded.getDefiningOp<arith::SelectOp>();
  if (!select || select->getBlock() != op.getBody())
    return {};
  if (select.getTrueValue() == accumulator)
    return select.getFalseValue();
  return select.getFalseValue() == accumulator ? select.getTrueValue()
                                               : Value();
}

/// Collects the operations of the body that `value` is computed by, from what
/// is in `known`. Fails if it depends on other arguments of the body too, or on
/// an operation that may not be repeated.
static LogicalResult collectSlice(linalg::GenericOp op, Value value,
                                  const llvm::SmallDenseSet<Value> &known,
                                  llvm::SmallDenseSet<Operation *> &slice) {
  if (known.contains(value))
    return success();
  if (auto argument = dyn_cast<BlockArgument>(value))
    return success(argument.getOwner() != op.getBody());
  Operation *writer = value.getDefiningOp();
  if (writer->getBlock() != op.getBody() || !slice.insert(writer).second)
    return success();
  if (writer->getNumRegions() != 0 || isa<linalg::IndexOp>(writer) ||
      !isPure(writer))
    return failure();
  return success(llvm::all_of(writer->getOperands(), [&](Value operand) {
    return succeeded(collectSlice(op, operand, known, slice));
  }));
}

/// Returns true if `value` depends on the current value of an output.
static bool readsAccumulators(linalg::GenericOp op, Value value) {
  SmallVector<Value> values = {value};
  llvm::SmallDenseSet<Value> seen;
  while (!values.empty()) {
    Value next = values.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    if (llvm::is_contained(op.getRegionOutputArgs(), next))
      return true;
    Operation *writer = next.getDefiningOp();
    if (writer && writer->getBlock() == op.getBody())
      llvm::append_range(values, writer->getOperands());
  }
  return false;
}

std::optional<rt::Selection> rt::findSelection(linalg::GenericOp op) {
  Selection selection;
  llvm::SmallDenseSet<Value> known;
  for (unsigned number = 0; number < op.getNumDpsInits(); ++number) {
    Value element = findElement(op, number);
    // A constant, or the element of another output, may be read by the choice
    // for another purpose.
    if (!element || element.getParentBlock() != op.getBody() ||
        matchPattern(element, m_Constant()) || !known.insert(element).second ||
        readsAccumulators(op, element))
      return std::nullopt;
    selection.elements.push_back(element);
    known.insert(op.getRegionOutputArgs()[number]);
  }
  llvm::SmallDenseSet<Operation *> slice;
  for (Value yielded : op.getBody()->getTerminator()->getOperands())
    if (failed(collectSlice(op, yielded, known, slice)))
      return std::nullopt;
  for (Operation &inner : *op.getBody())
    if (slice.contains(&inner))
      selection.operations.push_back(&inner);
  return selection;
}

bool rt::sumsColumns(linalg::GenericOp op) {
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  return iterators.size() > 2 &&
         iterators[1] == utils::IteratorType::reduction &&
         iterators.back() == utils::IteratorType::parallel;
}
