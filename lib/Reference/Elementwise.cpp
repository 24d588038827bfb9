//===- Elementwise.cpp - Reference rules of elementwise operations --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the StableHLO specification, element by element: floats in double. What
// integers compute is in Integers.cpp.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "boost-mlir/Reference/Evaluator.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"
#include <cmath>

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::reference;

static void addUnary(RuleSet &rules, StringRef name,
                     std::function<double(double)> function) {
  rules.local[("stablehlo." + name).str()] =
      [=](Operation *, ArrayRef<const Tensor *> operands,
          MutableArrayRef<Tensor> results, Evaluator &) {
        for (auto [out, in] :
             llvm::zip_equal(results[0].data, operands[0]->data))
          out = function(in);
        return success();
      };
}

static void addBinary(RuleSet &rules, StringRef name,
                      std::function<double(double, double)> function) {
  rules.local[("stablehlo." + name).str()] =
      [=](Operation *, ArrayRef<const Tensor *> operands,
          MutableArrayRef<Tensor> results, Evaluator &) {
        for (size_t i = 0; i < results[0].data.size(); ++i)
          results[0].data[i] =
              function(operands[0]->data[i], operands[1]->data[i]);
        return success();
      };
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

/// A float with fewer exponent and mantissa bits: rounded to nearest even, then
/// to infinity above the range and to zero below the normal numbers.
static double reducePrecision(double value, int exponentBits,
                              int mantissaBits) {
  if (value == 0 || !std::isfinite(value))
    return std::isnan(value) && mantissaBits == 0 ? INFINITY : value;
  int exponent = std::ilogb(value);
  double unit = std::ldexp(1.0, exponent - mantissaBits);
  double rounded = std::nearbyint(value / unit) * unit;
  int bias = (1 << (exponentBits - 1)) - 1;
  if (std::ilogb(rounded) > bias)
    return std::copysign(INFINITY, value);
  return std::ilogb(rounded) < 1 - bias ? std::copysign(0.0, value) : rounded;
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

static double logistic(double x) { return 1 / (1 + std::exp(-x)); }

/// A float as an integer: truncated, at most the ends of the range.
static int64_t saturate(double value, Type type) {
  if (std::isnan(value))
    return 0;
  int width = static_cast<int>(type.getIntOrFloatBitWidth());
  double limit = std::ldexp(1.0, isUnsigned(type) ? width : width - 1);
  double low = isUnsigned(type) ? 0 : -limit;
  // All bits but the sign are ones.
  if (value >= limit)
    return wrapInteger(~uint64_t(0) >> (isUnsigned(type) ? 0 : 65 - width),
                       type);
  value = std::max(value, low);
  return isUnsigned(type) ? static_cast<int64_t>(static_cast<uint64_t>(value))
                          : static_cast<int64_t>(value);
}

/// An integer as a float, rounded once to `semantics`.
static double toFloat(int64_t value, Type type,
                      const llvm::fltSemantics &semantics) {
  llvm::APFloat number(semantics);
  number.convertFromAPInt(llvm::APInt(64, static_cast<uint64_t>(value)),
                          /*IsSigned=*/!isUnsigned(type),
                          llvm::APFloat::rmNearestTiesToEven);
  bool losesInfo;
  number.convert(llvm::APFloat::IEEEdouble(),
                 llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return number.convertToDouble();
}

static LogicalResult evaluateConvert(Operation *,
                                     ArrayRef<const Tensor *> operands,
                                     MutableArrayRef<Tensor> results,
                                     Evaluator &evaluator) {
  const Tensor &in = *operands[0];
  Tensor &out = results[0];
  Type from = in.elementType(), to = out.elementType();
  if (in.isFloat() && out.isFloat()) {
    out.data = in.data;
    return success();
  }
  const llvm::fltSemantics *semantics =
      getRoundingSemantics(to, evaluator.getPrecision().rounding);
  for (size_t i = 0; i < out.size(); ++i) {
    if (out.isFloat())
      out.data[i] =
          toFloat(in.integers[i], from,
                  semantics ? *semantics : llvm::APFloat::IEEEdouble());
    else if (to.isInteger(1))
      out.integers[i] = in.isFloat() ? in.data[i] != 0 : in.integers[i] != 0;
    else if (in.isFloat())
      out.integers[i] = saturate(in.data[i], to);
    else
      out.integers[i] = wrapInteger(in.integers[i], to);
  }
  return success();
}

/// Returns true if an order (less than, equal to or greater than 0) satisfies a
/// direction. Operands without an order include a NaN.
static bool holds(stablehlo::ComparisonDirection direction,
                  std::optional<int> order) {
  using stablehlo::ComparisonDirection;
  if (!order)
    return direction == ComparisonDirection::NE;
  switch (direction) {
  case ComparisonDirection::EQ:
    return *order == 0;
  case ComparisonDirection::NE:
    return *order != 0;
  case ComparisonDirection::LT:
    return *order < 0;
  case ComparisonDirection::LE:
    return *order <= 0;
  case ComparisonDirection::GT:
    return *order > 0;
  case ComparisonDirection::GE:
    return *order >= 0;
  }
  llvm_unreachable("unknown comparison");
}

template <typename T> static int getOrder(T a, T b) {
  return a < b ? -1 : b < a ? 1 : 0;
}

static std::optional<int> compareElements(const Tensor &a, const Tensor &b,
                                          size_t i, bool isTotal) {
  if (!a.isFloat()) {
    bool isBefore = isLess(a.integers[i], b.integers[i], a.elementType());
    return isBefore ? -1 : a.integers[i] != b.integers[i];
  }
  if (isTotal)
    return getOrder(totalOrderKey(a.data[i]), totalOrderKey(b.data[i]));
  if (std::isnan(a.data[i]) || std::isnan(b.data[i]))
    return std::nullopt;
  return getOrder(a.data[i], b.data[i]);
}

static LogicalResult evaluateCompare(Operation *op,
                                     ArrayRef<const Tensor *> operands,
                                     MutableArrayRef<Tensor> results,
                                     Evaluator &) {
  auto compare = cast<stablehlo::CompareOp>(op);
  bool isTotal =
      compare.getCompareType() == stablehlo::ComparisonType::TOTALORDER;
  for (size_t i = 0; i < results[0].size(); ++i)
    results[0].integers[i] =
        holds(compare.getComparisonDirection(),
              compareElements(*operands[0], *operands[1], i, isTotal));
  return success();
}

static LogicalResult evaluateSelect(Operation *,
                                    ArrayRef<const Tensor *> operands,
                                    MutableArrayRef<Tensor> results,
                                    Evaluator &) {
  bool scalar = operands[0]->rank() == 0;
  for (size_t i = 0; i < results[0].size(); ++i) {
    bool first = operands[0]->integers[scalar ? 0 : i] != 0;
    results[0].copy(i, *operands[first ? 1 : 2], i);
  }
  return success();
}

static LogicalResult evaluateClamp(Operation *,
                                   ArrayRef<const Tensor *> operands,
                                   MutableArrayRef<Tensor> results,
                                   Evaluator &) {
  const Tensor &lows = *operands[0], &in = *operands[1], &highs = *operands[2];
  Type type = in.elementType();
  for (size_t i = 0; i < results[0].size(); ++i) {
    size_t low = lows.rank() == 0 ? 0 : i, high = highs.rank() == 0 ? 0 : i;
    if (in.isFloat()) {
      results[0].data[i] =
          minimum(maximum(in.data[i], lows.data[low]), highs.data[high]);
      continue;
    }
    int64_t value = in.integers[i];
    if (isLess(value, lows.integers[low], type))
      value = lows.integers[low];
    if (isLess(highs.integers[high], value, type))
      value = highs.integers[high];
    results[0].integers[i] = value;
  }
  return success();
}

/// The bits of an element.
static llvm::APInt getBits(const Tensor &tensor, size_t i) {
  auto floatType = dyn_cast<FloatType>(tensor.elementType());
  if (!floatType)
    return llvm::APInt(64, static_cast<uint64_t>(tensor.integers[i]))
        .trunc(tensor.elementType().getIntOrFloatBitWidth());
  llvm::APFloat rounded(tensor.data[i]);
  bool losesInfo;
  rounded.convert(floatType.getFloatSemantics(),
                  llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return rounded.bitcastToAPInt();
}

/// Makes an element the one that has these bits.
static void setBits(Tensor &tensor, size_t i, const llvm::APInt &bits) {
  auto floatType = dyn_cast<FloatType>(tensor.elementType());
  if (!floatType) {
    tensor.integers[i] = wrapInteger(bits.getZExtValue(), tensor.elementType());
    return;
  }
  llvm::APFloat number(floatType.getFloatSemantics(), bits);
  bool losesInfo;
  number.convert(llvm::APFloat::IEEEdouble(),
                 llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  tensor.data[i] = number.convertToDouble();
}

/// Narrow elements are the parts of a wide one, the lowest bits first.
static LogicalResult evaluateBitcast(Operation *,
                                     ArrayRef<const Tensor *> operands,
                                     MutableArrayRef<Tensor> results,
                                     Evaluator &) {
  const Tensor &in = *operands[0];
  Tensor &out = results[0];
  unsigned fromWidth = in.elementType().getIntOrFloatBitWidth();
  unsigned toWidth = out.elementType().getIntOrFloatBitWidth();
  size_t partsOfIn = std::max(fromWidth / toWidth, 1u);
  size_t partsOfOut = std::max(toWidth / fromWidth, 1u);
  for (size_t i = 0; i < out.size(); ++i) {
    llvm::APInt bits(std::max(fromWidth, toWidth), 0);
    for (size_t part = 0; part < partsOfOut; ++part)
      bits.insertBits(getBits(in, i / partsOfIn * partsOfOut + part),
                      part * fromWidth);
    setBits(out, i, bits.extractBits(toWidth, i % partsOfIn * toWidth));
  }
  return success();
}

static LogicalResult evaluateReducePrecision(Operation *op,
                                             ArrayRef<const Tensor *> operands,
                                             MutableArrayRef<Tensor> results,
                                             Evaluator &) {
  auto reduce = cast<stablehlo::ReducePrecisionOp>(op);
  for (auto [out, in] : llvm::zip_equal(results[0].data, operands[0]->data))
    out = reducePrecision(in, static_cast<int>(reduce.getExponentBits()),
                          static_cast<int>(reduce.getMantissaBits()));
  return success();
}

static void addUnaryRules(RuleSet &rules) {
  addUnary(rules, "abs", [](double x) { return std::abs(x); });
  addUnary(rules, "cbrt", [](double x) { return std::cbrt(x); });
  addUnary(rules, "ceil", [](double x) { return std::ceil(x); });
  addUnary(rules, "cosine", [](double x) { return std::cos(x); });
  addUnary(rules, "exponential", [](double x) { return std::exp(x); });
  addUnary(rules, "exponential_minus_one",
           [](double x) { return std::expm1(x); });
  addUnary(rules, "floor", [](double x) { return std::floor(x); });
  rules.local["stablehlo.is_finite"] =
      [](Operation *, ArrayRef<const Tensor *> operands,
         MutableArrayRef<Tensor> results, Evaluator &) {
        for (auto [out, in] :
             llvm::zip_equal(results[0].integers, operands[0]->data))
          out = std::isfinite(in);
        return success();
      };
  addUnary(rules, "log", [](double x) { return std::log(x); });
  addUnary(rules, "log_plus_one", [](double x) { return std::log1p(x); });
  addUnary(rules, "logistic", logistic);
  addUnary(rules, "negate", [](double x) { return -x; });
  addUnary(rules, "round_nearest_afz", [](double x) { return std::round(x); });
  addUnary(rules, "round_nearest_even",
           [](double x) { return std::nearbyint(x); });
  addUnary(rules, "rsqrt", [](double x) { return 1 / std::sqrt(x); });
  addUnary(rules, "sign", [](double x) {
    return x > 0 ? 1.0 : x < 0 ? -1.0 : x; // Keeps -0 and NaN.
  });
  addUnary(rules, "sine", [](double x) { return std::sin(x); });
  addUnary(rules, "sqrt", [](double x) { return std::sqrt(x); });
  addUnary(rules, "tan", [](double x) { return std::tan(x); });
  addUnary(rules, "tanh", [](double x) { return std::tanh(x); });
}

static void addBinaryRules(RuleSet &rules) {
  addBinary(rules, "add", [](double a, double b) { return a + b; });
  addBinary(rules, "atan2",
            [](double a, double b) { return std::atan2(a, b); });
  addBinary(rules, "divide", [](double a, double b) { return a / b; });
  addBinary(rules, "maximum", maximum);
  addBinary(rules, "minimum", minimum);
  addBinary(rules, "multiply", [](double a, double b) { return a * b; });
  addBinary(rules, "power", [](double a, double b) { return std::pow(a, b); });
  addBinary(rules, "remainder",
            [](double a, double b) { return std::fmod(a, b); });
  addBinary(rules, "subtract", [](double a, double b) { return a - b; });
}

void mlir::boost::reference::addElementwiseRules(RuleSet &rules) {
  addUnaryRules(rules);
  addBinaryRules(rules);
  // Added after the rules of floats, which some of them extend to integers.
  addIntegerRules(rules);
  rules.local["stablehlo.bitcast_convert"] = evaluateBitcast;
  rules.local["stablehlo.convert"] = evaluateConvert;
  rules.local["stablehlo.compare"] = evaluateCompare;
  rules.local["stablehlo.select"] = evaluateSelect;
  rules.local["stablehlo.clamp"] = evaluateClamp;
  rules.local["stablehlo.reduce_precision"] = evaluateReducePrecision;
}
