//===- Decompose.h - What the decompositions share --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_DECOMPOSE_H
#define BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_DECOMPOSE_H

#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "mlir/IR/Builders.h"

namespace mlir::boost {

/// Builds before an operation and gives what it builds that operation's
/// `boost.component` and `boost.layer`.
class ComponentBuilder : public OpBuilder {
public:
  explicit ComponentBuilder(Operation *op);

private:
  struct Marker : public OpBuilder::Listener {
    void notifyOperationInserted(Operation *op, InsertPoint previous) override;
    Block *block = nullptr;
    Attribute component;
    LayerAttr layer;
  };
  Marker marker;
};

/// The values that replace a bottleneck.
struct BottleneckParts {
  Value product; ///< of the input and the first factor
  Value latent;  ///< what the second factors read
  /// Operations that multiply by the first factor, and by second ones.
  SmallVector<Operation *> firstProducts, secondProducts;
};

/// Writes a bottleneck as linears and elementwise operations. What its
/// `boost.shardings` say of results holds of what replaces them.
BottleneckParts decomposeBottleneck(BottleneckOp op);

/// `1 / sqrt(mean(input^2) + eps)` over the last dimension, which the result
/// does not have; f32, or f64 for f64 input.
Value buildNormScale(OpBuilder &builder, Location loc, Value input, double eps);

/// The mean of each row, over the last dimension, and
/// `1 / sqrt(variance + eps)`; of types as above.
struct RowStatistics {
  Value mean, scale;
};
RowStatistics buildRowStatistics(OpBuilder &builder, Location loc, Value input,
                                 double eps);

/// `input * gamma` in the element type of the input.
Value buildGammaProduct(OpBuilder &builder, Location loc, Value input,
                        Value gamma);

/// `rows * scale` with one number of `scale` per row, taken in the element type
/// of `scale` and rounded to that of `rows`.
Value scaleRows(OpBuilder &builder, Location loc, Value rows, Value scale);

/// Returns true if the value's type has a smaller range than f32.
bool hasNarrowRange(Value value);

/// Returns true if the norm of `input` can be applied after a product without
/// the product overflowing its type.
bool canApplyNormToProduct(Value input);

/// The product of `RMSNorm(input; gamma, eps)`, with the norm behind it where
/// that can stand there. `buildProduct` must be linear in each row.
Value buildProductOfNorm(OpBuilder &builder, Location loc, Value input,
                         Value gamma, double eps,
                         llvm::function_ref<Value(Value)> buildProduct);

/// Builds the product of `LayerNorm(input; gamma, beta, eps)` as `((input *
/// gamma) . W - mean * (gamma . W)) * scale + beta . W`.
Value buildProductOfLayerNorm(OpBuilder &builder, Location loc, Value input,
                              Value gamma, Value beta, double eps,
                              llvm::function_ref<Value(Value)> buildProduct);

} // namespace mlir::boost

#endif // BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_DECOMPOSE_H
