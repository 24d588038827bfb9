//===- ConstantTables.cpp - Arrays of C structures in programs ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Support/ConstantTables.h"

using namespace mlir;
using namespace mlir::boost;

static Value createField(OpBuilder &builder, Location loc,
                         ConstantField field) {
  if (field.global)
    return LLVM::AddressOfOp::create(builder, loc, field.global);
  return LLVM::ConstantOp::create(builder, loc, builder.getI64Type(),
                                  field.number);
}

void mlir::boost::writeConstantTable(ModuleOp module, StringRef name,
                                     ArrayRef<SmallVector<ConstantField>> rows,
                                     ArrayRef<Type> fieldTypes) {
  Location loc = module.getLoc();
  auto builder = OpBuilder::atBlockEnd(module.getBody());
  auto row = LLVM::LLVMStructType::getLiteral(module.getContext(), fieldTypes);
  auto type =
      LLVM::LLVMArrayType::get(row, static_cast<unsigned>(rows.size() + 1));
  auto table =
      LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true,
                             LLVM::Linkage::External, name, Attribute());
  builder.setInsertionPointToStart(
      builder.createBlock(&table.getInitializer()));
  Value value = LLVM::ZeroOp::create(builder, loc, type);
  for (size_t i = 0; i < rows.size(); ++i)
    for (size_t j = 0; j < rows[i].size(); ++j)
      value = LLVM::InsertValueOp::create(
          builder, loc, value, createField(builder, loc, rows[i][j]),
          ArrayRef<int64_t>{static_cast<int64_t>(i), static_cast<int64_t>(j)});
  LLVM::ReturnOp::create(builder, loc, value);
}
