//===- Comparison.h - Do two tensors hold the same? -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_REFERENCE_COMPARISON_H
#define BOOST_MLIR_REFERENCE_COMPARISON_H

#include "boost-mlir/Reference/Tensor.h"
#include <string>

namespace mlir::boost::reference {

/// The largest difference of two tensors of one shape.
struct Difference {
  double absolute = 0; ///< infinite where only one is no number
  double scale = 0;    ///< the largest magnitude in either
  size_t element = 0;  ///< row-major position of the largest difference
  /// True if every element is equal in both, where NaN equals NaN.
  bool isEqual = true;

  double relative() const { return absolute == 0 ? 0 : absolute / scale; }
};

Difference compareTensors(const Tensor &a, const Tensor &b);

/// The coordinate of an element, as in "[1, 0, 3]".
std::string describeElement(ArrayRef<int64_t> shape, size_t element);

} // namespace mlir::boost::reference

#endif // BOOST_MLIR_REFERENCE_COMPARISON_H
