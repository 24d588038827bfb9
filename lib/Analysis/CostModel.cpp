//===- CostModel.cpp - Seconds and work of a runtime program --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums over functions and over a training step.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Analysis/CostModel.h"

#include "boost-mlir/Dialect/Boost/IR/Layers.h"
#include "boost-mlir/Dialect/Boost/IR/Schedule.h"
#include "boost-mlir/Interfaces/CostModelOpInterface.h"

using namespace mlir;
using namespace mlir::boost;

double FunctionCost::getSeconds() const {
  double seconds = 0;
  for (const auto &[kind, cost] : classes)
    seconds += cost.seconds;
  return seconds;
}

double StepCost::getSeconds() const {
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
  return step;
}
