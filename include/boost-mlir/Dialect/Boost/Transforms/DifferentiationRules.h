//===- DifferentiationRules.h - Gradients of boost ops ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attaches DifferentiableOpInterface to the operations of the boost dialect.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOST_TRANSFORMS_DIFFERENTIATIONRULES_H
#define BOOST_MLIR_DIALECT_BOOST_TRANSFORMS_DIFFERENTIATIONRULES_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlir::boost {

void registerDifferentiationRules(DialectRegistry &registry);

} // namespace mlir::boost

#endif // BOOST_MLIR_DIALECT_BOOST_TRANSFORMS_DIFFERENTIATIONRULES_H
