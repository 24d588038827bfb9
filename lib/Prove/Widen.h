//===- Widen.h - Programs in f64 --------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_PROVE_WIDEN_H
#define BOOST_MLIR_LIB_PROVE_WIDEN_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::boost::prove {

/// Returns true if nothing in the program depends on the width of its floats.
bool canWidenFloats(ModuleOp program);

/// Makes every float f64.
void widenFloats(ModuleOp program);

/// Returns true if the program has floats narrower than f32.
bool hasNarrowFloats(ModuleOp program);

} // namespace mlir::boost::prove

#endif // BOOST_MLIR_LIB_PROVE_WIDEN_H
