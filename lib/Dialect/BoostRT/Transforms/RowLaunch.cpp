//===- RowLaunch.cpp - Kernels that work on rows --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowLaunch.h"

#include "boost-mlir/Dialect/BoostRT/IR/StridedLayout.h"
#include "boost-mlir/Dialect/BoostRT/Utils/BufferAddress.h"
#include "boost-mlir/Dialect/BoostRT/Utils/Combiner.h"
#include "boost-mlir/Support/TensorTypes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::rt;

linalg::GenericOp rt::findOperation(func::FuncOp kernel) {
  if (!kernel || kernel.isExternal())
    return {};
  SmallVector<linalg::GenericOp> operations(kernel.getOps<linalg::GenericOp>());
  if (operations.size() != 1)
    return {};
  linalg::GenericOp op = operations.front();
  bool loads = op.walk([](memref::LoadOp) {
                   return WalkResult::interrupt();
                 }).wasInterrupted();
  bool isLinear = llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    return type && getStaticLayout(type) && isa<BlockArgument>(operand.get()) &&
           op.getMatchingIndexingMap(&operand).isProjectedPermutation();
  });
  return isLinear && !loads ? op : linalg::GenericOp();
}

int64_t rt::countReducedRows(linalg::GenericOp op) {
  // Of fewer rows there are too few blocks, and a shorter one is too little for
  // the threads of a block.
  constexpr int64_t kMinRows = 256, kMinElements = 256;
  if (op.getNumParallelLoops() != 1 || op.getNumReductionLoops() == 0 ||
      !canCombine(op))
    return 0;
  LoopNest nest = *buildLoopNest(op);
  int64_t elements = 1;
  for (const NestLoop &loop : ArrayRef(nest.loops).drop_front())
    elements *= loop.extent;
  if (nest.loops.front().isReduction || elements < kMinElements ||
      nest.loops.front().extent < kMinRows)
    return 0;
  for (const NestOperand &operand : nest.operands)
    for (int64_t stride : ArrayRef(operand.strides).drop_front())
      if (operand.strides.front() != 0 && stride >= operand.strides.front())
        return 0;
  return nest.loops.front().extent;
}

/// The loops of an operation that are those over so many rows, and others: the
/// first one becomes two if it is longer. Nothing if that is not so.
static std::optional<LoopNest> findRows(linalg::GenericOp op, int64_t rows) {
  LoopNest nest = *buildLoopNest(op);
  if (nest.loops.empty())
    return std::nullopt;
  NestLoop &first = nest.loops.front();
  int64_t length = first.extent / rows;
  if (first.isReduction || first.extent % rows != 0 || length == 0)
    return std::nullopt;
  if (length > 1) {
    if (first.readsIndex)
      return std::nullopt;
    first.extent = rows;
    NestLoop second;
    second.extent = length;
    nest.loops.insert(nest.loops.begin() + 1, second);
    for (NestOperand &operand : nest.operands) {
      int64_t stride = operand.strides.front();
      operand.strides.front() = stride * length;
      operand.strides.insert(operand.strides.begin() + 1, stride);
    }
  }
  if (op.getNumReductionLoops() > 0 && countReducedRows(op) != rows)
    return std::nullopt;
  // What a row makes is its own.
  for (const NestOperand &operand : nest.operands)
    if (operand.offset != 0 ||
        (op.isDpsInit(operand.operand) && operand.strides.front() == 0))
      return std::nullopt;
  return nest;
}

static std::optional<Access> findAccess(Value memref, bool isWritten) {
  auto type = cast<MemRefType>(memref.getType());
  FailureOr<BufferAddress> address = resolveBufferAddress(memref);
  if (failed(address))
    return std::nullopt;
  Access access;
  access.root = address->root;
  access.bytes = AccessPattern::get(type, address->bytes,
                                    getElementBytes(type.getElementType()));
  access.isWritten = isWritten;
  while (auto cast = memref.getDefiningOp<memref::ReinterpretCastOp>())
    memref = cast.getSource();
  if (auto view = memref.getDefiningOp<memref::ViewOp>())
    if (auto place = view->getAttrOfType<DenseI64ArrayAttr>(kBufferAttr))
      access.buffer = place[0];
  return access;
}

std::optional<SmallVector<Access>> rt::findAccesses(Operation *call) {
  auto runtimeCall = dyn_cast<RuntimeCallOpInterface>(call);
  if (!runtimeCall)
    return std::nullopt;
  unsigned inputs =
      call->getNumOperands() - runtimeCall.getWrittenOperands().size();
  SmallVector<Access> accesses;
  for (auto [number, operand] : llvm::enumerate(call->getOperands())) {
    std::optional<Access> access =
        isa<MemRefType>(operand.getType())
            ? findAccess(operand, /*isWritten=*/number >= inputs)
            : std::nullopt;
    if (!access)
      return std::nullopt;
    accesses.push_back(std::move(*access));
  }
  return accesses;
}

std::optional<RowLaunch> rt::findRowLaunch(LaunchOp launch,
                                           linalg::GenericOp op, int64_t rows) {
  std::optional<LoopNest> nest = findRows(op, rows);
  std::optional<SmallVector<Access>> accesses = findAccesses(launch);
  if (!nest || !accesses)
    return std::nullopt;
  RowLaunch found;
  found.launch = launch;
  found.op = op;
  found.isSplit = nest->loops.size() != op.getNumLoops();
  found.nest = std::move(*nest);
  found.accesses = std::move(*accesses);
  found.types.resize(launch.getBuffers().size());
  for (const NestOperand &operand : found.nest.operands) {
    auto argument = cast<BlockArgument>(operand.operand->get());
    MemRefType &type = found.types[argument.getArgNumber() - kFirstBuffer];
    MemRefType seen = operand.getType(found.nest.loops);
    if (type && type != seen)
      return std::nullopt;
    type = seen;
  }
  if (llvm::is_contained(found.types, MemRefType()))
    return std::nullopt;
  return found;
}
