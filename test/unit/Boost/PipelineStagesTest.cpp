//===- PipelineStagesTest.cpp - Schedules of stages, changed at random ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1F1B on two pipeline stages that share a parameter, run by an interpreter of
// its own with the memory of each stage. Whatever change makes it compute
// something else has to be refused.
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
/// A call, or a transfer if `function` is empty.
struct Action {
  std::string function, tensor;
  int microBatch = -1, from = -1, slot = -1, to = -1, toSlot = -1;
};
using Actions = std::vector<Action>;

Action call(std::string function, int microBatch = -1, int slot = -1) {
  return {std::move(function), "", microBatch, -1, slot};
}
Action transfer(std::string tensor, int from, int to, int microBatch = -1,
                int slot = -1, int toSlot = -1) {
  return {"", std::move(tensor), microBatch, from, slot, to, toSlot};
}

constexpr int kMicroBatches = 3;

/// Stage 0 has two slots and stage 1 one.
const Actions kActions = {call("f0", 0, 0),
                          transfer("h", 0, 1, 0, 0, 0),
                          call("f0", 1, 1),
                          call("f1", 0, 0),
                          call("b1", 0, 0),
                          transfer("d", 1, 0, 0, 0, 0),
                          call("b0", 0, 0),
                          transfer("h", 0, 1, 1, 1, 0),
                          call("f0", 2, 0),
                          call("f1", 1, 0),
                          call("b1", 1, 0),
                          transfer("d", 1, 0, 1, 0, 1),
                          call("b0", 1, 1),
                          transfer("h", 0, 1, 2, 0, 0),
                          call("f1", 2, 0),
                          call("b1", 2, 0),
                          transfer("d", 1, 0, 2, 0, 0),
                          call("b0", 2, 0),
                          transfer("a", 0, 1),
                          transfer("c", 1, 0),
                          call("u0"),
                          call("u1"),
                          call("v1")};

/// What a function reads, then what it gives.
struct Function {
  int stage;
  std::vector<std::string> reads, gives;
};
const std::map<std::string, Function> kFunctions = {
    {"f0", {0, {"w", "x"}, {"h"}}},
    {"f1", {1, {"w", "v", "h"}, {"e"}}},
    {"b1", {1, {"w", "h", "e", "c", "b"}, {"d", "c", "b"}}},
    {"b0", {0, {"x", "d", "a"}, {"a"}}},
    {"u0", {0, {"w", "a", "c"}, {"w", "a", "c"}}},
    {"u1", {1, {"w", "a", "c"}, {"w", "a", "c"}}},
    {"v1", {1, {"v", "b"}, {"v", "b"}}}};
const std::map<std::string, std::string> kTensors = {
    {"w", "param \"w\""},
    {"v", "param \"v\""},
    {"x", "batch \"x\""},
    {"h", "kept \"h\""},
    {"e", "kept \"e\""},
    {"d", "kept \"d\""},
    {"a", "accumulator \"a\", of = \"w\""},
    {"c", "accumulator \"c\", of = \"w\""},
    {"b", "accumulator \"b\", of = \"v\""}};

bool isKept(const std::string &name) {
  return StringRef(kTensors.at(name)).starts_with("kept");
}
bool isSum(const std::string &name) {
  return StringRef(kTensors.at(name)).starts_with("accumulator");
}

std::string printFunctions() {
  std::string text;
  for (const auto &[name, function] : kFunctions) {
    std::string results, types, values;
    text += "func.func @" + name + "(";
    for (const std::string &tensor : function.reads)
      text += (tensor == function.reads[0] ? "%" : ", %") + tensor +
              ": tensor<f32> {boost.tensor = #boost.tensor<" +
              kTensors.at(tensor) + ">}";
    for (const std::string &tensor : function.gives) {
      std::string comma = results.empty() ? "" : ", ";
      results += comma + "tensor<f32> {boost.tensor = #boost.tensor<" +
                 kTensors.at(tensor) + ">}";
      types += comma + "tensor<f32>";
      values += comma + "%" + function.reads[0];
    }
    text += ") -> (" + results +
            ") attributes {boost.stage = " + std::to_string(function.stage) +
            " : i64} {\n return " + values + " : " + types + "\n}\n";
  }
  return text;
}

std::string print(const Actions &actions) {
  std::string text = "boost.schedule @train micro_batches 3 {\n";
  for (const Action &action : actions) {
    auto number = [&](const char *what, int value) {
      if (value >= 0)
        text += what + std::to_string(value);
    };
    text += action.function.empty()
                ? " boost.transfer [\"" + action.tensor + "\"]"
                : " boost.call @" + action.function;
    number(" micro_batch ", action.microBatch);
    number(" from ", action.from);
    number(" slot ", action.slot);
    number(" to ", action.to);
    number(" slot ", action.toSlot);
    text += "\n";
  }
  return text + "}\n";
}

uint64_t mix(uint64_t one, uint64_t other) {
  return (one * 0x9e3779b97f4a7c15 ^ other) * 0xff51afd7ed558ccd + 7;
}

/// The memory of one stage: tensors that last, and kept ones by slot.
using Memory = std::map<std::pair<std::string, int>, uint64_t>;

/// Returns the memory of both stages without what is kept, or nothing if an
/// action reads what is not there. Functions are as good as random ones, and
/// those that take a sum leave zero.
std::optional<std::vector<Memory>> interpret(const Actions &actions) {
  std::vector<Memory> memories(2);
  memories[0] = {{{"w", -1}, 2}, {{"a", -1}, 0}, {{"c", -1}, 0}};
  memories[1] = {{{"w", -1}, 2},
                 {{"v", -1}, 3},
                 {{"a", -1}, 0},
                 {{"b", -1}, 0},
                 {{"c", -1}, 0}};
  auto place = [](const std::string &name, int slot) {
    return std::pair(name, isKept(name) ? slot : -1);
  };
  for (const Action &action : actions) {
    if (action.function.empty()) {
      auto value =
          memories[action.from].find(place(action.tensor, action.slot));
      if (value == memories[action.from].end())
        return std::nullopt;
      memories[action.to][place(action.tensor, action.toSlot)] = value->second;
      continue;
    }
    const Function &function = kFunctions.at(action.function);
    Memory &memory = memories[function.stage];
    if (action.microBatch >= 0)
      memory[{"x", -1}] = mix(action.microBatch, 5);
    uint64_t result = 0;
    for (const std::string &name : function.reads) {
      auto value = memory.find(place(name, action.slot));
      if (value == memory.end())
        return std::nullopt;
      if (!isSum(name) || action.microBatch < 0)
        result = mix(result, value->second);
    }
    for (const std::string &name : function.gives) {
      uint64_t &value = memory[place(name, action.slot)];
      if (!isSum(name))
        value = result;
      else
        value = action.microBatch < 0 ? 0 : mix(value, result);
    }
  }
  for (Memory &memory : memories)
    for (auto entry = memory.begin(); entry != memory.end();)
      entry = entry->first.second >= 0 || entry->first.first == "x"
                  ? memory.erase(entry)
                  : std::next(entry);
  return memories;
}

Actions change(std::mt19937 &random) {
  Actions actions = kActions;
  auto any = [&]() -> Action & { return actions[random() % actions.size()]; };
  auto draw = [&](int &value, int count) {
    if (value >= 0)
      value = static_cast<int>(random() % count);
  };
  Action &action = any();
  switch (random() % 8) {
  case 0:
    actions.erase(actions.begin() + (&action - actions.data()));
    break;
  case 1:
    std::swap(action, any());
    break;
  case 2:
    draw(action.slot, 3);
    break;
  case 3:
    draw(action.toSlot, 3);
    break;
  case 4:
    draw(action.microBatch, kMicroBatches);
    break;
  case 5:
    std::swap(action.from, action.to);
    break;
  case 6:
    if (action.function.empty())
      action.tensor = std::string(1, "hdaceb"[random() % 6]);
    break;
  default: {
    Action copy = action;
    actions.insert(actions.begin() + (&any() - actions.data()), copy);
  }
  }
  return actions;
}

class PipelineStages : public ::testing::Test {
protected:
  PipelineStages() : context(MLIRContext::Threading::DISABLED) {
    context.loadDialect<BoostDialect, stablehlo::StableHLODialect,
                        func::FuncDialect>();
  }

  /// Parses and verifies.
  OwningOpRef<ModuleOp> parse(const Actions &actions) {
    ScopedDiagnosticHandler quiet(&context,
                                  [](Diagnostic &) { return success(); });
    return parseSourceString<ModuleOp>(printFunctions() + print(actions),
                                       &context);
  }

  MLIRContext context;
};
} // namespace

TEST_F(PipelineStages, WhatComputesSomethingElseIsRefused) {
  ASSERT_TRUE(parse(kActions));
  auto expected = interpret(kActions);
  ASSERT_TRUE(expected);
  std::mt19937 random(1);
  std::set<std::string> wrong;
  while (wrong.size() < 200) {
    Actions actions = change(random);
    if (interpret(actions) == expected || !wrong.insert(print(actions)).second)
      continue;
    EXPECT_FALSE(parse(actions)) << print(actions);
  }
}

TEST_F(PipelineStages, ActionsAreInOrderAndFunctionsHaveStages) {
  OwningOpRef<ModuleOp> module = parse(kActions);
  ASSERT_TRUE(module);
  ScheduleOp schedule = findMainSchedule(*module);
  SmallVector<Operation *> actions = getActions(schedule);
  EXPECT_EQ(actions.size(), kActions.size());
  EXPECT_TRUE(isa<CallOp>(actions[0]));
  EXPECT_TRUE(isa<TransferOp>(actions[1]));
  for (const auto &[name, function] : kFunctions)
    EXPECT_EQ(getStage(module->lookupSymbol<FunctionOpInterface>(name)),
              function.stage);
}
