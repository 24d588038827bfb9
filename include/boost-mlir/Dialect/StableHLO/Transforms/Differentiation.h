//===- Differentiation.h - Gradients of StableHLO ops -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attaches DifferentiableOpInterface to the operations of the subset.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_STABLEHLO_TRANSFORMS_DIFFERENTIATION_H
#define BOOST_MLIR_DIALECT_STABLEHLO_TRANSFORMS_DIFFERENTIATION_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlir::boost::stablehlo {

void registerDifferentiationRules(DialectRegistry &registry);

} // namespace mlir::boost::stablehlo

#endif // BOOST_MLIR_DIALECT_STABLEHLO_TRANSFORMS_DIFFERENTIATION_H
