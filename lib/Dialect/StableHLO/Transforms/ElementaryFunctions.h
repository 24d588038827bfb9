//===- ElementaryFunctions.h - Functions that CHLO has ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementary functions in terms of those that StableHLO has, on tensors of f32
// or f64. Their gradients follow from what they are made of, so no branch that
// is not taken may have an infinite slope.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DIALECT_STABLEHLO_TRANSFORMS_ELEMENTARYFUNCTIONS_H
#define BOOST_MLIR_LIB_DIALECT_STABLEHLO_TRANSFORMS_ELEMENTARYFUNCTIONS_H

#include "mlir/IR/Builders.h"

namespace mlir::boost::stablehlo {

Value buildAcos(OpBuilder &builder, Location loc, Value x);
Value buildAcosh(OpBuilder &builder, Location loc, Value x);
Value buildAsin(OpBuilder &builder, Location loc, Value x);
Value buildAsinh(OpBuilder &builder, Location loc, Value x);
Value buildAtan(OpBuilder &builder, Location loc, Value x);
Value buildAtanh(OpBuilder &builder, Location loc, Value x);
Value buildCosh(OpBuilder &builder, Location loc, Value x);
Value buildSinh(OpBuilder &builder, Location loc, Value x);

/// Build error functions of f32; the approximations are not exact enough for
/// f64.
Value buildErf(OpBuilder &builder, Location loc, Value x);
Value buildErfc(OpBuilder &builder, Location loc, Value x);
Value buildErfInv(OpBuilder &builder, Location loc, Value x);

Value buildLgamma(OpBuilder &builder, Location loc, Value x);
Value buildDigamma(OpBuilder &builder, Location loc, Value x);

/// The float next to `x` on the way to `y`; of any float type.
Value buildNextAfter(OpBuilder &builder, Location loc, Value x, Value y);

} // namespace mlir::boost::stablehlo

#endif // BOOST_MLIR_LIB_DIALECT_STABLEHLO_TRANSFORMS_ELEMENTARYFUNCTIONS_H
