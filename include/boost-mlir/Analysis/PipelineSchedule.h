//===- PipelineSchedule.h - What pipeline stages do when --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The schedules of pipeline parallelism as data: a list of actions for every
// pipeline stage, made by one function, held to its rules by one verifier, and
// priced by simulating it.
//
// The layers are divided into chunks, and chunk c is on stage c modulo the
// number of stages. What a chunk's forward pass of a micro-batch keeps for the
// backward pass lies in a slot of its stage until the last action of that chunk
// on that micro-batch.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_ANALYSIS_PIPELINESCHEDULE_H
#define BOOST_MLIR_ANALYSIS_PIPELINESCHEDULE_H

#include "boost-mlir/Support/NamedValues.h"
#include "mlir/Support/LLVM.h"
#include "llvm/Support/Error.h"

#include <array>
#include <variant>

namespace mlir::boost {

/// The order in which stages compute.
enum class PipelineSchedule {
  /// All forward passes, then all backward passes.
  GPipe,
  /// A backward pass as soon as there is one, in turn with forward passes.
  OneForwardOneBackward,
  /// 1F1B with several chunks per stage, as in Megatron-LM.
  Interleaved,
  /// 1F1B with the gradients of weights apart, where stages would be idle
  /// (ZB-H1 of Qi et al. 2023).
  ZeroBubble,
};

/// The size of a pipeline.
struct PipelineShape {
  int64_t stages = 1;
  int64_t chunksPerStage = 1;
  int64_t microBatches = 1;

  int64_t getNumChunks() const { return stages * chunksPerStage; }
  int64_t getStage(int64_t chunk) const { return chunk % stages; }
};

/// The kinds of work on a chunk and a micro-batch.
enum class PipelineWork {
  Forward,
  /// The gradients of the input, and of the weights unless these are apart.
  Backward,
  /// The gradients of the weights.
  Weights,
};
inline constexpr size_t kNumPipelineWorks = 3;

/// One entry of the list of a stage.
struct PipelineAction {
  PipelineWork work = PipelineWork::Forward;
  int64_t chunk = 0;
  int64_t microBatch = 0;
  /// The slot of the stage that holds the chunk's values of the micro-batch.
  int64_t slot = 0;
};

/// The lists of all stages.
struct PipelineLists {
  PipelineShape shape;
  /// The last action on a chunk and a micro-batch: Forward without gradients,
  /// Weights if the gradients of weights are apart, or else Backward.
  PipelineWork last = PipelineWork::Backward;
  SmallVector<SmallVector<PipelineAction>> stages;
};

/// Makes the lists of a training step, with slots. Returns a message if the
/// schedule has no lists of this shape: only `interleaved` takes several chunks
/// per stage, and a number of micro-batches that the stages divide.
llvm::Expected<PipelineLists> makePipelineLists(PipelineSchedule schedule,
                                                PipelineShape shape);

/// Makes lists of forward passes, with slots, for evaluations. With several
/// chunks per stage the stages have to divide the micro-batches.
llvm::Expected<PipelineLists> makeForwardLists(PipelineShape shape);

/// Gives every chunk and micro-batch the lowest slot of its stage that is free
/// from its first action, or the transfer that brings its input, to its last
/// action and the transfer of what that gives.
void assignSlots(PipelineLists &lists);

/// Returns the number of slots of each stage: one more than the largest.
SmallVector<int64_t> countSlots(const PipelineLists &lists);

/// Checks the lists of all stages:
/// - Each has every action of its chunks once, and those of a chunk and a kind
///   of work in the order of the micro-batches.
/// - A forward pass comes before its backward pass, and that before its
///   gradients of weights.
/// - All actions on a chunk and a micro-batch have one slot, and no other takes
///   it between them.
/// - They end: no stage waits forever for an input, or for a slot whose values
///   another stage has not received yet. A transfer may wait until both its
///   stages come to it.
/// Returns a message that names the stage and the action.
llvm::Error verifyPipelineLists(const PipelineLists &lists);

/// The seconds that actions and transfers take.
struct PipelineCosts {
  /// Seconds of each chunk by kind of work. Those of Backward include the
  /// gradients of weights if these are not apart.
  SmallVector<std::array<double, kNumPipelineWorks>> chunks;
  /// Seconds to transfer what crosses from chunk c to c + 1, and its gradient.
  SmallVector<double> boundaries;
};

/// The transfer of what an action on `chunk` gives: to the next chunk if it is
/// a forward pass, or to the one before if it is a backward pass.
struct PipelineTransfer {
  PipelineWork work = PipelineWork::Forward;
  int64_t chunk = 0;
  int64_t microBatch = 0;
  int64_t from = 0, fromSlot = 0;
  int64_t to = 0, toSlot = 0;
};

/// Begin and end in seconds.
struct PipelineSpan {
  double begin = 0, end = 0;
};

/// The times at which simulated stages act.
struct PipelineTimeline {
  /// The times of each action, as the lists have them.
  SmallVector<SmallVector<PipelineSpan>> actions;
  SmallVector<std::pair<PipelineTransfer, PipelineSpan>> transfers;
  /// The end of the last action.
  double makespan = 0;
  /// The seconds of each stage without an action.
  SmallVector<double> idle;
  /// The most pairs of a chunk and a micro-batch that each stage holds.
  SmallVector<int64_t> held;
};

/// Executes lists that the verifier accepts. A stage begins an action when it
/// is done with the one before and has its input. A transfer begins when its
/// value is computed, the slot that it fills is free and its link is; there is
/// a link for each pair of stages and direction. Stages compute meanwhile.
PipelineTimeline simulate(const PipelineLists &lists,
                          const PipelineCosts &costs);

/// An entry of the list of all stages.
using PipelineStep = std::variant<PipelineAction, PipelineTransfer>;

/// Returns one list of the actions of all stages and the transfers between
/// them, for lists that the verifier accepts. It is in the order of simulated
/// begins, and the same on every machine. A transfer stands behind what gives
/// its value and directly before its receiver's next action, which needs it. It
/// also stands before anything fills the slot that it sends from and, if the
/// lists allow it for all transfers, before its sender's next action.
SmallVector<PipelineStep> linearize(const PipelineLists &lists,
                                    const PipelineTimeline &timeline);

} // namespace mlir::boost

template <>
class llvm::cl::parser<mlir::boost::PipelineSchedule>
    : public mlir::boost::NamedValueParser<mlir::boost::PipelineSchedule> {
  using NamedValueParser::NamedValueParser;
};

#endif // BOOST_MLIR_ANALYSIS_PIPELINESCHEDULE_H
