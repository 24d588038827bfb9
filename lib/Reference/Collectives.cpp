//===- Collectives.cpp - Reference rules of communication -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All ranks are here, so a collective is an indexing of their values. Groups
// are row-major over the grid axes that the operation names.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "boost-mlir/Reference/Evaluator.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::reference;

using Operands = ArrayRef<const RankValues *>;
using Results = MutableArrayRef<RankValues>;

static void combine(Tensor &into, const Tensor &from, Reduction reduction) {
  for (auto [a, b] : llvm::zip_equal(into.data, from.data)) {
    if (reduction == Reduction::Sum)
      a += b;
    else if (reduction == Reduction::Max)
      a = std::max(a, b);
    else
      a = std::min(a, b);
  }
}

static Tensor reduceGroup(const RankValues &values, ArrayRef<int64_t> members,
                          Reduction reduction) {
  Tensor total = values[members.front()];
  for (int64_t member : members.drop_front())
    combine(total, values[member], reduction);
  return total;
}

/// The part of `tensor` at `position` of `count` equal parts along `dim`.
static Tensor part(const Tensor &tensor, int64_t dim, int64_t position,
                   int64_t count) {
  Index start(tensor.rank(), 0), sizes(tensor.shape());
  sizes[dim] /= count;
  start[dim] = position * sizes[dim];
  return extract(tensor, start, sizes);
}

static LogicalResult evaluateAllReduce(Operation *op, Operands operands,
                                       Results results, Evaluator &evaluator) {
  auto reduce = cast<AllReduceOp>(op);
  for (auto [result, operand] : llvm::zip_equal(results, operands))
    for (int64_t rank = 0; rank < evaluator.ranks(); ++rank)
      result[rank] =
          reduceGroup(*operand, evaluator.group(rank, reduce.getGridAxes()),
                      reduce.getReduction());
  return success();
}

static LogicalResult evaluateAllGather(Operation *op, Operands operands,
                                       Results results, Evaluator &evaluator) {
  auto gather = cast<shard::AllGatherOp>(op);
  int64_t dim = gather.getGatherAxis().getSExtValue();
  for (int64_t rank = 0; rank < evaluator.ranks(); ++rank) {
    Index start(results[0][rank].rank(), 0);
    for (int64_t member : evaluator.group(rank, gather.getGridAxes())) {
      const Tensor &piece = (*operands[0])[member];
      insert(results[0][rank], piece, start);
      start[dim] += piece.shape()[dim];
    }
  }
  return success();
}

static LogicalResult evaluateReduceScatter(Operation *op, Operands operands,
                                           Results results,
                                           Evaluator &evaluator) {
  auto scatter = cast<shard::ReduceScatterOp>(op);
  if (scatter.getReduction() != shard::ReductionKind::Sum)
    return op->emitError() << "expects a sum to evaluate";
  int64_t dim = scatter.getScatterAxis().getSExtValue();
  for (int64_t rank = 0; rank < evaluator.ranks(); ++rank) {
    SmallVector<int64_t> members = evaluator.group(rank, scatter.getGridAxes());
    Tensor total = reduceGroup(*operands[0], members, Reduction::Sum);
    results[0][rank].data =
        part(total, dim, evaluator.position(rank, scatter.getGridAxes()),
             static_cast<int64_t>(members.size()))
            .data;
  }
  return success();
}

static LogicalResult evaluateAllToAll(Operation *op, Operands operands,
                                      Results results, Evaluator &evaluator) {
  auto exchange = cast<shard::AllToAllOp>(op);
  int64_t split = exchange.getSplitAxis().getSExtValue();
  int64_t concat = exchange.getConcatAxis().getSExtValue();
  for (int64_t rank = 0; rank < evaluator.ranks(); ++rank) {
    SmallVector<int64_t> members =
        evaluator.group(rank, exchange.getGridAxes());
    int64_t own = evaluator.position(rank, exchange.getGridAxes());
    Index start(results[0][rank].rank(), 0);
    for (int64_t member : members) {
      Tensor piece = part((*operands[0])[member], split, own,
                          static_cast<int64_t>(members.size()));
      insert(results[0][rank], piece, start);
      start[concat] += piece.shape()[concat];
    }
  }
  return success();
}

static LogicalResult evaluateAllSlice(Operation *op, Operands operands,
                                      Results results, Evaluator &evaluator) {
  auto slice = cast<shard::AllSliceOp>(op);
  int64_t dim = slice.getSliceAxis().getSExtValue();
  for (int64_t rank = 0; rank < evaluator.ranks(); ++rank) {
    auto size =
        static_cast<int64_t>(evaluator.group(rank, slice.getGridAxes()).size());
    results[0][rank].data =
        part((*operands[0])[rank], dim,
             evaluator.position(rank, slice.getGridAxes()), size)
            .data;
  }
  return success();
}

static LogicalResult evaluateProcessIndex(Operation *op, Operands,
                                          Results results,
                                          Evaluator &evaluator) {
  ArrayRef<int16_t> axes = cast<ProcessIndexOp>(op).getGridAxes();
  for (int64_t rank = 0; rank < evaluator.ranks(); ++rank)
    results[0][rank].data[0] =
        static_cast<double>(evaluator.position(rank, axes));
  return success();
}

void mlir::boost::reference::addCollectiveRules(RuleSet &rules) {
  rules.collective["boost.all_reduce"] = evaluateAllReduce;
  rules.collective["boost.process_index"] = evaluateProcessIndex;
  rules.collective["shard.all_gather"] = evaluateAllGather;
  rules.collective["shard.reduce_scatter"] = evaluateReduceScatter;
  rules.collective["shard.all_to_all"] = evaluateAllToAll;
  rules.collective["shard.all_slice"] = evaluateAllSlice;
}
