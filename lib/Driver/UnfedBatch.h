//===- UnfedBatch.h - Batches that training cannot fill ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DRIVER_UNFEDBATCH_H
#define BOOST_MLIR_LIB_DRIVER_UNFEDBATCH_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::boost {

/// Refuses batch arguments of floats that are no mask of tokens: `train` has
/// nothing to fill them with. Names them all. `module` has been imported.
LogicalResult checkBatchIsFed(ModuleOp module);

} // namespace mlir::boost

#endif // BOOST_MLIR_LIB_DRIVER_UNFEDBATCH_H
