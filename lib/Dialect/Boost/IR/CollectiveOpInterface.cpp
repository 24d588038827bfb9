//===- CollectiveOpInterface.cpp - What collectives do --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interfaces, what follows from them, and the operations of the shard
// dialect that have them.
//
//===----------------------------------------------------------------------===//

#include "CollectiveModels.h"

#include "boost-mlir/Support/TensorTypes.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"

using namespace mlir;
using namespace mlir::boost;

#include "boost-mlir/Dialect/Boost/IR/CollectiveOpInterface.cpp.inc"

//===----------------------------------------------------------------------===//
// Movements
//===----------------------------------------------------------------------===//

SmallVector<GroupMovement> mlir::boost::reduceAll(size_t tensors,
                                                  Reduction reduction) {
  GroupMovement movement;
  movement.reduction = reduction;
  return SmallVector<GroupMovement>(tensors, movement);
}

SmallVector<GroupMovement> mlir::boost::joinAlong(ArrayRef<int64_t> dims) {
  return llvm::map_to_vector(
      dims, [](int64_t dim) { return splitAndJoin(/*splitDim=*/-1, dim); });
}

SmallVector<GroupMovement>
mlir::boost::reduceAndSplitAlong(Reduction reduction, ArrayRef<int64_t> dims) {
  return llvm::map_to_vector(dims, [&](int64_t dim) {
    GroupMovement movement;
    movement.reduction = reduction;
    movement.splitDim = dim;
    return movement;
  });
}

SmallVector<GroupMovement> mlir::boost::broadcastFrom(int64_t root,
                                                      size_t tensors) {
  GroupMovement movement;
  movement.root = root;
  return SmallVector<GroupMovement>(tensors, movement);
}

GroupMovement mlir::boost::splitAndJoin(int64_t splitDim, int64_t joinDim) {
  GroupMovement movement;
  movement.splitDim = splitDim;
  movement.joinDim = joinDim;
  return movement;
}

AxisMask mlir::boost::getMask(ArrayRef<int16_t> axes) {
  AxisMask mask = 0;
  for (int16_t axis : axes)
    mask |= AxisMask(1) << axis;
  return mask;
}

bool mlir::boost::movesOnly(RankGroupOpInterface op) {
  SmallVector<GroupMovement> movements = op.getMovements();
  return !movements.empty() &&
         llvm::none_of(movements, [](const GroupMovement &movement) {
           return movement.reduction.has_value();
         });
}

/// The gathered tensor is larger than what each rank puts in.
ValueRange CollectiveOpInterface::getWhole() {
  auto group = cast<RankGroupOpInterface>(getOperation());
  bool isGather =
      llvm::any_of(group.getMovements(), [](const GroupMovement &movement) {
        return movement.joinDim >= 0 && movement.splitDim < 0;
      });
  return isGather ? group.getDestinations() : group.getSources();
}

static LogicalResult expectPieces(Operation *op, Value whole, Value piece,
                                  int64_t dim, int64_t ranks) {
  int64_t size = getShape(whole)[dim], part = getShape(piece)[dim];
  if (part * ranks == size)
    return success();
  return op->emitOpError() << "expects dimension " << dim << " of " << size
                           << " in " << ranks
                           << " pieces, one per rank of the group, but got "
                              "pieces of "
                           << part;
}

LogicalResult mlir::boost::verifyGroupSize(RankGroupOpInterface op,
                                           int64_t ranks) {
  // Of a position in the group there is a result, but no movement.
  for (auto [movement, source, destination] :
       llvm::zip(op.getMovements(), op.getSources(), op.getDestinations())) {
    if (movement.splitDim >= 0 &&
        failed(expectPieces(op, source, destination, movement.splitDim, ranks)))
      return failure();
    if (movement.joinDim >= 0 &&
        failed(expectPieces(op, destination, source, movement.joinDim, ranks)))
      return failure();
    if (movement.root >= ranks)
      return op->emitOpError()
             << "expects a root in [0, " << ranks
             << "), the positions in the group, but got " << movement.root;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Operations of the shard dialect
//===----------------------------------------------------------------------===//

static GroupMovement getMovement(shard::AllSliceOp op) {
  return splitAndJoin(op.getSliceAxis().getSExtValue(), /*joinDim=*/-1);
}

static GroupMovement getMovement(shard::AllToAllOp op) {
  return splitAndJoin(op.getSplitAxis().getSExtValue(),
                      op.getConcatAxis().getSExtValue());
}

namespace {

/// An operation on one tensor.
template <typename OpT>
struct RankGroupModel
    : RankGroupOpInterface::ExternalModel<RankGroupModel<OpT>, OpT> {
  AxisMask getGroupAxes(Operation *op) const {
    return getMask(cast<OpT>(op).getGridAxes());
  }
  SmallVector<GroupMovement> getMovements(Operation *op) const {
    return {getMovement(cast<OpT>(op))};
  }
  ValueRange getSources(Operation *op) const { return op->getOperands(); }
  ValueRange getDestinations(Operation *op) const { return op->getResults(); }
};

struct AllToAllModel
    : CollectiveOpInterface::ExternalModel<AllToAllModel, shard::AllToAllOp> {
  CollectiveKind getKind(Operation *) const { return CollectiveKind::AllToAll; }
};

} // namespace

void mlir::boost::attachCollectiveModels(MLIRContext &context) {
  shard::AllSliceOp::attachInterface<RankGroupModel<shard::AllSliceOp>>(
      context);
  shard::AllToAllOp::attachInterface<RankGroupModel<shard::AllToAllOp>,
                                     AllToAllModel>(context);
}
