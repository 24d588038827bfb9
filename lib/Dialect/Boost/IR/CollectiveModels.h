//===- CollectiveModels.h - Collectives of the shard dialect ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DIALECT_BOOST_IR_COLLECTIVEMODELS_H
#define BOOST_MLIR_LIB_DIALECT_BOOST_IR_COLLECTIVEMODELS_H

#include "boost-mlir/Dialect/Boost/IR/CollectiveOpInterface.h"
#include "mlir/IR/SymbolTable.h"

namespace mlir::boost {

/// Gives the operations of the shard dialect that the spmd level uses their
/// interfaces.
void attachCollectiveModels(MLIRContext &context);

/// Verifies the axes of a group against the grid, and the sizes of tensors
/// against the number of ranks in it.
LogicalResult verifyGroup(Operation *op, FlatSymbolRefAttr grid,
                          ArrayRef<int16_t> axes,
                          SymbolTableCollection &symbols);

} // namespace mlir::boost

#endif // BOOST_MLIR_LIB_DIALECT_BOOST_IR_COLLECTIVEMODELS_H
