//===- Elementwise.cpp - Sharding of elementwise operations ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/StopGradient.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "boost-mlir/Interfaces/ShardingRuleOpInterface.h"
#include "boost-mlir/Sharding/Rules.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::boost;

template <typename OpT> static ShardingRule pointwise(OpT op) {
  return ShardingRule::pointwise(op);
}

/// a + b, a - b: additive in both together. The sum of booleans is their
/// disjunction, which no sum over ranks is.
template <typename OpT> static ShardingRule sum(OpT op) {
  ShardingRule rule = ShardingRule::pointwise(op);
  if (!getElementTypeOrSelf(op.getType()).isInteger(1))
    rule.setAdditive({0, 1});
  return rule;
}

template <typename OpT> static ShardingRule additive(OpT op) {
  return ShardingRule::pointwise(op).setAdditive({0});
}

/// a / b: additive in a, unless quotients are truncated.
static ShardingRule quotient(stablehlo::DivOp op) {
  ShardingRule rule = ShardingRule::pointwise(op);
  if (isa<FloatType>(getElementTypeOrSelf(op.getType())))
    rule.setAdditive({0});
  return rule;
}

static ShardingRule product(stablehlo::MulOp op) {
  return ShardingRule::pointwise(op).setAdditive({0}).setAdditive({1});
}

static ShardingRule selection(stablehlo::SelectOp op) {
  return ShardingRule::pointwise(op).setAdditive({1, 2});
}

/// Widening keeps every partial sum; narrowing would round each of them, so
/// sums are completed before it.
static ShardingRule conversion(stablehlo::ConvertOp op) {
  ShardingRule rule = ShardingRule::pointwise(op);
  auto from = dyn_cast<FloatType>(getElementTypeOrSelf(op.getOperand()));
  auto to = dyn_cast<FloatType>(getElementTypeOrSelf(op.getType()));
  if (from && to && from.getWidth() <= to.getWidth())
    rule.setAdditive({0});
  return rule;
}

/// The parts of an element stay together.
static ShardingRule bitcast(stablehlo::BitcastConvertOp op) {
  ShardingRule rule(op);
  ArrayRef<int64_t> from = op.getOperand().getType().getShape();
  ArrayRef<int64_t> to = op.getType().getShape();
  for (auto [dim, size] : llvm::enumerate(from.size() < to.size() ? from : to))
    rule.addLoop(LoopKind::Parallel, size).operand(0, dim).result(0, dim);
  return rule;
}

/// Operand i becomes result i; a rule has one shape, so values of several
/// shapes are only sharded when they all agree.
static ShardingRule barrier(stablehlo::OptimizationBarrierOp op) {
  Type type = op.getNumResults() ? op->getResult(0).getType() : Type();
  bool uniform = type && llvm::all_equal(op->getResultTypes());
  return uniform ? ShardingRule::pointwise(op) : ShardingRule(op);
}

template <typename... Ops> static void attachPointwise(MLIRContext &context) {
  (attachShardingRule<Ops, pointwise<Ops>>(context), ...);
}

void mlir::boost::attachElementwiseShardingRules(MLIRContext &context) {
  using namespace stablehlo;
  attachPointwise<AbsOp, CbrtOp, CeilOp, ClzOp, CosineOp, ExpOp, Expm1Op,
                  FloorOp, LogOp, Log1pOp, LogisticOp, NotOp, PopulationCountOp,
                  RoundNearestEvenOp, RoundOp, RsqrtOp, SignOp, SineOp, SqrtOp,
                  TanOp, TanhOp, IsFiniteOp, ReducePrecisionOp>(context);
  attachPointwise<AndOp, Atan2Op, MaxOp, MinOp, OrOp, PowOp, RemOp, ShiftLeftOp,
                  ShiftRightArithmeticOp, ShiftRightLogicalOp, XorOp, CompareOp,
                  ClampOp>(context);
  attachShardingRule<AddOp, sum<AddOp>>(context);
  attachShardingRule<SubtractOp, sum<SubtractOp>>(context);
  attachShardingRule<NegOp, additive<NegOp>>(context);
  attachShardingRule<DivOp, quotient>(context);
  attachShardingRule<MulOp, product>(context);
  attachShardingRule<SelectOp, selection>(context);
  attachShardingRule<ConvertOp, conversion>(context);
  attachShardingRule<BitcastConvertOp, bitcast>(context);
  attachShardingRule<OptimizationBarrierOp, barrier>(context);
}

void mlir::boost::attachStopGradientShardingRule(MLIRContext &context) {
  attachShardingRule<StopGradientOp, additive<StopGradientOp>>(context);
}
