//===- MemoryPlan.h - The memory of a compiled program ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads what boostrt-plan-memory wrote into a module.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_ANALYSIS_MEMORYPLAN_H
#define BOOST_MLIR_ANALYSIS_MEMORYPLAN_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"

#include <string>

namespace mlir::boost {

/// The summary of the memory plan.
struct MemoryPlan {
  int64_t peak = 0;
  /// The part of the peak that does not depend on the batch: parameters, their
  /// gradients, and the state of the optimizer.
  int64_t fixed = 0;
  /// Layers that rematerialization found.
  int64_t layers = 0;
  /// Bytes by category, one a line.
  std::string table;
  /// The largest tensors at the peak with where they come from, one a line.
  std::string largest;
};

/// Returns the memory plan of a module after boostrt-plan-memory.
MemoryPlan getMemoryPlan(ModuleOp module);

/// Returns the function that needs most memory, or null. `memory` is the
/// module's memory plan.
func::FuncOp getLargestFunction(ModuleOp module, DictionaryAttr memory);

/// Returns the bytes that the function keeps for the backward pass outside of
/// layers and in each of them. Empty if it keeps none, or is null.
ArrayRef<int64_t> getKeptBytes(func::FuncOp function);

/// Returns the source locations of the largest buffers, by their numbers.
llvm::DenseMap<int64_t, std::string> getLargestLocations(func::FuncOp function);

} // namespace mlir::boost

#endif // BOOST_MLIR_ANALYSIS_MEMORYPLAN_H
