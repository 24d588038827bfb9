//===- Adapters.h - Bottlenecks beside linears ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_ADAPTERS_H
#define BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_ADAPTERS_H

#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::boost {

/// The adapters of a function: bottlenecks whose result is added to that of a
/// linear with the same input, such as `x w + (x a) b` of LoRA. Scales, biases,
/// and functions of the latent may stand between.
class Adapters {
public:
  explicit Adapters(func::FuncOp func);

  /// Returns the input of the adapter that an operation belongs to: a
  /// bottleneck, or a linear that is one of the factors. Null for others.
  Value getInput(Operation *op) const { return inputs.lookup(op); }

private:
  llvm::DenseMap<Operation *, Value> inputs;
};

} // namespace mlir::boost

#endif // BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_ADAPTERS_H
