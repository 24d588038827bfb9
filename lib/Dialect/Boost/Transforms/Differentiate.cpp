//===- Differentiate.cpp - From a loss to its gradient --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reverse mode over the single block of @loss. Walks the copied forward pass
// backwards, asks each operation's rule for the gradients of those operands
// that depend on a parameter, and adds up what reaches the same value. Refuses
// operations without a rule on the way from a parameter to the loss.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/Layers.h"
#include "boost-mlir/Dialect/Boost/IR/Parts.h"
#include "boost-mlir/Dialect/Boost/IR/Spread.h"
#include "boost-mlir/Dialect/Boost/IR/StopGradient.h"
#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h"
#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "boost-mlir/Interfaces/DifferentiableOpInterface.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::boost {
#define GEN_PASS_DEF_DIFFERENTIATEPASS
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h.inc"
} // namespace mlir::boost

using namespace mlir;
using namespace mlir::boost;

static bool isFloatTensor(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && isa<FloatType>(type.getElementType());
}

/// Everything an operation reads, also from inside its regions.
static SetVector<Value> getInputs(Operation *op) {
  SetVector<Value> inputs(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), inputs);
  return inputs;
}

static bool isTrained(func::FuncOp function, unsigned arg) {
  return hasRole(function, arg, TensorRole::Param);
}

//===----------------------------------------------------------------------===//
// Reverse mode
//===----------------------------------------------------------------------===//

namespace {
/// Says of every operation that a rule creates which part of the model it
/// belongs to, and which layer: those of the operation it differentiates.
class PartListener : public LayerBuilderListener {
public:
  void enter(Operation *op) {
    LayerBuilderListener::enter(op);
    component = op->getAttr(kComponentAttr);
    made.clear();
  }

  /// Returns the operations that have been created since.
  ArrayRef<Operation *> getMade() const { return made; }

  void notifyOperationInserted(Operation *op,
                               OpBuilder::InsertPoint previous) override {
    LayerBuilderListener::notifyOperationInserted(op, previous);
    bool isTopLevel = isa_and_present<func::FuncOp>(op->getParentOp());
    if (component && isTopLevel && !op->hasTrait<OpTrait::ConstantLike>())
      op->setAttr(kComponentAttr, component);
    if (isTopLevel)
      made.push_back(op);
  }

private:
  Attribute component;
  SmallVector<Operation *> made;
};

/// Appends the backward pass to a copy of the loss.
class ReverseMode {
public:
  explicit ReverseMode(func::FuncOp function)
      : function(function), builder(function.getContext(), &listener) {}

  /// Builds the gradients of `loss`, a value of the function's block, in front
  /// of its terminator.
  LogicalResult run(Value loss);

  /// Null for a value the loss does not depend on.
  Value getGradient(Value value) const { return gradients.lookup(value); }

private:
  void findActiveValues();
  LogicalResult differentiate(Operation *op);
  LogicalResult addGradients(Operation *op, const GradientBuilder &rule);
  InFlightDiagnostic refuse(Operation *op, const Twine &why);
  BlockArgument findParameter(Operation *op) const;

  func::FuncOp function;
  PartListener listener;
  OpBuilder builder;
  /// Floating-point values that depend on a parameter.
  DenseSet<Value> active;
  DenseMap<Value, Value> gradients;
};
} // namespace

void ReverseMode::findActiveValues() {
  Block &block = function.front();
  for (BlockArgument arg : block.getArguments())
    if (isTrained(function, arg.getArgNumber()))
      active.insert(arg);
  auto isActive = [&](Value value) { return active.contains(value); };
  for (Operation &op : block)
    if (!isa<StopGradientOp>(op) && llvm::any_of(getInputs(&op), isActive))
      active.insert_range(
          llvm::make_filter_range(op.getResults(), isFloatTensor));
}

LogicalResult ReverseMode::run(Value loss) {
  findActiveValues();
  Block &block = function.front();
  auto forward = llvm::map_to_vector(block.without_terminator(),
                                     [](Operation &op) { return &op; });
  builder.setInsertionPoint(block.getTerminator());
  PhaseOp::create(builder, loss.getLoc(), Phase::Backward);
  if (active.contains(loss))
    gradients[loss] = stablehlo::splatLike(builder, loss.getLoc(), loss, 1);
  for (Operation *op : llvm::reverse(forward))
    if (failed(differentiate(op)))
      return failure();
  return success();
}

/// Gradients are sharded like what they are gradients of, where a placement has
/// said how that is. What defines several gradients goes by the first.
static void handOnShardings(Operation *op, ArrayRef<Value> gradients) {
  auto shardings = op->getAttrOfType<ArrayAttr>(kShardingsAttr);
  if (!shardings)
    return;
  for (auto [sharding, gradient] :
       llvm::zip_equal(shardings.getValue(), gradients)) {
    Operation *maker = gradient ? gradient.getDefiningOp() : nullptr;
    if (maker && maker->getNumResults() == 1 &&
        !maker->hasTrait<OpTrait::ConstantLike>() &&
        !maker->hasAttr(kShardingsAttr))
      maker->setAttr(kShardingsAttr,
                     ArrayAttr::get(op->getContext(), {sharding}));
  }
}

/// The value of which this is another type.
static Value skipConversions(Value value) {
  while (auto convert = value.getDefiningOp<stablehlo::ConvertOp>())
    value = convert.getOperand();
  return value;
}

namespace {
/// Spreads the operations that compute the gradients of `op` along the loop
/// along which `op` is, where a placement has said so: those that read nothing
/// but operands of `op`, gradients of its results, and constants. If all ranks
/// repeat `op`, they repeat all operations that compute its gradients.
class SpreadOfGradients {
public:
  SpreadOfGradients(Operation *op, ArrayRef<Value> ofResults,
                    ArrayRef<Value> ofOperands);

  void handOnTo(Operation *made) const;

private:
  void handLoopOnTo(Operation *made, NamedAttribute axis) const;
  /// Finds the tensor of `op` that `value` corresponds to in `made`.
  std::optional<unsigned> findTensor(Value value) const;

  DictionaryAttr spread;
  DenseMap<Value, unsigned> tensors, gradients;
};
} // namespace

SpreadOfGradients::SpreadOfGradients(Operation *op, ArrayRef<Value> ofResults,
                                     ArrayRef<Value> ofOperands)
    : spread(op->getAttrOfType<DictionaryAttr>(kGradientSpreadAttr)) {
  if (!spread)
    spread = op->getAttrOfType<DictionaryAttr>(kSpreadAttr);
  for (auto [i, operand, gradient] :
       llvm::enumerate(op->getOperands(), ofOperands)) {
    tensors.insert({skipConversions(operand), i});
    if (gradient)
      gradients.insert({skipConversions(gradient), i});
  }
  for (auto [i, gradient] : llvm::enumerate(ofResults))
    if (gradient)
      tensors.insert({skipConversions(gradient), op->getNumOperands() + i});
}

std::optional<unsigned> SpreadOfGradients::findTensor(Value value) const {
  auto found = tensors.find(skipConversions(value));
  return found == tensors.end() ? std::nullopt : std::optional(found->second);
}

/// Returns true if all ranks of an axis repeat an operation.
static bool isRepeated(ArrayRef<int64_t> dims) {
  return llvm::all_of(dims, [](int64_t dim) { return dim < 0; });
}

void SpreadOfGradients::handOnTo(Operation *made) const {
  if (!spread || made->getNumOperands() == 0)
    return;
  for (NamedAttribute axis : spread) {
    size_t tensors = made->getNumOperands() + made->getNumResults();
    if (isRepeated(cast<DenseI64ArrayAttr>(axis.getValue())))
      setSpread(made, kSpreadAttr, axis.getName(),
                SmallVector<int64_t>(tensors, -1));
    else if (!made->hasTrait<OpTrait::Elementwise>())
      handLoopOnTo(made, axis);
  }
}

void SpreadOfGradients::handLoopOnTo(Operation *made,
                                     NamedAttribute axis) const {
  SmallVector<std::optional<unsigned>> read;
  for (Value operand : made->getOperands()) {
    read.push_back(findTensor(operand));
    Operation *maker = operand.getDefiningOp();
    bool isConstant = maker && maker->hasTrait<OpTrait::ConstantLike>();
    if (!read.back() && !isConstant)
      return;
  }
  if (llvm::none_of(read, [](auto tensor) { return tensor.has_value(); }))
    return;
  ArrayRef<int64_t> known = cast<DenseI64ArrayAttr>(axis.getValue());
  SmallVector<int64_t> dims;
  for (std::optional<unsigned> tensor : read)
    dims.push_back(tensor ? known[*tensor] : -1);
  for (Value result : made->getResults()) {
    auto found = gradients.find(result);
    dims.push_back(found == gradients.end() ? -1 : known[found->second]);
  }
  setSpread(made, kSpreadAttr, axis.getName(), dims);
}

LogicalResult ReverseMode::differentiate(Operation *op) {
  auto ofResults = llvm::map_to_vector(
      op->getResults(), [&](Value result) { return getGradient(result); });
  auto wanted = llvm::map_to_vector(
      op->getOperands(), [&](Value value) { return active.contains(value); });
  if (llvm::none_of(ofResults, [](Value value) { return bool(value); }))
    return success();

  auto differentiable = dyn_cast<DifferentiableOpInterface>(op);
  if (!differentiable) {
    InFlightDiagnostic diag = refuse(op, "has no gradient");
    diag.attachNote() << "write the loss without it, or mark what is not to be "
                         "trained "
                      << kArgAttr << " = \"batch\"";
    return diag;
  }
  handOnShardings(op, ofResults);
  listener.enter(op);
  GradientBuilder rule(builder, op, ofResults, wanted);
  differentiable.buildGradients(rule);
  if (!rule.getRefusal().empty())
    return refuse(op, rule.getRefusal());
  SpreadOfGradients spread(op, ofResults, rule.getOperandGradients());
  for (Operation *made : listener.getMade())
    spread.handOnTo(made);
  return addGradients(op, rule);
}

LogicalResult ReverseMode::addGradients(Operation *op,
                                        const GradientBuilder &rule) {
  for (auto [i, gradient] : llvm::enumerate(rule.getOperandGradients())) {
    if (!gradient || !rule.wants(i))
      continue;
    Value operand = op->getOperand(i);
    if (gradient.getType() != operand.getType())
      return op->emitOpError() << "expects a gradient of type "
                               << operand.getType() << " for operand " << i
                               << ", but its rule made " << gradient.getType();
    Value &sum = gradients[operand];
    sum = sum ? stablehlo::AddOp::create(builder, op->getLoc(), sum, gradient)
                    .getResult()
              : gradient;
  }
  return success();
}

/// A parameter that the results of `op` depend on.
BlockArgument ReverseMode::findParameter(Operation *op) const {
  SmallVector<Operation *> pending = {op};
  DenseSet<Operation *> seen;
  while (!pending.empty()) {
    for (Value operand : getInputs(pending.pop_back_val())) {
      if (!active.contains(operand))
        continue;
      if (auto arg = dyn_cast<BlockArgument>(operand))
        return arg;
      if (seen.insert(operand.getDefiningOp()).second)
        pending.push_back(operand.getDefiningOp());
    }
  }
  return {};
}

/// An error at `op` that names a parameter it concerns.
InFlightDiagnostic ReverseMode::refuse(Operation *op, const Twine &why) {
  InFlightDiagnostic diag = op->emitOpError() << why;
  if (BlockArgument arg = findParameter(op))
    diag.attachNote(arg.getLoc())
        << "parameter '" << getArgName(function, arg.getArgNumber())
        << "' reaches the loss through it";
  return diag;
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

/// The result that is differentiated: the loss, or the only one.
static FailureOr<unsigned> findLossResult(func::FuncOp function) {
  auto isLoss = [&](unsigned i) {
    return hasRole(getResultTensor(function, i), TensorRole::Loss);
  };
  unsigned count = function.getNumResults(), found = 0;
  if (count != 1)
    while (found < count && !isLoss(found))
      ++found;
  if (found == count) {
    emitError(function.getLoc())
        << "expects one result, or one with the role 'loss', but got " << count
        << " results";
    return failure();
  }
  auto type = dyn_cast<RankedTensorType>(function.getResultTypes()[found]);
  if (type && type.getRank() == 0 && isa<FloatType>(type.getElementType()))
    return found;
  emitError(function.getLoc())
      << "expects a floating-point scalar as loss, but got "
      << function.getResultTypes()[found];
  return failure();
}

static LogicalResult checkLoss(func::FuncOp function) {
  if (!llvm::hasSingleElement(function.getBody()))
    return emitError(function.getLoc(),
                     "expects a body of one block: import a program "
                     "by boost-import-pipeline first");
  auto isParam = [&](unsigned i) { return isTrained(function, i); };
  if (llvm::none_of(llvm::seq(function.getNumArguments()), isParam))
    return emitError(function.getLoc())
           << "expects an argument with the role 'param' to differentiate by, "
              "but got none";
  return success();
}

/// The attributes of the gradient of a parameter, which is sharded like it.
static DictionaryAttr getGradientAttrs(func::FuncOp function, unsigned arg) {
  NamedAttrList attrs;
  attrs.set(kTensorAttr,
            TensorAttr::getGradientOf(getArgTensor(function, arg)));
  if (Attribute sharding = function.getArgAttr(arg, kShardingAttr))
    attrs.set(kShardingAttr, sharding);
  setPartsOf(attrs, function.getArgAttrDict(arg), kGradientPrefix);
  return attrs.getDictionary(function.getContext());
}

/// Makes the function return the loss and one gradient per parameter.
static void returnGradients(func::FuncOp function, unsigned lossResult,
                            Value loss, const ReverseMode &reverse) {
  SmallVector<Value> results = {loss};
  NamedAttrList lossAttrs(function.getResultAttrDict(lossResult));
  lossAttrs.set(
      kTensorAttr,
      TensorAttr::get(TensorRole::Loss,
                      StringAttr::get(function.getContext(), kLossFunction)));
  SmallVector<DictionaryAttr> attrs = {
      lossAttrs.getDictionary(function.getContext())};

  Operation *terminator = function.front().getTerminator();
  OpBuilder builder(terminator);
  for (BlockArgument arg : function.getArguments()) {
    if (!isTrained(function, arg.getArgNumber()))
      continue;
    Value gradient = reverse.getGradient(arg);
    if (!gradient) {
      emitRemark(arg.getLoc()) << "the loss does not depend on parameter '"
                               << getArgName(function, arg.getArgNumber())
                               << "': its gradient is zero";
      gradient = stablehlo::splatLike(builder, arg.getLoc(), arg, 0);
    }
    results.push_back(gradient);
    attrs.push_back(getGradientAttrs(function, arg.getArgNumber()));
  }
  terminator->setOperands(results);
  function.setType(builder.getFunctionType(function.getArgumentTypes(),
                                           TypeRange(ValueRange(results))));
  function.setAllResultAttrs(attrs);
}

/// Replaces values that counted as constants by what they are computed from.
static void eraseStops(func::FuncOp function) {
  function.walk([](StopGradientOp op) {
    op.replaceAllUsesWith(op.getInput());
    op.erase();
  });
}

namespace {
struct DifferentiatePass
    : public boost::impl::DifferentiatePassBase<DifferentiatePass> {
  using DifferentiatePassBase::DifferentiatePassBase;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    auto loss = symbols.lookup<func::FuncOp>(kLossFunction);
    if (!loss) {
      emitError(getOperation().getLoc())
          << "expects a function @" << kLossFunction
          << " to differentiate, but there is none";
      return signalPassFailure();
    }
    if (Operation *previous = symbols.lookup(kGradientFunction)) {
      emitError(previous->getLoc()) << "expects no @" << kGradientFunction
                                    << " yet, but it is defined here";
      return signalPassFailure();
    }
    FailureOr<unsigned> result = findLossResult(loss);
    if (failed(result))
      return signalPassFailure();
    if (failed(checkLoss(loss)))
      return signalPassFailure();

    func::FuncOp gradient = loss.clone();
    gradient.setName(kGradientFunction);
    symbols.insert(gradient, std::next(Block::iterator(loss)));
    Value value = gradient.front().getTerminator()->getOperand(*result);
    ReverseMode reverse(gradient);
    if (failed(reverse.run(value)))
      return signalPassFailure();
    returnGradients(gradient, *result, value, reverse);
    for (func::FuncOp function : {loss, gradient})
      eraseStops(function);
    if (nondeterministic)
      gradient.walk([](AttentionGradOp op) { op.setNondeterministic(true); });
    if (failed(verifyTensorNames(gradient)))
      signalPassFailure();
  }
};
} // namespace
