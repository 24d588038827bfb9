//===- Pipelines.h - The stages of the compiler -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One pipeline per stage, each registered as `boost-<stage>-pipeline`.
// boost-compile runs exactly these, one after another; boost-opt runs any.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_PIPELINES_PIPELINES_H
#define BOOST_MLIR_PIPELINES_PIPELINES_H

#include "boost-mlir/Pipelines/StageOptions.h"
#include "boost-mlir/Target/Target.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace mlir::boost {

/// The stages in their order.
enum class StageId {
  Import,
  Raise,
  Structure,
  Place,
  Decompose,
  Differentiate,
  Probe, ///< makes the function that verifies; only with `verify`
  Partition,
  Collectives,
  Rematerialize,
  Schedule,
  Lower,
  Emit
};

/// Returns the name of a stage that users see: "import", ...
StringRef getStageName(StageId id);

/// Options of a pipeline that can do without some of its passes.
template <typename Options>
struct SwitchablePipelineOptions : PassPipelineOptions<Options> {
  ::mlir::detail::PassOptions::ListOption<std::string> disabledPasses{
      *this, "disable-pass", llvm::cl::desc("Passes to leave out")};

private:
  friend Options;
  SwitchablePipelineOptions() = default;
};

/// The passes of a stage, or of all stages, that `disable-pass` can leave out:
/// the program computes the same without them, but sends more, keeps more or
/// takes longer.
SmallVector<StringRef>
getSwitchablePasses(std::optional<StageId> stage = std::nullopt);

/// Declares an option of a pipeline with the default of its pass.
#define BOOST_PIPELINE_OPTION(FIELD, NAME, DESCRIPTION)                        \
  Option<decltype(Values::FIELD)> FIELD{*this, NAME,                           \
                                        llvm::cl::desc(DESCRIPTION),           \
                                        llvm::cl::init(Values().FIELD)};
#define BOOST_PIPELINE_LIST(FIELD, NAME, DESCRIPTION)                          \
  ListOption<decltype(Values::FIELD)::value_type> FIELD{                       \
      *this, NAME, llvm::cl::desc(DESCRIPTION)};

struct StructurePipelineOptions
    : SwitchablePipelineOptions<StructurePipelineOptions> {
  using Values = LowerPrecisionPassOptions;
  BOOST_PRECISION_OPTIONS(BOOST_PIPELINE_OPTION)
};

struct PlacePipelineOptions : PassPipelineOptions<PlacePipelineOptions> {
  using Values = PlacePassOptions;
  BOOST_PLACE_OPTIONS(BOOST_PIPELINE_OPTION)
  BOOST_PIPELINE_OPTION(explain, "explain",
                        "Remark the reason for every argument")
  BOOST_PIPELINE_OPTION(machine, "machine",
                        "The file of the machine whose seconds decide")
#define BOOST_SPLIT_OPTION(FIELD, NAME, DESCRIPTION)                           \
  Option<decltype(SplitBatchPassOptions::FIELD)> FIELD{                        \
      *this, NAME, llvm::cl::desc(DESCRIPTION),                                \
      llvm::cl::init(SplitBatchPassOptions().FIELD)};
  BOOST_SPLIT_OPTIONS(BOOST_SPLIT_OPTION)
#undef BOOST_SPLIT_OPTION
};

struct DifferentiatePipelineOptions
    : PassPipelineOptions<DifferentiatePipelineOptions> {
  using Values = AddOptimizerPassOptions;
  BOOST_OPTIMIZER_OPTIONS(BOOST_PIPELINE_OPTION)
#define BOOST_GRADIENT_OPTION(FIELD, NAME, DESCRIPTION)                        \
  Option<decltype(DifferentiatePassOptions::FIELD)> FIELD{                     \
      *this, NAME, llvm::cl::desc(DESCRIPTION),                                \
      llvm::cl::init(DifferentiatePassOptions().FIELD)};
  BOOST_GRADIENT_OPTIONS(BOOST_GRADIENT_OPTION)
#undef BOOST_GRADIENT_OPTION
#define BOOST_STEP_OPTION(FIELD, NAME, DESCRIPTION)                            \
  Option<decltype(BuildStepPassOptions::FIELD)> FIELD{                         \
      *this, NAME, llvm::cl::desc(DESCRIPTION),                                \
      llvm::cl::init(BuildStepPassOptions().FIELD)};
  BOOST_STEP_OPTIONS(BOOST_STEP_OPTION)
#undef BOOST_STEP_OPTION
#define BOOST_STATE_OPTION(FIELD, NAME, DESCRIPTION)                           \
  Option<decltype(ShardOptimizerStatePassOptions::FIELD)> FIELD{               \
      *this, NAME, llvm::cl::desc(DESCRIPTION),                                \
      llvm::cl::init(ShardOptimizerStatePassOptions().FIELD)};
  BOOST_STATE_OPTIONS(BOOST_STATE_OPTION)
#undef BOOST_STATE_OPTION
};

struct PartitionPipelineOptions
    : PassPipelineOptions<PartitionPipelineOptions> {
  Option<std::string> machine{
      *this, "machine",
      llvm::cl::desc("The file of the machine whose seconds decide")};
};

struct CollectivesPipelineOptions
    : SwitchablePipelineOptions<CollectivesPipelineOptions> {
  using Values = MergeCollectivesPassOptions;
  BOOST_MERGE_OPTIONS(BOOST_PIPELINE_OPTION)
};

struct RematerializePipelineOptions
    : SwitchablePipelineOptions<RematerializePipelineOptions> {
  using Values = RematerializePassOptions;
  BOOST_REMATERIALIZE_OPTIONS(BOOST_PIPELINE_OPTION, BOOST_PIPELINE_LIST)
  Option<int64_t> memoryBudget{
      *this, "memory-budget",
      llvm::cl::desc("Bytes of a rank: recompute, instead of the above, as "
                     "little as fits; 0: no budget"),
      llvm::cl::init(0)};
  Option<TargetKind> target{
      *this, "target", llvm::cl::desc("Target of the program of the budget"),
      llvm::cl::init(TargetKind::CPU)};
  Option<std::string> machine{
      *this, "machine",
      llvm::cl::desc("The file of the machine that the budget is judged by")};
  Option<bool> explainBudget{
      *this, "explain-budget",
      llvm::cl::desc("Remark what the budget makes recompute"),
      llvm::cl::init(false)};
  // The stage schedule of the program that the budget is judged by.
#define BOOST_SCHEDULE_OPTION(FIELD, NAME, DESCRIPTION)                        \
  Option<decltype(SplitStagesPassOptions::FIELD)> FIELD{                       \
      *this, NAME, llvm::cl::desc(DESCRIPTION),                                \
      llvm::cl::init(SplitStagesPassOptions().FIELD)};
#define BOOST_SCHEDULE_LIST(FIELD, NAME, DESCRIPTION)                          \
  ListOption<decltype(SplitStagesPassOptions::FIELD)::value_type> FIELD{       \
      *this, NAME, llvm::cl::desc(DESCRIPTION)};
  BOOST_SCHEDULE_OPTIONS(BOOST_SCHEDULE_OPTION, BOOST_SCHEDULE_LIST)
#undef BOOST_SCHEDULE_OPTION
#undef BOOST_SCHEDULE_LIST
};

struct SchedulePipelineOptions : PassPipelineOptions<SchedulePipelineOptions> {
  using Values = SplitStagesPassOptions;
  BOOST_SCHEDULE_OPTIONS(BOOST_PIPELINE_OPTION, BOOST_PIPELINE_LIST)
};

/// Options of the stages that differ between targets.
struct TargetPipelineOptions : PassPipelineOptions<TargetPipelineOptions> {
  Option<TargetKind> target{*this, "target",
                            llvm::cl::desc("Target of the program"),
                            llvm::cl::init(TargetKind::CPU)};
};

#undef BOOST_PIPELINE_OPTION
#undef BOOST_PIPELINE_LIST

/// Joins linears that share an input and moves norms behind products.
void buildStructurePipeline(OpPassManager &manager,
                            const StructurePipelineOptions &options);
/// Decides how parameters and batch are sharded over the mesh.
void buildPlacePipeline(OpPassManager &manager,
                        const PlacePipelineOptions &options);
/// Writes composite operations as simpler ones.
void buildDecomposePipeline(OpPassManager &manager);
/// The loss to its gradient and to a training step.
void buildDifferentiatePipeline(OpPassManager &manager,
                                const DifferentiatePipelineOptions &options);
/// Global tensors to one rank's tensors and collectives.
void buildPartitionPipeline(OpPassManager &manager,
                            const PartitionPipelineOptions &options);
/// Fewer collectives, launched together.
void buildCollectivesPipeline(OpPassManager &manager,
                              const CollectivesPipelineOptions &options);
/// Computes again in the backward pass what need not be kept for it.
void buildRematerializePipeline(OpPassManager &manager,
                                const RematerializePipelineOptions &options);
/// Divides functions and schedules by the stages of a pipeline.
void buildSchedulePipeline(OpPassManager &manager,
                           const SchedulePipelineOptions &options);
/// One rank's tensors to kernels and calls on one arena.
void buildLowerPipeline(OpPassManager &manager, const Target &target);
/// Kernels and calls to the LLVM dialect; see Target::addEmitPasses.
void buildEmitPipeline(OpPassManager &manager, const Target &target);

/// Registers the pipelines of these stages; import and raise have their own.
void registerPipelines();

} // namespace mlir::boost

#endif // BOOST_MLIR_PIPELINES_PIPELINES_H
