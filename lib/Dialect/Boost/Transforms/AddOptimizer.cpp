//===- AddOptimizer.cpp - From a gradient to a training step --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies the body of @gradient into @step and appends the update of the
// parameters; with gradient accumulation, into @accumulate, and puts the update
// into @update.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/Parts.h"
#include "boost-mlir/Dialect/Boost/IR/Schedule.h"
#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h"
#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::boost {
#define GEN_PASS_DEF_ADDOPTIMIZERPASS
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h.inc"
} // namespace mlir::boost

using namespace mlir;
using namespace mlir::boost;

/// Added to the norm before dividing, as PyTorch's clip_grad_norm_ does.
static constexpr double kClipEps = 1e-6;

/// The hyper-parameters, each with a value at which a step is well conditioned.
static constexpr double kSampleBeta2 = 0.95;
static constexpr std::pair<StringLiteral, double> kHypers[] = {
    {"lr", 1},
    {"step", 1},
    {"clip_norm", 1},
    {"beta1", 0.9},
    {"beta2", kSampleBeta2},
    {"eps", 1e-8},
    {"weight_decay", 0.1}};

namespace {
/// A trained argument of @gradient.
struct Parameter {
  BlockArgument arg;
  DictionaryAttr attrs;
  TensorAttr tensor;

  RankedTensorType getType() const {
    return cast<RankedTensorType>(arg.getType());
  }
  bool decays() const { return tensor.getDecay().getValue(); }
  /// Returns true for bf16 and f16 parameters, whose small updates are lost to
  /// rounding.
  bool isNarrow() const {
    Type element = getType().getElementType();
    return element.isBF16() || element.isF16();
  }

  /// Returns the attributes of its new value: `boost.tensor`, sharding and
  /// parts.
  DictionaryAttr getResultAttrs() const {
    NamedAttrList result;
    for (StringRef name : {kTensorAttr, kShardingAttr, kPartsAttr})
      if (Attribute attr = attrs.get(name))
        result.set(name, attr);
    return result.getDictionary(attrs.getContext());
  }
};

/// A state of a parameter: its kind, the prefix of its name, its initial value,
/// and a value at which a step of AdamW is well conditioned. From v = 0 the
/// first step would depend on the sign of the gradient only. From v = 1 - beta2
/// it is nearly the gradient at the rate 1.
struct StateKind {
  StringLiteral kind, prefix, init;
  double sample;
};

/// A function that is put together argument by argument, result by result.
class FunctionBuilder {
public:
  FunctionBuilder(FunctionOpInterface after, StringRef name)
      : builder(after.getContext()) {
    builder.setInsertionPointAfter(after);
    function = func::FuncOp::create(builder, after.getLoc(), name,
                                    builder.getFunctionType({}, {}));
    builder.setInsertionPointToStart(function.addEntryBlock());
  }

  Value addArg(Type type, DictionaryAttr attrs, Location loc) {
    argAttrs.push_back(attrs);
    return function.front().addArgument(type, loc);
  }

  /// Adds an argument for one of another function, for `copyBody`.
  Value addCopyOf(BlockArgument arg, DictionaryAttr attrs) {
    Value copy = addArg(arg.getType(), attrs, arg.getLoc());
    mapping.map(arg, copy);
    return copy;
  }

  /// Appends the operations of a block whose arguments were added, and returns
  /// what its terminator reads.
  SmallVector<Value> copyBody(Block &block) {
    for (Operation &op : block.without_terminator())
      builder.clone(op, mapping);
    return llvm::map_to_vector(
        block.getTerminator()->getOperands(),
        [&](Value value) { return mapping.lookup(value); });
  }

  void addResult(Value value, DictionaryAttr attrs) {
    results.push_back(value);
    resultAttrs.push_back(attrs);
  }

  /// Ends the function. Fails if it calls something like an argument.
  FailureOr<FunctionOpInterface> finish() {
    func::ReturnOp::create(builder, function.getLoc(), results);
    function.setType(builder.getFunctionType(
        function.front().getArgumentTypes(), TypeRange(ValueRange(results))));
    function.setAllArgAttrs(argAttrs);
    function.setAllResultAttrs(resultAttrs);
    if (failed(verifyTensorNames(function)))
      return failure();
    return cast<FunctionOpInterface>(*function);
  }

  OpBuilder &getBuilder() { return builder; }
  Location getLoc() { return function.getLoc(); }

private:
  OpBuilder builder;
  IRMapping mapping;
  func::FuncOp function;
  SmallVector<DictionaryAttr> argAttrs, resultAttrs;
  SmallVector<Value> results;
};

/// The functions of one training program.
class Training {
public:
  Training(func::FuncOp gradient, const AddOptimizerPassOptions &options);

  /// Builds the functions and the schedule that calls them.
  LogicalResult build();

  /// Returns the description of the optimizer for the manifest.
  DictionaryAttr describe();
  void warnOfNarrowParameters() const;

private:
  /// The values that the update reads and replaces. A parameter without a
  /// master has none in `masters`.
  struct State {
    SmallVector<Value> params, masters, m, v;
  };
  struct Hyper {
    Value lr, step, clipNorm, beta1, beta2, eps, weightDecay;
  };

  FailureOr<FunctionOpInterface> buildStep();
  FailureOr<FunctionOpInterface> buildAccumulate();
  FailureOr<FunctionOpInterface> buildUpdate(FunctionOpInterface accumulate);
  DictionaryAttr getAttrsOf(const Parameter &parameter, TensorAttr tensor,
                            StringRef prefix);
  DictionaryAttr getStateAttrs(const Parameter &parameter,
                               const StateKind &state);
  DictionaryAttr getSumAttrs(const Parameter &parameter);
  DictionaryAttr getScalarAttrs(TensorAttr tensor);
  SmallVector<Value> addParams(FunctionBuilder &f);
  bool hasMaster(const Parameter &parameter) const {
    return options.masterWeights && parameter.isNarrow();
  }
  SmallVector<Value> addMasters(FunctionBuilder &f);
  SmallVector<Value> addStates(FunctionBuilder &f, const StateKind &state);
  Value addState(FunctionBuilder &f, const Parameter &parameter,
                 const StateKind &state);
  SmallVector<Value> addSums(FunctionBuilder &f);
  void addBatch(FunctionBuilder &f);
  Hyper addHypers(FunctionBuilder &f);
  State addTrainedArgs(FunctionBuilder &f);
  void update(FunctionBuilder &f, const State &state, ValueRange grads,
              double gradScale, const Hyper &hyper);
  void addUpdated(FunctionBuilder &f, MutableArrayRef<AdamWOp> updates);

  func::FuncOp gradient;
  AddOptimizerPassOptions options;
  /// Micro-batches per update.
  int64_t microBatches;
  SmallVector<Parameter> parameters;
  SmallVector<BlockArgument> batch;
  StateKind master{kMasterKind, kMasterPrefix, kParamInit, 0};
  StateKind m{"m", "adamw.m.", "zeros", 0};
  StateKind v{"v", "adamw.v.", "zeros", 1 - kSampleBeta2};
  /// True if arguments have shardings, so that new ones need them too.
  bool isPlaced = false;
};
} // namespace

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

Training::Training(func::FuncOp gradient,
                   const AddOptimizerPassOptions &options)
    : gradient(gradient), options(options),
      microBatches(options.accumulate * countMicroBatches(gradient)) {
  for (BlockArgument arg : gradient.getArguments()) {
    unsigned i = arg.getArgNumber();
    TensorAttr tensor = getArgTensor(gradient, i);
    if (hasRole(tensor, TensorRole::Param))
      parameters.push_back({arg, gradient.getArgAttrDict(i), tensor});
    else
      batch.push_back(arg);
    isPlaced |= bool(gradient.getArgAttr(i, kShardingAttr));
  }
}

/// The attributes of a tensor that belongs to a parameter, and lies and is
/// packed like it. Its name is `prefix` and that of the parameter.
DictionaryAttr Training::getAttrsOf(const Parameter &parameter,
                                    TensorAttr tensor, StringRef prefix) {
  NamedAttrList attrs;
  attrs.set(kTensorAttr, tensor);
  if (Attribute sharding = parameter.attrs.get(kShardingAttr))
    attrs.set(kShardingAttr, sharding);
  setPartsOf(attrs, parameter.attrs, prefix, tensor.getInit());
  return attrs.getDictionary(gradient.getContext());
}

DictionaryAttr Training::getStateAttrs(const Parameter &parameter,
                                       const StateKind &state) {
  return getAttrsOf(parameter,
                    TensorAttr::getStateOf(parameter.tensor, state.prefix,
                                           state.kind, state.init,
                                           state.sample),
                    state.prefix);
}

/// Sums of gradients between two updates.
DictionaryAttr Training::getSumAttrs(const Parameter &parameter) {
  return getAttrsOf(parameter, TensorAttr::getAccumulatorOf(parameter.tensor),
                    kAccumulatorPrefix);
}

DictionaryAttr Training::getScalarAttrs(TensorAttr tensor) {
  NamedAttrList attrs;
  attrs.set(kTensorAttr, tensor);
  if (isPlaced)
    attrs.set(kShardingAttr,
              ShardingAttr::getReplicated(gradient.getContext(), /*rank=*/0));
  return attrs.getDictionary(gradient.getContext());
}

SmallVector<Value> Training::addParams(FunctionBuilder &f) {
  return llvm::map_to_vector(parameters, [&](const Parameter &p) {
    return f.addCopyOf(p.arg, p.attrs);
  });
}

/// An f32 tensor.
Value Training::addState(FunctionBuilder &f, const Parameter &p,
                         const StateKind &state) {
  Type f32 = Float32Type::get(gradient.getContext());
  return f.addArg(p.getType().clone(f32), getStateAttrs(p, state),
                  p.arg.getLoc());
}

/// One state per parameter.
SmallVector<Value> Training::addStates(FunctionBuilder &f,
                                       const StateKind &state) {
  return llvm::map_to_vector(
      parameters, [&](const Parameter &p) { return addState(f, p, state); });
}

SmallVector<Value> Training::addMasters(FunctionBuilder &f) {
  return llvm::map_to_vector(parameters, [&](const Parameter &p) {
    return hasMaster(p) ? addState(f, p, master) : Value();
  });
}

SmallVector<Value> Training::addSums(FunctionBuilder &f) {
  Type f32 = Float32Type::get(gradient.getContext());
  return llvm::map_to_vector(parameters, [&](const Parameter &p) {
    return f.addArg(p.getType().clone(f32), getSumAttrs(p), p.arg.getLoc());
  });
}

Training::State Training::addTrainedArgs(FunctionBuilder &f) {
  State state;
  state.params = addParams(f);
  state.masters = addMasters(f);
  state.m = addStates(f, m);
  state.v = addStates(f, v);
  return state;
}

void Training::addBatch(FunctionBuilder &f) {
  for (BlockArgument arg : batch)
    f.addCopyOf(arg, gradient.getArgAttrDict(arg.getArgNumber()));
}

Training::Hyper Training::addHypers(FunctionBuilder &f) {
  auto scalar =
      RankedTensorType::get({}, Float32Type::get(gradient.getContext()));
  SmallVector<Value, 7> args;
  for (auto [kind, sample] : kHypers) {
    auto tensor = TensorAttr::getHyper(gradient.getContext(), kind, sample);
    args.push_back(f.addArg(scalar, getScalarAttrs(tensor), f.getLoc()));
  }
  return {args[0], args[1], args[2], args[3], args[4], args[5], args[6]};
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

/// `min(1, clipNorm / (norm + 1e-6))`, and 1 if `clipNorm` is not positive.
static Value getClipScale(OpBuilder &b, Location loc, Value norm,
                          Value clipNorm) {
  Value one = stablehlo::splatLike(b, loc, norm, 1);
  Value zero = stablehlo::splatLike(b, loc, norm, 0);
  Value eps = stablehlo::splatLike(b, loc, norm, kClipEps);
  Value bound = stablehlo::AddOp::create(b, loc, norm, eps);
  Value ratio = stablehlo::DivOp::create(b, loc, clipNorm, bound);
  Value scale = stablehlo::MinOp::create(b, loc, one, ratio);
  Value clips = stablehlo::CompareOp::create(
      b, loc, clipNorm, zero, stablehlo::ComparisonDirection::GT);
  return stablehlo::SelectOp::create(b, loc, clips, scale, one);
}

/// The 2-norm of all gradients together, in f32.
static Value getNorm(OpBuilder &b, Location loc, ValueRange grads) {
  Type f32 = b.getF32Type(), f64 = b.getF64Type();
  bool isF64 = llvm::any_of(
      grads, [&](Value grad) { return getElementTypeOrSelf(grad) == f64; });
  Value squares = SumOfSquaresOp::create(
      b, loc, RankedTensorType::get({}, isF64 ? f64 : f32), grads);
  Value norm = stablehlo::SqrtOp::create(b, loc, squares);
  return stablehlo::convert(b, loc, norm, f32);
}

static Value multiplyBy(OpBuilder &b, Location loc, Value value,
                        double factor) {
  if (factor == 1)
    return value;
  Value constant = stablehlo::splatLike(b, loc, value, factor);
  return stablehlo::MulOp::create(b, loc, value, constant);
}

/// Appends the update by `gradScale * grads` and its results: the norm, then
/// what replaces the parameters and the states.
void Training::update(FunctionBuilder &f, const State &state, ValueRange grads,
                      double gradScale, const Hyper &hyper) {
  OpBuilder &b = f.getBuilder();
  Location loc = f.getLoc();
  auto phase = PhaseOp::create(b, loc, Phase::Optimizer);
  Value norm = multiplyBy(b, loc, getNorm(b, loc, grads), gradScale);
  Value scale =
      multiplyBy(b, loc, getClipScale(b, loc, norm, hyper.clipNorm), gradScale);
  f.addResult(
      norm, getScalarAttrs(TensorAttr::getMetric(b.getContext(), "grad_norm")));

  SmallVector<AdamWOp> updates;
  for (auto [i, p] : llvm::enumerate(parameters)) {
    Value updated = hasMaster(p) ? state.masters[i] : state.params[i];
    updates.push_back(AdamWOp::create(
        b, p.arg.getLoc(), updated.getType(), state.m[i].getType(),
        state.v[i].getType(), updated, state.m[i], state.v[i], grads[i],
        hyper.lr, hyper.step, scale, hyper.beta1, hyper.beta2, hyper.eps,
        hyper.weightDecay, p.decays()));
  }
  addUpdated(f, updates);
  for (Operation *op = phase->getNextNode(); op; op = op->getNextNode())
    if (!op->hasTrait<OpTrait::ConstantLike>())
      op->setAttr(kRegionAttr, b.getStringAttr(kOptimizerRegion));
}

/// Adds what replaces the parameters and the states: a parameter with a master
/// is that rounded.
void Training::addUpdated(FunctionBuilder &f,
                          MutableArrayRef<AdamWOp> updates) {
  for (auto [p, op] : llvm::zip(parameters, updates))
    f.addResult(stablehlo::convert(f.getBuilder(), p.arg.getLoc(),
                                   op.getNewParam(),
                                   p.getType().getElementType()),
                p.getResultAttrs());
  for (auto [p, op] : llvm::zip(parameters, updates))
    if (hasMaster(p))
      f.addResult(op.getNewParam(), getStateAttrs(p, master));
  for (auto [p, op] : llvm::zip(parameters, updates))
    f.addResult(op.getNewM(), getStateAttrs(p, m));
  for (auto [p, op] : llvm::zip(parameters, updates))
    f.addResult(op.getNewV(), getStateAttrs(p, v));
}

FailureOr<FunctionOpInterface> Training::buildStep() {
  FunctionBuilder f(gradient, kStepFunction);
  State state = addTrainedArgs(f);
  addBatch(f);
  Hyper hyper = addHypers(f);
  SmallVector<Value> values = f.copyBody(gradient.front());
  f.addResult(values[0], gradient.getResultAttrDict(0));
  update(f, state, ArrayRef(values).drop_front(), /*gradScale=*/1, hyper);
  return f.finish();
}

/// A gradient in f32; one that was rounded last of all, before that.
static Value widen(OpBuilder &b, Location loc, Value grad) {
  auto rounding = grad.getDefiningOp<stablehlo::ConvertOp>();
  Value exact = rounding ? rounding.getOperand() : Value();
  if (!exact || !getElementTypeOrSelf(exact).isF32())
    return stablehlo::convert(b, loc, grad, b.getF32Type());
  return exact;
}

FailureOr<FunctionOpInterface> Training::buildAccumulate() {
  FunctionBuilder f(gradient, kAccumulateFunction);
  addParams(f);
  SmallVector<Value> sums = addSums(f);
  addBatch(f);
  SmallVector<Value> values = f.copyBody(gradient.front());
  f.addResult(values[0], gradient.getResultAttrDict(0));

  OpBuilder &b = f.getBuilder();
  for (auto [p, sum, grad] :
       llvm::zip(parameters, sums, ArrayRef(values).drop_front())) {
    Location loc = p.arg.getLoc();
    Value wide = widen(b, loc, grad);
    Value next = stablehlo::AddOp::create(b, loc, sum, wide);
    next.getDefiningOp()->setAttr(kRegionAttr,
                                  b.getStringAttr(kGradientsRegion));
    f.addResult(next, getSumAttrs(p));
  }
  // Parameters may share a gradient; a rounding that is not needed any more
  // would count as a reader of the exact one.
  llvm::SetVector<Value> grads(std::next(values.begin()), values.end());
  for (Value grad : grads)
    if (auto rounding = grad.getDefiningOp<stablehlo::ConvertOp>();
        rounding && rounding->use_empty())
      rounding->erase();
  return f.finish();
}

FailureOr<FunctionOpInterface>
Training::buildUpdate(FunctionOpInterface accumulate) {
  FunctionBuilder f(accumulate, kUpdateFunction);
  State state = addTrainedArgs(f);
  SmallVector<Value> sums = addSums(f);
  Hyper hyper = addHypers(f);
  // The mean over the micro-batches costs one scalar: it joins the clipping.
  update(f, state, sums, 1.0 / static_cast<double>(microBatches), hyper);
  for (auto [p, sum] : llvm::zip(parameters, sums))
    f.addResult(stablehlo::splatLike(f.getBuilder(), p.arg.getLoc(), sum, 0),
                getSumAttrs(p));
  return f.finish();
}

LogicalResult Training::build() {
  SmallVector<FunctionOpInterface, 2> functions;
  auto add = [&](FailureOr<FunctionOpInterface> function) {
    if (succeeded(function))
      functions.push_back(*function);
    return succeeded(function);
  };
  bool isBuilt = microBatches == 1 ? add(buildStep())
                                   : add(buildAccumulate()) &&
                                         add(buildUpdate(functions.front()));
  if (!isBuilt)
    return failure();
  OpBuilder builder(gradient.getContext());
  builder.setInsertionPointAfter(functions.back());
  buildSchedule(builder, gradient.getLoc(), kTrainSchedule, microBatches,
                functions);
  return success();
}

DictionaryAttr Training::describe() {
  Builder b(gradient.getContext());
  bool hasMasters = llvm::any_of(parameters, [&](const Parameter &parameter) {
    return hasMaster(parameter);
  });
  return b.getDictionaryAttr(
      {b.getNamedAttr("name", b.getStringAttr(options.optimizer)),
       b.getNamedAttr("master_weights", b.getBoolAttr(hasMasters))});
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

/// Checks that results and parameters are those that boost-differentiate makes.
static LogicalResult checkGradient(func::FuncOp gradient) {
  unsigned params = 0;
  for (BlockArgument arg : gradient.getArguments())
    params += hasRole(arg, TensorRole::Param);
  if (params == 0 || gradient.getNumResults() != params + 1)
    return emitError(gradient.getLoc())
           << "expects the loss and one gradient for each of " << params
           << " parameters, but got " << gradient.getNumResults() << " results";
  for (BlockArgument arg : gradient.getArguments()) {
    TensorAttr tensor = getArgTensor(gradient, arg.getArgNumber());
    if (hasRole(tensor, TensorRole::Param) && !tensor.getDecay())
      return emitError(arg.getLoc())
             << "expects 'decay' of every parameter, but " << tensor.getName()
             << " has none: run boost-classify-parameters first";
  }
  return success();
}

/// Names that users know: those of the parts of what is packed.
static void appendNames(DictionaryAttr attrs, SmallVectorImpl<StringRef> &to) {
  SmallVector<PartAttr> parts = getParts(attrs);
  for (PartAttr part : parts)
    to.push_back(part.getName().getValue());
  if (parts.empty())
    to.push_back(getTensor(attrs).getName());
}

void Training::warnOfNarrowParameters() const {
  SmallVector<StringRef> names;
  const Parameter *first = nullptr;
  for (const Parameter &parameter : parameters) {
    if (!parameter.isNarrow() || hasMaster(parameter))
      continue;
    if (!first)
      first = &parameter;
    appendNames(parameter.attrs, names);
  }
  if (!first)
    return;
  constexpr size_t kShown = 3;
  auto diag =
      emitWarning(first->arg.getLoc())
      << names.size()
      << (names.size() == 1 ? " parameter is " : " parameters are ")
      << first->getType().getElementType()
      << " without an f32 copy, so that small updates are rounded away: ";
  llvm::interleaveComma(ArrayRef(names).take_front(kShown), diag,
                        [&](StringRef name) { diag << "'" << name << "'"; });
  if (names.size() > kShown)
    diag << " and " << names.size() - kShown << " more";
  diag.attachNote()
      << "master-weights=true keeps f32 copies as optimizer state";
}

namespace {
struct AddOptimizerPass
    : public boost::impl::AddOptimizerPassBase<AddOptimizerPass> {
  using AddOptimizerPassBase::AddOptimizerPassBase;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    auto gradient = symbols.lookup<func::FuncOp>(kGradientFunction);
    if (!gradient) {
      emitError(getOperation().getLoc())
          << "expects a function @" << kGradientFunction
          << ", but there is none: run boost-differentiate first";
      return signalPassFailure();
    }
    if (failed(checkOptions()) || failed(checkGradient(gradient)))
      return signalPassFailure();

    Training training(gradient, getOptions());
    training.warnOfNarrowParameters();
    getOperation()->setAttr(kOptimizerAttr, training.describe());
    if (failed(training.build()))
      signalPassFailure();
  }

private:
  AddOptimizerPassOptions getOptions() const {
    return {optimizer, accumulate, masterWeights};
  }

  LogicalResult checkOptions() {
    auto refuse = [&](const Twine &expected) {
      return emitError(getOperation().getLoc())
             << "boost-add-optimizer expects " << expected;
    };
    if (optimizer != "adamw")
      return refuse("optimizer=adamw, but got '" + optimizer + "'");
    if (accumulate < 1)
      return refuse("accumulate of 1 or more, but got " +
                    Twine(accumulate.getValue()));
    return success();
  }
};
} // namespace
