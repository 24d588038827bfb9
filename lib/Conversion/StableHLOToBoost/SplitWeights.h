//===- SplitWeights.h - Sums of softmaxes, weighed one by one ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Differential attention weighs values by the difference of two softmaxes. A
// product is linear in its operands: it is the difference of two products, each
// of which is attention.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_CONVERSION_STABLEHLOTOBOOST_SPLITWEIGHTS_H
#define BOOST_MLIR_LIB_CONVERSION_STABLEHLOTOBOOST_SPLITWEIGHTS_H

#include "mlir/IR/Block.h"

namespace mlir::boost::raise {

/// Replaces each product in `block` of which one operand is a sum or a
/// difference of softmaxes, or a softmax times numbers that are equal for all
/// keys, by products with softmaxes.
void splitWeights(Block &block);

} // namespace mlir::boost::raise

#endif // BOOST_MLIR_LIB_CONVERSION_STABLEHLOTOBOOST_SPLITWEIGHTS_H
