//===- Utils.h - What bufferization and the memory plan share ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes of calls, and views of the arena.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DIALECT_BOOSTRT_TRANSFORMS_UTILS_H
#define BOOST_MLIR_LIB_DIALECT_BOOSTRT_TRANSFORMS_UTILS_H

#include "boost-mlir/Dialect/BoostRT/IR/StridedLayout.h"
#include "boost-mlir/Support/TensorTypes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir::boost::rt {

/// Notes what a call reads by operand, and what is there afterwards by out.
void record(Operation *call, ArrayRef<Attribute> reads,
            ArrayRef<Attribute> writes);

/// The numbers of both lists, ascending.
DenseI64ArrayAttr joinValues(DenseI64ArrayAttr a, DenseI64ArrayAttr b);

/// A memref of this shape, element type and strides whose first element is at
/// a constant byte of the arena, or of another memory that a function is given,
/// and that byte `inBuffer` of buffer `buffer`.
/// With gaps between its elements it is a strided view of exactly the bytes
/// that it spans.
Value createArenaView(OpBuilder &builder, Location loc, Value arena,
                      int64_t offset, MemRefType type, int64_t buffer,
                      int64_t inBuffer);

/// Returns true if `op` depends on the previous contents of its destination
/// `init`: it reads them, or it writes only a part.
bool readsDestination(DestinationStyleOpInterface op, OpOperand &init);

/// Returns true if `op` may write `output` over `input`: at every point of its
/// loops it reads only the input's element that it writes in the output.
bool canWriteOver(linalg::LinalgOp op, OpOperand &input, OpOperand &output);

} // namespace mlir::boost::rt

#endif // BOOST_MLIR_LIB_DIALECT_BOOSTRT_TRANSFORMS_UTILS_H
