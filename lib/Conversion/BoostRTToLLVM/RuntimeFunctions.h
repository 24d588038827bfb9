//===- RuntimeFunctions.h - Declarations of boost_rt_* ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime's Functions.def as functions of the LLVM dialect.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_CONVERSION_BOOSTRTTOLLVM_RUNTIMEFUNCTIONS_H
#define BOOST_MLIR_LIB_CONVERSION_BOOSTRTTOLLVM_RUNTIMEFUNCTIONS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::boost {

/// Declares functions of the runtime in a module at their first use.
class RuntimeFunctions {
public:
  explicit RuntimeFunctions(ModuleOp module);

  /// The function `boost_rt_<name>`, which must be in Functions.def.
  LLVM::LLVMFuncOp get(StringRef name);

private:
  ModuleOp module;
  llvm::StringMap<LLVM::LLVMFunctionType> types;
  llvm::StringMap<LLVM::LLVMFuncOp> declared;
};

} // namespace mlir::boost

#endif // BOOST_MLIR_LIB_CONVERSION_BOOSTRTTOLLVM_RUNTIMEFUNCTIONS_H
