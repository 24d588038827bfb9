//===- PipelinePrice.cpp - What pipelines of many layers take -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Analysis/PipelinePrice.h"

#include "boost-mlir/Analysis/PipelineLayout.h"
#include "llvm/ADT/SmallBitVector.h"

#include <numeric>
#include <set>

using namespace mlir;
using namespace mlir::boost;

//===----------------------------------------------------------------------===//
// Division
//===----------------------------------------------------------------------===//

SmallVector<int64_t> PipelinePricer::divide(int64_t chunks) const {
  SmallVector<double> seconds;
  for (const LayerProfile::Layer &layer : profile.layers) {
    seconds.push_back(0);
    for (const StepEstimate &work : layer.works)
      seconds.back() += work.seconds;
  }
  return divideEvenly(seconds, chunks);
}

//===----------------------------------------------------------------------===//
// Prices
//===----------------------------------------------------------------------===//

double PipelinePrice::getIdleShare() const {
  double busy = std::accumulate(busySeconds.begin(), busySeconds.end(), 0.0);
  return 1 - busy / static_cast<double>(busySeconds.size()) / step.seconds;
}

namespace {
/// One pipeline of a program.
class Pricing {
public:
  Pricing(const LayerProfile &profile, const PipelinePlan &plan);

  PipelineCosts getCosts(const Machine &machine, int64_t span) const;
  void addMemory(const PipelineLists &lists, PipelinePrice &price) const;
  /// Returns the time of a stage and what it sends, with its update, if it
  /// computed everything without waiting. `update` is set to the update alone.
  StepEstimate getBusy(int64_t stage, const Machine &machine,
                       int64_t bucketBytes, double &update) const;

private:
  int64_t getChunk(int64_t layer) const { return chunks[layer]; }
  int64_t getStage(int64_t layer) const {
    return plan.shape.getStage(chunks[layer]);
  }
  /// Without gradients of weights apart, these belong to the backward pass.
  PipelineWork getWork(PipelineWork work) const {
    bool areApart = plan.order == PipelineSchedule::ZeroBubble;
    return work == PipelineWork::Weights && !areApart ? PipelineWork::Backward
                                                      : work;
  }
  bool areInOneCall(LayerCall one, LayerCall other) const {
    return getChunk(one.layer) == getChunk(other.layer) &&
           getWork(one.work) == getWork(other.work);
  }
  SmallVector<int64_t> getSlotBytes() const;

  const LayerProfile &profile;
  const PipelinePlan &plan;
  /// The chunk of every layer.
  SmallVector<int64_t> chunks;
};
} // namespace

Pricing::Pricing(const LayerProfile &profile, const PipelinePlan &plan)
    : profile(profile), plan(plan) {
  for (auto [chunk, length] : llvm::enumerate(plan.layout))
    chunks.append(length, static_cast<int64_t>(chunk));
}

PipelineCosts Pricing::getCosts(const Machine &machine, int64_t span) const {
  PipelineCosts costs;
  int64_t count = plan.shape.getNumChunks();
  costs.chunks.assign(count, {});
  for (auto [layer, each] : llvm::enumerate(profile.layers))
    for (auto [work, estimate] : llvm::enumerate(each.works)) {
      PipelineWork own = getWork(static_cast<PipelineWork>(work));
      costs.chunks[getChunk(layer)][static_cast<size_t>(own)] +=
          estimate.seconds;
    }
  // The bytes that cross each boundary forward, and backward.
  SmallVector<std::array<double, 2>> bytes(count - 1);
  for (const LayerProfile::Kept &value : profile.kept) {
    int64_t chunk = getChunk(value.producer.layer);
    bool isForward = value.producer.work == PipelineWork::Forward;
    int64_t other = isForward ? chunk + 1 : chunk - 1;
    if (llvm::any_of(value.readers, [&](LayerCall reader) {
          return getChunk(reader.layer) == other;
        }))
      bytes[std::min(chunk, other)][isForward ? 0 : 1] +=
          static_cast<double>(value.bytes);
  }
  // Between two ranks a broadcast sends everything once.
  for (auto [forward, backward] : bytes)
    costs.boundaries.push_back(machine.getCollectiveSeconds(
        CollectiveKind::Broadcast, std::max(forward, backward), 2, span));
  return costs;
}

/// Returns the bytes of a slot of each stage: what other calls read of what a
/// call keeps, on the stages of all of them.
SmallVector<int64_t> Pricing::getSlotBytes() const {
  SmallVector<int64_t> bytes(plan.shape.stages);
  for (const LayerProfile::Kept &value : profile.kept) {
    llvm::SmallBitVector stages(plan.shape.stages);
    for (LayerCall reader : value.readers)
      if (!areInOneCall(reader, value.producer))
        stages.set(getStage(reader.layer));
    if (stages.none())
      continue;
    stages.set(getStage(value.producer.layer));
    for (unsigned stage : stages.set_bits())
      bytes[stage] += value.bytes;
  }
  return bytes;
}

void Pricing::addMemory(const PipelineLists &lists,
                        PipelinePrice &price) const {
  SmallVector<int64_t> slots = countSlots(lists);
  SmallVector<int64_t> fixed(plan.shape.stages), others(plan.shape.stages);
  SmallVector<int64_t> temporary(plan.shape.stages);
  std::set<std::array<int64_t, 3>> seen;
  for (const LayerProfile::Tensor &tensor : profile.tensors)
    for (int64_t layer : tensor.layers) {
      int64_t stage = getStage(layer);
      if (seen.insert({stage, tensor.group, getStage(tensor.owner)}).second)
        (tensor.isFixed ? fixed : others)[stage] += tensor.bytes;
    }
  for (auto [layer, each] : llvm::enumerate(profile.layers)) {
    int64_t &most = temporary[getStage(layer)];
    most = std::max(most, each.temporaryBytes);
  }
  SmallVector<int64_t> slotBytes = getSlotBytes();
  for (int64_t stage : llvm::seq(plan.shape.stages))
    price.peaks.push_back(fixed[stage] + others[stage] + temporary[stage] +
                          slots[stage] * slotBytes[stage]);
  price.fixed = *llvm::max_element(fixed);
}

StepEstimate Pricing::getBusy(int64_t stage, const Machine &machine,
                              int64_t bucketBytes, double &update) const {
  StepEstimate busy;
  SmallVector<const FunctionCost *> updates;
  for (auto [layer, each] : llvm::enumerate(profile.layers)) {
    if (getStage(static_cast<int64_t>(layer)) != stage)
      continue;
    for (const StepEstimate &work : each.works)
      busy.add(work, static_cast<double>(plan.shape.microBatches));
    updates.push_back(&each.update);
  }
  StepEstimate own = getMergedEstimate(updates, bucketBytes, machine);
  update = own.seconds;
  busy.add(own);
  return busy;
}

llvm::Expected<PipelinePrice>
PipelinePricer::price(const PipelinePlan &plan) const {
  llvm::Expected<PipelineLists> lists =
      makePipelineLists(plan.order, plan.shape);
  if (!lists)
    return lists.takeError();
  Pricing pricing(profile, plan);
  PipelineTimeline timeline = simulate(*lists, pricing.getCosts(machine, span));
  PipelinePrice price;
  double updates = 0;
  std::map<int64_t, double> layers;
  for (int64_t stage : llvm::seq(plan.shape.stages)) {
    double update = 0;
    StepEstimate busy = pricing.getBusy(stage, machine, bucketBytes, update);
    updates = std::max(updates, update);
    price.busySeconds.push_back(busy.seconds);
    for (auto [kind, seconds] : busy.layers)
      layers[kind] += seconds;
    if (busy.seconds > price.step.seconds)
      price.step = busy;
  }
  price.step.seconds = timeline.makespan + updates;
  price.step.layers = layers;
  pricing.addMemory(*lists, price);
  return price;
}
