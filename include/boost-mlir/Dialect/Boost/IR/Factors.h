//===- Factors.h - Linears that are factors of bottlenecks ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `boost.bottleneck` has two functions of a latent, identity and silu. Where
// another one stands between two factors, these stay linears that say so.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOST_IR_FACTORS_H
#define BOOST_MLIR_DIALECT_BOOST_IR_FACTORS_H

#include "boost-mlir/Dialect/Boost/IR/Boost.h"

namespace mlir::boost {

/// The place of a linear in a bottleneck: it makes a latent of a wider value, a
/// latent of a latent, or an output of a latent.
enum class Factor { First, Middle, Second };

/// On a linear: the name of its place.
inline constexpr llvm::StringLiteral kFactorAttr = "boost.factor";

/// Returns the factor that `name` stands for; none if it is no string or
/// another one.
std::optional<Factor> parseFactor(Attribute name);

/// Returns the place of a linear in a bottleneck, if it is in one.
std::optional<Factor> getFactor(LinearOp op);

/// Returns true if the result of a linear is the latent of a bottleneck.
bool makesLatent(LinearOp op);

void setFactor(LinearOp op, Factor factor);

/// Gives `to` the place that `from` has, if it has one.
void copyFactor(LinearOp from, LinearOp to);

} // namespace mlir::boost

#endif // BOOST_MLIR_DIALECT_BOOST_IR_FACTORS_H
