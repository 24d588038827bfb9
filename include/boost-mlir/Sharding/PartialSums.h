//===- PartialSums.h - Where partial sums are completed ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far a partial sum should be passed on before it is reduced.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_SHARDING_PARTIALSUMS_H
#define BOOST_MLIR_SHARDING_PARTIALSUMS_H

#include "boost-mlir/Sharding/FunctionShardings.h"
#include "boost-mlir/Sharding/Reshard.h"
#include "boost-mlir/Sharding/SharedGathers.h"

namespace mlir::boost {

/// For each value that may be a partial sum over an axis: what completing it
/// will cost, and whether to wait.
///
/// A sum may be passed on through operations that are additive in it. It is
/// completed at the smallest form on the way to a use that is not; where that
/// makes no difference, at once, so that the collective can run early. Where a
/// result is wanted in shards, passing on means to compute it whole: terms that
/// are added to each other are then scattered once. Its other operands have to
/// be whole on all ranks anyway. The
/// parts of a weight gradient, and whatever else only the optimizer or the
/// caller reads, wait for these: the collectives of a step then stand together.
/// A sum that one operation has to complete is read complete by all: passing it
/// on as well would complete it twice.
class PartialSums {
public:
  PartialSums(const FunctionShardings &shardings, const ReshardCost &price);

  /// Returns true if `value` should be left partial over `axis` where it is
  /// computed.
  bool waits(Value value, AxisMask axis) const {
    return waiting.lookup(value) & axis;
  }
  /// Returns true if one operation needs `value`, a partial sum over `axis`,
  /// complete, so that others should not pass it on.
  bool isCompletedAnyway(Value value, AxisMask axis) const {
    return completedAnyway.lookup(value) & axis;
  }
  /// Returns true if only the optimizer or the caller reads the results of
  /// `value`.
  bool isTerminal(Value value, AxisMask axis) const {
    return terminal.lookup(value) & axis;
  }
  /// Returns true if `value` is a gradient that `user` passes to the optimizer
  /// or to the caller.
  bool isGradientFor(Value value, Operation *user) const {
    return isBackward(value) && endsWith(user);
  }
  /// Returns true if `op` should be spread along no loop over `axis`.
  bool isComputedWhole(Operation *op, AxisMask axis) const {
    return gathers.isComputedWhole(op, axis) ||
           (repeatedWhole.lookup(op) & axis);
  }
  /// Returns true if some operation gathers what `axis` shards of `value`.
  bool isGathered(Value value, AxisMask axis) const {
    return gathers.isGathered(value, axis);
  }
  /// Returns true if `value` can be read as a partial sum over any axis: zero,
  /// and an open running sum.
  bool isPartialOverAny(Value value) const;
  /// Seconds until `value`, if partial over `axis`, is complete.
  double getCost(Value value, AxisMask axis) const;

private:
  bool isBackward(Value value) const;
  bool endsWith(Operation *user) const;
  void findPartialValues();
  void decide();
  void computeRepeatedWhole();
  void visitResult(Value value, AxisMask axis);
  bool passes(const RuledOp &ruled, AxisMask axis, Value alsoPartial) const;
  bool sumsOver(const RuledOp &ruled, AxisMask axis) const;
  int64_t countPartial(Operation *op, AxisMask axis, Value alsoPartial) const;
  double reduceCost(Value value, ArrayRef<AxisList> wanted,
                    AxisMask axis) const;

  const FunctionShardings &shardings;
  const ReshardCost &price;
  SharedGathers gathers;
  DenseMap<Operation *, const RuledOp *> ruledOps;
  /// Axes over which a value is a partial sum where it is computed, and those
  /// over which its users still see it as one.
  DenseMap<Value, AxisMask> computedPartial, seenPartial;
  DenseMap<Value, AxisMask> waiting, terminal, completedAnyway;
  DenseMap<std::pair<Value, AxisMask>, double> costs;
  /// Operations that repeat what is combined with a partial sum.
  DenseMap<Operation *, AxisMask> repeatedWhole;
};

/// Returns true if every element of `value` is the constant zero, which is a
/// partial sum over any axis.
bool isZeroConstant(Value value);

} // namespace mlir::boost

#endif // BOOST_MLIR_SHARDING_PARTIALSUMS_H
