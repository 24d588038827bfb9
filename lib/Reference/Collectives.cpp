//===- Collectives.cpp - Reference rules of communication -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All ranks are here, so a collective is an indexing of their values, which its
// movements describe. Groups are row-major over the mesh axes that it names.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "boost-mlir/Reference/Evaluator.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::reference;

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

/// The part of `tensor` at `position` of `count` equal parts along `dim`.
static Tensor part(const Tensor &tensor, int64_t dim, int64_t position,
                   int64_t count) {
  Index start(tensor.rank(), 0), sizes(tensor.shape());
  sizes[dim] /= count;
  start[dim] = position * sizes[dim];
  return extract(tensor, start, sizes);
}

/// The values of `members` one behind the other along `dim`, in `into`.
static void join(Tensor &into, ArrayRef<Tensor> values, int64_t dim) {
  Index start(into.rank(), 0);
  for (const Tensor &value : values) {
    insert(into, value, start);
    start[dim] += value.shape()[dim];
  }
}

/// Computes the tensor that the rank at position `own` of `members` receives.
static void evaluateMovement(const GroupMovement &movement,
                             const RankValues &source,
                             ArrayRef<int64_t> members, int64_t own,
                             Tensor &into) {
  bool readsAll = movement.reduction || movement.joinDim >= 0;
  int64_t only = movement.root >= 0 ? movement.root : own;
  SmallVector<Tensor> values;
  for (auto [position, member] : llvm::enumerate(members)) {
    if (!readsAll && static_cast<int64_t>(position) != only)
      continue;
    values.push_back(movement.splitDim < 0
                         ? source[member]
                         : part(source[member], movement.splitDim, own,
                                static_cast<int64_t>(members.size())));
  }
  if (movement.joinDim >= 0)
    return join(into, values, movement.joinDim);
  for (const Tensor &value : ArrayRef(values).drop_front())
    combine(values.front(), value, *movement.reduction);
  into.copyAll(values.front());
}

LogicalResult Evaluator::evaluateInGroup(RankGroupOpInterface op,
                                         ArrayRef<const RankValues *> operands,
                                         MutableArrayRef<RankValues> results) {
  auto axes = op->getAttrOfType<DenseI16ArrayAttr>("grid_axes").asArrayRef();
  bool isIndex = isa<ProcessIndexOp>(op.getOperation());
  for (int64_t rank : present) {
    SmallVector<int64_t> members = group(rank, axes);
    int64_t own = position(rank, axes);
    for (const RankValues *operand : operands)
      for (int64_t member : members)
        if (!(*operand)[member].type)
          return op->emitOpError() << "reads a value of rank " << member
                                   << ", which runs another function";
    if (isIndex)
      results[0][rank].integers[0] = own;
    for (auto [movement, operand, result] :
         llvm::zip(op.getMovements(), operands, results))
      evaluateMovement(movement, *operand, members, own, result[rank]);
  }
  return success();
}
