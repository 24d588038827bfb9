//===- Ids.cpp - Integers that pick a row or an element -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ids.h"

#include "Views.h"

#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::raise;
using stablehlo::BroadcastInDimOp;
using stablehlo::CompareOp;
using stablehlo::ComparisonDirection;
using stablehlo::ConvertOp;
using stablehlo::ReshapeOp;
using stablehlo::SelectOp;

static IntegerType getIntegerType(Value value) {
  return dyn_cast<IntegerType>(getTensorType(value).getElementType());
}

bool raise::isIdTensor(Value value) {
  IntegerType type = getIntegerType(value);
  return type && (type.getWidth() == 32 || type.getWidth() == 64) &&
         !type.isUnsigned();
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

bool raise::compareNumbers(double lhs, ComparisonDirection direction,
                           double rhs) {
  switch (direction) {
  case ComparisonDirection::EQ:
    return lhs == rhs;
  case ComparisonDirection::NE:
    return lhs != rhs;
  case ComparisonDirection::GE:
    return lhs >= rhs;
  case ComparisonDirection::GT:
    return lhs > rhs;
  case ComparisonDirection::LE:
    return lhs <= rhs;
  case ComparisonDirection::LT:
    return lhs < rhs;
  }
  llvm_unreachable("all directions are above");
}

/// Returns the result of comparing ids with a number if it is the same for all
/// of `[0, limit)`, else nullopt.
static std::optional<bool> decideInRange(CompareOp op, int64_t limit) {
  std::optional<double> left = matchScalar(op.getLhs());
  std::optional<double> right = matchScalar(op.getRhs());
  if (left.has_value() == right.has_value())
    return std::nullopt;
  double number = left ? *left : *right;
  double last = limit - 1;
  auto compareId = [&](double id) {
    return left ? compareNumbers(number, op.getComparisonDirection(), id)
                : compareNumbers(id, op.getComparisonDirection(), number);
  };
  // Comparisons change at the number only, once or, for EQ and NE, twice.
  bool result = compareId(0);
  double inside = std::clamp(number, 0.0, last);
  if (compareId(last) != result || compareId(inside) != result)
    return std::nullopt;
  return result;
}

static Value getComparedIds(CompareOp op) {
  return matchScalar(op.getLhs()) ? op.getRhs() : op.getLhs();
}

//===----------------------------------------------------------------------===//
// Backwards, from what is read to the ids
//===----------------------------------------------------------------------===//

Value raise::matchNegativeFix(SelectOp select) {
  Value ids = select.getOnFalse();
  auto compare = select.getPred().getDefiningOp<CompareOp>();
  auto add = select.getOnTrue().getDefiningOp<stablehlo::AddOp>();
  if (!compare || !add || compare.getLhs() != ids || add.getLhs() != ids ||
      compare.getComparisonDirection() != ComparisonDirection::LT ||
      matchScalar(compare.getRhs()) != 0.0 || !matchScalar(add.getRhs()))
    return {};
  return ids;
}

/// Returns true if a conversion keeps the integers of `[0, limit)`.
static bool keepsIds(ConvertOp op, int64_t limit) {
  IntegerType from = getIntegerType(op.getOperand());
  IntegerType to = getIntegerType(op.getResult());
  if (!from || !to)
    return false;
  unsigned bits = to.isUnsigned() ? to.getWidth() : to.getWidth() - 1;
  return bits >= 63 || limit <= (int64_t(1) << bits);
}

/// The operand of one operation that only writes ids of `[0, limit)`
/// differently, if it does anything to them; null if `op` does more.
static Value getIdOperand(Operation *op, int64_t limit) {
  if (isa_and_nonnull<ReshapeOp>(op))
    return op->getOperand(0);
  if (auto convert = dyn_cast_or_null<ConvertOp>(op))
    return keepsIds(convert, limit) ? convert.getOperand() : Value();
  if (auto broadcast = dyn_cast_or_null<BroadcastInDimOp>(op)) {
    bool isReshape = getTensorType(broadcast.getOperand()).getNumElements() ==
                         getTensorType(broadcast).getNumElements() &&
                     llvm::is_sorted(broadcast.getBroadcastDimensions());
    return isReshape ? broadcast.getOperand() : Value();
  }
  if (auto select = dyn_cast_or_null<SelectOp>(op))
    return matchNegativeFix(select);
  return {};
}

Value raise::matchIds(Value value, int64_t count, int64_t limit) {
  Value ids;
  for (; value; value = getIdOperand(value.getDefiningOp(), limit)) {
    if (getTensorType(value).getNumElements() != count)
      break;
    if (isIdTensor(value))
      ids = value;
  }
  return ids;
}

/// Returns true if the predicate compares these ids with their bounds.
static bool comparesWithBounds(Value pred, Value indices, int64_t limit) {
  auto compare = pred.getDefiningOp<CompareOp>();
  if (!compare || decideInRange(compare, limit) != true)
    return false;
  Value compared = getComparedIds(compare);
  int64_t count = getTensorType(compared).getNumElements();
  Value ids = matchIds(compared, count, limit);
  return ids && ids == matchIds(indices, count, limit);
}

bool raise::isBoundsCheck(Value pred, Value indices, int64_t limit) {
  llvm::SetVector<Value> conditions;
  conditions.insert(pred);
  for (size_t i = 0; i < conditions.size(); ++i) {
    View view(conditions[i]);
    while (view.step())
      ;
    Operation *op = view.value.getDefiningOp();
    auto reduce = dyn_cast_or_null<stablehlo::ReduceOp>(op);
    if (reduce && stablehlo::matchSimpleReduction(reduce) ==
                      stablehlo::ReductionKind::And)
      conditions.insert(reduce.getInputs().front());
    else if (isa_and_nonnull<stablehlo::AndOp>(op))
      conditions.insert_range(op->getOperands());
    else if (!comparesWithBounds(view.value, indices, limit))
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Forwards, from an argument to what is asked of it
//===----------------------------------------------------------------------===//

/// Returns true if a boolean is only used for the index arithmetic that JAX
/// adds: the correction of negative indices, and NaN for elements that a gather
/// reads out of range.
static bool isOnlyIndexing(Value pred) {
  llvm::SetVector<Value> preds;
  preds.insert(pred);
  auto isIndexing = [&](Operation *user, Value read) {
    if (isa<stablehlo::AndOp, stablehlo::ReduceOp, BroadcastInDimOp, ReshapeOp,
            stablehlo::TransposeOp>(user)) {
      preds.insert_range(user->getResults());
      return true;
    }
    auto select = dyn_cast<SelectOp>(user);
    if (!select || select.getPred() != read)
      return false;
    std::optional<double> fill = stablehlo::matchSplat(select.getOnFalse());
    return matchNegativeFix(select) ||
           (select.getOnTrue().getDefiningOp<stablehlo::GatherOp>() && fill &&
            std::isnan(*fill));
  };
  for (size_t i = 0; i < preds.size(); ++i) {
    Value read = preds[i];
    for (Operation *user : read.getUsers())
      if (!isIndexing(user, read))
        return false;
  }
  return true;
}

/// Returns true if the program tests for ids outside of `[0, limit)`: it
/// compares them with a number that does not distinguish ids inside.
static bool testsForIdsOutside(Value ids, int64_t limit) {
  llvm::SetVector<Value> values;
  values.insert(ids);
  for (size_t i = 0; i < values.size(); ++i) {
    Value value = values[i];
    for (Operation *user : value.getUsers()) {
      if (auto compare = dyn_cast<CompareOp>(user)) {
        if (decideInRange(compare, limit).has_value() &&
            !isOnlyIndexing(compare.getResult()))
          return true;
        continue;
      }
      bool passesOn = isa<stablehlo::SliceOp, ConvertOp, ReshapeOp,
                          BroadcastInDimOp, stablehlo::TransposeOp>(user);
      if (auto select = dyn_cast<SelectOp>(user))
        passesOn = matchNegativeFix(select) == value;
      if (passesOn)
        values.insert(user->getResult(0));
    }
  }
  return false;
}

/// The number of integers from 0 on that an integer type has, as far as an i64
/// counts them.
static int64_t countIds(IntegerType type) {
  unsigned bits = type.getWidth() - (type.isUnsigned() ? 0 : 1);
  return bits < 63 ? int64_t(1) << bits : std::numeric_limits<int64_t>::max();
}

bool raise::checkIds(Value ids, int64_t limit) {
  while (Operation *op = ids.getDefiningOp()) {
    if (auto slice = dyn_cast<stablehlo::SliceOp>(op))
      ids = slice.getOperand();
    else
      ids = getIdOperand(op, limit);
    if (!ids)
      return false;
  }
  auto arg = cast<BlockArgument>(ids);
  if (!hasRole(arg, TensorRole::Batch) || testsForIdsOutside(arg, limit))
    return false;
  auto func = cast<FunctionOpInterface>(arg.getOwner()->getParentOp());
  unsigned index = arg.getArgNumber();
  // The runtime knows no signs of types, and takes ids up to the limit.
  limit = std::min(
      limit, countIds(cast<IntegerType>(getElementTypeOrSelf(arg.getType()))));
  if (auto old = func.getArgAttrOfType<IntegerAttr>(index, kIdLimitAttr))
    limit = std::min(limit, old.getInt());
  func.setArgAttr(index, kIdLimitAttr,
                  Builder(func.getContext()).getI64IntegerAttr(limit));
  return true;
}
