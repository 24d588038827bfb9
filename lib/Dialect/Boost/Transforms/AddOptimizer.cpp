//===- AddOptimizer.cpp - The update of the parameters --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes AdamW as a function in StableHLO, @update.
//
//===----------------------------------------------------------------------===//

#include "FunctionBuilder.h"

#include "boost-mlir/Dialect/Boost/IR/Optimizers.h"
#include "boost-mlir/Dialect/Boost/IR/Parts.h"
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h"
#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"

namespace mlir::boost {
#define GEN_PASS_DEF_ADDOPTIMIZERPASS
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h.inc"
} // namespace mlir::boost

using namespace mlir;
using namespace mlir::boost;

/// Added to the norm before dividing, as PyTorch's clip_grad_norm_ does.
static constexpr double kClipEps = 1e-6;

namespace {
/// A hyper-parameter, with two values at which a step is well conditioned, and
/// the option that sets it, if it is one.
struct Hyper {
  StringLiteral kind;
  double sample, nextSample;
  StringLiteral help = "";
  double defaultValue = 0;
  std::optional<double> min = std::nullopt, above = std::nullopt,
                        below = std::nullopt;
};
} // namespace

/// Returns what the argument of a hyper-parameter is.
static TensorAttr getTensor(MLIRContext *context, const Hyper &hyper) {
  Builder b(context);
  auto number = [&](std::optional<double> value) {
    return value ? b.getF64FloatAttr(*value) : FloatAttr();
  };
  OptionAttr option;
  if (!hyper.help.empty())
    option = OptionAttr::get(context, b.getStringAttr(hyper.help),
                             number(hyper.defaultValue), number(hyper.min),
                             number(hyper.above), number(hyper.below));
  return TensorAttr::getHyper(context, hyper.kind, hyper.sample,
                              hyper.nextSample, option);
}

static constexpr double kSampleBeta2 = 0.95;
static constexpr Hyper kHypers[] = {
    {"lr", 1, 0.5},
    {"step", 1, 2},
    // The second value clips.
    {"clip", 1, 0.01, "Largest gradient norm, 0 for no limit", 1, 0.0},
    {"beta1", 0.9, 0.9, "Decay of the first moment", 0.9, 0.0, {}, 1.0},
    {"beta2",
     kSampleBeta2,
     kSampleBeta2,
     "Decay of the second moment",
     0.95,
     0.0,
     {},
     1.0},
    {"eps",
     1e-8,
     1e-8,
     "Added to the root of the second moment",
     1e-8,
     {},
     0.0},
    {"weight_decay", 0.1, 0.1,
     "Decoupled weight decay of the parameters that decay, which `info` lists",
     0.1, 0.0}};

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

/// The update of all parameters by AdamW.
class AdamW {
public:
  AdamW(func::FuncOp gradient, bool masterWeights);

  /// Writes @update behind @gradient.
  LogicalResult write();
  /// Returns what the manifest says of the optimizer.
  DictionaryAttr describe();
  void warnOfNarrowParameters() const;

private:
  /// Scalars of a step, and what follows from them alone.
  struct Scalars {
    Value lr, scale, beta1, beta2, oneLessBeta1, oneLessBeta2, correction1,
        correction2, eps, decay;
  };
  struct Updated {
    Value param, m, v;
  };

  bool hasMaster(const Parameter &parameter) const {
    return masterWeights && parameter.isNarrow();
  }
  DictionaryAttr getStateAttrs(const Parameter &parameter,
                               const StateKind &state);
  DictionaryAttr getAttrsOf(const Parameter &parameter, TensorAttr tensor,
                            StringRef prefix);
  DictionaryAttr getScalarAttrs(TensorAttr tensor);
  Value addState(FunctionBuilder &f, const Parameter &parameter,
                 const StateKind &state);
  Value addGradient(FunctionBuilder &f, const Parameter &parameter);
  Scalars makeScalars(OpBuilder &b, Location loc, ValueRange hypers,
                      Value scale);
  Updated update(OpBuilder &b, const Parameter &parameter, const Updated &old,
                 Value grad, const Scalars &scalars);

  func::FuncOp gradient;
  bool masterWeights;
  SmallVector<Parameter> parameters;
  StateKind master{kMasterKind, kMasterPrefix, kParamInit, 0};
  StateKind m{"m", "adamw.m.", "zeros", 0};
  StateKind v{"v", "adamw.v.", "zeros", 1 - kSampleBeta2};
  /// True if arguments carry shardings, and new ones must.
  bool isPlaced = false;
};
} // namespace

//===----------------------------------------------------------------------===//
// Signature
//===----------------------------------------------------------------------===//

AdamW::AdamW(func::FuncOp gradient, bool masterWeights)
    : gradient(gradient), masterWeights(masterWeights) {
  for (BlockArgument arg : gradient.getArguments()) {
    unsigned i = arg.getArgNumber();
    TensorAttr tensor = getArgTensor(gradient, i);
    if (hasRole(tensor, TensorRole::Param))
      parameters.push_back({arg, gradient.getArgAttrDict(i), tensor});
    isPlaced |= bool(gradient.getArgAttr(i, kShardingAttr));
  }
}

DictionaryAttr AdamW::getStateAttrs(const Parameter &parameter,
                                    const StateKind &state) {
  return getAttrsOf(parameter,
                    TensorAttr::getStateOf(parameter.tensor, state.prefix,
                                           state.kind, state.init,
                                           state.sample),
                    state.prefix);
}

/// Returns the attributes of a tensor that belongs to a parameter, and lies and
/// is packed like it. Its name is `prefix` and that of the parameter.
DictionaryAttr AdamW::getAttrsOf(const Parameter &parameter, TensorAttr tensor,
                                 StringRef prefix) {
  NamedAttrList attrs;
  attrs.set(kTensorAttr, tensor);
  if (Attribute sharding = parameter.attrs.get(kShardingAttr))
    attrs.set(kShardingAttr, sharding);
  setPartsOf(attrs, parameter.attrs, prefix, tensor.getInit());
  return attrs.getDictionary(gradient.getContext());
}

DictionaryAttr AdamW::getScalarAttrs(TensorAttr tensor) {
  NamedAttrList attrs;
  attrs.set(kTensorAttr, tensor);
  if (isPlaced)
    attrs.set(kShardingAttr,
              ShardingAttr::getReplicated(gradient.getContext(), /*rank=*/0));
  return attrs.getDictionary(gradient.getContext());
}

/// Adds an f32 tensor.
Value AdamW::addState(FunctionBuilder &f, const Parameter &p,
                      const StateKind &state) {
  Type f32 = Float32Type::get(gradient.getContext());
  return f.addArg(p.getType().clone(f32), getStateAttrs(p, state),
                  p.arg.getLoc());
}

/// Adds the gradient of a parameter: in the type of the parameter, or in f32,
/// so that sums of gradients need not be rounded.
Value AdamW::addGradient(FunctionBuilder &f, const Parameter &p) {
  Type f32 = Float32Type::get(gradient.getContext());
  Type type = p.isNarrow() ? Type(p.getType().clone(f32)) : p.getType();
  return f.addArg(
      type, getAttrsOf(p, TensorAttr::getGradientOf(p.tensor), kGradientPrefix),
      p.arg.getLoc());
}

//===----------------------------------------------------------------------===//
// Body
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

/// Returns the 2-norm of all gradients together, in f32.
static Value getNorm(OpBuilder &b, Location loc, ValueRange grads) {
  Type f32 = b.getF32Type(), f64 = b.getF64Type();
  bool isF64 = llvm::any_of(
      grads, [&](Value grad) { return getElementTypeOrSelf(grad) == f64; });
  Value squares;
  for (Value grad : grads) {
    Value wide = stablehlo::convert(b, loc, grad, isF64 ? f64 : f32);
    Value square = stablehlo::MulOp::create(b, loc, wide, wide);
    auto dims = llvm::to_vector(
        llvm::seq<int64_t>(cast<RankedTensorType>(wide.getType()).getRank()));
    Value sum =
        dims.empty() ? square : stablehlo::reduceSum(b, loc, square, dims);
    squares = squares ? stablehlo::AddOp::create(b, loc, squares, sum) : sum;
  }
  Value norm = stablehlo::SqrtOp::create(b, loc, squares);
  return stablehlo::convert(b, loc, norm, f32);
}

AdamW::Scalars AdamW::makeScalars(OpBuilder &b, Location loc, ValueRange hypers,
                                  Value scale) {
  Value lr = hypers[0], step = hypers[1], beta1 = hypers[3], beta2 = hypers[4];
  Value one = stablehlo::splatLike(b, loc, lr, 1);
  auto lessThanOne = [&](Value value) -> Value {
    return stablehlo::SubtractOp::create(b, loc, one, value);
  };
  auto correction = [&](Value beta) -> Value {
    Value power = stablehlo::PowOp::create(b, loc, beta, step);
    return stablehlo::DivOp::create(b, loc, one, lessThanOne(power));
  };
  return {lr,
          scale,
          beta1,
          beta2,
          lessThanOne(beta1),
          lessThanOne(beta2),
          correction(beta1),
          correction(beta2),
          /*eps=*/hypers[5],
          /*decay=*/hypers[6]};
}

/// Loshchilov & Hutter 2019, Algorithm 2, in f32; a parameter of f64 itself is
/// updated in f64.
AdamW::Updated AdamW::update(OpBuilder &b, const Parameter &p,
                             const Updated &old, Value grad, const Scalars &s) {
  Location loc = p.arg.getLoc();
  ArrayRef<int64_t> shape = p.getType().getShape();
  auto add = [&](Value x, Value y) -> Value {
    return stablehlo::AddOp::create(b, loc, x, y);
  };
  auto multiply = [&](Value x, Value y) -> Value {
    return stablehlo::MulOp::create(b, loc, x, y);
  };
  auto times = [&](Value scalar, Value x) {
    return multiply(stablehlo::broadcastScalar(b, loc, scalar, shape), x);
  };
  Type f32 = b.getF32Type();
  Value g = times(s.scale, stablehlo::convert(b, loc, grad, f32));
  Value newM = add(times(s.beta1, old.m), times(s.oneLessBeta1, g));
  Value newV =
      add(times(s.beta2, old.v), multiply(times(s.oneLessBeta2, g), g));
  Value root = stablehlo::SqrtOp::create(b, loc, times(s.correction2, newV));
  Value change = stablehlo::DivOp::create(
      b, loc, times(s.correction1, newM),
      add(root, stablehlo::broadcastScalar(b, loc, s.eps, shape)));
  if (p.decays())
    change =
        add(change, times(s.decay, stablehlo::convert(b, loc, old.param, f32)));

  Type type = getElementTypeOrSelf(old.param);
  bool isNarrow = type.isBF16() || type.isF16();
  Type computed = isNarrow ? f32 : type;
  Value step = stablehlo::convert(b, loc, times(s.lr, change), computed);
  Value param = stablehlo::SubtractOp::create(
      b, loc, stablehlo::convert(b, loc, old.param, computed), step);
  return {stablehlo::convert(b, loc, param, type), newM, newV};
}

LogicalResult AdamW::write() {
  FunctionBuilder f(gradient, kUpdateFunction);
  SmallVector<Updated> old(parameters.size());
  SmallVector<Value> params, grads, hypers;
  for (const Parameter &p : parameters)
    params.push_back(f.addCopyOf(p.arg, p.attrs));
  for (auto [p, param, each] : llvm::zip_equal(parameters, params, old))
    each.param = hasMaster(p) ? addState(f, p, master) : param;
  for (auto [p, each] : llvm::zip_equal(parameters, old))
    each.m = addState(f, p, m);
  for (auto [p, each] : llvm::zip_equal(parameters, old))
    each.v = addState(f, p, v);
  for (const Parameter &p : parameters)
    grads.push_back(addGradient(f, p));
  auto scalar =
      RankedTensorType::get({}, Float32Type::get(gradient.getContext()));
  for (const Hyper &hyper : kHypers)
    hypers.push_back(f.addArg(
        scalar, getScalarAttrs(getTensor(gradient.getContext(), hyper)),
        f.getLoc()));

  OpBuilder &b = f.getBuilder();
  Location loc = f.getLoc();
  Value norm = getNorm(b, loc, grads);
  f.addResult(
      norm, getScalarAttrs(TensorAttr::getMetric(b.getContext(), "grad_norm")));
  Scalars scalars =
      makeScalars(b, loc, hypers, getClipScale(b, loc, norm, hypers[2]));
  SmallVector<Updated> updated;
  for (auto [p, each, grad] : llvm::zip_equal(parameters, old, grads))
    updated.push_back(update(b, p, each, grad, scalars));
  // A parameter with a master is that rounded.
  for (auto [p, each] : llvm::zip_equal(parameters, updated))
    f.addResult(stablehlo::convert(b, p.arg.getLoc(), each.param,
                                   p.getType().getElementType()),
                p.getResultAttrs());
  for (auto [p, each] : llvm::zip_equal(parameters, updated))
    if (hasMaster(p))
      f.addResult(each.param, getStateAttrs(p, master));
  for (auto [p, each] : llvm::zip_equal(parameters, updated))
    f.addResult(each.m, getStateAttrs(p, m));
  for (auto [p, each] : llvm::zip_equal(parameters, updated))
    f.addResult(each.v, getStateAttrs(p, v));
  return success(succeeded(f.finish()));
}

DictionaryAttr AdamW::describe() {
  Builder b(gradient.getContext());
  bool hasMasters = llvm::any_of(parameters, [&](const Parameter &parameter) {
    return hasMaster(parameter);
  });
  return b.getDictionaryAttr(
      {b.getNamedAttr("name", b.getStringAttr("adamw")),
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

void AdamW::warnOfNarrowParameters() const {
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

/// Takes the update that the program brings along, in place of one of ours.
static LogicalResult takeUpdate(ModuleOp module, func::FuncOp gradient,
                                ModuleOp optimizer) {
  auto update =
      dyn_cast_or_null<func::FuncOp>(findUpdate(optimizer).getOperation());
  if (!update)
    return emitError(optimizer.getLoc())
           << "expects a function that takes gradients, but there is none";
  update->remove();
  update.setName(kUpdateFunction);
  module.getBody()->getOperations().insertAfter(gradient->getIterator(),
                                                update);
  Builder b(module.getContext());
  module->setAttr(kOptimizerAttr, b.getDictionaryAttr(b.getNamedAttr(
                                      "name", b.getStringAttr("given"))));
  optimizer.erase();
  return success();
}

namespace {
struct AddOptimizerPass
    : public boost::impl::AddOptimizerPassBase<AddOptimizerPass> {
  using AddOptimizerPassBase::AddOptimizerPassBase;

  void runOnOperation() override {
    if (failed(add()))
      signalPassFailure();
  }

private:
  LogicalResult add() {
    ModuleOp module = getOperation();
    SymbolTable symbols(module);
    auto gradient = symbols.lookup<func::FuncOp>(kGradientFunction);
    if (!gradient)
      return emitError(module.getLoc())
             << "expects a function @" << kGradientFunction
             << ", but there is none: run boost-differentiate first";
    if (failed(checkGradient(gradient)))
      return failure();
    if (auto given = symbols.lookup<ModuleOp>(kOptimizerSymbol))
      return takeUpdate(module, gradient, given);
    switch (optimizer) {
    case OptimizerKind::AdamW: {
      AdamW adamw(gradient, masterWeights);
      adamw.warnOfNarrowParameters();
      module->setAttr(kOptimizerAttr, adamw.describe());
      return adamw.write();
    }
    }
    llvm_unreachable("unknown optimizer");
  }
};
} // namespace
