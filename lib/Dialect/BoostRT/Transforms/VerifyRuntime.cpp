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

#include "boost-mlir/Dialect/Boost/IR/Boost.h"
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
      isa<shard::GridOp, ScheduleOp, boost::CallOp, TransferOp>(op);
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
  int64_t arenaBytes = 0;
  SmallVector<PlannedBuffer> buffers;
  std::optional<ArenaState> state;
  /// The buffer of every operand of the call that is looked at, or -1 for a
  /// constant.
  SmallVector<int64_t> operandBuffers;
};

} // namespace

/// Reads the arena, the buffers and the arguments.
LogicalResult FunctionVerifier::readPlan() {
  auto arena = function.getNumArguments() == 1 && function.getNumResults() == 0
                   ? dyn_cast<MemRefType>(function.getArgumentTypes().front())
                   : MemRefType();
  if (!arena || arena.getRank() != 1 || !arena.hasStaticShape() ||
      !arena.getElementType().isInteger(8) || !function.getBody().hasOneBlock())
    return function.emitOpError(
        "expects the arena as its only argument, no result and one block; run "
        "boostrt-plan-memory");
  arenaBytes = arena.getDimSize(0);
  auto table = function->getAttrOfType<ArrayAttr>(kBuffersAttr);
  auto arguments = function->getAttrOfType<DenseI64ArrayAttr>(kArgumentsAttr);
  if (!table || !arguments)
    return function.emitOpError()
           << "expects the memory plan in '" << kBuffersAttr << "' and '"
           << kArgumentsAttr << "'; run boostrt-plan-memory";
  for (auto [number, entry] :
       llvm::enumerate(table.getAsRange<DenseI64ArrayAttr>())) {
    PlannedBuffer buffer;
    bool isPair = entry.size() == 2;
    if (isPair) {
      buffer.offset = entry[0];
      buffer.bytes = entry[1];
    }
    if (!isPair || buffer.offset < 0 || buffer.bytes < 0 ||
        buffer.offset > arenaBytes || buffer.bytes > arenaBytes - buffer.offset)
      return function.emitOpError()
             << "expects buffer " << number << " inside the arena of "
             << arenaBytes << " bytes, but got " << entry;
    if (buffer.offset % alignment != 0)
      return function.emitOpError()
             << "expects buffer " << number << " at a multiple of " << alignment
             << " bytes, but got " << buffer.offset;
    buffers.push_back(buffer);
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
  if (view.getSource() != function.getArgument(0) || !place ||
      place.size() != 2 || !type.hasStaticShape() ||
      !matchPattern(view.getByteShift(), m_Constant(&shift)))
    return view.emitOpError()
           << "expects a constant place in the arena and the buffer there in '"
           << kBufferAttr << "'; run boostrt-plan-memory";
  int64_t number = place[0], begin = place[1];
  if (number < 0 || number >= static_cast<int64_t>(buffers.size()))
    return view.emitOpError() << "expects a buffer in [0, " << buffers.size()
                              << "), but got " << number;
  const PlannedBuffer &buffer = buffers[number];
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

/// Finds the buffer of an operand and where in the arena the access is.
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

/// Tensors that stay in the arena from one call to the next: the arguments of
/// all functions.
class KeptTensors {
public:
  /// Adds the arguments of a function. Two tensors are the same or apart.
  LogicalResult add(func::FuncOp function, ArrayRef<PlannedBuffer> buffers) {
    for (const PlannedBuffer &buffer : buffers) {
      if (!buffer.isArgument || buffer.bytes == 0)
        continue;
      auto known = kept.find(buffer.offset);
      if (known != kept.end() && known->second == buffer.bytes)
        continue;
      if (failed(expectApart(function, buffer)))
        return failure();
      kept.emplace(buffer.offset, buffer.bytes);
    }
    return success();
  }

  /// No function writes over what another one keeps.
  LogicalResult verify(func::FuncOp function,
                       ArrayRef<PlannedBuffer> buffers) const {
    for (const PlannedBuffer &buffer : buffers)
      if (!buffer.isArgument && buffer.bytes > 0 &&
          failed(expectApart(function, buffer)))
        return failure();
    return success();
  }

private:
  LogicalResult expectApart(func::FuncOp function,
                            const PlannedBuffer &buffer) const {
    auto it = kept.lower_bound(buffer.offset);
    if (it != kept.begin()) {
      auto previous = std::prev(it);
      if (previous->first + previous->second > buffer.offset)
        it = previous;
    }
    if (it == kept.end() || it->first >= buffer.offset + buffer.bytes)
      return success();
    return function.emitOpError()
           << "expects buffers that share no memory with tensors that stay, "
              "but bytes ["
           << buffer.offset << ", " << buffer.offset + buffer.bytes
           << ") overlap [" << it->first << ", " << it->first + it->second
           << ")";
  }

  /// Bytes by offset.
  std::map<int64_t, int64_t> kept;
};

/// The workspace of calls lies in the arena, apart from all buffers, and is
/// large enough for each.
class WorkspaceVerifier {
public:
  WorkspaceVerifier(ModuleOp module, int64_t alignment)
      : module(module), alignment(alignment) {}

  LogicalResult readPlan() {
    auto plan = module->getAttrOfType<DenseI64ArrayAttr>(kWorkspaceAttr);
    if (!plan)
      return success();
    if (plan.size() != 2 || plan[0] < 0 || plan[1] < 0 ||
        plan[0] % alignment != 0)
      return module.emitError()
             << "expects a workspace at a multiple of " << alignment
             << " and its bytes, but got " << plan;
    begin = plan[0];
    bytes = plan[1];
    return success();
  }

  LogicalResult verify(func::FuncOp function,
                       ArrayRef<PlannedBuffer> buffers) const {
    int64_t arena =
        cast<MemRefType>(function.getArgumentTypes().front()).getDimSize(0);
    if (begin > arena || bytes > arena - begin)
      return function.emitOpError()
             << "expects the workspace of calls inside the arena of " << arena
             << " bytes, but got [" << begin << ", " << begin + bytes << ")";
    for (auto [number, buffer] : llvm::enumerate(buffers))
      if (buffer.bytes > 0 && buffer.offset < begin + bytes &&
          begin < buffer.offset + buffer.bytes)
        return function.emitOpError()
               << "expects buffers apart from the workspace of calls in ["
               << begin << ", " << begin + bytes << "), but buffer " << number
               << " begins at " << buffer.offset;
    for (Operation &op : function.front())
      if (auto needed = op.getAttrOfType<IntegerAttr>(kWorkspaceBytesAttr);
          needed && needed.getInt() > bytes)
        return op.emitOpError()
               << "expects a workspace of " << needed.getInt()
               << " bytes, but the program has one of " << bytes;
    return success();
  }

private:
  ModuleOp module;
  int64_t alignment, begin = 0, bytes = 0;
};

struct VerifyRuntimePass
    : boost::rt::impl::VerifyRuntimePassBase<VerifyRuntimePass> {
  using VerifyRuntimePassBase::VerifyRuntimePassBase;

  LogicalResult verify(ModuleOp module) {
    if (alignment < 1)
      return module.emitError("expects an alignment of at least 1, but got ")
             << alignment.getValue();
    if (failed(verifyOperations(module)) || failed(verifyCollectives(module)))
      return failure();
    WorkspaceVerifier workspace(module, alignment);
    if (failed(workspace.readPlan()))
      return failure();
    CallAccesses calls(module);
    PatternRelations relations;
    KeptTensors kept;
    SmallVector<std::pair<func::FuncOp, SmallVector<PlannedBuffer>>> plans;
    bool isRight = true;
    for (auto function : module.getOps<func::FuncOp>()) {
      if (function->hasAttr(kKernelAttr) || function.isExternal())
        continue;
      FunctionVerifier verifier(function, calls, relations, alignment);
      isRight &= succeeded(verifier.run()) &&
                 succeeded(workspace.verify(function, verifier.getBuffers())) &&
                 succeeded(kept.add(function, verifier.getBuffers()));
      plans.emplace_back(function, verifier.getBuffers());
    }
    for (auto &[function, buffers] : plans)
      isRight = isRight && succeeded(kept.verify(function, buffers));
    return success(isRight);
  }

  void runOnOperation() override {
    if (failed(verify(getOperation())))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace
