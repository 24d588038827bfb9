//===- SharedGathers.h - Values that several gather -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides how early a sharded value should be gathered.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_SHARDING_SHAREDGATHERS_H
#define BOOST_MLIR_SHARDING_SHAREDGATHERS_H

#include "boost-mlir/Sharding/FunctionShardings.h"
#include "boost-mlir/Sharding/Reshard.h"

namespace mlir::boost {

/// For each sharded value: whether ranks gather it for some reader, so that the
/// whole of it is there for the others too.
///
/// A reader needs a value whole if it is not spread along the sharded
/// dimension. Where the results of cheap operations on one sharded value are
/// gathered, and that costs more than gathering the value itself, the value is
/// gathered once, and these operations are computed whole.
class SharedGathers {
public:
  SharedGathers(const FunctionShardings &shardings, const ReshardCost &price);

  /// Returns true if every rank will have all that `axis` shards of `value`, or
  /// computes it without communication.
  bool isWhole(Value value, AxisMask axis) const {
    return !isSharded(value, axis) || shardings.isGenerated(value) ||
           isRepeated(value, axis) || isGathered(value, axis);
  }
  /// Returns true if every rank gathers what `axis` shards of `value`.
  bool isGathered(Value value, AxisMask axis) const {
    return gathered.lookup(value) & axis;
  }
  /// Returns true if ranks compute the same along the dimension that `axis`
  /// shards of `value`: it repeats an operand.
  bool isRepeated(Value value, AxisMask axis) const {
    return repeated.lookup(value) & axis;
  }
  /// Returns true if `op` should be spread along no loop over `axis`.
  bool isComputedWhole(Operation *op, AxisMask axis) const {
    return computedWhole.lookup(op) & axis;
  }
  /// The loop that should be spread over `axis`: the one that is summed over if
  /// all operands are sharded along it, or else as `FunctionShardings` chooses.
  int getLoop(Operation *op, AxisMask axis) const {
    return loops.find({op, axis})->second;
  }
  /// The seconds by which `ruled` takes longer on a rank if it is not spread
  /// over `axis`.
  double getExtraSeconds(const RuledOp &ruled, AxisMask axis) const;

private:
  /// An operation whose results would be gathered, but for one sharded operand.
  struct Reader {
    Operation *op;
    AxisMask axis;
    double saved;
  };

  bool isSharded(Value value, AxisMask axis) const {
    return getAxesOf(shardings.getSplit(value)) & axis;
  }
  int chooseLoop(const RuledOp &ruled, AxisMask axis) const;
  void findRepeated(const RuledOp &ruled, AxisMask axis);
  void findWholeOperands(const RuledOp &ruled, AxisMask axis);
  void addReader(const RuledOp &ruled, AxisMask axis);
  void gather(Value value, AxisMask axis);
  double getSeconds(Value value, AxisMask axis) const;

  const FunctionShardings &shardings;
  const ReshardCost &price;
  DenseMap<std::pair<Operation *, AxisMask>, int> loops;
  DenseMap<Value, AxisMask> gathered, repeated;
  DenseMap<Operation *, AxisMask> computedWhole;
  DenseMap<Value, SmallVector<Reader, 2>> readers;
};

} // namespace mlir::boost

#endif // BOOST_MLIR_SHARDING_SHAREDGATHERS_H
