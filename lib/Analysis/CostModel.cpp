//===- CostModel.cpp - Seconds and work of a runtime program --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums over functions and over a training step.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Analysis/CostModel.h"

#include "boost-mlir/Dialect/Boost/IR/Choice.h"
#include "boost-mlir/Dialect/Boost/IR/Layers.h"
#include "boost-mlir/Dialect/Boost/IR/Mesh.h"
#include "boost-mlir/Dialect/Boost/IR/Schedule.h"
#include "boost-mlir/Interfaces/CostModelOpInterface.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::boost;

double FunctionCost::getSeconds() const {
  double seconds = 0;
  for (const auto &[kind, cost] : classes)
    seconds += cost.seconds;
  return seconds;
}

double StepCost::getSeconds() const {
  if (!stages.empty())
    return pipelineSeconds;
  double seconds = 0;
  for (const StepPart &part : parts)
    seconds += part.getSeconds();
  return seconds;
}

std::map<int64_t, double> StepCost::getLayerSeconds() const {
  std::map<int64_t, double> layers;
  for (const StepPart &part : parts)
    for (auto [kind, seconds] : part.cost.layers)
      layers[kind] += static_cast<double>(part.count) * seconds;
  return layers;
}

/// Returns true if tensors of several layers may be in the call. For
/// collectives these are the calls that are awaited at the end of the step.
static bool isShared(Operation *op, const OpCost &cost) {
  if (cost.tensorBytes.empty() || !cost.message)
    return !cost.tensorBytes.empty();
  auto component = op->getAttrOfType<StringAttr>(kComponentAttr);
  return component &&
         (component == kGradientsComponent || component == kOptimizerComponent);
}

/// Returns a key that is equal for calls that may become one: they may differ
/// in their tensors and their layer.
static std::string getSharedKey(Operation *op, const OpCost &cost) {
  std::string key;
  llvm::raw_string_ostream os(key);
  os << op->getName();
  for (StringRef name : {StringRef(kComponentAttr), StringRef(kPhaseAttr)})
    if (auto text = op->getAttrOfType<StringAttr>(name))
      os << " " << text.getValue();
  if (auto group = dyn_cast<RankGroupOpInterface>(op))
    os << " " << group.getGroupAxes();
  else
    for (Value value : {op->getOperand(0), op->getOperands().back()})
      os << " " << getElementTypeOrSelf(value);
  return key;
}

/// Returns the phase of the step that a call belongs to.
static Phase getPhase(Operation *op) {
  auto phase = op->getAttrOfType<StringAttr>(kPhaseAttr);
  return phase ? *symbolizePhase(phase.getValue()) : Phase::Forward;
}

FunctionCost mlir::boost::getFunctionCost(func::FuncOp function,
                                          const Mesh &mesh,
                                          const Machine &machine) {
  FunctionCost total;
  function.walk([&](CostModelOpInterface op) {
    OpCost cost = op.getCost(mesh);
    double seconds = machine.getSeconds(cost);
    for (ClassCosts *costs : {&total.classes, &total.phases[getPhase(op)]}) {
      ClassCost &sum = (*costs)[cost.kind];
      ++sum.calls;
      sum.flops += cost.flops;
      sum.memoryBytes += cost.memoryBytes;
      if (cost.message)
        sum.networkBytes += cost.message->getSentBytes();
      sum.seconds += seconds;
    }
    LayerAttr layer = getLayer(op);
    bool shared = isShared(op, cost);
    total.layers[layer && !shared ? layer.getKind() : kOutsideOfLayers] +=
        seconds;
    if (shared)
      total.shared[getSharedKey(op, cost)].push_back(std::move(cost));
  });
  return total;
}

namespace {
/// Executes a schedule of several stages, whose calls wait for transfers.
class PipelineClock {
public:
  PipelineClock(ModuleOp module, const Mesh &mesh, const Machine &machine,
                StepCost &step);

  void run(ScheduleOp schedule);

private:
  void visit(CallOp call);
  void visit(ChooseOp choice);
  void visit(TransferOp transfer);
  void run(const StepPart &part, std::optional<int64_t> stage,
           std::optional<uint64_t> slot, std::optional<int64_t> microBatch);
  double getSeconds(TransferOp transfer) const;

  const Machine &machine;
  StepCost &step;
  int64_t span = 1;
  llvm::StringMap<const StepPart *> parts;
  llvm::StringMap<int64_t> tensorBytes;
  /// When each stage is done with its last call.
  SmallVector<double> done;
  /// When the link from one stage to another is free.
  std::map<std::pair<int64_t, int64_t>, double> links;
  /// When what was sent to a stage and a slot, or to none, is there.
  std::map<std::pair<int64_t, int64_t>, double> arrivals;
};
} // namespace

PipelineClock::PipelineClock(ModuleOp module, const Mesh &mesh,
                             const Machine &machine, StepCost &step)
    : machine(machine), step(step) {
  AxisMask axis = mesh.getAxisNamed(kPipelineAxis);
  span = mesh.getSpan(axis);
  step.stages.assign(mesh.getSize(axis), 0);
  done.assign(mesh.getSize(axis), 0);
  for (const StepPart &part : step.parts)
    parts[func::FuncOp(part.function).getName()] = &part;
  if (auto tensors = module->getAttrOfType<ArrayAttr>(kTensorsAttr))
    for (auto tensor : tensors.getAsRange<DictionaryAttr>())
      tensorBytes[tensor.getAs<StringAttr>("name").getValue()] +=
          tensor.getAs<IntegerAttr>("bytes").getInt();
}

/// Returns the number of a slot; calls and transfers without one share a place.
static int64_t getPlace(std::optional<uint64_t> slot) {
  return slot ? static_cast<int64_t>(*slot) : -1;
}

/// Runs a part on a stage, or on all of them without a number.
void PipelineClock::run(const StepPart &part, std::optional<int64_t> stage,
                        std::optional<uint64_t> slot,
                        std::optional<int64_t> microBatch) {
  double seconds = part.cost.getSeconds();
  for (auto [number, clock] : llvm::enumerate(done)) {
    auto own = static_cast<int64_t>(number);
    if (stage && *stage != own)
      continue;
    double &arrival = arrivals[{own, getPlace(slot)}];
    double begin = std::max(clock, arrival);
    clock = begin + seconds;
    step.stages[number] += seconds;
    step.timeline.push_back({part.function, own, microBatch, begin, clock});
  }
}

void PipelineClock::visit(CallOp call) {
  std::optional<int64_t> microBatch;
  if (std::optional<uint64_t> of = call.getMicroBatch())
    microBatch = static_cast<int64_t>(*of);
  const StepPart &part = *parts.lookup(call.getCallee());
  run(part, getStage(part.function), call.getSlot(), microBatch);
}

/// Runs the index, and the one function of the choice that is part of the step.
void PipelineClock::visit(ChooseOp choice) {
  for (StringAttr name : choice.getFunctionNames()) {
    const StepPart *part = parts.lookup(name.getValue());
    if (!part)
      continue;
    std::optional<int64_t> stage = getStage(part->function);
    for (const StepPart *each : {parts.lookup(choice.getIndex()), part})
      run(*each, stage, std::nullopt, std::nullopt);
  }
}

double PipelineClock::getSeconds(TransferOp transfer) const {
  int64_t bytes = 0;
  for (StringAttr name : transfer.getNames())
    bytes += tensorBytes.lookup(name.getValue());
  // Between two ranks a broadcast sends everything once.
  return machine.getCollectiveSeconds(CollectiveKind::Broadcast,
                                      static_cast<double>(bytes), 2, span);
}

void PipelineClock::visit(TransferOp transfer) {
  auto from = static_cast<int64_t>(transfer.getFrom());
  auto to = static_cast<int64_t>(transfer.getTo());
  double &free = links[{from, to}];
  free = std::max(free, done[from]);
  // A copy on one stage takes no link.
  if (from != to)
    free += getSeconds(transfer);
  double &arrival = arrivals[{to, getPlace(transfer.getToSlot())}];
  arrival = std::max(arrival, free);
}

void PipelineClock::run(ScheduleOp schedule) {
  for (Operation *op : getActions(schedule)) {
    if (auto call = dyn_cast<CallOp>(op))
      visit(call);
    else if (auto choice = dyn_cast<ChooseOp>(op))
      visit(choice);
    else
      visit(cast<TransferOp>(op));
  }
  step.pipelineSeconds = *llvm::max_element(done);
}

/// Leaves of the functions that a schedule chooses from the one that takes
/// longest.
static void priceChoices(ScheduleOp schedule, StepCost &step) {
  for (ChooseOp choice : getChoices(schedule)) {
    auto isAlternative = [&](const StepPart &part) {
      return llvm::is_contained(choice.getFunctionNames(),
                                func::FuncOp(part.function).getNameAttr());
    };
    double longest = -1;
    func::FuncOp priced;
    for (const StepPart &part : step.parts)
      if (isAlternative(part) && part.getSeconds() > longest) {
        longest = part.getSeconds();
        priced = part.function;
      }
    llvm::erase_if(step.parts, [&](const StepPart &part) {
      return isAlternative(part) && part.function != priced;
    });
  }
}

StepCost mlir::boost::getStepCost(ModuleOp module, const Mesh &mesh,
                                  const Machine &machine) {
  StepCost step;
  ScheduleOp schedule = findMainSchedule(module);
  if (!schedule)
    return step;
  for (CalledFunction called : getCalledFunctions(schedule)) {
    auto function = cast<func::FuncOp>(called.function.getOperation());
    step.parts.push_back(
        {function, called.calls, getFunctionCost(function, mesh, machine)});
  }
  priceChoices(schedule, step);
  bool isPipeline = llvm::any_of(step.parts, [](const StepPart &part) {
    return getStage(part.function).has_value();
  });
  if (isPipeline)
    PipelineClock(module, mesh, machine, step).run(schedule);
  return step;
}
