//===- ProgramRun.cpp - One evaluation of a program -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramRun.h"

#include "boost-mlir/Dialect/Boost/IR/Mesh.h"
#include "boost-mlir/Dialect/Boost/IR/Tensors.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::reference;

//===----------------------------------------------------------------------===//
// Ranks
//===----------------------------------------------------------------------===//

const ProgramRun::Function &ProgramRun::find(StringRef name) const {
  return *llvm::find_if(program.functions, [&](const Function &function) {
    func::FuncOp op = function.op;
    return op.getName() == name;
  });
}

/// Returns the ranks of a pipeline stage.
FailureOr<SmallVector<int64_t>> ProgramRun::findRanks(int64_t stage) const {
  SmallVector<int16_t> axis;
  Builder builder(program.op->getContext());
  if (failed(program.findAxes(builder.getStrArrayAttr({kPipelineAxis}), axis)))
    return failure();
  SmallVector<int64_t> found;
  for (int64_t rank : llvm::seq(evaluator.ranks()))
    if (evaluator.position(rank, axis) == stage)
      found.push_back(rank);
  if (found.empty())
    return program.op->emitError()
           << "expects a mesh with pipeline stage " << stage << ", but '"
           << kPipelineAxis << "' has " << program.mesh[axis.front()]
           << " ranks";
  return found;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Gives the ranks of a function those inputs that they do not have yet.
LogicalResult ProgramRun::load(const Function &function) {
  func::FuncOp op = function.op;
  ArrayRef<int64_t> own = ranks[op.getName()];
  for (const Binding &input : function.inputs) {
    TensorAttr tensor = input.logical.tensor;
    bool isSum = program.isHidden(input);
    if (hasRole(tensor, TensorRole::Kept) && isSum)
      continue;
    RankValues &held = values[{input.logical.name, kLasting}];
    held.resize(evaluator.ranks());
    if (llvm::all_of(own, [&](int64_t rank) { return held[rank].type; }))
      continue;
    Binding whole = program.getWhole(input);
    FailureOr<Tensor> logical =
        isSum ? Tensor(input.logical.type) : program.pack(inputs, whole);
    if (failed(logical))
      return failure();
    if (whole.logical.type != input.logical.type) {
      batch[input.logical.name] = std::move(*logical);
      continue;
    }
    RankValues parts = program.shard(*logical, input.form, evaluator);
    for (int64_t rank : own)
      if (!held[rank].type)
        held[rank] = std::move(parts[rank]);
  }
  return success();
}

LogicalResult ProgramRun::load() {
  for (const Function &function : program.functions) {
    func::FuncOp op = function.op;
    std::optional<int64_t> stage = getStage(op);
    // A function alone may be of any stage.
    if (!stage || !isa<ScheduleOp>(program.op)) {
      ranks[op.getName()] = llvm::to_vector(llvm::seq(evaluator.ranks()));
    } else {
      FailureOr<SmallVector<int64_t>> found = findRanks(*stage);
      if (failed(found))
        return failure();
      ranks[op.getName()] = std::move(*found);
    }
    if (failed(load(function)))
      return failure();
  }
  return success();
}

ProgramRun::Place ProgramRun::getPlace(const Call &call,
                                       const Binding &binding) const {
  bool isKept = call.op && hasRole(binding.logical.tensor, TensorRole::Kept);
  CallOp op = call.op;
  return {binding.logical.name,
          isKept ? static_cast<int64_t>(*op.getSlot()) : kLasting};
}

FailureOr<RankValues> ProgramRun::read(const Call &call, const Binding &input) {
  if (auto whole = batch.find(input.logical.name); whole != batch.end()) {
    CallOp op = call.op;
    Tensor rows(input.logical.type);
    rows.copy(0, whole->second, *op.getMicroBatch() * rows.size(), rows.size());
    return program.shard(rows, input.form, evaluator);
  }
  Place place = getPlace(call, input);
  func::FuncOp function = call.function->op;
  const RankValues &held = values[place];
  for (int64_t rank : ranks[function.getName()])
    if (held.empty() || !held[rank].type)
      return (call.op ? call.op : program.op)->emitOpError("reads '")
             << place.first << "', which rank " << rank << " does not have";
  return held;
}

void ProgramRun::write(const Call &call, const Binding &output,
                       const RankValues &value) {
  CallOp op = call.op;
  TensorAttr tensor = output.logical.tensor;
  bool isTerm = op && op.getMicroBatch() && program.countMicroBatches() > 1 &&
                tensor && isResultRole(tensor.getRole());
  if (isTerm)
    summed.insert(output.logical.name);
  RankValues &held = values[getPlace(call, output)];
  held.resize(evaluator.ranks());
  func::FuncOp function = call.function->op;
  for (int64_t rank : ranks[function.getName()]) {
    if (isTerm && *op.getMicroBatch() > 0)
      for (auto [sum, term] :
           llvm::zip_equal(held[rank].data, value[rank].data))
        sum += term;
    else
      held[rank] = value[rank];
  }
}

//===----------------------------------------------------------------------===//
// Actions
//===----------------------------------------------------------------------===//

/// Evaluates calls of different stages, which run at the same time.
LogicalResult ProgramRun::call(ArrayRef<Call> calls) {
  SmallVector<RankCall> ofRanks;
  for (const Call &call : calls) {
    func::FuncOp function = call.function->op;
    ofRanks.push_back({function, ranks[function.getName()], {}});
    for (const Binding &input : call.function->inputs) {
      FailureOr<RankValues> value = read(call, input);
      if (failed(value))
        return failure();
      ofRanks.back().arguments.push_back(std::move(*value));
    }
  }
  FailureOr<SmallVector<SmallVector<RankValues>>> results =
      evaluator.runTogether(ofRanks);
  if (failed(results))
    return failure();
  for (auto [call, returned] : llvm::zip_equal(calls, *results))
    for (auto [output, value] :
         llvm::zip_equal(call.function->outputs, returned))
      write(call, output, value);
  return success();
}

LogicalResult ProgramRun::transfer(TransferOp transfer) {
  FailureOr<SmallVector<int64_t>> from = findRanks(transfer.getFrom());
  FailureOr<SmallVector<int64_t>> to = findRanks(transfer.getTo());
  if (failed(from) || failed(to))
    return failure();
  auto slot = [](std::optional<uint64_t> number) {
    return number ? static_cast<int64_t>(*number) : kLasting;
  };
  for (StringAttr name : transfer.getNames()) {
    RankValues sent = values[{name.str(), slot(transfer.getFromSlot())}];
    RankValues &held = values[{name.str(), slot(transfer.getToSlot())}];
    held.resize(evaluator.ranks());
    for (auto [sender, receiver] : llvm::zip_equal(*from, *to)) {
      if (sent.empty() || !sent[sender].type)
        return transfer.emitOpError("sends ")
               << name << ", which rank " << sender << " does not have";
      held[receiver] = std::move(sent[sender]);
    }
  }
  return success();
}

/// Returns the function whose position the index of a choice is.
FailureOr<const ProgramRun::Function *> ProgramRun::choose(ChooseOp choice) {
  const Function &index = find(choice.getIndex());
  const Function &first = find((*choice.getFunctionNames().begin()).getValue());
  // Each stage computes it for itself: another one may be done with its update.
  SmallVector<int64_t> own = ranks[func::FuncOp(first.op).getName()];
  ranks[func::FuncOp(index.op).getName()] = own;
  if (failed(call(Call{&index, CallOp()})))
    return failure();
  const RankValues &held =
      values[{index.outputs.front().logical.name, kLasting}];
  int64_t position = held[own.front()].integers.front();
  auto count = static_cast<int64_t>(choice.getFunctions().size());
  if (position < 0 || position >= count)
    return choice.emitOpError("expects @")
           << choice.getIndex() << " to return a number below " << count
           << ", but got " << position;
  StringAttr chosen = *std::next(choice.getFunctionNames().begin(), position);
  return &find(chosen.getValue());
}

/// Checks that the sums of the next batch begin with zero.
LogicalResult ProgramRun::checkSums() {
  for (const Function &function : program.functions)
    for (const Binding &output : function.outputs) {
      if (!program.isHidden(output) ||
          !hasRole(output.logical.tensor, TensorRole::Accumulator))
        continue;
      const RankValues &held = values[{output.logical.name, kLasting}];
      for (auto [rank, sum] : llvm::enumerate(held))
        for (size_t i : llvm::seq(sum.type ? sum.size() : 0))
          if (sum.toDouble(i) != 0)
            return program.op->emitError()
                   << "expects the sum '" << output.logical.name
                   << "' to be zero at the end, but on rank " << rank
                   << " it has " << sum.spell(i);
    }
  return success();
}

/// Returns true if a function waits for those of other pipeline stages.
static bool meetsOtherStages(func::FuncOp function) {
  return !function.getOps<SumOverStagesOp>().empty();
}

/// Returns the stage of the functions that a schedule chooses from.
static std::optional<int64_t> findStage(ChooseOp choice) {
  StringAttr first = *choice.getFunctionNames().begin();
  auto module = choice->getParentOfType<ModuleOp>();
  return boost::getStage(module.lookupSymbol<func::FuncOp>(first));
}

LogicalResult ProgramRun::run() {
  if (failed(load()))
    return failure();
  auto schedule = dyn_cast<ScheduleOp>(program.op);
  if (!schedule)
    return call(Call{&program.functions.front(), CallOp()});
  SmallVector<Call> together;
  auto callAll = [&] {
    LogicalResult result = together.empty() ? success() : call(together);
    together.clear();
    return result;
  };
  for (Operation *action : getActions(schedule)) {
    if (auto op = dyn_cast<TransferOp>(action)) {
      if (failed(callAll()) || failed(transfer(op)))
        return failure();
      continue;
    }
    auto op = dyn_cast<CallOp>(action);
    const Function *function = op ? &find(op.getCallee()) : nullptr;
    if (auto choice = dyn_cast<ChooseOp>(action)) {
      std::optional<int64_t> stage = findStage(choice);
      bool isReady = llvm::all_of(together, [&](const Call &other) {
        std::optional<int64_t> known =
            boost::getStage(func::FuncOp(other.function->op));
        return known && known != stage;
      });
      if (!isReady && failed(callAll()))
        return failure();
      FailureOr<const Function *> chosen = choose(choice);
      if (failed(chosen))
        return failure();
      function = *chosen;
    }
    func::FuncOp own = function->op;
    bool isMet =
        meetsOtherStages(own) && llvm::all_of(together, [&](const Call &other) {
          func::FuncOp op = other.function->op;
          return meetsOtherStages(op) &&
                 boost::getStage(op) != boost::getStage(own);
        });
    if (!isMet && failed(callAll()))
      return failure();
    together.push_back({function, op});
  }
  if (failed(callAll()))
    return failure();
  return checkSums();
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

FailureOr<NamedTensors> ProgramRun::takeResults(double agreement) {
  NamedTensors results;
  auto count = static_cast<double>(program.countMicroBatches());
  for (const Binding &output : program.outputs) {
    RankValues &held = values[{output.logical.name, kLasting}];
    if (summed.contains(output.logical.name))
      for (Tensor &sum : held)
        for (double &value : sum.data)
          value /= count;
    FailureOr<Tensor> joined =
        program.join(held, output.logical, output.form, evaluator, agreement);
    if (failed(joined))
      return failure();
    program.unpack(std::move(*joined), output, results);
  }
  return results;
}
