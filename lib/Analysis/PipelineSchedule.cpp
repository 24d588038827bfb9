//===- PipelineSchedule.cpp - What pipeline stages do when ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the lists of the schedules of pipeline parallelism, and verifies lists.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Analysis/PipelineSchedule.h"

#include "PipelineGraph.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::boost;

template <>
ArrayRef<NamedValue<PipelineSchedule>> mlir::boost::getNamedValues() {
  using Schedule = PipelineSchedule;
  static constexpr NamedValue<Schedule> values[] = {
      {Schedule::GPipe, "gpipe",
       "all forward passes, then all backward passes"},
      {Schedule::OneForwardOneBackward, "1f1b",
       "backward passes in turn with forward passes"},
      {Schedule::Interleaved, "interleaved",
       "1f1b with several chunks of layers per stage"},
      {Schedule::ZeroBubble, "zb-h1",
       "1f1b with the gradients of weights apart, where stages would be idle"}};
  return values;
}

//===----------------------------------------------------------------------===//
// Making
//===----------------------------------------------------------------------===//

/// Checks a shape that several chunks per stage are possible with or not.
static llvm::Error checkShape(PipelineShape shape, StringRef schedule,
                              bool isInterleaved) {
  auto refuse = [](const auto &message) {
    return llvm::createStringError(message.str());
  };
  for (auto [count, what] : {std::pair(shape.stages, "stage"),
                             std::pair(shape.chunksPerStage, "chunk per stage"),
                             std::pair(shape.microBatches, "micro-batch")})
    if (count < 1)
      return refuse(
          llvm::formatv("expects at least 1 {0}, but got {1}", what, count));
  if (!isInterleaved && shape.chunksPerStage != 1)
    return refuse(llvm::formatv(
        "expects 1 chunk per stage with the schedule {0}, but got {1}",
        schedule, shape.chunksPerStage));
  if (isInterleaved && shape.chunksPerStage > 1 && shape.stages < 2)
    return refuse(llvm::formatv(
        "expects at least 2 stages with {0} chunks per stage, but got 1",
        shape.chunksPerStage));
  if (shape.chunksPerStage > 1 && shape.microBatches % shape.stages != 0)
    return refuse(llvm::formatv(
        "expects a number of micro-batches that the {0} stages divide with {1} "
        "chunks per stage, but got {2}",
        shape.stages, shape.chunksPerStage, shape.microBatches));
  return llvm::Error::success();
}

namespace {
/// Appends the actions of one stage.
class StageBuilder {
public:
  StageBuilder(PipelineShape shape, int64_t stage)
      : shape(shape), stage(stage) {}

  /// Appends the next `count` forward passes, or as many as there are.
  void addForward(int64_t count) { add(PipelineWork::Forward, count); }
  void addBackward(int64_t count) { add(PipelineWork::Backward, count); }
  void addWeights(int64_t count) { add(PipelineWork::Weights, count); }

  int64_t getTotal() const { return shape.chunksPerStage * shape.microBatches; }
  SmallVector<PipelineAction> take() { return std::move(actions); }

private:
  void add(PipelineWork work, int64_t count) {
    int64_t &next = done[static_cast<size_t>(work)];
    for (int64_t end = std::min(next + count, getTotal()); next < end; ++next)
      actions.push_back(getAction(work, next));
  }

  /// Several chunks take turns with as many micro-batches as there are stages;
  /// backward passes go through the chunks the other way round.
  PipelineAction getAction(PipelineWork work, int64_t number) const {
    if (shape.chunksPerStage == 1)
      return {work, stage, number};
    int64_t round = shape.getNumChunks();
    int64_t chunk = number % round / shape.stages;
    if (work != PipelineWork::Forward)
      chunk = shape.chunksPerStage - 1 - chunk;
    return {work, chunk * shape.stages + stage,
            number / round * shape.stages + number % shape.stages};
  }

  PipelineShape shape;
  int64_t stage;
  /// The number of actions of each kind.
  std::array<int64_t, kNumPipelineWorks> done{};
  SmallVector<PipelineAction> actions;
};
} // namespace

/// The number of forward passes of a stage before those that take turns with
/// backward passes, with the schedules of 1F1B.
static int64_t getWarmUp(PipelineShape shape, int64_t stage) {
  int64_t behind = shape.stages - 1 - stage;
  // As in Megatron-LM: until the first micro-batches are back.
  if (shape.chunksPerStage > 1)
    return 2 * behind + (shape.chunksPerStage - 1) * shape.stages;
  return behind;
}

static SmallVector<PipelineAction>
makeStage(PipelineSchedule schedule, PipelineShape shape, int64_t stage) {
  StageBuilder builder(shape, stage);
  int64_t total = builder.getTotal();
  if (schedule == PipelineSchedule::GPipe) {
    builder.addForward(total);
    builder.addBackward(total);
    return builder.take();
  }
  builder.addForward(getWarmUp(shape, stage));
  for (int64_t i = 0; i < total; ++i) {
    builder.addForward(1);
    builder.addBackward(1);
    // Later stages are idle later, so that they leave more for the end.
    if (schedule == PipelineSchedule::ZeroBubble && i >= stage)
      builder.addWeights(1);
  }
  if (schedule == PipelineSchedule::ZeroBubble)
    builder.addWeights(total);
  return builder.take();
}

llvm::Expected<PipelineLists>
mlir::boost::makePipelineLists(PipelineSchedule schedule, PipelineShape shape) {
  bool isInterleaved = schedule == PipelineSchedule::Interleaved;
  if (llvm::Error error = checkShape(shape, getName(schedule), isInterleaved))
    return error;
  if (isInterleaved && shape.chunksPerStage == 1)
    return llvm::createStringError("expects at least 2 chunks per stage with "
                                   "the schedule interleaved, but got 1");
  PipelineLists lists{shape,
                      schedule == PipelineSchedule::ZeroBubble
                          ? PipelineWork::Weights
                          : PipelineWork::Backward,
                      {}};
  for (int64_t stage : llvm::seq(shape.stages))
    lists.stages.push_back(makeStage(schedule, shape, stage));
  assignSlots(lists);
  return lists;
}

llvm::Expected<PipelineLists>
mlir::boost::makeForwardLists(PipelineShape shape) {
  if (llvm::Error error = checkShape(shape, "", /*isInterleaved=*/true))
    return error;
  PipelineLists lists{shape, PipelineWork::Forward, {}};
  for (int64_t stage : llvm::seq(shape.stages)) {
    StageBuilder builder(shape, stage);
    builder.addForward(builder.getTotal());
    lists.stages.push_back(builder.take());
  }
  assignSlots(lists);
  return lists;
}

//===----------------------------------------------------------------------===//
// Slots
//===----------------------------------------------------------------------===//

namespace {
/// Hands out the lowest slot of a stage that is free.
class SlotPool {
public:
  int64_t take() {
    int free = used.find_first_unset();
    if (free < 0) {
      free = static_cast<int>(used.size());
      used.resize(used.size() + 1);
    }
    used.set(free);
    return free;
  }
  void release(int64_t slot) { used.reset(slot); }

private:
  llvm::BitVector used;
};
} // namespace

void mlir::boost::assignSlots(PipelineLists &lists) {
  // Values that are sent keep their slot longer. The list of all stages tells
  // how long, with the same costs for all actions.
  PipelineCosts costs;
  costs.chunks.assign(lists.shape.getNumChunks(), {1, 1, 1});
  costs.boundaries.assign(lists.shape.getNumChunks() - 1, 0);
  PipelineGraph graph(lists, {/*forReceiver=*/true, /*forSlots=*/false});
  SmallVector<int64_t> order;
  SmallVector<PipelineSpan> spans = graph.simulate(costs, order);

  SmallVector<SlotPool> pools(lists.shape.stages);
  // The slot of a chunk and a micro-batch, and the number of its uses to come.
  DenseMap<std::pair<int64_t, int64_t>, std::pair<int64_t, int64_t>> slots;
  auto getPair = [&](int64_t node) {
    const PipelineAction &action = graph.getAction(node);
    return std::pair(action.chunk, action.microBatch);
  };
  for (int64_t node : order)
    ++slots[getPair(graph.isTransfer(node) ? graph.getProducer(node) : node)]
          .second;
  DenseSet<std::pair<int64_t, int64_t>> begun;
  for (int64_t node : graph.sort(spans)) {
    bool isTransfer = graph.isTransfer(node);
    std::pair filled = getPair(isTransfer ? graph.getConsumer(node) : node);
    if (begun.insert(filled).second)
      slots[filled].first = pools[lists.shape.getStage(filled.first)].take();
    std::pair used = getPair(isTransfer ? graph.getProducer(node) : node);
    if (--slots[used].second == 0)
      pools[lists.shape.getStage(used.first)].release(slots[used].first);
  }
  for (SmallVector<PipelineAction> &actions : lists.stages)
    for (PipelineAction &action : actions)
      action.slot = slots[{action.chunk, action.microBatch}].first;
}

SmallVector<int64_t> mlir::boost::countSlots(const PipelineLists &lists) {
  return llvm::map_to_vector(lists.stages,
                             [](ArrayRef<PipelineAction> actions) {
                               int64_t count = 0;
                               for (const PipelineAction &action : actions)
                                 count = std::max(count, action.slot + 1);
                               return count;
                             });
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

static StringRef getNoun(PipelineWork work) {
  switch (work) {
  case PipelineWork::Forward:
    return "forward pass";
  case PipelineWork::Backward:
    return "backward pass";
  case PipelineWork::Weights:
    return "weight pass";
  }
  llvm_unreachable("all kinds of work are handled");
}

static std::string describe(const PipelineAction &action) {
  return llvm::formatv("the {0} of micro-batch {1} on chunk {2}",
                       getNoun(action.work), action.microBatch, action.chunk);
}

namespace {
/// Checks the list of one stage.
class StageVerifier {
public:
  StageVerifier(const PipelineLists &lists, int64_t stage)
      : shape(lists.shape), last(lists.last), stage(stage),
        actions(lists.stages[stage]) {}

  llvm::Error run();

private:
  template <typename... Args>
  llvm::Error refuse(const char *format, Args &&...args) const {
    return llvm::createStringError(
        "stage " + std::to_string(stage) + " " +
        llvm::formatv(format, std::forward<Args>(args)...).str());
  }

  llvm::Error checkPlace(const PipelineAction &action) const;
  llvm::Error checkOrder(const PipelineAction &action);
  llvm::Error checkSlot(const PipelineAction &action);

  PipelineShape shape;
  PipelineWork last;
  int64_t stage;
  ArrayRef<PipelineAction> actions;
  /// The number of actions of each chunk by work.
  DenseMap<int64_t, std::array<int64_t, kNumPipelineWorks>> done;
  /// The chunk and the micro-batch in each slot.
  DenseMap<int64_t, std::pair<int64_t, int64_t>> slots;
};
} // namespace

llvm::Error StageVerifier::checkPlace(const PipelineAction &action) const {
  if (action.chunk < 0 || action.chunk >= shape.getNumChunks() ||
      shape.getStage(action.chunk) != stage)
    return refuse("has no chunk {0}", action.chunk);
  if (action.work > last)
    return refuse("expects no {0}, but got {1}", getNoun(action.work),
                  describe(action));
  if (action.slot < 0)
    return refuse("expects slots of at least 0, but got {0}", action.slot);
  return llvm::Error::success();
}

llvm::Error StageVerifier::checkOrder(const PipelineAction &action) {
  auto work = static_cast<size_t>(action.work);
  std::array<int64_t, kNumPipelineWorks> &counts = done[action.chunk];
  if (action.microBatch != counts[work] ||
      action.microBatch >= shape.microBatches)
    return refuse("expects a {0} on chunk {1} for each of {2} micro-batches in "
                  "their order, but got micro-batch {3} after {4} of them",
                  getNoun(action.work), action.chunk, shape.microBatches,
                  action.microBatch, counts[work]);
  if (work > 0 && counts[work - 1] <= action.microBatch)
    return refuse("has {0} before its {1}", describe(action),
                  getNoun(static_cast<PipelineWork>(work - 1)));
  ++counts[work];
  return llvm::Error::success();
}

llvm::Error StageVerifier::checkSlot(const PipelineAction &action) {
  std::pair pair(action.chunk, action.microBatch);
  auto [user, isFree] = slots.try_emplace(action.slot, pair);
  if (action.work == PipelineWork::Forward && !isFree)
    return refuse("has {0} in slot {1}, which micro-batch {2} on chunk {3} "
                  "still needs",
                  describe(action), action.slot, user->second.second,
                  user->second.first);
  if (action.work != PipelineWork::Forward && (isFree || user->second != pair))
    return refuse("has {0} in slot {1}, which holds something else",
                  describe(action), action.slot);
  if (action.work == last)
    slots.erase(action.slot);
  return llvm::Error::success();
}

llvm::Error StageVerifier::run() {
  for (const PipelineAction &action : actions) {
    if (llvm::Error error = checkPlace(action))
      return error;
    if (llvm::Error error = checkOrder(action))
      return error;
    if (llvm::Error error = checkSlot(action))
      return error;
  }
  for (int64_t chunk = stage; chunk < shape.getNumChunks();
       chunk += shape.stages)
    for (size_t work = 0; work <= static_cast<size_t>(last); ++work)
      if (int64_t count = done[chunk][work]; count != shape.microBatches)
        return refuse("expects a {0} on chunk {1} for each of {2} "
                      "micro-batches, but got {3} of them",
                      getNoun(static_cast<PipelineWork>(work)), chunk,
                      shape.microBatches, count);
  return llvm::Error::success();
}

llvm::Error mlir::boost::verifyPipelineLists(const PipelineLists &lists) {
  auto count = static_cast<int64_t>(lists.stages.size());
  if (count != lists.shape.stages)
    return llvm::createStringError(
        llvm::formatv("expects the lists of {0} stages, but got {1}",
                      lists.shape.stages, count)
            .str());
  for (int64_t stage : llvm::seq(count))
    if (llvm::Error error = StageVerifier(lists, stage).run())
      return error;
  PipelineGraph graph(lists, {/*forReceiver=*/true, /*forSlots=*/true});
  llvm::BitVector visited(graph.getNumActions());
  auto visit = [&](int64_t node) {
    if (!graph.isTransfer(node))
      visited.set(node);
  };
  if (graph.visit<int64_t>([](int64_t node) { return node; }, visit))
    return llvm::Error::success();
  // Transfers wait for actions and actions for transfers, so some action waits.
  const PipelineAction &first = graph.getAction(visited.find_first_unset());
  return llvm::createStringError(
      llvm::formatv("stage {0} waits forever before {1}",
                    lists.shape.getStage(first.chunk), describe(first))
          .str());
}
