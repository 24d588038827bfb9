//===- Elementwise.cpp - Gradients of elementwise operations --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a function has no derivative, the rules take JAX's: 1 for |x| at 0,
// halves for the two operands of a maximum or minimum that tie, 0 for a clamped
// value on its bound.
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::stablehlo;

static Value add(GradientBuilder &b, Value lhs, Value rhs) {
  return AddOp::create(b, b.getLoc(), lhs, rhs);
}

static Value mul(GradientBuilder &b, Value lhs, Value rhs) {
  return MulOp::create(b, b.getLoc(), lhs, rhs);
}

static Value div(GradientBuilder &b, Value lhs, Value rhs) {
  return DivOp::create(b, b.getLoc(), lhs, rhs);
}

static Value neg(GradientBuilder &b, Value value) {
  return NegOp::create(b, b.getLoc(), value);
}

static Value scale(GradientBuilder &b, Value value, double factor) {
  return mul(b, value, splatLike(b, b.getLoc(), value, factor));
}

static Value compare(GradientBuilder &b, Value lhs, Value rhs,
                     ComparisonDirection direction) {
  return CompareOp::create(b, b.getLoc(), lhs, rhs, direction);
}

/// `value` where `pred` holds, 0 elsewhere.
static Value keepWhere(GradientBuilder &b, Value pred, Value value) {
  Value zero = splatLike(b, b.getLoc(), value, 0);
  return SelectOp::create(b, b.getLoc(), pred, value, zero);
}

/// 0 where `pred` holds, `value` elsewhere.
static Value dropWhere(GradientBuilder &b, Value pred, Value value) {
  Value zero = splatLike(b, b.getLoc(), value, 0);
  return SelectOp::create(b, b.getLoc(), pred, zero, value);
}

/// `value` with 1 in place of 0.
static Value replaceZeros(GradientBuilder &b, Value isZero, Value value) {
  Value one = splatLike(b, b.getLoc(), value, 1);
  return SelectOp::create(b, b.getLoc(), isZero, one, value);
}

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

template <typename OpT> static OpT findUser(Value value) {
  for (Operation *user : value.getUsers())
    if (auto found = dyn_cast<OpT>(user))
      return found;
  return {};
}

/// Returns true if `difference` is `a - b`, or `a` where `b` is 0.
static bool isDifference(Value difference, Value a, Value b) {
  if (auto subtract = difference.getDefiningOp<SubtractOp>())
    if (subtract.getLhs() == a && subtract.getRhs() == b)
      return true;
  return difference == a && matchSplat(b) == 0.0;
}

/// Returns true if `op` is the `|a - b|` of `max(a, b) + log1p(exp(-|a - b|))`,
/// by which JAX computes softplus, log_sigmoid and logaddexp.
static bool isOfLogAddExp(AbsOp op) {
  auto neg = findUser<NegOp>(op.getResult());
  if (!neg || !op->hasOneUse() || !neg->hasOneUse())
    return false;
  auto exp = findUser<ExpOp>(neg.getResult());
  auto log = exp ? findUser<Log1pOp>(exp.getResult()) : Log1pOp();
  auto sum = log ? findUser<AddOp>(log.getResult()) : AddOp();
  if (!sum)
    return false;
  Value other = sum.getLhs() == log.getResult() ? sum.getRhs() : sum.getLhs();
  auto max = other.getDefiningOp<MaxOp>();
  return max && (isDifference(op.getOperand(), max.getLhs(), max.getRhs()) ||
                 isDifference(op.getOperand(), max.getRhs(), max.getLhs()));
}

static void absRule(AbsOp op, GradientBuilder &b) {
  // The sum is smooth where its terms are not. There the halves that the
  // maximum gives to both sides are the whole slope, and this one's is 0.
  if (isOfLogAddExp(op)) {
    Value sign = SignOp::create(b, b.getLoc(), op.getOperand());
    b.set(0, mul(b, b.ofResult(), sign));
    return;
  }
  Value zero = splatLike(b, b.getLoc(), op.getOperand(), 0);
  Value isPositive = compare(b, op.getOperand(), zero, ComparisonDirection::GE);
  b.set(0, SelectOp::create(b, b.getLoc(), isPositive, b.ofResult(),
                            neg(b, b.ofResult())));
}

// y = x^(1/3), y' = 1 / (3 y^2), which is infinite at 0
static void cbrtRule(CbrtOp op, GradientBuilder &b) {
  Value square = mul(b, op.getResult(), op.getResult());
  b.set(0, div(b, b.ofResult(), scale(b, square, 3)));
}

static void cosineRule(CosineOp op, GradientBuilder &b) {
  Value sine = SineOp::create(b, b.getLoc(), op.getOperand());
  b.set(0, neg(b, mul(b, b.ofResult(), sine)));
}

static void sineRule(SineOp op, GradientBuilder &b) {
  Value cosine = CosineOp::create(b, b.getLoc(), op.getOperand());
  b.set(0, mul(b, b.ofResult(), cosine));
}

static void expRule(ExpOp op, GradientBuilder &b) {
  b.set(0, mul(b, b.ofResult(), op.getResult()));
}

static void expm1Rule(Expm1Op op, GradientBuilder &b) {
  Value one = splatLike(b, b.getLoc(), op.getResult(), 1);
  b.set(0, mul(b, b.ofResult(), add(b, op.getResult(), one)));
}

static void logRule(LogOp op, GradientBuilder &b) {
  b.set(0, div(b, b.ofResult(), op.getOperand()));
}

static void log1pRule(Log1pOp op, GradientBuilder &b) {
  Value one = splatLike(b, b.getLoc(), op.getOperand(), 1);
  b.set(0, div(b, b.ofResult(), add(b, op.getOperand(), one)));
}

// s' = s(x) s(-x): near s = 1, the difference 1 - s has lost its digits.
static void logisticRule(LogisticOp op, GradientBuilder &b) {
  Value opposite = LogisticOp::create(b, b.getLoc(), neg(b, op.getOperand()));
  b.set(0, mul(b, b.ofResult(), mul(b, op.getResult(), opposite)));
}

static void negRule(NegOp, GradientBuilder &b) {
  b.set(0, neg(b, b.ofResult()));
}

// y = x^(-1/2), y' = -y / (2 x)
static void rsqrtRule(RsqrtOp op, GradientBuilder &b) {
  Value slope = scale(b, div(b, op.getResult(), op.getOperand()), -0.5);
  b.set(0, mul(b, b.ofResult(), slope));
}

static void sqrtRule(SqrtOp op, GradientBuilder &b) {
  b.set(0, div(b, scale(b, b.ofResult(), 0.5), op.getResult()));
}

// t' = 1 + t^2
static void tanRule(TanOp op, GradientBuilder &b) {
  Value one = splatLike(b, b.getLoc(), op.getResult(), 1);
  Value square = mul(b, op.getResult(), op.getResult());
  b.set(0, mul(b, b.ofResult(), add(b, one, square)));
}

static void tanhRule(TanhOp op, GradientBuilder &b) {
  Value one = splatLike(b, b.getLoc(), op.getResult(), 1);
  Value square = mul(b, op.getResult(), op.getResult());
  Value slope = SubtractOp::create(b, b.getLoc(), one, square);
  b.set(0, mul(b, b.ofResult(), slope));
}

static void convertRule(ConvertOp op, GradientBuilder &b) {
  Type elementType = getTensorType(op.getOperand()).getElementType();
  b.set(0, convert(b, b.getLoc(), b.ofResult(), elementType));
}

static void reducePrecisionRule(ReducePrecisionOp op, GradientBuilder &b) {
  b.set(0, ReducePrecisionOp::create(b, b.getLoc(), b.ofResult().getType(),
                                     b.ofResult(), op.getExponentBitsAttr(),
                                     op.getMantissaBitsAttr()));
}

/// Steps have slope 0 wherever they have one.
template <typename OpT> static void stepRule(OpT, GradientBuilder &) {}

//===----------------------------------------------------------------------===//
// Two operands
//===----------------------------------------------------------------------===//

static void addRule(AddOp, GradientBuilder &b) {
  b.set(0, b.ofResult());
  b.set(1, b.ofResult());
}

static void subtractRule(SubtractOp, GradientBuilder &b) {
  b.set(0, b.ofResult());
  if (b.wants(1))
    b.set(1, neg(b, b.ofResult()));
}

static void mulRule(MulOp op, GradientBuilder &b) {
  if (op.getLhs() == op.getRhs()) {
    Value twice = add(b, op.getLhs(), op.getLhs());
    b.set(0, mul(b, b.ofResult(), twice));
    return;
  }
  if (b.wants(0))
    b.set(0, mul(b, b.ofResult(), op.getRhs()));
  if (b.wants(1))
    b.set(1, mul(b, b.ofResult(), op.getLhs()));
}

// y = l / r: dl = g / r, dr = -dl y
static void divRule(DivOp op, GradientBuilder &b) {
  Value ofLhs = div(b, b.ofResult(), op.getRhs());
  b.set(0, ofLhs);
  if (b.wants(1))
    b.set(1, neg(b, mul(b, ofLhs, op.getResult())));
}

// With s = l^2 + r^2: dl = g r / s, dr = -g l / s
static void atan2Rule(Atan2Op op, GradientBuilder &b) {
  Value square = add(b, mul(b, op.getLhs(), op.getLhs()),
                     mul(b, op.getRhs(), op.getRhs()));
  Value share = div(b, b.ofResult(), square);
  if (b.wants(0))
    b.set(0, mul(b, share, op.getRhs()));
  if (b.wants(1))
    b.set(1, neg(b, mul(b, share, op.getLhs())));
}

// r = l - q d for the truncated quotient q: dd = -g q
static void remRule(RemOp op, GradientBuilder &b) {
  b.set(0, b.ofResult());
  if (!b.wants(1))
    return;
  Value rest = SubtractOp::create(b, b.getLoc(), op.getResult(), op.getLhs());
  b.set(1, mul(b, b.ofResult(), div(b, rest, op.getRhs())));
}

/// The derivative of `x^y` by x; null where it is 0 throughout.
static Value getPowerSlope(PowOp op, GradientBuilder &b) {
  Value base = op.getLhs(), exponent = op.getRhs();
  Location loc = b.getLoc();
  if (std::optional<double> constant = matchSplat(exponent)) {
    if (*constant == 0)
      return {};
    if (*constant == 2)
      return add(b, base, base);
    Value less = splatLike(b, loc, exponent, *constant - 1);
    return scale(b, PowOp::create(b, loc, base, less), *constant);
  }
  // An exponent of 0 must not become one of -1: the base may be 0.
  Value isZero = compare(b, exponent, splatLike(b, loc, exponent, 0),
                         ComparisonDirection::EQ);
  Value less =
      SubtractOp::create(b, loc, exponent, splatLike(b, loc, exponent, 1));
  Value safe = replaceZeros(b, isZero, less);
  return mul(b, exponent, PowOp::create(b, loc, base, safe));
}

static void powRule(PowOp op, GradientBuilder &b) {
  if (b.wants(0))
    if (Value slope = getPowerSlope(op, b))
      b.set(0, mul(b, b.ofResult(), slope));
  if (!b.wants(1))
    return;
  // x^y log x, continued by 0 to x = 0.
  Value zero = splatLike(b, b.getLoc(), op.getLhs(), 0);
  Value isZero = compare(b, op.getLhs(), zero, ComparisonDirection::EQ);
  Value safe = replaceZeros(b, isZero, op.getLhs());
  Value log = LogOp::create(b, b.getLoc(), safe);
  b.set(1, mul(b, b.ofResult(), mul(b, op.getResult(), log)));
}

/// maximum and minimum: the gradient goes to the operand that wins.
template <typename OpT, ComparisonDirection wins>
static void extremumRule(OpT op, GradientBuilder &b) {
  Value half = scale(b, b.ofResult(), 0.5);
  Value tie = compare(b, op.getLhs(), op.getRhs(), ComparisonDirection::EQ);
  Value shared = keepWhere(b, tie, half);
  for (unsigned i : {0, 1}) {
    if (!b.wants(i))
      continue;
    Value won = compare(b, op->getOperand(i), op->getOperand(1 - i), wins);
    b.set(i, SelectOp::create(b, b.getLoc(), won, b.ofResult(), shared));
  }
}

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

static void selectRule(SelectOp op, GradientBuilder &b) {
  if (b.wants(1))
    b.set(1, keepWhere(b, op.getPred(), b.ofResult()));
  if (b.wants(2))
    b.set(2, dropWhere(b, op.getPred(), b.ofResult()));
}

/// The gradient of a bound where it is the result; summed up for a scalar one.
static Value getBoundGradient(GradientBuilder &b, Value bound, Value isResult) {
  Value gradient = keepWhere(b, isResult, b.ofResult());
  bool isWhole = bound.getType() == gradient.getType();
  return isWhole ? gradient : sumOfAll(b, gradient);
}

static void clampRule(ClampOp op, GradientBuilder &b) {
  Location loc = b.getLoc();
  Value x = op.getOperand();
  auto spread = [&](Value bound) {
    if (bound.getType() == x.getType())
      return bound;
    return broadcastScalar(b, loc, bound, getTensorType(x).getShape());
  };
  Value low = spread(op.getMin()), high = spread(op.getMax());
  // min(max(x, low), high): with bounds out of order the upper one wins.
  if (b.wants(0)) {
    Value above = compare(b, low, x, ComparisonDirection::GT);
    Value below = compare(b, low, high, ComparisonDirection::LT);
    b.set(0, getBoundGradient(b, op.getMin(),
                              AndOp::create(b, loc, above, below)));
  }
  if (b.wants(2)) {
    Value raised = MaxOp::create(b, loc, x, low);
    b.set(2,
          getBoundGradient(b, op.getMax(),
                           compare(b, high, raised, ComparisonDirection::LT)));
  }
  if (!b.wants(1))
    return;
  Value inside =
      AndOp::create(b, loc, compare(b, x, low, ComparisonDirection::GT),
                    compare(b, x, high, ComparisonDirection::LT));
  b.set(1, keepWhere(b, inside, b.ofResult()));
}

void stablehlo::attachElementwiseRules(MLIRContext &context) {
  attachDifferentiationRule<AbsOp, absRule>(context);
  attachDifferentiationRule<CbrtOp, cbrtRule>(context);
  attachDifferentiationRule<CeilOp, stepRule<CeilOp>>(context);
  attachDifferentiationRule<ConvertOp, convertRule>(context);
  attachDifferentiationRule<CosineOp, cosineRule>(context);
  attachDifferentiationRule<ExpOp, expRule>(context);
  attachDifferentiationRule<Expm1Op, expm1Rule>(context);
  attachDifferentiationRule<FloorOp, stepRule<FloorOp>>(context);
  attachDifferentiationRule<Log1pOp, log1pRule>(context);
  attachDifferentiationRule<LogOp, logRule>(context);
  attachDifferentiationRule<LogisticOp, logisticRule>(context);
  attachDifferentiationRule<NegOp, negRule>(context);
  attachDifferentiationRule<ReducePrecisionOp, reducePrecisionRule>(context);
  attachDifferentiationRule<RoundNearestEvenOp, stepRule<RoundNearestEvenOp>>(
      context);
  attachDifferentiationRule<RoundOp, stepRule<RoundOp>>(context);
  attachDifferentiationRule<RsqrtOp, rsqrtRule>(context);
  attachDifferentiationRule<SignOp, stepRule<SignOp>>(context);
  attachDifferentiationRule<SineOp, sineRule>(context);
  attachDifferentiationRule<SqrtOp, sqrtRule>(context);
  attachDifferentiationRule<TanOp, tanRule>(context);
  attachDifferentiationRule<TanhOp, tanhRule>(context);

  attachDifferentiationRule<AddOp, addRule>(context);
  attachDifferentiationRule<Atan2Op, atan2Rule>(context);
  attachDifferentiationRule<DivOp, divRule>(context);
  attachDifferentiationRule<MaxOp,
                            extremumRule<MaxOp, ComparisonDirection::GT>>(
      context);
  attachDifferentiationRule<MinOp,
                            extremumRule<MinOp, ComparisonDirection::LT>>(
      context);
  attachDifferentiationRule<MulOp, mulRule>(context);
  attachDifferentiationRule<PowOp, powRule>(context);
  attachDifferentiationRule<RemOp, remRule>(context);
  attachDifferentiationRule<SubtractOp, subtractRule>(context);

  attachDifferentiationRule<ClampOp, clampRule>(context);
  attachDifferentiationRule<SelectOp, selectRule>(context);
}
