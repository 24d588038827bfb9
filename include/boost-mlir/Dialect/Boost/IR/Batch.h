//===- Batch.h - The sequences of a batch ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which arguments of a loss have a row for each sequence.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOST_IR_BATCH_H
#define BOOST_MLIR_DIALECT_BOOST_IR_BATCH_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::boost {

/// The sequences of a batch of the loss: rows of the ids that an embedding
/// looks up, else of the first batch argument; 0 if there is none.
int64_t getBatchSize(func::FuncOp loss);

/// The batch arguments of which dimension 0 are the sequences of the batch, or
/// tokens sequence by sequence. Positions and masks that all sequences share
/// have other rows, if any; keys of random numbers have none.
SmallVector<BlockArgument> getBatchRows(func::FuncOp loss);

} // namespace mlir::boost

#endif // BOOST_MLIR_DIALECT_BOOST_IR_BATCH_H
