//===- Combiner.h - How partial results of reductions join ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOSTRT_UTILS_COMBINER_H
#define BOOST_MLIR_DIALECT_BOOSTRT_UTILS_COMBINER_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::boost::rt {

/// The operation that joins partial results of output `number`, if it is one of
/// two operands that has a neutral element (arith::getNeutralElement), else
/// null. One of its operands is what the output has so far, which nothing else
/// in the body reads.
Operation *findCombiner(linalg::GenericOp op, unsigned number);

/// Returns true if partial results can be combined, for each output separately.
bool canCombine(linalg::GenericOp op);

/// The choice of a body, for all outputs together, between their current values
/// and an element, as for the position of a maximum.
struct Selection {
  /// The element of each output, in the body.
  SmallVector<Value> elements;
  /// Operations that choose, in their order. They read accumulators, elements
  /// and constants only.
  SmallVector<Operation *> operations;
};

/// The selection that the body is, if every output becomes what it has so far
/// or an element that depends on no output.
std::optional<Selection> findSelection(linalg::GenericOp op);

/// Returns true if an operation of a kernel of several sums the columns of each
/// chunk of rows, as boostrt-join-row-kernels writes it: its loops are those
/// over chunks, over the rows of a chunk, which it reduces, and over columns.
bool sumsColumns(linalg::GenericOp op);

} // namespace mlir::boost::rt

#endif // BOOST_MLIR_DIALECT_BOOSTRT_UTILS_COMBINER_H
