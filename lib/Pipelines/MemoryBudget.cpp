//===- MemoryBudget.cpp - The cheapest recomputation that fits ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A step is judged by the memory plan and the cost model of the program that it
// makes, not by an estimate. Collectives are never recomputed.
//
//===----------------------------------------------------------------------===//

#include "MemoryBudget.h"

#include "boost-mlir/Analysis/CostModel.h"
#include "boost-mlir/Analysis/Plan.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace mlir::boost;

/// In the order of the bytes that they free per second.
static constexpr StringRef kLadder[] = {"elementwise", "up-projection",
                                        "attention", "down-projection"};

/// The first `count` classes of the ladder.
static std::string joinClasses(int64_t count) {
  return llvm::join(ArrayRef(kLadder).take_front(count), ",");
}

int64_t BudgetSearch::countSteps() const {
  return static_cast<int64_t>(std::size(kLadder)) * layers;
}

std::string BudgetSearch::getOptions(int64_t step) const {
  if (step == 0)
    return "mode=none";
  int64_t classes = (step - 1) / layers + 1;
  int64_t firstLayers = (step - 1) % layers + 1;
  std::string text = "recompute=" + joinClasses(classes) +
                     " layers=" + std::to_string(firstLayers);
  if (classes > 1)
    text += " others=" + joinClasses(classes - 1);
  return text;
}

const BudgetSearch::Outcome *BudgetSearch::tryStep(int64_t step) {
  if (auto it = outcomes.find(step); it != outcomes.end())
    return &it->second;
  OwningOpRef<ModuleOp> copy = module.clone();
  if (failed(plan(*copy, getOptions(step))))
    return nullptr;
  Outcome outcome;
  MemoryPlan memory = getMemoryPlan(*copy);
  outcome.bytes = memory.peak;
  outcome.largest = memory.largest;
  layers = std::max<int64_t>(layers, memory.layers);
  MeshAxes mesh = getMeshAxes(*copy);
  for (auto function : copy->getOps<func::FuncOp>())
    outcome.seconds = std::max(
        outcome.seconds, getProgramCost(function, mesh, machine).getSeconds());
  return &(outcomes[step] = outcome);
}

std::optional<std::string> BudgetSearch::run() {
  const Outcome *plain = tryStep(0);
  if (!plain)
    return std::nullopt;
  if (plain->bytes <= budget)
    return getOptions(chosen = 0);
  // The first class with which it fits. To recompute more can take more: what
  // is computed again is in use beside what need not be kept.
  int64_t tooMuch = 0, fits = 0;
  for (int64_t step = layers; fits == 0 && step <= countSteps();
       step += layers) {
    const Outcome *outcome = tryStep(step);
    if (!outcome)
      return std::nullopt;
    (outcome->bytes <= budget ? fits : tooMuch) = step;
  }
  if (fits == 0)
    return std::nullopt;
  while (fits - tooMuch > 1) {
    int64_t middle = (tooMuch + fits) / 2;
    const Outcome *outcome = tryStep(middle);
    if (!outcome)
      return std::nullopt;
    (outcome->bytes <= budget ? fits : tooMuch) = middle;
  }
  return getOptions(chosen = fits);
}

std::string BudgetSearch::describeShortfall() const {
  if (outcomes.empty())
    return "";
  auto least = llvm::min_element(outcomes, [](const auto &a, const auto &b) {
    return a.second.bytes < b.second.bytes;
  });
  const Outcome &outcome = least->second;
  return "expects a program of at most " + std::to_string(budget) +
         " bytes (--memory-budget), but whatever is recomputed without a "
         "collective, it takes at least " +
         std::to_string(outcome.bytes) + ", " +
         std::to_string(outcome.bytes - budget) +
         " more; the largest tensors are\n" + outcome.largest +
         "use a larger mesh or a smaller batch";
}

std::string BudgetSearch::describeChoice() const {
  const Outcome &plain = outcomes.at(0), &taken = outcomes.at(chosen);
  std::string text;
  llvm::raw_string_ostream(text)
      << "memory budget of " << budget << " bytes: " << getOptions(chosen)
      << " takes " << taken.bytes << " bytes and "
      << llvm::format("%.3f", taken.seconds - plain.seconds)
      << " s per step more than to keep everything, which takes " << plain.bytes
      << " bytes";
  return text;
}
