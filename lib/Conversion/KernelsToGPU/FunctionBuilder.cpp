//===- FunctionBuilder.cpp - A gpu.func and its threads -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionBuilder.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::boost;

void FunctionBuilder::emitIf(Value condition, llvm::function_ref<void()> emit) {
  auto ifOp = scf::IfOp::create(builder, loc, condition, /*withElse=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(ifOp.thenBlock());
  emit();
}

SmallVector<Value>
FunctionBuilder::emitIfElse(Value condition, ValueRange others,
                            llvm::function_ref<SmallVector<Value>()> emit) {
  auto ifOp = scf::IfOp::create(builder, loc, others.getTypes(), condition,
                                /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(ifOp.thenBlock());
  scf::YieldOp::create(builder, loc, emit());
  builder.setInsertionPointToStart(ifOp.elseBlock());
  scf::YieldOp::create(builder, loc, others);
  return ifOp.getResults();
}

void FunctionBuilder::emitIfBelow(Value number, int64_t count, int64_t workers,
                                  llvm::function_ref<void()> emit) {
  if (count == workers)
    return emit();
  emitIf(arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, number,
                               constant(count)),
         emit);
}
