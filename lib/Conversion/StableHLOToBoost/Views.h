//===- Views.h - Tensors seen through operations that move no data -*- C++ -*-//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Utilities of the raise patterns: looking through broadcasts, transposes,
// reshapes and conversions, and building them without leaving pairs behind.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_CONVERSION_STABLEHLOTOBOOST_VIEWS_H
#define BOOST_MLIR_LIB_CONVERSION_STABLEHLOTOBOOST_VIEWS_H

#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "boost-mlir/Support/TensorTypes.h"

namespace mlir::boost::raise {

/// A value and where its dimensions lie in another one, the root, that is made
/// from it by broadcasts, transposes and reshapes that only add or drop
/// dimensions of size 1. `dims[i]` is the root's dimension, or -1 for a
/// dimension of size 1 that the root does not have.
struct View {
  Value value;
  SmallVector<int64_t> dims;

  /// Every value is a view of itself.
  explicit View(Value value);
  /// Another value with the same dimensions, such as an elementwise operand.
  View(Value value, ArrayRef<int64_t> dims);

  /// Looks through one operation; false if it is not of those named above.
  bool step();
  /// Looks through as many as there are, and through float conversions.
  void peel();
  /// The dimension of `value` that is the root's `dim`, or -1.
  int64_t find(int64_t dim) const;
};

/// `value` before conversions between float types.
Value peelConverts(Value value);

/// `value` before float conversions, stopping where the element type is the
/// narrowest on the way: what a computation in f32 was given.
Value peelWidening(Value value);

/// A scalar computed from constants, repeated to the shape of `value`.
std::optional<double> matchScalar(Value value);

/// `value` if it is `expected` up to rounding of constants.
bool isScalar(Value value, double expected);

/// The input of a sum over exactly one dimension, started from zero; null
/// otherwise.
Value matchSum(Value value, int64_t dim);

/// The two factors of a sum of products over the last dimension.
std::optional<std::pair<Value, Value>> matchRowDot(Value value);

/// The block size `g` for which `value[.., i, ..] = value[.., i/g*g, ..]`;
/// 1 if nothing is known.
int64_t getRepeat(Value value, int64_t dim);

/// Returns true if `value` is equal at every index of `dim`.
bool isConstantAlong(Value value, int64_t dim);

/// `value` with only every `repeat`-th element of `dim`, where `repeat` divides
/// `getRepeat(value, dim)`: undoes broadcasts instead of slicing them.
Value dropRepeat(OpBuilder &builder, Location loc, Value value, int64_t dim,
                 int64_t repeat);

/// Transposes and reshapes that merge with the operation they stand on.
Value makeTranspose(OpBuilder &builder, Location loc, Value value,
                    ArrayRef<int64_t> permutation);
Value makeReshape(OpBuilder &builder, Location loc, Value value,
                  ArrayRef<int64_t> shape);

/// The parameter that `value` is made from by slices, reshapes, transposes and
/// conversions; null if it is none.
BlockArgument getParameter(Value value);

/// Calls `callback` on every operation of the function, last first, and erases
/// operations that are or become dead.
void visitBackwards(Block &block, function_ref<void(Operation *)> callback);

} // namespace mlir::boost::raise

#endif // BOOST_MLIR_LIB_CONVERSION_STABLEHLOTOBOOST_VIEWS_H
