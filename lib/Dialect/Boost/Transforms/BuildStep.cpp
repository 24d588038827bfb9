//===- BuildStep.cpp - From a gradient and an update to a step ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts the update behind the gradient: in one function, or, where gradients of
// several micro-batches are added up, in a function of its own.
//
//===----------------------------------------------------------------------===//

#include "FunctionBuilder.h"
#include "PackUpdate.h"

#include "boost-mlir/Dialect/Boost/IR/Mesh.h"
#include "boost-mlir/Dialect/Boost/IR/Optimizers.h"
#include "boost-mlir/Dialect/Boost/IR/Parts.h"
#include "boost-mlir/Dialect/Boost/IR/Schedule.h"
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h"
#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "boost-mlir/Dialect/StableHLO/IR/UpdateChoices.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::boost {
#define GEN_PASS_DEF_BUILDSTEPPASS
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h.inc"
} // namespace mlir::boost

using namespace mlir;
using namespace mlir::boost;

namespace {
/// A parameter under a name that the update uses: an argument of @gradient, or
/// a part of a packed one.
struct KnownParameter {
  /// The index among the parameters of @gradient.
  unsigned index;
  /// Null for a whole argument.
  PartAttr part;
};

class StepBuilder {
public:
  StepBuilder(func::FuncOp gradient, func::FuncOp update, int64_t accumulate,
              bool isPipeline);

  /// Builds the functions and the schedule that calls them.
  LogicalResult build();

private:
  using Values = SmallVector<Value>;

  FailureOr<func::FuncOp> buildStep();
  FailureOr<func::FuncOp> buildAccumulate();
  FailureOr<func::FuncOp> buildUpdate(func::FuncOp accumulate);

  LogicalResult checkUpdate();
  void packParts();
  LogicalResult checkResults();
  const KnownParameter *findParameter(StringAttr name) const;
  RankedTensorType getType(const KnownParameter &known) const;
  ShardingAttr getSharding(const KnownParameter &known);
  DictionaryAttr getParamAttrs(unsigned index);
  DictionaryAttr getSumAttrs(unsigned index);
  DictionaryAttr complete(DictionaryAttr attrs, Type type);

  Values addParams(FunctionBuilder &f);
  void addOwn(FunctionBuilder &f, TensorRole role);
  Values addSums(FunctionBuilder &f);
  Value take(OpBuilder &b, Location loc, Value whole,
             const KnownParameter &known) const;
  Value pack(OpBuilder &b, Location loc, unsigned index,
             const llvm::StringMap<Value> &parts);
  void appendUpdate(FunctionBuilder &f, ValueRange oldParams, ValueRange grads,
                    double factor);

  func::FuncOp gradient, update;
  int64_t microBatches;
  SmallVector<BlockArgument> params, batch;
  llvm::StringMap<KnownParameter> known;
  /// True if arguments carry shardings, and new ones must.
  bool isPlaced = false;
  /// True if the ranks form a pipeline, whose stages update when all
  /// micro-batches are through.
  bool isPipeline;
};
} // namespace

//===----------------------------------------------------------------------===//
// What the update names
//===----------------------------------------------------------------------===//

StepBuilder::StepBuilder(func::FuncOp gradient, func::FuncOp update,
                         int64_t accumulate, bool isPipeline)
    : gradient(gradient), update(update),
      microBatches(accumulate * countMicroBatches(gradient)),
      isPipeline(isPipeline) {
  for (BlockArgument arg : gradient.getArguments()) {
    unsigned number = arg.getArgNumber(), index = params.size();
    isPlaced |= bool(gradient.getArgAttr(number, kShardingAttr));
    TensorAttr tensor = getArgTensor(gradient, number);
    if (!hasRole(tensor, TensorRole::Param)) {
      batch.push_back(arg);
      continue;
    }
    params.push_back(arg);
    known[tensor.getName()] = {index, PartAttr()};
    for (PartAttr part : getParts(gradient.getArgAttrDict(number)))
      known[part.getName()] = {index, part};
  }
}

const KnownParameter *StepBuilder::findParameter(StringAttr name) const {
  auto it = name ? known.find(name.getValue()) : known.end();
  return it == known.end() ? nullptr : &it->second;
}

RankedTensorType StepBuilder::getType(const KnownParameter &known) const {
  auto type = cast<RankedTensorType>(params[known.index].getType());
  return known.part ? type.clone(known.part.getShape()) : type;
}

/// Checks that each argument is a parameter, a gradient of one, a state or a
/// hyper-parameter.
LogicalResult StepBuilder::checkUpdate() {
  for (BlockArgument arg : update.getArguments()) {
    TensorAttr tensor = getArgTensor(update, arg.getArgNumber());
    auto refuse = [&]() { return emitError(arg.getLoc()); };
    if (!tensor)
      return refuse() << "expects '" << kTensorAttr << "' on argument "
                      << arg.getArgNumber() << " of the update, but got none";
    TensorRole role = tensor.getRole();
    for (StringAttr owner : tensor.getOwners())
      if (!findParameter(owner))
        return refuse() << "expects the loss to have a parameter " << owner
                        << ", which " << tensor.getName()
                        << " belongs to, but it has none";
    if (role == TensorRole::State || role == TensorRole::Hyper)
      continue;
    bool isGradient = role == TensorRole::Gradient;
    if (!isGradient && role != TensorRole::Param)
      return refuse() << "expects a parameter, a gradient, a state or a "
                         "hyper-parameter in the update, but "
                      << tensor.getName() << " is a "
                      << stringifyTensorRole(role);
    StringAttr name = isGradient ? tensor.getOwner() : tensor.getName();
    const KnownParameter *parameter = findParameter(name);
    if (!parameter)
      return refuse() << "expects the loss to have a parameter " << name
                      << ", but it has none";
    auto type = cast<RankedTensorType>(arg.getType());
    RankedTensorType expected = getType(*parameter);
    bool fits = isGradient ? type.getShape() == expected.getShape() &&
                                 isa<FloatType>(type.getElementType())
                           : type == expected;
    if (!fits)
      return refuse() << "expects "
                      << (isGradient ? "the gradient of " : "the parameter ")
                      << name << " to be of type " << expected
                      << ", as the loss takes it, but got " << type;
  }
  return checkResults();
}

/// Checks that every parameter gets a new value, and nothing that is not an
/// argument does.
LogicalResult StepBuilder::checkResults() {
  llvm::StringMap<Type> arguments;
  for (BlockArgument arg : update.getArguments())
    arguments[getArgName(update, arg.getArgNumber())] = arg.getType();
  llvm::StringSet<> replaced;
  for (unsigned i : llvm::seq(update.getNumResults())) {
    TensorAttr tensor = getResultTensor(update, i);
    if (!tensor)
      return emitError(update.getLoc())
             << "expects '" << kTensorAttr << "' on result " << i
             << " of the update, but got none";
    if (hasRole(tensor, TensorRole::Metric))
      continue;
    auto argument = arguments.find(tensor.getName());
    if (argument == arguments.end() ||
        argument->second != update.getResultTypes()[i])
      return emitError(update.getLoc())
             << "expects result " << i << " of the update to replace an "
             << "argument " << tensor.getName() << " of type "
             << update.getResultTypes()[i] << ", but there is none";
    replaced.insert(tensor.getName());
  }
  for (BlockArgument param : params) {
    auto attrs = gradient.getArgAttrDict(param.getArgNumber());
    SmallVector<StringAttr> names = {getTensor(attrs).getName()};
    SmallVector<PartAttr> parts = getParts(attrs);
    if (!parts.empty() && !replaced.contains(names.front())) {
      names.clear();
      for (PartAttr part : parts)
        names.push_back(part.getName());
    }
    for (StringAttr name : names)
      if (!replaced.contains(name))
        return emitError(update.getLoc())
               << "expects the update to return a new value of the parameter "
               << name << ", but it returns none";
  }
  return success();
}

/// Packs the update of packed parameters whose parts it names, where it can.
void StepBuilder::packParts() {
  llvm::SetVector<unsigned> indices;
  for (unsigned i : llvm::seq(update.getNumArguments())) {
    TensorAttr tensor = getArgTensor(update, i);
    if (!hasRole(tensor, TensorRole::Param))
      continue;
    const KnownParameter &parameter = *findParameter(tensor.getName());
    if (parameter.part)
      indices.insert(parameter.index);
  }
  for (unsigned index : indices)
    packUpdate(update, getParamAttrs(index),
               cast<RankedTensorType>(params[index].getType()));
}

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

/// Returns the attributes of the new value of a parameter.
DictionaryAttr StepBuilder::getParamAttrs(unsigned index) {
  NamedAttrList result;
  DictionaryAttr attrs = gradient.getArgAttrDict(params[index].getArgNumber());
  for (StringRef name : {kTensorAttr, kShardingAttr, kPartsAttr})
    if (Attribute attr = attrs.get(name))
      result.set(name, attr);
  return result.getDictionary(gradient.getContext());
}

/// Returns the attributes of the sum of the gradients of a parameter, which
/// lies and is packed like it.
DictionaryAttr StepBuilder::getSumAttrs(unsigned index) {
  DictionaryAttr param = gradient.getArgAttrDict(params[index].getArgNumber());
  NamedAttrList attrs;
  attrs.set(kTensorAttr, TensorAttr::getAccumulatorOf(getTensor(param)));
  if (Attribute sharding = param.get(kShardingAttr))
    attrs.set(kShardingAttr, sharding);
  setPartsOf(attrs, param, kAccumulatorPrefix);
  return attrs.getDictionary(gradient.getContext());
}

/// Returns the sharding of a parameter, or null if it has none.
ShardingAttr StepBuilder::getSharding(const KnownParameter &known) {
  auto whole = gradient.getArgAttrOfType<ShardingAttr>(
      params[known.index].getArgNumber(), kShardingAttr);
  if (!whole || !known.part)
    return whole;
  return ShardingAttr::get(gradient.getContext(),
                           takePartDims(whole.getDimAxes(), known.part));
}

/// Adds a sharding to the attributes of a state, hyper-parameter or metric that
/// has none: that of the parameters that it belongs to if they have its shape
/// and one sharding, else a replicated one.
DictionaryAttr StepBuilder::complete(DictionaryAttr attrs, Type type) {
  if (!isPlaced || attrs.contains(kShardingAttr))
    return attrs;
  MLIRContext *context = gradient.getContext();
  auto shape = cast<RankedTensorType>(type).getShape();
  auto replicated = ShardingAttr::getReplicated(context, shape.size());
  ShardingAttr sharding;
  for (StringAttr name : getTensor(attrs).getOwners()) {
    const KnownParameter &owner = *findParameter(name);
    ShardingAttr own = getType(owner).getShape() == shape ? getSharding(owner)
                                                          : ShardingAttr();
    if (!own || (sharding && sharding != own))
      own = replicated;
    sharding = own;
  }
  NamedAttrList list(attrs);
  list.set(kShardingAttr, sharding ? sharding : replicated);
  return list.getDictionary(context);
}

SmallVector<Value> StepBuilder::addParams(FunctionBuilder &f) {
  return llvm::map_to_vector(params, [&](BlockArgument arg) {
    return f.addCopyOf(arg, gradient.getArgAttrDict(arg.getArgNumber()));
  });
}

/// Adds the arguments of the update that have this role.
void StepBuilder::addOwn(FunctionBuilder &f, TensorRole role) {
  for (BlockArgument arg : update.getArguments())
    if (hasRole(getArgTensor(update, arg.getArgNumber()), role))
      f.addCopyOf(arg, complete(update.getArgAttrDict(arg.getArgNumber()),
                                arg.getType()));
}

SmallVector<Value> StepBuilder::addSums(FunctionBuilder &f) {
  Type f32 = Float32Type::get(gradient.getContext());
  Values sums;
  for (auto [i, arg] : llvm::enumerate(params))
    sums.push_back(f.addArg(cast<RankedTensorType>(arg.getType()).clone(f32),
                            getSumAttrs(i), arg.getLoc()));
  return sums;
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

/// Returns a part of a packed tensor, or all of it.
Value StepBuilder::take(OpBuilder &b, Location loc, Value whole,
                        const KnownParameter &known) const {
  if (!known.part)
    return whole;
  auto type = cast<RankedTensorType>(whole.getType());
  int64_t rank = type.getRank(), dim = known.part.getDim();
  SmallVector<int64_t> start(rank, 0), limit(type.getShape()), strides(rank, 1);
  start[dim] = known.part.getOffset();
  limit[dim] = start[dim] + known.part.getExtent(rank);
  Value slice =
      stablehlo::SliceOp::create(b, loc, whole, start, limit, strides);
  return stablehlo::reshape(b, loc, slice, known.part.getShape());
}

/// Returns the packed tensor of these parts.
Value StepBuilder::pack(OpBuilder &b, Location loc, unsigned index,
                        const llvm::StringMap<Value> &parts) {
  auto type = cast<RankedTensorType>(params[index].getType());
  Values values;
  int64_t dim = 0;
  for (PartAttr part :
       getParts(gradient.getArgAttrDict(params[index].getArgNumber()))) {
    dim = part.getDim();
    SmallVector<int64_t> shape(type.getShape());
    shape[dim] = part.getExtent(type.getRank());
    values.push_back(stablehlo::reshape(
        b, loc, parts.lookup(part.getName().getValue()), shape));
  }
  return stablehlo::ConcatenateOp::create(b, loc, values, dim);
}

/// Says of an operation, and of those of its branches, that they update.
static void markUpdate(Operation *op) {
  if (op->hasTrait<OpTrait::ConstantLike>())
    return;
  op->setAttr(kComponentAttr,
              StringAttr::get(op->getContext(), kOptimizerComponent));
  if (isa<stablehlo::CaseOp, stablehlo::IfOp>(op))
    for (Region &branch : op->getRegions())
      for (Operation &inner : branch.front().without_terminator())
        markUpdate(&inner);
}

/// Appends the update by `factor` times the gradients, and its results. Values
/// are in the order of the parameters of @gradient.
void StepBuilder::appendUpdate(FunctionBuilder &f, ValueRange oldParams,
                               ValueRange grads, double factor) {
  OpBuilder &b = f.getBuilder();
  auto phase = PhaseOp::create(b, f.getLoc(), Phase::Optimizer);
  for (BlockArgument arg : update.getArguments()) {
    TensorAttr tensor = getArgTensor(update, arg.getArgNumber());
    bool isGradient = hasRole(tensor, TensorRole::Gradient);
    if (!isGradient && !hasRole(tensor, TensorRole::Param))
      continue;
    const KnownParameter &parameter =
        *findParameter(isGradient ? tensor.getOwner() : tensor.getName());
    Value whole = (isGradient ? grads : oldParams)[parameter.index];
    Location loc = arg.getLoc();
    Value given = take(b, loc, whole, parameter);
    if (isGradient && factor != 1)
      given = stablehlo::MulOp::create(
          b, loc, given, stablehlo::splatLike(b, loc, given, factor));
    f.map(arg, stablehlo::convert(b, loc, given,
                                  getElementTypeOrSelf(arg.getType())));
  }
  Values results = f.copyBody(update.front());
  llvm::StringMap<Value> parts;
  for (auto [i, value] : llvm::enumerate(results))
    parts[getResultName(update, i)] = value;
  llvm::DenseSet<unsigned> packed;
  for (auto [i, value] : llvm::enumerate(results)) {
    TensorAttr tensor = getResultTensor(update, i);
    if (!hasRole(tensor, TensorRole::Param)) {
      f.addResult(value,
                  complete(update.getResultAttrDict(i), value.getType()));
      continue;
    }
    const KnownParameter &parameter = *findParameter(tensor.getName());
    unsigned index = parameter.index;
    if (!parameter.part)
      f.addResult(value, getParamAttrs(index));
    else if (packed.insert(index).second)
      f.addResult(pack(b, params[index].getLoc(), index, parts),
                  getParamAttrs(index));
  }
  for (Operation *op = phase->getNextNode(); op; op = op->getNextNode())
    markUpdate(op);
}

FailureOr<func::FuncOp> StepBuilder::buildStep() {
  FunctionBuilder f(gradient, kStepFunction);
  Values oldParams = addParams(f);
  addOwn(f, TensorRole::State);
  for (BlockArgument arg : batch)
    f.addCopyOf(arg, gradient.getArgAttrDict(arg.getArgNumber()));
  addOwn(f, TensorRole::Hyper);
  Values values = f.copyBody(gradient.front());
  f.addResult(values[0], gradient.getResultAttrDict(0));
  appendUpdate(f, oldParams, ArrayRef(values).drop_front(), /*factor=*/1);
  return f.finish();
}

/// Returns a gradient in f32; one that was rounded last of all, before that.
static Value widen(OpBuilder &b, Location loc, Value grad) {
  auto rounding = grad.getDefiningOp<stablehlo::ConvertOp>();
  Value exact = rounding ? rounding.getOperand() : Value();
  if (!exact || !getElementTypeOrSelf(exact).isF32())
    return stablehlo::convert(b, loc, grad, b.getF32Type());
  return exact;
}

FailureOr<func::FuncOp> StepBuilder::buildAccumulate() {
  FunctionBuilder f(gradient, kAccumulateFunction);
  addParams(f);
  Values sums = addSums(f);
  for (BlockArgument arg : batch)
    f.addCopyOf(arg, gradient.getArgAttrDict(arg.getArgNumber()));
  Values values = f.copyBody(gradient.front());
  f.addResult(values[0], gradient.getResultAttrDict(0));

  OpBuilder &b = f.getBuilder();
  for (unsigned i : llvm::seq(params.size())) {
    Location loc = params[i].getLoc();
    Value wide = widen(b, loc, values[i + 1]);
    Value next = stablehlo::AddOp::create(b, loc, sums[i], wide);
    next.getDefiningOp()->setAttr(kComponentAttr,
                                  b.getStringAttr(kGradientsComponent));
    f.addResult(next, getSumAttrs(i));
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

/// Updates by the mean of the gradients of all micro-batches.
FailureOr<func::FuncOp> StepBuilder::buildUpdate(func::FuncOp accumulate) {
  FunctionBuilder f(accumulate, kUpdateFunction);
  Values oldParams = addParams(f);
  addOwn(f, TensorRole::State);
  Values sums = addSums(f);
  addOwn(f, TensorRole::Hyper);
  appendUpdate(f, oldParams, sums, 1.0 / static_cast<double>(microBatches));
  OpBuilder &b = f.getBuilder();
  for (auto [i, sum] : llvm::enumerate(sums))
    f.addResult(stablehlo::splatLike(b, params[i].getLoc(), sum, 0),
                getSumAttrs(i));
  return f.finish();
}

LogicalResult StepBuilder::build() {
  if (failed(checkUpdate()))
    return failure();
  packParts();
  // The functions are built of its body, and one has its name.
  OwningOpRef<func::FuncOp> taken = update;
  update->remove();
  SmallVector<FunctionOpInterface, 2> functions;
  auto add = [&](FailureOr<func::FuncOp> function) {
    if (succeeded(function))
      functions.push_back(cast<FunctionOpInterface>(function->getOperation()));
    return succeeded(function);
  };
  // A step that calls one of several updates consists of two calls.
  bool isOne =
      microBatches == 1 && !isPipeline && !stablehlo::findUpdateChoice(*taken);
  bool isBuilt =
      isOne ? add(buildStep())
            : add(buildAccumulate()) &&
                  add(buildUpdate(cast<func::FuncOp>(functions.front())));
  if (!isBuilt)
    return failure();
  OpBuilder builder(gradient.getContext());
  builder.setInsertionPointAfter(functions.back());
  buildSchedule(builder, gradient.getLoc(), kTrainSchedule, microBatches,
                functions);
  return success();
}

namespace {
struct BuildStepPass : public boost::impl::BuildStepPassBase<BuildStepPass> {
  using BuildStepPassBase::BuildStepPassBase;

  void runOnOperation() override {
    if (failed(build()))
      signalPassFailure();
  }

private:
  LogicalResult build() {
    ModuleOp module = getOperation();
    if (accumulate < 1)
      return emitError(module.getLoc())
             << "boost-build-step expects accumulate of 1 or more, but got "
             << accumulate.getValue();
    auto gradient = module.lookupSymbol<func::FuncOp>(kGradientFunction);
    auto update =
        dyn_cast_or_null<func::FuncOp>(findUpdate(module).getOperation());
    if (!gradient || !update)
      return emitError(module.getLoc())
             << "expects functions @" << kGradientFunction << " and @"
             << kUpdateFunction << ", but there is "
             << (gradient ? "no update" : "no gradient")
             << ": run boost-differentiate and boost-add-optimizer first";
    FailureOr<Mesh> mesh = Mesh::getOrOneRank(module);
    if (failed(mesh))
      return failure();
    AxisMask pipeline = mesh->getAxisNamed(kPipelineAxis);
    bool isPipeline = (pipeline & mesh->getUsedAxes()) != 0;
    return StepBuilder(gradient, update, accumulate, isPipeline).build();
  }
};
} // namespace
