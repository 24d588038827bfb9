//===- Tensor.h - Values of the reference evaluator -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A dense tensor of doubles with the type it stands for. Integers up to 2^53
// and booleans are exact.
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

/// A dense row-major tensor.
struct Tensor {
  RankedTensorType type;
  std::vector<double> data;

  Tensor() = default;
  /// Zeros.
  explicit Tensor(RankedTensorType type)
      : type(type), data(static_cast<size_t>(type.getNumElements())) {}

  ArrayRef<int64_t> shape() const { return type.getShape(); }
  int64_t rank() const { return type.getRank(); }
  Type elementType() const { return type.getElementType(); }

  double &at(ArrayRef<int64_t> index) { return data[linear(index)]; }
  double at(ArrayRef<int64_t> index) const { return data[linear(index)]; }

private:
  size_t linear(ArrayRef<int64_t> index) const;
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

/// The bits of an integer element, negative or up to 2^64.
uint64_t integerBits(double value);

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
