//===- RematerializeToBudget.cpp - boost-rematerialize-to-budget ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cheapest recomputation that fits. A step is judged by the memory plan and
// the cost model of the program that it makes, not by an estimate. Collectives
// are never recomputed.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Analysis/CostModel.h"
#include "boost-mlir/Analysis/Machine.h"
#include "boost-mlir/Analysis/MemoryPlan.h"
#include "boost-mlir/Pipelines/Passes.h"
#include "boost-mlir/Pipelines/Pipelines.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

#include <cmath>
#include <map>

namespace mlir::boost {
#define GEN_PASS_DEF_REMATERIALIZETOBUDGETPASS
#include "boost-mlir/Pipelines/Passes.h.inc"
} // namespace mlir::boost

using namespace mlir;
using namespace mlir::boost;

//===----------------------------------------------------------------------===//
// Search
//===----------------------------------------------------------------------===//

namespace {

/// Tries recomputations on all of the rest of the compiler. They form a ladder:
/// each step lets one more class of operations be recomputed, layer after
/// layer, so that memory falls and time grows along it.
class BudgetSearch {
public:
  /// Runs the stages from here to the memory plan with the given options of
  /// boost-rematerialize.
  using Planner = llvm::function_ref<LogicalResult(
      ModuleOp module, const RematerializePassOptions &values)>;

  BudgetSearch(ModuleOp module, int64_t budget, const Machine &machine,
               Planner plan)
      : module(module), budget(budget), machine(machine), plan(plan) {}

  /// The options of the first step that fits, or nothing if none does or the
  /// program cannot be planned.
  std::optional<RematerializePassOptions> run();

  /// After a search without result: how much is missing, and the largest
  /// tensors. Empty if planning failed, which has said why.
  std::string describeShortfall() const;
  /// After a successful search: what was chosen, and what it costs.
  std::string describeChoice() const;

private:
  /// The memory of a step.
  struct Outcome {
    int64_t bytes = 0;
    int64_t fixed = 0; ///< of them, what does not depend on the batch
    double seconds = 0;
    std::string largest;
  };

  const Outcome *tryStep(int64_t step);
  std::string nameBudget() const;
  std::string describeRemedy(const Outcome &outcome) const;
  RematerializePassOptions getOptions(int64_t step) const;
  std::string describeOptions(int64_t step) const;
  int64_t countSteps() const;

  ModuleOp module;
  int64_t budget;
  const Machine &machine;
  Planner plan;
  int64_t layers = 1;
  int64_t chosen = 0;
  bool isPlanned = true;
  std::map<int64_t, Outcome> outcomes;
};

} // namespace

/// In the order of the bytes that they free per second.
static constexpr RecomputeClass kLadder[] = {
    RecomputeClass::Elementwise, RecomputeClass::UpProjection,
    RecomputeClass::Attention, RecomputeClass::DownProjection};

int64_t BudgetSearch::countSteps() const {
  return static_cast<int64_t>(std::size(kLadder)) * layers;
}

RematerializePassOptions BudgetSearch::getOptions(int64_t step) const {
  RematerializePassOptions options;
  if (step == 0)
    return options;
  int64_t classes = (step - 1) / layers + 1;
  options.recompute.assign(kLadder, kLadder + classes);
  options.others.assign(kLadder, kLadder + classes - 1);
  options.layers = (step - 1) % layers + 1;
  return options;
}

static std::string joinNames(ArrayRef<RecomputeClass> classes) {
  return llvm::join(llvm::map_range(classes, getName<RecomputeClass>), ",");
}

/// Describes the options of a step as boost-opt reads them.
std::string BudgetSearch::describeOptions(int64_t step) const {
  if (step == 0)
    return "mode=none";
  RematerializePassOptions options = getOptions(step);
  std::string text = "recompute=" + joinNames(options.recompute) +
                     " layers=" + std::to_string(options.layers);
  if (!options.others.empty())
    text += " others=" + joinNames(options.others);
  return text;
}

const BudgetSearch::Outcome *BudgetSearch::tryStep(int64_t step) {
  if (auto it = outcomes.find(step); it != outcomes.end())
    return &it->second;
  OwningOpRef<ModuleOp> copy = module.clone();
  if (failed(plan(*copy, getOptions(step)))) {
    isPlanned = false;
    return nullptr;
  }
  Outcome outcome;
  MemoryPlan memory = getMemoryPlan(*copy);
  outcome.bytes = memory.peak;
  outcome.fixed = memory.fixed;
  outcome.largest = memory.largest;
  layers = std::max<int64_t>(layers, memory.layers);
  FailureOr<Mesh> mesh = Mesh::getOrOneRank(*copy);
  if (failed(mesh))
    return nullptr;
  outcome.seconds = getStepCost(*copy, *mesh, machine).getSeconds();
  return &(outcomes[step] = outcome);
}

std::optional<RematerializePassOptions> BudgetSearch::run() {
  const Outcome *plain = tryStep(0);
  if (!plain)
    return std::nullopt;
  if (plain->bytes <= budget)
    return getOptions(chosen = 0);
  // The first class with which it fits, then how many layers of it. To
  // recompute more can take more: what is computed again is in use beside what
  // need not be kept.
  int64_t tooMuch = 0, fits = 0;
  while (fits == 0 ? tooMuch < countSteps() : fits - tooMuch > 1) {
    int64_t step = fits == 0 ? tooMuch + layers : (tooMuch + fits) / 2;
    const Outcome *outcome = tryStep(step);
    if (!outcome)
      return std::nullopt;
    (outcome->bytes <= budget ? fits : tooMuch) = step;
  }
  if (fits == 0)
    return std::nullopt;
  return getOptions(chosen = fits);
}

/// Names the source of the budget.
std::string BudgetSearch::nameBudget() const {
  if (static_cast<double>(budget) == std::floor(machine.memoryBytes))
    return "memory_bytes of the machine '" + machine.name + "'";
  return "--memory-budget";
}

/// Estimates, without compiling, the meshes and batches that would fit:
/// sharding divides the part that does not depend on the batch, a smaller batch
/// the rest.
std::string BudgetSearch::describeRemedy(const Outcome &outcome) const {
  auto divide = [](int64_t bytes, int64_t room) {
    return std::to_string((bytes + room - 1) / room);
  };
  std::string text = "parameters, gradients and optimizer take " +
                     std::to_string(outcome.fixed) +
                     " bytes of it, whatever the batch; ";
  if (outcome.fixed >= budget)
    return text + "use a mesh that shards them over " +
           divide(outcome.bytes, budget) + " times as many ranks";
  return text + "use a batch that is " +
         divide(outcome.bytes - outcome.fixed, budget - outcome.fixed) +
         " times smaller (--micro-batches computes it in parts), or a larger "
         "mesh";
}

std::string BudgetSearch::describeShortfall() const {
  if (!isPlanned)
    return "";
  auto least = llvm::min_element(outcomes, [](const auto &a, const auto &b) {
    return a.second.bytes < b.second.bytes;
  });
  const Outcome &outcome = least->second;
  return "expects a program of at most " + std::to_string(budget) + " bytes (" +
         nameBudget() + "), but it takes at least " +
         std::to_string(outcome.bytes) + ", " +
         std::to_string(outcome.bytes - budget) +
         " more, even if everything is recomputed that needs no collective; "
         "the largest tensors are\n" +
         outcome.largest + describeRemedy(outcome);
}

std::string BudgetSearch::describeChoice() const {
  const Outcome &plain = outcomes.at(0), &taken = outcomes.at(chosen);
  std::string text;
  llvm::raw_string_ostream(text)
      << "memory budget of " << budget << " bytes: " << describeOptions(chosen)
      << " takes " << taken.bytes << " bytes and "
      << llvm::format("%.3f", taken.seconds - plain.seconds)
      << " s per step more than to keep everything, which takes " << plain.bytes
      << " bytes";
  return text;
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {

class RematerializeToBudgetPass
    : public boost::impl::RematerializeToBudgetPassBase<
          RematerializeToBudgetPass> {
public:
  using RematerializeToBudgetPassBase::RematerializeToBudgetPassBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    OpPassManager manager(ModuleOp::getOperationName());
    buildRematerialization(manager, {});
    buildLowerPipeline(manager, getTarget(target));
    manager.getDependentDialects(registry);
  }

  void runOnOperation() override;

private:
  void buildRematerialization(OpPassManager &manager,
                              const RematerializePassOptions &values) const;
  LogicalResult planMemory(ModuleOp copy,
                           const RematerializePassOptions &values) const;
};

} // namespace

/// Adds the stage with a step of the ladder as its options.
void RematerializeToBudgetPass::buildRematerialization(
    OpPassManager &manager, const RematerializePassOptions &values) const {
  RematerializePipelineOptions options;
  options.mode = values.mode;
  options.recompute = values.recompute;
  options.layers = values.layers;
  options.others = values.others;
  options.disabledPasses = disabledPasses;
  buildRematerializePipeline(manager, options);
}

LogicalResult RematerializeToBudgetPass::planMemory(
    ModuleOp copy, const RematerializePassOptions &values) const {
  PassManager manager(copy.getContext(), ModuleOp::getOperationName());
  buildRematerialization(manager, values);
  SchedulePipelineOptions schedule;
  schedule.order = order;
  schedule.chunks = chunks;
  schedule.layout = layout;
  buildSchedulePipeline(manager, schedule);
  buildLowerPipeline(manager, getTarget(target));
  return manager.run(copy);
}

void RematerializeToBudgetPass::runOnOperation() {
  FailureOr<Machine> machine = loadMachine(getOperation(), this->machine);
  if (failed(machine))
    return signalPassFailure();
  auto plan = [&](ModuleOp copy, const RematerializePassOptions &values) {
    return planMemory(copy, values);
  };
  BudgetSearch search(getOperation(), budget, *machine, plan);
  std::optional<RematerializePassOptions> found = search.run();
  if (!found) {
    if (std::string shortfall = search.describeShortfall(); !shortfall.empty())
      // Without the operation, which is the whole program.
      emitError(getOperation().getLoc()) << shortfall;
    return signalPassFailure();
  }
  if (explain)
    getOperation().emitRemark(search.describeChoice());
  OpPassManager chosen(ModuleOp::getOperationName());
  buildRematerialization(chosen, *found);
  if (failed(runPipeline(chosen, getOperation())))
    signalPassFailure();
}
