//===- KernelTable.h - Equal kernels are one function -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DIALECT_BOOSTRT_TRANSFORMS_KERNELTABLE_H
#define BOOST_MLIR_LIB_DIALECT_BOOSTRT_TRANSFORMS_KERNELTABLE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::boost::rt {

/// The kernels that a pass adds to a module.
class KernelTable {
public:
  explicit KernelTable(ModuleOp module);

  /// Adds a detached kernel under a name of its own, or erases it if there is
  /// an equal one: the symbol of that which is there.
  FlatSymbolRefAttr insert(func::FuncOp kernel);

private:
  SymbolTable symbols;
  /// Kernels by their hash.
  DenseMap<size_t, SmallVector<func::FuncOp, 1>> kernels;
  int64_t numKernels = 0;
};

} // namespace mlir::boost::rt

#endif // BOOST_MLIR_LIB_DIALECT_BOOSTRT_TRANSFORMS_KERNELTABLE_H
