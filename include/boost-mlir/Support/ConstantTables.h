//===- ConstantTables.h - Arrays of C structures in programs ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_SUPPORT_CONSTANTTABLES_H
#define BOOST_MLIR_SUPPORT_CONSTANTTABLES_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::boost {

/// A field of a C structure: the address of a global, or an int64_t.
struct ConstantField {
  ConstantField(LLVM::GlobalOp global) : global(global) {}
  ConstantField(int64_t number) : number(number) {}

  LLVM::GlobalOp global;
  int64_t number = 0;
};

/// Defines the constant `name`, an array of structures of these types with a
/// last one whose fields are all zero.
void writeConstantTable(ModuleOp module, StringRef name,
                        ArrayRef<SmallVector<ConstantField>> rows,
                        ArrayRef<Type> fieldTypes);

} // namespace mlir::boost

#endif // BOOST_MLIR_SUPPORT_CONSTANTTABLES_H
