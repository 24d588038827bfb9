//===- Schedule.cpp - What the binary runs --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds, reads and verifies boost.schedule.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/Schedule.h"

#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::boost;

//===----------------------------------------------------------------------===//
// Building and reading
//===----------------------------------------------------------------------===//

SmallVector<CallOp> ScheduleOp::getCalls() {
  return llvm::to_vector(getBody().front().getOps<CallOp>());
}

ScheduleOp mlir::boost::findSchedule(ModuleOp module, StringRef name) {
  return module.lookupSymbol<ScheduleOp>(name);
}

ScheduleOp mlir::boost::findMainSchedule(ModuleOp module) {
  for (StringRef name : {kTrainSchedule, kGradientsSchedule, kEvaluateSchedule})
    if (ScheduleOp schedule = findSchedule(module, name))
      return schedule;
  return nullptr;
}

SmallVector<CalledFunction>
mlir::boost::getCalledFunctions(ScheduleOp schedule) {
  SymbolTable symbols(schedule->getParentOfType<ModuleOp>());
  llvm::MapVector<StringAttr, int64_t> counts;
  for (CallOp call : schedule.getCalls())
    ++counts[call.getCalleeAttr().getAttr()];
  SmallVector<CalledFunction> functions;
  for (auto [name, count] : counts)
    functions.push_back({symbols.lookup<FunctionOpInterface>(name), count});
  return functions;
}

static bool isOfMicroBatch(TensorAttr tensor) {
  return hasRole(tensor, TensorRole::Batch) ||
         hasRole(tensor, TensorRole::Kept);
}

bool mlir::boost::readsMicroBatch(FunctionOpInterface function) {
  return llvm::any_of(llvm::seq(function.getNumArguments()), [&](unsigned i) {
    return isOfMicroBatch(getArgTensor(function, i));
  });
}

FunctionOpInterface mlir::boost::findProbedFunction(ModuleOp module) {
  if (ScheduleOp train = findSchedule(module, kTrainSchedule)) {
    SmallVector<CalledFunction> called = getCalledFunctions(train);
    if (called.size() == 1)
      return called.front().function;
  }
  return module.lookupSymbol<FunctionOpInterface>(kGradientFunction);
}

FailureOr<SmallVector<Value>>
mlir::boost::findGradientsIn(FunctionOpInterface step,
                             FunctionOpInterface gradient) {
  llvm::StringMap<Value> arguments;
  for (BlockArgument arg : step.getArguments())
    arguments[getArgName(step, arg.getArgNumber())] = arg;
  DenseMap<Value, Value> inStep;
  for (BlockArgument arg : gradient.getArguments())
    inStep[arg] = arguments.lookup(getArgName(gradient, arg.getArgNumber()));
  auto isSame = [&](Value one, Value other) {
    return success(inStep.lookup(one) == other);
  };
  auto pair = [&](Value one, Value other) { inStep[one] = other; };
  Block::iterator next = step.front().begin(), end = step.front().end();
  for (Operation &op : gradient.front().without_terminator()) {
    while (next != end && isa<ProbeOp>(*next))
      ++next;
    if (next == end || !OperationEquivalence::isEquivalentTo(
                           &op, &*next, isSame, pair,
                           OperationEquivalence::Flags::IgnoreLocations))
      return emitError(op.getLoc())
             << "expects @" << step.getName() << " to begin with what @"
             << gradient.getName() << " computes, but it lacks this";
    ++next;
  }
  return llvm::map_to_vector(gradient.front().getTerminator()->getOperands(),
                             [&](Value value) { return inStep.lookup(value); });
}

int64_t mlir::boost::countMicroBatches(FunctionOpInterface function) {
  for (unsigned i : llvm::seq(function.getNumArguments()))
    if (auto count =
            function.getArgAttrOfType<IntegerAttr>(i, kMicroBatchesAttr))
      return count.getInt();
  return 1;
}

ScheduleOp mlir::boost::buildSchedule(OpBuilder &builder, Location loc,
                                      StringRef name, int64_t microBatches,
                                      ArrayRef<FunctionOpInterface> functions) {
  auto schedule = ScheduleOp::create(builder, loc, name, microBatches);
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&schedule.getBody());
  for (FunctionOpInterface function : functions) {
    auto call = [&](IntegerAttr microBatch) {
      CallOp::create(builder, loc,
                     FlatSymbolRefAttr::get(function.getOperation()),
                     microBatch, /*slot=*/IntegerAttr());
    };
    if (!readsMicroBatch(function))
      call({});
    else
      for (int64_t i : llvm::seq(microBatches))
        call(builder.getI64IntegerAttr(i));
  }
  return schedule;
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

LogicalResult ScheduleOp::verify() {
  if (getBody().front().empty())
    return emitOpError("expects at least one call, but got none");
  for (Operation &op : getBody().front())
    if (!isa<CallOp>(op))
      return op.emitOpError(
          "is no part of a schedule: expects boost.call only");
  return success();
}

namespace {
using Names = SmallVector<StringAttr>;

/// The tensors of a function by their role in a schedule.
struct Signature {
  bool hasMicroBatch = false;
  Names params, takenKept, givenKept;
  /// Results that replace parameters and states.
  Names replaced;
  /// Accumulators that are both arguments and results.
  Names sums;

  bool hasSlot() const { return !takenKept.empty() || !givenKept.empty(); }
};

/// Follows the calls of a schedule in their order.
class ScheduleVerifier {
public:
  ScheduleVerifier(ScheduleOp schedule, SymbolTableCollection &symbols)
      : schedule(schedule), symbols(symbols) {}

  LogicalResult run();

private:
  FailureOr<const Signature *> getSignature(CallOp call);
  LogicalResult checkPlace(CallOp call, const Signature &signature);
  LogicalResult checkMicroBatch(CallOp call);
  LogicalResult followKept(CallOp call, const Signature &signature);
  LogicalResult followSums(CallOp call, const Signature &signature);
  LogicalResult followReplaced(CallOp call, const Signature &signature);
  LogicalResult checkEnd();

  /// A value in the stash, and whether a call has read it.
  struct KeptValue {
    CallOp by;
    bool isRead = false;
  };

  ScheduleOp schedule;
  SymbolTableCollection &symbols;
  DenseMap<StringAttr, Signature> signatures;
  /// The last call of each function with a micro-batch.
  llvm::MapVector<StringAttr, CallOp> lastCalls;
  /// The value that is kept under a name in a slot.
  llvm::MapVector<std::pair<StringAttr, int64_t>, KeptValue> kept;
  /// The last call that added to an accumulator, and the call that took it.
  llvm::MapVector<StringAttr, CallOp> added;
  DenseMap<StringAttr, CallOp> taken;
  /// The call that replaced a parameter or a state.
  DenseMap<StringAttr, CallOp> replaced;
  /// The first call that read a parameter.
  llvm::MapVector<StringAttr, CallOp> read;
};
} // namespace

/// Sorts the tensors of a function by what they mean to a schedule. Fails if
/// one says not what it is; `called` is where to say so.
static FailureOr<Signature> readSignature(FunctionOpInterface function,
                                          CallOp call) {
  Signature signature;
  DenseSet<StringAttr> sums;
  for (unsigned i : llvm::seq(function.getNumArguments())) {
    TensorAttr tensor = getArgTensor(function, i);
    if (!tensor) {
      InFlightDiagnostic diag = call.emitOpError("expects '")
                                << kTensorAttr << "' on argument " << i
                                << " of @" << function.getName()
                                << ", but got none";
      diag.attachNote(function.getLoc()) << "the function is here";
      return diag;
    }
    signature.hasMicroBatch |= isOfMicroBatch(tensor);
    if (tensor.getRole() == TensorRole::Param)
      signature.params.push_back(tensor.getName());
    if (tensor.getRole() == TensorRole::Kept)
      signature.takenKept.push_back(tensor.getName());
    if (tensor.getRole() == TensorRole::Accumulator)
      sums.insert(tensor.getName());
  }
  for (unsigned i : llvm::seq(function.getNumResults())) {
    TensorAttr tensor = getResultTensor(function, i);
    if (!tensor)
      continue;
    if (tensor.getRole() == TensorRole::Kept)
      signature.givenKept.push_back(tensor.getName());
    if (tensor.getRole() == TensorRole::Param ||
        tensor.getRole() == TensorRole::State)
      signature.replaced.push_back(tensor.getName());
    if (sums.contains(tensor.getName()))
      signature.sums.push_back(tensor.getName());
  }
  return signature;
}

/// Returns what the function of a call reads and gives, or null if the module
/// is at the runtime level, where functions have no results any more.
FailureOr<const Signature *> ScheduleVerifier::getSignature(CallOp call) {
  StringAttr name = call.getCalleeAttr().getAttr();
  auto *symbol =
      symbols.lookupSymbolIn(schedule->getParentOfType<ModuleOp>(), name);
  auto function = dyn_cast_or_null<FunctionOpInterface>(symbol);
  if (!function) {
    InFlightDiagnostic diag =
        call.emitOpError("expects a function of the module, but got @")
        << name.getValue();
    if (symbol)
      diag.attachNote(symbol->getLoc()) << "@" << name.getValue() << " is here";
    return diag;
  }
  if (function->hasAttr(kInputsAttr))
    return static_cast<const Signature *>(nullptr);
  auto known = signatures.find(name);
  if (known == signatures.end()) {
    FailureOr<Signature> signature = readSignature(function, call);
    if (failed(signature))
      return failure();
    known = signatures.try_emplace(name, std::move(*signature)).first;
  }
  return &known->second;
}

/// Checks that a call has a micro-batch and a slot where its function needs
/// them.
LogicalResult ScheduleVerifier::checkPlace(CallOp call,
                                           const Signature &signature) {
  auto check = [&](StringRef what, bool has, bool needs,
                   StringRef reason) -> LogicalResult {
    if (has == needs)
      return success();
    return call.emitOpError("expects ")
           << (needs ? "a " : "no ") << what << ": @" << call.getCallee()
           << (needs ? " reads " : " reads no ") << reason;
  };
  if (failed(check("micro_batch", call.getMicroBatch().has_value(),
                   signature.hasMicroBatch, "batch or kept value")))
    return failure();
  if (call.getSlot().has_value() == signature.hasSlot())
    return success();
  return call.emitOpError("expects ")
         << (signature.hasSlot() ? "a slot: @" : "no slot: @")
         << call.getCallee()
         << (signature.hasSlot() ? " keeps values or reads kept ones"
                                 : " keeps no values and reads none");
}

/// Checks that the calls of a function run through the micro-batches in order,
/// so that sums over them are the same on every mesh.
LogicalResult ScheduleVerifier::checkMicroBatch(CallOp call) {
  if (!call.getMicroBatch())
    return success();
  CallOp &last = lastCalls[call.getCalleeAttr().getAttr()];
  int64_t expected = last ? static_cast<int64_t>(*last.getMicroBatch()) + 1 : 0;
  auto number = static_cast<int64_t>(*call.getMicroBatch());
  int64_t count = schedule.getMicroBatches();
  if (number >= count)
    return call.emitOpError("expects a micro_batch below the ")
           << count << " of the schedule, but got " << number;
  if (number != expected) {
    InFlightDiagnostic diag = call.emitOpError("expects micro_batch ")
                              << expected << " of @" << call.getCallee()
                              << " next, but got " << number;
    if (last)
      diag.attachNote(last.getLoc()) << "the call before is here";
    return diag;
  }
  last = call;
  return success();
}

LogicalResult ScheduleVerifier::followKept(CallOp call,
                                           const Signature &signature) {
  if (!signature.hasSlot())
    return success();
  auto slot = static_cast<int64_t>(*call.getSlot());
  for (StringAttr name : signature.takenKept) {
    auto value = kept.find({name, slot});
    if (value == kept.end())
      return call.emitOpError("reads ")
             << name << " from slot " << slot << ", but no call kept it there";
    value->second.isRead = true;
    CallOp by = value->second.by;
    if (by.getMicroBatch() == call.getMicroBatch())
      continue;
    InFlightDiagnostic diag =
        call.emitOpError("expects ")
        << name << " of micro-batch " << *call.getMicroBatch() << " in slot "
        << slot << ", but that has micro-batch " << *by.getMicroBatch();
    diag.attachNote(by.getLoc()) << "kept by this call";
    return diag;
  }
  for (StringAttr name : signature.givenKept) {
    auto [value, isNew] = kept.try_emplace({name, slot}, KeptValue{call});
    if (!isNew && !value->second.isRead) {
      InFlightDiagnostic diag =
          call.emitOpError("keeps ")
          << name << " in slot " << slot
          << " before the value there was read; use another slot";
      diag.attachNote(value->second.by.getLoc()) << "kept by this call";
      return diag;
    }
    value->second = {call};
  }
  return success();
}

LogicalResult ScheduleVerifier::followSums(CallOp call,
                                           const Signature &signature) {
  for (StringAttr name : signature.sums) {
    auto before = taken.find(name);
    if (before != taken.end()) {
      InFlightDiagnostic diag = call.emitOpError("expects the sum ")
                                << name
                                << " to be complete, but it was taken before";
      diag.attachNote(before->second.getLoc()) << "taken by this call";
      return diag;
    }
    if (signature.hasMicroBatch)
      added[name] = call;
    else if (added.contains(name))
      taken[name] = call;
    else
      return call.emitOpError("takes the sum ")
             << name << ", but no call before has added to it";
  }
  return success();
}

LogicalResult ScheduleVerifier::followReplaced(CallOp call,
                                               const Signature &signature) {
  for (StringAttr name : signature.params) {
    read.try_emplace(name, call);
    auto before = replaced.find(name);
    if (before == replaced.end() || !signature.hasMicroBatch)
      continue;
    InFlightDiagnostic diag = call.emitOpError("reads the parameter ")
                              << name << " for a micro-batch after its update";
    diag.attachNote(before->second.getLoc()) << "updated by this call";
    return diag;
  }
  for (StringAttr name : signature.replaced) {
    auto [before, isNew] = replaced.try_emplace(name, call);
    if (isNew)
      continue;
    InFlightDiagnostic diag = call.emitOpError("replaces ")
                              << name << " for the second time";
    diag.attachNote(before->second.getLoc()) << "replaced by this call";
    return diag;
  }
  return success();
}

/// Checks that nothing is left over: micro-batches, kept values, sums and
/// parameters.
LogicalResult ScheduleVerifier::checkEnd() {
  for (auto [name, call] : lastCalls)
    if (static_cast<int64_t>(*call.getMicroBatch()) + 1 !=
        static_cast<int64_t>(schedule.getMicroBatches()))
      return call.emitOpError("is the last of @")
             << name.getValue() << ", but the schedule has "
             << schedule.getMicroBatches() << " micro-batches";
  for (auto &[place, value] : kept)
    if (!value.isRead)
      return value.by.emitOpError("keeps ")
             << place.first << " in slot " << place.second
             << ", which no later call reads";
  for (auto [name, call] : added)
    if (!taken.contains(name))
      return call.emitOpError("adds to the sum ")
             << name << ", which no later call takes";
  if (replaced.empty())
    return success();
  for (auto [name, call] : read)
    if (!replaced.contains(name))
      return call.emitOpError("reads the parameter ")
             << name << ", which the schedule leaves without an update";
  return success();
}

LogicalResult ScheduleVerifier::run() {
  for (CallOp call : schedule.getCalls()) {
    FailureOr<const Signature *> signature = getSignature(call);
    if (failed(signature))
      return failure();
    if (!*signature)
      continue;
    if (failed(checkPlace(call, **signature)) ||
        failed(checkMicroBatch(call)) ||
        failed(followKept(call, **signature)) ||
        failed(followSums(call, **signature)) ||
        failed(followReplaced(call, **signature)))
      return failure();
  }
  return checkEnd();
}

LogicalResult ScheduleOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  return ScheduleVerifier(*this, symbolTable).run();
}
