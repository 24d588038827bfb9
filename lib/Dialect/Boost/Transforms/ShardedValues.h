//===- ShardedValues.h - What products make of sharded values ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_SHARDEDVALUES_H
#define BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_SHARDEDVALUES_H

#include "Placement.h"

#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "boost-mlir/Support/TensorTypes.h"

namespace mlir::boost {

/// Follows, in program order, which values are sharded along their last
/// dimension, by heads or along another one that products have given them, so
/// that linears alternate: one with a replicated input has a sharded output;
/// one with a sharded input has partial sums, which an all-reduce makes a
/// replicated output.
class ShardedValues {
public:
  explicit ShardedValues(func::FuncOp func) : weights(func.front()) {}

  bool contains(Value value) const { return dims.contains(value); }
  void insert(Value value) {
    if (int64_t rank = getTensorType(value).getRank())
      dims[value] = rank - 1;
  }
  void insertResults(Operation *op) {
    for (Value result : op->getResults())
      insert(result);
  }
  /// Shards what `op`, which is no linear, bottleneck, norm or lookup, reads
  /// beside sharded values, and follows these to its results: the weight of a
  /// product, the parameters of elementwise operations. Products that compute
  /// weights from parameters and constants are left to `visitWeights`.
  void visit(Operation *op, AxisMask axes, const Mesh &mesh,
             Placement &placement);
  /// Shards the parameters that only products of weights and constants read,
  /// such as a projection of constant positions. A weight that is divided by a
  /// norm from power iterations is sharded by what reads the quotient.
  void visitWeights(Block &block, AxisMask axes, const Mesh &mesh,
                    Placement &placement);

private:
  bool shardProduct(stablehlo::DotGeneralOp dot, AxisMask axes,
                    const Mesh &mesh, Placement &placement);
  void shardParameters(Operation *op, AxisMask axes, const Mesh &mesh,
                       Placement &placement) const;
  void follow(Operation *op);

  Weights weights;
  llvm::DenseMap<Value, int64_t> dims;
};

} // namespace mlir::boost

#endif // BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_SHARDEDVALUES_H
