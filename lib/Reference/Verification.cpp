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

/// How often a correct tensor may be called wrong.
static constexpr double kFalseAlarms = 1e-6;

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

/// The squares of the largest error of each probe in one random evaluation.
static FailureOr<std::vector<double>> drawErrors(const Program &program,
                                                 const NamedTensors &inputs,
                                                 ArrayRef<ProbedTensor> exact,
                                                 uint64_t seed) {
  Precision precision(Rounding::Random);
  precision.seed = seed;
  std::vector<double> squares;
  auto onProbe = [&](Operation *, const RankValues &values) {
    double error =
        compareTensors(values.front(), exact[squares.size()].value).absolute;
    squares.push_back(error * error);
  };
  if (failed(program.run(inputs, precision, /*agreement=*/1, onProbe)))
    return failure();
  return squares;
}

FailureOr<std::vector<ProbedTensor>> mlir::boost::reference::evaluateProbes(
    const Program &program, const NamedTensors &inputs, int64_t samples) {
  std::vector<ProbedTensor> probes;
  MLIRContext *context = nullptr;
  auto onProbe = [&](Operation *op, const RankValues &values) {
    context = op->getContext();
    probes.push_back(
        {static_cast<int64_t>(cast<ProbeOp>(op).getSite()), values.front()});
  };
  // This run also numbers the operations of all blocks, which the threads below
  // only read then.
  if (failed(program.run(inputs, Rounding::None, /*agreement=*/1, onProbe)))
    return failure();
  if (probes.empty())
    return probes;

  std::vector<FailureOr<std::vector<double>>> draws(samples, failure());
  parallelFor(context, 0, samples, [&](size_t i) {
    draws[i] = drawErrors(program, inputs, probes, /*seed=*/i + 1);
  });
  double quantile = getStudentQuantile(samples, kFalseAlarms);
  for (auto [i, probe] : llvm::enumerate(probes)) {
    double sum = 0, scale = 0;
    for (const FailureOr<std::vector<double>> &draw : draws) {
      if (failed(draw))
        return failure();
      sum += (*draw)[i];
    }
    for (double value : probe.value.data)
      if (std::isfinite(value))
        scale = std::max(scale, std::abs(value));
    // Never less than one rounding of the largest element.
    probe.bound =
        std::max(quantile * std::sqrt(sum / static_cast<double>(samples)),
                 getUnitRoundoff(probe.value.elementType()) * scale);
  }
  return probes;
}
