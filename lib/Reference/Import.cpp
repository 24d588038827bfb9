//===- Import.cpp - Reference rules of what the import removes ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops, branches, and the operations of CHLO. Calls are part of the walk
// (Evaluator.cpp).
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "boost-mlir/Reference/Evaluator.h"
#include "llvm/ADT/APFloat.h"
#include <algorithm>
#include <cmath>
#include <numeric>

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::reference;

using Operands = ArrayRef<const Tensor *>;
using Results = MutableArrayRef<Tensor>;

static LogicalResult evaluateWhile(Operation *op, Operands operands,
                                   Results results, Evaluator &evaluator) {
  auto loop = cast<stablehlo::WhileOp>(op);
  SmallVector<Tensor> state;
  for (const Tensor *operand : operands)
    state.push_back(*operand);
  while (true) {
    FailureOr<SmallVector<Tensor>> goOn =
        evaluator.runRegion(loop.getCond(), state);
    if (failed(goOn))
      return failure();
    if (goOn->front().integers[0] == 0)
      break;
    FailureOr<SmallVector<Tensor>> next =
        evaluator.runRegion(loop.getBody(), state);
    if (failed(next))
      return failure();
    state = std::move(*next);
  }
  for (auto [result, value] : llvm::zip_equal(results, state))
    result = std::move(value);
  return success();
}

/// Evaluates the region that operand 0 chooses.
static LogicalResult evaluateBranch(Operation *op, Operands operands,
                                    Results results, Evaluator &evaluator) {
  int64_t index = operands[0]->integers[0];
  if (isa<stablehlo::IfOp>(op))
    index = index == 0 ? 1 : 0;
  unsigned last = op->getNumRegions() - 1;
  unsigned chosen =
      index < 0 || index > last ? last : static_cast<unsigned>(index);
  FailureOr<SmallVector<Tensor>> returned =
      evaluator.runRegion(op->getRegion(chosen), {});
  if (failed(returned))
    return failure();
  for (auto [result, value] : llvm::zip_equal(results, *returned))
    result = std::move(value);
  return success();
}

static void addUnary(RuleSet &rules, StringRef name,
                     double (*function)(double)) {
  rules.local[name] = [=](Operation *, Operands operands, Results results,
                          Evaluator &) {
    for (auto [out, in] : llvm::zip_equal(results[0].data, operands[0]->data))
      out = function(in);
    return success();
  };
}

/// Newton's method on erfc, which keeps its digits in the tail.
static double inverseErf(double x) {
  if (std::abs(x) >= 1 || std::isnan(x))
    return std::abs(x) == 1 ? std::copysign(INFINITY, x) : NAN;
  double rest = 1 - std::abs(x);
  // Winitzki's formula is within 0.5 percent.
  double w = std::log(rest * (1 + std::abs(x)));
  double t = 4.33 + w / 2;
  double y = std::sqrt(std::sqrt(t * t - w / 0.147) - t);
  for (int step = 0; step < 8; ++step)
    y += (std::erfc(y) - rest) * std::sqrt(M_PI) / 2 * std::exp(y * y);
  return std::copysign(y, x);
}

/// In the element type: that is what the next float depends on.
static LogicalResult evaluateNextAfter(Operation *op, Operands operands,
                                       Results results, Evaluator &) {
  auto type = cast<FloatType>(results[0].elementType());
  auto toType = [&](double value) {
    llvm::APFloat number(value);
    bool losesInfo;
    number.convert(type.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven,
                   &losesInfo);
    return number;
  };
  for (size_t i = 0; i < results[0].data.size(); ++i) {
    double x = operands[0]->data[i], y = operands[1]->data[i];
    llvm::APFloat number = toType(x);
    bool losesInfo;
    if (x != y && !number.isNaN() && !std::isnan(y))
      number.next(/*nextDown=*/y < x);
    else
      number = toType(x == y ? y : x + y);
    number.convert(llvm::APFloat::IEEEdouble(),
                   llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    results[0].data[i] = number.convertToDouble();
  }
  return success();
}

static LogicalResult evaluateTopK(Operation *, Operands operands,
                                  Results results, Evaluator &) {
  const Tensor &input = *operands[0];
  auto length = static_cast<size_t>(input.shape().back());
  auto k = static_cast<size_t>(results[0].shape().back());
  auto isLarger = [&](size_t a, size_t b) {
    return input.isFloat()
               ? totalOrderKey(input.data[a]) > totalOrderKey(input.data[b])
               : isLess(input.integers[b], input.integers[a],
                        input.elementType());
  };
  // Equal elements keep their order.
  auto isBefore = [&](size_t a, size_t b) {
    return isLarger(a, b) || (!isLarger(b, a) && a < b);
  };
  std::vector<size_t> order(length);
  for (size_t row = 0; row * k < results[0].size(); ++row) {
    std::iota(order.begin(), order.end(), row * length);
    llvm::sort(order, isBefore);
    for (size_t i = 0; i < k; ++i) {
      results[0].copy(row * k + i, input, order[i]);
      results[1].integers[row * k + i] =
          static_cast<int64_t>(order[i] - row * length);
    }
  }
  return success();
}

/// By reflection and recurrence to where the asymptotic series is exact.
static double digamma(double x) {
  constexpr double kPi = 3.14159265358979323846;
  if (x <= 0 && x == std::floor(x))
    return NAN;
  if (x < 0)
    return digamma(1 - x) - kPi / std::tan(kPi * (x - std::round(x)));
  double shift = 0;
  for (; x < 16; ++x)
    shift += 1 / x;
  double square = 1 / (x * x);
  double series =
      square *
      (1.0 / 12 -
       square * (1.0 / 120 -
                 square * (1.0 / 252 - square * (1.0 / 240 - square / 132))));
  return std::log(x) - 0.5 / x - series - shift;
}

void mlir::boost::reference::addImportRules(RuleSet &rules) {
  rules.local["stablehlo.while"] = evaluateWhile;
  rules.local["stablehlo.case"] = evaluateBranch;
  rules.local["stablehlo.if"] = evaluateBranch;
  addUnary(rules, "chlo.acos", [](double x) { return std::acos(x); });
  addUnary(rules, "chlo.acosh", [](double x) { return std::acosh(x); });
  addUnary(rules, "chlo.asin", [](double x) { return std::asin(x); });
  addUnary(rules, "chlo.asinh", [](double x) { return std::asinh(x); });
  addUnary(rules, "chlo.atan", [](double x) { return std::atan(x); });
  addUnary(rules, "chlo.atanh", [](double x) { return std::atanh(x); });
  addUnary(rules, "chlo.cosh", [](double x) { return std::cosh(x); });
  addUnary(rules, "chlo.erf", [](double x) { return std::erf(x); });
  addUnary(rules, "chlo.erf_inv", inverseErf);
  addUnary(rules, "chlo.digamma", digamma);
  addUnary(rules, "chlo.lgamma", [](double x) { return std::lgamma(x); });
  addUnary(rules, "chlo.sinh", [](double x) { return std::sinh(x); });
  addUnary(rules, "chlo.tan", [](double x) { return std::tan(x); });
  rules.local["chlo.next_after"] = evaluateNextAfter;
  rules.local["chlo.top_k"] = evaluateTopK;
  addUnary(rules, "chlo.erfc", [](double x) { return std::erfc(x); });
  rules.local["chlo.square"] = [](Operation *, Operands operands,
                                  Results results, Evaluator &) {
    for (auto [out, in] : llvm::zip_equal(results[0].data, operands[0]->data))
      out = in * in;
    for (auto [out, in] :
         llvm::zip_equal(results[0].integers, operands[0]->integers))
      out = static_cast<int64_t>(static_cast<uint64_t>(in) *
                                 static_cast<uint64_t>(in));
    return success();
  };
}
