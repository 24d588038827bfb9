//===- Passes.h - StableHLO to boost ----------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Creation and registration of the passes of Passes.td, and their pipeline.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_CONVERSION_STABLEHLOTOBOOST_PASSES_H
#define BOOST_MLIR_CONVERSION_STABLEHLOTOBOOST_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::boost {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "boost-mlir/Conversion/StableHLOToBoost/Passes.h.inc"

/// Adds the raise passes in their order, and boost-annotate-components.
void buildRaisePipeline(OpPassManager &pm);

/// Registers `boost-raise-pipeline`.
void registerRaisePipeline();

} // namespace mlir::boost

#endif // BOOST_MLIR_CONVERSION_STABLEHLOTOBOOST_PASSES_H
