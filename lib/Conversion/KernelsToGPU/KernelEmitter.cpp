//===- KernelEmitter.cpp - One kernel as a gpu.func -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"

#include "GenericEmitter.h"

#include "boost-mlir/Dialect/Boost/IR/BoostAttrNames.h"
#include "boost-mlir/Dialect/BoostRT/IR/BoostRTAttrNames.h"
#include "boost-mlir/Dialect/BoostRT/Utils/KernelBody.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::rt;

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// The empty gpu.func for a kernel: its buffers, with what is known of their
/// addresses, and workgroup buffers of these types. The number of threads is
/// not said: ptxas would spill registers to fit more blocks.
static gpu::GPUFuncOp createFunction(func::FuncOp kernel,
                                     ArrayRef<int64_t> alignments,
                                     LaunchSize size, StringRef form,
                                     TypeRange shared,
                                     gpu::GPUModuleOp module) {
  auto builder = OpBuilder::atBlockEnd(module.getBody());
  auto type =
      FunctionType::get(kernel.getContext(),
                        kernel.getArgumentTypes().drop_front(kFirstBuffer), {});
  auto function = gpu::GPUFuncOp::create(builder, kernel.getLoc(),
                                         kernel.getName(), type, shared);
  function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                    builder.getUnitAttr());
  function->setAttr(kFormAttr, builder.getStringAttr(form));
  function.setKnownGridSizeAttr(
      builder.getDenseI32ArrayAttr({static_cast<int32_t>(size.blocks), 1, 1}));
  for (auto [number, alignment] : llvm::enumerate(alignments)) {
    for (StringRef name : {LLVM::LLVMDialect::getNoAliasAttrName(),
                           LLVM::LLVMDialect::getReadonlyAttrName()})
      if (Attribute attr = kernel.getArgAttr(number + kFirstBuffer, name))
        function.setArgAttr(number, name, attr);
    Type element = getElementTypeOrSelf(type.getInput(number));
    if (alignment > getStoredBytes(element))
      function.setArgAttr(number, LLVM::LLVMDialect::getAlignAttrName(),
                          builder.getI64IntegerAttr(alignment));
  }
  return function;
}

//===----------------------------------------------------------------------===//
// Written loops
//===----------------------------------------------------------------------===//

namespace {

/// Emits a kernel whose loops are written out: a thread for every row.
class RowsEmitter : FunctionBuilder {
public:
  RowsEmitter(gpu::GPUFuncOp function, func::FuncOp kernel, LaunchSize size,
              int64_t rows)
      : FunctionBuilder(function, kernel.getLoc(), size), kernel(kernel),
        rows(rows) {}

  void emit() {
    Value row = getThreadOfGrid();
    emitIfBelow(row, rows, size.blocks * size.threads, [&] {
      IRMapping values;
      values.map(kernel.getArgument(0), row);
      values.map(kernel.getArgument(1),
                 arith::AddIOp::create(builder, loc, row, constant(1)));
      values.map(kernel.getArguments().drop_front(kFirstBuffer),
                 function.getArguments());
      for (Operation &inner : kernel.getBody().front().without_terminator())
        builder.clone(inner, values);
    });
    emitReturn();
    widenInPlace(function);
    storeBooleansAsBytes(function);
  }

private:
  func::FuncOp kernel;
  int64_t rows;
};

} // namespace

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

static GPUKernel emitGeneric(func::FuncOp kernel, linalg::GenericOp op,
                             LoopNest nest, linalg::FillOp fill,
                             ArrayRef<int64_t> alignments,
                             gpu::GPUModuleOp module) {
  SmallVector<int64_t> ofOperands =
      llvm::map_to_vector(nest.operands, [&](const NestOperand &operand) {
        auto argument = cast<BlockArgument>(operand.operand->get());
        return alignments[argument.getArgNumber() - kFirstBuffer];
      });
  ThreadMapping mapping = mapThreads(op, nest, ofOperands);
  gpu::GPUFuncOp function =
      createFunction(kernel, alignments, mapping.size, getName(mapping.worker),
                     GenericEmitter::getSharedTypes(op, nest, mapping), module);
  storeBooleansAsBytes(function);
  LaunchSize size = mapping.size;
  GenericEmitter(function, op, std::move(nest), fill, std::move(mapping))
      .emit();
  return {function, size};
}

static GPUKernel emitRows(func::FuncOp kernel, int64_t rows,
                          ArrayRef<int64_t> alignments,
                          gpu::GPUModuleOp module) {
  constexpr int64_t kThreads = 128;
  LaunchSize size = LaunchSize::forThreads(rows, kThreads);
  gpu::GPUFuncOp function =
      createFunction(kernel, alignments, size, "rows", {}, module);
  RowsEmitter(function, kernel, size, rows).emit();
  return {function, size};
}

FailureOr<GPUKernel> mlir::boost::emitGPUKernel(func::FuncOp kernel,
                                                ArrayRef<int64_t> alignments,
                                                gpu::GPUModuleOp module) {
  SmallVector<linalg::GenericOp> generics(kernel.getOps<linalg::GenericOp>());
  SmallVector<linalg::FillOp> fills(kernel.getOps<linalg::FillOp>());
  auto extent = kernel->getAttrOfType<IntegerAttr>(kExtentAttr);
  GPUKernel emitted;
  if (generics.empty() && fills.empty() && extent &&
      !kernel.getOps<scf::ForOp>().empty()) {
    emitted = emitRows(kernel, extent.getInt(), alignments, module);
  } else if (generics.size() != 1 || fills.size() > 1) {
    return kernel.emitOpError("expects written loops, or one linalg.generic "
                              "and at most one linalg.fill before it; run "
                              "boostrt-outline-kernels");
  } else {
    FailureOr<LoopNest> nest = buildLoopNest(generics.front());
    if (failed(nest))
      return failure();
    linalg::FillOp fill = fills.empty() ? linalg::FillOp() : fills.front();
    emitted = emitGeneric(kernel, generics.front(), std::move(*nest), fill,
                          alignments, module);
  }
  if (failed(expandMath(emitted.function)))
    return failure();
  return emitted;
}
