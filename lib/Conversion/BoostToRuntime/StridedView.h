//===- StridedView.h - Tensors as steps through memory ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which elements of a dense tensor a transposed, sliced or reshaped value is.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_CONVERSION_BOOSTTORUNTIME_STRIDEDVIEW_H
#define BOOST_MLIR_LIB_CONVERSION_BOOSTTORUNTIME_STRIDEDVIEW_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace mlir::boost {

/// Elements of `value`, a dense tensor: where the first one is, how many there
/// are along each dimension and how far apart.
struct StridedView {
  Value value;
  int64_t begin = 0;
  SmallVector<int64_t> sizes, strides;

  /// All elements of `value`.
  static StridedView of(Value value);

  /// `value` as elements of what it is made from by transposes and, where it is
  /// a part of something larger, by slices and reshapes.
  static StridedView through(Value value);

  /// The number of elements along `dims` together.
  int64_t count(ArrayRef<int64_t> dims) const;

  /// The step from one element to the next one along `dims` together, the last
  /// one fastest; nothing if there is not one such step.
  std::optional<int64_t> findStep(ArrayRef<int64_t> dims) const;
};

} // namespace mlir::boost

#endif // BOOST_MLIR_LIB_CONVERSION_BOOSTTORUNTIME_STRIDEDVIEW_H
