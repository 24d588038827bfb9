//===- ElementaryFunctions.cpp - Functions that CHLO has ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ElementaryFunctions.h"

#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::stablehlo;

namespace {

/// A float tensor with the operators of arithmetic.
class Number {
public:
  Number(OpBuilder &builder, Location loc, Value value)
      : builder(&builder), loc(loc), value(value) {}
  operator Value() const { return value; }

  Number constant(double number) const {
    return wrap(splatLike(*builder, loc, value, number));
  }
  template <typename Op> Number apply() const {
    return wrap(Op::create(*builder, loc, value));
  }
  template <typename Op> Number apply(Number other) const {
    return wrap(Op::create(*builder, loc, value, other.value));
  }
  Value compare(double number, ComparisonDirection direction) const {
    return CompareOp::create(*builder, loc, value, constant(number), direction);
  }
  /// `this` where the condition holds, else `other`.
  Number where(Value condition, Number other) const {
    return wrap(SelectOp::create(*builder, loc, condition, value, other.value));
  }
  Number wrap(Value other) const { return Number(*builder, loc, other); }

  friend Number operator+(Number a, Number b) { return a.apply<AddOp>(b); }
  friend Number operator+(Number a, double b) { return a + a.constant(b); }
  friend Number operator-(Number a, Number b) { return a.apply<SubtractOp>(b); }
  friend Number operator-(Number a, double b) { return a - a.constant(b); }
  friend Number operator-(double a, Number b) { return b.constant(a) - b; }
  friend Number operator*(Number a, Number b) { return a.apply<MulOp>(b); }
  friend Number operator*(Number a, double b) { return a * a.constant(b); }
  friend Number operator/(Number a, Number b) { return a.apply<DivOp>(b); }
  friend Number operator/(double a, Number b) { return b.constant(a) / b; }
  friend Number operator-(Number a) { return a.apply<NegOp>(); }

private:
  OpBuilder *builder;
  Location loc;
  Value value;
};

} // namespace

/// Horner's scheme, highest coefficient first.
static Number polynomial(Number x, ArrayRef<double> coefficients) {
  Number sum = x.constant(coefficients.front());
  for (double coefficient : coefficients.drop_front())
    sum = sum * x + coefficient;
  return sum;
}

//===----------------------------------------------------------------------===//
// Circular and hyperbolic functions
//===----------------------------------------------------------------------===//

static constexpr double kPi = 3.14159265358979323846;
static constexpr double kLog2 = 0.69314718055994530942;

/// Above this x^2 + 1 is x^2 in every float type, and may overflow.
static constexpr double kHuge = 1e9;

/// sqrt(1 - x^2), exact near both ends.
static Number cathetus(Number x) { return ((1 - x) * (x + 1)).apply<SqrtOp>(); }

Value stablehlo::buildAcos(OpBuilder &builder, Location loc, Value value) {
  Number x(builder, loc, value);
  Number angle = cathetus(x).apply<Atan2Op>(x + 1) * 2;
  return x.constant(kPi).where(x.compare(-1, ComparisonDirection::EQ), angle);
}

Value stablehlo::buildAsin(OpBuilder &builder, Location loc, Value value) {
  Number x(builder, loc, value);
  return x.apply<Atan2Op>(cathetus(x) + 1) * 2;
}

Value stablehlo::buildAtan(OpBuilder &builder, Location loc, Value value) {
  Number x(builder, loc, value);
  return x.apply<Atan2Op>(x.constant(1));
}

/// log(x + sqrt(x^2 - 1)), from t = x - 1.
Value stablehlo::buildAcosh(OpBuilder &builder, Location loc, Value value) {
  Number x(builder, loc, value);
  Value isHuge = x.compare(kHuge, ComparisonDirection::GT);
  Number t = x.constant(2).where(isHuge, x) - 1;
  Number usual = (t + (t * (t + 2)).apply<SqrtOp>()).apply<Log1pOp>();
  return (x.apply<LogOp>() + kLog2).where(isHuge, usual);
}

/// log(s + sqrt(s^2 + 1)) of s = |x|, with the sign of x.
Value stablehlo::buildAsinh(OpBuilder &builder, Location loc, Value value) {
  Number x(builder, loc, value);
  Number magnitude = x.apply<AbsOp>();
  Value isHuge = magnitude.compare(kHuge, ComparisonDirection::GT);
  Number s = x.constant(1).where(isHuge, magnitude);
  Number square = s * s;
  Number usual =
      (s + square / ((square + 1).apply<SqrtOp>() + 1)).apply<Log1pOp>();
  Number large = x.constant(1).where(
      magnitude.compare(1, ComparisonDirection::LT), magnitude);
  Number angle = (large.apply<LogOp>() + kLog2).where(isHuge, usual);
  return (-angle).where(x.compare(0, ComparisonDirection::LT), angle);
}

Value stablehlo::buildAtanh(OpBuilder &builder, Location loc, Value value) {
  Number x(builder, loc, value);
  return (x.apply<Log1pOp>() - (-x).apply<Log1pOp>()) * 0.5;
}

/// Halves inside of the exponential, which overflows later then.
Value stablehlo::buildCosh(OpBuilder &builder, Location loc, Value value) {
  Number x(builder, loc, value);
  return (x - kLog2).apply<ExpOp>() + (-x - kLog2).apply<ExpOp>();
}

/// Near 0 from e = exp(x) - 1: (e + e / (e + 1)) / 2.
Value stablehlo::buildSinh(OpBuilder &builder, Location loc, Value value) {
  Number x(builder, loc, value);
  Value isSmall = x.apply<AbsOp>().compare(1, ComparisonDirection::LT);
  Number e = x.where(isSmall, x.constant(0)).apply<Expm1Op>();
  Number near = (e + e / (e + 1)) * 0.5;
  Number far = (x - kLog2).apply<ExpOp>() - (-x - kLog2).apply<ExpOp>();
  return near.where(isSmall, far);
}

//===----------------------------------------------------------------------===//
// Error function
//===----------------------------------------------------------------------===//

/// erf(x) = x P(x^2) / Q(x^2) on [-4, 4], the approximation that XLA and Eigen
/// use for f32; beyond, it stays at 1 within its error.
Value stablehlo::buildErf(OpBuilder &builder, Location loc, Value value) {
  static constexpr double numerator[] = {
      -2.72614225801306e-10, 2.77068142495902e-08,  -2.10102402082508e-06,
      -5.69250639462346e-05, -7.34990630326855e-04, -2.95459980854025e-03,
      -1.60960333262415e-02};
  static constexpr double denominator[] = {
      -1.45660718464996e-05, -2.13374055278905e-04, -1.68282697438203e-03,
      -7.37332916720468e-03, -1.42647390514189e-02};
  Value low = splatLike(builder, loc, value, -4.0);
  Value high = splatLike(builder, loc, value, 4.0);
  Number x(builder, loc, ClampOp::create(builder, loc, low, value, high));
  Number square = x * x;
  return x * polynomial(square, numerator) / polynomial(square, denominator);
}

/// 1 - erf(x) up to 1; beyond, where nothing of that difference is left,
/// exp(-x^2) P(1 / x^2) / x with the two polynomials of Cephes and XLA for f32.
Value stablehlo::buildErfc(OpBuilder &builder, Location loc, Value value) {
  static constexpr double upToTwo[] = {
      2.326819970068386e-2,  -1.387039388740657e-1, 3.687424674597105e-1,
      -5.824733027278666e-1, 6.210004621745983e-1,  -4.944515323274145e-1,
      3.404879937665872e-1,  -2.741127028184656e-1, 5.638259427386472e-1};
  static constexpr double beyondTwo[] = {
      -1.047766399936249e+1, 1.297719955372516e+1,  -7.495518717768503e+0,
      2.921019019210786e+0,  -1.015265279202700e+0, 4.218463358204948e-1,
      -2.820767439740514e-1, 5.641895067754075e-1};
  Number x(builder, loc, value);
  Number magnitude = x.apply<AbsOp>();
  Number near = 1 - x.wrap(buildErf(builder, loc, value));
  // From 16 on it is 0 in f32.
  Number t = x.wrap(
      ClampOp::create(builder, loc, x.constant(1), magnitude, x.constant(16)));
  Number inverse = 1 / t, square = inverse * inverse;
  Number series = polynomial(square, upToTwo)
                      .where(t.compare(2, ComparisonDirection::LT),
                             polynomial(square, beyondTwo));
  Number tail = (-(t * t)).apply<ExpOp>() * inverse * series;
  Number far = (2 - tail).where(x.compare(0, ComparisonDirection::LT), tail);
  return far.where(magnitude.compare(1, ComparisonDirection::GT), near);
}

/// x P(w) of w = -log(1 - x^2), two polynomials after Giles, "Approximating the
/// erfinv function" (2010).
Value stablehlo::buildErfInv(OpBuilder &builder, Location loc, Value value) {
  static constexpr double central[] = {
      2.81022636e-08,  3.43273939e-07, -3.5233877e-06,
      -4.39150654e-06, 0.00021858087,  -0.00125372503,
      -0.00417768164,  0.246640727,    1.50140941};
  static constexpr double tails[] = {
      -0.000200214257, 0.000100950558, 0.00134934322,
      -0.00367342844,  0.00573950773,  -0.0076224613,
      0.00943887047,   1.00167406,     2.83297682};
  Number x(builder, loc, value);
  Number w = -(-(x * x)).apply<Log1pOp>();
  Value isCentral = w.compare(5, ComparisonDirection::LT);
  Number inTails = w.apply<MaxOp>(w.constant(5));
  Number p =
      polynomial(w - 2.5, central)
          .where(isCentral, polynomial(inTails.apply<SqrtOp>() - 3, tails));
  // At the ends w is infinite, and the polynomial has no sign to rely on.
  Value isEnd = x.apply<AbsOp>().compare(1, ComparisonDirection::EQ);
  Number infinity = x.constant(std::numeric_limits<double>::infinity());
  Number end =
      (-infinity).where(x.compare(0, ComparisonDirection::LT), infinity);
  return end.where(isEnd, x * p);
}

//===----------------------------------------------------------------------===//
// Gamma function
//===----------------------------------------------------------------------===//

/// Lanczos's approximation with g = 7 and 9 terms:
/// gamma(z + 1) = sqrt(2 pi) t^(z + 1/2) exp(-t) (base + sum_i c_i / (z + i))
/// where t = z + g + 1/2 and i counts from 1.
static constexpr double kLanczosBase = 0.99999999999980993227684700473478;
static constexpr double kLanczosCoefficients[] = {
    676.520368121885098567009190444019, -1259.13921672240287047156078755283,
    771.3234287776530788486528258894,   -176.61502916214059906584551354,
    12.507343278686904814458936853,     -0.13857109526572011689554707,
    9.984369578019570859563e-6,         1.50563273514931155834e-7};

/// The logarithm of t.
static Number buildLanczosLog(Number z) {
  return (z * (1 / 7.5)).apply<Log1pOp>() + std::log(7.5);
}

/// Reflected below 1/2.
Value stablehlo::buildLgamma(OpBuilder &builder, Location loc, Value value) {
  static constexpr double logSqrt2Pi = 0.91893853320467274178;
  static constexpr double logPi = 1.14472988584940017414;
  Number x(builder, loc, value);
  Value isReflected = x.compare(0.5, ComparisonDirection::LT);
  Number z = (-x).where(isReflected, x - 1);
  Number series = z.constant(kLanczosBase);
  for (auto [i, coefficient] : llvm::enumerate(kLanczosCoefficients))
    series =
        series + z.constant(coefficient) / (z + (static_cast<double>(i) + 1));
  Number logT = buildLanczosLog(z);
  Number result =
      (z + 0.5 - (z + 7.5) / logT) * logT + logSqrt2Pi + series.apply<LogOp>();

  // log(pi / |sin(pi x)|) from the distance of x to the nearest integer.
  Number magnitude = x.apply<AbsOp>();
  Number fraction = magnitude - magnitude.apply<FloorOp>();
  Number distance =
      (1 - fraction)
          .where(fraction.compare(0.5, ComparisonDirection::GT), fraction);
  distance = distance.where(isReflected, x.constant(0.5));
  Number sine = (distance * kPi).apply<SineOp>();
  Number reflected = logPi - sine.apply<LogOp>() - result;
  result = reflected.where(isReflected, result);
  Number infinity = x.constant(std::numeric_limits<double>::infinity());
  return infinity.where(
      magnitude.compare(std::numeric_limits<double>::infinity(),
                        ComparisonDirection::EQ),
      result);
}

/// The derivative of the logarithm of Lanczos's approximation; below 1/2
/// psi(x) = psi(1 - x) - pi / tan(pi x).
Value stablehlo::buildDigamma(OpBuilder &builder, Location loc, Value value) {
  Number x(builder, loc, value);
  Value isReflected = x.compare(0.5, ComparisonDirection::LT);
  Number z = (-x).where(isReflected, x - 1);
  Number series = z.constant(kLanczosBase), slope = z.constant(0);
  for (auto [i, coefficient] : llvm::enumerate(kLanczosCoefficients)) {
    Number distance = z + (static_cast<double>(i) + 1);
    Number term = z.constant(coefficient) / distance;
    series = series + term;
    slope = slope - term / distance;
  }
  Number result =
      buildLanczosLog(z) + slope / series - z.constant(7) / (z + 7.5);

  // From the nearest integer, so that the tangent is exact near its poles.
  Number offset = x - x.apply<RoundNearestEvenOp>();
  offset = offset.where(isReflected, x.constant(0.25));
  Number reflected = result - x.constant(kPi) / (offset * kPi).apply<TanOp>();
  result = reflected.where(isReflected, result);
  Number nan = x.constant(std::numeric_limits<double>::quiet_NaN());
  return nan.where(offset.compare(0, ComparisonDirection::EQ), result);
}

//===----------------------------------------------------------------------===//
// Neighbors
//===----------------------------------------------------------------------===//

/// The bits of a float below its sign count its magnitudes one by one.
Value stablehlo::buildNextAfter(OpBuilder &builder, Location loc, Value x,
                                Value y) {
  auto type = cast<RankedTensorType>(x.getType());
  unsigned width = type.getElementTypeBitWidth();
  Type integers = type.clone(builder.getIntegerType(width));
  auto bitsOf = [&](Value number) -> Value {
    return BitcastConvertOp::create(builder, loc, integers, number);
  };
  auto splatBits = [&](const APInt &bits) -> Value {
    return ConstantOp::create(
        builder, loc, DenseElementsAttr::get(cast<ShapedType>(integers), bits));
  };
  auto compare = [&](Value a, Value b, ComparisonDirection direction) -> Value {
    return CompareOp::create(builder, loc, a, b, direction);
  };
  auto select = [&](Value condition, Value a, Value b) -> Value {
    return SelectOp::create(builder, loc, condition, a, b);
  };
  Value xBits = bitsOf(x), yBits = bitsOf(y);
  Value signMask = splatBits(APInt::getSignMask(width));
  Value xSign = AndOp::create(builder, loc, xBits, signMask);
  Value ySign = AndOp::create(builder, loc, yBits, signMask);
  Value one = splatBits(APInt(width, 1));
  Value zero = splatLike(builder, loc, x, 0);

  // Down to smaller magnitudes when y has the other sign or a smaller one.
  Value shrinks = OrOp::create(
      builder, loc, compare(xSign, ySign, ComparisonDirection::NE),
      compare(AbsOp::create(builder, loc, x), AbsOp::create(builder, loc, y),
              ComparisonDirection::GT));
  Value moved = select(shrinks, SubtractOp::create(builder, loc, xBits, one),
                       AddOp::create(builder, loc, xBits, one));
  // From 0 to the smallest number of y's sign.
  Value fromZero = OrOp::create(builder, loc, ySign, one);
  moved = select(compare(x, zero, ComparisonDirection::EQ), fromZero, moved);
  Value result = BitcastConvertOp::create(builder, loc, type, moved);
  result = select(compare(x, y, ComparisonDirection::EQ), y, result);
  Value isNaN =
      OrOp::create(builder, loc, compare(x, x, ComparisonDirection::NE),
                   compare(y, y, ComparisonDirection::NE));
  return select(isNaN, AddOp::create(builder, loc, x, y), result);
}
