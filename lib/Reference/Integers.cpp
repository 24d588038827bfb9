//===- Integers.cpp - Reference rules of integer arithmetic ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the StableHLO specification: exact, modulo two to the width of the type.
// The evaluator wraps what a rule computes in 64 bits.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Reference/Evaluator.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::boost::reference;

using Unary = int64_t(int64_t, Type);
using Binary = int64_t(int64_t, int64_t, Type);

/// Adds `function` for operands of integers; what was there before stays for
/// floats.
template <typename Function>
static void addRule(RuleSet &rules, StringRef name, Function function) {
  Rule &rule = rules.local[("stablehlo." + name).str()];
  rule = [onFloats = std::move(rule),
          function](Operation *op, ArrayRef<const Tensor *> operands,
                    MutableArrayRef<Tensor> results, Evaluator &evaluator) {
    if (operands[0]->isFloat())
      return onFloats(op, operands, results, evaluator);
    Type type = operands[0]->elementType();
    for (size_t i = 0; i < results[0].size(); ++i)
      results[0].integers[i] = function(operands, i, type);
    return success();
  };
}

static void addUnary(RuleSet &rules, StringRef name, Unary *function) {
  addRule(rules, name,
          [=](ArrayRef<const Tensor *> operands, size_t i, Type type) {
            return function(operands[0]->integers[i], type);
          });
}

static void addBinary(RuleSet &rules, StringRef name, Binary *function) {
  addRule(rules, name,
          [=](ArrayRef<const Tensor *> operands, size_t i, Type type) {
            return function(operands[0]->integers[i], operands[1]->integers[i],
                            type);
          });
}

/// The bits of an element and nothing above them.
static uint64_t getBits(int64_t value, Type type) {
  return static_cast<uint64_t>(value) &
         llvm::maskTrailingOnes<uint64_t>(type.getIntOrFloatBitWidth());
}

/// In the arithmetic of unsigned numbers, which wraps.
static int64_t negate(int64_t value) {
  return static_cast<int64_t>(-static_cast<uint64_t>(value));
}
static int64_t multiply(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) *
                              static_cast<uint64_t>(b));
}

/// XLA's choice for what the specification leaves open: all ones for a division
/// by zero.
static int64_t divide(int64_t a, int64_t b, Type type) {
  if (b == 0)
    return -1;
  if (isUnsigned(type))
    return static_cast<int64_t>(static_cast<uint64_t>(a) /
                                static_cast<uint64_t>(b));
  // The least number has no opposite.
  return b == -1 ? negate(a) : a / b;
}

static int64_t getRemainder(int64_t a, int64_t b, Type type) {
  if (b == 0)
    return a;
  if (isUnsigned(type))
    return static_cast<int64_t>(static_cast<uint64_t>(a) %
                                static_cast<uint64_t>(b));
  return b == -1 ? 0 : a % b;
}

/// To a negative power only 1 and -1 are not 0.
static int64_t power(int64_t a, int64_t b, Type type) {
  if (b < 0 && !isUnsigned(type)) {
    int64_t sign = b % 2 == 0 ? 1 : -1;
    return a == 1 ? 1 : a == -1 ? sign : 0;
  }
  int64_t result = 1;
  for (uint64_t exponent = getBits(b, type); exponent != 0; exponent >>= 1) {
    if (exponent & 1)
      result = multiply(result, a);
    a = multiply(a, a);
  }
  return result;
}

/// Shifts by the width or more leave zeros, or copies of the sign.
static int64_t shiftLeft(int64_t a, int64_t b, Type type) {
  uint64_t amount = getBits(b, type);
  bool isBeyond = amount >= type.getIntOrFloatBitWidth();
  return isBeyond ? 0
                  : static_cast<int64_t>(static_cast<uint64_t>(a) << amount);
}
static int64_t shiftRightLogical(int64_t a, int64_t b, Type type) {
  uint64_t amount = getBits(b, type);
  bool isBeyond = amount >= type.getIntOrFloatBitWidth();
  return isBeyond ? 0 : static_cast<int64_t>(getBits(a, type) >> amount);
}
static int64_t shiftRightArithmetic(int64_t a, int64_t b, Type type) {
  unsigned width = type.getIntOrFloatBitWidth();
  uint64_t amount = std::min<uint64_t>(getBits(b, type), width - 1);
  return llvm::SignExtend64(getBits(a, type), width) >> amount;
}

static void addArithmetic(RuleSet &rules) {
  addUnary(rules, "abs", [](int64_t x, Type) { return x < 0 ? negate(x) : x; });
  addUnary(rules, "negate", [](int64_t x, Type) { return negate(x); });
  addUnary(rules, "sign", [](int64_t x, Type) -> int64_t {
    return x > 0 ? 1 : x < 0 ? -1 : 0;
  });
  addBinary(rules, "add", [](int64_t a, int64_t b, Type type) {
    if (type.isInteger(1))
      return a | b;
    return static_cast<int64_t>(static_cast<uint64_t>(a) +
                                static_cast<uint64_t>(b));
  });
  addBinary(rules, "subtract", [](int64_t a, int64_t b, Type) {
    return static_cast<int64_t>(static_cast<uint64_t>(a) -
                                static_cast<uint64_t>(b));
  });
  addBinary(rules, "multiply",
            [](int64_t a, int64_t b, Type) { return multiply(a, b); });
  addBinary(rules, "divide", divide);
  addBinary(rules, "remainder", getRemainder);
  addBinary(rules, "power", power);
  addBinary(rules, "maximum", [](int64_t a, int64_t b, Type type) {
    return isLess(a, b, type) ? b : a;
  });
  addBinary(rules, "minimum", [](int64_t a, int64_t b, Type type) {
    return isLess(b, a, type) ? b : a;
  });
}

static void addBitwise(RuleSet &rules) {
  addUnary(rules, "count_leading_zeros", [](int64_t x, Type type) -> int64_t {
    unsigned width = type.getIntOrFloatBitWidth();
    return llvm::countl_zero(getBits(x, type)) - (64 - width);
  });
  addUnary(rules, "not", [](int64_t x, Type) { return ~x; });
  addUnary(rules, "popcnt", [](int64_t x, Type type) -> int64_t {
    return llvm::popcount(getBits(x, type));
  });
  addBinary(rules, "and", [](int64_t a, int64_t b, Type) { return a & b; });
  addBinary(rules, "or", [](int64_t a, int64_t b, Type) { return a | b; });
  addBinary(rules, "xor", [](int64_t a, int64_t b, Type) { return a ^ b; });
  addBinary(rules, "shift_left", shiftLeft);
  addBinary(rules, "shift_right_arithmetic", shiftRightArithmetic);
  addBinary(rules, "shift_right_logical", shiftRightLogical);
}

void mlir::boost::reference::addIntegerRules(RuleSet &rules) {
  addArithmetic(rules);
  addBitwise(rules);
}
