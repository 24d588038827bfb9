//===- WeightProducts.h - Products of weights in factors --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `x (a b)` as `(x a) b`. Programs that multiply weights with each other before
// an activation are linear in each of them, so that the order is free, and so
// are products with sums.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_CONVERSION_STABLEHLOTOBOOST_WEIGHTPRODUCTS_H
#define BOOST_MLIR_LIB_CONVERSION_STABLEHLOTOBOOST_WEIGHTPRODUCTS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"

namespace mlir::boost::raise {

/// A tensor of two dimensions as a product reads it: as it is, or transposed.
struct Matrix {
  Value value;
  bool transposed = false;

  /// The sizes of the dimension that is contracted, and of the other one.
  int64_t getRows() const;
  int64_t getColumns() const;
};

/// Returns the product of the last dimension of `input` with `weight`, as one
/// linear or, where that takes fewer multiplications, as several: with factors
/// of a product one after another, and with terms of a sum one by one.
Value buildProduct(OpBuilder &builder, Location loc, Value input, Matrix weight,
                   Type element);

} // namespace mlir::boost::raise

#endif // BOOST_MLIR_LIB_CONVERSION_STABLEHLOTOBOOST_WEIGHTPRODUCTS_H
