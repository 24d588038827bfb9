//===- CostModel.cpp - Seconds and work of a runtime program --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums over functions and over a training step.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Analysis/CostModel.h"

#include "boost-mlir/Dialect/Boost/IR/BoostAttrNames.h"
#include "boost-mlir/Dialect/Boost/IR/Layers.h"
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
  auto region = op->getAttrOfType<StringAttr>(kRegionAttr);
  return region && (region == kGradientsRegion || region == kOptimizerRegion);
}

/// Returns a key that is equal for calls that may become one: they may differ
/// in their tensors and their layer.
static std::string getSharedKey(Operation *op, const OpCost &cost) {
  std::string key;
  llvm::raw_string_ostream os(key);
  os << op->getName();
  for (StringRef name : {StringRef(kRegionAttr), StringRef(kPhaseAttr)})
    if (auto text = op->getAttrOfType<StringAttr>(name))
      os << " " << text.getValue();
  if (cost.message)
    os << " " << op->getAttrOfType<IntegerAttr>("group").getInt();
  else
    for (Value value : {op->getOperand(0), op->getOperands().back()})
      os << " " << getElementTypeOrSelf(value);
  return key;
}

FunctionCost mlir::boost::getFunctionCost(func::FuncOp function,
                                          const Mesh &mesh,
                                          const Machine &machine) {
  FunctionCost total;
  function.walk([&](CostModelOpInterface op) {
    OpCost cost = op.getCost(mesh);
    ClassCost &sum = total.classes[cost.kind];
    ++sum.calls;
    sum.flops += cost.flops;
    sum.memoryBytes += cost.memoryBytes;
    if (cost.message)
      sum.networkBytes += cost.message->getSentBytes();
    double seconds = machine.getSeconds(cost);
    sum.seconds += seconds;
    LayerAttr layer = getLayer(op);
    bool shared = isShared(op, cost);
    total.layers[layer && !shared ? layer.getKind() : kOutsideOfLayers] +=
        seconds;
    if (shared)
      total.shared[getSharedKey(op, cost)].push_back(std::move(cost));
  });
  return total;
}

/// Returns how often a step adds to the sums of gradients.
static int64_t countMicroBatches(ModuleOp module) {
  auto optimizer = module->getAttrOfType<DictionaryAttr>(kOptimizerAttr);
  auto get = [&](StringRef name) {
    auto count = optimizer ? optimizer.getAs<IntegerAttr>(name) : nullptr;
    return count ? count.getInt() : 1;
  };
  return get("accumulate") * get("micro_batches");
}

StepCost mlir::boost::getStepCost(ModuleOp module, const Mesh &mesh,
                                  const Machine &machine) {
  using Calls = SmallVector<std::pair<StringRef, int64_t>, 2>;
  const Calls candidates[] = {
      {{kAccumulateFunction, countMicroBatches(module)}, {kUpdateFunction, 1}},
      {{kStepFunction, 1}},
      {{kGradientFunction, 1}},
      {{kLossFunction, 1}}};
  StepCost step;
  for (const Calls &calls : candidates) {
    for (auto [name, count] : calls)
      if (auto function = module.lookupSymbol<func::FuncOp>(name))
        step.parts.push_back(
            {function, count, getFunctionCost(function, mesh, machine)});
    if (!step.parts.empty())
      break;
  }
  return step;
}
