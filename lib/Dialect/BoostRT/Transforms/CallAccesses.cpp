//===- CallAccesses.cpp - What a call of the runtime touches --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of boostrt-outline-kernels touch all of what their arguments
// describe.
//
//===----------------------------------------------------------------------===//

#include "CallAccesses.h"
#include "Utils.h"

#include "boost-mlir/Dialect/BoostRT/Utils/Combiner.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::rt;

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

namespace {
/// Looks at one kernel.
class KernelReader {
public:
  explicit KernelReader(func::FuncOp kernel) : kernel(kernel) {
    accesses.isRead.assign(kernel.getNumArguments() - 2, false);
  }
  FailureOr<KernelAccesses> read();

private:
  LogicalResult readGeneric(linalg::GenericOp op);
  void findReplaced();
  LogicalResult verifyRows(linalg::GenericOp op);
  bool walksAll(linalg::GenericOp op, OpOperand &operand);
  std::optional<unsigned> findBuffer(Value value);
  bool isNoAlias(unsigned buffer) {
    return kernel.getArgAttr(
               buffer + 2, LLVM::LLVMDialect::getNoAliasAttrName()) != nullptr;
  }

  func::FuncOp kernel;
  KernelAccesses accesses;
  /// Buffers of which an operation has written all.
  llvm::SmallDenseSet<unsigned> filled;
};
} // namespace

static bool isWritten(func::FuncOp kernel, Value buffer) {
  return llvm::any_of(kernel.getOps<linalg::GenericOp>(),
                      [&](linalg::GenericOp op) {
                        return llvm::is_contained(op.getDpsInits(), buffer);
                      });
}

static bool isAccessed(linalg::GenericOp op, Value buffer) {
  return llvm::is_contained(op->getOperands(), buffer);
}

/// Checks that an operation of a kernel of several computes each row from that
/// row alone. If the kernel sums columns, rows are those of a chunk, and
/// nothing else accesses the sums.
LogicalResult KernelReader::verifyRows(linalg::GenericOp op) {
  auto extent = kernel->getAttrOfType<IntegerAttr>(kExtentAttr);
  bool isByRows =
      extent && op.getNumLoops() > 0 &&
      op.getStaticLoopRanges().front() == extent.getInt() &&
      linalg::isParallelIterator(op.getIteratorTypesArray().front());
  auto operations = kernel.getOps<linalg::GenericOp>();
  unsigned rowLoops = llvm::any_of(operations, sumsColumns) ? 2 : 1;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isWritten(kernel, operand.get()))
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    bool isSum = sumsColumns(op) && op.isDpsInit(&operand);
    unsigned loops = isSum ? 1 : rowLoops;
    isByRows &= map.getNumResults() >= loops && map.isProjectedPermutation();
    for (unsigned loop = 0; isByRows && loop < loops; ++loop)
      isByRows = map.getDimPosition(loop) == loop;
    if (isSum)
      isByRows &= llvm::all_of(operations, [&](linalg::GenericOp other) {
        return other == op || !isAccessed(other, operand.get());
      });
  }
  if (isByRows)
    return success();
  return op.emitOpError("expects to share rows with the other operations of "
                        "the kernel, as boostrt-join-row-kernels makes them");
}

std::optional<unsigned> KernelReader::findBuffer(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != &kernel.front() ||
      !isa<MemRefType>(argument.getType()))
    return std::nullopt;
  return argument.getArgNumber() - 2;
}

/// Returns true if the loops visit every element that the operand's type
/// describes.
bool KernelReader::walksAll(linalg::GenericOp op, OpOperand &operand) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  if (!map.isProjectedPermutation())
    return false;
  SmallVector<int64_t> loops = op.getStaticLoopRanges();
  ArrayRef<int64_t> shape =
      cast<MemRefType>(operand.get().getType()).getShape();
  return llvm::all_of(llvm::enumerate(shape), [&](auto dim) {
    return dim.value() == loops[map.getDimPosition(dim.index())];
  });
}

LogicalResult KernelReader::readGeneric(linalg::GenericOp op) {
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    std::optional<unsigned> buffer = findBuffer(operand.get());
    if (!buffer || !walksAll(op, operand))
      return op.emitOpError("expects loops over all elements of the kernel's "
                            "buffers, as boostrt-outline-kernels makes them");
    if (op.payloadUsesValueFromOperand(&operand) && !filled.contains(*buffer))
      accesses.isRead[*buffer] = true;
  }
  for (OpOperand *input : op.getDpsInputOperands())
    for (OpOperand &out : op.getDpsInitsMutable()) {
      std::optional<unsigned> from = findBuffer(input->get());
      if (!from)
        continue;
      unsigned to = *findBuffer(out.get());
      if (canWriteOver(op, *input, out))
        accesses.inPlace.insert({*from, to});
      else if (*from == to)
        return op.emitOpError("expects elements that are read where they are "
                              "written, but reads others of the same buffer");
    }
  op.walk([&](memref::LoadOp load) {
    if (std::optional<unsigned> buffer = findBuffer(load.getMemref())) {
      accesses.isRead[*buffer] = true;
      for (unsigned out = 0; out < accesses.isRead.size(); ++out)
        accesses.inPlace.erase({*buffer, out});
    }
  });
  return success();
}

/// Finds outputs that may replace inputs row by row: an operation may overwrite
/// an input that only earlier operations read.
void KernelReader::findReplaced() {
  ArrayRef<Type> types = kernel.getArgumentTypes().drop_front(2);
  for (unsigned from = 0; from < types.size(); ++from)
    for (unsigned to = 0; to < types.size(); ++to) {
      if (from == to || types[from] != types[to])
        continue;
      bool isWritten = false, isAllowed = true;
      for (auto op : kernel.getOps<linalg::GenericOp>()) {
        auto isBuffer = [&](Value value, unsigned buffer) {
          return value == kernel.getArgument(buffer + 2);
        };
        bool reads = llvm::any_of(
            op.getInputs(), [&](Value input) { return isBuffer(input, from); });
        bool writes = llvm::any_of(
            op.getDpsInits(), [&](Value out) { return isBuffer(out, to); });
        bool isLate =
            isWritten || (writes && !accesses.inPlace.contains({from, to}));
        isAllowed &= !reads || !isLate;
        isWritten |= writes;
      }
      if (!isAllowed)
        accesses.inPlace.erase({from, to});
      else if (isWritten)
        accesses.inPlace.insert({from, to});
    }
}

FailureOr<KernelAccesses> KernelReader::read() {
  bool isJoined = llvm::range_size(kernel.getOps<linalg::GenericOp>()) > 1;
  for (Operation &op : kernel.front()) {
    if (isa<arith::ConstantOp, func::ReturnOp>(op))
      continue;
    if (auto fill = dyn_cast<linalg::FillOp>(op)) {
      if (std::optional<unsigned> buffer = findBuffer(fill.output())) {
        filled.insert(*buffer);
        continue;
      }
    }
    if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
      if (failed(readGeneric(generic)) ||
          (isJoined && failed(verifyRows(generic))))
        return failure();
      for (Value out : generic.getDpsInits())
        filled.insert(*findBuffer(out));
      continue;
    }
    // Loops that are written out: the record of a call says what its outs held.
    if (isa<scf::ForOp>(op)) {
      accesses.isRead.assign(accesses.isRead.size(), true);
      continue;
    }
    return op.emitOpError(
        "is not expected in a kernel of boostrt-outline-kernels");
  }
  if (isJoined)
    findReplaced();
  // Buffers that are declared not to overlap are not written in place.
  for (unsigned a = 0; a < accesses.isRead.size(); ++a)
    for (unsigned b = 0; b < accesses.isRead.size(); ++b)
      if (isNoAlias(a) || isNoAlias(b))
        accesses.inPlace.erase({a, b});
  return accesses;
}

const KernelAccesses *CallAccesses::getKernel(LaunchOp launch) {
  auto [it, isNew] = kernels.try_emplace(launch.getKernelAttr());
  if (isNew) {
    auto kernel = symbols.lookup<func::FuncOp>(launch.getKernel());
    if (!kernel || kernel.isDeclaration()) {
      launch.emitOpError("expects a kernel with a body; run "
                         "boost-verify-runtime before "
                         "convert-kernels-to-llvm");
      return nullptr;
    }
    if (FailureOr<KernelAccesses> read = KernelReader(kernel).read();
        succeeded(read))
      it->second = std::move(*read);
  }
  return it->second ? &*it->second : nullptr;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static int64_t getWidth(Value memref) {
  return getElementBytes(getElementTypeOrSelf(memref.getType()));
}

/// The matrices of one input of a product.
static AccessPattern getMatrices(Value memref,
                                 std::optional<ArrayRef<int64_t>> layout,
                                 int64_t batch, int64_t rows, int64_t columns) {
  int64_t width = getWidth(memref);
  if (!layout)
    return AccessPattern::get(cast<MemRefType>(memref.getType()), 0, width);
  return AccessPattern((*layout)[0] * width, {batch, rows, columns},
                       {(*layout)[1] * width, (*layout)[2] * width, width},
                       width);
}

/// Returns the accesses of operand `number`: those of the layout for inputs of
/// a product, all bytes for other operands.
static AccessPattern getBytes(Operation *call, unsigned number) {
  Value memref = call->getOperand(number);
  auto gemm = dyn_cast<GemmOp>(call);
  int64_t width = getWidth(memref);
  if (!gemm || number > 1)
    return AccessPattern::get(cast<MemRefType>(memref.getType()), 0, width);
  int64_t m = gemm.getM(), n = gemm.getN(), k = gemm.getK();
  bool ta = gemm.getTransposeA(), tb = gemm.getTransposeB();
  if (number == 0)
    return getMatrices(memref, gemm.getLayoutA(), gemm.getBatch(), ta ? k : m,
                       ta ? m : k);
  return getMatrices(memref, gemm.getLayoutB(), gemm.getBatch(), tb ? n : k,
                     tb ? k : n);
}

FailureOr<SmallVector<OperandAccess>>
CallAccesses::get(RuntimeCallOpInterface call) {
  auto launch = dyn_cast<LaunchOp>(call.getOperation());
  const KernelAccesses *kernel = launch ? getKernel(launch) : nullptr;
  if (launch && !kernel)
    return failure();
  unsigned firstOut = call->getNumOperands() - call.getWrittenOperands().size();
  SmallVector<OperandAccess> accesses;
  for (OpOperand &operand : call->getOpOperands()) {
    unsigned number = operand.getOperandNumber();
    OperandAccess access;
    access.bytes = getBytes(call, number);
    access.isWritten = number >= firstOut;
    access.isRead = kernel ? kernel->isRead[number]
                           : !access.isWritten || call.readsWritten(operand);
    accesses.push_back(std::move(access));
  }
  return accesses;
}

bool CallAccesses::isInPlace(Operation *call, unsigned input, unsigned out) {
  auto launch = dyn_cast<LaunchOp>(call);
  const KernelAccesses *kernel = launch ? getKernel(launch) : nullptr;
  return kernel && kernel->inPlace.contains({input, out});
}
