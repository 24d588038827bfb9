//===- Passes.h - Passes on the boost dialect -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Creation and registration of the passes of Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOST_TRANSFORMS_PASSES_H
#define BOOST_MLIR_DIALECT_BOOST_TRANSFORMS_PASSES_H

#include "boost-mlir/Analysis/PipelineSchedule.h"
#include "boost-mlir/Dialect/Boost/IR/Mesh.h"
#include "boost-mlir/Dialect/Boost/Transforms/Options.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::boost {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h.inc"

} // namespace mlir::boost

#endif // BOOST_MLIR_DIALECT_BOOST_TRANSFORMS_PASSES_H
