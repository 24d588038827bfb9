//===- Passes.h - BoostToRuntime conversion --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Creation and registration of the passes in Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_CONVERSION_BOOSTTORUNTIME_PASSES_H
#define BOOST_MLIR_CONVERSION_BOOSTTORUNTIME_PASSES_H

#include "boost-mlir/Dialect/BoostRT/IR/BoostRT.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::boost {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "boost-mlir/Conversion/BoostToRuntime/Passes.h.inc"

} // namespace mlir::boost

#endif // BOOST_MLIR_CONVERSION_BOOSTTORUNTIME_PASSES_H
