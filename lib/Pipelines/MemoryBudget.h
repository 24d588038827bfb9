//===- MemoryBudget.h - Recomputation that fits a budget --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_PIPELINES_MEMORYBUDGET_H
#define BOOST_MLIR_LIB_PIPELINES_MEMORYBUDGET_H

#include "boost-mlir/Pipelines/Pipelines.h"

namespace mlir::boost {

/// The stage `rematerialize` under a memory budget: plans the memory of the
/// module for several choices of what is recomputed, and runs the stage with
/// the cheapest that fits.
std::unique_ptr<Pass>
createRematerializeToBudgetPass(const RematerializePipelineOptions &options);

} // namespace mlir::boost

#endif // BOOST_MLIR_LIB_PIPELINES_MEMORYBUDGET_H
