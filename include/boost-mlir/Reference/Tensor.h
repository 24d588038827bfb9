//===- Tensor.h - Values of the reference evaluator -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A dense tensor with the type it stands for: floats as doubles, integers and
// booleans exactly, in 64 bits.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_REFERENCE_TENSOR_H
#define BOOST_MLIR_REFERENCE_TENSOR_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <vector>

namespace mlir::boost::reference {

/// A coordinate of a tensor, one index per dimension.
using Index = SmallVector<int64_t, 6>;

/// Returns true if elements of an integer type are unsigned; booleans are 0 and
/// 1.
bool isUnsigned(Type type);

/// Wraps a number to an integer type: keeps its lowest bits, extended to 64 by
/// zeros or by the sign.
int64_t wrapInteger(uint64_t bits, Type type);

/// Returns true if one integer of a type is less than another.
bool isLess(int64_t a, int64_t b, Type type);

/// A dense row-major tensor. Its elements are in one of two vectors; which one
/// has any is known sooner than what `isFloat` looks up.
struct Tensor {
  RankedTensorType type;
  /// Elements of a tensor of floats.
  std::vector<double> data;
  /// Elements of a tensor of integers or booleans, as `wrapInteger` returns
  /// them.
  std::vector<int64_t> integers;

  Tensor() = default;
  /// Zeros.
  explicit Tensor(RankedTensorType type);

  ArrayRef<int64_t> shape() const { return type.getShape(); }
  int64_t rank() const { return type.getRank(); }
  Type elementType() const { return type.getElementType(); }
  bool isFloat() const { return isa<FloatType>(elementType()); }
  size_t size() const { return data.size() + integers.size(); }

  /// The row-major position of a coordinate.
  size_t position(ArrayRef<int64_t> index) const;

  /// Elements of floats.
  double &at(ArrayRef<int64_t> index) { return data[position(index)]; }
  double at(ArrayRef<int64_t> index) const { return data[position(index)]; }
  /// Elements of integers.
  int64_t &integerAt(ArrayRef<int64_t> index) {
    return integers[position(index)];
  }
  /// An integer that indexes something. Where an unsigned one is beyond 2^63,
  /// which no extent is, it is the largest number.
  int64_t indexAt(size_t position) const;

  /// Elements of either kind, of tensors of one element type: so many in a row.
  void copy(size_t to, const Tensor &from, size_t position, size_t count = 1);
  void copy(ArrayRef<int64_t> to, const Tensor &from, ArrayRef<int64_t> index) {
    copy(position(to), from, from.position(index));
  }
  /// Every element becomes that one.
  void fill(const Tensor &from, size_t position = 0);
  /// All elements, in row-major order.
  void copyAll(const Tensor &from);

  /// Any element as a double, rounded beyond 2^53.
  double toDouble(size_t position) const;
  /// Any element in digits that say exactly what it is.
  std::string spell(size_t position) const;
};

/// An error at `op` unless this machine has the memory for the values of
/// tensors of these types on `ranks` ranks.
LogicalResult checkMemory(Operation *op, TypeRange types, int64_t ranks);

/// Calls `body` for every coordinate of `shape` in row-major order.
void forEachIndex(ArrayRef<int64_t> shape,
                  llvm::function_ref<void(ArrayRef<int64_t>)> body);

/// The part of `tensor` from `start` of extent `sizes`.
Tensor extract(const Tensor &tensor, ArrayRef<int64_t> start,
               ArrayRef<int64_t> sizes);

/// Writes `part` into `tensor` from `start`.
void insert(Tensor &tensor, const Tensor &part, ArrayRef<int64_t> start);

/// The larger number as IEEE 754 says: NaN wins, and +0 over -0.
double maximum(double a, double b);
inline double minimum(double a, double b) { return -maximum(-a, -b); }

/// Increases in the total order of floats: -NaN, -inf, .., -0, +0, .., inf,
/// NaN.
int64_t totalOrderKey(double value);

/// Rounds every element to what its element type can hold (round to nearest
/// even; integers wrap).
void roundToType(Tensor &tensor);

/// Rounds every element to a floating-point format.
void roundToSemantics(Tensor &tensor, const llvm::fltSemantics &semantics);

} // namespace mlir::boost::reference

#endif // BOOST_MLIR_REFERENCE_TENSOR_H
