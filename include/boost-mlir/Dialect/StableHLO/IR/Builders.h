//===- Builders.h - Short ways to write StableHLO ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers for passes that write StableHLO, and matchers for those that read it.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_STABLEHLO_IR_BUILDERS_H
#define BOOST_MLIR_DIALECT_STABLEHLO_IR_BUILDERS_H

#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "mlir/IR/Builders.h"
#include <optional>

namespace mlir::boost::stablehlo {

/// The function of a reduction whose body is one binary operation.
enum class ReductionKind { Add, Max, Min, Mul, And, Or };

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

/// A constant of `type` with every element `value`, rounded to its element type
/// (booleans: `value != 0`).
Value splat(OpBuilder &builder, Location loc, Type type, double value);

/// A constant with every element `value`, of the type of `like`.
Value splatLike(OpBuilder &builder, Location loc, Value like, double value);

/// `operand` with its dimension `i` as dimension `dims[i]` of `shape`.
Value broadcastInDim(OpBuilder &builder, Location loc, Value operand,
                     ArrayRef<int64_t> shape, ArrayRef<int64_t> dims);

/// A scalar repeated to `shape`.
Value broadcastScalar(OpBuilder &builder, Location loc, Value scalar,
                      ArrayRef<int64_t> shape);

/// `operand` repeated to `shape` along new dimensions after its own.
Value broadcastTrailing(OpBuilder &builder, Location loc, Value operand,
                        ArrayRef<int64_t> shape);

/// `operand` itself when it already has the element type.
Value convert(OpBuilder &builder, Location loc, Value operand,
              Type elementType);

/// `operand` itself when it already has the shape.
Value reshape(OpBuilder &builder, Location loc, Value operand,
              ArrayRef<int64_t> shape);

/// `operand` itself when the permutation is the identity.
Value transpose(OpBuilder &builder, Location loc, Value operand,
                ArrayRef<int64_t> permutation);

/// Reduces `dims` away, starting from the neutral element of `kind`.
Value reduce(OpBuilder &builder, Location loc, Value operand,
             ArrayRef<int64_t> dims, ReductionKind kind);
/// Fills an empty region with the body that combines scalars by `kind`.
void buildCombiner(OpBuilder &builder, Location loc, Region &body,
                   Type elementType, ReductionKind kind);

Value reduceSum(OpBuilder &builder, Location loc, Value operand,
                ArrayRef<int64_t> dims);
Value reduceMax(OpBuilder &builder, Location loc, Value operand,
                ArrayRef<int64_t> dims);

/// The dot_general whose shape follows from its operands. `elementType` null:
/// that of the operands.
Value dotGeneral(OpBuilder &builder, Location loc, Value lhs, Value rhs,
                 DotDimensionNumbersAttr dims, Type elementType = {});

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

/// The kind of a body of one binary operation on its two arguments.
std::optional<ReductionKind> matchSimpleCombiner(Region &body);

/// The kind of a reduction of one input whose body is one binary operation on
/// the block arguments.
std::optional<ReductionKind> matchSimpleReduction(ReduceOp op);

/// The number a reduction of `kind` may start from without effect.
Attribute neutralElement(ReductionKind kind, Type elementType);

/// The value of a constant with equal elements, also one behind broadcasts,
/// reshapes and conversions.
std::optional<double> matchSplat(Value value);

/// The type of a dot_general of operands of these types.
RankedTensorType inferDotType(RankedTensorType lhs, RankedTensorType rhs,
                              DotDimensionNumbersAttr dims, Type elementType);

} // namespace mlir::boost::stablehlo

#endif // BOOST_MLIR_DIALECT_STABLEHLO_IR_BUILDERS_H
