//===- PlacementSearch.cpp - Choosing mesh and placement ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Candidates are meshes and placements. One that does not fit into memory is
// made smaller, by recomputation or by micro-batches. Where layers repeat, a
// candidate is priced on two and on three repetitions: programs are
// straight-line code, so that every further one adds the difference.
//
//===----------------------------------------------------------------------===//

#include "PlacementSearch.h"

#include "boost-mlir/Analysis/Extrapolation.h"
#include "boost-mlir/Analysis/Plan.h"
#include "boost-mlir/Dialect/Boost/IR/Batch.h"
#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <set>

using namespace mlir;
using namespace mlir::boost;

static constexpr llvm::StringLiteral kAuto = "auto";
static constexpr llvm::StringLiteral kSearched = "searched";
/// The axis that placements shard tensors over.
static constexpr llvm::StringLiteral kTensorAxis = "tp";

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

std::string PlacementCandidate::getOptions() const {
  std::string text = "--mesh=" + mesh + " --placement=" + placement;
  if (followHints)
    text += " --follow-hints";
  if (zero)
    text += " --zero=" + std::to_string(zero);
  if (microBatches > 1)
    text += " --micro-batches=" + std::to_string(microBatches);
  if (!rematerialize.recompute.empty())
    text += " --remat-recompute=" + llvm::join(rematerialize.recompute, ",");
  else if (recomputes())
    text += " --remat=" + rematerialize.mode;
  return text;
}

bool PlacementCandidate::recomputes() const {
  return !rematerialize.recompute.empty() ||
         rematerialize.mode != RematerializePassOptions().mode;
}

/// The size of an axis of a mesh as on the command line, where a number alone
/// is that of `tp`.
static int64_t getAxisSize(StringRef mesh, StringRef name) {
  for (StringRef axis : llvm::split(mesh, ",")) {
    auto [axisName, text] = axis.split('=');
    if (!axis.contains('=')) {
      text = axisName;
      axisName = "tp";
    }
    int64_t size;
    if (axisName == name && !text.getAsInteger(10, size))
      return size;
  }
  return 1;
}

/// Whether the program shards arguments by itself.
static bool hasHints(ModuleOp module) {
  return llvm::any_of(module.getOps<func::FuncOp>(), [](func::FuncOp function) {
    return llvm::any_of(llvm::seq(function.getNumArguments()),
                        [&](unsigned index) {
                          return bool(function.getArgAttr(index, kHintAttr));
                        });
  });
}

bool PlacementSearch::isNeeded(const CompileOptions &options) {
  return options.ranks || options.place.placement == kAuto;
}

PlacementSearch::PlacementSearch(ModuleOp module, const CompileOptions &options,
                                 const Machine &machine)
    : module(module), options(options), machine(machine),
      hints(hasHints(module)) {
  // A machine that was not named says nothing about where the program will run.
  if (options.memoryBudget)
    memoryLimit = static_cast<double>(*options.memoryBudget);
  else if (!options.machine.empty())
    memoryLimit = machine.memoryBytes;
  enumerate();
}

/// Simpler meshes and placements come first.
void PlacementSearch::enumerate() {
  if (!options.ranks)
    return enumeratePlacements(options.place.meshText);
  int64_t ranks = *options.ranks;
  for (int64_t tensor = 1; tensor <= ranks; ++tensor) {
    if (ranks % tensor != 0)
      continue;
    std::string data = "dp=" + std::to_string(ranks / tensor);
    std::string axis = "tp=" + std::to_string(tensor);
    if (tensor == 1)
      enumeratePlacements(data);
    else if (tensor == ranks)
      enumeratePlacements(axis);
    else
      enumeratePlacements(data + "," + axis);
  }
}

/// Those that `name` stands for on this mesh.
SmallVector<std::string> PlacementSearch::getPlacements(StringRef name,
                                                        StringRef mesh) {
  if (name != kAuto)
    return {name.str()};
  // Without an axis for tensors all placements are data-parallel.
  if (getAxisSize(mesh, "tp") == 1)
    return {"replicated"};
  bool hasBottlenecks = false;
  module.walk([&](BottleneckOp) { hasBottlenecks = true; });
  SmallVector<std::string> names = {"megatron"};
  if (hasBottlenecks)
    names.push_back("bottleneck");
  // Rules hold on any machine, a minimum on the one that it was found for.
  if (!options.machine.empty())
    names.push_back(kSearched.str());
  return names;
}

void PlacementSearch::enumeratePlacements(const std::string &mesh) {
  llvm::SetVector<std::string, std::vector<std::string>, std::set<std::string>>
      placements;
  if (options.compare.empty())
    placements.insert_range(getPlacements(options.place.placement, mesh));
  for (const std::string &name : options.compare)
    placements.insert_range(getPlacements(name, mesh));
  // A mesh that was asked for comes with the state as it was asked for.
  SmallVector<int64_t> stages = {options.state.zero};
  if (options.ranks && !options.state.zero && getAxisSize(mesh, "dp") > 1)
    stages.push_back(1);
  for (const std::string &placement : placements)
    for (int64_t zero : stages) {
      PlacementCandidate candidate;
      candidate.mesh = mesh;
      candidate.placement = placement;
      candidate.zero = zero;
      candidate.microBatches = options.optimizer.microBatches;
      candidate.rematerialize = options.rematerialize;
      candidate.followHints = options.place.followHints ||
                              (options.place.placement == kAuto && hints);
      candidates.push_back(std::move(candidate));
    }
}

/// The numbers of micro-batches in which the rows of a rank can be computed.
SmallVector<int64_t>
PlacementSearch::getMicroBatches(const PlacementCandidate &candidate) const {
  SmallVector<int64_t> numbers;
  auto loss = ModuleOp(module).lookupSymbol<func::FuncOp>(kLossFunction);
  int64_t ranks = getAxisSize(candidate.mesh, "dp"), rows = getBatchSize(loss);
  if (!options.maySplitBatch || rows % ranks != 0)
    return numbers;
  for (int64_t number = 2; number <= rows / ranks; ++number)
    if (rows / ranks % number == 0)
      numbers.push_back(number);
  return numbers;
}

/// The ways to take less memory, each of which takes less than those before it
/// of the same kind: recomputation, micro-batches, and both together. What the
/// command line says is not changed.
std::vector<PlacementCandidate>
PlacementSearch::getSmaller(const PlacementCandidate &candidate) const {
  std::vector<PlacementCandidate> list;
  auto add = [&]() -> PlacementCandidate & {
    list.push_back(candidate);
    return list.back();
  };
  SmallVector<int64_t> numbers = getMicroBatches(candidate);
  for (int64_t number : numbers)
    add().microBatches = number;
  if (!options.mayRecompute)
    return list;
  add().rematerialize.mode = "low-rank";
  RematerializePassOptions all;
  all.recompute = {"elementwise", "up-projection", "attention",
                   "down-projection"};
  add().rematerialize = all;
  if (!numbers.empty()) {
    PlacementCandidate &both = add();
    both.microBatches = numbers.back();
    both.rematerialize = all;
  }
  return list;
}

CompileOptions
PlacementSearch::getOptionsOf(const PlacementCandidate &candidate) const {
  CompileOptions result = options;
  result.ranks.reset();
  result.compare.clear();
  result.place.meshText = candidate.mesh;
  result.place.placement = candidate.placement;
  result.place.followHints = candidate.followHints;
  result.state.zero = candidate.zero;
  result.optimizer.microBatches = candidate.microBatches;
  // A budget finds by itself what to recompute, layer by layer.
  if (!options.memoryBudget)
    result.rematerialize = candidate.rematerialize;
  return result;
}

//===----------------------------------------------------------------------===//
// Prices
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

/// Runs stages as the candidate's options say. If one fails, the error is the
/// candidate's problem.
LogicalResult PlacementSearch::runStages(ModuleOp program,
                                         PlacementCandidate &candidate,
                                         StageId first, StageId last) const {
  CompileOptions compiled = getOptionsOf(candidate);
  compiled.rematerialize = candidate.rematerialize;
  compiled.memoryBudget.reset();
  compiled.verify = compiled.explain = compiled.place.explain = false;
  // Errors say why the candidate is none; remarks come with what is chosen.
  ScopedDiagnosticHandler handler(
      program.getContext(), [&](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() != DiagnosticSeverity::Error ||
            !candidate.problem.empty())
          return success();
        candidate.problem = diagnostic.str();
        for (const Diagnostic &note : diagnostic.getNotes())
          candidate.problem += "; " + note.str();
        return success();
      });
  PassManager manager(program.getContext(), ModuleOp::getOperationName());
  // What is chosen is verified when it is compiled.
  manager.enableVerifier(false);
  for (const Stage &stage : getStages(compiled))
    if (stage.id >= first && stage.id <= last &&
        failed(parsePassPipeline(stage.pipeline, manager)))
      return failure();
  return manager.run(program);
}

/// Whether a sharding in a function of the program names the axis.
static bool isShardedOver(ModuleOp program, StringRef axis) {
  auto name = StringAttr::get(program.getContext(), axis);
  auto namesAxis = [&](Operation *op) {
    bool found = false;
    op->getAttrDictionary().walk(
        [&](StringAttr attr) { found |= attr == name; });
    return found;
  };
  return program
      .walk([&](Operation *op) {
        bool isMesh = op->hasAttr(kAxesAttr);
        return !isMesh && namesAxis(op) ? WalkResult::interrupt()
                                        : WalkResult::advance();
      })
      .wasInterrupted();
}

/// The samples that are placed, and compiled, for a candidate. What is searched
/// depends on how often layers repeat: it is placed before it is shortened.
/// Null if that fails.
const PlacementSearch::Samples *
PlacementSearch::getSamples(PlacementCandidate &candidate) {
  if (candidate.placement != kSearched)
    return &samples;
  auto [found, isNew] =
      searched.try_emplace({candidate.mesh, candidate.microBatches});
  if (isNew) {
    OwningOpRef<ModuleOp> program = module.clone();
    if (succeeded(
            runStages(*program, candidate, StageId::Place, StageId::Place))) {
      auto made = makeSamples(*program);
      if (!isShardedOver(*program, kTensorAxis))
        candidate.problem = "nothing is sharded over its axis 'tp'";
      else if (succeeded(made))
        found->second.samples = std::move(*made);
    }
    found->second.problem = candidate.problem;
  }
  candidate.problem = found->second.problem;
  return found->second.samples ? &*found->second.samples : nullptr;
}

/// The stages up to `lower` on a copy of the sample.
std::optional<PlacementSearch::SamplePrice>
PlacementSearch::priceSample(const Sample &sample,
                             PlacementCandidate &candidate) {
  OwningOpRef<ModuleOp> copy = ModuleOp(*sample.module).clone();
  StageId first =
      candidate.placement == kSearched ? StageId::Decompose : StageId::Place;
  if (failed(runStages(*copy, candidate, first, StageId::Lower)))
    return std::nullopt;
  FailureOr<Mesh> mesh = Mesh::getOrOneRank(*copy);
  if (failed(mesh))
    return std::nullopt;
  StepCost cost = getStepCost(*copy, *mesh, machine);
  int64_t peak = getMemoryPlan(*copy).peak;
  return SamplePrice{std::move(copy), std::move(cost), peak};
}

static CandidatePrice makePrice(const StepEstimate &step, double layerSeconds,
                                int64_t peak) {
  return {step.seconds, step.networkSeconds, step.networkBytes, layerSeconds,
          peak,         step.layers};
}

void PlacementSearch::price(PlacementCandidate &candidate) {
  const Samples *own = getSamples(candidate);
  if (!own)
    return;
  std::optional<SamplePrice> first = priceSample(own->list[0], candidate);
  if (first && own->list.size() == 1) {
    candidate.price =
        makePrice(getEstimate(first->cost), /*layerSeconds=*/0, first->peak);
  } else if (first) {
    int64_t further = own->repetitions - own->list[0].repetitions;
    if (auto second = priceSample(own->list[1], candidate)) {
      StepEstimate step = extrapolate(first->cost, second->cost, further,
                                      options.merge.bucketBytes, machine);
      double added = step.seconds - getEstimate(first->cost).seconds;
      candidate.price =
          makePrice(step, added / static_cast<double>(further),
                    first->peak + further * (second->peak - first->peak));
    }
  }
  candidate.fits = candidate.price &&
                   (!memoryLimit ||
                    static_cast<double>(candidate.price->peak) <= *memoryLimit);
}

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

LogicalResult PlacementSearch::run() {
  // What nothing is compared with needs no price.
  if (candidates.size() == 1 && options.compare.empty())
    return success();
  FailureOr<Samples> made = makeSamples(module);
  if (failed(made))
    return failure();
  samples = std::move(*made);
  for (PlacementCandidate &candidate : candidates)
    price(candidate);
  makeFit();
  return choose();
}

/// Makes the candidate the fastest of the ways to take less memory that fit; if
/// none does, the smallest.
void PlacementSearch::makeSmaller(PlacementCandidate &candidate) {
  auto isBetter = [](const PlacementCandidate &a, const PlacementCandidate &b) {
    if (a.fits != b.fits)
      return a.fits;
    return a.fits ? a.price->seconds < b.price->seconds
                  : a.price->peak < b.price->peak;
  };
  PlacementCandidate best = candidate;
  // Of each kind the first that fits is the fastest of those that do, and both
  // together are slower than either.
  enum Kind { kSplit = 1, kRecomputed = 2 };
  unsigned fitting = 0;
  for (PlacementCandidate &smaller : getSmaller(candidate)) {
    unsigned kinds =
        (smaller.microBatches != candidate.microBatches ? kSplit : 0) |
        (smaller.recomputes() ? kRecomputed : 0);
    if (fitting & kinds)
      continue;
    price(smaller);
    fitting |= smaller.fits ? kinds : 0;
    if (smaller.price && isBetter(smaller, best))
      best = smaller;
  }
  candidate = best;
}

/// Makes candidates that do not fit smaller. One that is slower than another
/// that fits is left as it is, unless all are to be compared: to take less
/// memory takes time.
void PlacementSearch::makeFit() {
  std::optional<double> fastestThatFits;
  auto note = [&](const PlacementCandidate &candidate) {
    if (candidate.fits)
      fastestThatFits =
          std::min(fastestThatFits.value_or(candidate.price->seconds),
                   candidate.price->seconds);
  };
  llvm::for_each(candidates, note);
  for (PlacementCandidate &candidate : candidates) {
    if (candidate.fits || !candidate.price ||
        (fastestThatFits && options.compare.empty() &&
         candidate.price->seconds > *fastestThatFits))
      continue;
    makeSmaller(candidate);
    note(candidate);
  }
}

/// Where a size does not divide, a search may shard the others.
void PlacementSearch::remarkSearched() const {
  auto searched =
      llvm::find_if(candidates, [](const PlacementCandidate &candidate) {
        return candidate.placement == kSearched && candidate.fits;
      });
  auto loss = ModuleOp(module).lookupSymbol<func::FuncOp>(kLossFunction);
  if (searched == candidates.end() || !loss || loss.getNumArguments() == 0)
    return;
  emitRemark(loss.getArgument(0).getLoc())
      << "--placement=searched shards what divides, and is predicted to take "
      << llvm::formatv("{0:f3}", searched->price->seconds).str() << " s a step";
}

/// The fastest that fits, or one that is simpler and as good as that. If none
/// fits, the one that is least too large.
LogicalResult PlacementSearch::choose() {
  bool anyFits = llvm::any_of(
      candidates, [](const PlacementCandidate &c) { return c.fits; });
  auto isAllowed = [&](const PlacementCandidate &candidate) {
    return candidate.price && (candidate.fits || !anyFits);
  };
  auto judge = [&](const PlacementCandidate &candidate) {
    return anyFits ? candidate.price->seconds
                   : static_cast<double>(candidate.price->peak);
  };
  // A mesh that was asked for and does not divide is a mistake: compiling says
  // where. The last placement with rules is the one that is made for the model.
  if (!options.ranks && options.compare.empty())
    for (size_t index = candidates.size(); index-- > 0;)
      if (!candidates[index].price &&
          (candidates.size() == 1 ||
           candidates[index].placement != kSearched)) {
        chosen = fastest = index;
        remarkSearched();
        return success();
      }
  std::optional<size_t> best;
  for (auto [index, candidate] : llvm::enumerate(candidates))
    if (isAllowed(candidate) &&
        (!best || judge(candidate) < judge(candidates[*best])))
      best = index;
  if (!best) {
    auto diag = emitError(module.getLoc())
                << "expects a mesh that the program can be sharded over";
    for (const PlacementCandidate &candidate : candidates)
      diag.attachNote() << candidate.getOptions() << ": " << candidate.problem;
    return failure();
  }
  chosen = fastest = *best;
  for (size_t index = 0; anyFits && index < fastest; ++index)
    if (isAllowed(candidates[index]) &&
        judge(candidates[index]) < (1 + kTie) * judge(candidates[fastest])) {
      chosen = index;
      break;
    }
  return success();
}

CompileOptions PlacementSearch::getChosenOptions() const {
  return getOptionsOf(candidates[chosen]);
}
