//===- PlacementPrices.cpp - What candidates take -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A candidate is priced as the program that it makes. Where layers repeat, that
// is done for two and for three repetitions: programs are straight-line code,
// so that every further one adds the difference. Candidates do not depend on
// each other, and are priced by several threads.
//
//===----------------------------------------------------------------------===//

#include "PlacementFit.h"

#include "boost-mlir/Analysis/Extrapolation.h"
#include "boost-mlir/Analysis/MemoryPlan.h"
#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "boost-mlir/Dialect/Boost/IR/Schedule.h"
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/Threading.h"

#include <atomic>
#include <mutex>

using namespace mlir;
using namespace mlir::boost;

//===----------------------------------------------------------------------===//
// Samples
//===----------------------------------------------------------------------===//

/// Shortens the loss of `module`; gives the number of repetitions that it had,
/// or 0 if it has none to take out.
static FailureOr<int64_t> shorten(ModuleOp module, int64_t repetitions) {
  PassManager manager(module.getContext(), ModuleOp::getOperationName());
  ShortenLayersPassOptions shortening;
  shortening.repetitions = repetitions;
  manager.addNestedPass<func::FuncOp>(createShortenLayersPass(shortening));
  if (failed(manager.run(module)))
    return failure();
  int64_t found = 0;
  for (auto function : module.getOps<func::FuncOp>())
    if (auto count = function->getAttrOfType<IntegerAttr>(kRepetitionsAttr)) {
      found = count.getInt();
      function->removeAttr(kRepetitionsAttr);
    }
  return found;
}

FailureOr<PlacementSearch::Samples>
PlacementSearch::makeSamples(ModuleOp program) {
  Samples samples;
  for (int64_t kept : {2, 3}) {
    Sample sample{program.clone(), kept};
    FailureOr<int64_t> found = shorten(*sample.module, kept);
    if (failed(found))
      return failure();
    // Samples of together more than the program would save nothing.
    if (*found <= 5)
      break;
    samples.repetitions = *found;
    samples.list.push_back(std::move(sample));
  }
  if (samples.list.size() == 2)
    return samples;
  samples.list.clear();
  samples.list.push_back({program.clone(), 0});
  return samples;
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

namespace mlir::boost {

/// Diagnostics of the stages of candidates. Errors say why a candidate is not
/// one; remarks are kept for the candidate that is chosen.
class PlacementSearch::Problems {
public:
  explicit Problems(MLIRContext *context)
      : handler(context, [this](Diagnostic &diagnostic) {
          std::lock_guard<std::mutex> lock(mutex);
          PlacementCandidate *candidate = candidates[llvm::get_threadid()];
          if (candidate)
            note(diagnostic, *candidate);
          return success(candidate != nullptr);
        }) {}

  /// Says whose stages this thread runs; gives whose it ran before.
  PlacementCandidate *exchange(PlacementCandidate *candidate) {
    std::lock_guard<std::mutex> lock(mutex);
    return std::exchange(candidates[llvm::get_threadid()], candidate);
  }

private:
  /// Notes the first of several errors.
  static void note(Diagnostic &diagnostic, PlacementCandidate &candidate) {
    if (diagnostic.getSeverity() != DiagnosticSeverity::Error ||
        !candidate.problem.empty())
      return;
    candidate.problem = diagnostic.str();
    for (const Diagnostic &note : diagnostic.getNotes())
      candidate.problem += "; " + note.str();
  }

  std::mutex mutex;
  /// By thread. A pass collects what its own threads report and repeats it on
  /// the thread that runs the stage.
  std::map<uint64_t, PlacementCandidate *> candidates;
  ScopedDiagnosticHandler handler;
};

} // namespace mlir::boost

/// The stages from `first` to `last`.
static void addStages(PassManager &manager, const CompileOptions &compiled,
                      StageId first, StageId last) {
  for (const Stage &stage : getStages(compiled))
    if (stage.id >= first && stage.id <= last)
      addStagePipeline(manager, stage.id, compiled);
}

/// The options of a candidate without those that look for something or explain.
CompileOptions
PlacementSearch::getSampleOptions(const PlacementCandidate &candidate) const {
  CompileOptions compiled = getOptionsOf(candidate);
  compiled.rematerialize = candidate.rematerialize;
  compiled.memoryBudget.reset();
  compiled.verify = compiled.explain = compiled.place.explain = false;
  return compiled;
}

/// Runs stages with the options. If one fails, the error is the candidate's
/// problem.
LogicalResult PlacementSearch::runStages(ModuleOp program,
                                         PlacementCandidate &candidate,
                                         const CompileOptions &compiled,
                                         StageId first, StageId last) const {
  PassManager manager(program.getContext(), ModuleOp::getOperationName());
  // The candidate that is chosen is verified when it is compiled.
  manager.enableVerifier(false);
  PlacementCandidate *before = problems->exchange(&candidate);
  addStages(manager, compiled, first, last);
  LogicalResult result = manager.run(program);
  problems->exchange(before);
  return result;
}

//===----------------------------------------------------------------------===//
// Prices
//===----------------------------------------------------------------------===//

/// Returns true if a dimension is sharded over the axis.
static bool shardsOver(ShardingAttr sharding, StringAttr axis) {
  return sharding && llvm::any_of(sharding.getDimAxes(), [&](ArrayAttr axes) {
           return llvm::is_contained(axes, axis);
         });
}

/// Returns true if a placement shards an argument, or a value that an operation
/// makes, over the axis.
static bool isShardedOver(func::FuncOp loss, StringRef axis) {
  auto name = StringAttr::get(loss.getContext(), axis);
  for (unsigned index = 0; index < loss.getNumArguments(); ++index)
    if (shardsOver(loss.getArgAttrOfType<ShardingAttr>(index, kShardingAttr),
                   name))
      return true;
  return llvm::any_of(loss.getBody().getOps(), [&](Operation &op) {
    auto values = op.getAttrOfType<ArrayAttr>(kShardingsAttr);
    return values && llvm::any_of(values.getAsRange<ShardingAttr>(),
                                  [&](ShardingAttr value) {
                                    return shardsOver(value, name);
                                  });
  });
}

/// Returns the result of a search over the mesh with as many micro-batches. No
/// two threads request the same one.
PlacementSearch::Searched &
PlacementSearch::getSearched(const PlacementCandidate &candidate) {
  std::lock_guard<std::mutex> lock(searchedMutex);
  return searched[getSearchKey(candidate)];
}

/// The samples that are placed, and compiled, for a candidate. What is searched
/// depends on how often layers repeat: it is placed before it is shortened.
/// Null if that fails.
const PlacementSearch::Samples *
PlacementSearch::getSamples(PlacementCandidate &candidate) {
  if (candidate.placement != PlacementKind::Searched)
    return &samples;
  Searched &found = getSearched(candidate);
  if (!found.isPlaced) {
    found.isPlaced = true;
    OwningOpRef<ModuleOp> program = module.clone();
    if (succeeded(runStages(*program, candidate, getSampleOptions(candidate),
                            StageId::Place, StageId::Place))) {
      auto made = makeSamples(*program);
      func::FuncOp loss = findLoss(*program);
      if (getAxisSize(candidate.mesh, kTensorAxis) > 1 &&
          !isShardedOver(loss, kTensorAxis))
        candidate.problem = "nothing is sharded over its axis 'tp'";
      else if (succeeded(made))
        found.samples = std::move(*made);
    }
    found.problem = candidate.problem;
  }
  candidate.problem = found.problem;
  return found.samples ? &*found.samples : nullptr;
}

/// The stages up to `lower` on a copy of the sample.
std::optional<PlacementSearch::SamplePrice>
PlacementSearch::priceSample(const Sample &sample,
                             PlacementCandidate &candidate) {
  OwningOpRef<ModuleOp> copy = ModuleOp(*sample.module).clone();
  if (failed(runStages(*copy, candidate, getSampleOptions(candidate),
                       getFirstStage(candidate), StageId::Lower)))
    return std::nullopt;
  FailureOr<Mesh> mesh = Mesh::getOrOneRank(*copy);
  if (failed(mesh))
    return std::nullopt;
  StepCost cost = getStepCost(*copy, *mesh, machine);
  MemoryPlan memory = getMemoryPlan(*copy);
  return SamplePrice{std::move(copy), std::move(cost), memory.peak,
                     memory.fixed};
}

static CandidatePrice makePrice(const StepEstimate &step, double layerSeconds,
                                int64_t peak, int64_t fixed) {
  return {
      step.seconds, step.networkSeconds, step.networkBytes, layerSeconds, peak,
      fixed,        step.layers};
}

bool PlacementSearch::fits(int64_t peak) const {
  return !choice.memoryLimit ||
         static_cast<double>(peak) <= *choice.memoryLimit;
}

/// Prices a candidate of one pipeline stage by its samples.
void PlacementSearch::priceLayers(PlacementCandidate &candidate,
                                  const Samples &own) {
  std::optional<SamplePrice> first = priceSample(own.list[0], candidate);
  if (first && own.list.size() == 1) {
    candidate.price = makePrice(getEstimate(first->cost), /*layerSeconds=*/0,
                                first->peak, first->fixed);
  } else if (first) {
    if (auto second = priceSample(own.list[1], candidate)) {
      int64_t further = own.repetitions - own.list[0].repetitions;
      StepEstimate step = extrapolate(first->cost, second->cost, further,
                                      options.merge.bucketBytes, machine);
      double added = step.seconds - getEstimate(first->cost).seconds;
      candidate.price =
          makePrice(step, added / static_cast<double>(further),
                    first->peak + further * (second->peak - first->peak),
                    first->fixed + further * (second->fixed - first->fixed));
    }
  }
  candidate.fits = candidate.price && fits(candidate.price->peak);
}

void PlacementSearch::price(PlacementCandidate &candidate) {
  const Samples *own = getSamples(candidate);
  if (!own)
    return;
  // The largest sample has a layer between others.
  if (getNumStages(candidate.mesh) > 1)
    return pricePipelines(own->list.back(), candidate);
  priceLayers(candidate, *own);
}

/// Does the work for each item, by the threads of the context. Unlike
/// mlir::parallelForEach it leaves diagnostics to the handler that is there.
static void forEachInParallel(MLIRContext *context, size_t count,
                              llvm::function_ref<void(size_t)> work) {
  if (!context->isMultithreadingEnabled() || count < 2) {
    llvm::for_each(llvm::seq(count), work);
    return;
  }
  std::atomic<size_t> next = 0;
  auto takeItems = [&] {
    for (size_t index = next++; index < count; index = next++)
      work(index);
  };
  llvm::ThreadPoolInterface &threads = context->getThreadPool();
  llvm::ThreadPoolTaskGroup tasks(threads);
  for (size_t index = 0;
       index < std::min<size_t>(count, threads.getMaxConcurrency()); ++index)
    tasks.async(takeItems);
}

/// Prices candidates of which no two make the same search place something.
void PlacementSearch::priceInParallel(ArrayRef<PlacementCandidate *> list) {
  forEachInParallel(module.getContext(), list.size(),
                    [&](size_t index) { price(*list[index]); });
}

/// Passes load dialects when they run, which one thread must do alone.
void PlacementSearch::loadDialects() {
  MLIRContext *context = module.getContext();
  PassManager manager(context, ModuleOp::getOperationName());
  addStages(manager, getSampleOptions(choice.candidates.front()),
            StageId::Place, StageId::Lower);
  DialectRegistry dialects;
  manager.getDependentDialects(dialects);
  context->appendDialectRegistry(dialects);
  for (StringRef name : dialects.getDialectNames())
    context->getOrLoadDialect(name);
}

/// Prices every candidate. Those that differ in their state only share what a
/// search has placed.
LogicalResult PlacementSearch::priceAll() {
  FailureOr<Samples> made = makeSamples(module);
  if (failed(made))
    return failure();
  loadDialects();
  samples = std::move(*made);
  llvm::SmallPtrSet<const Searched *, 8> seen;
  SmallVector<PlacementCandidate *> toPlace;
  for (PlacementCandidate &candidate : choice.candidates)
    if (candidate.placement == PlacementKind::Searched &&
        seen.insert(&getSearched(candidate)).second)
      toPlace.push_back(&candidate);
  forEachInParallel(module.getContext(), toPlace.size(),
                    [&](size_t index) { getSamples(*toPlace[index]); });
  SmallVector<PlacementCandidate *> all;
  for (PlacementCandidate &candidate : choice.candidates)
    all.push_back(&candidate);
  priceInParallel(all);
  return success();
}

/// Prices the candidates, and makes those smaller that could be chosen then.
LogicalResult PlacementSearch::priceCandidates() {
  Problems collected(module.getContext());
  problems = &collected;
  LogicalResult result = priceAll();
  if (succeeded(result) && leavesPlacementOpen(options))
    PlacementFit(*this).run();
  problems = nullptr;
  return result;
}
