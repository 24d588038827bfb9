//===- Passes.h - From a JAX export to one function -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Creation and registration of the passes of Passes.td and their pipeline.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_STABLEHLO_TRANSFORMS_PASSES_H
#define BOOST_MLIR_DIALECT_STABLEHLO_TRANSFORMS_PASSES_H

#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::boost::stablehlo {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "boost-mlir/Dialect/StableHLO/Transforms/Passes.h.inc"

/// A JAX export to one straight-line function @loss.
void buildImportPipeline(OpPassManager &manager);

/// Registers `boost-import-pipeline`.
void registerImportPipeline();

} // namespace mlir::boost::stablehlo

#endif // BOOST_MLIR_DIALECT_STABLEHLO_TRANSFORMS_PASSES_H
