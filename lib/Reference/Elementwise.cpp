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

static uint64_t bits(double value) {
  return static_cast<uint64_t>(static_cast<int64_t>(value));
}

static double maximum(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return NAN;
  if (a == 0 && b == 0)
    return std::signbit(a) ? b : a;
  return a > b ? a : b;
}

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

static double logistic(double x) { return 1 / (1 + std::exp(-x)); }

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
      out = std::isnan(in) ? 0 : std::trunc(in);
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
  ComparisonDirection direction =
      cast<stablehlo::CompareOp>(op).getComparisonDirection();
  for (size_t i = 0; i < results[0].data.size(); ++i) {
    double a = operands[0]->data[i], b = operands[1]->data[i];
    bool holds = false;
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
    results[0].data[i] = std::min(std::max(operands[1]->data[i], low), high);
  }
  return success();
}

/// Rounds to nearest even; what is too large becomes infinite and what would be
/// subnormal zero, as XLA does.
static double reducePrecision(double x, int exponentBits, int mantissaBits) {
  if (!std::isfinite(x) || x == 0)
    return x;
  int exponent;
  double fraction = std::frexp(x, &exponent);
  double kept = std::nearbyint(std::ldexp(fraction, mantissaBits + 1));
  double rounded = std::ldexp(kept, exponent - mantissaBits - 1);
  int bias = (1 << (exponentBits - 1)) - 1;
  if (std::abs(rounded) >= std::ldexp(1.0, bias + 1))
    return std::copysign(INFINITY, x);
  if (std::abs(rounded) < std::ldexp(1.0, 1 - bias))
    return std::copysign(0.0, x);
  return rounded;
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

/// The bits of an element of a type of one width, and the element of bits.
static APInt toBits(double value, Type type) {
  if (auto floatType = dyn_cast<FloatType>(type)) {
    APFloat element(value);
    bool losesInfo;
    element.convert(floatType.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                    &losesInfo);
    return element.bitcastToAPInt();
  }
  return APInt(64, bits(value)).trunc(type.getIntOrFloatBitWidth());
}

static double fromBits(const APInt &value, Type type) {
  auto floatType = dyn_cast<FloatType>(type);
  if (!floatType)
    return type.isUnsignedInteger() || type.isInteger(1)
               ? static_cast<double>(value.getZExtValue())
               : static_cast<double>(value.getSExtValue());
  APFloat element(floatType.getFloatSemantics(), value);
  bool losesInfo;
  element.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
  return element.convertToDouble();
}

static LogicalResult evaluateBitcastConvert(Operation *,
                                            ArrayRef<const Tensor *> operands,
                                            MutableArrayRef<Tensor> results,
                                            Evaluator &) {
  for (auto [out, in] : llvm::zip_equal(results[0].data, operands[0]->data))
    out = fromBits(toBits(in, operands[0]->elementType()),
                   results[0].elementType());
  return success();
}

/// A shift by the width or more gives 0, or all sign bits.
static void addShift(RuleSet &rules, StringRef name,
                     APInt (*shift)(const APInt &, unsigned)) {
  addBinary(rules, name, [=](double a, double b, Type type) {
    APInt value = toBits(a, type);
    auto width = static_cast<double>(value.getBitWidth());
    // Negative counts are large unsigned ones.
    double count = b < 0 || b > width ? width : b;
    return fromBits(shift(value, static_cast<unsigned>(count)), type);
  });
}

static void addShiftRules(RuleSet &rules) {
  addShift(rules, "shift_left",
           [](const APInt &x, unsigned count) { return x.shl(count); });
  addShift(rules, "shift_right_arithmetic",
           [](const APInt &x, unsigned count) { return x.ashr(count); });
  addShift(rules, "shift_right_logical",
           [](const APInt &x, unsigned count) { return x.lshr(count); });
}

static void addUnaryRules(RuleSet &rules) {
  addUnary(rules, "abs", [](double x) { return std::abs(x); });
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
  addUnary(rules, "rsqrt", [](double x) { return 1 / std::sqrt(x); });
  addUnary(rules, "sign", [](double x) {
    return x > 0 ? 1.0 : x < 0 ? -1.0 : x; // Keeps -0 and NaN.
  });
  addUnary(rules, "sine", [](double x) { return std::sin(x); });
  addUnary(rules, "sqrt", [](double x) { return std::sqrt(x); });
  addUnary(rules, "tanh", [](double x) { return std::tanh(x); });
}

static void addBinaryRules(RuleSet &rules) {
  addBinary(rules, "add", [](double a, double b, Type type) {
    return type.isInteger(1) ? double(a != 0 || b != 0) : a + b;
  });
  addBinary(rules, "multiply", [](double a, double b, Type) { return a * b; });
  addBinary(rules, "subtract", [](double a, double b, Type) { return a - b; });
  addBinary(rules, "divide", integerOrFloatQuotient);
  addBinary(rules, "remainder", integerOrFloatRemainder);
  addBinary(rules, "power",
            [](double a, double b, Type) { return std::pow(a, b); });
  addBinary(rules, "maximum",
            [](double a, double b, Type) { return maximum(a, b); });
  addBinary(rules, "minimum",
            [](double a, double b, Type) { return -maximum(-a, -b); });
  addBinary(rules, "and", [](double a, double b, Type) {
    return static_cast<double>(static_cast<int64_t>(bits(a) & bits(b)));
  });
  addBinary(rules, "or", [](double a, double b, Type) {
    return static_cast<double>(static_cast<int64_t>(bits(a) | bits(b)));
  });
  addBinary(rules, "xor", [](double a, double b, Type) {
    return static_cast<double>(static_cast<int64_t>(bits(a) ^ bits(b)));
  });
}

void mlir::boost::reference::addElementwiseRules(RuleSet &rules) {
  addUnaryRules(rules);
  addBinaryRules(rules);
  addShiftRules(rules);
  addUnary(rules, "not", [](double x) { return x == 0; });
  rules.local["stablehlo.bitcast_convert"] = evaluateBitcastConvert;
  rules.local["stablehlo.reduce_precision"] = evaluateReducePrecision;
  rules.local["stablehlo.convert"] = evaluateConvert;
  rules.local["stablehlo.compare"] = evaluateCompare;
  rules.local["stablehlo.select"] = evaluateSelect;
  rules.local["stablehlo.clamp"] = evaluateClamp;
}
