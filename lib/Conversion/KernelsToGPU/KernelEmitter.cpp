//===- KernelEmitter.cpp - One kernel as a gpu.func -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"

#include "GenericEmitter.h"

#include "boost-mlir/Dialect/Boost/IR/BoostAttrNames.h"
#include "boost-mlir/Dialect/BoostRT/IR/BoostRTAttrNames.h"
#include "boost-mlir/Dialect/BoostRT/Utils/Combiner.h"
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

static void endFunction(gpu::GPUFuncOp function) {
  auto builder = OpBuilder::atBlockEnd(&function.getBody().front());
  gpu::ReturnOp::create(builder, function.getLoc());
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
    endFunction(function);
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

/// Returns the alignments of the operands of a nest. `ofBuffers` holds those of
/// the kernel's buffers.
static SmallVector<int64_t> getAlignments(const LoopNest &nest,
                                          ArrayRef<int64_t> ofBuffers) {
  return llvm::map_to_vector(nest.operands, [&](const NestOperand &operand) {
    auto argument = cast<BlockArgument>(operand.operand->get());
    return ofBuffers[argument.getArgNumber() - kFirstBuffer];
  });
}

static GPUKernel emitGeneric(func::FuncOp kernel, linalg::GenericOp op,
                             LoopNest nest, linalg::FillOp fill,
                             ArrayRef<int64_t> alignments,
                             gpu::GPUModuleOp module) {
  ThreadMapping mapping = mapThreads(op, nest, getAlignments(nest, alignments));
  gpu::GPUFuncOp function =
      createFunction(kernel, alignments, mapping.size, getName(mapping.worker),
                     GenericEmitter::getSharedTypes(op, nest, mapping), module);
  storeBooleansAsBytes(function);
  LaunchSize size = mapping.size;
  GenericEmitter(function, op, std::move(nest), fill, std::move(mapping),
                 function.getWorkgroupAttributions())
      .emit();
  endFunction(function);
  return {function, size};
}

/// The fill of what an operation reduces to, right before it.
static linalg::FillOp findFill(linalg::GenericOp op) {
  auto fill = dyn_cast_or_null<linalg::FillOp>(op->getPrevNode());
  return fill && llvm::is_contained(op.getDpsInits(), fill.output())
             ? fill
             : linalg::FillOp();
}

namespace {

/// Emits operations on the same rows: a block does one after the other to its
/// row, and its threads wait for each other in between. If columns are summed,
/// a block has several rows, and does so to each.
class RowOperationsEmitter {
public:
  RowOperationsEmitter(func::FuncOp kernel,
                       ArrayRef<linalg::GenericOp> operations)
      : kernel(kernel), operations(operations),
        rowLoops(llvm::any_of(operations, sumsColumns) ? 2 : 1) {}

  FailureOr<GPUKernel> emit(ArrayRef<int64_t> alignments,
                            gpu::GPUModuleOp module);

private:
  LogicalResult map(ArrayRef<int64_t> alignments);
  void createEmitters(gpu::GPUFuncOp function);
  void emitRow(ArrayRef<Value> row, Block *block, SmallVector<Value> &sums);
  void emitChunk(Block *block, Value chunk);

  func::FuncOp kernel;
  ArrayRef<linalg::GenericOp> operations;
  int64_t rowLoops;
  SmallVector<LoopNest, 0> nests;
  SmallVector<ThreadMapping, 0> mappings;
  LaunchSize size;
  /// Types of all workgroup buffers, and for each operation the first of its
  /// own.
  SmallVector<Type> shared;
  SmallVector<size_t> begins = {0};
  std::vector<GenericEmitter> emitters;
};

} // namespace

LogicalResult RowOperationsEmitter::map(ArrayRef<int64_t> alignments) {
  for (linalg::GenericOp op : operations) {
    FailureOr<LoopNest> nest = buildLoopNest(op);
    if (failed(nest))
      return failure();
    mappings.push_back(
        mapRowThreads(op, *nest, rowLoops, getAlignments(*nest, alignments)));
    nests.push_back(std::move(*nest));
  }
  size = {nests.front().loops.front().extent,
          chooseRowThreads(mappings, nests)};
  for (auto [op, nest, mapping] :
       llvm::zip_equal(operations, nests, mappings)) {
    mapping.size = size;
    llvm::append_range(shared,
                       GenericEmitter::getSharedTypes(op, nest, mapping));
    begins.push_back(shared.size());
  }
  return success();
}

void RowOperationsEmitter::createEmitters(gpu::GPUFuncOp function) {
  for (size_t number = 0; number < operations.size(); ++number) {
    linalg::GenericOp op = operations[number];
    emitters.emplace_back(
        function, op, nests[number], findFill(op), mappings[number],
        function.getWorkgroupAttributions().slice(
            begins[number], begins[number + 1] - begins[number]));
  }
}

/// Emits what a block does to a row at the end of `block`. Of several rows, all
/// threads have left the row before. `sums` are those of columns up to this
/// row, and become those with it.
void RowOperationsEmitter::emitRow(ArrayRef<Value> row, Block *block,
                                   SmallVector<Value> &sums) {
  ValueRange rest(sums);
  SmallVector<Value> added;
  for (auto [number, emitter] : llvm::enumerate(emitters)) {
    linalg::GenericOp op = operations[number];
    auto builder = OpBuilder::atBlockEnd(block);
    if (number > 0)
      gpu::BarrierOp::create(builder, op.getLoc());
    emitter.moveTo(block);
    emitter.setRow(row);
    if (!sumsColumns(op)) {
      emitter.emit();
      continue;
    }
    size_t own = emitter.countColumnSums();
    llvm::append_range(added, emitter.addRowToColumns(rest.take_front(own)));
    rest = rest.drop_front(own);
  }
  sums = std::move(added);
}

/// Emits what a block does to a chunk of rows.
void RowOperationsEmitter::emitChunk(Block *block, Value chunk) {
  Location loc = kernel.getLoc();
  auto builder = OpBuilder::atBlockEnd(block);
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  SmallVector<Value> sums;
  for (auto [op, emitter] : llvm::zip_equal(operations, emitters))
    if (sumsColumns(op))
      llvm::append_range(sums, emitter.startColumnSums());
  builder.setInsertionPointToEnd(block);
  auto loop = scf::ForOp::create(builder, loc, constant(0),
                                 constant(nests.front().loops[1].extent),
                                 constant(1), sums);
  sums = SmallVector<Value>(loop.getRegionIterArgs());
  emitRow({chunk, loop.getInductionVar()}, loop.getBody(), sums);
  builder.setInsertionPointToEnd(loop.getBody());
  scf::YieldOp::create(builder, loc, sums);
  ValueRange totals = loop.getResults();
  for (auto [op, emitter] : llvm::zip_equal(operations, emitters)) {
    if (!sumsColumns(op))
      continue;
    size_t own = emitter.countColumnSums();
    emitter.moveTo(block);
    emitter.storeColumnSums(totals.take_front(own));
    totals = totals.drop_front(own);
  }
}

FailureOr<GPUKernel> RowOperationsEmitter::emit(ArrayRef<int64_t> alignments,
                                                gpu::GPUModuleOp module) {
  if (failed(map(alignments)))
    return failure();
  gpu::GPUFuncOp function =
      createFunction(kernel, alignments, size,
                     getName(ThreadMapping::Worker::Row), shared, module);
  function.setKnownBlockSizeAttr(DenseI32ArrayAttr::get(
      kernel.getContext(), {static_cast<int32_t>(size.threads), 1, 1}));
  storeBooleansAsBytes(function);
  createEmitters(function);
  Block *block = &function.getBody().front();
  auto builder = OpBuilder::atBlockEnd(block);
  Value first =
      gpu::BlockIdOp::create(builder, kernel.getLoc(), gpu::Dimension::x);
  SmallVector<Value> sums;
  if (rowLoops > 1)
    emitChunk(block, first);
  else
    emitRow({first}, block, sums);
  endFunction(function);
  return GPUKernel{function, size};
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
  } else if (generics.size() > 1) {
    FailureOr<GPUKernel> rows =
        RowOperationsEmitter(kernel, generics).emit(alignments, module);
    if (failed(rows))
      return failure();
    emitted = *rows;
  } else if (generics.empty() || fills.size() > 1) {
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
