//===- ScheduleTest.cpp - Schedules, changed at random --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A schedule of forward passes that keep values, backward passes that read
// them, and an update, run by an interpreter of its own. Whatever change makes
// it compute something else has to be refused.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/Schedule.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <map>
#include <random>
#include <set>

using namespace mlir;
using namespace mlir::boost;

namespace {
struct PlannedCall {
  char function; ///< 'f'orward, 'b'ackward or 'u'pdate
  int microBatch = -1;
  int slot = -1;

  bool operator<(const PlannedCall &other) const {
    return std::tie(function, microBatch, slot) <
           std::tie(other.function, other.microBatch, other.slot);
  }
};
using Calls = std::vector<PlannedCall>;

constexpr int kMicroBatches = 4;

/// One forward pass ahead, as in 1F1B: two slots are enough.
const Calls kCalls = {{'f', 0, 0}, {'f', 1, 1}, {'b', 0, 0},
                      {'f', 2, 0}, {'b', 1, 1}, {'f', 3, 1},
                      {'b', 2, 0}, {'b', 3, 1}, {'u'}};

std::string print(const Calls &calls) {
  std::string text = R"(
    #w = #boost.tensor<param "w">
    #x = #boost.tensor<batch "x">
    #k = #boost.tensor<kept "h">
    #a = #boost.tensor<accumulator "acc.w", of = "w">
    func.func @f(%w: tensor<f32> {boost.tensor = #w}, %x: tensor<f32> {boost.tensor = #x})
        -> (tensor<f32> {boost.tensor = #k}) {
      %0 = stablehlo.multiply %w, %x : tensor<f32>
      return %0 : tensor<f32>
    }
    func.func @b(%w: tensor<f32> {boost.tensor = #w}, %x: tensor<f32> {boost.tensor = #x},
                 %h: tensor<f32> {boost.tensor = #k}, %a: tensor<f32> {boost.tensor = #a})
        -> (tensor<f32> {boost.tensor = #a}) {
      %0 = stablehlo.multiply %h, %x : tensor<f32>
      %1 = stablehlo.add %a, %0 : tensor<f32>
      return %1 : tensor<f32>
    }
    func.func @u(%w: tensor<f32> {boost.tensor = #w}, %a: tensor<f32> {boost.tensor = #a})
        -> (tensor<f32> {boost.tensor = #w}, tensor<f32> {boost.tensor = #a}) {
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %0 = stablehlo.subtract %w, %a : tensor<f32>
      return %0, %zero : tensor<f32>, tensor<f32>
    }
    boost.schedule @train micro_batches 4 {)";
  for (const PlannedCall &call : calls) {
    text += std::string("\n boost.call @") + call.function;
    if (call.microBatch >= 0)
      text += " micro_batch " + std::to_string(call.microBatch);
    if (call.slot >= 0)
      text += " slot " + std::to_string(call.slot);
  }
  return text + "\n}";
}

/// The parameter and the accumulator after a step, or nothing if a call reads a
/// slot that is empty. The values of micro-batches and slots are such that no
/// two sums of products agree.
std::optional<std::pair<int64_t, int64_t>> interpret(const Calls &calls) {
  constexpr int64_t kBatch[kMicroBatches] = {3, 50, 700, 11000};
  int64_t w = 2, sum = 0;
  std::map<int, int64_t> slots;
  for (const PlannedCall &call : calls) {
    if (call.function == 'u') {
      w -= sum;
      sum = 0;
      continue;
    }
    if (call.microBatch < 0 || call.microBatch >= kMicroBatches)
      return std::nullopt;
    int64_t x = kBatch[call.microBatch];
    if (call.function == 'f') {
      slots[call.slot] = w * (x + 1);
      continue;
    }
    auto kept = slots.find(call.slot);
    if (kept == slots.end())
      return std::nullopt;
    sum += w * x * x + 7 * kept->second * x;
  }
  return std::pair(w, sum);
}

Calls change(std::mt19937 &random) {
  Calls calls = kCalls;
  auto any = [&] { return random() % calls.size(); };
  switch (random() % 5) {
  case 0:
    calls.erase(calls.begin() + static_cast<std::ptrdiff_t>(any()));
    break;
  case 1:
    std::swap(calls[any()], calls[any()]);
    break;
  case 2:
    calls[any()].slot = static_cast<int>(random() % 3);
    break;
  case 3:
    calls[any()].microBatch = static_cast<int>(random() % kMicroBatches);
    break;
  default:
    calls.insert(calls.begin() + static_cast<std::ptrdiff_t>(any()),
                 calls[any()]);
  }
  return calls;
}

class Schedule : public ::testing::Test {
protected:
  Schedule() : context(MLIRContext::Threading::DISABLED) {
    context.loadDialect<BoostDialect, stablehlo::StableHLODialect,
                        func::FuncDialect>();
  }

  /// Parses and verifies.
  OwningOpRef<ModuleOp> parse(const Calls &calls) {
    ScopedDiagnosticHandler quiet(&context,
                                  [](Diagnostic &) { return success(); });
    return parseSourceString<ModuleOp>(print(calls), &context);
  }

  MLIRContext context;
};
} // namespace

TEST_F(Schedule, WhatComputesSomethingElseIsRefused) {
  ASSERT_TRUE(parse(kCalls));
  auto expected = interpret(kCalls);
  std::mt19937 random(1);
  std::set<Calls> wrong;
  while (wrong.size() < 100) {
    Calls calls = change(random);
    if (interpret(calls) == expected || !wrong.insert(calls).second)
      continue;
    EXPECT_FALSE(parse(calls)) << print(calls);
  }
}

TEST_F(Schedule, CallsAreCountedByFunction) {
  OwningOpRef<ModuleOp> module = parse(kCalls);
  ASSERT_TRUE(module);
  ScheduleOp schedule = findMainSchedule(*module);
  ASSERT_TRUE(schedule);
  std::string text;
  for (CalledFunction called : getCalledFunctions(schedule))
    text += called.function.getName().str() + std::to_string(called.calls);
  EXPECT_EQ(text, "f4b4u1");
}
