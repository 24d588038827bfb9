//===- Masks.cpp - Booleans computed from positions -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Masks.h"

#include "Ids.h"
#include "Views.h"

#include "boost-mlir/Dialect/StableHLO/IR/Triangle.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

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
  std::optional<MaskedConstants> matchMaskedConstants(Value value);

private:
  std::optional<IndexFunction> matchCompare(stablehlo::CompareOp op);
  std::optional<IndexFunction> matchComparedNumbers(stablehlo::CompareOp op);
  std::optional<MaskedConstants> matchSelected(stablehlo::SelectOp op);
  std::optional<IndexFunction> matchSelectedMask(stablehlo::SelectOp op);
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

/// The function that is 0 or more exactly in the lower part of a constant.
static IndexFunction getLowerPart(const stablehlo::Triangle &triangle,
                                  Value constant) {
  IndexFunction function = makeConstant(constant, triangle.diagonal);
  function.coefficients[triangle.rowDim] = 1;
  function.coefficients[triangle.columnDim] = -1;
  return function;
}

/// Matches a constant that is a triangle.
static std::optional<MaskedConstants> matchConstant(stablehlo::ConstantOp op) {
  auto triangle = stablehlo::matchTriangle(op.getValue());
  if (!triangle)
    return std::nullopt;
  return MaskedConstants{getLowerPart(*triangle, op), triangle->lower,
                         triangle->upper};
}

/// Applies an elementwise operation to numbers.
static std::optional<double> apply(Operation *op, double lhs, double rhs) {
  double result = llvm::TypeSwitch<Operation *, double>(op)
                      .Case([&](stablehlo::AddOp) { return lhs + rhs; })
                      .Case([&](stablehlo::SubtractOp) { return lhs - rhs; })
                      .Case([&](stablehlo::MulOp) { return lhs * rhs; })
                      .Case([&](stablehlo::DivOp) { return lhs / rhs; })
                      .Default([](Operation *) { return std::nan(""); });
  if (std::isnan(result))
    return std::nullopt;
  return result;
}

std::optional<MaskedConstants>
IndexMatcher::matchSelected(stablehlo::SelectOp op) {
  auto mask = matchMask(op.getPred());
  std::optional<double> held = stablehlo::matchSplat(op.getOnTrue());
  std::optional<double> other = stablehlo::matchSplat(op.getOnFalse());
  if (!mask || !held || !other)
    return std::nullopt;
  return MaskedConstants{*mask, *held, *other};
}

std::optional<MaskedConstants> IndexMatcher::matchMaskedConstants(Value value) {
  if (isTooFar())
    return std::nullopt;
  if (std::optional<double> splat = stablehlo::matchSplat(value))
    return MaskedConstants{makeConstant(value, 0), *splat, *splat};
  Operation *op = value.getDefiningOp();
  if (auto constant = dyn_cast_or_null<stablehlo::ConstantOp>(op))
    return matchConstant(constant);
  if (auto select = dyn_cast_or_null<stablehlo::SelectOp>(op))
    return matchSelected(select);
  if (auto convert = dyn_cast_or_null<stablehlo::ConvertOp>(op))
    if (auto mask = matchMask(convert.getOperand()))
      return MaskedConstants{*mask, 1, 0};
  if (!op || !isa<FloatType>(getElementTypeOrSelf(value)))
    return std::nullopt;
  if (auto convert = dyn_cast<stablehlo::ConvertOp>(op))
    return matchMaskedConstants(convert.getOperand());
  if (isa<stablehlo::AddOp, stablehlo::SubtractOp, stablehlo::MulOp,
          stablehlo::DivOp>(op)) {
    auto lhs = matchMaskedConstants(op->getOperand(0));
    auto rhs = lhs ? matchMaskedConstants(op->getOperand(1)) : std::nullopt;
    if (!rhs)
      return std::nullopt;
    // One constant everywhere goes with any mask.
    IndexFunction mask = lhs->held == lhs->other ? rhs->mask : lhs->mask;
    if (rhs->held != rhs->other && !(rhs->mask == mask))
      return std::nullopt;
    auto held = apply(op, lhs->held, rhs->held);
    auto other = apply(op, lhs->other, rhs->other);
    if (!held || !other)
      return std::nullopt;
    return MaskedConstants{mask, *held, *other};
  }
  View view(value);
  if (!view.step())
    return std::nullopt;
  auto inner = matchMaskedConstants(view.value);
  if (inner)
    inner->mask = lift(inner->mask, view, value);
  return inner;
}

/// Matches a mask that went through numbers, such as `convert(mask) != 0`.
std::optional<IndexFunction>
IndexMatcher::matchComparedNumbers(stablehlo::CompareOp op) {
  std::optional<double> bound = stablehlo::matchSplat(op.getRhs());
  auto numbers = bound ? matchMaskedConstants(op.getLhs()) : std::nullopt;
  if (!numbers)
    return std::nullopt;
  bool held =
      compareNumbers(numbers->held, op.getComparisonDirection(), *bound);
  bool other =
      compareNumbers(numbers->other, op.getComparisonDirection(), *bound);
  if (held == other)
    return makeConstant(op, held ? 0 : -1);
  return held ? numbers->mask : negateMask(numbers->mask);
}

std::optional<IndexFunction>
IndexMatcher::matchCompare(stablehlo::CompareOp op) {
  if (auto mask = matchComparedNumbers(op))
    return mask;
  auto left = matchIndexFunction(op.getLhs());
  auto right = left ? matchIndexFunction(op.getRhs()) : std::nullopt;
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

/// Returns the mask that holds where both do, if one of them tells.
static std::optional<IndexFunction>
combineMasks(const std::optional<IndexFunction> &left,
             const std::optional<IndexFunction> &right) {
  if (!left || !right)
    return std::nullopt;
  if (isAlways(*left, true) || isAlways(*right, false))
    return right;
  if (isAlways(*right, true) || isAlways(*left, false))
    return left;
  return std::nullopt;
}

/// Matches a choice between a mask and nothing: jnp.tril and jnp.triu.
std::optional<IndexFunction>
IndexMatcher::matchSelectedMask(stablehlo::SelectOp op) {
  auto condition = matchMask(op.getPred());
  auto onTrue = condition ? matchMask(op.getOnTrue()) : std::nullopt;
  auto onFalse = onTrue ? matchMask(op.getOnFalse()) : std::nullopt;
  if (!onFalse)
    return std::nullopt;
  if (isAlways(*onFalse, false))
    return combineMasks(condition, onTrue);
  if (isAlways(*onTrue, false))
    return combineMasks(negateMask(*condition), onFalse);
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
  if (auto constant = dyn_cast<stablehlo::ConstantOp>(op)) {
    auto constants = matchConstant(constant);
    if (!constants || !getTensorType(value).getElementType().isInteger(1))
      return std::nullopt;
    return constants->held != 0 ? constants->mask : negateMask(constants->mask);
  }
  if (auto compare = dyn_cast<stablehlo::CompareOp>(op))
    return matchCompare(compare);
  if (auto convert = dyn_cast<stablehlo::ConvertOp>(op))
    return matchMask(convert.getOperand());
  if (isa<stablehlo::AndOp>(op))
    return combineMasks(matchMask(op->getOperand(0)),
                        matchMask(op->getOperand(1)));
  if (isa<stablehlo::NotOp>(op)) {
    auto inner = matchMask(op->getOperand(0));
    if (!inner)
      return std::nullopt;
    return negateMask(*inner);
  }
  if (auto select = dyn_cast<stablehlo::SelectOp>(op))
    return matchSelectedMask(select);
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

bool raise::isMaskedScore(double score) { return score <= kMaskedScore; }

/// Returns the score of all elements if it is so low that its softmax is 0.
static std::optional<double> matchMasked(Value value, double scale) {
  std::optional<double> score = stablehlo::matchSplat(value);
  if (!score || !isMaskedScore(*score * scale))
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

std::optional<MaskedConstants> raise::matchMaskedConstants(Value value) {
  return IndexMatcher().matchMaskedConstants(value);
}

std::optional<IndexFunction> raise::matchCausalBound(Value value) {
  auto constant = value.getDefiningOp<stablehlo::ConstantOp>();
  if (!constant || !getTensorType(value).getElementType().isInteger(1))
    return std::nullopt;
  auto triangle = stablehlo::matchLowerTriangular(constant.getValue());
  if (!triangle)
    return std::nullopt;
  return getLowerPart(*triangle, value);
}
