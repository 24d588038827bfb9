//===- Masks.cpp - Booleans computed from positions -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Masks.h"

#include "Ids.h"
#include "Views.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::raise;
using stablehlo::ComparisonDirection;

bool IndexFunction::isConstant() const {
  return llvm::all_of(coefficients, [](int64_t c) { return c == 0; });
}

static IndexFunction makeConstant(Value like, int64_t offset) {
  return {SmallVector<int64_t>(getTensorType(like).getRank(), 0), offset};
}

/// `lhs + sign * rhs`.
static IndexFunction combine(IndexFunction lhs, const IndexFunction &rhs,
                             int64_t sign) {
  for (auto [l, r] : llvm::zip_equal(lhs.coefficients, rhs.coefficients))
    l += sign * r;
  lhs.offset += sign * rhs.offset;
  return lhs;
}

/// `inner`, a function of the indices of `view.value`, on the root's indices.
static IndexFunction lift(const IndexFunction &inner, const View &view,
                          Value root) {
  IndexFunction result = makeConstant(root, inner.offset);
  for (auto [i, dim] : llvm::enumerate(view.dims))
    if (dim >= 0)
      result.coefficients[dim] += inner.coefficients[i];
  return result;
}

namespace {

/// Follows the operands of a value. What two operands lead to is looked at
/// twice, and so on: there is an end to it.
class IndexMatcher {
public:
  std::optional<IndexFunction> matchIndexFunction(Value value);
  std::optional<IndexFunction> matchMask(Value value);

private:
  std::optional<IndexFunction> matchCompare(stablehlo::CompareOp op);
  std::optional<IndexFunction> matchAnd(Value lhs, Value rhs);
  /// Far more than a loss spells a mask with.
  bool isTooFar() { return ++steps > 1000; }

  unsigned steps = 0;
};

} // namespace

std::optional<IndexFunction> IndexMatcher::matchIndexFunction(Value value) {
  if (isTooFar())
    return std::nullopt;
  if (std::optional<double> scalar = stablehlo::matchSplat(value)) {
    if (*scalar != static_cast<int64_t>(*scalar))
      return std::nullopt;
    return makeConstant(value, static_cast<int64_t>(*scalar));
  }
  Operation *op = value.getDefiningOp();
  if (auto iota = dyn_cast_or_null<stablehlo::IotaOp>(op)) {
    IndexFunction result = makeConstant(value, 0);
    result.coefficients[iota.getIotaDimension()] = 1;
    return result;
  }
  if (auto convert = dyn_cast_or_null<stablehlo::ConvertOp>(op))
    return matchIndexFunction(convert.getOperand());
  // Differences of unsigned numbers are never negative.
  bool isUnsigned = getTensorType(value).getElementType().isUnsignedInteger();
  if (isa_and_nonnull<stablehlo::AddOp, stablehlo::SubtractOp>(op) &&
      !(isUnsigned && isa<stablehlo::SubtractOp>(op))) {
    auto lhs = matchIndexFunction(op->getOperand(0));
    auto rhs = matchIndexFunction(op->getOperand(1));
    if (!lhs || !rhs)
      return std::nullopt;
    return combine(*lhs, *rhs, isa<stablehlo::AddOp>(op) ? 1 : -1);
  }
  if (isa_and_nonnull<stablehlo::MulOp>(op)) {
    auto lhs = matchIndexFunction(op->getOperand(0));
    auto rhs = matchIndexFunction(op->getOperand(1));
    if (!lhs || !rhs || !(lhs->isConstant() || rhs->isConstant()))
      return std::nullopt;
    if (lhs->isConstant())
      std::swap(lhs, rhs);
    return combine(makeConstant(value, 0), *lhs, rhs->offset);
  }
  // Indices are never negative: their fix for negative ones does nothing.
  if (auto select = dyn_cast_or_null<stablehlo::SelectOp>(op)) {
    Value index = matchNegativeFix(select);
    return index ? matchIndexFunction(index) : std::nullopt;
  }
  View view(value);
  if (!op || !view.step())
    return std::nullopt;
  auto inner = matchIndexFunction(view.value);
  if (!inner)
    return std::nullopt;
  return lift(*inner, view, value);
}

/// A constant matrix, up to dimensions of size 1, that is true on and below
/// its diagonal.
static std::optional<IndexFunction> matchTriangle(stablehlo::ConstantOp op) {
  auto dense = dyn_cast<DenseElementsAttr>(op.getValue());
  ArrayRef<int64_t> shape = getTensorType(op).getShape();
  SmallVector<int64_t> dims;
  for (auto [i, size] : llvm::enumerate(shape))
    if (size != 1)
      dims.push_back(i);
  if (!dense || dims.size() != 2)
    return std::nullopt;
  int64_t columns = shape[dims[1]], position = 0;
  for (bool element : dense.getValues<bool>()) {
    if (element != (position / columns >= position % columns))
      return std::nullopt;
    ++position;
  }
  IndexFunction result = makeConstant(op, 0);
  result.coefficients[dims[0]] = 1;
  result.coefficients[dims[1]] = -1;
  return result;
}

std::optional<IndexFunction>
IndexMatcher::matchCompare(stablehlo::CompareOp op) {
  Value lhs = op.getLhs(), rhs = op.getRhs();
  auto convert = lhs.getDefiningOp<stablehlo::ConvertOp>();
  // A mask that went through numbers: convert(mask) != 0.
  if (convert && op.getComparisonDirection() == ComparisonDirection::NE &&
      stablehlo::matchSplat(rhs) == 0.0)
    return matchMask(convert.getOperand());
  auto left = matchIndexFunction(lhs), right = matchIndexFunction(rhs);
  if (!left || !right)
    return std::nullopt;
  IndexFunction difference = combine(*left, *right, -1);
  IndexFunction negated = combine(*right, *left, -1);
  switch (op.getComparisonDirection()) {
  case ComparisonDirection::GE:
    return difference;
  case ComparisonDirection::LE:
    return negated;
  case ComparisonDirection::GT:
    --difference.offset;
    return difference;
  case ComparisonDirection::LT:
    --negated.offset;
    return negated;
  default:
    return std::nullopt;
  }
}

IndexFunction raise::negateMask(IndexFunction mask) {
  for (int64_t &coefficient : mask.coefficients)
    coefficient = -coefficient;
  mask.offset = -1 - mask.offset;
  return mask;
}

static bool isAlways(const IndexFunction &mask, bool value) {
  return mask.isConstant() && (mask.offset >= 0) == value;
}

std::optional<IndexFunction> IndexMatcher::matchAnd(Value lhs, Value rhs) {
  auto left = matchMask(lhs), right = matchMask(rhs);
  if (!left || !right)
    return std::nullopt;
  if (isAlways(*left, true) || isAlways(*right, false))
    return right;
  if (isAlways(*right, true) || isAlways(*left, false))
    return left;
  return std::nullopt;
}

std::optional<IndexFunction> IndexMatcher::matchMask(Value value) {
  if (isTooFar())
    return std::nullopt;
  if (std::optional<double> splat = stablehlo::matchSplat(value))
    return makeConstant(value, *splat != 0 ? 0 : -1);
  Operation *op = value.getDefiningOp();
  if (!op)
    return std::nullopt;
  if (auto constant = dyn_cast<stablehlo::ConstantOp>(op))
    return getTensorType(value).getElementType().isInteger(1)
               ? matchTriangle(constant)
               : std::nullopt;
  if (auto compare = dyn_cast<stablehlo::CompareOp>(op))
    return matchCompare(compare);
  if (auto convert = dyn_cast<stablehlo::ConvertOp>(op))
    return matchMask(convert.getOperand());
  if (isa<stablehlo::AndOp>(op))
    return matchAnd(op->getOperand(0), op->getOperand(1));
  if (isa<stablehlo::NotOp>(op)) {
    auto inner = matchMask(op->getOperand(0));
    if (!inner)
      return std::nullopt;
    return negateMask(*inner);
  }
  if (auto select = dyn_cast<stablehlo::SelectOp>(op)) {
    auto otherwise = matchMask(select.getOnFalse());
    if (!otherwise || !isAlways(*otherwise, false))
      return std::nullopt;
    return matchAnd(select.getPred(), select.getOnTrue());
  }
  View view(value);
  if (!view.step())
    return std::nullopt;
  auto inner = matchMask(view.value);
  if (!inner)
    return std::nullopt;
  return lift(*inner, view, value);
}

/// Scores this low leave nothing of a position behind.
constexpr double kMaskedScore = -1e4;

/// Returns the score of all elements if it is so low that its softmax is 0.
static std::optional<double> matchMasked(Value value, double scale) {
  std::optional<double> score = stablehlo::matchSplat(value);
  if (!score || *score * scale > kMaskedScore)
    return std::nullopt;
  return *score * scale;
}

std::optional<Masking> raise::matchMasking(stablehlo::SelectOp select,
                                           double scale) {
  std::optional<double> onTrue = matchMasked(select.getOnTrue(), scale);
  std::optional<double> onFalse = matchMasked(select.getOnFalse(), scale);
  if (getTensorType(select.getPred()).getRank() == 0 ||
      onTrue.has_value() == onFalse.has_value())
    return std::nullopt;
  return Masking{onFalse ? select.getOnTrue() : select.getOnFalse(),
                 select.getPred(), onTrue.has_value(),
                 onFalse ? *onFalse : *onTrue};
}

std::optional<IndexFunction> raise::matchIndexFunction(Value value) {
  return IndexMatcher().matchIndexFunction(value);
}

std::optional<IndexFunction> raise::matchMask(Value value) {
  return IndexMatcher().matchMask(value);
}
