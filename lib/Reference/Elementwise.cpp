//===- Elementwise.cpp - Reference rules of elementwise operations --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the StableHLO specification, element by element in double.
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

/// `function` is told the element type: integers, booleans and floats differ.
static void addBinary(RuleSet &rules, StringRef name,
                      std::function<double(double, double, Type)> function) {
  rules.local[("stablehlo." + name).str()] =
      [=](Operation *, ArrayRef<const Tensor *> operands,
          MutableArrayRef<Tensor> results, Evaluator &) {
        Type type = operands[0]->elementType();
        for (size_t i = 0; i < results[0].data.size(); ++i)
          results[0].data[i] =
              function(operands[0]->data[i], operands[1]->data[i], type);
        return success();
      };
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// The bits of an integer of `width` bits as an element of `type`.
static double fromBits(uint64_t value, Type type) {
  llvm::APInt integer =
      llvm::APInt(64, value).trunc(type.getIntOrFloatBitWidth());
  if (type.isUnsignedInteger() || type.isInteger(1))
    return static_cast<double>(integer.getZExtValue());
  return static_cast<double>(integer.getSExtValue());
}

/// The bits of an integer element, no more than its type has.
static uint64_t ownBits(double value, Type type) {
  return llvm::APInt(64, integerBits(value))
      .trunc(type.getIntOrFloatBitWidth())
      .getZExtValue();
}

/// Arithmetic on floats in double, on integers modulo two to their width.
static std::function<double(double, double, Type)>
wrapping(std::function<double(double, double)> onFloats,
         std::function<uint64_t(uint64_t, uint64_t)> onBits) {
  return [=](double a, double b, Type type) {
    return isa<FloatType>(type)
               ? onFloats(a, b)
               : fromBits(onBits(integerBits(a), integerBits(b)), type);
  };
}

/// What the width or more leaves of a number: zeros, or copies of the sign.
static double shift(double a, double b, Type type, StringRef direction) {
  unsigned width = type.getIntOrFloatBitWidth();
  llvm::APInt value(width, ownBits(a, type));
  uint64_t amount = std::min<uint64_t>(ownBits(b, type), width);
  if (direction == "left")
    value <<= amount;
  else if (direction == "logical")
    value.lshrInPlace(amount);
  else
    value.ashrInPlace(amount);
  return fromBits(value.getZExtValue(), type);
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

static double integerOrFloatQuotient(double a, double b, Type type) {
  if (isa<FloatType>(type))
    return a / b;
  // XLA's choice for what the specification leaves open.
  return b == 0 ? -1 : std::trunc(a / b);
}

static double integerOrFloatRemainder(double a, double b, Type type) {
  if (isa<IntegerType>(type) && b == 0)
    return a;
  return std::fmod(a, b);
}

/// Integers wrap; to a negative power only 1 and -1 are not 0.
static double power(double a, double b, Type type) {
  if (isa<FloatType>(type))
    return std::pow(a, b);
  if (b < 0)
    return std::abs(a) != 1 ? 0 : a == 1 || std::fmod(b, 2) == 0 ? 1 : -1;
  uint64_t result = 1, base = integerBits(a), exponent = ownBits(b, type);
  for (; exponent != 0; exponent >>= 1, base *= base)
    if (exponent & 1)
      result *= base;
  return fromBits(result, type);
}

static double logistic(double x) { return 1 / (1 + std::exp(-x)); }

/// A float as an integer: truncated, at most the ends of the range.
static double saturate(double value, Type type) {
  if (std::isnan(value))
    return 0;
  int width = static_cast<int>(type.getIntOrFloatBitWidth());
  bool isUnsigned = type.isUnsignedInteger();
  double low = isUnsigned ? 0 : -std::ldexp(1.0, width - 1);
  double limit = std::ldexp(1.0, isUnsigned ? width : width - 1);
  // Integers of 64 bits are as exact as double: just below the limit.
  double high = width < 64 ? limit - 1 : std::nextafter(limit, 0);
  return std::clamp(std::trunc(value), low, high);
}

static LogicalResult evaluateConvert(Operation *,
                                     ArrayRef<const Tensor *> operands,
                                     MutableArrayRef<Tensor> results,
                                     Evaluator &) {
  bool toBoolean = results[0].elementType().isInteger(1);
  bool toInteger = isa<FloatType>(operands[0]->elementType()) &&
                   isa<IntegerType>(results[0].elementType());
  for (auto [out, in] : llvm::zip_equal(results[0].data, operands[0]->data)) {
    if (toBoolean)
      out = in != 0;
    else if (toInteger)
      out = saturate(in, results[0].elementType());
    else
      out = in;
  }
  return success();
}

static LogicalResult evaluateCompare(Operation *op,
                                     ArrayRef<const Tensor *> operands,
                                     MutableArrayRef<Tensor> results,
                                     Evaluator &) {
  using stablehlo::ComparisonDirection;
  auto compare = cast<stablehlo::CompareOp>(op);
  ComparisonDirection direction = compare.getComparisonDirection();
  bool isTotal =
      compare.getCompareType() == stablehlo::ComparisonType::TOTALORDER;
  for (size_t i = 0; i < results[0].data.size(); ++i) {
    double a = operands[0]->data[i], b = operands[1]->data[i];
    bool holds = false;
    if (isTotal) { // The sign of the difference compares with 0 as a with b.
      int64_t left = totalOrderKey(a), right = totalOrderKey(b);
      a = left < right ? -1 : left > right ? 1 : 0;
      b = 0;
    }
    switch (direction) {
    case ComparisonDirection::EQ:
      holds = a == b;
      break;
    case ComparisonDirection::NE:
      holds = a != b;
      break;
    case ComparisonDirection::LT:
      holds = a < b;
      break;
    case ComparisonDirection::LE:
      holds = a <= b;
      break;
    case ComparisonDirection::GT:
      holds = a > b;
      break;
    case ComparisonDirection::GE:
      holds = a >= b;
      break;
    }
    results[0].data[i] = holds;
  }
  return success();
}

static LogicalResult evaluateSelect(Operation *,
                                    ArrayRef<const Tensor *> operands,
                                    MutableArrayRef<Tensor> results,
                                    Evaluator &) {
  bool scalar = operands[0]->rank() == 0;
  for (size_t i = 0; i < results[0].data.size(); ++i) {
    bool first = operands[0]->data[scalar ? 0 : i] != 0;
    results[0].data[i] = operands[first ? 1 : 2]->data[i];
  }
  return success();
}

static LogicalResult evaluateClamp(Operation *,
                                   ArrayRef<const Tensor *> operands,
                                   MutableArrayRef<Tensor> results,
                                   Evaluator &) {
  auto bound = [](const Tensor &tensor, size_t i) {
    return tensor.data[tensor.rank() == 0 ? 0 : i];
  };
  for (size_t i = 0; i < results[0].data.size(); ++i) {
    double low = bound(*operands[0], i), high = bound(*operands[2], i);
    results[0].data[i] = minimum(maximum(operands[1]->data[i], low), high);
  }
  return success();
}

/// The bits of an element of `type`.
static llvm::APInt toBits(double value, Type type) {
  auto floatType = dyn_cast<FloatType>(type);
  if (!floatType)
    return llvm::APInt(type.getIntOrFloatBitWidth(), ownBits(value, type));
  llvm::APFloat rounded(value);
  bool losesInfo;
  rounded.convert(floatType.getFloatSemantics(),
                  llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return rounded.bitcastToAPInt();
}

/// The element of `type` that has these bits.
static double fromBits(const llvm::APInt &bits, Type type) {
  auto floatType = dyn_cast<FloatType>(type);
  if (!floatType)
    return fromBits(bits.getZExtValue(), type);
  llvm::APFloat number(floatType.getFloatSemantics(), bits);
  bool losesInfo;
  number.convert(llvm::APFloat::IEEEdouble(),
                 llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return number.convertToDouble();
}

/// Narrow elements are the parts of a wide one, the lowest bits first.
static LogicalResult evaluateBitcast(Operation *,
                                     ArrayRef<const Tensor *> operands,
                                     MutableArrayRef<Tensor> results,
                                     Evaluator &) {
  const std::vector<double> &in = operands[0]->data;
  std::vector<double> &out = results[0].data;
  Type from = operands[0]->elementType(), to = results[0].elementType();
  unsigned fromWidth = from.getIntOrFloatBitWidth();
  unsigned toWidth = to.getIntOrFloatBitWidth();
  size_t partsOfIn = std::max(fromWidth / toWidth, 1u);
  size_t partsOfOut = std::max(toWidth / fromWidth, 1u);
  for (size_t i = 0; i < out.size(); ++i) {
    llvm::APInt bits(std::max(fromWidth, toWidth), 0);
    for (size_t part = 0; part < partsOfOut; ++part)
      bits.insertBits(toBits(in[i / partsOfIn * partsOfOut + part], from),
                      part * fromWidth);
    out[i] = fromBits(bits.extractBits(toWidth, i % partsOfIn * toWidth), to);
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

/// Counts of bits and complements depend on the width.
static void addIntegerRules(RuleSet &rules) {
  auto add = [&](StringRef name,
                 std::function<uint64_t(uint64_t, unsigned)> function) {
    rules.local[("stablehlo." + name).str()] =
        [=](Operation *, ArrayRef<const Tensor *> operands,
            MutableArrayRef<Tensor> results, Evaluator &) {
          Type type = operands[0]->elementType();
          for (auto [out, in] :
               llvm::zip_equal(results[0].data, operands[0]->data))
            out = fromBits(
                function(ownBits(in, type), type.getIntOrFloatBitWidth()),
                type);
          return success();
        };
  };
  add("count_leading_zeros", [](uint64_t x, unsigned width) -> uint64_t {
    return llvm::countl_zero(x) - (64 - width);
  });
  add("not", [](uint64_t x, unsigned) { return ~x; });
  add("popcnt",
      [](uint64_t x, unsigned) -> uint64_t { return llvm::popcount(x); });
  addBinary(rules, "shift_left", [](double a, double b, Type type) {
    return shift(a, b, type, "left");
  });
  addBinary(rules, "shift_right_arithmetic", [](double a, double b, Type type) {
    return shift(a, b, type, "arithmetic");
  });
  addBinary(rules, "shift_right_logical", [](double a, double b, Type type) {
    return shift(a, b, type, "logical");
  });
  using Bits = uint64_t;
  auto none = [](double, double) { return 0.0; };
  addBinary(rules, "and", wrapping(none, [](Bits a, Bits b) { return a & b; }));
  addBinary(rules, "or", wrapping(none, [](Bits a, Bits b) { return a | b; }));
  addBinary(rules, "xor", wrapping(none, [](Bits a, Bits b) { return a ^ b; }));
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
  addUnary(rules, "is_finite", [](double x) { return std::isfinite(x); });
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
  using Bits = uint64_t;
  auto sum = wrapping([](double a, double b) { return a + b; },
                      [](Bits a, Bits b) { return a + b; });
  addBinary(rules, "add", [=](double a, double b, Type type) {
    return type.isInteger(1) ? double(a != 0 || b != 0) : sum(a, b, type);
  });
  addBinary(rules, "atan2",
            [](double a, double b, Type) { return std::atan2(a, b); });
  addBinary(rules, "multiply",
            wrapping([](double a, double b) { return a * b; },
                     [](Bits a, Bits b) { return a * b; }));
  addBinary(rules, "subtract",
            wrapping([](double a, double b) { return a - b; },
                     [](Bits a, Bits b) { return a - b; }));
  addBinary(rules, "divide", integerOrFloatQuotient);
  addBinary(rules, "remainder", integerOrFloatRemainder);
  addBinary(rules, "power", power);
  addBinary(rules, "maximum",
            [](double a, double b, Type) { return maximum(a, b); });
  addBinary(rules, "minimum",
            [](double a, double b, Type) { return minimum(a, b); });
}

void mlir::boost::reference::addElementwiseRules(RuleSet &rules) {
  addUnaryRules(rules);
  addBinaryRules(rules);
  addIntegerRules(rules);
  rules.local["stablehlo.bitcast_convert"] = evaluateBitcast;
  rules.local["stablehlo.convert"] = evaluateConvert;
  rules.local["stablehlo.compare"] = evaluateCompare;
  rules.local["stablehlo.select"] = evaluateSelect;
  rules.local["stablehlo.clamp"] = evaluateClamp;
  rules.local["stablehlo.reduce_precision"] = evaluateReducePrecision;
}
