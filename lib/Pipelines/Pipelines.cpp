//===- Pipelines.cpp - The stages of the compiler -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes of every stage. The stages import and raise are beside their
// passes.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Pipelines/Pipelines.h"

#include "boost-mlir/Conversion/BoostToRuntime/Passes.h"
#include "boost-mlir/Conversion/StableHLOToBoost/Passes.h"
#include "boost-mlir/Conversion/StableHLOToLinalg/Passes.h"
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h"
#include "boost-mlir/Dialect/BoostRT/Transforms/Passes.h"
#include "boost-mlir/Dialect/StableHLO/Transforms/Passes.h"
#include "boost-mlir/Pipelines/Passes.h"
#include "boost-mlir/Target/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::boost;

StringRef mlir::boost::getStageName(StageId id) {
  static constexpr StringRef names[] = {
      "import",        "raise", "structure", "place",       "decompose",
      "differentiate", "probe", "partition", "collectives", "rematerialize",
      "schedule",      "lower", "emit"};
  return names[static_cast<size_t>(id)];
}

//===----------------------------------------------------------------------===//
// Passes that can be left out
//===----------------------------------------------------------------------===//

/// Stages, and what they can do without.
static constexpr std::pair<StageId, StringRef> kSwitchablePasses[] = {
    {StageId::Structure, "boost-group-linears"},
    {StageId::Structure, "boost-online-layer-norm"},
    {StageId::Structure, "boost-online-rms-norm"},
    {StageId::Collectives, "boost-simplify-collectives"},
    {StageId::Collectives, "boost-merge-collectives"},
    {StageId::Rematerialize, "boost-rematerialize"},
};

SmallVector<StringRef>
mlir::boost::getSwitchablePasses(std::optional<StageId> stage) {
  SmallVector<StringRef> passes;
  for (auto [owner, pass] : kSwitchablePasses)
    if (!stage || owner == *stage)
      passes.push_back(pass);
  return passes;
}

/// Adds a pass unless the options of its stage name it.
template <typename Options>
static void addSwitchable(OpPassManager &manager, const Options &options,
                          std::unique_ptr<Pass> pass) {
  if (!llvm::is_contained(options.disabledPasses, pass->getArgument()))
    manager.addPass(std::move(pass));
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

/// Hands an option of a pipeline to its pass.
#define TAKE(FIELD, NAME, DESCRIPTION) values.FIELD = options.FIELD;
#define TAKE_LIST(FIELD, NAME, DESCRIPTION)                                    \
  llvm::append_range(values.FIELD, options.FIELD);

static void addCleanUp(OpPassManager &manager) {
  manager.addPass(createCanonicalizePass());
  manager.addPass(createCSEPass());
}

void mlir::boost::buildStructurePipeline(
    OpPassManager &manager, const StructurePipelineOptions &options) {
  OpPassManager &functions = manager.nest<func::FuncOp>();
  LowerPrecisionPassOptions values;
  BOOST_PRECISION_OPTIONS(TAKE)
  functions.addPass(createLowerPrecisionPass(values));
  addSwitchable(functions, options, createGroupLinearsPass());
  addSwitchable(functions, options, createOnlineLayerNormPass());
  addSwitchable(functions, options, createOnlineRMSNormPass());
  addCleanUp(functions);
  functions.addPass(createFindLayersPass());
}

void mlir::boost::buildPlacePipeline(OpPassManager &manager,
                                     const PlacePipelineOptions &options) {
  PlacePassOptions values;
  BOOST_PLACE_OPTIONS(TAKE)
  values.explain = options.explain;
  values.machine = options.machine;
  manager.addNestedPass<func::FuncOp>(
      createSplitBatchPass({options.microBatches}));
  manager.addPass(createPlacePass(values));
}

void mlir::boost::buildDecomposePipeline(OpPassManager &manager) {
  manager.addNestedPass<func::FuncOp>(createDecomposeBottleneckPass());
  manager.addNestedPass<func::FuncOp>(createDecomposeLayerNormPass());
  manager.addNestedPass<func::FuncOp>(createDecomposeRMSNormPass());
  addCleanUp(manager);
}

void mlir::boost::buildDifferentiatePipeline(
    OpPassManager &manager, const DifferentiatePipelineOptions &options) {
  manager.addPass(createDifferentiatePass({options.nondeterministic}));
  addCleanUp(manager);
  manager.addPass(createAddSchedulesPass());
  AddOptimizerPassOptions values;
  BOOST_OPTIMIZER_OPTIONS(TAKE)
  manager.addPass(createAddOptimizerPass(values));
  manager.addPass(createBuildStepPass({options.accumulate}));
  manager.addPass(createSplitUpdatePass());
  // Branches that could not be split are computed in each step.
  manager.addPass(stablehlo::createSelectBranchesPass());
  manager.addNestedPass<func::FuncOp>(createRaiseAdamWPass());
  ShardOptimizerStatePassOptions state;
  state.zero = options.zero;
  manager.addPass(createShardOptimizerStatePass(state));
}

void mlir::boost::buildPartitionPipeline(
    OpPassManager &manager, const PartitionPipelineOptions &options) {
  manager.addNestedPass<func::FuncOp>(createPropagateShardingsPass());
  PartitionPassOptions values;
  values.machine = options.machine;
  manager.addPass(createPartitionPass(values));
  addCleanUp(manager);
  manager.addPass(createVerifySpmdPass());
}

void mlir::boost::buildCollectivesPipeline(
    OpPassManager &manager, const CollectivesPipelineOptions &options) {
  OpPassManager &functions = manager.nest<func::FuncOp>();
  addSwitchable(functions, options, createSimplifyCollectivesPass());
  functions.addPass(createCSEPass());
  MergeCollectivesPassOptions values;
  BOOST_MERGE_OPTIONS(TAKE)
  addSwitchable(functions, options, createMergeCollectivesPass(values));
  manager.addPass(createVerifySpmdPass());
}

void mlir::boost::buildRematerializePipeline(
    OpPassManager &manager, const RematerializePipelineOptions &options) {
  if (options.memoryBudget > 0) {
    RematerializeToBudgetPassOptions budget;
    budget.budget = options.memoryBudget;
    budget.target = options.target;
    budget.machine = options.machine;
    budget.explain = options.explainBudget;
    budget.order = options.order;
    budget.chunks = options.chunks;
    llvm::append_range(budget.layout, options.layout);
    llvm::append_range(budget.disabledPasses, options.disabledPasses);
    manager.addPass(createRematerializeToBudgetPass(std::move(budget)));
    return;
  }
  RematerializePassOptions values;
  BOOST_REMATERIALIZE_OPTIONS(TAKE, TAKE_LIST)
  addSwitchable(manager.nest<func::FuncOp>(), options,
                createRematerializePass(std::move(values)));
  addCleanUp(manager);
  manager.addPass(createVerifySpmdPass());
}

void mlir::boost::buildSchedulePipeline(
    OpPassManager &manager, const SchedulePipelineOptions &options) {
  SplitStagesPassOptions values;
  BOOST_SCHEDULE_OPTIONS(TAKE, TAKE_LIST)
  manager.addPass(createSplitStagesPass(std::move(values)));
}

void mlir::boost::buildLowerPipeline(OpPassManager &manager,
                                     const Target &target) {
  manager.addPass(createConvertBoostToRuntimePass());
  manager.addPass(createConvertStableHLOToLinalgPass());
  OpPassManager &kernels = manager.nest<func::FuncOp>();
  kernels.addPass(rt::createMoveSlicesPass());
  kernels.addPass(rt::createMergeEqualOperationsPass());
  kernels.addPass(rt::createFuseElementwisePass());
  kernels.addPass(rt::createFuseSiblingsPass());
  manager.addPass(createCanonicalizePass());
  OpPassManager &functions = manager.nest<func::FuncOp>();
  target.addTensorPasses(functions);
  functions.addPass(rt::createMergeEqualOperationsPass());
  functions.addPass(rt::createAccumulateProductsPass());
  functions.addPass(rt::createRoundUpdatesPass());
  functions.addPass(rt::createMergeUpdatesPass());
  manager.addPass(rt::createNumberCollectivesPass());
  manager.addPass(rt::createBufferizePass());
  int64_t alignment = target.getArenaAlignment();
  manager.addPass(createAssignWorkspacePass({target.getKind()}));
  manager.addPass(rt::createPlanMemoryPass({alignment}));
  target.addKernelPasses(manager);
  manager.addPass(rt::createVerifyRuntimePass({alignment}));
}

void mlir::boost::buildEmitPipeline(OpPassManager &manager,
                                    const Target &target) {
  target.addEmitPasses(manager);
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

using Report = function_ref<LogicalResult(const Twine &)>;

/// Registers the pipeline of a stage; `build` reports options that are wrong.
template <typename Options, typename Build>
static void registerStage(StageId id, StringRef description, Build build) {
  auto parseAndBuild = [=](OpPassManager &manager, StringRef text,
                           Report report) {
    Options options;
    if (failed(options.parseFromString(text)))
      return failure();
    return build(manager, options, report);
  };
  registerPassPipeline(
      ("boost-" + getStageName(id) + "-pipeline").str(), description,
      parseAndBuild,
      [](function_ref<void(const ::mlir::detail::PassOptions &)> visit) {
        visit(Options());
      });
}

/// A stage that refuses to leave out a pass it does not know.
template <typename Options>
static void registerSwitchable(StageId id, StringRef description,
                               void (*build)(OpPassManager &,
                                             const Options &)) {
  auto checkAndBuild = [=](OpPassManager &manager, const Options &options,
                           Report report) -> LogicalResult {
    SmallVector<StringRef> known = getSwitchablePasses(id);
    for (const std::string &name : options.disabledPasses)
      if (!llvm::is_contained(known, name))
        return report("cannot leave out '" + name + "'; " + getStageName(id) +
                      " can leave out " + llvm::join(known, ", "));
    build(manager, options);
    return success();
  };
  registerStage<Options>(id, description, checkAndBuild);
}

/// A stage that differs between targets.
static void registerTargeted(StageId id, StringRef description,
                             void (*build)(OpPassManager &, const Target &)) {
  auto checkAndBuild = [=](OpPassManager &manager,
                           const TargetPipelineOptions &options,
                           Report report) -> LogicalResult {
    build(manager, getTarget(options.target));
    return success();
  };
  registerStage<TargetPipelineOptions>(id, description, checkAndBuild);
}

void mlir::boost::registerPipelines() {
  registerSwitchable(StageId::Structure,
                     "Lower the precision, join linears, move norms behind "
                     "products",
                     buildStructurePipeline);
  PassPipelineRegistration<PlacePipelineOptions>(
      "boost-place-pipeline", "Shard parameters and batch over the mesh",
      buildPlacePipeline);
  PassPipelineRegistration<>("boost-decompose-pipeline",
                             "Composite operations to simple ones",
                             buildDecomposePipeline);
  PassPipelineRegistration<DifferentiatePipelineOptions>(
      "boost-differentiate-pipeline", "The loss to a training step",
      buildDifferentiatePipeline);
  PassPipelineRegistration<PartitionPipelineOptions>(
      "boost-partition-pipeline", "Global tensors to one rank's tensors",
      buildPartitionPipeline);
  registerSwitchable(StageId::Collectives,
                     "Fewer collectives, launched together",
                     buildCollectivesPipeline);
  registerSwitchable(StageId::Rematerialize, "Recompute instead of keeping",
                     buildRematerializePipeline);
  PassPipelineRegistration<SchedulePipelineOptions>(
      "boost-schedule-pipeline", "Functions of pipeline stages, in order",
      buildSchedulePipeline);
  registerTargeted(StageId::Lower,
                   "One rank's tensors to kernels and runtime calls",
                   buildLowerPipeline);
  registerTargeted(StageId::Emit,
                   "Kernels and runtime calls to the LLVM dialect",
                   buildEmitPipeline);
}
