//===- PackedParameters.h - Several parameters as one argument --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replaces arguments that hold matrices by one that holds them all and says so
// by `boost.parts`.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_PACKEDPARAMETERS_H
#define BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_PACKEDPARAMETERS_H

#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

namespace mlir::boost {

/// Matrices to be packed, in this order. Each is a parameter, or a slice of one
/// that holds a matrix per layer; or each is the transpose of one.
struct PackRequest {
  SmallVector<Value> matrices;
  /// The dimension of the matrices along which they stand side by side, or
  /// before which a new one counts them (`stacked`).
  int64_t dim = 0;
  bool stacked = false;
};

/// Packs parameters of one function. All requests come first; a parameter is
/// packed with all of its uses or not at all.
class ParameterPacker {
public:
  explicit ParameterPacker(func::FuncOp function) : function(function) {}

  /// Notes what is to be packed; false, and nothing is noted, if it cannot be
  /// or if a matrix is already to be packed in another way.
  bool request(ArrayRef<PackRequest> requests);

  /// Returns true if every reader of these matrices' parameters is among the
  /// requests.
  bool isComplete(ArrayRef<PackRequest> requests) const;

  void addArguments();

  /// The packed matrices of a request, by the first of them.
  Value build(OpBuilder &builder, Value firstMatrix) const;

  /// Removes the old arguments, which nothing may read any more.
  void removeArguments();

private:
  struct Pack {
    SmallVector<BlockArgument> arguments;
    int64_t dim = 0;
    bool stacked = false;
    /// True if the matrices are the transposes of those that the parameters
    /// hold.
    bool transposed = false;
    size_t uses = 0;
    BlockArgument packed;

    /// The dimension of the parameters that `dim` stands for. Transposed ones
    /// are stacked whole: products read their rows, which are one step apart.
    int64_t getParameterDim() const {
      if (!transposed)
        return dim;
      return stacked ? 0 : 1 - dim;
    }
  };

  bool isPackable(BlockArgument argument) const;
  TensorRole getRole(BlockArgument argument) const;
  BoolAttr getDecay(BlockArgument argument) const;
  const Pack *find(BlockArgument argument) const;
  Pack &getPack(const PackRequest &request);
  DictionaryAttr describe(const Pack &pack) const;

  func::FuncOp function;
  SmallVector<Pack> packs;
};

} // namespace mlir::boost

#endif // BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_PACKEDPARAMETERS_H
