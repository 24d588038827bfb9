//===- Factors.h - Factors of bottlenecks that are operations ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `boost.bottleneck` has two functions of a latent, identity and silu. Where
// another one stands between two factors, these stay linears that say so. An
// embedding that looks up latents is a first factor too: it multiplies its
// table with ids of one element that is 1.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOST_IR_FACTORS_H
#define BOOST_MLIR_DIALECT_BOOST_IR_FACTORS_H

#include "boost-mlir/Dialect/Boost/IR/Boost.h"

namespace mlir::boost {

/// The place of a linear in a bottleneck: it makes a latent of a wider value, a
/// latent of a latent, or an output of a latent. An embedding is a first factor
/// or none.
enum class Factor { First, Middle, Second };

/// On a linear or an embedding: the name of its place.
inline constexpr llvm::StringLiteral kFactorAttr = "boost.factor";

/// Returns the factor that `name` stands for; none if it is no string or
/// another one.
std::optional<Factor> parseFactor(Attribute name);

/// Returns the place of an operation in a bottleneck, if it is in one.
std::optional<Factor> getFactor(Operation *op);

/// Returns true if the result of `op` is the latent of a bottleneck.
bool makesLatent(Operation *op);

void setFactor(Operation *op, Factor factor);

/// Gives `to` the place that `from` has, if it has one.
void copyFactor(Operation *from, Operation *to);

} // namespace mlir::boost

#endif // BOOST_MLIR_DIALECT_BOOST_IR_FACTORS_H
