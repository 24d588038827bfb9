//===- StageUpdate.cpp - The update on pipeline stages --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StageUpdate.h"

#include "FunctionBuilder.h"
#include "RowDivision.h"
#include "StageCalls.h"

#include "boost-mlir/Dialect/Boost/IR/Parts.h"
#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "boost-mlir/Support/TensorTypes.h"
#include "mlir/IR/IRMapping.h"
#include <deque>

using namespace mlir;
using namespace mlir::boost;

namespace {
class UpdateDivider {
public:
  UpdateDivider(func::FuncOp update, const AccumulatorPlaces &accumulators,
                const Mesh &mesh, int16_t axis)
      : update(update), axis(axis), rows(mesh, [this](Value value) {
          return getStage(value).value_or(kEveryStage);
        }) {
    placeTensors(accumulators);
  }

  LogicalResult assign();
  /// Returns the numbers of the arguments that the function of a stage needs.
  DenseSet<unsigned> findArguments(int64_t stage);
  /// Builds the function of a stage, with these arguments.
  FailureOr<func::FuncOp> build(Operation *after, int64_t stage,
                                const DenseSet<unsigned> &arguments);

private:
  static constexpr int64_t kEveryStage = -1;

  /// What each stage adds to a sum over stages; nothing where it has none.
  using Terms = DenseMap<int64_t, Value>;

  void placeTensors(const AccumulatorPlaces &completed);
  std::optional<int64_t> getStage(TensorAttr tensor) const;
  std::optional<int64_t> getStage(Value value) const;
  LogicalResult visit(Operation *op);
  void divideByStage(Operation *op);
  void divideSum(SumOfSquaresOp op);
  LogicalResult divideRows(stablehlo::ConcatenateOp op, int64_t firstStage);
  LogicalResult divideReader(Operation *op);
  LogicalResult visitBuilt();
  Value addOverStages(Operation *before, const Terms &terms);
  bool isMadeOf(Operation *op, function_ref<bool(Value)> isKnown) const;
  bool isNumber(Value value);
  Value shareNumber(Value value, Operation *before);
  Value share(Value value, Operation *before);
  LogicalResult share(OpOperand &operand);
  LogicalResult shareResults();
  DenseSet<Operation *> findNeeded(int64_t stage);
  bool isReturned(unsigned number, int64_t stage);
  void copySum(FunctionBuilder &f, Operation *sum, int64_t stage);

  func::FuncOp update;
  int16_t axis;
  /// The stage of each parameter, by its name and by those of its parts.
  DenseMap<StringAttr, int64_t> parameters;
  AccumulatorPlaces accumulators;
  /// The stage of values that one stage computes. Others are computed by each
  /// stage that needs them.
  DenseMap<Value, int64_t> placed;
  /// The sums over stages, which all of them take part in. In the function that
  /// is divided such a sum has any of its terms as its operand.
  DenseMap<Operation *, Terms> sums;
  /// Numbers of one stage, and tensors made of these alone, as every stage has
  /// them.
  DenseMap<Value, Value> shared;
  /// The results of isNumber.
  DenseMap<Value, bool> numbers;
  /// Tensors with rows of several stages.
  RowDivider rows;
  std::deque<Stack> stacks;
};
} // namespace

//===----------------------------------------------------------------------===//
// Where tensors and operations are
//===----------------------------------------------------------------------===//

void UpdateDivider::placeTensors(const AccumulatorPlaces &completed) {
  accumulators = completed;
  for (unsigned i : llvm::seq(update.getNumArguments())) {
    TensorAttr tensor = getArgTensor(update, i);
    auto place = completed.find(tensor.getName());
    if (place != completed.end())
      parameters[tensor.getOwner()] = place->second.updatedOn;
  }
  for (unsigned i : llvm::seq(update.getNumArguments())) {
    TensorAttr tensor = getArgTensor(update, i);
    auto stage = parameters.find(tensor.getName());
    if (!isParameter(tensor) || stage == parameters.end())
      continue;
    int64_t number = stage->second;
    for (PartAttr part : getParts(update.getArgAttrDict(i)))
      parameters[part.getName()] = number;
  }
  for (BlockArgument arg : update.getArguments())
    if (std::optional<int64_t> stage =
            getStage(getArgTensor(update, arg.getArgNumber())))
      placed[arg] = *stage;
}

/// Returns the stage that updates a tensor: that of its parameter, the first
/// one of several.
std::optional<int64_t> UpdateDivider::getStage(TensorAttr tensor) const {
  auto find = [&](StringAttr name) -> std::optional<int64_t> {
    auto known = parameters.find(name);
    return known == parameters.end() ? std::nullopt
                                     : std::optional(known->second);
  };
  if (auto known = accumulators.find(tensor.getName());
      known != accumulators.end())
    return known->second.updatedOn;
  if (isParameter(tensor))
    return find(tensor.getName());
  std::optional<int64_t> first;
  for (StringAttr owner : tensor.getOwners())
    if (std::optional<int64_t> stage = find(owner))
      first = first ? std::min(*first, *stage) : *stage;
  // What belongs to no parameter, such as a count, is updated by every stage.
  return first;
}

std::optional<int64_t> UpdateDivider::getStage(Value value) const {
  auto known = placed.find(value);
  return known == placed.end() ? std::nullopt : std::optional(known->second);
}

//===----------------------------------------------------------------------===//
// Sums over stages
//===----------------------------------------------------------------------===//

/// Returns the sum of a number of each stage, which every stage gets.
Value UpdateDivider::addOverStages(Operation *before, const Terms &terms) {
  OpBuilder builder(before);
  Value any = terms.begin()->second;
  auto sum = SumOverStagesOp::create(
      builder, any.getLoc(), any.getType(), any,
      /*meeting=*/builder.getI64IntegerAttr(0),
      FlatSymbolRefAttr::get(builder.getContext(), kMeshSymbol),
      builder.getDenseI16ArrayAttr(axis));
  sum->setAttr(kComponentAttr, builder.getStringAttr(kOptimizerComponent));
  sums[sum] = terms;
  return sum;
}

/// Returns true if every stage can compute an operation from values that are
/// known.
bool UpdateDivider::isMadeOf(Operation *op,
                             function_ref<bool(Value)> isKnown) const {
  return isMemoryEffectFree(op) && op->getNumRegions() == 0 &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return !getStage(operand) || isKnown(operand);
         });
}

/// Returns true for a number, and for a tensor that is made of numbers, such as
/// a factor that is broadcast: every stage can compute it from the numbers.
bool UpdateDivider::isNumber(Value value) {
  if (auto known = numbers.find(value); known != numbers.end())
    return known->second;
  auto type = cast<RankedTensorType>(value.getType());
  Operation *op = value.getDefiningOp();
  bool isShared =
      type.getRank() == 0 && (isa<FloatType>(type.getElementType()) ||
                              type.getElementType().isInteger(1));
  if (!isShared && op)
    isShared = isMadeOf(op, [&](Value operand) { return isNumber(operand); });
  return numbers[value] = isShared;
}

/// Returns a number of one stage, or whether something is true there, as every
/// stage has it: the others add zero.
Value UpdateDivider::shareNumber(Value value, Operation *before) {
  int64_t stage = *getStage(value);
  if (isa<FloatType>(getElementTypeOrSelf(value.getType())))
    return addOverStages(before, {{stage, value}});
  OpBuilder builder(before);
  Location loc = value.getLoc();
  Value number = stablehlo::convert(builder, loc, value, builder.getF32Type());
  placed[number] = stage;
  Value sum = addOverStages(before, {{stage, number}});
  Value zero = stablehlo::splatLike(builder, loc, sum, 0);
  return stablehlo::CompareOp::create(builder, loc, sum, zero,
                                      stablehlo::ComparisonDirection::NE);
}

/// Returns what is a number, or made of numbers, as every stage has it.
Value UpdateDivider::share(Value value, Operation *before) {
  if (!getStage(value))
    return value;
  if (Value known = shared.lookup(value))
    return known;
  // A number that is made of numbers which are shared needs no sum of its own.
  Operation *op = value.getDefiningOp();
  bool isOne = cast<RankedTensorType>(value.getType()).getRank() == 0;
  if (isOne && !(op && isMadeOf(op, [&](Value operand) {
                   return shared.contains(operand);
                 }))) {
    Value everywhere = shareNumber(value, before);
    return shared[value] = everywhere;
  }
  IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, share(operand, before));
  OpBuilder builder(before);
  Operation *copy = builder.clone(*op, mapping);
  for (auto [own, other] :
       llvm::zip_equal(op->getResults(), copy->getResults()))
    shared[own] = other;
  return shared[value];
}

/// Lets every stage have what is a number, or made of numbers, of one stage.
LogicalResult UpdateDivider::share(OpOperand &operand) {
  Value value = operand.get();
  Operation *reader = operand.getOwner();
  if (!isNumber(value))
    return reader->emitError("expects the update to combine tensors of one "
                             "pipeline stage, and only numbers of several, but "
                             "operand ")
           << operand.getOperandNumber() << " is a " << value.getType()
           << " of stage " << *getStage(value);
  operand.set(share(value, reader));
  return success();
}

/// Divides a sum of squares into those of each stage and their sum.
void UpdateDivider::divideSum(SumOfSquaresOp op) {
  llvm::MapVector<int64_t, SmallVector<Value>> inputs;
  for (Value input : op.getInputs())
    inputs[getStage(input).value_or(0)].push_back(input);
  OpBuilder builder(op);
  Terms terms;
  for (auto &[stage, values] : inputs) {
    auto part = SumOfSquaresOp::create(builder, op.getLoc(), op.getType(),
                                       ValueRange(values));
    part->setAttrs(op->getAttrs());
    placed[part.getResult()] = stage;
    terms[stage] = part.getResult();
  }
  op.replaceAllUsesWith(addOverStages(op, terms));
  op.erase();
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

void UpdateDivider::divideByStage(Operation *op) {
  SmallVector<int64_t> groups =
      llvm::map_to_vector(op->getOperands(), [&](Value operand) {
        return getStage(operand).value_or(kEveryStage);
      });
  for (Operation *part : divide(op, groups))
    if (std::optional<int64_t> stage = getStage(part->getOperand(0)))
      for (Value result : part->getResults())
        placed[result] = *stage;
}

/// Divides a concatenation by the stages of its operands. Those that every
/// stage has are with those before them.
LogicalResult UpdateDivider::divideRows(stablehlo::ConcatenateOp op,
                                        int64_t firstStage) {
  auto dim = static_cast<int64_t>(op.getDimension());
  SmallVectorImpl<RowRange> &ranges = stacks.emplace_back().ranges;
  int64_t stage = firstStage, row = 0;
  for (Value operand : op.getOperands()) {
    stage = getStage(operand).value_or(stage);
    if (ranges.empty() || ranges.back().group != stage)
      ranges.push_back({stage, row, 0});
    int64_t count = getTensorType(operand).getDimSize(dim);
    ranges.back().count += count;
    row += count;
  }
  for (Value part : rows.demand(op, stacks.back(), dim)->parts)
    if (auto joined = part.getDefiningOp<stablehlo::ConcatenateOp>())
      joined->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  return visitBuilt();
}

/// Divides an operation that reads rows of several stages.
LogicalResult UpdateDivider::divideReader(Operation *op) {
  if (succeeded(rows.divide(op)))
    return visitBuilt();
  InFlightDiagnostic error =
      op->emitError("expects the update to combine tensors of one pipeline "
                    "stage, and only numbers of several, but '")
      << op->getName() << "' combines rows of several stages";
  for (Value operand : op->getOperands())
    if (rows.find(operand))
      error.attachNote(operand.getLoc())
          << "a " << operand.getType() << " has these rows";
  return error;
}

/// Places the operations that took the place of one that was divided.
LogicalResult UpdateDivider::visitBuilt() {
  for (Operation *op : rows.takeBuilt())
    if (failed(visit(op)))
      return failure();
  return success();
}

LogicalResult UpdateDivider::visit(Operation *op) {
  if (rows.reads(op))
    return divideReader(op);
  llvm::SmallSetVector<int64_t, 2> ofNumbers, ofTensors;
  for (Value operand : op->getOperands())
    if (std::optional<int64_t> stage = getStage(operand))
      (isNumber(operand) ? ofNumbers : ofTensors).insert(*stage);
  llvm::SmallSetVector<int64_t, 2> all = ofTensors;
  all.insert(ofNumbers.begin(), ofNumbers.end());
  if (all.empty())
    return success();
  if (all.size() > 1 && isDivisible(op)) {
    divideByStage(op);
    return success();
  }
  if (auto sum = dyn_cast<SumOfSquaresOp>(op); sum && ofTensors.size() > 1) {
    divideSum(sum);
    return success();
  }
  if (auto join = dyn_cast<stablehlo::ConcatenateOp>(op);
      join && ofTensors.size() > 1)
    return divideRows(join, ofTensors.front());
  std::optional<int64_t> stage;
  if (!ofTensors.empty())
    stage = ofTensors.front();
  else if (all.size() == 1)
    stage = all.front();
  for (OpOperand &operand : op->getOpOperands()) {
    std::optional<int64_t> own = getStage(operand.get());
    if (own && own != stage && failed(share(operand)))
      return failure();
  }
  if (stage)
    for (Value result : op->getResults())
      placed[result] = *stage;
  return success();
}

/// Lets every stage have the numbers that all of them return.
LogicalResult UpdateDivider::shareResults() {
  Operation *terminator = update.front().getTerminator();
  for (OpOperand &operand : terminator->getOpOperands()) {
    Value value = operand.get();
    std::optional<int64_t> own = getStage(value);
    TensorAttr tensor = getResultTensor(update, operand.getOperandNumber());
    bool isDivided = rows.find(value);
    if (!isDivided && (!own || own == getStage(tensor)))
      continue;
    if (isDivided || !isNumber(value)) {
      InFlightDiagnostic error = emitError(value.getLoc())
                                 << "expects '" << tensor.getName().getValue();
      if (isDivided)
        error << "' to be of one pipeline stage, but its rows are of several";
      else
        error << "', which is on every pipeline stage, to be made of numbers, "
                 "but it is computed from a tensor of stage "
              << *own;
      error.attachNote() << "a state is on the stage of a parameter if it "
                            "belongs to this parameter";
      return error;
    }
    operand.set(share(value, terminator));
  }
  return success();
}

LogicalResult UpdateDivider::assign() {
  for (Operation &op :
       llvm::make_early_inc_range(update.front().without_terminator()))
    if (failed(visit(&op)))
      return failure();
  if (failed(shareResults()))
    return failure();
  for (auto [meeting, sum] : llvm::enumerate(update.getOps<SumOverStagesOp>()))
    sum.setMeeting(static_cast<int64_t>(meeting));
  return success();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// Accumulators are reset where they were completed, too.
bool UpdateDivider::isReturned(unsigned number, int64_t stage) {
  TensorAttr tensor = getResultTensor(update, number);
  if (auto known = accumulators.find(tensor.getName());
      known != accumulators.end() && known->second.completedOn == stage)
    return true;
  std::optional<int64_t> own = getStage(tensor);
  return !own || own == stage;
}

/// Returns the operations that a stage has to compute.
DenseSet<Operation *> UpdateDivider::findNeeded(int64_t stage) {
  DenseSet<Operation *> needed;
  auto need = [&](Value value) {
    if (Operation *op = value.getDefiningOp())
      needed.insert(op);
  };
  for (auto [i, value] :
       llvm::enumerate(update.front().getTerminator()->getOperands()))
    if (isReturned(i, stage))
      need(value);
  for (Operation &op : llvm::reverse(update.front().without_terminator())) {
    if (auto sum = sums.find(&op); sum != sums.end()) {
      needed.insert(&op);
      if (Value term = sum->second.lookup(stage))
        need(term);
    } else if (isa<PhaseOp>(op)) {
      needed.insert(&op);
    } else if (needed.contains(&op)) {
      for (Value operand : op.getOperands())
        need(operand);
    }
  }
  return needed;
}

/// Appends a sum over stages of the term of this stage, or of zero.
void UpdateDivider::copySum(FunctionBuilder &f, Operation *sum, int64_t stage) {
  Value original = sum->getOperand(0);
  Value term = sums.lookup(sum).lookup(stage);
  f.map(original, term ? f.get(term)
                       : stablehlo::splat(f.getBuilder(), sum->getLoc(),
                                          original.getType(), 0));
  f.copy(*sum);
}

DenseSet<unsigned> UpdateDivider::findArguments(int64_t stage) {
  DenseSet<unsigned> arguments;
  auto take = [&](ValueRange values) {
    for (Value value : values)
      if (auto arg = dyn_cast<BlockArgument>(value))
        arguments.insert(arg.getArgNumber());
  };
  for (Operation *op : findNeeded(stage))
    if (auto sum = sums.find(op); sum == sums.end())
      take(op->getOperands());
    else if (Value term = sum->second.lookup(stage))
      take(term);
  // A reset accumulator is one that was taken.
  DenseSet<StringAttr> reset;
  Operation *terminator = update.front().getTerminator();
  for (unsigned i : llvm::seq(update.getNumResults())) {
    if (!isReturned(i, stage))
      continue;
    take(terminator->getOperand(i));
    if (TensorAttr tensor = getResultTensor(update, i);
        hasRole(tensor, TensorRole::Accumulator))
      reset.insert(tensor.getName());
  }
  for (unsigned i : llvm::seq(update.getNumArguments()))
    if (reset.contains(getArgTensor(update, i).getName()))
      arguments.insert(i);
  return arguments;
}

FailureOr<func::FuncOp>
UpdateDivider::build(Operation *after, int64_t stage,
                     const DenseSet<unsigned> &arguments) {
  DenseSet<Operation *> needed = findNeeded(stage);
  FunctionBuilder f(after, (update.getName() + "_" + Twine(stage)).str());
  for (BlockArgument arg : update.getArguments())
    if (arguments.contains(arg.getArgNumber()))
      f.addCopyOf(arg, update.getArgAttrDict(arg.getArgNumber()));
  for (Operation &op : update.front()) {
    if (!needed.contains(&op))
      continue;
    if (sums.contains(&op))
      copySum(f, &op, stage);
    else
      f.copy(op);
  }
  Operation *terminator = update.front().getTerminator();
  for (auto [i, value] : llvm::enumerate(terminator->getOperands()))
    if (isReturned(i, stage))
      f.addResult(f.get(value), update.getResultAttrDict(i));
  FailureOr<func::FuncOp> built = f.finish();
  if (failed(built))
    return failure();
  (*built)->setAttr(kStageAttr, f.getBuilder().getI64IntegerAttr(stage));
  (*built)->setAttr(kPartOfAttr, update.getSymNameAttr());
  return built;
}

FailureOr<SmallVector<SmallVector<func::FuncOp>>> mlir::boost::divideUpdates(
    ArrayRef<func::FuncOp> updates, const AccumulatorPlaces &accumulators,
    int64_t stages, const Mesh &mesh, int16_t pipelineAxis) {
  std::deque<UpdateDivider> dividers;
  for (func::FuncOp update : updates)
    if (failed(dividers.emplace_back(update, accumulators, mesh, pipelineAxis)
                   .assign()))
      return failure();
  SmallVector<DenseSet<unsigned>> arguments(stages);
  for (UpdateDivider &divider : dividers)
    for (auto [stage, taken] : llvm::enumerate(arguments))
      taken.insert_range(divider.findArguments(stage));
  SmallVector<SmallVector<func::FuncOp>> functions(updates.size());
  for (auto [update, divider, list] :
       llvm::zip_equal(updates, dividers, functions)) {
    Operation *after = update;
    for (int64_t stage : llvm::seq(stages)) {
      FailureOr<func::FuncOp> built =
          divider.build(after, stage, arguments[stage]);
      if (failed(built))
        return failure();
      list.push_back(*built);
      after = *built;
    }
  }
  for (func::FuncOp update : updates)
    update.erase();
  return functions;
}
