//===- LoopNest.h - Loops of a linalg op with linear addresses --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A linalg op on static memrefs seen as loops and, for every operand, one
// constant stride per loop. In this form loops can be dropped, ordered and
// merged without looking at shapes, and equal computations look equal.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOSTRT_UTILS_LOOPNEST_H
#define BOOST_MLIR_DIALECT_BOOSTRT_UTILS_LOOPNEST_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::boost::rt {

/// One loop. `source` is the iteration dimension of the op that it came from,
/// or -1 once several were merged.
struct NestLoop {
  int64_t extent = 1;
  bool isReduction = false;
  bool readsIndex = false;
  int64_t source = -1;
};

/// One memref operand: element (i0, i1, ...) of the loops is at
/// `offset + sum strides[k] * ik` elements from the memref's first element.
struct NestOperand {
  OpOperand *operand = nullptr;
  int64_t offset = 0;
  SmallVector<int64_t> strides;

  /// The memref that addresses these elements by the loops that move it, with
  /// the identity layout where the elements are dense.
  MemRefType getType(ArrayRef<NestLoop> loops) const;
  /// Maps all loops to those that move this operand.
  AffineMap getMap(MLIRContext *context) const;
  /// The indices of that memref where the loops are at these positions.
  SmallVector<Value> getIndices(ArrayRef<Value> positions) const;
};

struct LoopNest {
  SmallVector<NestLoop> loops;
  /// Memref operands in the op's order; scalar operands are left out.
  SmallVector<NestOperand> operands;

  /// Brings the loops into the order in which memory lies, parallel ones first,
  /// without loops of one iteration and with neighbors merged where every
  /// operand walks on through both alike.
  void normalize();

  /// Moves the parallel loop that is best split between threads to the front
  /// and returns its extent, or 1 if every loop is a reduction.
  int64_t hoistLaunchLoop();

private:
  void permute(ArrayRef<int64_t> order);
  void dropUnitLoops();
  void sortLoops();
  void mergeLoops();
  bool canMerge(int64_t outer) const;
};

/// Reads the loops of `op`; emits an error at it if a size is dynamic or an
/// indexing map is not linear.
FailureOr<LoopNest> buildLoopNest(linalg::GenericOp op);

} // namespace mlir::boost::rt

#endif // BOOST_MLIR_DIALECT_BOOSTRT_UTILS_LOOPNEST_H
