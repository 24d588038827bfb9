//===- Factors.h - Latents between linears ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A latent is a narrow value that only linears read in the end. A rank that has
// it completely can compute any function of it, so it does not matter which one
// stands between the factors: latents are followed through all operations that
// are no products.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_CONVERSION_STABLEHLOTOBOOST_FACTORS_H
#define BOOST_MLIR_LIB_CONVERSION_STABLEHLOTOBOOST_FACTORS_H

#include "mlir/IR/Block.h"

namespace mlir::boost::raise {

/// Marks the linears of a block that make latents or read them, and embeddings
/// that look up latents (`Factor`).
void markFactors(Block &block);

} // namespace mlir::boost::raise

#endif // BOOST_MLIR_LIB_CONVERSION_STABLEHLOTOBOOST_FACTORS_H
