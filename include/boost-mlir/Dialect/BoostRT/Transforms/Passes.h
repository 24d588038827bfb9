//===- Passes.h - Passes on the runtime level -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Creation and registration of the passes in Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOSTRT_TRANSFORMS_PASSES_H
#define BOOST_MLIR_DIALECT_BOOSTRT_TRANSFORMS_PASSES_H

#include "boost-mlir/Dialect/BoostRT/IR/BoostRT.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::boost::rt {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "boost-mlir/Dialect/BoostRT/Transforms/Passes.h.inc"

} // namespace mlir::boost::rt

#endif // BOOST_MLIR_DIALECT_BOOSTRT_TRANSFORMS_PASSES_H
