//===- Reshard.h - From one local form to another ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The forms in which ranks hold a value, and the collectives that change them.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_SHARDING_RESHARD_H
#define BOOST_MLIR_SHARDING_RESHARD_H

#include "boost-mlir/Analysis/Machine.h"
#include "boost-mlir/Dialect/Boost/IR/Mesh.h"
#include "boost-mlir/Interfaces/ShardingRule.h"
#include "mlir/IR/Builders.h"

namespace mlir::boost {

/// The form in which ranks hold a value: each its part along the dimensions
/// that are sharded, and along the axes of `partial` only a term of the sum
/// (maximum, minimum) that is the value. No axis is in both.
struct LocalForm {
  Split split;
  AxisMask partial = 0;
  LoopKind partialKind = LoopKind::Sum;

  bool operator==(const LocalForm &other) const {
    return split == other.split && partial == other.partial &&
           (!partial || partialKind == other.partialKind);
  }
};

/// Returns the reduction that completes partial results of a loop of `kind`.
Reduction getReduction(LoopKind kind);

/// One collective. Steps of several axes are all-reduces only.
struct ReshardStep {
  enum Kind { AllSlice, ReduceScatter, AllReduce, AllToAll, AllGather };
  Kind kind;
  AxisMask axes;
  /// The dimension that is sharded further or gathered.
  int64_t dim = -1;
  /// AllToAll: the dimension that is sharded instead.
  int64_t toDim = -1;

  bool isReduction() const {
    return kind == AllReduce || kind == ReduceScatter;
  }
};

/// The steps from one form to another, which may be partial only where the
/// first is: slices, which send nothing, then reductions, then all-to-alls,
/// then gathers. Axes are appended to those of a dimension and taken off its
/// end, so that a dimension keeps the first axes that both forms have.
SmallVector<ReshardStep> planReshard(LocalForm from, const LocalForm &to);

/// The form after a step.
LocalForm applyStep(const LocalForm &form, const ReshardStep &step);

/// Seconds of steps and plans on a machine.
class ReshardCost {
public:
  ReshardCost(const Mesh &mesh, const Machine &machine)
      : mesh(mesh), machine(machine) {}

  /// `type` is the global type of the value.
  double ofStep(RankedTensorType type, const LocalForm &form,
                const ReshardStep &step) const;
  double ofPlan(RankedTensorType type, const LocalForm &from,
                const LocalForm &to) const;
  /// Returns the seconds of an all-reduce of `bytes` over some axes.
  double ofAllReduce(double bytes, AxisMask axes) const;
  /// Returns the seconds to read or write a rank's part of a value.
  double ofTouching(RankedTensorType type, ArrayRef<AxisList> split) const;
  /// Returns the seconds of `flops` operations on elements of a type.
  double ofComputing(double flops, Type elementType) const;
  /// The bytes that a rank holds.
  double localBytes(RankedTensorType type, ArrayRef<AxisList> split) const;

private:
  double ofCollective(CollectiveKind kind, double bytes, AxisMask axes) const;

  const Mesh &mesh;
  const Machine &machine;
};

/// Emits the collective of a step on `value`, which has the form `form`.
Value buildStep(OpBuilder &builder, Location loc, const Mesh &mesh,
                const LocalForm &form, const ReshardStep &step, Value value);

} // namespace mlir::boost

#endif // BOOST_MLIR_SHARDING_RESHARD_H
