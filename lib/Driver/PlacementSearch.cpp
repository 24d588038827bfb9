//===- PlacementSearch.cpp - Choosing mesh and placement ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Candidates are meshes and placements. One that does not fit into memory is
// made smaller, by recomputation or by micro-batches.
//
//===----------------------------------------------------------------------===//

#include "PlacementSearch.h"
#include "Recognition.h"

#include "boost-mlir/Dialect/Boost/IR/Batch.h"
#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "boost-mlir/Dialect/Boost/IR/Layers.h"
#include "boost-mlir/Dialect/Boost/IR/Schedule.h"
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::boost;

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

/// Returns true if the program has shardings on arguments.
static bool hasHints(ModuleOp module) {
  return llvm::any_of(module.getOps<func::FuncOp>(), [](func::FuncOp function) {
    return llvm::any_of(llvm::seq(function.getNumArguments()),
                        [&](unsigned index) {
                          return bool(function.getArgAttr(index, kHintAttr));
                        });
  });
}

/// Counts the layers of each class; none outside of layers.
static std::map<int64_t, int64_t> countLayers(ModuleOp module) {
  std::map<int64_t, int64_t> counts = {{kOutsideOfLayers, 0}};
  std::map<int64_t, int64_t> kinds;
  module.walk([&](Operation *op) {
    if (LayerAttr layer = getLayer(op))
      kinds[layer.getIndex()] = layer.getKind();
  });
  for (auto [index, kind] : kinds)
    ++counts[kind];
  return counts;
}

/// Returns true if the schedule or the layers of pipeline stages are left open.
static bool leavesPipelineOpen(const CompileOptions &options) {
  return getNumStages(options.place.mesh) > 1 &&
         (options.mayChooseSchedule || options.pipeline.layout.empty());
}

bool PlacementSearch::isNeeded(const CompileOptions &options) {
  return leavesPlacementOpen(options) || leavesPipelineOpen(options);
}

PlacementSearch::PlacementSearch(ModuleOp module, const CompileOptions &options,
                                 const Machine &machine)
    : module(module), options(options), machine(machine),
      hints(hasHints(module)) {
  // A machine that was not named says nothing about where the program will run.
  if (options.memoryBudget)
    choice.memoryLimit = static_cast<double>(*options.memoryBudget);
  else if (!options.machine.empty())
    choice.memoryLimit = machine.memoryBytes;
  choice.layerCounts = countLayers(module);
  enumerate();
}

/// Simpler meshes and placements come first.
void PlacementSearch::enumerate() {
  if (!options.ranks)
    return enumeratePlacements(options.place.mesh);
  int64_t ranks = *options.ranks;
  for (int64_t tensor = 1; tensor <= ranks; ++tensor) {
    if (ranks % tensor != 0)
      continue;
    if (tensor == 1)
      enumeratePlacements(Mesh({kDataAxis.str()}, {ranks}));
    else if (tensor == ranks)
      enumeratePlacements(Mesh::ofTensorAxis(tensor));
    else
      enumeratePlacements(
          Mesh({kDataAxis.str(), kTensorAxis.str()}, {ranks / tensor, tensor}));
  }
  enumeratePipelines(ranks);
}

/// Returns the placements that `kind` stands for on this mesh.
SmallVector<PlacementKind> PlacementSearch::getPlacements(PlacementKind kind,
                                                          const Mesh &mesh) {
  if (kind != PlacementKind::Auto)
    return {kind};
  // Without an axis for tensors all placements are data-parallel.
  if (getAxisSize(mesh, kTensorAxis) == 1)
    return {PlacementKind::Replicated};
  SmallVector<PlacementKind> kinds = {PlacementKind::Megatron};
  if (countBottleneckGroups(module) > 0)
    kinds.push_back(PlacementKind::Bottleneck);
  // Rules hold on any machine, a minimum on the one that it was found for. On
  // one that was not named it is better than no rule at all.
  if (!options.machine.empty() || isBeyondRules(module))
    kinds.push_back(PlacementKind::Searched);
  return kinds;
}

void PlacementSearch::enumeratePlacements(const Mesh &mesh) {
  llvm::SmallSetVector<PlacementKind, 16> placements;
  if (options.compare.empty())
    placements.insert_range(getPlacements(options.place.placement, mesh));
  for (PlacementKind kind : options.compare)
    placements.insert_range(getPlacements(kind, mesh));
  // A mesh that was asked for comes with the state as it was asked for.
  SmallVector<int64_t> stages = {options.state.zero};
  if (options.ranks && !options.state.zero && getAxisSize(mesh, kDataAxis) > 1)
    stages.push_back(1);
  for (PlacementKind placement : placements)
    for (int64_t zero : stages)
      choice.candidates.push_back(makeCandidate(mesh, placement, zero));
}

/// Returns a candidate with what the options say of the rest.
PlacementCandidate PlacementSearch::makeCandidate(const Mesh &mesh,
                                                  PlacementKind placement,
                                                  int64_t zero) const {
  PlacementCandidate candidate;
  candidate.mesh = mesh;
  candidate.placement = placement;
  candidate.zero = zero;
  candidate.microBatches = options.split.microBatches;
  candidate.rematerialize = options.rematerialize;
  candidate.followHints =
      options.place.followHints ||
      (options.place.placement == PlacementKind::Auto && hints);
  return candidate;
}

/// The numbers of micro-batches in which the rows of a rank can be computed.
SmallVector<int64_t>
PlacementSearch::getMicroBatches(const PlacementCandidate &candidate) const {
  SmallVector<int64_t> numbers;
  func::FuncOp loss = findLoss(module);
  int64_t ranks = getAxisSize(candidate.mesh, kDataAxis);
  int64_t rows = getBatchSize(loss);
  if (!options.maySplitBatch || rows % ranks != 0)
    return numbers;
  for (int64_t number = 2; number <= rows / ranks; ++number)
    if (rows / ranks % number == 0)
      numbers.push_back(number);
  return numbers;
}

/// The candidate in more and more micro-batches, unless their number was said.
PlacementSearch::Candidates
PlacementSearch::getSplit(const PlacementCandidate &candidate) const {
  Candidates list;
  // Pipelines of a chosen mesh are enumerated with their micro-batches.
  if (options.ranks && getNumStages(candidate.mesh) > 1)
    return list;
  for (int64_t number : getMicroBatches(candidate)) {
    list.push_back(candidate);
    list.back().microBatches = number;
  }
  return list;
}

/// The candidate with more and more recomputed, unless that was said.
PlacementSearch::Candidates
PlacementSearch::getRecomputed(const PlacementCandidate &candidate) const {
  if (!options.mayRecompute)
    return {};
  Candidates list(2, candidate);
  list[0].rematerialize.mode = RematKind::LowRank;
  list[1].rematerialize = RematerializePassOptions();
  list[1].rematerialize.recompute = {
      RecomputeClass::Elementwise, RecomputeClass::UpProjection,
      RecomputeClass::Attention, RecomputeClass::DownProjection};
  return list;
}

CompileOptions
PlacementSearch::getOptionsOf(const PlacementCandidate &candidate) const {
  CompileOptions result = options;
  result.ranks.reset();
  result.compare.clear();
  result.place.mesh = candidate.mesh;
  result.place.placement = candidate.placement;
  result.place.followHints = candidate.followHints;
  result.state.zero = candidate.zero;
  result.split.microBatches = candidate.microBatches;
  // A budget finds by itself what to recompute, layer by layer.
  if (!options.memoryBudget)
    result.rematerialize = candidate.rematerialize;
  if (const PipelineCandidate *pipeline = candidate.getPipeline()) {
    result.mayChooseSchedule = false;
    result.pipeline.order = pipeline->plan.order;
    result.pipeline.chunks = pipeline->plan.shape.chunksPerStage;
    result.pipeline.layout.assign(pipeline->plan.layout.begin(),
                                  pipeline->plan.layout.end());
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

LogicalResult PlacementSearch::run() {
  // A single candidate needs no price, unless its pipeline is open.
  if (choice.candidates.size() == 1 && options.compare.empty() &&
      !leavesPipelineOpen(options))
    return success();
  return failed(priceCandidates()) ? failure() : choose();
}

/// Returns the location for messages about the whole loss: that of its first
/// argument, since JAX gives none to functions.
static Location getUserLocation(ModuleOp module) {
  func::FuncOp loss = findLoss(module);
  return loss && loss.getNumArguments() > 0 ? loss.getArgument(0).getLoc()
                                            : module.getLoc();
}

/// Remarks that a search shards the sizes that the mesh divides, where it does
/// not divide others.
void PlacementSearch::remarkSearched() const {
  auto searched =
      llvm::find_if(choice.candidates, [](const PlacementCandidate &candidate) {
        return candidate.placement == PlacementKind::Searched && candidate.fits;
      });
  if (searched == choice.candidates.end())
    return;
  emitRemark(getUserLocation(module))
      << "--placement=searched shards what divides, and is predicted to take "
      << llvm::formatv("{0:f3}", searched->price->seconds).str() << " s a step";
}

/// Remarks which placements by rules the mesh does not divide, and where.
void PlacementSearch::remarkImpossible() const {
  for (const PlacementCandidate &candidate : choice.candidates)
    if (!candidate.price && candidate.placement != PlacementKind::Searched)
      emitRemark(getUserLocation(module))
          << candidate.getOptions() << " is impossible: " << candidate.problem;
}

LogicalResult PlacementSearch::choose() {
  std::vector<PlacementCandidate> &candidates = choice.candidates;
  bool isMeshGiven = !options.ranks && options.compare.empty();
  auto followsRules = [](const PlacementCandidate &candidate) {
    return candidate.placement != PlacementKind::Searched;
  };
  // A mesh that was asked for and that no rules can use is a mistake: compiling
  // says where. The last placement with rules is the one that is made for the
  // model.
  if (isMeshGiven && llvm::none_of(candidates, [&](const auto &candidate) {
        return candidate.price && followsRules(candidate);
      }))
    for (size_t index = candidates.size(); index-- > 0;)
      if (followsRules(candidates[index])) {
        choice.chosen = choice.fastest = index;
        remarkSearched();
        return success();
      }
  if (choice.takeBest()) {
    if (isMeshGiven)
      remarkImpossible();
    return success();
  }
  auto diag = emitError(module.getLoc())
              << "expects a mesh that the program can be sharded over";
  for (const PlacementCandidate &candidate : candidates)
    diag.attachNote() << candidate.getOptions() << ": " << candidate.problem;
  return failure();
}

CompileOptions PlacementSearch::getChosenOptions() const {
  return getOptionsOf(choice.candidates[choice.chosen]);
}
