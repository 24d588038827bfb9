//===- PipelinePrice.h - What pipelines of many layers take -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prices pipelines by one program in which every layer is a pipeline stage. The
// times of its functions, and the bytes of its tensors, are those of layers.
// Any division of any number of such layers into chunks is a sum of them, and
// the lists of its schedule are simulated.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_ANALYSIS_PIPELINEPRICE_H
#define BOOST_MLIR_ANALYSIS_PIPELINEPRICE_H

#include "boost-mlir/Analysis/Extrapolation.h"
#include "boost-mlir/Analysis/PipelineSchedule.h"

namespace mlir::boost {

/// The work of a layer on one micro-batch.
struct LayerCall {
  int64_t layer = 0;
  PipelineWork work = PipelineWork::Forward;
};

/// The time and the memory of each layer of a program, with the gradients of
/// weights apart. What is outside of the layers belongs to the first or to the
/// last.
struct LayerProfile {
  struct Layer {
    /// The times of a micro-batch by kind of work.
    std::array<StepEstimate, kNumPipelineWorks> works;
    /// The update of the layer's parameters.
    FunctionCost update;
    /// Bytes that are in use within a call only.
    int64_t temporaryBytes = 0;
  };
  /// A tensor that stays from call to call.
  struct Tensor {
    int64_t bytes = 0;
    /// True if its size does not depend on the batch.
    bool isFixed = false;
    /// The layer that computes it, if it is a sum over micro-batches, or the
    /// first that has it.
    int64_t owner = 0;
    SmallVector<int64_t> layers;
    /// Tensors of one group whose owners are on one stage are one tensor there:
    /// the sum of all that its layers add to the gradient of a parameter.
    int64_t group = 0;
    /// True if tensors of other layers are in the group.
    bool isShared = false;
  };
  /// A value that a call keeps for others.
  struct Kept {
    int64_t bytes = 0;
    LayerCall producer;
    SmallVector<LayerCall> readers;
  };

  std::vector<Layer> layers;
  SmallVector<Tensor> tensors;
  SmallVector<Kept> kept;

  /// Returns the profile of a program whose layers are like these, each like
  /// the one that `numbers` has in its place. The first and the last have to be
  /// like the first and the last of this one. What only neighbors exchange,
  /// they exchange there too.
  LayerProfile repeat(ArrayRef<int64_t> numbers) const;
};

/// Reads the profile of a program at the runtime level whose pipeline has a
/// stage for each layer, on which the first call of a micro-batch is its
/// forward pass, the second its backward pass and the third, if there is one,
/// the gradients of its weights. `mesh` is the one that collectives are priced
/// on.
LayerProfile readLayerProfile(ModuleOp module, const Mesh &mesh,
                              const Machine &machine);

/// The order in which the stages of a pipeline compute, and how the layers are
/// divided.
struct PipelinePlan {
  PipelineSchedule order = PipelineSchedule::OneForwardOneBackward;
  PipelineShape shape;
  /// The number of layers of each chunk.
  SmallVector<int64_t> layout;
};

/// The predicted time and memory of a pipeline.
struct PipelinePrice {
  /// The step. What the network takes is that of the busiest stage; the seconds
  /// by classes of layers are those of all stages.
  StepEstimate step;
  SmallVector<double> busySeconds; ///< of each stage
  SmallVector<int64_t> peaks;      ///< bytes of a rank of each stage
  int64_t fixed = 0; ///< the largest part of them that no batch changes
  int64_t getPeak() const { return *llvm::max_element(peaks); }
  /// Returns the part of the step in which the stages, on average, wait.
  double getIdleShare() const;
};

/// Prices pipelines of a program.
class PipelinePricer {
public:
  /// `bucketBytes` are the most bytes of a collective that layers share. Ranks
  /// of neighboring stages are among `span` ranks of the machine.
  PipelinePricer(const LayerProfile &profile, const Machine &machine,
                 int64_t bucketBytes, int64_t span)
      : profile(profile), machine(machine), bucketBytes(bucketBytes),
        span(span) {}

  /// Divides the layers into chunks so that the slowest takes least. There are
  /// at least as many layers.
  SmallVector<int64_t> divide(int64_t chunks) const;

  /// The error says why there is no such pipeline.
  llvm::Expected<PipelinePrice> price(const PipelinePlan &plan) const;

private:
  const LayerProfile &profile;
  const Machine &machine;
  int64_t bucketBytes, span;
};

} // namespace mlir::boost

#endif // BOOST_MLIR_ANALYSIS_PIPELINEPRICE_H
