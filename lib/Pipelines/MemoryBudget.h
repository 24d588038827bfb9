//===- MemoryBudget.h - The cheapest recomputation that fits ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses what the backward pass recomputes so that the program fits a budget.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_PIPELINES_MEMORYBUDGET_H
#define BOOST_MLIR_LIB_PIPELINES_MEMORYBUDGET_H

#include "boost-mlir/Analysis/Machine.h"
#include "mlir/IR/BuiltinOps.h"

#include <map>
#include <optional>
#include <string>

namespace mlir::boost {

/// Tries recomputations on the whole rest of the compiler. They form a ladder:
/// each step lets one more class of operations be recomputed, layer after
/// layer, so that memory falls and time grows along it.
class BudgetSearch {
public:
  /// Runs the stages from here to the memory plan with the given options of
  /// the rematerialization pipeline.
  using Planner = llvm::function_ref<LogicalResult(ModuleOp module,
                                                   StringRef rematOptions)>;

  BudgetSearch(ModuleOp module, int64_t budget, const Machine &machine,
               Planner plan)
      : module(module), budget(budget), machine(machine), plan(plan) {}

  /// The options of the first step that fits, or nothing if none does or the
  /// program cannot be planned.
  std::optional<std::string> run();

  /// After a search without result: how much is missing, and the largest
  /// tensors. Empty if planning failed, which has said why.
  std::string describeShortfall() const;
  /// After a successful search: what was chosen, and what it costs.
  std::string describeChoice() const;

private:
  /// What a step needs.
  struct Outcome {
    int64_t bytes = 0;
    double seconds = 0;
    std::string largest;
  };

  const Outcome *tryStep(int64_t step);
  std::string getOptions(int64_t step) const;
  int64_t countSteps() const;

  ModuleOp module;
  int64_t budget;
  const Machine &machine;
  Planner plan;
  int64_t layers = 1;
  int64_t chosen = 0;
  std::map<int64_t, Outcome> outcomes;
};

} // namespace mlir::boost

#endif // BOOST_MLIR_LIB_PIPELINES_MEMORYBUDGET_H
