//===- Passes.h - Passes of the last stage ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Creation and registration of the passes in Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_TARGET_PASSES_H
#define BOOST_MLIR_TARGET_PASSES_H

#include "boost-mlir/Target/TargetKind.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::boost {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "boost-mlir/Target/Passes.h.inc"

} // namespace mlir::boost

#endif // BOOST_MLIR_TARGET_PASSES_H
