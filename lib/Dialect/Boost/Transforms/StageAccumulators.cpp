//===- StageAccumulators.cpp - Gradients of several stages ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StageAccumulators.h"

#include "boost-mlir/Dialect/Boost/IR/Parts.h"
#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"

using namespace mlir;
using namespace mlir::boost;

namespace {
class AccumulatorDivider {
public:
  AccumulatorDivider(func::FuncOp accumulate, ArrayRef<func::FuncOp> updates,
                     const StageCalls &calls,
                     DenseMap<Operation *, int64_t> &assigned, int64_t stages)
      : accumulate(accumulate), updates(updates), calls(calls),
        assigned(assigned), stages(stages) {}

  AccumulatorPlaces run();

private:
  /// A term of a gradient, and the last call that computes a part of it.
  struct Term {
    Value value;
    std::optional<int64_t> call;
  };

  std::optional<int64_t> getStage(std::optional<int64_t> call) const;
  std::optional<int64_t> getCall(Value value) const;
  int64_t findCallOfConstant(TensorAttr accumulator);
  SmallVector<Term> findTerms(Value value) const;
  void divide(unsigned number, stablehlo::AddOp sum,
              const llvm::MapVector<int64_t, SmallVector<Term>> &terms);
  Value addTerms(Value accumulator, ArrayRef<Term> terms);
  TensorAttr addAccumulator(unsigned number, Value original,
                            ArrayRef<Term> terms, int64_t stage);

  func::FuncOp accumulate;
  ArrayRef<func::FuncOp> updates;
  const StageCalls &calls;
  DenseMap<Operation *, int64_t> &assigned;
  int64_t stages;
  AccumulatorPlaces places;
};
} // namespace

std::optional<int64_t>
AccumulatorDivider::getStage(std::optional<int64_t> call) const {
  if (!call)
    return std::nullopt;
  return calls.getChunk(*call) % stages;
}

std::optional<int64_t> AccumulatorDivider::getCall(Value value) const {
  auto known = assigned.find(value.getDefiningOp());
  return known == assigned.end() ? std::nullopt : std::optional(known->second);
}

/// Returns the terms of a sum that nothing else reads, as far as they are of
/// several stages, or else the value as its only term. A conversion of a sum is
/// the sum of conversions: in a wider type it is the more exact one.
SmallVector<AccumulatorDivider::Term>
AccumulatorDivider::findTerms(Value value) const {
  Operation *op = value.getDefiningOp();
  SmallVector<Term> terms;
  if (op && value.hasOneUse() &&
      isa<stablehlo::AddOp, stablehlo::ConvertOp>(op))
    for (Value operand : op->getOperands())
      llvm::append_range(terms, findTerms(operand));
  bool isOfOneStage = llvm::all_of(terms, [&](const Term &term) {
    return getStage(term.call) == getStage(terms.front().call);
  });
  if (isOfOneStage)
    return {{value, getCall(value)}};
  return terms;
}

/// Returns the sum of an accumulator and of terms of one stage.
Value AccumulatorDivider::addTerms(Value accumulator, ArrayRef<Term> terms) {
  OpBuilder builder(accumulate.front().getTerminator());
  Operation *before = builder.getInsertionPoint()->getPrevNode();
  Type element = getElementTypeOrSelf(accumulator.getType());
  int64_t call = 0;
  Value gradient;
  for (const Term &term : terms) {
    call = std::max(call, term.call.value_or(0));
    Location loc = term.value.getLoc();
    Value wide = stablehlo::convert(builder, loc, term.value, element);
    gradient =
        gradient
            ? stablehlo::AddOp::create(builder, loc, gradient, wide).getResult()
            : wide;
  }
  Value sum = stablehlo::AddOp::create(builder, gradient.getLoc(), accumulator,
                                       gradient);
  for (Operation *op = before->getNextNode(); op->getNextNode();
       op = op->getNextNode()) {
    assigned[op] = call;
    op->setAttr(kComponentAttr, builder.getStringAttr(kGradientsComponent));
  }
  return sum;
}

/// Returns the name of the accumulator of a stage beside the one of this name.
static StringAttr getNameOn(int64_t stage, StringAttr name) {
  return StringAttr::get(name.getContext(),
                         name.getValue() + "." + Twine(stage));
}

/// Lets a function have another argument and a result that replaces it, like
/// those of another accumulator, for the terms of a stage.
static BlockArgument addTensor(func::FuncOp function, unsigned argument,
                               unsigned result, TensorAttr tensor,
                               int64_t stage) {
  Builder builder(function.getContext());
  auto rename = [&](DictionaryAttr attrs) {
    NamedAttrList list(attrs);
    list.set(kTensorAttr, tensor);
    SmallVector<Attribute> parts;
    for (PartAttr part : getParts(attrs))
      parts.push_back(PartAttr::get(
          part.getContext(), getNameOn(stage, part.getName()), part.getOf(),
          part.getInit(), part.getDim(), part.getOffset(), part.getShape()));
    if (!parts.empty())
      list.set(kPartsAttr, builder.getArrayAttr(parts));
    return list.getDictionary(function.getContext());
  };
  unsigned last = function.getNumArguments();
  Type type = function.getArgumentTypes()[argument];
  (void)function.insertArgument(last, type,
                                rename(function.getArgAttrDict(argument)),
                                function.getArgument(argument).getLoc());
  (void)function.insertResult(function.getNumResults(), type,
                              rename(function.getResultAttrDict(result)));
  return function.getArgument(last);
}

static std::optional<unsigned> findArgument(func::FuncOp function,
                                            TensorAttr tensor) {
  for (unsigned i : llvm::seq(function.getNumArguments()))
    if (getArgTensor(function, i).getName() == tensor.getName())
      return i;
  return std::nullopt;
}

/// Adds an accumulator of the terms of a stage, beside that of result `number`.
TensorAttr AccumulatorDivider::addAccumulator(unsigned number, Value original,
                                              ArrayRef<Term> terms,
                                              int64_t stage) {
  TensorAttr tensor = getResultTensor(accumulate, number);
  TensorAttr added = tensor.withName(getNameOn(stage, tensor.getName()));
  BlockArgument arg =
      addTensor(accumulate, cast<BlockArgument>(original).getArgNumber(),
                number, added, stage);
  Value sum = addTerms(arg, terms);
  accumulate.front().getTerminator()->insertOperands(
      accumulate.front().getTerminator()->getNumOperands(), sum);
  return added;
}

/// Lets an update add an accumulator to another one, and reset it too.
static void addToUpdate(func::FuncOp update, TensorAttr added,
                        TensorAttr original, int64_t stage) {
  unsigned argument = *findArgument(update, original);
  Operation *terminator = update.front().getTerminator();
  for (unsigned i : llvm::seq(update.getNumResults())) {
    if (getResultTensor(update, i).getName() != original.getName())
      continue;
    BlockArgument arg = addTensor(update, argument, i, added, stage);
    terminator->insertOperands(terminator->getNumOperands(),
                               terminator->getOperand(i));
    Value first = update.getArgument(argument);
    OpBuilder builder(terminator);
    for (Operation &op : update.front())
      if (llvm::is_contained(op.getOperands(), first)) {
        builder.setInsertionPoint(&op);
        break;
      }
    auto sum = stablehlo::AddOp::create(builder, arg.getLoc(), first, arg);
    sum->setAttr(kComponentAttr, builder.getStringAttr(kGradientsComponent));
    first.replaceAllUsesExcept(sum, sum);
    return;
  }
}

void AccumulatorDivider::divide(
    unsigned number, stablehlo::AddOp sum,
    const llvm::MapVector<int64_t, SmallVector<Term>> &terms) {
  TensorAttr original = getResultTensor(accumulate, number);
  int64_t home = *getStage(getCall(sum));
  Value accumulator = sum.getLhs();
  for (const auto &[stage, own] : terms) {
    if (stage == home)
      continue;
    TensorAttr added = addAccumulator(number, accumulator, own, stage);
    places[added.getName()] = {stage, home};
    for (func::FuncOp update : updates)
      addToUpdate(update, added, original, stage);
  }
  Value own = addTerms(accumulator, terms.lookup(home));
  sum.replaceAllUsesWith(own);
  // What only the whole sum read is gone.
  SmallVector<Operation *> unread = {sum};
  while (!unread.empty()) {
    Operation *op = unread.pop_back_val();
    if (!op || !op->use_empty() ||
        !isa<stablehlo::AddOp, stablehlo::ConvertOp>(op))
      continue;
    for (Value operand : op->getOperands())
      unread.push_back(operand.getDefiningOp());
    assigned.erase(op);
    op->erase();
  }
}

/// Returns the call that adds a constant gradient, such as that of a parameter
/// which the loss does not read: the last one that reads the parameter, or the
/// last of all.
int64_t AccumulatorDivider::findCallOfConstant(TensorAttr accumulator) {
  std::optional<int64_t> last;
  for (BlockArgument arg : accumulate.getArguments())
    if (TensorAttr tensor = getArgTensor(accumulate, arg.getArgNumber());
        isParameter(tensor) && tensor.getName() == accumulator.getOwner())
      last = findReaders(arg, assigned).last;
  return last.value_or(calls.size() - 1);
}

AccumulatorPlaces AccumulatorDivider::run() {
  for (unsigned number : llvm::seq(accumulate.getNumResults())) {
    TensorAttr tensor = getResultTensor(accumulate, number);
    if (!hasRole(tensor, TensorRole::Accumulator))
      continue;
    Value value = accumulate.front().getTerminator()->getOperand(number);
    std::optional<int64_t> call = getCall(value);
    if (!call) {
      call = findCallOfConstant(tensor);
      if (Operation *op = value.getDefiningOp())
        assigned[op] = *call;
    }
    int64_t home = *getStage(call);
    places[tensor.getName()] = {home, home};
    auto sum = value.getDefiningOp<stablehlo::AddOp>();
    if (!sum || !isa<BlockArgument>(sum.getLhs()))
      continue;
    llvm::MapVector<int64_t, SmallVector<Term>> terms;
    for (const Term &term : findTerms(sum.getRhs()))
      terms[getStage(term.call).value_or(home)].push_back(term);
    if (terms.size() > 1 && terms.contains(home))
      divide(number, sum, terms);
  }
  return std::move(places);
}

AccumulatorPlaces mlir::boost::divideAccumulators(
    func::FuncOp accumulate, ArrayRef<func::FuncOp> updates,
    const StageCalls &calls, DenseMap<Operation *, int64_t> &assigned,
    int64_t stages) {
  return AccumulatorDivider(accumulate, updates, calls, assigned, stages).run();
}
