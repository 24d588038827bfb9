//===- ExtrapolationTest.cpp - Steps of more layers ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Analysis/Extrapolation.h"

#include "gtest/gtest.h"

#include <random>

using namespace mlir;
using namespace mlir::boost;

namespace {

constexpr int64_t kBucketBytes = 1000;
constexpr int64_t kMostTensors = 8;

/// A pass over memory that updates `tensors`.
OpCost makeUpdate(const std::vector<double> &tensors) {
  OpCost cost;
  cost.memoryBytes = 28;
  for (double tensor : tensors)
    cost.memoryBytes += tensor;
  cost.tensorBytes = tensors;
  cost.maxTensors = kMostTensors;
  return cost;
}

OpCost makeReduction(const std::vector<double> &tensors) {
  OpCost cost;
  cost.kind = OpClass::Collective;
  cost.message = Message{CollectiveKind::AllReduce, 0, 4, 4};
  for (double tensor : tensors)
    cost.message->bytes += tensor;
  cost.tensorBytes = tensors;
  return cost;
}

/// A program whose first and last parameters and gradients belong to no layer.
struct Program {
  std::vector<double> outside, layer;
  bool buckets = true; ///< else every gradient is reduced by itself
  std::vector<double> last = {};

  StepCost getCost(int64_t layers) const;

private:
  void add(FunctionCost &function, const std::string &key, OpCost cost) const;
};

void Program::add(FunctionCost &function, const std::string &key,
                  OpCost cost) const {
  double seconds = Machine::getReference().getSeconds(cost);
  ClassCost &sum = function.classes[cost.kind];
  sum.seconds += seconds;
  if (cost.message)
    sum.networkBytes += cost.message->getSentBytes();
  function.layers[kOutsideOfLayers] += seconds;
  function.shared[key].push_back(std::move(cost));
}

StepCost Program::getCost(int64_t layers) const {
  FunctionCost function;
  std::vector<double> tensors = outside;
  for (int64_t i = 0; i < layers; ++i) {
    tensors.insert(tensors.end(), layer.begin(), layer.end());
    function.classes[OpClass::Memory].seconds += 0.25;
    function.layers[0] += 0.25;
  }
  tensors.insert(tensors.end(), last.begin(), last.end());
  std::vector<double> updated, bucket;
  double bytes = 0;
  for (double tensor : tensors) {
    if (updated.size() == kMostTensors)
      add(function, "update", makeUpdate(std::exchange(updated, {})));
    updated.push_back(tensor);
    if (!bucket.empty() && (!buckets || bytes + tensor > kBucketBytes)) {
      add(function, "reduction", makeReduction(std::exchange(bucket, {})));
      bytes = 0;
    }
    bucket.push_back(tensor);
    bytes += tensor;
  }
  add(function, "update", makeUpdate(updated));
  add(function, "reduction", makeReduction(bucket));
  StepCost step;
  step.parts.push_back({func::FuncOp(), 3, function});
  return step;
}

void expectExact(const Program &program, int64_t layers) {
  StepEstimate exact = getEstimate(program.getCost(layers));
  StepEstimate estimate =
      extrapolate(program.getCost(2), program.getCost(3), layers - 2,
                  kBucketBytes, Machine::getReference());
  auto expectNear = [](double actual, double expected) {
    EXPECT_NEAR(actual, expected, 1e-12 * expected);
  };
  expectNear(estimate.seconds, exact.seconds);
  expectNear(estimate.networkSeconds, exact.networkSeconds);
  expectNear(estimate.networkBytes, exact.networkBytes);
  ASSERT_EQ(estimate.layers.size(), exact.layers.size());
  for (auto [kind, seconds] : exact.layers)
    expectNear(estimate.layers[kind], seconds);
}

TEST(Extrapolation, CallsThatLayersShareAreCountedAsInTheProgram) {
  std::mt19937 random(7);
  auto draw = [&](int most) {
    return std::uniform_int_distribution<int>(1, most)(random);
  };
  auto drawTensors = [&] {
    std::vector<double> tensors(draw(9));
    for (double &tensor : tensors)
      tensor = draw(600);
    return tensors;
  };
  for (int trial = 0; trial < 200; ++trial) {
    SCOPED_TRACE(trial);
    Program program{drawTensors(), drawTensors()};
    if (trial % 2)
      program.last = drawTensors();
    expectExact(program, 5 + draw(80));
  }
}

TEST(Extrapolation, CallsOfOneTensorGrowWithTheLayers) {
  expectExact({{300, 40}, {100, 200, 50}, /*buckets=*/false}, 40);
}

/// A program with these reductions and nothing else.
StepCost makeReductions(const std::vector<std::vector<double>> &calls) {
  FunctionCost function;
  for (const std::vector<double> &tensors : calls) {
    OpCost cost = makeReduction(tensors);
    double seconds = Machine::getReference().getSeconds(cost);
    function.classes[cost.kind].seconds += seconds;
    function.classes[cost.kind].networkBytes += cost.message->getSentBytes();
    function.layers[kOutsideOfLayers] += seconds;
    function.shared["reduction"].push_back(std::move(cost));
  }
  StepCost step;
  step.parts.push_back({func::FuncOp(), 1, function});
  return step;
}

/// Extrapolates by four layers.
StepEstimate extrapolateReductions(const StepCost &fewer,
                                   const StepCost &more) {
  return extrapolate(fewer, more, /*further=*/4, kBucketBytes,
                     Machine::getReference());
}

TEST(Extrapolation, InsertedTensorsAreRepeatedInTheirPlace) {
  auto expectEqual = [](const StepCost &fewer, const StepCost &more,
                        const StepCost &expected) {
    StepEstimate estimate = extrapolateReductions(fewer, more);
    StepEstimate exact = getEstimate(expected);
    EXPECT_DOUBLE_EQ(estimate.seconds, exact.seconds);
    EXPECT_DOUBLE_EQ(estimate.networkSeconds, exact.networkSeconds);
    EXPECT_DOUBLE_EQ(estimate.networkBytes, exact.networkBytes);
    EXPECT_DOUBLE_EQ(estimate.layers[kOutsideOfLayers],
                     exact.layers[kOutsideOfLayers]);
  };
  expectEqual(makeReductions({{400, 100}}), makeReductions({{400, 500, 100}}),
              makeReductions({{400, 500}, {500, 500}, {500, 100}}));
  // Behind the last one, and before the first one.
  expectEqual(makeReductions({{400}}), makeReductions({{400, 600}}),
              makeReductions({{400, 600}, {600}, {600}, {600}}));
  expectEqual(makeReductions({{400}}), makeReductions({{500, 400}}),
              makeReductions({{500, 500}, {500, 500}, {400}}));
  // With fewer layers there are none.
  expectEqual(makeReductions({}), makeReductions({{600, 300}}),
              makeReductions({{600, 300}, {600, 300}, {600, 300}, {600, 300}}));
}

TEST(Extrapolation, OtherCallsGrowByWhatOneLayerAdds) {
  auto expectLinear = [](const StepCost &fewer, const StepCost &more) {
    StepEstimate estimate = extrapolateReductions(fewer, more);
    StepEstimate ofFewer = getEstimate(fewer), ofMore = getEstimate(more);
    EXPECT_DOUBLE_EQ(estimate.seconds,
                     ofFewer.seconds + 4 * (ofMore.seconds - ofFewer.seconds));
    EXPECT_DOUBLE_EQ(estimate.networkBytes,
                     ofFewer.networkBytes +
                         4 * (ofMore.networkBytes - ofFewer.networkBytes));
  };
  // One of both divides its tensors otherwise than into full buckets.
  expectLinear(makeReductions({{100}, {100}}),
               makeReductions({{100, 100, 100}}));
  expectLinear(makeReductions({{100, 100}}),
               makeReductions({{100, 100}, {100}}));
  // The tensors of the second are not those of the first and some more.
  expectLinear(makeReductions({{100, 200}}), makeReductions({{100, 300, 400}}));
  expectLinear(makeReductions({{600, 200}, {700}}),
               makeReductions({{600, 200}}));
}

TEST(Extrapolation, ThePartsOfAStepCountAsOftenAsTheyRun) {
  Program program{{10}, {20}};
  StepCost cost = program.getCost(4);
  EXPECT_DOUBLE_EQ(getEstimate(cost).seconds,
                   3 * cost.parts[0].cost.getSeconds());
  EXPECT_DOUBLE_EQ(getEstimate(cost).layers[0], 3 * 4 * 0.25);
}

} // namespace
