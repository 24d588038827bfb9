//===- StageFunctions.cpp - Functions of pipeline stages ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StageFunctions.h"

#include "FunctionBuilder.h"

#include "boost-mlir/Dialect/Boost/IR/Tensors.h"

using namespace mlir;
using namespace mlir::boost;

namespace {
/// What one call computes, reads and returns.
struct CallContent {
  /// The operations of the call, and those without a call that it needs.
  DenseSet<Operation *> operations;
  /// The arguments of the function that it reads.
  DenseSet<Value> arguments;
  /// Values of other calls that it reads, in the order of their first readers.
  llvm::SetVector<Value> taken;
  /// Values that other calls read.
  llvm::SetVector<Value> given;
  /// The numbers of the function's results that it returns.
  SmallVector<unsigned> results;
  /// True if it shows tensors.
  bool hasProbes = false;
};

class FunctionDivider {
public:
  FunctionDivider(func::FuncOp function, const StageCalls &calls,
                  const DenseMap<Operation *, int64_t> &assigned,
                  StringRef prefix)
      : function(function), calls(calls), assigned(assigned), prefix(prefix),
        contents(calls.size()) {}

  void collect();
  bool computesNothing(int64_t call) const;
  FailureOr<func::FuncOp> build(Operation *after, int64_t call, StringRef name,
                                int64_t stage);
  SmallVector<KeptValue> getKept() const;

private:
  std::optional<int64_t> getCall(Operation *op) const;
  void require(int64_t call, Value value);
  void returnResult(unsigned number, Value value);
  std::optional<int64_t> findReader(StringAttr parameter);
  BlockArgument findBatch(int64_t call);
  DictionaryAttr getKeptAttrs(Value value);

  func::FuncOp function;
  const StageCalls &calls;
  const DenseMap<Operation *, int64_t> &assigned;
  StringRef prefix;
  SmallVector<CallContent> contents;
  llvm::MapVector<Value, KeptValue> kept;
};
} // namespace

std::optional<int64_t> FunctionDivider::getCall(Operation *op) const {
  auto call = assigned.find(op);
  return call == assigned.end() ? std::nullopt : std::optional(call->second);
}

/// Lets a call have a value: as an argument, of its own, or of another call.
void FunctionDivider::require(int64_t call, Value value) {
  SmallVector<Value> pending = {value};
  CallContent &content = contents[call];
  while (!pending.empty()) {
    Value next = pending.pop_back_val();
    Operation *op = next.getDefiningOp();
    if (!op) {
      content.arguments.insert(next);
      continue;
    }
    std::optional<int64_t> producer = getCall(op);
    if (!producer) {
      if (content.operations.insert(op).second)
        llvm::append_range(pending, op->getOperands());
      continue;
    }
    if (*producer == call || !content.taken.insert(next))
      continue;
    contents[*producer].given.insert(next);
    auto [entry, isNew] = kept.try_emplace(next);
    if (isNew) {
      std::string name = (prefix + Twine(kept.size() - 1)).str();
      entry->second.name = StringAttr::get(function.getContext(), name);
      entry->second.producer = *producer;
    }
    entry->second.readers.insert(call);
  }
}

/// Returns the last call that reads a parameter.
std::optional<int64_t> FunctionDivider::findReader(StringAttr parameter) {
  for (BlockArgument arg : function.getArguments())
    if (TensorAttr tensor = getArgTensor(function, arg.getArgNumber());
        tensor && tensor.getName() == parameter)
      return findReaders(arg, assigned).last;
  return std::nullopt;
}

/// Returns true if nothing of a call is needed.
bool FunctionDivider::computesNothing(int64_t call) const {
  const CallContent &content = contents[call];
  return content.results.empty() && content.given.empty() && !content.hasProbes;
}

/// Returns an argument of the batch for a call that reads nothing of a
/// micro-batch, such as one that adds a constant gradient: it is called once
/// for each of them all the same. Null for other calls.
BlockArgument FunctionDivider::findBatch(int64_t call) {
  const CallContent &content = contents[call];
  if (!content.taken.empty() || !content.given.empty())
    return {};
  BlockArgument batch;
  for (BlockArgument arg : function.getArguments()) {
    TensorAttr tensor = getArgTensor(function, arg.getArgNumber());
    if (!hasRole(tensor, TensorRole::Batch))
      continue;
    if (content.arguments.contains(arg))
      return {};
    batch = batch ? batch : arg;
  }
  return batch;
}

/// Finds the call that returns a result: the one that computes it, or the last
/// that reads the parameter of a constant gradient, or the last of all.
void FunctionDivider::returnResult(unsigned number, Value value) {
  std::optional<int64_t> call;
  if (Operation *op = value.getDefiningOp())
    call = getCall(op);
  TensorAttr tensor = getResultTensor(function, number);
  if (!call && value.getDefiningOp() && tensor && tensor.getOwner())
    call = findReader(tensor.getOwner());
  int64_t by = call.value_or(calls.size() - 1);
  require(by, value);
  contents[by].results.push_back(number);
}

void FunctionDivider::collect() {
  for (Operation &op : function.front().without_terminator()) {
    std::optional<int64_t> call = getCall(&op);
    if (!call)
      continue;
    contents[*call].operations.insert(&op);
    contents[*call].hasProbes |= isa<ProbeOp>(op);
    for (Value operand : op.getOperands())
      require(*call, operand);
  }
  for (auto [i, value] :
       llvm::enumerate(function.front().getTerminator()->getOperands()))
    returnResult(i, value);
}

DictionaryAttr FunctionDivider::getKeptAttrs(Value value) {
  Builder builder(function.getContext());
  auto tensor = TensorAttr::get(TensorRole::Kept, kept.lookup(value).name);
  return builder.getDictionaryAttr(builder.getNamedAttr(kTensorAttr, tensor));
}

FailureOr<func::FuncOp> FunctionDivider::build(Operation *after, int64_t call,
                                               StringRef name, int64_t stage) {
  const CallContent &content = contents[call];
  FunctionBuilder f(after, name);
  BlockArgument batch = findBatch(call);
  for (BlockArgument arg : function.getArguments())
    if (content.arguments.contains(arg) || arg == batch)
      f.addCopyOf(arg, function.getArgAttrDict(arg.getArgNumber()));
  for (Value value : content.taken)
    f.map(value,
          f.addArg(value.getType(), getKeptAttrs(value), value.getLoc()));
  OpBuilder &builder = f.getBuilder();
  if (calls.getWork(call) != PipelineWork::Forward)
    PhaseOp::create(builder, f.getLoc(), Phase::Backward);
  for (Operation &op : function.front())
    if (content.operations.contains(&op))
      f.copy(op);
  Operation *terminator = function.front().getTerminator();
  for (unsigned number : content.results)
    f.addResult(f.get(terminator->getOperand(number)),
                function.getResultAttrDict(number));
  for (Value value : content.given)
    f.addResult(f.get(value), getKeptAttrs(value));
  FailureOr<func::FuncOp> built = f.finish();
  if (failed(built))
    return failure();
  (*built)->setAttr(kStageAttr, builder.getI64IntegerAttr(stage));
  (*built)->setAttr(kPartOfAttr, function.getSymNameAttr());
  return built;
}

SmallVector<KeptValue> FunctionDivider::getKept() const {
  return llvm::map_to_vector(kept,
                             [](const auto &entry) { return entry.second; });
}

FailureOr<StageFunctions>
mlir::boost::divideByStages(func::FuncOp function, const StageCalls &calls,
                            const DenseMap<Operation *, int64_t> &assigned,
                            int64_t stages, FunctionNamer name,
                            StringRef prefix) {
  FunctionDivider divider(function, calls, assigned, prefix);
  divider.collect();
  StageFunctions result = {calls, {}, divider.getKept()};
  Operation *after = function;
  for (int64_t call : llvm::seq(calls.size())) {
    if (divider.computesNothing(call)) {
      result.functions.push_back({});
      continue;
    }
    FailureOr<func::FuncOp> built =
        divider.build(after, call, name(call), calls.getChunk(call) % stages);
    if (failed(built))
      return failure();
    result.functions.push_back(*built);
    after = *built;
  }
  function.erase();
  return result;
}
