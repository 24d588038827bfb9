//===- ReadValues.h - What operations read ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The values that an operation reads, as operands or inside its regions.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_SUPPORT_READVALUES_H
#define BOOST_MLIR_SUPPORT_READVALUES_H

#include "mlir/IR/Operation.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::boost {

/// Returns everything that an operation reads, also from inside its regions.
inline llvm::SetVector<Value> getReadValues(Operation *op) {
  llvm::SetVector<Value> values(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), values);
  return values;
}

} // namespace mlir::boost

#endif // BOOST_MLIR_SUPPORT_READVALUES_H
