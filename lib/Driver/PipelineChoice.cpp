//===- PipelineChoice.cpp - Schedules and layouts of pipelines ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A candidate whose mesh has pipeline stages is priced by a program in which
// each layer is a stage, under every schedule that the options allow.
//
//===----------------------------------------------------------------------===//

#include "PlacementSearch.h"

#include "boost-mlir/Analysis/PipelineLayout.h"
#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "boost-mlir/Dialect/Boost/IR/Layers.h"
#include "boost-mlir/Dialect/Boost/IR/Rematerialization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mlir::boost;

/// The most micro-batches that are tried for each stage of a pipeline.
static constexpr int64_t kMostPerStage = 8;

/// Returns the class of every layer, in order.
static SmallVector<int64_t> getLayerKinds(ModuleOp module) {
  std::map<int64_t, int64_t> kinds;
  module.walk([&](Operation *op) {
    if (LayerAttr layer = getLayer(op))
      kinds[layer.getIndex()] = layer.getKind();
  });
  return llvm::to_vector(llvm::make_second_range(kinds));
}

//===----------------------------------------------------------------------===//
// Meshes
//===----------------------------------------------------------------------===//

/// Returns the most ranks along `tp` of a mesh with pipeline stages: those of a
/// node. Beyond it, stages send less than layers that are sharded.
static int64_t getMostTensorRanks(const Machine &machine) {
  size_t levels = machine.links.size();
  return levels < 2 ? 1 : machine.links[levels - 2].ranks;
}

/// Adds the meshes of so many ranks with pipeline stages. These come last,
/// since they are the least simple.
void PlacementSearch::enumeratePipelines(int64_t ranks) {
  auto layers = static_cast<int64_t>(getLayerKinds(module).size());
  for (int64_t stages = 2; stages <= std::min(ranks, layers); ++stages)
    for (int64_t tensor = 1; tensor <= getMostTensorRanks(machine); ++tensor) {
      if (ranks % (stages * tensor) != 0)
        continue;
      std::vector<std::string> names = {kPipelineAxis.str()};
      SmallVector<int64_t> sizes = {stages};
      if (int64_t data = ranks / stages / tensor; data > 1) {
        names.push_back(kDataAxis.str());
        sizes.push_back(data);
      }
      if (tensor > 1) {
        names.push_back(kTensorAxis.str());
        sizes.push_back(tensor);
      }
      addPipelines(Mesh(names, sizes));
    }
}

/// Returns the numbers of micro-batches to try: enough for all stages, so that
/// they wait little, and few, so that calls are large.
SmallVector<int64_t> PlacementSearch::getPipelineMicroBatches(
    const PlacementCandidate &candidate) const {
  if (!options.maySplitBatch)
    return {candidate.microBatches};
  int64_t stages = getNumStages(candidate.mesh);
  std::optional<int64_t> least, most;
  for (int64_t number : getMicroBatches(candidate)) {
    if (number >= stages && !least)
      least = number;
    if (number <= kMostPerStage * stages)
      most = number;
  }
  if (!most)
    return least ? SmallVector<int64_t>{*least} : SmallVector<int64_t>();
  if (!least || *least == *most)
    return {*most};
  return {*least, *most};
}

/// Adds candidates with placements by rules: a search over placements takes
/// long, and there are many meshes. For the same reason the optimizer's state
/// is always sharded over `dp`, where there is one.
void PlacementSearch::addPipelines(const Mesh &mesh) {
  bool hasData = mesh.getSize(mesh.getAxisNamed(kDataAxis)) > 1;
  int64_t zero = hasData ? 1 : options.state.zero;
  SmallVector<PlacementKind> kinds =
      options.compare.empty() ? getPlacements(options.place.placement, mesh)
                              : SmallVector<PlacementKind>();
  for (PlacementKind kind : options.compare)
    llvm::append_range(kinds, getPlacements(kind, mesh));
  for (PlacementKind kind : kinds) {
    bool isChosen = options.place.placement == PlacementKind::Auto ||
                    !options.compare.empty();
    if (isChosen && kind == PlacementKind::Searched)
      continue;
    PlacementCandidate candidate = makeCandidate(mesh, kind, zero);
    for (int64_t number : getPipelineMicroBatches(candidate)) {
      candidate.microBatches = number;
      choice.candidates.push_back(candidate);
    }
  }
}

//===----------------------------------------------------------------------===//
// Prices
//===----------------------------------------------------------------------===//

/// Returns for every layer of a program a layer of its sample that is like it.
static SmallVector<int64_t> matchLayers(ArrayRef<int64_t> sample,
                                        ArrayRef<int64_t> program) {
  if (sample.size() == program.size())
    return llvm::to_vector(llvm::seq<int64_t>(sample.size()));
  std::map<int64_t, int64_t> inner, any;
  for (auto [number, kind] : llvm::enumerate(sample)) {
    any.try_emplace(kind, number);
    if (number > 0 && number + 1 < sample.size())
      inner.try_emplace(kind, number);
  }
  SmallVector<int64_t> numbers;
  for (int64_t kind : program)
    numbers.push_back(inner.count(kind) ? inner[kind] : any[kind]);
  numbers.front() = 0;
  numbers.back() = static_cast<int64_t>(sample.size()) - 1;
  return numbers;
}

/// Compiles a sample up to recomputation, for profileLayers(). Null if that
/// fails, or if it has no layers.
OwningOpRef<ModuleOp>
PlacementSearch::compileLayers(const Sample &sample,
                               PlacementCandidate &candidate) {
  OwningOpRef<ModuleOp> program = ModuleOp(*sample.module).clone();
  if (getLayerKinds(*program).empty() ||
      failed(runStages(*program, candidate, getSampleOptions(candidate),
                       getFirstStage(candidate), StageId::Rematerialize)))
    return nullptr;
  return program;
}

/// Divides a compiled sample into a stage for each of its layers. `order` tells
/// whether the gradients of weights are apart. Nothing if that fails.
std::optional<LayerProfile>
PlacementSearch::profileLayers(ModuleOp program, PlacementCandidate &candidate,
                               PipelineSchedule order) {
  OwningOpRef<ModuleOp> copy = program.clone();
  SmallVector<int64_t> kinds = getLayerKinds(*copy);
  CompileOptions compiled = getSampleOptions(candidate);
  Mesh::resizeAxis(*copy, kPipelineAxis, static_cast<int64_t>(kinds.size()));
  compiled.pipeline.order = order;
  compiled.pipeline.chunks = 1;
  compiled.pipeline.layout.assign(kinds.size(), 1);
  if (failed(runStages(*copy, candidate, compiled, StageId::Schedule,
                       StageId::Lower)))
    return std::nullopt;
  LayerProfile profile = readLayerProfile(*copy, candidate.mesh, machine);
  return profile.repeat(matchLayers(kinds, getLayerKinds(module)));
}

/// Returns true if a program recomputes values. Then gradients of weights that
/// are apart may recompute them once more, and cost more than in one call with
/// the gradients of inputs.
static bool recomputes(ModuleOp program) {
  return program
      .walk([](Operation *op) {
        return op->hasAttr(kRecomputedAttr) ? WalkResult::interrupt()
                                            : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Returns the pipelines that the options allow, without prices.
std::vector<PipelineCandidate>
PlacementSearch::getPipelines(const PlacementCandidate &candidate) const {
  const SplitStagesPassOptions &given = options.pipeline;
  PipelineShape shape = {getNumStages(candidate.mesh), given.chunks,
                         candidate.microBatches * options.step.accumulate};
  std::vector<PipelineCandidate> list;
  auto add = [&](PipelineSchedule order, int64_t chunks) {
    shape.chunksPerStage = chunks;
    list.push_back({PipelinePlan{order, shape, given.layout}});
  };
  if (!options.mayChooseSchedule) {
    add(given.order, given.chunks);
    return list;
  }
  if (given.chunks > 1) {
    add(PipelineSchedule::Interleaved, given.chunks);
    return list;
  }
  add(PipelineSchedule::GPipe, 1);
  add(PipelineSchedule::OneForwardOneBackward, 1);
  constexpr int64_t kChunks = 2;
  auto layers = static_cast<int64_t>(getLayerKinds(module).size());
  if (given.layout.empty() && kChunks * shape.stages <= layers &&
      shape.microBatches % shape.stages == 0)
    add(PipelineSchedule::Interleaved, kChunks);
  add(PipelineSchedule::ZeroBubble, 1);
  return list;
}

/// Prices one pipeline of a program.
void PlacementSearch::pricePipeline(const LayerProfile &profile,
                                    const PlacementCandidate &candidate,
                                    PipelineCandidate &pipeline) const {
  PipelinePricer pricer(
      profile, machine, options.merge.bucketBytes,
      candidate.mesh.getSpan(candidate.mesh.getAxisNamed(kPipelineAxis)));
  auto layers = static_cast<int64_t>(profile.layers.size());
  int64_t chunks = pipeline.plan.shape.getNumChunks();
  if (pipeline.plan.layout.empty() && layers >= chunks)
    pipeline.plan.layout = pricer.divide(chunks);
  pipeline.problem = checkLayout(pipeline.plan.layout, layers, chunks);
  if (!pipeline.problem.empty())
    return;
  llvm::Expected<PipelinePrice> price = pricer.price(pipeline.plan);
  if (!price) {
    pipeline.problem = llvm::toString(price.takeError());
    return;
  }
  pipeline.fits = fits(price->getPeak());
  pipeline.price = std::move(*price);
}

/// Prices a candidate with pipeline stages by the best of its schedules.
void PlacementSearch::pricePipelines(const Sample &sample,
                                     PlacementCandidate &candidate) {
  OwningOpRef<ModuleOp> program = compileLayers(sample, candidate);
  if (!program)
    return;
  // One profile serves all schedules where it costs nothing to compute the
  // gradients of weights apart.
  bool isOneProfile = !recomputes(*program);
  std::map<PipelineSchedule, LayerProfile> profiles;
  std::vector<PipelineCandidate> list = getPipelines(candidate);
  for (PipelineCandidate &pipeline : list) {
    bool areApart =
        isOneProfile || pipeline.plan.order == PipelineSchedule::ZeroBubble;
    PipelineSchedule order = areApart ? PipelineSchedule::ZeroBubble
                                      : PipelineSchedule::OneForwardOneBackward;
    auto known = profiles.find(order);
    if (known == profiles.end()) {
      std::optional<LayerProfile> profile =
          profileLayers(*program, candidate, order);
      if (!profile)
        return;
      known = profiles.emplace(order, std::move(*profile)).first;
    }
    pricePipeline(known->second, candidate, pipeline);
  }
  candidate.pipelines = std::move(list);
  candidate.takeBestPipeline();
}
