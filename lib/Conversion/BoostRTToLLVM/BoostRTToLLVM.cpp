//===- BoostRTToLLVM.cpp - The runtime level to the LLVM dialect ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements convert-boostrt-to-llvm. Functions are straight lines, so each
// operation is translated where it stands; nothing is legalized step by step.
//
//===----------------------------------------------------------------------===//

#include "CallEmitter.h"

#include "boost-mlir/Conversion/BoostRTToLLVM/Passes.h"
#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "boost-mlir/Dialect/Boost/IR/BoostAttrNames.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::boost {
#define GEN_PASS_DEF_CONVERTBOOSTRTTOLLVMPASS
#include "boost-mlir/Conversion/BoostRTToLLVM/Passes.h.inc"
} // namespace mlir::boost

using namespace mlir;
using namespace mlir::boost;

namespace {

struct ConvertBoostRTToLLVMPass
    : boost::impl::ConvertBoostRTToLLVMPassBase<ConvertBoostRTToLLVMPass> {
  void runOnOperation() override;

private:
  LogicalResult convertFunction(func::FuncOp function,
                                RuntimeFunctions &functions,
                                rt::ConstantArrays &arrays);
  LogicalResult convertGlobal(memref::GlobalOp global);
};

} // namespace

static LogicalResult checkSignature(func::FuncOp function) {
  if (function.getNumArguments() == 1 && function.getNumResults() == 0 &&
      isa<MemRefType>(function.getArgumentTypes().front()) &&
      function.getBody().hasOneBlock())
    return success();
  return function.emitOpError("expects the arena as its only argument, no "
                              "result and one block; run boostrt-plan-memory");
}

/// Length of the longest array of buffers that a call of the function takes.
static int64_t getMaxPointers(func::FuncOp function) {
  int64_t most = 0;
  function.walk([&](Operation *op) {
    if (isa<rt::LaunchOp, rt::SumOfSquaresOp, rt::AllReduceOp>(op))
      most = std::max<int64_t>(most, op->getNumOperands());
  });
  return most;
}

/// Ops that only say where something is; calls find it by themselves.
static bool isDescription(Operation *op) {
  return isa<func::ReturnOp, memref::GetGlobalOp, PhaseOp>(op) ||
         op->hasTrait<OpTrait::ConstantLike>() || isPure(op);
}

static LLVM::LLVMFuncOp createFunction(func::FuncOp function) {
  MLIRContext *context = function.getContext();
  auto pointer = LLVM::LLVMPointerType::get(context);
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context),
                                          {pointer, pointer});
  OpBuilder builder(function);
  auto converted =
      LLVM::LLVMFuncOp::create(builder, function.getLoc(),
                               ("boost_fn_" + function.getName()).str(), type);
  // A long line of calls: nothing to gain from optimization, much time to lose.
  converted.setOptimizeNone(true);
  converted.setNoInline(true);
  converted.addEntryBlock(builder);
  return converted;
}

LogicalResult
ConvertBoostRTToLLVMPass::convertFunction(func::FuncOp function,
                                          RuntimeFunctions &functions,
                                          rt::ConstantArrays &arrays) {
  if (failed(checkSignature(function)))
    return failure();
  LLVM::LLVMFuncOp converted = createFunction(function);
  rt::CallEmitter emitter(converted, function.getArgument(0),
                          getMaxPointers(function), functions, arrays);
  for (Operation &op : function.getBody().front())
    if (!isDescription(&op) && failed(emitter.emit(&op)))
      return failure();
  auto builder = OpBuilder::atBlockEnd(&converted.getBody().back());
  LLVM::ReturnOp::create(builder, function.getLoc(), ValueRange());
  function.erase();
  return success();
}

LogicalResult ConvertBoostRTToLLVMPass::convertGlobal(memref::GlobalOp global) {
  auto value = dyn_cast_or_null<ElementsAttr>(
      global.getInitialValue().value_or(Attribute()));
  if (!value)
    return global.emitOpError("expects an initial value");
  Type type = global.getType().getElementType();
  for (int64_t size : llvm::reverse(global.getType().getShape()))
    type = LLVM::LLVMArrayType::get(type, size);
  Attribute contents = value;
  if (global.getType().getRank() == 0)
    contents = cast<DenseElementsAttr>(value).getSplatValue<Attribute>();
  OpBuilder builder(global);
  LLVM::GlobalOp::create(builder, global.getLoc(), type, /*isConstant=*/true,
                         LLVM::Linkage::Internal, global.getSymName(), contents,
                         /*alignment=*/64);
  global.erase();
  return success();
}

void ConvertBoostRTToLLVMPass::runOnOperation() {
  ModuleOp module = getOperation();
  RuntimeFunctions functions(module);
  rt::ConstantArrays arrays(module);
  SmallVector<func::FuncOp> hosts(module.getOps<func::FuncOp>());
  for (func::FuncOp host : hosts) {
    if (host->hasAttr(kKernelAttr)) {
      host.emitOpError("is a kernel; run convert-kernels-to-llvm before");
      return signalPassFailure();
    }
    if (failed(convertFunction(host, functions, arrays)))
      return signalPassFailure();
  }
  SmallVector<memref::GlobalOp> globals(module.getOps<memref::GlobalOp>());
  for (memref::GlobalOp global : globals)
    if (failed(convertGlobal(global)))
      return signalPassFailure();
  // What describes the mesh of ranks has been read; LLVM knows no such thing.
  SmallVector<Operation *> others;
  for (Operation &op : *module.getBody())
    if (!isa<LLVM::LLVMDialect>(op.getDialect()))
      others.push_back(&op);
  for (Operation *op : others)
    op->erase();
}
