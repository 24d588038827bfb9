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

static int64_t combine(int64_t a, int64_t b, Reduction reduction, Type type) {
  switch (reduction) {
  case Reduction::Sum:
    // A sum of booleans is whether any is true.
    return type.isInteger(1) ? a | b
                             : static_cast<int64_t>(static_cast<uint64_t>(a) +
                                                    static_cast<uint64_t>(b));
  case Reduction::Max:
    return isLess(a, b, type) ? b : a;
  case Reduction::Min:
    return isLess(b, a, type) ? b : a;
  }
  llvm_unreachable("unknown reduction");
}

static double combine(double a, double b, Reduction reduction) {
  if (reduction == Reduction::Sum)
    return a + b;
  return reduction == Reduction::Max ? std::max(a, b) : std::min(a, b);
}

static void combine(Tensor &into, const Tensor &from, Reduction reduction) {
  for (auto [a, b] : llvm::zip_equal(into.data, from.data))
    a = combine(a, b, reduction);
  for (auto [a, b] : llvm::zip_equal(into.integers, from.integers))
    a = combine(a, b, reduction, into.elementType());
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
  auto gather = cast<AllGatherOp>(op);
  for (auto [result, operand, dim] :
       llvm::zip_equal(results, operands, gather.getDims()))
    for (int64_t rank = 0; rank < evaluator.ranks(); ++rank) {
      Index start(result[rank].rank(), 0);
      for (int64_t member : evaluator.group(rank, gather.getGridAxes())) {
        const Tensor &piece = (*operand)[member];
        insert(result[rank], piece, start);
        start[dim] += piece.shape()[dim];
      }
    }
  return success();
}

static LogicalResult evaluateReduceScatter(Operation *op, Operands operands,
                                           Results results,
                                           Evaluator &evaluator) {
  auto scatter = cast<ReduceScatterOp>(op);
  for (auto [result, operand, dim] :
       llvm::zip_equal(results, operands, scatter.getDims()))
    for (int64_t rank = 0; rank < evaluator.ranks(); ++rank) {
      SmallVector<int64_t> members =
          evaluator.group(rank, scatter.getGridAxes());
      Tensor total = reduceGroup(*operand, members, scatter.getReduction());
      result[rank].copyAll(part(total, dim,
                                evaluator.position(rank, scatter.getGridAxes()),
                                static_cast<int64_t>(members.size())));
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
    results[0][rank].copyAll(part((*operands[0])[rank], dim,
                                  evaluator.position(rank, slice.getGridAxes()),
                                  size));
  }
  return success();
}

static LogicalResult evaluateProcessIndex(Operation *op, Operands,
                                          Results results,
                                          Evaluator &evaluator) {
  ArrayRef<int16_t> axes = cast<ProcessIndexOp>(op).getGridAxes();
  for (int64_t rank = 0; rank < evaluator.ranks(); ++rank)
    results[0][rank].integers[0] = evaluator.position(rank, axes);
  return success();
}

void mlir::boost::reference::addCollectiveRules(RuleSet &rules) {
  rules.collective["boost.all_reduce"] = evaluateAllReduce;
  rules.collective["boost.process_index"] = evaluateProcessIndex;
  rules.collective["boost.all_gather"] = evaluateAllGather;
  rules.collective["boost.reduce_scatter"] = evaluateReduceScatter;
  rules.collective["shard.all_to_all"] = evaluateAllToAll;
  rules.collective["shard.all_slice"] = evaluateAllSlice;
}
