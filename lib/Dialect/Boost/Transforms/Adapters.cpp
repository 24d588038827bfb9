//===- Adapters.cpp - Bottlenecks beside linears --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Adapters.h"

#include "boost-mlir/Dialect/Boost/IR/Factors.h"
#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "boost-mlir/Support/ReadValues.h"

using namespace mlir;
using namespace mlir::boost;

/// Returns the only operand that depends on the batch; none if there are
/// several, or none.
static Value getOnlyActivation(Operation *op,
                               const DenseSet<Value> &activations) {
  Value only;
  for (Value operand : op->getOperands()) {
    if (!activations.contains(operand))
      continue;
    if (only && only != operand)
      return {};
    only = operand;
  }
  return only;
}

/// Returns what a norm and scales are of: a linear reads the result of a norm,
/// a first factor perhaps its input times gamma, where the latent is divided by
/// the norm.
static Value skipScales(Value value, const DenseSet<Value> &activations) {
  while (Operation *op = value.getDefiningOp()) {
    if (isa<LayerNormOp, RMSNormOp>(op))
      value = op->getOperand(0);
    else if (Value scaled = isa<stablehlo::MulOp>(op)
                                ? getOnlyActivation(op, activations)
                                : Value())
      value = scaled;
    else
      break;
  }
  return value;
}

namespace {
/// The values that the factors of a bottleneck make of an input, followed
/// through other operations.
struct LowRank {
  Value input;
  /// The bottleneck, or the linears that are its factors.
  SmallVector<Operation *, 2> factors;
};
} // namespace

/// Returns the latent that `op` is a function of; none if there is none, or if
/// there are several of different inputs.
static std::optional<LowRank>
findLatent(Operation *op, const DenseMap<Value, LowRank> &latents) {
  std::optional<LowRank> found;
  for (Value operand : op->getOperands()) {
    auto latent = latents.find(operand);
    if (latent == latents.end())
      continue;
    if (found && found->input != latent->second.input)
      return std::nullopt;
    if (!found)
      found = LowRank{latent->second.input, {}};
    for (Operation *factor : latent->second.factors)
      if (!llvm::is_contained(found->factors, factor))
        found->factors.push_back(factor);
  }
  return found;
}

Adapters::Adapters(func::FuncOp func) {
  DenseSet<Value> activations;
  for (BlockArgument argument : func.getArguments())
    if (!isParameter(argument))
      activations.insert(argument);
  DenseMap<Value, LowRank> latents, results;
  // The inputs of linears, by their results and by sums with adapters.
  DenseMap<Value, Value> linears;
  auto follow = [](auto &map, Value from, Value to) {
    if (auto known = map.find(from); known != map.end()) {
      auto copy = known->second;
      map[to] = std::move(copy);
    }
  };
  for (Operation &op : func.front()) {
    if (llvm::any_of(getReadValues(&op),
                     [&](Value value) { return activations.contains(value); }))
      activations.insert_range(op.getResults());
    if (auto bottleneck = dyn_cast<BottleneckOp>(op)) {
      for (Value result : bottleneck.getResults())
        results[result] = {skipScales(bottleneck.getInput(), activations),
                           {bottleneck}};
    } else if (auto linear = dyn_cast<LinearOp>(op)) {
      Value input = linear.getInput(), result = linear.getResult();
      std::optional<Factor> factor = getFactor(linear);
      if (!factor) {
        linears[result] = skipScales(input, activations);
      } else if (factor == Factor::First) {
        latents[result] = {skipScales(input, activations), {linear}};
      } else if (auto latent = latents.find(input); latent != latents.end()) {
        LowRank product = latent->second;
        product.factors.push_back(linear);
        (factor == Factor::Middle ? latents : results)[result] = product;
      }
    } else if (std::optional<LowRank> latent = findLatent(&op, latents)) {
      for (Value result : op.getResults())
        latents[result] = *latent;
    } else if (isa<stablehlo::AddOp>(op) &&
               !getOnlyActivation(&op, activations)) {
      for (auto [one, other] :
           {std::pair(op.getOperand(0), op.getOperand(1)),
            std::pair(op.getOperand(1), op.getOperand(0))}) {
        auto linear = linears.find(one);
        auto product = results.find(other);
        if (linear == linears.end() || product == results.end() ||
            linear->second != product->second.input)
          continue;
        for (Operation *factor : product->second.factors)
          inputs[factor] = product->second.factors.front()->getOperand(0);
        Value input = linear->second;
        linears[op.getResult(0)] = input;
        break;
      }
    } else if (op.getNumResults() == 1 &&
               (op.hasTrait<OpTrait::Elementwise>() ||
                isa<stablehlo::ReshapeOp, stablehlo::SliceOp>(op))) {
      Value only = getOnlyActivation(&op, activations);
      if (!only)
        continue;
      follow(results, only, op.getResult(0));
      follow(linears, only, op.getResult(0));
    }
  }
}
