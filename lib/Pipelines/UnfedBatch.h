//===- UnfedBatch.h - Batches that training cannot fill ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_PIPELINES_UNFEDBATCH_H
#define BOOST_MLIR_LIB_PIPELINES_UNFEDBATCH_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::boost {

/// Warns of batch arguments of floats that are no mask of tokens: the program
/// evaluates, but its `train` has nothing to fill them with. `module` has been
/// imported.
void warnOfUnfedBatch(ModuleOp module);

} // namespace mlir::boost

#endif // BOOST_MLIR_LIB_PIPELINES_UNFEDBATCH_H
