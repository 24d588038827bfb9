//===- StageFunctions.h - Functions of pipeline stages ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_STAGEFUNCTIONS_H
#define BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_STAGEFUNCTIONS_H

#include "StageCalls.h"

#include "llvm/ADT/SetVector.h"

namespace mlir::boost {

/// A value that one call of a micro-batch keeps for later ones.
struct KeptValue {
  StringAttr name;
  int64_t producer;
  llvm::SmallSetVector<int64_t, 2> readers;
};

/// The functions that a function of a micro-batch was divided into.
struct StageFunctions {
  StageCalls calls;
  /// The function of every call; null for one that computes nothing.
  SmallVector<func::FuncOp> functions;
  /// In the order in which they are computed.
  SmallVector<KeptValue> kept;
};

/// Names the function of a call: "forward" or "backward".
using FunctionNamer = function_ref<std::string(int64_t call)>;

/// Divides a function at the spmd level by the calls of its operations, and
/// erases it. Chunk c runs on stage c modulo `stages`, which `boost.stage` of
/// its functions says. Kept values are called `prefix` and a number.
FailureOr<StageFunctions>
divideByStages(func::FuncOp function, const StageCalls &calls,
               const DenseMap<Operation *, int64_t> &assigned, int64_t stages,
               FunctionNamer name, StringRef prefix);

} // namespace mlir::boost

#endif // BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_STAGEFUNCTIONS_H
