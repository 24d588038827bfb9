//===- VerifySpmd.cpp - boost-verify-spmd ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows from the arguments on how ranks hold each value: how its dimensions
// are sharded and over which axes it is a partial sum. Refuses operations whose
// operands do not fit together, partial sums that are read as if complete,
// collectives that do not fit what they are given, and results that are not as
// boost.sharding promises.
//
//===----------------------------------------------------------------------===//

#include "ReshapeSharding.h"

#include "boost-mlir/Dialect/Boost/Transforms/Passes.h"
#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "boost-mlir/Interfaces/ShardingRuleOpInterface.h"
#include "boost-mlir/Sharding/FunctionShardings.h"
#include "boost-mlir/Sharding/PartialSums.h"
#include "boost-mlir/Sharding/Reshard.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::boost {
#define GEN_PASS_DEF_VERIFYSPMDPASS
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h.inc"
} // namespace mlir::boost

using namespace mlir;
using namespace mlir::boost;

namespace {

/// The form in which ranks hold a value, as far as it is known.
struct KnownForm {
  SmallVector<DimAxes, 4> dims;
  AxisMask partial = 0;
  LoopKind partialKind = LoopKind::Sum;
  /// Axes over which it may be partial: dimensions that were summed away were
  /// not known to be sharded, nor to be unsharded.
  AxisMask maybePartial = 0;
};

/// Returns true if a dimension is known not to be sharded.
bool isUnsharded(const DimAxes &axes) { return axes && axes->empty(); }

/// The known axes of a dimension.
AxisMask getSet(const DimAxes &axes) { return axes ? axes->getSet() : 0; }

/// Checks one function in program order.
class SpmdVerifier {
public:
  SpmdVerifier(func::FuncOp func, const Mesh &mesh) : func(func), mesh(mesh) {}

  LogicalResult run();

private:
  LogicalResult visit(Operation &op);
  LogicalResult visitRuled(Operation *op, const ShardingRule &rule);
  LogicalResult visitReturn(Operation *op, ArrayRef<KnownForm> promised);
  LogicalResult visitSumOfSquares(SumOfSquaresOp op);
  LogicalResult visitProbe(ProbeOp op);
  LogicalResult visitBarrier(Operation *op);
  LogicalResult visitAttentionGrad(AttentionGradOp op);
  template <typename OpT> DimAxes getAxesOfQueries(OpT op, int64_t dim) const;
  LogicalResult visitBiasGrad(AttentionBiasGradOp op);
  void setRepeatedGrad(Value gradient, int64_t dim, DimAxes own, DimAxes loop);
  LogicalResult visitBroadcast(stablehlo::BroadcastInDimOp op);
  LogicalResult visitReshape(stablehlo::ReshapeOp op);
  LogicalResult visitInGroup(RankGroupOpInterface op);
  LogicalResult passReduction(Operation *op, unsigned index, AxisMask axes,
                              Reduction reduction);
  LogicalResult passBroadcast(Operation *op, unsigned index, AxisMask axes);
  LogicalResult passMovement(Operation *op, unsigned index, int16_t number,
                             const GroupMovement &movement);

  FailureOr<SmallVector<DimAxes>> shardLoops(Operation *op,
                                             const ShardingRule &rule);
  LogicalResult passPartialSums(Operation *op, const ShardingRule &rule,
                                AxisMask sharded, KnownForm &result);
  LogicalResult checkGroup(Operation *op, AxisMask axes);

  FailureOr<KnownForm> readPromise(Twine subject, Attribute attr,
                                   Type type) const;
  KnownForm unsharded(Value value) const {
    KnownForm form;
    if (auto type = dyn_cast<RankedTensorType>(value.getType()))
      form.dims.assign(type.getRank(), AxisList());
    return form;
  }
  void set(Value value, KnownForm form) {
    forgetBesideOnes(value, form.dims);
    values[value] = std::move(form);
  }
  static void forgetBesideOnes(Value value, MutableArrayRef<DimAxes> dims);
  const KnownForm &get(Value value) const { return values.find(value)->second; }

  func::FuncOp func;
  const Mesh &mesh;
  DenseMap<Value, KnownForm> values;
};

} // namespace

/// A reshape that moves the sharding of a dimension to one of local size 1
/// beside it (`4x6 -> 1x24`, locally `1x6 -> 1x6`) does nothing locally, and
/// canonicalization removes it: which of the two is sharded is not known.
void SpmdVerifier::forgetBesideOnes(Value value,
                                    MutableArrayRef<DimAxes> dims) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return;
  ArrayRef<int64_t> shape = type.getShape();
  for (size_t begin = 0; begin < shape.size();) {
    if (shape[begin] != 1) {
      ++begin;
      continue;
    }
    // The ones and the dimension behind them.
    size_t end = begin;
    while (end < shape.size() && shape[end] == 1)
      ++end;
    end = std::min(end + 1, shape.size());
    MutableArrayRef<DimAxes> run = dims.slice(begin, end - begin);
    if (run.size() > 1 && llvm::any_of(run, [](const DimAxes &axes) {
          return !isUnsharded(axes);
        }))
      llvm::fill(run, DimAxes());
    begin = end;
  }
}

//===----------------------------------------------------------------------===//
// Operations with a rule
//===----------------------------------------------------------------------===//

/// The axes of each loop as all operands agree on them.
FailureOr<SmallVector<DimAxes>>
SpmdVerifier::shardLoops(Operation *op, const ShardingRule &rule) {
  SmallVector<DimAxes> loopAxes(rule.getLoops().size());
  for (OpOperand &operand : op->getOpOperands()) {
    unsigned index = operand.getOperandNumber();
    for (auto [dim, loop, axes] :
         llvm::enumerate(rule.getOperands()[index], get(operand.get()).dims)) {
      // Where a dimension that may be repeated is sharded, its axes are not
      // known: it has size 1.
      if (!axes || rule.mayRepeat(index, dim))
        continue;
      if (loop == kNoLoop) {
        if (!axes->empty())
          return op->emitOpError()
                 << "needs dimension " << dim << " of operand #" << index
                 << " unsharded, but it is sharded over ["
                 << mesh.describe(*axes) << "]";
        continue;
      }
      if (loopAxes[loop] && *loopAxes[loop] != *axes)
        return op->emitOpError()
               << "reads dimension " << dim << " of operand #" << index
               << " sharded over [" << mesh.describe(*axes)
               << "], but the matching dimension of an earlier operand is "
                  "sharded over ["
               << mesh.describe(*loopAxes[loop]) << "]";
      loopAxes[loop] = axes;
    }
  }
  AxisMask seen = 0;
  for (const DimAxes &axes : loopAxes) {
    if (AxisMask twice = seen & getSet(axes))
      return op->emitOpError()
             << "is sharded over axis '" << mesh.describe(twice)
             << "' in two dimensions at once";
    seen |= getSet(axes);
  }
  return loopAxes;
}

/// Partial sums among the operands become partial sums of the results, or are
/// an error. `sharded` are the axes over which the loops are sharded.
LogicalResult SpmdVerifier::passPartialSums(Operation *op,
                                            const ShardingRule &rule,
                                            AxisMask sharded,
                                            KnownForm &result) {
  AxisMask all = 0;
  for (Value operand : op->getOperands()) {
    all |= get(operand).partial;
    result.maybePartial |= get(operand).maybePartial;
  }
  for (int16_t index : mesh.getAxes(all)) {
    AxisMask axis = AxisMask(1) << index;
    SmallVector<bool> isPartial, mayBePartial, isZero;
    unsigned example = 0;
    bool isSum = true;
    for (OpOperand &operand : op->getOpOperands()) {
      const KnownForm &form = get(operand.get());
      isPartial.push_back(form.partial & axis);
      mayBePartial.push_back((form.partial | form.maybePartial) & axis);
      isZero.push_back(isZeroConstant(operand.get()));
      if (isPartial.back()) {
        example = operand.getOperandNumber();
        isSum &= form.partialKind == LoopKind::Sum;
      }
    }
    if (!isSum || (sharded & axis) ||
        !(rule.isAdditiveIn(isPartial, isZero) ||
          rule.isAdditiveIn(mayBePartial, isZero)))
      return op->emitOpError()
             << "reads operand #" << example << ", a partial result over axis '"
             << mesh.describe(axis)
             << "', as if it were complete; an all-reduce is missing";
    result.partial |= axis;
  }
  return success();
}

LogicalResult SpmdVerifier::visitRuled(Operation *op,
                                       const ShardingRule &rule) {
  FailureOr<SmallVector<DimAxes>> loopAxes = shardLoops(op, rule);
  if (failed(loopAxes))
    return failure();
  KnownForm passed;
  AxisMask sharded = 0;
  for (const DimAxes &axes : *loopAxes)
    sharded |= getSet(axes);
  if (failed(passPartialSums(op, rule, sharded, passed)))
    return failure();
  for (OpResult value : op->getResults()) {
    KnownForm form = passed;
    form.dims = unsharded(value).dims;
    unsigned index = value.getResultNumber();
    for (auto [axes, loop] :
         llvm::zip_equal(form.dims, rule.getResults()[index]))
      if (loop != kNoLoop)
        axes = (*loopAxes)[loop];
    for (auto [loop, info, axes] :
         llvm::enumerate(rule.getLoops(), *loopAxes)) {
      if (!rule.isReducedOver(index, loop) || isUnsharded(axes))
        continue;
      form.partial |= getSet(axes);
      form.partialKind = info.kind;
      if (!axes)
        form.maybePartial = mesh.getUsedAxes();
    }
    set(value, form);
  }
  return success();
}

/// The axes over which a value is sharded, if they are known.
static std::optional<AxisMask> getShardedAxes(const KnownForm &form) {
  AxisMask axes = 0;
  for (const DimAxes &dim : form.dims) {
    if (!dim)
      return std::nullopt;
    axes |= dim->getSet();
  }
  return axes;
}

/// Elements sharded over an axis are counted once over it; all operands have to
/// be sharded over the same axes, since the sum is completed over these.
LogicalResult SpmdVerifier::visitSumOfSquares(SumOfSquaresOp op) {
  std::optional<AxisMask> common;
  for (OpOperand &operand : op->getOpOperands()) {
    const KnownForm &form = get(operand.get());
    if (form.partial)
      return op.emitOpError()
             << "squares operand #" << operand.getOperandNumber()
             << ", a partial sum over axis '" << mesh.describe(form.partial)
             << "'";
    std::optional<AxisMask> axes = getShardedAxes(form);
    if (common && axes && *common != *axes)
      return op.emitOpError()
             << "adds up operands sharded over [" << mesh.describe(*common)
             << "] and over [" << mesh.describe(*axes)
             << "]: some elements would be counted more often than others";
    common = axes ? axes : common;
  }
  KnownForm form;
  form.partial = common.value_or(0);
  form.maybePartial = common ? 0 : mesh.getUsedAxes();
  set(op.getResult(), form);
  return success();
}

/// A probe tells readers how its input is held: it has to be right.
LogicalResult SpmdVerifier::visitProbe(ProbeOp op) {
  Split split;
  std::string problem = mesh.parseLocalSharding(
      op.getShardingAttr(), cast<RankedTensorType>(op.getInput().getType()),
      split);
  if (!problem.empty())
    return op.emitOpError() << problem;
  AxisMask partial = mesh.getPartialAxes(op.getShardingAttr());
  const KnownForm &form = get(op.getInput());
  for (auto [dim, axes, said] : llvm::enumerate(form.dims, split))
    if (axes && *axes != said)
      return op.emitOpError() << "shows a tensor whose dimension " << dim
                              << " is sharded over [" << mesh.describe(*axes)
                              << "], but says [" << mesh.describe(said) << "]";
  if ((form.partial & ~partial) ||
      (partial & ~(form.partial | form.maybePartial)))
    return op.emitOpError() << "shows a tensor that is partial over ["
                            << mesh.describe(form.partial) << "], but says ["
                            << mesh.describe(partial) << "]";
  return success();
}

LogicalResult SpmdVerifier::visitBarrier(Operation *op) {
  for (auto [operand, result] :
       llvm::zip_equal(op->getOperands(), op->getResults()))
    set(result, get(operand));
  return success();
}

/// The gradient of an operand that has size 1 in `dim`, sharded by `own`: where
/// that is repeated along a loop, a sum over the axes of the loop.
void SpmdVerifier::setRepeatedGrad(Value gradient, int64_t dim, DimAxes own,
                                   DimAxes loop) {
  KnownForm form = get(gradient);
  form.dims[dim] = own;
  form.partial &= ~getSet(loop);
  if (!own || !loop)
    form.maybePartial = mesh.getUsedAxes();
  else if (own->empty())
    form.partial |= loop->getSet();
  set(gradient, form);
}

/// Returns the axes of a dimension of the queries, from the queries or their
/// gradient.
template <typename OpT>
DimAxes SpmdVerifier::getAxesOfQueries(OpT op, int64_t dim) const {
  for (Value value : {op.getQuery(), op.getGrad()})
    if (const DimAxes &axes = get(value).dims[dim])
      return axes;
  return std::nullopt;
}

/// Where the rank has one head of keys, the key tells whether that is one of
/// several or the only one, read by the queries of all ranks.
LogicalResult SpmdVerifier::visitAttentionGrad(AttentionGradOp op) {
  if (failed(visitRuled(
          op,
          cast<ShardingRuleOpInterface>(op.getOperation()).getShardingRule())))
    return failure();
  constexpr int64_t headDim = 2;
  if (cast<RankedTensorType>(op.getKey().getType()).getDimSize(headDim) != 1)
    return success();
  DimAxes loop = getAxesOfQueries(op, headDim);
  for (auto [operand, gradient] : {std::pair(op.getKey(), op.getDKey()),
                                   std::pair(op.getValue(), op.getDValue())})
    setRepeatedGrad(gradient, headDim, get(operand).dims[headDim], loop);
  return success();
}

/// Where the rank has one batch entry or head, the bias tells whether its
/// gradient is sharded or a sum over what it is repeated along.
LogicalResult SpmdVerifier::visitBiasGrad(AttentionBiasGradOp op) {
  if (failed(visitRuled(
          op,
          cast<ShardingRuleOpInterface>(op.getOperation()).getShardingRule())))
    return failure();
  ArrayRef<int64_t> query =
      cast<RankedTensorType>(op.getQuery().getType()).getShape();
  for (auto [dim, queryDim] : {std::pair(0, 0), std::pair(1, 2)}) {
    if (query[queryDim] == 1)
      setRepeatedGrad(op.getDBias(), dim, get(op.getBias()).dims[dim],
                      getAxesOfQueries(op, queryDim));
  }
  return success();
}

/// A dimension of local size 1 that is read into one of local size 1 may be
/// repeated in the logical tensor, and sharded into parts of 1 there.
LogicalResult SpmdVerifier::visitBroadcast(stablehlo::BroadcastInDimOp op) {
  if (failed(visitRuled(
          op,
          cast<ShardingRuleOpInterface>(op.getOperation()).getShardingRule())))
    return failure();
  KnownForm form = get(op.getResult());
  ArrayRef<int64_t> from =
      cast<RankedTensorType>(op.getOperand().getType()).getShape();
  for (auto [size, dim] : llvm::zip_equal(from, op.getBroadcastDimensions()))
    if (size == 1 && isUnsharded(form.dims[dim]))
      form.dims[dim] = std::nullopt;
  set(op.getResult(), form);
  return success();
}

/// Checks that among merged dimensions only the first is sharded.
LogicalResult SpmdVerifier::visitReshape(stablehlo::ReshapeOp op) {
  KnownForm form = get(op.getOperand());
  std::optional<AxisMask> before = getShardedAxes(form);
  auto from = cast<RankedTensorType>(op.getOperand().getType());
  auto to = cast<RankedTensorType>(op.getType());
  form.dims = reshapeSharding(
      from.getShape(), to.getShape(), form.dims,
      cast<ShardingRuleOpInterface>(op.getOperation()).getShardingRule());
  std::optional<AxisMask> after = getShardedAxes(form);
  if (before && after && *before != *after)
    return op.emitOpError()
           << "merges a dimension sharded over axis '"
           << mesh.describe(*before & ~*after) << "' with one before it";
  set(op.getResult(), form);
  return success();
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

LogicalResult SpmdVerifier::checkGroup(Operation *op, AxisMask axes) {
  if (!op->hasAttr(kComponentAttr))
    return op->emitOpError()
           << "expects '" << kComponentAttr << "', by which the plan counts it";
  if (axes == 0)
    return op->emitOpError() << "names no axis";
  for (int16_t axis : AxisList::inMeshOrder(axes)) {
    if (axis >= static_cast<int16_t>(mesh.getNumAxes()))
      return op->emitOpError() << "names axis " << axis << ", but the mesh has "
                               << mesh.getNumAxes();
    if (mesh.getAxisSize(axis) == 1)
      return op->emitOpError()
             << "communicates over axis '" << mesh.getAxisName(axis)
             << "', which has only one rank";
  }
  return success();
}

static LoopKind kindOf(Reduction reduction) {
  switch (reduction) {
  case Reduction::Sum:
    return LoopKind::Sum;
  case Reduction::Max:
    return LoopKind::Max;
  case Reduction::Min:
    return LoopKind::Min;
  }
  llvm_unreachable("all reductions are handled");
}

/// Every rank receives the reduction of operand `index`.
LogicalResult SpmdVerifier::passReduction(Operation *op, unsigned index,
                                          AxisMask axes, Reduction reduction) {
  KnownForm form = get(op->getOperand(index));
  if (AxisMask complete = axes & ~(form.partial | form.maybePartial))
    return op->emitOpError()
           << "reduces operand #" << index << " over axis '"
           << mesh.describe(complete) << "', along which it is not a partial "
           << stringifyReduction(reduction);
  if (form.partial && form.partialKind != kindOf(reduction))
    return op->emitOpError()
           << "takes the " << stringifyReduction(reduction) << " of operand #"
           << index << ", which is a partial "
           << stringifyReduction(getReduction(form.partialKind));
  form.partial &= ~axes;
  form.maybePartial &= ~axes;
  set(op->getResult(index), form);
  return success();
}

/// Every rank receives what one of them holds of operand `index`: no other one
/// may hold a part or a term of the tensor.
LogicalResult SpmdVerifier::passBroadcast(Operation *op, unsigned index,
                                          AxisMask axes) {
  const KnownForm &form = get(op->getOperand(index));
  if (AxisMask partial = axes & form.partial)
    return op->emitOpError()
           << "broadcasts operand #" << index
           << ", a partial result over axis '" << mesh.describe(partial)
           << "', as if it were complete";
  AxisMask sharded = 0;
  for (const DimAxes &dim : form.dims)
    sharded |= getSet(dim) & axes;
  if (sharded)
    return op->emitOpError()
           << "broadcasts operand #" << index << " over axis '"
           << mesh.describe(sharded) << "', over which it is sharded";
  set(op->getResult(index), KnownForm(form));
  return success();
}

LogicalResult SpmdVerifier::visitInGroup(RankGroupOpInterface op) {
  AxisMask group = op.getGroupAxes();
  if (failed(checkGroup(op, group)))
    return failure();
  AxisList axes = AxisList::inMeshOrder(group);
  for (auto [index, movement] : llvm::enumerate(op.getMovements())) {
    bool changesShape = movement.joinDim >= 0 || movement.splitDim >= 0;
    if (changesShape && axes.size() != 1)
      return op->emitOpError() << "expects one axis, but got " << axes.size();
    LogicalResult result =
        changesShape ? passMovement(op, index, axes[0], movement)
        : movement.reduction
            ? passReduction(op, index, group, *movement.reduction)
            : passBroadcast(op, index, group);
    if (failed(result))
      return failure();
  }
  return success();
}

/// Operand `index` becomes sharded otherwise over one axis.
LogicalResult SpmdVerifier::passMovement(Operation *op, unsigned index,
                                         int16_t number,
                                         const GroupMovement &movement) {
  AxisMask axis = AxisMask(1) << number;
  KnownForm form = get(op->getOperand(index));
  auto complain = [&](StringRef why) {
    auto diag = op->emitOpError()
                << "over axis '" << mesh.describe(axis) << "' " << why;
    if (op->getNumOperands() > 1)
      diag << ", operand #" << index;
    return diag;
  };
  if (movement.joinDim >= 0) {
    DimAxes &dim = form.dims[movement.joinDim];
    if (dim && !(getSet(dim) & axis))
      return complain("gathers a dimension that is not sharded over it");
    if (dim && dim->back() != number)
      return complain("gathers a dimension that another axis shards further");
    if (dim)
      dim->pop_back();
  }
  if (movement.reduction) {
    StringRef reduction = stringifyReduction(*movement.reduction);
    bool isSame =
        !form.partial || form.partialKind == kindOf(*movement.reduction);
    if (!((form.partial | form.maybePartial) & axis) || !isSame)
      return complain(
          ("reduces a value that is not a partial " + reduction).str());
    form.partial &= ~axis;
    form.maybePartial &= ~axis;
  }
  if (movement.splitDim >= 0) {
    DimAxes &dim = form.dims[movement.splitDim];
    if (form.partial & axis)
      return complain("shards a partial sum over the same axis");
    if (llvm::any_of(form.dims, [&](const DimAxes &other) {
          return (getSet(other) & axis) != 0;
        }))
      return complain("shards a tensor that is sharded over it already");
    if (dim)
      dim->push_back(number);
  }
  set(op->getResult(index), form);
  return success();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

LogicalResult SpmdVerifier::visitReturn(Operation *op,
                                        ArrayRef<KnownForm> promised) {
  for (auto [index, value, promise] :
       llvm::enumerate(op->getOperands(), promised)) {
    const KnownForm &form = get(value);
    if (AxisMask surplus = form.partial & ~promise.partial)
      return op->emitOpError() << "returns result #" << index
                               << " as a partial result over axis '"
                               << mesh.describe(surplus) << "'";
    AxisMask complete = promise.partial & ~(form.partial | form.maybePartial);
    if (complete && !isZeroConstant(value))
      return op->emitOpError()
             << "returns result #" << index << " complete over axis '"
             << mesh.describe(complete) << "', but '" << kShardingAttr
             << "' says that ranks hold terms of it";
    if (form.partial && form.partialKind != promise.partialKind)
      return op->emitOpError()
             << "returns result #" << index << " as a partial "
             << stringifyReduction(getReduction(form.partialKind)) << ", but '"
             << kShardingAttr << "' says a partial "
             << stringifyReduction(getReduction(promise.partialKind));
    for (auto [dim, axes, wanted] : llvm::enumerate(form.dims, promise.dims))
      if (axes && *axes != *wanted)
        return op->emitOpError()
               << "returns dimension " << dim << " of result #" << index
               << " sharded over [" << mesh.describe(*axes) << "], but '"
               << kShardingAttr << "' says [" << mesh.describe(*wanted) << "]";
  }
  return success();
}

static bool isUnlowered(Operation &op) {
  return isa<BottleneckOp, LayerNormOp, RMSNormOp, CrossEntropyOp,
             CrossEntropyGradOp>(op);
}

LogicalResult SpmdVerifier::visit(Operation &op) {
  if (isUnlowered(op))
    return op.emitOpError() << "is not an operation of the spmd level: it is "
                               "decomposed before, or while, partitioning";
  if (auto group = dyn_cast<RankGroupOpInterface>(op);
      group && !group.getMovements().empty())
    return visitInGroup(group);
  if (auto squares = dyn_cast<SumOfSquaresOp>(op))
    return visitSumOfSquares(squares);
  if (auto probe = dyn_cast<ProbeOp>(op))
    return visitProbe(probe);
  if (isa<stablehlo::OptimizationBarrierOp>(op))
    return visitBarrier(&op);
  if (auto gradient = dyn_cast<AttentionGradOp>(op))
    return visitAttentionGrad(gradient);
  if (auto gradient = dyn_cast<AttentionBiasGradOp>(op))
    return visitBiasGrad(gradient);
  if (auto broadcast = dyn_cast<stablehlo::BroadcastInDimOp>(op))
    return visitBroadcast(broadcast);
  if (auto reshape = dyn_cast<stablehlo::ReshapeOp>(op))
    return visitReshape(reshape);
  auto ruled = dyn_cast<ShardingRuleOpInterface>(op);
  return visitRuled(&op, ruled ? ruled.getShardingRule() : ShardingRule(&op));
}

/// Returns the form of an argument or result that its sharding promises.
FailureOr<KnownForm> SpmdVerifier::readPromise(Twine subject, Attribute attr,
                                               Type type) const {
  Split split;
  std::string problem =
      mesh.parseLocalSharding(attr, cast<RankedTensorType>(type), split);
  if (!problem.empty())
    return func::FuncOp(func).emitError() << subject << ": " << problem;
  KnownForm form;
  form.dims.assign(split.begin(), split.end());
  form.partial = mesh.getPartialAxes(attr);
  form.partialKind = kindOf(cast<ShardingAttr>(attr).getReduction());
  return form;
}

LogicalResult SpmdVerifier::run() {
  for (Type type :
       llvm::concat<const Type>(func.getArgumentTypes(), func.getResultTypes()))
    if (!isa<RankedTensorType>(type))
      return func.emitError()
             << "expects the spmd level, functions of ranked tensors, but got "
             << type;
  for (BlockArgument argument : func.getArguments()) {
    unsigned index = argument.getArgNumber();
    FailureOr<KnownForm> form =
        readPromise("argument " + Twine(index),
                    func.getArgAttr(index, kShardingAttr), argument.getType());
    if (failed(form))
      return failure();
    set(argument, *form);
  }
  SmallVector<KnownForm> results;
  for (auto [index, type] : llvm::enumerate(func.getResultTypes())) {
    FailureOr<KnownForm> form =
        readPromise("result " + Twine(index),
                    func.getResultAttr(index, kShardingAttr), type);
    if (failed(form))
      return failure();
    results.push_back(*form);
  }
  for (Operation &op : func.getBody().front().without_terminator())
    if (failed(visit(op)))
      return failure();
  return visitReturn(func.getBody().front().getTerminator(), results);
}

namespace {
struct VerifySpmdPass : public boost::impl::VerifySpmdPassBase<VerifySpmdPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto level = module->getAttrOfType<StringAttr>(kLevelAttr);
    if (!level || level.getValue() != kSpmdLevel) {
      module.emitError() << "expects '" << kLevelAttr << " = \"" << kSpmdLevel
                         << "\"'; run boost-partition first";
      return signalPassFailure();
    }
    FailureOr<Mesh> mesh = Mesh::get(module);
    if (failed(mesh))
      return signalPassFailure();
    for (auto func : module.getOps<func::FuncOp>())
      if (!func.isExternal() && failed(SpmdVerifier(func, *mesh).run()))
        return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
