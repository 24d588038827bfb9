//===- Triangle.h - Constants that are masks --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recognizes matrices that numpy's tril and triu make, of booleans or numbers.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_STABLEHLO_IR_TRIANGLE_H
#define BOOST_MLIR_DIALECT_STABLEHLO_IR_TRIANGLE_H

#include "mlir/IR/BuiltinAttributes.h"
#include <cstdint>
#include <optional>

namespace mlir::boost::stablehlo {

/// A matrix that is one constant up to a diagonal and another one beyond it.
struct Triangle {
  /// The dimensions of rows and of columns.
  int64_t rowDim, columnDim;
  /// Column j of row i is in the lower part if j <= i + diagonal.
  int64_t diagonal;
  double lower, upper;
};

/// Matches a matrix of any type, up to dimensions of size 1, with a row in both
/// parts.
std::optional<Triangle> matchTriangle(ElementsAttr constant);

/// Matches a matrix, up to dimensions of size 1, that is 0 above its main
/// diagonal, such as a window of the positions before. The lower part may have
/// any numbers: `lower` is 1.
std::optional<Triangle> matchLowerTriangular(ElementsAttr constant);

} // namespace mlir::boost::stablehlo

#endif // BOOST_MLIR_DIALECT_STABLEHLO_IR_TRIANGLE_H
