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
#include "boost-mlir/Support/ConstantTables.h"
#include "boost-mlir/Support/TensorTypes.h"
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
  using ConvertBoostRTToLLVMPassBase::ConvertBoostRTToLLVMPassBase;

  void runOnOperation() override;

private:
  LogicalResult convertFunction(func::FuncOp function,
                                RuntimeFunctions &functions,
                                rt::ConstantArrays &arrays,
                                rt::AddressLoop &addressLoop);
  LogicalResult convertGlobal(memref::GlobalOp global);

  /// Constant tensors, and their sizes in bytes.
  SmallVector<SmallVector<ConstantField>> constants;
};

} // namespace

static LogicalResult checkSignature(func::FuncOp function) {
  unsigned arguments = function.getNumArguments();
  if (arguments >= 1 && arguments <= 2 && function.getNumResults() == 0 &&
      llvm::all_of(function.getArgumentTypes(), llvm::IsaPred<MemRefType>) &&
      function.getBody().hasOneBlock())
    return success();
  return function.emitOpError(
      "expects the arena, and a slot of the stash or nothing, as arguments, no "
      "result and one block; run boostrt-plan-memory");
}

/// Ops that only say where something is; calls find it by themselves.
static bool isDescription(Operation *op) {
  return isa<func::ReturnOp, memref::GetGlobalOp, PhaseOp>(op) ||
         op->hasTrait<OpTrait::ConstantLike>() || isPure(op);
}

/// A function `(context, arena, stash)`, with an entry block.
static LLVM::LLVMFuncOp createFunction(func::FuncOp function, const Twine &name,
                                       LLVM::Linkage linkage) {
  MLIRContext *context = function.getContext();
  auto pointer = LLVM::LLVMPointerType::get(context);
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context),
                                          {pointer, pointer, pointer});
  OpBuilder builder(function);
  auto converted = LLVM::LLVMFuncOp::create(builder, function.getLoc(),
                                            name.str(), type, linkage);
  // A long line of calls: nothing to gain from optimization, much time to lose.
  converted.setOptimizeNone(true);
  converted.setNoInline(true);
  converted.addEntryBlock(builder);
  return converted;
}

static void addReturn(LLVM::LLVMFuncOp function) {
  auto builder = OpBuilder::atBlockEnd(&function.getBody().back());
  LLVM::ReturnOp::create(builder, function.getLoc(), ValueRange());
}

/// Register allocation takes more than linear time in the length of a block, so
/// long functions call parts of a bounded number of calls.
LogicalResult ConvertBoostRTToLLVMPass::convertFunction(
    func::FuncOp function, RuntimeFunctions &functions,
    rt::ConstantArrays &arrays, rt::AddressLoop &addressLoop) {
  if (failed(checkSignature(function)))
    return failure();
  SmallVector<Operation *> calls;
  for (Operation &op : function.getBody().front())
    if (!isDescription(&op))
      calls.push_back(&op);
  auto emitCalls = [&](LLVM::LLVMFuncOp into, ArrayRef<Operation *> part) {
    rt::CallEmitter emitter(into, functions, arrays, addressLoop);
    for (Operation *op : part)
      if (failed(emitter.emit(op)))
        return failure();
    addReturn(into);
    return success();
  };

  LLVM::LLVMFuncOp whole = createFunction(
      function, "boost_fn_" + function.getName(), LLVM::Linkage::External);
  if (calls.size() <= callsPerPart) {
    if (failed(emitCalls(whole, calls)))
      return failure();
    function.erase();
    return success();
  }
  auto builder = OpBuilder::atBlockEnd(&whole.getBody().back());
  ArrayRef<Operation *> rest = calls;
  for (int64_t number = 0; !rest.empty(); ++number) {
    LLVM::LLVMFuncOp part = createFunction(
        function, "boost_part_" + function.getName() + "_" + Twine(number),
        LLVM::Linkage::Internal);
    size_t count = std::min<size_t>(rest.size(), callsPerPart);
    if (failed(emitCalls(part, rest.take_front(count))))
      return failure();
    rest = rest.drop_front(count);
    LLVM::CallOp::create(builder, function.getLoc(), part,
                         whole.getArguments());
  }
  addReturn(whole);
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
  auto constant = LLVM::GlobalOp::create(
      builder, global.getLoc(), type, /*isConstant=*/true,
      LLVM::Linkage::Internal, global.getSymName(), contents,
      /*alignment=*/64);
  constants.push_back({constant, getDenseBytes(global.getType())});
  global.erase();
  return success();
}

void ConvertBoostRTToLLVMPass::runOnOperation() {
  ModuleOp module = getOperation();
  if (callsPerPart == 0) {
    module.emitError("expects calls-per-part of 1 or more, but got 0");
    return signalPassFailure();
  }
  RuntimeFunctions functions(module);
  rt::ConstantArrays arrays(module);
  rt::AddressLoop addressLoop(module);
  SmallVector<func::FuncOp> hosts(module.getOps<func::FuncOp>());
  for (func::FuncOp host : hosts) {
    if (host->hasAttr(kKernelAttr)) {
      host.emitOpError("is a kernel; run convert-kernels-to-llvm before");
      return signalPassFailure();
    }
    if (failed(convertFunction(host, functions, arrays, addressLoop)))
      return signalPassFailure();
  }
  SmallVector<memref::GlobalOp> globals(module.getOps<memref::GlobalOp>());
  constants.clear();
  for (memref::GlobalOp global : globals)
    if (failed(convertGlobal(global)))
      return signalPassFailure();
  if (listConstants)
    writeConstantTable(module, "boost_program_constants", constants,
                       {LLVM::LLVMPointerType::get(&getContext()),
                        IntegerType::get(&getContext(), 64)});
  // Operations that describe the mesh of ranks have been read; LLVM has none.
  SmallVector<Operation *> others;
  for (Operation &op : *module.getBody())
    if (!isa<LLVM::LLVMDialect>(op.getDialect()))
      others.push_back(&op);
  for (Operation *op : others)
    op->erase();
}
