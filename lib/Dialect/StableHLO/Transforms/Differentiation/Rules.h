//===- Rules.h - Families of differentiation rules --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function per family attaches its rules; helpers that families share.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DIALECT_STABLEHLO_TRANSFORMS_DIFFERENTIATION_RULES_H
#define BOOST_MLIR_LIB_DIALECT_STABLEHLO_TRANSFORMS_DIFFERENTIATION_RULES_H

#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "boost-mlir/Interfaces/DifferentiableOpInterface.h"
#include "boost-mlir/Support/TensorTypes.h"

namespace mlir::boost::stablehlo {

void attachContractionRules(MLIRContext &context);
void attachElementwiseRules(MLIRContext &context);
void attachIndexingRules(MLIRContext &context);
void attachReductionRules(MLIRContext &context);
void attachScatterRules(MLIRContext &context);
void attachShapeRules(MLIRContext &context);
void attachSortRules(MLIRContext &context);
void attachWindowRules(MLIRContext &context);

/// The type in which a sum of elements of this type is taken: f32 for the
/// shorter floats.
Type getAccumulationType(Type elementType);

/// Sums over `dims` in the accumulation type and rounds once.
Value sumOver(GradientBuilder &b, Value value, ArrayRef<int64_t> dims);

/// `sumOver` all dimensions.
Value sumOfAll(GradientBuilder &b, Value value);

/// Zeros of `type` with every element of `updates` added at the place along
/// `dim` that `places` (integers of the same shape) names; the other dimensions
/// stay. Summed in the accumulation type.
Value addAlong(GradientBuilder &b, RankedTensorType type, int64_t dim,
               Value places, Value updates);

} // namespace mlir::boost::stablehlo

#endif // BOOST_MLIR_LIB_DIALECT_STABLEHLO_TRANSFORMS_DIFFERENTIATION_RULES_H
