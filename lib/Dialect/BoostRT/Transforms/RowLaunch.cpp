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

/// Returns the loops in another order.
static LoopNest permute(const LoopNest &nest, ArrayRef<int64_t> order) {
  LoopNest permuted;
  for (int64_t loop : order)
    permuted.loops.push_back(nest.loops[loop]);
  for (const NestOperand &operand : nest.operands) {
    NestOperand &copy = permuted.operands.emplace_back(operand);
    for (auto [stride, loop] : llvm::zip_equal(copy.strides, order))
      stride = operand.strides[loop];
  }
  return permuted;
}

/// Returns the loop over results whose iterations are chunks of those of the
/// reduced loop in every input, or -1.
static int64_t findChunkLoop(const LoopNest &nest, int64_t reduced,
                             unsigned numInputs) {
  int64_t length = nest.loops[reduced].extent;
  for (auto [position, loop] : llvm::enumerate(nest.loops)) {
    bool areChunks = !loop.isReduction, isRead = false;
    for (const NestOperand &input :
         ArrayRef(nest.operands).take_front(numInputs)) {
      areChunks &= input.strides[position] == input.strides[reduced] * length;
      isRead |= input.strides[reduced] != 0;
    }
    if (areChunks && isRead)
      return static_cast<int64_t>(position);
  }
  return -1;
}

std::optional<ColumnSum> rt::findColumnSum(linalg::GenericOp op) {
  // Of fewer chunks there are too few blocks; a thread keeps its share of the
  // sums of longer rows in too many registers.
  constexpr int64_t kMinChunks = 256, kMinColumns = 256, kMaxColumns = 8192;
  if (op.getNumReductionLoops() != 1 || !canCombine(op))
    return std::nullopt;
  LoopNest nest = *buildLoopNest(op);
  unsigned numInputs = op.getNumDpsInputs();
  int64_t reduced = std::distance(
      nest.loops.begin(), llvm::find_if(nest.loops, [](const NestLoop &loop) {
        return loop.isReduction;
      }));
  int64_t chunk = findChunkLoop(nest, reduced, numInputs);
  if (chunk < 0)
    return std::nullopt;
  SmallVector<int64_t> order = {chunk, reduced};
  int64_t columns = 1;
  for (auto [position, loop] : llvm::enumerate(nest.loops)) {
    if (loop.readsIndex)
      return std::nullopt;
    if (llvm::is_contained(order, static_cast<int64_t>(position)))
      continue;
    order.push_back(static_cast<int64_t>(position));
    columns *= loop.extent;
  }
  ColumnSum sum;
  sum.nest = permute(nest, order);
  sum.chunks = nest.loops[chunk].extent;
  sum.rows = sum.chunks * nest.loops[reduced].extent;
  if (sum.chunks < kMinChunks || columns < kMinColumns || columns > kMaxColumns)
    return std::nullopt;
  // Elements of a row lie closer together than rows do.
  for (const NestOperand &operand :
       ArrayRef(sum.nest.operands).take_front(numInputs))
    for (int64_t stride : ArrayRef(operand.strides).drop_front(2))
      if (operand.strides[1] != 0 && stride >= operand.strides[1])
        return std::nullopt;
  return sum;
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

/// Sets the types of the buffers as the loops see them. Fails if two operands
/// see one differently, or if there is a buffer that no operand is.
static LogicalResult setTypes(RowLaunch &launch, const LoopNest &nest) {
  launch.types.assign(launch.accesses.size(), MemRefType());
  for (const NestOperand &operand : nest.operands) {
    auto argument = cast<BlockArgument>(operand.operand->get());
    MemRefType &type = launch.types[argument.getArgNumber() - kFirstBuffer];
    MemRefType seen = operand.getType(nest.loops);
    if (type && type != seen)
      return failure();
    type = seen;
  }
  return success(!llvm::is_contained(launch.types, MemRefType()));
}

/// The loops of a sum of columns with one loop over rows, as other operations
/// have it. The sums, of which each chunk has its own, keep that over chunks.
static LoopNest joinChunks(const LoopNest &nest, unsigned numInputs) {
  LoopNest rows = nest;
  rows.loops[1].extent *= nest.loops[0].extent;
  for (NestOperand &input :
       MutableArrayRef(rows.operands).take_front(numInputs))
    input.strides[0] = 0;
  return rows;
}

std::optional<RowLaunch> rt::findRowLaunch(LaunchOp launch,
                                           linalg::GenericOp op, int64_t rows) {
  std::optional<SmallVector<Access>> accesses = findAccesses(launch);
  if (!accesses)
    return std::nullopt;
  RowLaunch found;
  found.launch = launch;
  found.op = op;
  found.accesses = std::move(*accesses);
  if (std::optional<ColumnSum> sum = findColumnSum(op);
      sum && sum->rows == rows) {
    found.nest = std::move(sum->nest);
    found.chunks = sum->chunks;
    if (failed(setTypes(found, joinChunks(found.nest, op.getNumDpsInputs()))))
      return std::nullopt;
    return found;
  }
  std::optional<LoopNest> nest = findRows(op, rows);
  if (!nest)
    return std::nullopt;
  found.nest = std::move(*nest);
  if (failed(setTypes(found, found.nest)))
    return std::nullopt;
  return found;
}

void rt::divideIntoChunks(RowLaunch &launch, int64_t chunks) {
  if (launch.chunks == 0) {
    NestLoop &first = launch.nest.loops.front();
    NestLoop second = first;
    second.extent = first.extent / chunks;
    first.extent = chunks;
    launch.nest.loops.insert(launch.nest.loops.begin() + 1, second);
    for (NestOperand &operand : launch.nest.operands) {
      int64_t stride = operand.strides.front();
      operand.strides.front() = stride * second.extent;
      operand.strides.insert(operand.strides.begin() + 1, stride);
    }
  }
  // Loops of more steps are seen alike where those of fewer were.
  [[maybe_unused]] LogicalResult set = setTypes(launch, launch.nest);
  assert(succeeded(set) && "buffers that were seen alike are so in chunks");
}
