//===- Stages.cpp - The stages of the compiler in their order -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one list of stages: boost-compile runs them, boost-prove checks them.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Conversion/StableHLOToBoost/Passes.h"
#include "boost-mlir/Dialect/StableHLO/Transforms/Passes.h"
#include "boost-mlir/Driver/Compile.h"
#include "boost-mlir/Pipelines/Pipelines.h"
#include "boost-mlir/Support/FileURI.h"
#include "mlir/Pass/PassRegistry.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::boost;

template <> llvm::ArrayRef<NamedValue<Emit>> mlir::boost::getNamedValues() {
  static constexpr NamedValue<Emit> values[] = {
      {Emit::Graph, "graph", "global tensors, with the step"},
      {Emit::Spmd, "spmd", "one rank's tensors and collectives"},
      {Emit::Runtime, "runtime", "calls and kernels on one arena"},
      {Emit::LLVM, "llvm", "optimized LLVM IR"},
      {Emit::Object, "object", "object file without the runtime"},
      {Emit::Plan, "plan", "what will be sent and kept, as JSON"},
      {Emit::Summary, "summary", "the plan in ten lines of text"},
      {Emit::Binary, "binary", "the program (default)"}};
  return values;
}

//===----------------------------------------------------------------------===//
// Pipelines
//===----------------------------------------------------------------------===//

/// Returns the machine as an option of a pass: a URI, since options as text
/// cannot hold every character of a path.
static std::string getMachine(const CompileOptions &options) {
  return toFileURI(findMachineFile(options));
}

/// Returns the machine that decides between shardings. Without a folder to find
/// machines in, that is the reference.
static std::string getDecidingMachine(const CompileOptions &options) {
  return options.toolDirectory.empty() ? "" : getMachine(options);
}

/// Hands options of a pass to the pipeline that has it.
#define GIVE(FIELD, ...) pipeline.FIELD = values.FIELD;

static void addStructure(OpPassManager &manager,
                         const CompileOptions &options) {
  StructurePipelineOptions pipeline;
  const LowerPrecisionPassOptions &values = options.precision;
  BOOST_PRECISION_OPTIONS(GIVE)
  pipeline.disabledPasses = options.disabledPasses;
  buildStructurePipeline(manager, pipeline);
}

static void addPlace(OpPassManager &manager, const CompileOptions &options) {
  PlacePipelineOptions pipeline;
  const PlacePassOptions &values = options.place;
  BOOST_PLACE_OPTIONS(GIVE)
  pipeline.explain = values.explain;
  pipeline.machine = getDecidingMachine(options);
  pipeline.microBatches = options.split.microBatches;
  buildPlacePipeline(manager, pipeline);
}

static void addDifferentiate(OpPassManager &manager,
                             const CompileOptions &options) {
  DifferentiatePipelineOptions pipeline;
  const AddOptimizerPassOptions &values = options.optimizer;
  BOOST_OPTIMIZER_OPTIONS(GIVE)
  pipeline.nondeterministic = options.gradient.nondeterministic;
  pipeline.accumulate = options.step.accumulate;
  pipeline.zero = options.state.zero;
  buildDifferentiatePipeline(manager, pipeline);
}

static void addPartition(OpPassManager &manager,
                         const CompileOptions &options) {
  PartitionPipelineOptions pipeline;
  pipeline.machine = getDecidingMachine(options);
  buildPartitionPipeline(manager, pipeline);
}

static void addCollectives(OpPassManager &manager,
                           const CompileOptions &options) {
  CollectivesPipelineOptions pipeline;
  const MergeCollectivesPassOptions &values = options.merge;
  BOOST_MERGE_OPTIONS(GIVE)
  pipeline.disabledPasses = options.disabledPasses;
  buildCollectivesPipeline(manager, pipeline);
}

/// Adds what --remat and --remat-recompute say, or --memory-budget in their
/// place.
static void addRematerialize(OpPassManager &manager,
                             const CompileOptions &options) {
  RematerializePipelineOptions pipeline;
  const RematerializePassOptions &values = options.rematerialize;
  BOOST_REMATERIALIZE_OPTIONS(GIVE, GIVE)
  pipeline.disabledPasses = options.disabledPasses;
  if (options.memoryBudget) {
    pipeline.memoryBudget = *options.memoryBudget;
    pipeline.target = options.target;
    pipeline.machine = getMachine(options);
    pipeline.explainBudget = options.explain;
    pipeline.order = options.pipeline.order;
    pipeline.chunks = options.pipeline.chunks;
    pipeline.layout = options.pipeline.layout;
  }
  buildRematerializePipeline(manager, pipeline);
}

static void addSchedule(OpPassManager &manager, const CompileOptions &options) {
  SchedulePipelineOptions pipeline;
  const SplitStagesPassOptions &values = options.pipeline;
  BOOST_SCHEDULE_OPTIONS(GIVE, GIVE)
  buildSchedulePipeline(manager, pipeline);
}

#undef GIVE

void mlir::boost::addStagePipeline(OpPassManager &manager, StageId id,
                                   const CompileOptions &options) {
  switch (id) {
  case StageId::Import:
    return stablehlo::buildImportPipeline(manager);
  case StageId::Raise:
    return buildRaisePipeline(manager);
  case StageId::Structure:
    return addStructure(manager, options);
  case StageId::Place:
    return addPlace(manager, options);
  case StageId::Decompose:
    return buildDecomposePipeline(manager);
  case StageId::Differentiate:
    return addDifferentiate(manager, options);
  case StageId::Probe:
    return manager.addPass(createInsertProbesPass());
  case StageId::Partition:
    return addPartition(manager, options);
  case StageId::Collectives:
    return addCollectives(manager, options);
  case StageId::Rematerialize:
    return addRematerialize(manager, options);
  case StageId::Schedule:
    return addSchedule(manager, options);
  case StageId::Lower:
    return buildLowerPipeline(manager, getTarget(options.target));
  case StageId::Emit:
    return buildEmitPipeline(manager, getTarget(options.target));
  }
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

LogicalResult Stage::addPasses(OpPassManager &manager,
                               const CompileOptions &options) const {
  addStagePipeline(manager, id, options);
  return success(llvm::all_of(inserted, [&](const std::string &text) {
    return succeeded(parsePassPipeline(text, manager));
  }));
}

SmallVector<Stage> mlir::boost::getStages(const CompileOptions &options) {
  SmallVector<Stage> stages = {
      {StageId::Import, Emit::Graph},     {StageId::Raise, Emit::Graph},
      {StageId::Structure, Emit::Graph},  {StageId::Place, Emit::Graph},
      {StageId::Decompose, Emit::Graph},  {StageId::Differentiate, Emit::Graph},
      {StageId::Probe, Emit::Graph},      {StageId::Partition, Emit::Spmd},
      {StageId::Collectives, Emit::Spmd}, {StageId::Rematerialize, Emit::Spmd},
      {StageId::Schedule, Emit::Spmd},    {StageId::Lower, Emit::Runtime},
      {StageId::Emit, Emit::LLVM}};
  if (!options.verify)
    llvm::erase_if(
        stages, [](const Stage &stage) { return stage.id == StageId::Probe; });
  return stages;
}

std::string mlir::boost::checkSwitches(const CompileOptions &options) {
  SmallVector<StringRef> switchable = getSwitchablePasses();
  for (const std::string &name : options.disabledPasses)
    if (!llvm::is_contained(switchable, name))
      return "cannot leave out --disable-pass=" + name + "; use " +
             llvm::join(switchable, ", ");
  return "";
}
