//===- Utils.h - What bufferization and the memory plan share ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Questions about destination-style operations and about strided layouts.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DIALECT_BOOSTRT_TRANSFORMS_UTILS_H
#define BOOST_MLIR_LIB_DIALECT_BOOSTRT_TRANSFORMS_UTILS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir::boost::rt {

/// Bytes of one element in memory; booleans take one.
int64_t elementBytes(Type elementType);

/// Bytes of a dense tensor or memref of this type.
int64_t denseBytes(ShapedType type);

/// The strides of a dense row-major tensor.
SmallVector<int64_t> rowMajorStrides(ArrayRef<int64_t> shape);

/// Whether elements of this layout follow each other without gaps in row-major
/// order.
bool isDense(ArrayRef<int64_t> shape, ArrayRef<int64_t> strides);

/// `size` pieces, `stride` apart.
struct Run {
  int64_t size, stride;
};

/// A layout with dimensions joined that make one step through memory, the
/// innermost first.
SmallVector<Run> getRuns(ArrayRef<int64_t> shape, ArrayRef<int64_t> strides);

/// The strides of the same elements in another shape, if it has any.
std::optional<SmallVector<int64_t>> reshapeStrides(ArrayRef<int64_t> shape,
                                                   ArrayRef<int64_t> strides,
                                                   ArrayRef<int64_t> newShape);

/// Whether `op` depends on what its destination `init` holds beforehand: it
/// reads it, or it writes only a part of it.
bool readsDestination(DestinationStyleOpInterface op, OpOperand &init);

/// Whether `op` may write `output` over `input`: at every point of its loops it
/// reads of the input exactly the element that it writes of the output.
bool canWriteOver(linalg::LinalgOp op, OpOperand &input, OpOperand &output);

} // namespace mlir::boost::rt

#endif // BOOST_MLIR_LIB_DIALECT_BOOSTRT_TRANSFORMS_UTILS_H
