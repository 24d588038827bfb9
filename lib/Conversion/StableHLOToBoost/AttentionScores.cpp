//===- AttentionScores.cpp - From softmax to products ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionScores.h"

#include "Ids.h"
#include "Magnitudes.h"
#include <limits>

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::raise;

//===----------------------------------------------------------------------===//
// Masks and biases
//===----------------------------------------------------------------------===//

/// `function`, on the indices of `view.value`, on those of the frame.
static IndexFunction lift(const IndexFunction &function, const View &view,
                          int64_t rank) {
  IndexFunction lifted{SmallVector<int64_t>(rank, 0), function.offset};
  for (auto [i, dim] : llvm::enumerate(view.dims))
    if (dim >= 0)
      lifted.coefficients[dim] += function.coefficients[i];
  return lifted;
}

/// The mask of a bias that is 0 where it holds and very low elsewhere.
static std::optional<AdditiveMask> matchAdditiveMask(View view, double scale,
                                                     int64_t rank) {
  view.peel();
  auto constants = matchMaskedConstants(view.value);
  if (!constants || constants->held == constants->other)
    return std::nullopt;
  bool negated = constants->held != 0;
  double kept = negated ? constants->other : constants->held;
  double fill = scale * (negated ? constants->held : constants->other);
  if (kept != 0 || !isMaskedScore(fill))
    return std::nullopt;
  const IndexFunction &mask = constants->mask;
  return AdditiveMask{lift(negated ? negateMask(mask) : mask, view, rank),
                      fill};
}

/// The mask of a factor that is 1 where it holds and 0 elsewhere.
static std::optional<IndexFunction> matchMaskFactor(const View &view,
                                                    int64_t rank) {
  auto constants = matchMaskedConstants(view.value);
  if (!constants || constants->held + constants->other != 1 ||
      constants->held * constants->other != 0)
    return std::nullopt;
  const IndexFunction &mask = constants->mask;
  return lift(constants->held == 1 ? mask : negateMask(mask), view, rank);
}

/// Matches a bias, times `factor`, that is 0 where a condition holds and hides
/// the score elsewhere.
static std::optional<Masking> matchHidingBias(const View &view, double factor) {
  auto select = view.value.getDefiningOp<stablehlo::SelectOp>();
  auto masking = select ? matchMasking(select, factor) : std::nullopt;
  if (!masking || stablehlo::matchSplat(masking->kept) != 0.0)
    return std::nullopt;
  return masking;
}

/// Moves from a condition as a number that is compared, such as
/// `convert(condition) > 0`, to the condition. Returns true if the comparison
/// holds where the condition does not; nullopt if `view` is none.
static std::optional<bool> skipComparison(View &view) {
  auto compare = view.value.getDefiningOp<stablehlo::CompareOp>();
  auto bound = compare ? stablehlo::matchSplat(compare.getRhs()) : std::nullopt;
  if (!bound)
    return std::nullopt;
  View number(compare.getLhs(), view.dims);
  number.peel();
  auto holdsAt = [&](double value) {
    return compareNumbers(value, compare.getComparisonDirection(), *bound);
  };
  auto convert = number.value.getDefiningOp<stablehlo::ConvertOp>();
  if (!convert || holdsAt(0) == holdsAt(1) ||
      !getElementTypeOrSelf(convert.getOperand()).isInteger(1))
    return std::nullopt;
  view = View(convert.getOperand(), number.dims);
  return holdsAt(0);
}

double Bias::boundMagnitude() const {
  return std::abs(factor) * raise::boundMagnitude(view.value);
}

namespace {
/// Goes from the softmax towards the product, collecting what is on the way.
class ScoresMatcher {
public:
  ScoresMatcher(int64_t rank, bool hidesByAddition)
      : rank(rank), hidesByAddition(hidesByAddition) {}

  /// Returns true if the scores at `view` are those of a product.
  bool match(View view);
  /// Adds the conjunction at `view`, or that of its negation, one by one.
  void addConditions(View view, bool negated, double fill);

  Scores scores;

private:
  /// `x + sign * bias`, both with the dimensions of `view`.
  bool matchWithBias(const View &view, Value x, Value bias, double sign);
  bool matchSelect(stablehlo::SelectOp select, View view);
  /// `x * factor`, where the factor is a number, or a mask that a bias has too.
  bool matchFactor(View &view, Value x, Value factor);
  void addCondition(Condition condition);
  /// Adds the conditions of a mask with the dimensions of `view`.
  void hide(const Masking &masking, const View &view);

  /// Rank of the frame.
  int64_t rank;
  /// True if conditions may come from biases.
  bool hidesByAddition;
};
} // namespace

/// Sums are searched on both sides; this bounds how often.
static constexpr size_t kMaxBiases = 4;

/// Adds a condition unless it is known.
void ScoresMatcher::addCondition(Condition condition) {
  for (const Condition &known : scores.conditions)
    if (known.view.value == condition.view.value &&
        known.view.dims == condition.view.dims &&
        known.negated == condition.negated &&
        known.function == condition.function)
      return;
  scores.conditions.push_back(std::move(condition));
}

void ScoresMatcher::addConditions(View view, bool negated, double fill) {
  if (auto function = matchMask(view.value)) {
    IndexFunction own = negated ? negateMask(*function) : *function;
    if (!own.isConstant() || own.offset < 0)
      addCondition({view, negated, fill, lift(own, view, rank)});
    return;
  }
  while (view.step())
    ;
  Operation *op = view.value.getDefiningOp();
  if (negated ? isa_and_nonnull<stablehlo::OrOp>(op)
              : isa_and_nonnull<stablehlo::AndOp>(op)) {
    for (Value operand : op->getOperands())
      addConditions(View(operand, view.dims), negated, fill);
    return;
  }
  if (isa_and_nonnull<stablehlo::NotOp>(op))
    return addConditions(View(op->getOperand(0), view.dims), !negated, fill);
  if (std::optional<bool> inverts = skipComparison(view))
    return addConditions(view, negated != *inverts, fill);
  addCondition({view, negated, fill, std::nullopt});
  // Attention that is causal as well leaves out what neither mask lets through.
  if (auto bound = negated ? std::nullopt : matchCausalBound(view.value))
    addCondition({view, negated, fill, lift(*bound, view, rank)});
}

void ScoresMatcher::hide(const Masking &masking, const View &view) {
  addConditions(View(masking.condition, view.dims), masking.negated,
                masking.fill);
  for (Bias &bias : scores.biases)
    bias.isOutsideOfMask = true;
}

bool ScoresMatcher::matchSelect(stablehlo::SelectOp select, View view) {
  auto masking = matchMasking(select, scores.scale);
  if (!masking || scores.softCap)
    return false;
  hide(*masking, view);
  view.value = masking->kept;
  return match(view);
}

bool ScoresMatcher::matchWithBias(const View &view, Value x, Value bias,
                                  double sign) {
  if (scores.softCap || scores.biases.size() == kMaxBiases)
    return false;
  ScoresMatcher attempt = *this;
  View terms(bias, view.dims);
  double factor = sign * scores.scale;
  auto mask = matchAdditiveMask(terms, factor, rank);
  while (terms.step())
    ;
  auto hidden = hidesByAddition ? matchHidingBias(terms, factor) : std::nullopt;
  attempt.scores.hidesByAddition |= hidden.has_value();
  if (hidden)
    attempt.hide(*hidden, terms);
  else
    attempt.scores.biases.push_back({terms, factor, mask});
  if (!attempt.match(View(x, view.dims)))
    return false;
  scores = attempt.scores;
  return true;
}

bool ScoresMatcher::matchFactor(View &view, Value x, Value factor) {
  if (std::optional<double> number = matchScalar(factor)) {
    scores.scale *= *number;
    view.value = x;
    return true;
  }
  auto mask = matchMaskFactor(View(factor, view.dims), rank);
  if (!mask || llvm::none_of(scores.biases, [&](const Bias &bias) {
        return bias.mask && bias.mask->function == *mask;
      }))
    return false;
  scores.maskFactors.push_back(*mask);
  view.value = x;
  return true;
}

bool ScoresMatcher::match(View view) {
  while (true) {
    view.peel();
    Operation *op = view.value.getDefiningOp();
    if (auto dot = dyn_cast_or_null<stablehlo::DotGeneralOp>(op)) {
      scores.dot = dot;
      scores.axes = view.dims;
      return true;
    }
    if (auto add = dyn_cast_or_null<stablehlo::AddOp>(op))
      return matchWithBias(view, add.getLhs(), add.getRhs(), 1) ||
             matchWithBias(view, add.getRhs(), add.getLhs(), 1);
    if (auto subtract = dyn_cast_or_null<stablehlo::SubtractOp>(op))
      return matchWithBias(view, subtract.getLhs(), subtract.getRhs(), -1);
    if (auto select = dyn_cast_or_null<stablehlo::SelectOp>(op))
      return matchSelect(select, view);
    if (auto tanh = dyn_cast_or_null<stablehlo::TanhOp>(op)) {
      // s tanh(y) = c tanh(s y / c) with c = |s|.
      if (scores.softCap || scores.scale == 0)
        return false;
      scores.softCap = std::abs(scores.scale);
      view.value = tanh.getOperand();
      continue;
    }
    if (auto mul = dyn_cast_or_null<stablehlo::MulOp>(op)) {
      if (!matchFactor(view, mul.getLhs(), mul.getRhs()) &&
          !matchFactor(view, mul.getRhs(), mul.getLhs()))
        return false;
      continue;
    }
    auto div = dyn_cast_or_null<stablehlo::DivOp>(op);
    std::optional<double> divisor =
        div ? matchScalar(div.getRhs()) : std::nullopt;
    if (!divisor)
      return false;
    scores.scale /= *divisor;
    view.value = div.getLhs();
  }
}

std::optional<Scores> raise::matchScores(Value value, ArrayRef<View> masks,
                                         bool hidesByAddition) {
  ScoresMatcher matcher(getTensorType(value).getRank(), hidesByAddition);
  for (const View &mask : masks)
    matcher.addConditions(mask, /*negated=*/false,
                          -std::numeric_limits<double>::infinity());
  if (!matcher.match(View(value)))
    return std::nullopt;
  return matcher.scores;
}
