//===- VerifyRuntime.cpp - What holds at the runtime level ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements boost-verify-runtime: which operations there are, where their
// buffers lie, in which order they are written and read, and which collectives
// there are.
//
//===----------------------------------------------------------------------===//

#include "ArenaState.h"
#include "CallAccesses.h"
#include "RuntimeCollectives.h"
#include "StageVerifier.h"

#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "boost-mlir/Dialect/Boost/IR/Choice.h"
#include "boost-mlir/Dialect/BoostRT/IR/StridedLayout.h"
#include "boost-mlir/Dialect/BoostRT/Transforms/Passes.h"
#include "boost-mlir/Dialect/BoostRT/Utils/BufferAddress.h"
#include "boost-mlir/Support/TensorTypes.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/IR/Matchers.h"

namespace mlir::boost::rt {
#define GEN_PASS_DEF_VERIFYRUNTIMEPASS
#include "boost-mlir/Dialect/BoostRT/Transforms/Passes.h.inc"
} // namespace mlir::boost::rt

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::rt;

//===----------------------------------------------------------------------===//
// Which operations there are
//===----------------------------------------------------------------------===//

static bool isInKernel(Operation *op) {
  auto function = op->getParentOfType<func::FuncOp>();
  return function && function->hasAttr(kKernelAttr);
}

/// The pass that should have removed the operation, or nothing if it is legal.
static StringRef findResponsiblePass(Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace();
  if (dialect == "stablehlo" || dialect == "chlo")
    return "convert-stablehlo-to-linalg";
  bool describes =
      isa<shard::GridOp, ScheduleOp, boost::CallOp, ChooseOp, TransferOp>(op);
  if (!describes && (dialect == "boost" || dialect == "shard"))
    return "convert-boost-to-runtime";
  auto isTensor = llvm::IsaPred<TensorType>;
  bool onTensors = llvm::any_of(op->getOperandTypes(), isTensor) ||
                   llvm::any_of(op->getResultTypes(), isTensor);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      onTensors |= llvm::any_of(block.getArgumentTypes(), isTensor);
  if (onTensors)
    return "boostrt-bufferize";
  if (isa<memref::AllocOp>(op))
    return "boostrt-plan-memory";
  if ((isa<linalg::LinalgOp, memref::CopyOp>(op) && !isInKernel(op)) ||
      isa<RowsOp>(op))
    return "boostrt-outline-kernels";
  return "";
}

static LogicalResult verifyOperations(ModuleOp module) {
  bool isLegal = true;
  module.walk([&](Operation *op) {
    StringRef pass = findResponsiblePass(op);
    if (pass.empty())
      return;
    op->emitOpError("is not an operation of the runtime level; ")
        << pass << " should have removed it";
    isLegal = false;
  });
  return success(isLegal);
}

//===----------------------------------------------------------------------===//
// Where buffers lie, and what they hold
//===----------------------------------------------------------------------===//

namespace {

/// Checks one function.
class FunctionVerifier {
public:
  FunctionVerifier(func::FuncOp function, CallAccesses &calls,
                   PatternRelations &relations, int64_t alignment)
      : function(function), calls(calls), relations(relations),
        alignment(alignment) {}

  LogicalResult run();
  ArrayRef<PlannedBuffer> getBuffers() const { return buffers; }

private:
  LogicalResult readPlan();
  LogicalResult readMemory();
  FailureOr<PlannedBuffer> readBuffer(size_t number, DenseI64ArrayAttr entry);
  LogicalResult verifyView(memref::ViewOp view);
  LogicalResult verifyCast(memref::ReinterpretCastOp cast);
  LogicalResult verifyCall(RuntimeCallOpInterface call);
  LogicalResult verifyOverlaps(Operation *call,
                               ArrayRef<OperandAccess> accesses);
  LogicalResult verifyResults(Operation *end);
  FailureOr<DenseI64ArrayAttr> getRecord(Operation *call, StringRef name,
                                         size_t position, size_t count);
  LogicalResult locate(Operation *call, unsigned number, OperandAccess &access);

  func::FuncOp function;
  CallAccesses &calls;
  PatternRelations &relations;
  int64_t alignment;
  /// Bytes of the arena and, if the function is given one, of a slot of the
  /// stash.
  int64_t arenaBytes = 0;
  std::optional<int64_t> slotBytes;
  SmallVector<PlannedBuffer> buffers;
  std::optional<ArenaState> state;
  /// The buffer of every operand of the call that is looked at, or -1 for a
  /// constant.
  SmallVector<int64_t> operandBuffers;
};

} // namespace

/// Reads the sizes of what the function is given.
LogicalResult FunctionVerifier::readMemory() {
  SmallVector<int64_t, 2> sizes;
  for (Type each : function.getArgumentTypes()) {
    auto type = dyn_cast<MemRefType>(each);
    if (type && type.getRank() == 1 && type.hasStaticShape() &&
        type.getElementType().isInteger(8))
      sizes.push_back(type.getDimSize(0));
  }
  unsigned count = function.getNumArguments();
  if (sizes.size() != count || count < 1 || count > 2 ||
      function.getNumResults() != 0 || !function.getBody().hasOneBlock())
    return function.emitOpError(
        "expects the arena, and a slot of the stash or nothing, as arguments, "
        "no result and one block; run boostrt-plan-memory");
  arenaBytes = sizes.front();
  if (count == 2)
    slotBytes = sizes.back();
  return success();
}

FailureOr<PlannedBuffer> FunctionVerifier::readBuffer(size_t number,
                                                      DenseI64ArrayAttr entry) {
  PlannedBuffer buffer;
  buffer.isInStash =
      slotBytes && entry.size() == 3 && entry[2] == kStashArgument;
  bool isBuffer = entry.size() == 2 || buffer.isInStash;
  int64_t room = buffer.isInStash ? *slotBytes : arenaBytes;
  if (isBuffer) {
    buffer.offset = entry[0];
    buffer.bytes = entry[1];
  }
  if (buffer.isInStash)
    buffer.base = arenaBytes;
  if (!isBuffer || buffer.offset < 0 || buffer.bytes < 0 ||
      buffer.offset > room || buffer.bytes > room - buffer.offset)
    return function.emitOpError()
           << "expects buffer " << number << " inside the "
           << (buffer.isInStash ? "slot" : "arena") << " of " << room
           << " bytes, but got " << entry;
  if (buffer.offset % alignment != 0)
    return function.emitOpError()
           << "expects buffer " << number << " at a multiple of " << alignment
           << " bytes, but got " << buffer.offset;
  return buffer;
}

/// Reads the arena, the buffers and the arguments.
LogicalResult FunctionVerifier::readPlan() {
  if (failed(readMemory()))
    return failure();
  auto table = function->getAttrOfType<ArrayAttr>(kBuffersAttr);
  auto arguments = function->getAttrOfType<DenseI64ArrayAttr>(kArgumentsAttr);
  if (!table || !arguments)
    return function.emitOpError()
           << "expects the memory plan in '" << kBuffersAttr << "' and '"
           << kArgumentsAttr << "'; run boostrt-plan-memory";
  for (auto [number, entry] :
       llvm::enumerate(table.getAsRange<DenseI64ArrayAttr>())) {
    FailureOr<PlannedBuffer> buffer = readBuffer(number, entry);
    if (failed(buffer))
      return failure();
    buffers.push_back(*buffer);
  }
  auto count = static_cast<int64_t>(buffers.size());
  for (int64_t argument : arguments.asArrayRef()) {
    if (argument < 0 || argument >= count)
      return function.emitOpError() << "expects arguments in [0, " << count
                                    << "), but got " << argument;
    buffers[argument].isArgument = true;
  }
  return success();
}

/// The address, and the place in the buffer, say the same.
LogicalResult FunctionVerifier::verifyView(memref::ViewOp view) {
  IntegerAttr shift;
  auto place = view->getAttrOfType<DenseI64ArrayAttr>(kBufferAttr);
  auto type = cast<MemRefType>(view.getType());
  if (!isa<BlockArgument>(view.getSource()) || !place || place.size() != 2 ||
      !type.hasStaticShape() ||
      !matchPattern(view.getByteShift(), m_Constant(&shift)))
    return view.emitOpError()
           << "expects a constant place in the arena or the stash and the "
              "buffer there in '"
           << kBufferAttr << "'; run boostrt-plan-memory";
  int64_t number = place[0], begin = place[1];
  if (number < 0 || number >= static_cast<int64_t>(buffers.size()))
    return view.emitOpError() << "expects a buffer in [0, " << buffers.size()
                              << "), but got " << number;
  const PlannedBuffer &buffer = buffers[number];
  bool isOfStash = view.getSource() != function.getArgument(0);
  if (isOfStash != buffer.isInStash)
    return view.emitOpError()
           << "expects a view of the " << (buffer.isInStash ? "stash" : "arena")
           << ", where buffer " << number << " is";
  int64_t bytes = getDenseBytes(type);
  if (begin < 0 || begin > buffer.bytes || bytes > buffer.bytes - begin)
    return view.emitOpError()
           << "expects a part of the " << buffer.bytes << " bytes of buffer "
           << number << ", but got " << bytes << " bytes from byte " << begin;
  if (shift.getInt() != buffer.offset + begin)
    return view.emitOpError()
           << "expects byte " << begin << " of buffer " << number
           << " at offset " << buffer.offset + begin << ", but got "
           << shift.getInt();
  return success();
}

/// A strided view is of exactly the elements that its source has, of constants
/// of some of them.
LogicalResult FunctionVerifier::verifyCast(memref::ReinterpretCastOp cast) {
  auto type = llvm::cast<MemRefType>(cast.getType());
  // Nothing that the runtime has makes a buffer of unknown rank.
  auto source = llvm::cast<MemRefType>(cast.getSource().getType());
  std::optional<StridedLayout> layout = getStaticLayout(type);
  if (!source.hasStaticShape() || !source.getLayout().isIdentity() || !layout)
    return cast.emitOpError("expects a static layout of a dense buffer, but "
                            "got ")
           << type;
  AccessPattern elements = AccessPattern::get(type, layout->offset);
  if (elements.isEmpty())
    return success();
  bool isConstant = cast.getSource().getDefiningOp<memref::GetGlobalOp>();
  int64_t count = source.getNumElements();
  bool isExact = elements.getBegin() == 0 && elements.getEnd() == count;
  bool isInside = elements.getBegin() >= 0 && elements.getEnd() <= count;
  if (isConstant ? isInside : isExact)
    return success();
  return cast.emitOpError()
         << "expects " << (isConstant ? "elements among" : "exactly") << " the "
         << count << " of its source, but reaches from " << elements.getBegin()
         << " to " << elements.getEnd() - 1;
}

FailureOr<DenseI64ArrayAttr> FunctionVerifier::getRecord(Operation *call,
                                                         StringRef name,
                                                         size_t position,
                                                         size_t count) {
  if (!function->hasAttr(kResultsAttr))
    return DenseI64ArrayAttr();
  auto lists = call->getAttrOfType<ArrayAttr>(name);
  if (lists && lists.size() == count)
    return cast<DenseI64ArrayAttr>(lists[position]);
  return call->emitOpError() << "expects " << count << " lists in '" << name
                             << "', as boostrt-bufferize records them";
}

/// Finds the buffer of an operand and where in arena and slot the access is.
LogicalResult FunctionVerifier::locate(Operation *call, unsigned number,
                                       OperandAccess &access) {
  Value memref = call->getOperand(number);
  FailureOr<BufferAddress> address = resolveBufferAddress(memref);
  Value source = memref;
  while (auto cast = source.getDefiningOp<memref::ReinterpretCastOp>())
    source = cast.getSource();
  auto view = source.getDefiningOp<memref::ViewOp>();
  bool isConstant = source.getDefiningOp<memref::GetGlobalOp>() != nullptr;
  if (failed(address) || (!view && !isConstant))
    return call->emitOpError("expects buffers at constant offsets of the arena "
                             "or globals; run boostrt-plan-memory");
  if (isConstant && access.isWritten)
    return call->emitOpError() << "expects operand " << number
                               << " in the arena, but it is a constant";
  operandBuffers[number] =
      isConstant ? -1 : view->getAttrOfType<DenseI64ArrayAttr>(kBufferAttr)[0];
  access.bytes.shift(address->bytes);
  if (operandBuffers[number] >= 0)
    access.bytes.shift(buffers[operandBuffers[number]].base);
  return success();
}

LogicalResult
FunctionVerifier::verifyOverlaps(Operation *call,
                                 ArrayRef<OperandAccess> accesses) {
  for (auto [out, written] : llvm::enumerate(accesses)) {
    if (!written.isWritten)
      continue;
    for (auto [other, access] : llvm::enumerate(accesses)) {
      if (other == out || operandBuffers[other] < 0 ||
          !relations.intersects(written.bytes, access.bytes))
        continue;
      if (!access.isWritten && written.bytes == access.bytes &&
          calls.isInPlace(call, other, out))
        continue;
      return call->emitOpError()
             << "expects outs that share no memory with other operands, but "
                "operands "
             << std::min(out, other) << " and " << std::max(out, other)
             << " do";
    }
  }
  return success();
}

/// A product adds to what is there if, and only if, it does so on tensors.
static LogicalResult verifyAddition(Operation *call, unsigned operand,
                                    DenseI64ArrayAttr values) {
  auto gemm = dyn_cast<GemmOp>(call);
  if (!gemm || !values || call->getOperand(operand) != gemm.getOuts() ||
      gemm.getAccumulate() != values.empty())
    return success();
  return gemm.emitOpError()
         << "expects to " << (values.empty() ? "overwrite" : "add to")
         << " its destination, as the program on tensors does";
}

/// All operands are read before any is written.
LogicalResult FunctionVerifier::verifyCall(RuntimeCallOpInterface call) {
  FailureOr<SmallVector<OperandAccess>> accesses = calls.get(call);
  if (failed(accesses))
    return failure();
  unsigned operands = call->getNumOperands();
  unsigned outs = call.getWrittenOperands().size();
  operandBuffers.assign(operands, -1);
  for (unsigned i = 0; i < operands; ++i)
    if (failed(locate(call, i, (*accesses)[i])))
      return failure();
  if (failed(verifyOverlaps(call, *accesses)))
    return failure();
  for (unsigned i = 0; i < operands; ++i) {
    FailureOr<DenseI64ArrayAttr> values =
        getRecord(call, kReadsAttr, i, operands);
    if (failed(values))
      return failure();
    if (failed(verifyAddition(call, i, *values)))
      return failure();
    if ((*accesses)[i].isRead && operandBuffers[i] >= 0 &&
        failed(state->read(call, "operand " + Twine(i), operandBuffers[i],
                           (*accesses)[i].bytes, *values)))
      return failure();
  }
  for (unsigned i = operands - outs; i < operands; ++i) {
    FailureOr<DenseI64ArrayAttr> values =
        getRecord(call, kWritesAttr, i - (operands - outs), outs);
    if (failed(values) || failed(state->write(call, operandBuffers[i],
                                              (*accesses)[i].bytes, *values)))
      return failure();
  }
  return success();
}

/// Results are where they are to be; arguments that none replaces are as they
/// were.
LogicalResult FunctionVerifier::verifyResults(Operation *end) {
  auto results = function->getAttrOfType<ArrayAttr>(kResultsAttr);
  if (!results)
    return success();
  Builder builder(function.getContext());
  llvm::DenseSet<int64_t> replaced;
  for (auto [index, result] :
       llvm::enumerate(results.getAsRange<DenseI64ArrayAttr>())) {
    int64_t number = result.empty() ? -1 : result[0];
    if (number < 0 || number >= static_cast<int64_t>(buffers.size()))
      return function.emitOpError()
             << "expects result " << index << " in a buffer in [0, "
             << buffers.size() << "), but got " << number;
    replaced.insert(number);
    auto values =
        builder.getDenseI64ArrayAttr(result.asArrayRef().drop_front());
    if (failed(state->read(end, "result " + Twine(index), number,
                           buffers[number].getBytes(), values)))
      return failure();
  }
  for (auto [index, buffer] : llvm::enumerate(buffers)) {
    auto number = static_cast<int64_t>(index);
    if (buffer.isArgument && !replaced.contains(number) &&
        failed(state->read(end, "argument " + Twine(number), number,
                           buffer.getBytes(),
                           builder.getDenseI64ArrayAttr({number}))))
      return failure();
  }
  return success();
}

LogicalResult FunctionVerifier::run() {
  if (failed(readPlan()))
    return failure();
  state.emplace(buffers, relations);
  if (failed(state->enter(function)))
    return failure();
  for (Operation &op : function.front()) {
    LogicalResult result = success();
    if (auto view = dyn_cast<memref::ViewOp>(op))
      result = verifyView(view);
    else if (auto cast = dyn_cast<memref::ReinterpretCastOp>(op))
      result = verifyCast(cast);
    else if (auto call = dyn_cast<RuntimeCallOpInterface>(op))
      result = verifyCall(call);
    else if (isa<func::ReturnOp>(op))
      result = verifyResults(&op);
    else if (!isa<arith::ConstantOp, memref::GetGlobalOp>(op))
      result = op.emitOpError("has no function in the runtime");
    if (failed(result))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

namespace {

struct VerifyRuntimePass
    : boost::rt::impl::VerifyRuntimePassBase<VerifyRuntimePass> {
  using VerifyRuntimePassBase::VerifyRuntimePassBase;

  LogicalResult verify(ModuleOp module) {
    if (alignment < 1)
      return module.emitError("expects an alignment of at least 1, but got ")
             << alignment.getValue();
    if (failed(verifyOperations(module)) || failed(verifyCollectives(module)))
      return failure();
    StagesVerifier stages(module, alignment);
    if (failed(stages.readPlan()))
      return failure();
    CallAccesses calls(module);
    PatternRelations relations;
    SmallVector<std::pair<func::FuncOp, SmallVector<PlannedBuffer>>> plans;
    bool isRight = true;
    for (auto function : module.getOps<func::FuncOp>()) {
      if (function->hasAttr(kKernelAttr) || function.isExternal())
        continue;
      FunctionVerifier verifier(function, calls, relations, alignment);
      isRight &= succeeded(verifier.run()) &&
                 succeeded(stages.add(function, verifier.getBuffers()));
      plans.emplace_back(function, verifier.getBuffers());
    }
    for (auto &[function, buffers] : plans)
      isRight = isRight && succeeded(stages.verify(function, buffers));
    return success(isRight && succeeded(stages.verifySlots()));
  }

  void runOnOperation() override {
    if (failed(verify(getOperation())))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace
