//===- Passes.h - Passes that run stages ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Creation and registration of the passes in Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_PIPELINES_PASSES_H
#define BOOST_MLIR_PIPELINES_PASSES_H

#include "boost-mlir/Analysis/PipelineSchedule.h"
#include "boost-mlir/Target/TargetKind.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::boost {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "boost-mlir/Pipelines/Passes.h.inc"

} // namespace mlir::boost

#endif // BOOST_MLIR_PIPELINES_PASSES_H
