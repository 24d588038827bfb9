//===- Verification.cpp - What a correct program may compute --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Reference/Verification.h"

#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "boost-mlir/Reference/Comparison.h"
#include "mlir/IR/Threading.h"
#include <cmath>

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::reference;

/// The probability that a correct tensor is called wrong.
static constexpr double kFalseAlarms = 1e-6;

/// A factor that all elements share and that the reference has exactly: a
/// constant which a compiled program computes in f32, like 1 - beta2 of AdamW,
/// is off by as much.
static constexpr double kConstantError = 0x1p-12;

/// P(|t| <= quantile), Abramowitz and Stegun (1964), 26.7.4.
static double getStudentProbability(int64_t freedom, double quantile) {
  double square = quantile * quantile;
  double cosine2 = static_cast<double>(freedom) / (freedom + square);
  double term = 1, sum = 1;
  for (int64_t i = 2; i < freedom; i += 2) {
    term *= cosine2 * static_cast<double>(i - 1) / static_cast<double>(i);
    sum += term;
  }
  return std::sqrt(1 - cosine2) * sum;
}

double mlir::boost::reference::getStudentQuantile(int64_t freedom,
                                                  double probability) {
  double low = 0, high = 1;
  while (1 - getStudentProbability(freedom, high) > probability)
    high *= 2;
  for (int step = 0; step < 60; ++step) {
    double middle = (low + high) / 2;
    bool isTooLow = 1 - getStudentProbability(freedom, middle) > probability;
    (isTooLow ? low : high) = middle;
  }
  return high;
}

/// Returns the value that a program has for `tensor`: infinities beyond the
/// range of its type, as in the sum of two biases that hide keys by the lowest
/// number.
static Tensor withOverflow(Tensor tensor) {
  auto type = dyn_cast<FloatType>(tensor.elementType());
  if (!type || type.isF64())
    return tensor;
  FloatFormat format(type.getFloatSemantics());
  for (double &value : tensor.data)
    if (double rounded = format.toNearest(value); std::isinf(rounded))
      value = rounded;
  return tensor;
}

/// The tensors that one evaluation of all runs shows and returns.
static FailureOr<std::vector<BoundedTensor>>
evaluate(ArrayRef<ReferenceRun> runs, const Precision &precision) {
  std::vector<BoundedTensor> tensors;
  ProbeHandler onProbe = [&](Operation *op, const RankValues &values) {
    tensors.push_back({"0.probe." + std::to_string(cast<ProbeOp>(op).getSite()),
                       withOverflow(values.front())});
  };
  NamedTensors state;
  for (auto [i, run] : llvm::enumerate(runs)) {
    for (const auto &input : run.inputs)
      state[input.getKey()] = input.getValue();
    FailureOr<NamedTensors> results = run.program.run(
        state, precision, /*agreement=*/1, i == 0 ? onProbe : ProbeHandler());
    if (failed(results))
      return failure();
    for (const NamedType &result : run.program.results()) {
      const Tensor &value = results->at(result.name);
      tensors.push_back({std::to_string(i) + ".result." + result.name, value});
      state[result.name] = value;
    }
  }
  return tensors;
}

double mlir::boost::reference::getGain(ArrayRef<double> values,
                                       ArrayRef<double> reference) {
  double product = 0, square = 0;
  for (auto [value, expected] : llvm::zip_equal(values, reference))
    if (std::isfinite(value) && std::isfinite(expected)) {
      product += (value - expected) * expected;
      square += expected * expected;
    }
  return square > 0 ? product / square : 0;
}

namespace {
/// The deviation of one random evaluation, or several together, from the
/// reference.
struct Deviation {
  double element = 0, gain = 0;
};
} // namespace

/// The squares of the errors of each tensor in one random evaluation.
static FailureOr<std::vector<Deviation>>
drawErrors(ArrayRef<ReferenceRun> runs, ArrayRef<BoundedTensor> exact,
           uint64_t seed) {
  Precision precision(Rounding::Random);
  precision.seed = seed;
  auto drawn = evaluate(runs, precision);
  if (failed(drawn))
    return failure();
  std::vector<Deviation> squares;
  for (auto [a, b] : llvm::zip_equal(*drawn, exact)) {
    double error = compareTensors(a.value, b.value).absolute;
    double gain = getGain(a.value.data, b.value.data);
    squares.push_back({error * error, gain * gain});
  }
  return squares;
}

/// `factor` times the root mean square of the draws, but no less than one
/// rounding of the largest element, or of all elements to the same side.
static void setBounds(BoundedTensor &tensor, ArrayRef<Deviation> squares,
                      double factor) {
  Deviation sum;
  for (const Deviation &square : squares) {
    sum.element += square.element;
    sum.gain += square.gain;
  }
  double scale = 0;
  for (double value : tensor.value.data)
    if (std::isfinite(value))
      scale = std::max(scale, std::abs(value));
  auto samples = static_cast<double>(squares.size());
  double roundoff = getUnitRoundoff(tensor.value.elementType());
  tensor.bound =
      std::max(factor * std::sqrt(sum.element / samples), roundoff * scale);
  tensor.gainBound = std::max(
      {factor * std::sqrt(sum.gain / samples), roundoff, kConstantError});
}

FailureOr<std::vector<BoundedTensor>>
mlir::boost::reference::evaluateWithBounds(ArrayRef<ReferenceRun> runs,
                                           int64_t samples) {
  // This run also numbers the operations of all blocks, which the threads below
  // only read then.
  auto exact = evaluate(runs, Rounding::None);
  if (failed(exact) || exact->empty())
    return exact;

  MLIRContext *context = exact->front().value.type.getContext();
  std::vector<FailureOr<std::vector<Deviation>>> draws(samples, failure());
  parallelFor(context, 0, samples, [&](size_t i) {
    draws[i] = drawErrors(runs, *exact, /*seed=*/i + 1);
  });
  if (llvm::any_of(draws, [](const auto &draw) { return failed(draw); }))
    return failure();
  double factor = getStudentQuantile(samples, kFalseAlarms);
  for (auto [i, tensor] : llvm::enumerate(*exact)) {
    if (!isa<FloatType>(tensor.value.elementType()))
      continue;
    std::vector<Deviation> squares;
    squares.reserve(draws.size());
    for (const FailureOr<std::vector<Deviation>> &draw : draws)
      squares.push_back((*draw)[i]);
    setBounds(tensor, squares, factor);
  }
  return exact;
}
