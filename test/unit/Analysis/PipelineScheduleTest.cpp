//===- PipelineScheduleTest.cpp - Lists of pipeline stages ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lists of every schedule against closed forms, and lists that are changed
// at random against an executor of its own.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Analysis/PipelineSchedule.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <map>
#include <random>
#include <set>

using namespace mlir;
using namespace mlir::boost;

namespace {
using Schedule = PipelineSchedule;
using Work = PipelineWork;

constexpr Schedule kSchedules[] = {Schedule::GPipe,
                                   Schedule::OneForwardOneBackward,
                                   Schedule::Interleaved, Schedule::ZeroBubble};

PipelineLists make(Schedule schedule, PipelineShape shape) {
  llvm::Expected<PipelineLists> lists = makePipelineLists(schedule, shape);
  if (lists)
    return *lists;
  ADD_FAILURE() << llvm::toString(lists.takeError());
  return {};
}

std::string getRefusal(Schedule schedule, PipelineShape shape) {
  llvm::Expected<PipelineLists> lists = makePipelineLists(schedule, shape);
  return lists ? "" : llvm::toString(lists.takeError());
}

std::string verify(const PipelineLists &lists) {
  return llvm::toString(verifyPipelineLists(lists));
}

/// Every action of a kind takes the same, and a transfer nothing.
PipelineCosts getCosts(PipelineShape shape, double forward, double backward,
                       double weights = 0, double boundary = 0) {
  PipelineCosts costs;
  costs.chunks.assign(shape.getNumChunks(), {forward, backward, weights});
  costs.boundaries.assign(shape.getNumChunks() - 1, boundary);
  return costs;
}

/// Calls with the shapes that the tests are about.
void forShapes(Schedule schedule, function_ref<void(PipelineShape)> test) {
  for (int64_t p : {2, 4, 8})
    for (int64_t m = 4; m <= 64; ++m)
      for (int64_t v : {2, 3}) {
        if (schedule != Schedule::Interleaved)
          v -= 2;
        else if (m % p != 0)
          continue;
        if (v != 1)
          test({p, std::max<int64_t>(v, 1), m});
      }
}

void expectIdle(const PipelineTimeline &timeline, PipelineShape shape,
                double idle) {
  for (double seconds : timeline.idle)
    EXPECT_EQ(seconds, idle) << shape.stages << " stages, "
                             << shape.microBatches << " micro-batches";
}
} // namespace

//===----------------------------------------------------------------------===//
// Closed forms
//===----------------------------------------------------------------------===//

TEST(PipelineSchedule, GPipeAnd1F1BIdleForAllButOneStage) {
  for (Schedule schedule : {Schedule::GPipe, Schedule::OneForwardOneBackward})
    forShapes(schedule, [&](PipelineShape shape) {
      PipelineTimeline timeline =
          simulate(make(schedule, shape), getCosts(shape, 1, 1));
      auto p = double(shape.stages), m = double(shape.microBatches);
      EXPECT_EQ(timeline.makespan, 2 * (m + p - 1));
      EXPECT_EQ(timeline.idle[0] / timeline.makespan, (p - 1) / (m + p - 1));
      expectIdle(timeline, shape, 2 * (p - 1));
      // Backward passes usually take twice as long.
      timeline = simulate(make(schedule, shape), getCosts(shape, 1, 2));
      expectIdle(timeline, shape, 3 * (p - 1));
    });
}

TEST(PipelineSchedule, InterleavedIdlesForLessByTheChunks) {
  forShapes(Schedule::Interleaved, [](PipelineShape shape) {
    PipelineLists lists = make(Schedule::Interleaved, shape);
    PipelineTimeline timeline = simulate(lists, getCosts(shape, 1, 1));
    auto p = double(shape.stages), m = double(shape.microBatches);
    auto v = double(shape.chunksPerStage);
    EXPECT_EQ(timeline.makespan, 2 * (v * m + p - 1));
    expectIdle(timeline, shape, 2 * (p - 1));
    expectIdle(simulate(lists, getCosts(shape, 1, 2)), shape, 3 * (p - 1));
  });
}

TEST(PipelineSchedule, ZeroBubbleIdlesForAThirdOf1F1B) {
  forShapes(Schedule::ZeroBubble, [](PipelineShape shape) {
    PipelineLists lists = make(Schedule::ZeroBubble, shape);
    auto p = double(shape.stages), m = double(shape.microBatches);
    // Fewer micro-batches than stages leave gaps that nothing fills.
    double gaps = std::max(0.0, p - m);
    expectIdle(simulate(lists, getCosts(shape, 1, 1, 1)), shape, p - 1 + gaps);
    if (gaps > 0)
      return;
    for (auto [f, b, w] : {std::array{1.0, 2.0, 1.0}, std::array{2.0, 1.0, 1.0},
                           std::array{1.0, 1.0, 0.5}})
      expectIdle(simulate(lists, getCosts(shape, f, b, w)), shape,
                 (p - 1) * (f + b - w));
  });
}

TEST(PipelineSchedule, SlotsAreThoseInFlight) {
  for (Schedule schedule : kSchedules)
    forShapes(schedule, [&](PipelineShape shape) {
      PipelineLists lists = make(schedule, shape);
      SmallVector<int64_t> slots = countSlots(lists);
      int64_t p = shape.stages, m = shape.microBatches;
      int64_t v = shape.chunksPerStage;
      PipelineTimeline timeline = simulate(lists, getCosts(shape, 1, 1, 1));
      for (int64_t s = 0; s < p; ++s) {
        int64_t expected = std::min(m, p - s);
        if (schedule == Schedule::GPipe)
          expected = m;
        if (schedule == Schedule::ZeroBubble)
          expected = std::min(m, p);
        if (schedule == Schedule::Interleaved)
          expected = std::min(m * v, (p - s - 1) * 2 + (v - 1) * p + 1);
        EXPECT_EQ(timeline.held[s], expected);
        // The gradient of a chunk may wait for its receiver in one more.
        int64_t sent = schedule == Schedule::Interleaved && slots[s] > expected;
        EXPECT_EQ(slots[s], expected + sent) << getName(schedule).str() << s;
      }
    });
}

//===----------------------------------------------------------------------===//
// What is made is correct
//===----------------------------------------------------------------------===//

TEST(PipelineSchedule, ListsAreAccepted) {
  for (Schedule schedule : kSchedules)
    forShapes(schedule, [&](PipelineShape shape) {
      EXPECT_EQ(verify(make(schedule, shape)), "");
    });
  for (int64_t p : {1, 2, 5})
    for (int64_t m : {1, 2, 3, 5, 10})
      for (Schedule schedule : kSchedules)
        if (schedule != Schedule::Interleaved) {
          EXPECT_EQ(verify(make(schedule, {p, 1, m})), "");
        }
}

TEST(PipelineSchedule, ForwardListsTakeFewSlots) {
  for (PipelineShape shape : {PipelineShape{1, 1, 3}, PipelineShape{4, 1, 7},
                              PipelineShape{2, 3, 4}}) {
    llvm::Expected<PipelineLists> lists = makeForwardLists(shape);
    ASSERT_TRUE(bool(lists));
    EXPECT_EQ(verify(*lists), "");
    // With several chunks the last stage sends to the first.
    for (int64_t slots : countSlots(*lists))
      EXPECT_LE(slots, shape.chunksPerStage == 1 ? 1 : 2);
    PipelineTimeline timeline = simulate(*lists, getCosts(shape, 1, 1));
    EXPECT_EQ(timeline.makespan,
              shape.chunksPerStage * shape.microBatches + shape.stages - 1);
  }
}

TEST(PipelineSchedule, ShapesWithoutListsAreRefused) {
  EXPECT_EQ(getRefusal(Schedule::GPipe, {0, 1, 4}),
            "expects at least 1 stage, but got 0");
  EXPECT_EQ(getRefusal(Schedule::GPipe, {2, 0, 4}),
            "expects at least 1 chunk per stage, but got 0");
  EXPECT_EQ(getRefusal(Schedule::GPipe, {2, 1, 0}),
            "expects at least 1 micro-batch, but got 0");
  EXPECT_EQ(getRefusal(Schedule::ZeroBubble, {2, 2, 4}),
            "expects 1 chunk per stage with the schedule zb-h1, but got 2");
  EXPECT_EQ(getRefusal(Schedule::Interleaved, {2, 1, 4}),
            "expects at least 2 chunks per stage with the schedule "
            "interleaved, but got 1");
  EXPECT_EQ(getRefusal(Schedule::Interleaved, {1, 2, 4}),
            "expects at least 2 stages with 2 chunks per stage, but got 1");
  EXPECT_EQ(getRefusal(Schedule::Interleaved, {4, 2, 6}),
            "expects a number of micro-batches that the 4 stages divide with 2 "
            "chunks per stage, but got 6");
}

//===----------------------------------------------------------------------===//
// Simulation
//===----------------------------------------------------------------------===//

TEST(PipelineSchedule, TransfersOverlapWithComputing) {
  // Stage 0 sends while it computes on; only the first value and the last
  // gradient are waited for.
  PipelineShape shape{2, 1, 4};
  PipelineTimeline timeline =
      simulate(make(Schedule::GPipe, shape), getCosts(shape, 1, 1, 0, 0.5));
  EXPECT_EQ(timeline.makespan, 2 * 5 + 2 * 0.5);
}

TEST(PipelineSchedule, ALinkTransfersOneValueAfterAnother) {
  PipelineShape shape{2, 1, 4};
  PipelineTimeline timeline =
      simulate(make(Schedule::GPipe, shape), getCosts(shape, 1, 1, 0, 3));
  // The forward passes of stage 1 begin at 4, 7, 10 and 13, the backward passes
  // of stage 0 at 18, 21, 24 and 27.
  EXPECT_EQ(timeline.actions[1][3].begin, 13);
  EXPECT_EQ(timeline.makespan, 28);
  for (auto &[transfer, span] : timeline.transfers)
    EXPECT_EQ(span.end - span.begin, 3);
}

TEST(PipelineSchedule, ATransferWaitsForItsSlot) {
  // With 1F1B stage 1 has one slot, which the backward pass frees.
  PipelineShape shape{2, 1, 2};
  PipelineTimeline timeline =
      simulate(make(Schedule::OneForwardOneBackward, shape),
               getCosts(shape, 1, 1, 0, 2));
  EXPECT_EQ(timeline.actions[1][0].begin, 3);
  EXPECT_EQ(timeline.actions[1][1].end, 5);
  EXPECT_EQ(timeline.actions[1][2].begin, 9);
}

//===----------------------------------------------------------------------===//
// One list of all stages
//===----------------------------------------------------------------------===//

namespace {
/// Follows a list of all stages and checks where transfers stand.
void checkSteps(const PipelineLists &lists, ArrayRef<PipelineStep> steps) {
  using Value = std::tuple<Work, int64_t, int64_t>;
  std::vector<size_t> next(lists.stages.size());
  std::set<Value> computed, received;
  /// The values that each slot of a stage still has to send.
  std::map<std::pair<int64_t, int64_t>, int64_t> unsent;
  for (const PipelineStep &step : steps) {
    if (const auto *transfer = std::get_if<PipelineTransfer>(&step)) {
      Value value{transfer->work, transfer->chunk, transfer->microBatch};
      EXPECT_TRUE(computed.count(value)) << "sends what is not computed";
      EXPECT_TRUE(received.insert(value).second) << "sends twice";
      EXPECT_EQ((unsent[{transfer->from, transfer->fromSlot}]--), 1);
      const PipelineAction &reader =
          lists.stages[transfer->to][next[transfer->to]];
      int64_t ahead = transfer->work == Work::Forward ? 1 : -1;
      EXPECT_EQ(
          std::tuple(reader.work, reader.chunk, reader.microBatch),
          Value(transfer->work, transfer->chunk + ahead, transfer->microBatch));
      EXPECT_EQ(reader.slot, transfer->toSlot);
      if (transfer->work == Work::Forward) {
        EXPECT_EQ((unsent[{transfer->to, transfer->toSlot}]), 0);
      }
      continue;
    }
    const auto &action = std::get<PipelineAction>(step);
    int64_t stage = lists.shape.getStage(action.chunk);
    const PipelineAction &expected = lists.stages[stage][next[stage]++];
    EXPECT_EQ(std::tuple(action.work, action.chunk, action.microBatch),
              std::tuple(expected.work, expected.chunk, expected.microBatch));
    int64_t ahead = action.work == Work::Forward ? 1 : -1;
    int64_t from = action.chunk - ahead, to = action.chunk + ahead;
    auto exists = [&](int64_t chunk) {
      return action.work != Work::Weights && chunk >= 0 &&
             chunk < lists.shape.getNumChunks();
    };
    if (exists(from)) {
      EXPECT_TRUE(received.count({action.work, from, action.microBatch}));
    }
    if (exists(to)) {
      computed.insert({action.work, action.chunk, action.microBatch});
      ++unsent[{stage, action.slot}];
    }
  }
  for (auto [stage, count] : llvm::enumerate(next))
    EXPECT_EQ(count, lists.stages[stage].size());
  EXPECT_EQ(computed, received);
}
} // namespace

TEST(PipelineSchedule, OneListHasTransfersWhereTheyAreNeeded) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> seconds(0, 2);
  for (Schedule schedule : kSchedules)
    for (int64_t p : {2, 4})
      for (int64_t m : {4, 8, 12}) {
        PipelineShape shape{p, schedule == Schedule::Interleaved ? 2 : 1, m};
        PipelineLists lists = make(schedule, shape);
        PipelineCosts costs = getCosts(shape, 1, 1, 1);
        checkSteps(lists, linearize(lists, simulate(lists, costs)));
        for (auto &chunk : costs.chunks)
          for (double &cost : chunk)
            cost = seconds(random);
        for (double &cost : costs.boundaries)
          cost = seconds(random);
        checkSteps(lists, linearize(lists, simulate(lists, costs)));
      }
}

TEST(PipelineSchedule, OneListIsInTheOrderOfTime) {
  PipelineShape shape{2, 1, 2};
  PipelineLists lists = make(Schedule::OneForwardOneBackward, shape);
  std::string text;
  for (const PipelineStep &step :
       linearize(lists, simulate(lists, getCosts(shape, 1, 1)))) {
    const auto *transfer = std::get_if<PipelineTransfer>(&step);
    const auto *action = std::get_if<PipelineAction>(&step);
    text += transfer ? '>' : 'C';
    text += "FBW"[int(transfer ? transfer->work : action->work)];
    text += std::to_string(transfer ? transfer->chunk : action->chunk);
    text +=
        std::to_string(transfer ? transfer->microBatch : action->microBatch);
    text += ' ';
  }
  EXPECT_EQ(text, "CF00 >F00 CF01 CF10 CB10 >B10 >F01 CB00 CF11 CB11 >B11 "
                  "CB01 ");
}

//===----------------------------------------------------------------------===//
// Changed lists
//===----------------------------------------------------------------------===//

namespace {
/// Executes lists on numbers. Stages wait for inputs, and for slots from which
/// something is still to be sent.
class Executor {
public:
  explicit Executor(const PipelineLists &lists) : lists(lists) {}

  /// The sums of gradients of all chunks, or nothing if a stage waits forever
  /// or reads an empty slot.
  std::optional<std::vector<uint64_t>> run();

private:
  struct Cell {
    uint64_t value = 0, gradient = 0;
    int unsent = 0;
  };
  using Message = std::tuple<Work, int64_t, int64_t>;

  bool tryAction(const PipelineAction &action);
  std::optional<uint64_t> receive(const PipelineAction &action, int64_t from);
  void send(const PipelineAction &action, uint64_t value, int64_t to);

  const PipelineLists &lists;
  std::map<std::pair<int64_t, int64_t>, Cell> cells;
  std::map<Message, std::pair<uint64_t, Cell *>> messages;
  std::map<int64_t, uint64_t> sums;
  bool isWrong = false;
};

uint64_t mix(uint64_t one, uint64_t other) {
  return (one * 0x9e3779b97f4a7c15 ^ other) * 0xff51afd7ed558ccd + 7;
}
} // namespace

/// Returns the input of an action, or a number that stands for the batch.
std::optional<uint64_t> Executor::receive(const PipelineAction &action,
                                          int64_t from) {
  if (from < 0 || from >= lists.shape.getNumChunks())
    return mix(action.microBatch, 1);
  auto message = messages.find({action.work, from, action.microBatch});
  if (message == messages.end())
    return std::nullopt;
  return message->second.first;
}

/// Takes the input of an action and offers what it gives.
void Executor::send(const PipelineAction &action, uint64_t value, int64_t to) {
  int64_t from = 2 * action.chunk - to;
  auto message = messages.find({action.work, from, action.microBatch});
  if (message != messages.end()) {
    --message->second.second->unsent;
    messages.erase(message);
  }
  if (to < 0 || to >= lists.shape.getNumChunks())
    return;
  Cell *cell = &cells[{lists.shape.getStage(action.chunk), action.slot}];
  ++cell->unsent;
  isWrong |= !messages
                  .try_emplace({action.work, action.chunk, action.microBatch},
                               value, cell)
                  .second;
}

/// Executes an action unless it has to wait.
bool Executor::tryAction(const PipelineAction &action) {
  std::pair place(lists.shape.getStage(action.chunk), action.slot);
  if (action.work == Work::Forward) {
    std::optional<uint64_t> input = receive(action, action.chunk - 1);
    if (!input || cells[place].unsent != 0)
      return false;
    cells[place].value = mix(*input, action.chunk);
    send(action, cells[place].value, action.chunk + 1);
    return true;
  }
  auto cell = cells.find(place);
  if (cell == cells.end()) {
    isWrong = true;
    return true;
  }
  if (action.work == Work::Backward) {
    std::optional<uint64_t> input = receive(action, action.chunk + 1);
    if (!input)
      return false;
    cell->second.gradient = mix(*input, cell->second.value);
    send(action, cell->second.gradient, action.chunk - 1);
  }
  if (action.work == lists.last)
    sums[action.chunk] =
        mix(sums[action.chunk], mix(cell->second.value, cell->second.gradient));
  return true;
}

std::optional<std::vector<uint64_t>> Executor::run() {
  std::vector<size_t> next(lists.stages.size());
  for (bool goesOn = true; goesOn && !isWrong;) {
    goesOn = false;
    for (auto [stage, actions] : llvm::enumerate(lists.stages))
      while (next[stage] < actions.size() && tryAction(actions[next[stage]])) {
        ++next[stage];
        goesOn = true;
      }
  }
  for (auto [stage, actions] : llvm::enumerate(lists.stages))
    isWrong |= next[stage] < actions.size();
  if (isWrong || !messages.empty())
    return std::nullopt;
  std::vector<uint64_t> result;
  for (auto [chunk, sum] : sums)
    result.push_back(sum);
  return result;
}

namespace {
/// Drops, doubles or exchanges actions or slots.
PipelineLists change(PipelineLists lists, std::mt19937 &random) {
  auto &stage = lists.stages[random() % lists.stages.size()];
  auto &other = lists.stages[random() % lists.stages.size()];
  auto any = [&](auto &actions) -> PipelineAction & {
    return actions[random() % actions.size()];
  };
  switch (random() % 7) {
  case 0:
    stage.erase(&any(stage));
    break;
  case 1: {
    PipelineAction action = any(stage);
    stage.insert(&any(stage), action);
    break;
  }
  case 2:
    std::swap(any(stage), any(stage));
    break;
  case 3:
    std::swap(any(stage), any(other));
    break;
  case 4:
    std::swap(any(stage).slot, any(stage).slot);
    break;
  case 5:
    any(stage).slot = static_cast<int64_t>(random() % 4);
    break;
  default:
    any(stage).microBatch =
        static_cast<int64_t>(random() % lists.shape.microBatches);
  }
  return lists;
}

std::string print(const PipelineLists &lists) {
  std::string text;
  for (const auto &actions : lists.stages) {
    for (const PipelineAction &action : actions)
      text += "FBW"[int(action.work)] + std::to_string(action.chunk) + "." +
              std::to_string(action.microBatch) + "@" +
              std::to_string(action.slot) + " ";
    text += "\n";
  }
  return text;
}
} // namespace

TEST(PipelineSchedule, WhatComputesSomethingElseIsRefused) {
  std::mt19937 random(1);
  for (Schedule schedule : kSchedules) {
    PipelineShape shape{3, schedule == Schedule::Interleaved ? 2 : 1, 6};
    PipelineLists lists = make(schedule, shape);
    auto expected = Executor(lists).run();
    ASSERT_TRUE(expected);
    std::set<std::string> wrong;
    while (wrong.size() < 100) {
      PipelineLists changed = change(lists, random);
      if (Executor(changed).run() == expected ||
          !wrong.insert(print(changed)).second)
        continue;
      EXPECT_NE(verify(changed), "") << getName(schedule).str() << "\n"
                                     << print(changed);
    }
  }
}

TEST(PipelineSchedule, EachRuleHasItsMessage) {
  auto refuse = [](function_ref<void(PipelineLists &)> edit) {
    PipelineLists lists =
        make(Schedule::OneForwardOneBackward, PipelineShape{2, 1, 2});
    edit(lists);
    return verify(lists);
  };
  EXPECT_EQ(refuse([](auto &lists) { lists.stages.pop_back(); }),
            "expects the lists of 2 stages, but got 1");
  EXPECT_EQ(refuse([](auto &lists) { lists.stages[1][0].chunk = 0; }),
            "stage 1 has no chunk 0");
  EXPECT_EQ(
      refuse([](auto &lists) { lists.stages[1][1].work = Work::Weights; }),
      "stage 1 expects no weight pass, but got the weight pass of "
      "micro-batch 0 on chunk 1");
  EXPECT_EQ(refuse([](auto &lists) { lists.stages[0][0].slot = -1; }),
            "stage 0 expects slots of at least 0, but got -1");
  EXPECT_EQ(refuse([](auto &lists) { lists.stages[0][1].microBatch = 0; }),
            "stage 0 expects a forward pass on chunk 0 for each of 2 "
            "micro-batches in their order, but got micro-batch 0 after 1 of "
            "them");
  EXPECT_EQ(refuse([](auto &lists) { lists.stages[0].pop_back(); }),
            "stage 0 expects a backward pass on chunk 0 for each of 2 "
            "micro-batches, but got 1 of them");
  EXPECT_EQ(refuse([](auto &lists) {
              std::swap(lists.stages[1][0], lists.stages[1][1]);
            }),
            "stage 1 has the backward pass of micro-batch 0 on chunk 1 before "
            "its forward pass");
  EXPECT_EQ(refuse([](auto &lists) { lists.stages[0][1].slot = 0; }),
            "stage 0 has the forward pass of micro-batch 1 on chunk 0 in slot "
            "0, which micro-batch 0 on chunk 0 still needs");
  EXPECT_EQ(refuse([](auto &lists) { lists.stages[0][2].slot = 1; }),
            "stage 0 has the backward pass of micro-batch 0 on chunk 0 in slot "
            "1, which holds something else");
  EXPECT_EQ(refuse([](auto &lists) {
              auto &actions = lists.stages[0];
              std::swap(actions[1], actions[2]);
              actions[1].slot = 0;
              std::swap(lists.stages[1][1], lists.stages[1][2]);
              lists.stages[1][1].slot = 1;
              lists.stages[1][3].slot = 1;
            }),
            "stage 0 waits forever before the backward pass of micro-batch 0 "
            "on chunk 0");
}

//===----------------------------------------------------------------------===//
// The list of all stages
//===----------------------------------------------------------------------===//

/// A slot of `interleaved` may be filled only after another chunk was sent.
TEST(PipelineSchedule, StagesSendBeforeTheyGoOn) {
  for (Schedule schedule : kSchedules)
    for (int64_t p : {2, 4}) {
      if (schedule == Schedule::Interleaved)
        continue;
      PipelineShape shape = {p, 1, 8};
      PipelineLists lists = make(schedule, shape);
      // The last action of each stage that has not been sent.
      std::vector<std::optional<PipelineAction>> unsent(p);
      for (const PipelineStep &step :
           linearize(lists, simulate(lists, getCosts(shape, 1, 1, 1)))) {
        if (const auto *transfer = std::get_if<PipelineTransfer>(&step)) {
          unsent[transfer->from].reset();
          continue;
        }
        const auto &action = std::get<PipelineAction>(step);
        int64_t stage = shape.getStage(action.chunk);
        EXPECT_FALSE(unsent[stage])
            << getName(schedule).str() << " on stage " << stage;
        bool isForward = action.work == PipelineWork::Forward;
        int64_t other = action.chunk + (isForward ? 1 : -1);
        if (action.work != PipelineWork::Weights && other >= 0 &&
            other < shape.getNumChunks())
          unsent[stage] = action;
      }
    }
}

//===----------------------------------------------------------------------===//
// Documentation
//===----------------------------------------------------------------------===//

namespace {
/// Draws stages over time, with a column for each second.
std::string draw(const PipelineLists &lists) {
  PipelineTimeline timeline = simulate(lists, getCosts(lists.shape, 1, 1, 1));
  std::string text;
  for (auto [stage, actions] : llvm::enumerate(lists.stages)) {
    std::string line(3 * static_cast<size_t>(timeline.makespan), ' ');
    for (auto [action, span] :
         llvm::zip_equal(actions, timeline.actions[stage])) {
      bool isFirst = action.chunk < lists.shape.stages;
      std::string cell(1, (isFirst ? "FBW" : "fbw")[int(action.work)]);
      cell += std::to_string(action.microBatch);
      line.replace(3 * static_cast<size_t>(span.begin), cell.size(), cell);
    }
    text += std::to_string(stage) + "  " + StringRef(line).rtrim().str() + "\n";
  }
  return text;
}
} // namespace

TEST(PipelineSchedule, ThePageShowsTheLists) {
  auto page = llvm::MemoryBuffer::getFile(BOOST_MLIR_PIPELINE_PAGE);
  ASSERT_TRUE(page);
  int64_t pictures = 0;
  for (Schedule schedule : kSchedules)
    for (PipelineShape shape : {PipelineShape{4, 1, 8}, {4, 2, 4}}) {
      if ((schedule == Schedule::Interleaved) != (shape.chunksPerStage == 2))
        continue;
      std::string picture = "```text\n" + draw(make(schedule, shape)) + "```\n";
      EXPECT_TRUE((*page)->getBuffer().contains(picture)) << picture;
      ++pictures;
    }
  EXPECT_EQ(pictures, 4);
}
