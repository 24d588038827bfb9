//===- StridedLayout.h - Where elements of a buffer are ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Questions about shapes with strides, in elements.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOSTRT_IR_STRIDEDLAYOUT_H
#define BOOST_MLIR_DIALECT_BOOSTRT_IR_STRIDEDLAYOUT_H

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace mlir::boost::rt {

/// The distance from one index of each dimension to the next, and that of the
/// first element from the begin of the allocation.
struct StridedLayout {
  SmallVector<int64_t> strides;
  int64_t offset = 0;
};

/// The layout of a memref, or nothing if a part of it is not known. The same as
/// MemRefType::getStridesAndOffset, without the affine maps that it makes of a
/// row-major layout: verifiers ask for every operand after every pass.
std::optional<StridedLayout> getStaticLayout(MemRefType type);

/// The strides of a memref of a static layout.
SmallVector<int64_t> getStaticStrides(MemRefType type);

/// Returns true if the elements follow each other without gaps in row-major
/// order.
bool isDense(ArrayRef<int64_t> shape, ArrayRef<int64_t> strides);

/// Returns true if a memref of a static layout is dense, at any offset.
bool isDense(MemRefType type);

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

} // namespace mlir::boost::rt

#endif // BOOST_MLIR_DIALECT_BOOSTRT_IR_STRIDEDLAYOUT_H
