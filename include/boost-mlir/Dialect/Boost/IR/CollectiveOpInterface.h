//===- CollectiveOpInterface.h - What collectives do ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOST_IR_COLLECTIVEOPINTERFACE_H
#define BOOST_MLIR_DIALECT_BOOST_IR_COLLECTIVEOPINTERFACE_H

#include "boost-mlir/Interfaces/MeshAxes.h"
#include "boost-mlir/Interfaces/OpCost.h"
#include "mlir/IR/OpDefinition.h"

#include "boost-mlir/Dialect/Boost/IR/BoostEnums.h.inc"

#include <optional>

namespace mlir::boost {

/// The movement of one tensor in a group. A rank takes the values of all ranks
/// if these are reduced or joined, that of `root` if there is one, and else its
/// own; of each of these values it takes its own piece if the tensor is split.
struct GroupMovement {
  /// The reduction of the values of the ranks, if they are combined.
  std::optional<Reduction> reduction = {};
  /// The dimension along which the values of the ranks are joined in the order
  /// of their positions; negative for none.
  int64_t joinDim = -1;
  /// The dimension of which the rank takes the piece at its position; negative
  /// for none.
  int64_t splitDim = -1;
  /// The position of the rank whose value all ranks receive; negative for none.
  int64_t root = -1;

  bool operator==(const GroupMovement &other) const {
    return reduction == other.reduction && joinDim == other.joinDim &&
           splitDim == other.splitDim && root == other.root;
  }
};

/// Returns the movements of tensors whose reduction every rank receives.
SmallVector<GroupMovement> reduceAll(size_t tensors, Reduction reduction);

/// Returns the movements of tensors that are joined, each along its dimension.
SmallVector<GroupMovement> joinAlong(ArrayRef<int64_t> dims);

/// Returns the movements of tensors of whose reduction every rank receives a
/// piece, each along its dimension.
SmallVector<GroupMovement> reduceAndSplitAlong(Reduction reduction,
                                               ArrayRef<int64_t> dims);

/// Returns the movements of tensors that every rank receives from one rank.
SmallVector<GroupMovement> broadcastFrom(int64_t root, size_t tensors);

/// Returns the movement of a tensor that is split along one dimension and
/// joined along another; a negative dimension stands for neither.
GroupMovement splitAndJoin(int64_t splitDim, int64_t joinDim);

/// Returns the set of these axes.
AxisMask getMask(ArrayRef<int16_t> axes);

} // namespace mlir::boost

#include "boost-mlir/Dialect/Boost/IR/CollectiveOpInterface.h.inc"

namespace mlir::boost {

/// Returns true for an operation that moves the values of ranks and computes no
/// new ones.
bool movesOnly(RankGroupOpInterface op);

/// Emits an error, at the operation, unless the sizes of what the rank puts in
/// and receives are those of a group of so many ranks.
LogicalResult verifyGroupSize(RankGroupOpInterface op, int64_t ranks);

} // namespace mlir::boost

#endif // BOOST_MLIR_DIALECT_BOOST_IR_COLLECTIVEOPINTERFACE_H
