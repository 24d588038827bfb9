//===- ScheduleVerifier.cpp - Schedules that compute what they say --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verifies boost.schedule by following its calls and transfers in their order,
// with what each pipeline stage holds at that point.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/Schedule.h"

#include "ScheduleChoice.h"
#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::boost;

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

namespace {
using Names = SmallVector<StringAttr>;

/// A tensor of a function.
struct NamedTensor {
  TensorAttr tensor;
  Type type;
};

/// The tensors of a function by their role in a schedule.
struct Signature {
  std::optional<int64_t> stage;
  bool hasMicroBatch = false;
  Names params, takenKept, givenKept;
  /// Results that replace parameters and states.
  Names replaced;
  /// Accumulators that are both arguments and results.
  Names sums;
  /// Gradients, the loss, metrics and outputs.
  Names results;
  /// All tensors.
  SmallVector<NamedTensor> tensors;

  bool hasSlot() const { return !takenKept.empty() || !givenKept.empty(); }
};
} // namespace

/// Sorts the arguments. Fails if one does not say what it is; `call` is where
/// to report it.
static LogicalResult readArguments(FunctionOpInterface function,
                                   Operation *call, Signature &signature) {
  for (unsigned i : llvm::seq(function.getNumArguments())) {
    TensorAttr tensor = getArgTensor(function, i);
    if (!tensor) {
      InFlightDiagnostic diag = call->emitOpError("expects '")
                                << kTensorAttr << "' on argument " << i
                                << " of @" << function.getName()
                                << ", but got none";
      diag.attachNote(function.getLoc()) << "the function is here";
      return diag;
    }
    signature.tensors.push_back({tensor, function.getArgumentTypes()[i]});
    if (tensor.getRole() == TensorRole::Param)
      signature.params.push_back(tensor.getName());
    if (tensor.getRole() == TensorRole::Kept)
      signature.takenKept.push_back(tensor.getName());
  }
  return success();
}

/// Sorts the results; the arguments have been sorted.
static void readResults(FunctionOpInterface function, Signature &signature) {
  llvm::SmallDenseSet<StringAttr> accumulators;
  for (NamedTensor argument : signature.tensors)
    if (argument.tensor.getRole() == TensorRole::Accumulator)
      accumulators.insert(argument.tensor.getName());
  for (unsigned i : llvm::seq(function.getNumResults())) {
    TensorAttr tensor = getResultTensor(function, i);
    if (!tensor)
      continue;
    signature.tensors.push_back({tensor, function.getResultTypes()[i]});
    if (tensor.getRole() == TensorRole::Kept)
      signature.givenKept.push_back(tensor.getName());
    if (tensor.getRole() == TensorRole::Param ||
        tensor.getRole() == TensorRole::State)
      signature.replaced.push_back(tensor.getName());
    if (accumulators.contains(tensor.getName()))
      signature.sums.push_back(tensor.getName());
    if (isResultRole(tensor.getRole()))
      signature.results.push_back(tensor.getName());
  }
}

//===----------------------------------------------------------------------===//
// The list
//===----------------------------------------------------------------------===//

namespace {
/// A tensor that lasts, on one stage.
using OnStage = std::pair<StringAttr, int64_t>;
/// The last or only action of a kind, by tensor.
using Actions = llvm::MapVector<OnStage, Operation *>;

/// A place in the stash of a stage.
struct Place {
  int64_t stage, slot;
};

/// Follows the calls and transfers of a schedule in their order.
class ScheduleVerifier {
public:
  ScheduleVerifier(ScheduleOp schedule, SymbolTableCollection &symbols)
      : schedule(schedule), symbols(symbols) {}

  LogicalResult run();

private:
  FailureOr<FunctionOpInterface> getFunction(Operation *call, StringAttr name);
  FailureOr<bool> readSignature(Operation *call, StringAttr name);
  FailureOr<bool> readSignatures();
  void findTensors();
  const Signature &getSignature(StringAttr name);
  ArrayRef<int64_t> getStages(const Signature &signature);

  LogicalResult checkPlace(CallOp call, const Signature &signature);
  LogicalResult checkMicroBatch(CallOp call);
  LogicalResult followKept(CallOp call, const Signature &signature);
  LogicalResult readKept(Operation *action, StringAttr name, Place place,
                         int64_t microBatch);
  LogicalResult keep(Operation *action, StringAttr name, Place place,
                     int64_t microBatch);
  LogicalResult followSums(Operation *call, const Signature &signature);
  LogicalResult addToSum(Operation *call, StringAttr name, int64_t stage,
                         bool isOneStage);
  LogicalResult followReplaced(Operation *call, const Signature &signature);
  LogicalResult replace(Operation *action, StringAttr name, int64_t stage);
  LogicalResult followValues(Operation *call, const Signature &signature);
  LogicalResult follow(CallOp call);

  LogicalResult follow(ChooseOp choice);

  FailureOr<TensorRole> getRole(TransferOp transfer, StringAttr name);
  LogicalResult sendKept(TransferOp transfer, StringAttr name);
  LogicalResult sendSum(TransferOp transfer, StringAttr name);
  LogicalResult sendReplaced(TransferOp transfer, StringAttr name);
  LogicalResult sendResult(TransferOp transfer, StringAttr name);
  LogicalResult send(TransferOp transfer, StringAttr name);
  LogicalResult follow(TransferOp transfer);

  LogicalResult checkEnd();

  /// Returns " of stage N" in a pipeline and nothing elsewhere.
  std::string ofStage(int64_t stage) const {
    return isPipeline ? " of stage " + std::to_string(stage) : "";
  }

  /// A value in the stash, and whether an action has read it.
  struct KeptValue {
    Operation *by;
    int64_t microBatch;
    bool isRead = false;
  };

  ScheduleOp schedule;
  SymbolTableCollection &symbols;
  llvm::MapVector<StringAttr, Signature> signatures;
  /// True if functions have stages; otherwise all are of stage 0.
  bool isPipeline = false;
  SmallVector<int64_t> stages;
  /// The tensors that the functions of a stage name.
  DenseMap<OnStage, NamedTensor> tensors;
  /// The last call of each function with a micro-batch.
  llvm::MapVector<StringAttr, CallOp> lastCalls;
  /// The value that is kept under a name in a slot of a stage.
  llvm::MapVector<std::tuple<StringAttr, int64_t, int64_t>, KeptValue> kept;
  /// The last action that added to an accumulator, the call that took it, and
  /// the transfer that sent or brought it.
  Actions added, taken, sent;
  /// The last call that added to an accumulator on one stage only.
  DenseMap<StringAttr, std::pair<Operation *, int64_t>> adders;
  /// The action that replaced a parameter or a state.
  Actions replaced;
  /// The first call that read a parameter.
  Actions read;
  /// The last action that gave a result.
  Actions given;
};
} // namespace

/// Notes where a value comes from.
static LogicalResult attachOrigin(InFlightDiagnostic diag, StringRef what,
                                  Operation *action) {
  diag.attachNote(action->getLoc())
      << what << " by this " << (isa<TransferOp>(action) ? "transfer" : "call");
  return diag;
}

FailureOr<FunctionOpInterface> ScheduleVerifier::getFunction(Operation *call,
                                                             StringAttr name) {
  auto *symbol =
      symbols.lookupSymbolIn(schedule->getParentOfType<ModuleOp>(), name);
  if (auto function = dyn_cast_or_null<FunctionOpInterface>(symbol))
    return function;
  InFlightDiagnostic diag =
      call->emitOpError("expects a function of the module, but got @")
      << name.getValue();
  if (symbol)
    diag.attachNote(symbol->getLoc()) << "@" << name.getValue() << " is here";
  return diag;
}

/// Reads what a function takes and gives, once. Returns false if it is at the
/// runtime level, where functions have no results any more.
FailureOr<bool> ScheduleVerifier::readSignature(Operation *call,
                                                StringAttr name) {
  auto [known, isNew] = signatures.try_emplace(name);
  FailureOr<FunctionOpInterface> function = getFunction(call, name);
  if (failed(function))
    return failure();
  Signature &signature = known->second;
  if ((*function)->hasAttr(kInputsAttr))
    return false;
  if (!isNew)
    return true;
  signature.stage = getStage(*function);
  signature.hasMicroBatch = boost::hasMicroBatch(*function);
  if (failed(readArguments(*function, call, signature)))
    return failure();
  readResults(*function, signature);
  return true;
}

/// Reads what each function takes and gives. Returns false if the module is at
/// the runtime level.
FailureOr<bool> ScheduleVerifier::readSignatures() {
  bool hasResults = true;
  for (Operation *action : getActions(schedule)) {
    SmallVector<StringAttr> names;
    if (auto call = dyn_cast<CallOp>(action))
      names.push_back(call.getCalleeAttr().getAttr());
    if (auto choice = dyn_cast<ChooseOp>(action)) {
      names.push_back(choice.getIndexAttr().getAttr());
      llvm::append_range(names, choice.getFunctionNames());
    }
    for (StringAttr name : names) {
      FailureOr<bool> read = readSignature(action, name);
      if (failed(read))
        return failure();
      hasResults &= *read;
    }
  }
  return hasResults;
}

/// Finds the stages, and which tensors each of them holds.
void ScheduleVerifier::findTensors() {
  llvm::SetVector<int64_t> named;
  for (auto &[name, signature] : signatures)
    if (signature.stage)
      named.insert(*signature.stage);
  isPipeline = !named.empty();
  if (!isPipeline)
    named.insert(0);
  stages = named.takeVector();
  llvm::sort(stages);
  for (auto &[name, signature] : signatures)
    for (int64_t stage : getStages(signature))
      for (NamedTensor each : signature.tensors)
        tensors[{each.tensor.getName(), stage}] = each;
}

const Signature &ScheduleVerifier::getSignature(StringAttr name) {
  return signatures.find(name)->second;
}

/// Returns the stages that run a function.
ArrayRef<int64_t> ScheduleVerifier::getStages(const Signature &signature) {
  return signature.stage ? ArrayRef(*signature.stage) : ArrayRef(stages);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Checks that a call has a micro-batch and a slot where its function needs
/// them.
LogicalResult ScheduleVerifier::checkPlace(CallOp call,
                                           const Signature &signature) {
  if (call.getMicroBatch().has_value() != signature.hasMicroBatch)
    return call.emitOpError("expects ")
           << (signature.hasMicroBatch ? "a" : "no") << " micro_batch: @"
           << call.getCallee()
           << (signature.hasMicroBatch ? " has " : " has no ")
           << "batch or kept value";
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

/// Reads what is kept under a name. It has to be of this micro-batch.
LogicalResult ScheduleVerifier::readKept(Operation *action, StringAttr name,
                                         Place place, int64_t microBatch) {
  auto value = kept.find({name, place.stage, place.slot});
  if (value == kept.end()) {
    InFlightDiagnostic diag = action->emitOpError("reads ")
                              << name << " from slot " << place.slot
                              << ofStage(place.stage)
                              << ", but no call kept it there";
    for (auto &[other, there] : kept)
      if (std::get<0>(other) == name && std::get<1>(other) != place.stage &&
          there.microBatch == microBatch)
        diag.attachNote(there.by->getLoc())
            << "stage " << std::get<1>(other)
            << " has it; a boost.transfer brings it here";
    return diag;
  }
  value->second.isRead = true;
  if (value->second.microBatch == microBatch)
    return success();
  return attachOrigin(action->emitOpError("expects ")
                          << name << " of micro-batch " << microBatch
                          << " in slot " << place.slot << ofStage(place.stage)
                          << ", but that has micro-batch "
                          << value->second.microBatch,
                      "kept", value->second.by);
}

/// Keeps a value under a name. The one that was there has to be read.
LogicalResult ScheduleVerifier::keep(Operation *action, StringAttr name,
                                     Place place, int64_t microBatch) {
  KeptValue value{action, microBatch};
  auto [before, isNew] =
      kept.try_emplace({name, place.stage, place.slot}, value);
  if (!isNew && !before->second.isRead)
    return attachOrigin(action->emitOpError("keeps ")
                            << name << " in slot " << place.slot
                            << ofStage(place.stage)
                            << " before the value there was read; use another "
                               "slot",
                        "kept", before->second.by);
  before->second = value;
  return success();
}

LogicalResult ScheduleVerifier::followKept(CallOp call,
                                           const Signature &signature) {
  if (!signature.hasSlot())
    return success();
  auto slot = static_cast<int64_t>(*call.getSlot());
  auto microBatch = static_cast<int64_t>(*call.getMicroBatch());
  for (int64_t stage : getStages(signature)) {
    for (StringAttr name : signature.takenKept)
      if (failed(readKept(call, name, {stage, slot}, microBatch)))
        return failure();
    for (StringAttr name : signature.givenKept)
      if (failed(keep(call, name, {stage, slot}, microBatch)))
        return failure();
  }
  return success();
}

/// Follows a call with a micro-batch that adds to an accumulator.
LogicalResult ScheduleVerifier::addToSum(Operation *call, StringAttr name,
                                         int64_t stage, bool isOneStage) {
  if (Operation *transfer = sent.lookup({name, stage}))
    return attachOrigin(call->emitOpError("adds to the sum ")
                            << name << " after a transfer of it",
                        "transferred", transfer);
  auto other = adders.find(name);
  if (isOneStage && other != adders.end() && other->second.second != stage)
    return attachOrigin(
        call->emitOpError("adds to the sum ")
            << name << ", to which stage " << other->second.second
            << " adds; give each stage an accumulator of its own name",
        "added to", other->second.first);
  if (isOneStage)
    adders[name] = {call, stage};
  added[{name, stage}] = call;
  return success();
}

LogicalResult ScheduleVerifier::followSums(Operation *call,
                                           const Signature &signature) {
  for (int64_t stage : getStages(signature))
    for (StringAttr name : signature.sums) {
      if (Operation *before = taken.lookup({name, stage}))
        return attachOrigin(call->emitOpError("expects the sum ")
                                << name << ofStage(stage)
                                << " to be complete, but it was taken before",
                            "taken", before);
      if (signature.hasMicroBatch) {
        if (failed(addToSum(call, name, stage, signature.stage.has_value())))
          return failure();
        continue;
      }
      if (!added.contains({name, stage}))
        return call->emitOpError("takes the sum ")
               << name << ofStage(stage)
               << ", but no call before has added to it";
      taken[{name, stage}] = call;
    }
  return success();
}

LogicalResult ScheduleVerifier::replace(Operation *action, StringAttr name,
                                        int64_t stage) {
  auto [before, isNew] = replaced.try_emplace({name, stage}, action);
  if (isNew)
    return success();
  return attachOrigin(action->emitOpError("replaces ")
                          << name << ofStage(stage) << " for the second time",
                      "replaced", before->second);
}

LogicalResult ScheduleVerifier::followReplaced(Operation *call,
                                               const Signature &signature) {
  for (int64_t stage : getStages(signature)) {
    for (StringAttr name : signature.params) {
      read.try_emplace({name, stage}, call);
      Operation *before = replaced.lookup({name, stage});
      if (before && signature.hasMicroBatch)
        return attachOrigin(call->emitOpError("reads the parameter ")
                                << name << ofStage(stage)
                                << " for a micro-batch after its update",
                            "updated", before);
    }
    for (StringAttr name : signature.replaced)
      if (failed(replace(call, name, stage)))
        return failure();
  }
  return success();
}

LogicalResult ScheduleVerifier::follow(CallOp call) {
  const Signature &signature = getSignature(call.getCalleeAttr().getAttr());
  if (failed(checkPlace(call, signature)) || failed(checkMicroBatch(call)) ||
      failed(followKept(call, signature)))
    return failure();
  return followValues(call, signature);
}

/// Follows the sums, parameters, states and results of a call.
LogicalResult ScheduleVerifier::followValues(Operation *call,
                                             const Signature &signature) {
  if (failed(followSums(call, signature)) ||
      failed(followReplaced(call, signature)))
    return failure();
  for (int64_t stage : getStages(signature))
    for (StringAttr name : signature.results)
      given[{name, stage}] = call;
  return success();
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

/// All functions do the same to tensors, so that one stands for them.
LogicalResult ScheduleVerifier::follow(ChooseOp choice) {
  if (failed(verifyChoice(choice, symbols)))
    return failure();
  return followValues(choice, getSignature(*choice.getFunctionNames().begin()));
}

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

/// Returns the role of a tensor. Both stages have to name it, with this role
/// and one type.
FailureOr<TensorRole> ScheduleVerifier::getRole(TransferOp transfer,
                                                StringAttr name) {
  for (uint64_t stage : {transfer.getTo(), transfer.getFrom()})
    if (!tensors.contains({name, stage})) {
      InFlightDiagnostic diag = transfer.emitOpError("names ")
                                << name << ", but no function of stage "
                                << stage << " does";
      return diag;
    }
  NamedTensor from = tensors.lookup({name, transfer.getFrom()});
  NamedTensor to = tensors.lookup({name, transfer.getTo()});
  TensorRole role = from.tensor.getRole(), other = to.tensor.getRole();
  if (role == other && from.type == to.type)
    return role;
  InFlightDiagnostic diag = transfer.emitOpError("expects the same ")
                            << name << " on both stages, but got "
                            << stringifyTensorRole(role) << " " << from.type
                            << " on stage " << transfer.getFrom() << " and "
                            << stringifyTensorRole(other) << " " << to.type
                            << " on stage " << transfer.getTo();
  return diag;
}

LogicalResult ScheduleVerifier::sendKept(TransferOp transfer, StringAttr name) {
  auto microBatch = static_cast<int64_t>(*transfer.getMicroBatch());
  auto count = static_cast<int64_t>(schedule.getMicroBatches());
  if (microBatch >= count)
    return transfer.emitOpError("expects a micro_batch below the ")
           << count << " of the schedule, but got " << microBatch;
  Place from{static_cast<int64_t>(transfer.getFrom()),
             static_cast<int64_t>(*transfer.getFromSlot())};
  Place to{static_cast<int64_t>(transfer.getTo()),
           static_cast<int64_t>(*transfer.getToSlot())};
  if (failed(readKept(transfer, name, from, microBatch)))
    return failure();
  return keep(transfer, name, to, microBatch);
}

LogicalResult ScheduleVerifier::sendSum(TransferOp transfer, StringAttr name) {
  OnStage from{name, transfer.getFrom()}, to{name, transfer.getTo()};
  for (OnStage side : {from, to})
    if (Operation *before = taken.lookup(side))
      return attachOrigin(transfer.emitOpError("expects the sum ")
                              << name << ofStage(side.second)
                              << " to be complete, but it was taken before",
                          "taken", before);
  if (!added.contains(from))
    return transfer.emitOpError("sends the sum ")
           << name << ofStage(from.second)
           << ", but no call before has added to it";
  if (Operation *before = added.lookup(to))
    return attachOrigin(transfer.emitOpError("overwrites the sum ")
                            << name << ofStage(to.second)
                            << ", which no call has taken",
                        "added to", before);
  sent[from] = sent[to] = added[to] = transfer;
  return success();
}

LogicalResult ScheduleVerifier::sendReplaced(TransferOp transfer,
                                             StringAttr name) {
  if (!replaced.contains({name, transfer.getFrom()}))
    return transfer.emitOpError("sends ")
           << name << ", but no call of stage " << transfer.getFrom()
           << " has replaced it";
  return replace(transfer, name, transfer.getTo());
}

LogicalResult ScheduleVerifier::sendResult(TransferOp transfer,
                                           StringAttr name) {
  if (!given.contains({name, transfer.getFrom()}))
    return transfer.emitOpError("sends ")
           << name << ", but no call of stage " << transfer.getFrom()
           << " has given it";
  Operation *before = given.lookup({name, transfer.getTo()});
  if (isa_and_nonnull<CallOp>(before))
    return attachOrigin(transfer.emitOpError("overwrites ")
                            << name << ofStage(transfer.getTo()),
                        "given", before);
  given[{name, transfer.getTo()}] = transfer;
  return success();
}

LogicalResult ScheduleVerifier::send(TransferOp transfer, StringAttr name) {
  FailureOr<TensorRole> role = getRole(transfer, name);
  if (failed(role))
    return failure();
  if ((*role == TensorRole::Kept) != transfer.getMicroBatch().has_value())
    return transfer.emitOpError(*role == TensorRole::Kept
                                    ? "expects a micro_batch and slots: "
                                    : "expects no micro_batch and no slots: ")
           << name << (*role == TensorRole::Kept ? " is a" : " is no")
           << " kept value";
  switch (*role) {
  case TensorRole::Kept:
    return sendKept(transfer, name);
  case TensorRole::Accumulator:
    return sendSum(transfer, name);
  case TensorRole::Param:
  case TensorRole::State:
    return sendReplaced(transfer, name);
  case TensorRole::Gradient:
  case TensorRole::Loss:
  case TensorRole::Metric:
  case TensorRole::Output:
    return sendResult(transfer, name);
  case TensorRole::Batch:
  case TensorRole::Hyper:
  case TensorRole::Frozen:
    return transfer.emitOpError("sends ")
           << name << ", which no call changes: every stage has it";
  }
  llvm_unreachable("all roles are handled");
}

LogicalResult ScheduleVerifier::follow(TransferOp transfer) {
  for (uint64_t stage : {transfer.getFrom(), transfer.getTo()})
    if (!isPipeline || !llvm::is_contained(stages, stage)) {
      InFlightDiagnostic diag = transfer.emitOpError("names stage ")
                                << stage
                                << ", but the schedule calls no function of it";
      diag.attachNote() << "'" << kStageAttr
                        << "' of a function says its stage";
      return diag;
    }
  for (StringAttr name : transfer.getNames())
    if (failed(send(transfer, name)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

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
      return value.by->emitOpError("keeps ")
             << std::get<0>(place) << " in slot " << std::get<2>(place)
             << ofStage(std::get<1>(place)) << ", which no later call reads";
  for (auto &[sum, action] : added)
    if (!taken.contains(sum))
      return action->emitOpError("adds to the sum ")
             << sum.first << ofStage(sum.second)
             << ", which no later call takes";
  if (replaced.empty())
    return success();
  for (auto &[param, call] : read)
    if (!replaced.contains(param))
      return call->emitOpError("reads the parameter ")
             << param.first << ofStage(param.second)
             << ", which the schedule leaves without an update";
  return success();
}

LogicalResult ScheduleVerifier::run() {
  FailureOr<bool> hasResults = readSignatures();
  if (failed(hasResults))
    return failure();
  if (!*hasResults)
    return success();
  findTensors();
  for (Operation *action : getActions(schedule)) {
    LogicalResult followed =
        llvm::TypeSwitch<Operation *, LogicalResult>(action)
            .Case<CallOp, ChooseOp, TransferOp>(
                [&](auto each) { return follow(each); });
    if (failed(followed))
      return failure();
  }
  return checkEnd();
}

LogicalResult ScheduleOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  return ScheduleVerifier(*this, symbolTable).run();
}
