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
  Lower,
  Emit
};

/// What users call a stage: "import", ...
StringRef getStageName(StageId id);

/// Options of a pipeline that can do without some of its passes.
template <typename Options>
struct SwitchablePipelineOptions : PassPipelineOptions<Options> {
  ::mlir::detail::PassOptions::ListOption<std::string> disabledPasses{
      *this, "disable-pass", llvm::cl::desc("Passes to leave out")};
};

/// The passes of a stage, or of all stages, that `disable-pass` can leave out:
/// the program computes the same without them, but sends more, keeps more or
/// takes longer.
SmallVector<StringRef>
getSwitchablePasses(std::optional<StageId> stage = std::nullopt);

struct StructurePipelineOptions
    : SwitchablePipelineOptions<StructurePipelineOptions> {};

/// What one launch reduces of gradients unless told otherwise: enough to hide
/// the latency of a message, little enough to begin before all are ready.
inline constexpr int64_t kDefaultBucketBytes = int64_t(25) << 20;

struct PlacePipelineOptions : PassPipelineOptions<PlacePipelineOptions> {
  Option<std::string> mesh{*this, "mesh",
                           llvm::cl::desc("Axes and sizes, as in dp=2,tp=4"),
                           llvm::cl::init("1")};
  Option<std::string> placement{
      *this, "placement",
      llvm::cl::desc("auto, bottleneck, megatron, replicated or given"),
      llvm::cl::init("auto")};
  Option<bool> explain{*this, "explain",
                       llvm::cl::desc("Remark the reason for every argument"),
                       llvm::cl::init(false)};
};

struct DifferentiatePipelineOptions
    : PassPipelineOptions<DifferentiatePipelineOptions> {
  Option<std::string> optimizer{*this, "optimizer",
                                llvm::cl::desc("The optimizer: adamw"),
                                llvm::cl::init("adamw")};
  Option<double> beta1{*this, "beta1",
                       llvm::cl::desc("Decay of the first moment"),
                       llvm::cl::init(0.9)};
  Option<double> beta2{*this, "beta2",
                       llvm::cl::desc("Decay of the second moment"),
                       llvm::cl::init(0.95)};
  Option<double> eps{*this, "eps",
                     llvm::cl::desc("Added to the root of the second moment"),
                     llvm::cl::init(1e-8)};
  Option<double> weightDecay{*this, "weight-decay",
                             llvm::cl::desc("Decoupled weight decay"),
                             llvm::cl::init(0.1)};
  Option<int64_t> accumulate{*this, "accumulate",
                             llvm::cl::desc("Micro-batches per update"),
                             llvm::cl::init(1)};
};

struct CollectivesPipelineOptions
    : SwitchablePipelineOptions<CollectivesPipelineOptions> {
  Option<int64_t> bucketBytes{
      *this, "bucket-bytes",
      llvm::cl::desc("The most bytes of gradients that one launch reduces"),
      llvm::cl::init(kDefaultBucketBytes)};
};

/// Joins linears that share an input and moves norms behind products.
void buildStructurePipeline(OpPassManager &manager,
                            const StructurePipelineOptions &options);
struct RematerializePipelineOptions
    : SwitchablePipelineOptions<RematerializePipelineOptions> {
  Option<std::string> mode{*this, "mode",
                           llvm::cl::desc("none, low-rank or full-block"),
                           llvm::cl::init("none")};
  ListOption<std::string> recompute{
      *this, "recompute",
      llvm::cl::desc("Classes to recompute, instead of those of the mode")};
  Option<int64_t> layers{*this, "layers",
                         llvm::cl::desc("Layers that this concerns; -1: all"),
                         llvm::cl::init(-1)};
  ListOption<std::string> others{
      *this, "others", llvm::cl::desc("Classes in the layers behind those")};
  Option<int64_t> memoryBudget{
      *this, "memory-budget",
      llvm::cl::desc("Bytes of a rank: recompute, instead of the above, as "
                     "little as fits; 0: no budget"),
      llvm::cl::init(0)};
  Option<std::string> machine{
      *this, "machine",
      llvm::cl::desc("The file of the machine that the budget is judged by")};
  Option<bool> explainBudget{
      *this, "explain-budget",
      llvm::cl::desc("Remark what the budget makes recompute"),
      llvm::cl::init(false)};
  Option<bool> explain{*this, "explain",
                       llvm::cl::desc("Remark every value that is kept"),
                       llvm::cl::init(false)};
};

/// Decides how parameters and batch are cut over the mesh.
void buildPlacePipeline(OpPassManager &manager,
                        const PlacePipelineOptions &options);
/// Writes composite operations as simpler ones.
void buildDecomposePipeline(OpPassManager &manager);
/// The loss to its gradient and to a training step.
void buildDifferentiatePipeline(OpPassManager &manager,
                                const DifferentiatePipelineOptions &options);
/// Global tensors to one rank's tensors and collectives.
void buildPartitionPipeline(OpPassManager &manager);
/// Fewer collectives, launched together.
void buildCollectivesPipeline(OpPassManager &manager,
                              const CollectivesPipelineOptions &options);
/// Computes again in the backward pass what need not be kept for it.
void buildRematerializePipeline(OpPassManager &manager,
                                const RematerializePipelineOptions &options);
/// One rank's tensors to kernels and calls on one arena.
void buildLowerPipeline(OpPassManager &manager);
/// Kernels and calls to the LLVM dialect.
void buildEmitPipeline(OpPassManager &manager);

/// Registers the pipelines of these stages; import and raise have their own.
void registerPipelines();

} // namespace mlir::boost

#endif // BOOST_MLIR_PIPELINES_PIPELINES_H
