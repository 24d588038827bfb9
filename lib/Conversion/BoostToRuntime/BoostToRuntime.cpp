//===- BoostToRuntime.cpp - The pass convert-boost-to-runtime -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements convert-boost-to-runtime. Refuses collectives over groups that the
// runtime cannot name.
//
//===----------------------------------------------------------------------===//

#include "Contraction.h"

#include "boost-mlir/Conversion/BoostToRuntime/Passes.h"
#include "boost-mlir/Dialect/Boost/IR/Layers.h"
#include "boost-mlir/Dialect/Boost/IR/Rematerialization.h"
#include "boost-mlir/Dialect/BoostRT/IR/Factorize.h"
#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::boost {
#define GEN_PASS_DEF_CONVERTBOOSTTORUNTIMEPASS
#include "boost-mlir/Conversion/BoostToRuntime/Passes.h.inc"
} // namespace mlir::boost

using namespace mlir;
using namespace mlir::boost;
namespace hlo = mlir::boost::stablehlo;

namespace {

/// Converts the operations of one function in order.
class FunctionConverter {
public:
  explicit FunctionConverter(func::FuncOp func)
      : func(func), rewriter(func.getContext(), &layers) {}
  LogicalResult run();

private:
  LogicalResult convert(Operation *op);
  LogicalResult convertInGroup(RankGroupOpInterface op);
  LogicalResult convertSumOverStages(SumOverStagesOp op);

  void convertAttention(AttentionOp op);
  void convertAttentionGrad(AttentionGradOp op);
  void convertAttentionBiasGrad(AttentionBiasGradOp op);
  void convertEmbedding(EmbeddingOp op);
  void convertEmbeddingGrad(EmbeddingGradOp op);
  void convertFactorize(FactorizeOp op);
  void convertAdamW(AdamWOp op);
  void convertSumOfSquares(SumOfSquaresOp op);
  void convertProbe(ProbeOp op);

  /// Creates the call of an operation over `group`.
  Operation *createCall(AllReduceOp op, int32_t group);
  Operation *createCall(SumOverStagesOp op, int32_t group);
  Operation *createCall(AllGatherOp op, int32_t group);
  Operation *createCall(ReduceScatterOp op, int32_t group);
  Operation *createCall(BroadcastOp op, int32_t group);
  Operation *createCall(ProcessIndexOp op, int32_t group);
  Operation *createCall(shard::AllToAllOp op, int32_t group);
  Operation *createCall(shard::AllSliceOp op, int32_t group);
  FailureOr<int32_t> findGroup(Operation *op, FlatSymbolRefAttr grid,
                               ArrayRef<int16_t> axes);
  ArrayAttr getAxisNames(Operation *op, FlatSymbolRefAttr grid, int32_t group);
  Value empty(Type type);
  SmallVector<Value> empties(TypeRange types);
  Value toF32(Value scalar);
  Value toI32(Value ids);
  /// Replaces `op`; the new operation inherits the attributes of passes.
  void replace(Operation *op, Operation *with, bool isCollective = false,
               ArrayAttr axes = {});

  func::FuncOp func;
  LayerBuilderListener layers;
  IRRewriter rewriter;
  Phase phase = Phase::Forward;
  /// Remaining markers, the next one last.
  SmallVector<PhaseOp> markers;
};

} // namespace

Value FunctionConverter::empty(Type type) {
  auto tensorType = cast<RankedTensorType>(type);
  return tensor::EmptyOp::create(rewriter, func.getLoc(), tensorType.getShape(),
                                 tensorType.getElementType());
}

SmallVector<Value> FunctionConverter::empties(TypeRange types) {
  return llvm::map_to_vector(types, [&](Type type) { return empty(type); });
}

/// The runtime reads scalars as f32, ids as i32.
Value FunctionConverter::toF32(Value scalar) {
  return hlo::convert(rewriter, scalar.getLoc(), scalar, rewriter.getF32Type());
}

Value FunctionConverter::toI32(Value ids) {
  return hlo::convert(rewriter, ids.getLoc(), ids, rewriter.getI32Type());
}

void FunctionConverter::replace(Operation *op, Operation *with,
                                bool isCollective, ArrayAttr axes) {
  with->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  if (axes)
    with->setAttr(rt::kGroupAxesAttr, axes);
  if (isCollective)
    with->setAttr(kPhaseAttr, rewriter.getStringAttr(stringifyPhase(phase)));
  rewriter.replaceAllOpUsesWith(op, with->getResults());
}

void FunctionConverter::convertAttention(AttentionOp op) {
  TypeRange types = op->getResultTypes();
  auto call = rt::AttentionForwardOp::create(
      rewriter, op.getLoc(), types, op.getQuery(), op.getKey(), op.getValue(),
      op.getBias(), op.getMask(), empties(types), op.getCausalAttr(),
      op.getScaleAttr(), op.getSoftCapAttr());
  replace(op, call);
}

void FunctionConverter::convertAttentionGrad(AttentionGradOp op) {
  TypeRange types = op->getResultTypes();
  auto call = rt::AttentionBackwardOp::create(
      rewriter, op.getLoc(), types, op.getQuery(), op.getKey(), op.getValue(),
      op.getBias(), op.getMask(), op.getResult(), op.getLse(), op.getGrad(),
      op.getLseGrad(), empties(types), op.getCausalAttr(), op.getScaleAttr(),
      op.getSoftCapAttr(), op.getNondeterministicAttr());
  replace(op, call);
}

void FunctionConverter::convertAttentionBiasGrad(AttentionBiasGradOp op) {
  TypeRange types = op->getResultTypes();
  auto call = rt::AttentionBiasBackwardOp::create(
      rewriter, op.getLoc(), types, op.getQuery(), op.getKey(), op.getValue(),
      op.getBias(), op.getMask(), op.getResult(), op.getLse(), op.getGrad(),
      op.getLseGrad(), empties(types), op.getCausalAttr(), op.getScaleAttr(),
      op.getSoftCapAttr());
  replace(op, call);
}

void FunctionConverter::convertEmbedding(EmbeddingOp op) {
  Type type = op.getResult().getType();
  auto call =
      rt::EmbeddingOp::create(rewriter, op.getLoc(), TypeRange(type),
                              op.getTable(), toI32(op.getIds()), empty(type));
  replace(op, call);
}

void FunctionConverter::convertEmbeddingGrad(EmbeddingGradOp op) {
  Type type = op.getDTable().getType();
  auto call = rt::EmbeddingGradOp::create(rewriter, op.getLoc(),
                                          TypeRange(type), toI32(op.getIds()),
                                          op.getGrad(), empty(type));
  replace(op, call);
}

void FunctionConverter::convertFactorize(FactorizeOp op) {
  TypeRange types = op->getResultTypes();
  auto call =
      rt::FactorizeOp::create(rewriter, op.getLoc(), types, op.getInputs(),
                              empties(types), op.getKind());
  replace(op, call);
}

void FunctionConverter::convertAdamW(AdamWOp op) {
  Value updated[] = {op.getParam(), op.getM(), op.getV()};
  Value grad = op.getGrad();
  Type type = getElementTypeOrSelf(grad),
       paramType = getElementTypeOrSelf(op.getParam());
  // The runtime reads these, and all others as f32.
  bool isNarrow = paramType.isF32() && type.isFloat(16);
  if (type != paramType && !isNarrow)
    grad = toF32(grad);
  auto call = rt::AdamWOp::create(
      rewriter, op.getLoc(), op->getResultTypes(), ValueRange(grad),
      op.getNumbers(), ValueRange(updated),
      rewriter.getDenseBoolArrayAttr(op.getDecays()));
  replace(op, call);
}

void FunctionConverter::convertSumOfSquares(SumOfSquaresOp op) {
  auto type = cast<RankedTensorType>(op.getResult().getType());
  auto written = type.clone(rewriter.getF32Type());
  auto call =
      rt::SumOfSquaresOp::create(rewriter, op.getLoc(), TypeRange(written),
                                 op.getInputs(), empty(written));
  call->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  rewriter.replaceAllUsesWith(
      op.getResult(), hlo::convert(rewriter, op.getLoc(), call->getResult(0),
                                   type.getElementType()));
}

/// Before partitioning every tensor is replicated.
void FunctionConverter::convertProbe(ProbeOp op) {
  auto type = cast<RankedTensorType>(op.getInput().getType());
  ShardingAttr sharding = op.getShardingAttr();
  auto call = rt::ProbeOp::create(
      rewriter, op.getLoc(), op.getInput(), op.getNameAttr(), op.getSiteAttr(),
      sharding ? sharding
               : ShardingAttr::getReplicated(op.getContext(), type.getRank()),
      op.getRowsAttr());
  call->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  op.erase();
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

/// The bit mask over the axes of the mesh that have more than one rank.
FailureOr<int32_t> FunctionConverter::findGroup(Operation *op,
                                                FlatSymbolRefAttr gridName,
                                                ArrayRef<int16_t> axes) {
  if (!llvm::is_sorted(axes))
    return op->emitOpError("expects mesh axes in increasing order");
  // The operation verifies that there is such a mesh, with these axes.
  auto grid = SymbolTable::lookupNearestSymbolFrom<shard::GridOp>(op, gridName);
  int32_t group = 0;
  for (int16_t axis : axes)
    if (grid.getShape()[axis] != 1)
      group |= 1 << axis;
  return group;
}

/// The names of the axes of a group, or nothing if the mesh does not name them.
ArrayAttr FunctionConverter::getAxisNames(Operation *op,
                                          FlatSymbolRefAttr gridName,
                                          int32_t group) {
  auto grid = SymbolTable::lookupNearestSymbolFrom<shard::GridOp>(op, gridName);
  auto names = grid->getAttrOfType<ArrayAttr>(kAxesAttr);
  if (!names)
    return {};
  SmallVector<Attribute> axes;
  for (auto [axis, name] : llvm::enumerate(names))
    if (group >> axis & 1)
      axes.push_back(name);
  return rewriter.getArrayAttr(axes);
}

Operation *FunctionConverter::createCall(AllReduceOp op, int32_t group) {
  return rt::AllReduceOp::create(rewriter, op.getLoc(), op->getResultTypes(),
                                 op.getInputs(), op.getReduction(), group,
                                 /*site=*/IntegerAttr(),
                                 /*meeting=*/IntegerAttr());
}

Operation *FunctionConverter::createCall(SumOverStagesOp op, int32_t group) {
  return rt::AllReduceOp::create(rewriter, op.getLoc(), op->getResultTypes(),
                                 op.getInput(), Reduction::Sum, group,
                                 /*site=*/IntegerAttr(), op.getMeetingAttr());
}

Operation *FunctionConverter::createCall(AllGatherOp op, int32_t group) {
  TypeRange types = op->getResultTypes();
  return rt::AllGatherOp::create(rewriter, op.getLoc(), types, op.getInputs(),
                                 empties(types), op.getDims(), group,
                                 /*site=*/IntegerAttr());
}

Operation *FunctionConverter::createCall(ReduceScatterOp op, int32_t group) {
  TypeRange types = op->getResultTypes();
  return rt::ReduceScatterOp::create(
      rewriter, op.getLoc(), types, op.getInputs(), empties(types),
      op.getReduction(), op.getDims(), group, /*site=*/IntegerAttr());
}

Operation *FunctionConverter::createCall(BroadcastOp op, int32_t group) {
  return rt::BroadcastOp::create(rewriter, op.getLoc(), op->getResultTypes(),
                                 op.getInputs(), op.getRoot(), group,
                                 /*site=*/IntegerAttr());
}

Operation *FunctionConverter::createCall(ProcessIndexOp op, int32_t group) {
  Type type = op.getResult().getType();
  return rt::ProcessIndexOp::create(rewriter, op.getLoc(), TypeRange(type),
                                    empty(type), group);
}

Operation *FunctionConverter::createCall(shard::AllToAllOp op, int32_t group) {
  Type type = op.getResult().getType();
  return rt::AllToAllOp::create(
      rewriter, op.getLoc(), TypeRange(type), op.getInput(), empty(type),
      op.getSplitAxis().getSExtValue(), op.getConcatAxis().getSExtValue(),
      group, /*site=*/IntegerAttr());
}

Operation *FunctionConverter::createCall(shard::AllSliceOp op, int32_t group) {
  Type type = op.getResult().getType();
  return rt::AllSliceOp::create(rewriter, op.getLoc(), TypeRange(type),
                                op.getInput(), empty(type),
                                op.getSliceAxis().getSExtValue(), group);
}

/// In a group of one rank every rank keeps what it has.
LogicalResult FunctionConverter::convertInGroup(RankGroupOpInterface op) {
  auto grid = op->getAttrOfType<FlatSymbolRefAttr>("grid");
  auto axes = op->getAttrOfType<DenseI16ArrayAttr>("grid_axes");
  FailureOr<int32_t> group =
      findGroup(op, grid, axes ? axes.asArrayRef() : ArrayRef<int16_t>());
  if (failed(group))
    return failure();
  if (*group == 0 && isa<ProcessIndexOp>(op)) {
    Value zero =
        hlo::splat(rewriter, op.getLoc(), op->getResult(0).getType(), 0);
    rewriter.replaceAllOpUsesWith(op, zero);
    return success();
  }
  if (*group == 0) {
    rewriter.replaceAllOpUsesWith(op, op.getSources());
    return success();
  }
  Operation *call =
      llvm::TypeSwitch<Operation *, Operation *>(op.getOperation())
          .Case<AllReduceOp, SumOverStagesOp, AllGatherOp, ReduceScatterOp,
                BroadcastOp, ProcessIndexOp, shard::AllToAllOp,
                shard::AllSliceOp>(
              [&](auto each) { return createCall(each, *group); });
  replace(op, call, isa<CollectiveOpInterface>(op.getOperation()),
          getAxisNames(op, grid, *group));
  return success();
}

/// Its side effect keeps it from being removed at the end.
LogicalResult FunctionConverter::convertSumOverStages(SumOverStagesOp op) {
  if (failed(convertInGroup(op)))
    return failure();
  rewriter.eraseOp(op);
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

LogicalResult FunctionConverter::convert(Operation *op) {
  rewriter.setInsertionPoint(op);
  layers.enter(op);
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](LinearOp linear) {
        return convertLinear(rewriter, linear), success();
      })
      .Case([&](hlo::DotGeneralOp dot) {
        if (isa<FloatType>(dot.getType().getElementType()))
          convertDotGeneral(rewriter, dot,
                            markers.empty() ? PhaseOp() : markers.back());
        return success();
      })
      .Case([&](AttentionOp each) { return convertAttention(each), success(); })
      .Case([&](AttentionGradOp each) {
        return convertAttentionGrad(each), success();
      })
      .Case([&](AttentionBiasGradOp each) {
        return convertAttentionBiasGrad(each), success();
      })
      .Case([&](EmbeddingOp each) { return convertEmbedding(each), success(); })
      .Case([&](EmbeddingGradOp each) {
        return convertEmbeddingGrad(each), success();
      })
      .Case([&](FactorizeOp each) { return convertFactorize(each), success(); })
      .Case([&](AdamWOp each) { return convertAdamW(each), success(); })
      .Case([&](SumOfSquaresOp each) {
        return convertSumOfSquares(each), success();
      })
      .Case([&](ProbeOp each) { return convertProbe(each), success(); })
      .Case([&](SumOverStagesOp each) { return convertSumOverStages(each); })
      .Case([&](RankGroupOpInterface each) { return convertInGroup(each); })
      .Case([&](PhaseOp marker) {
        // Stays for the memory plan.
        phase = marker.getPhase();
        markers.pop_back();
        return success();
      })
      .Default([](Operation *) { return success(); });
}

/// Converted operations are left without users and removed at the end: later
/// ones may still look through transposes.
LogicalResult FunctionConverter::run() {
  SmallVector<Operation *> operations;
  for (Block &block : func.getBody())
    for (Operation &op : block) {
      operations.push_back(&op);
      if (auto marker = dyn_cast<PhaseOp>(op))
        markers.insert(markers.begin(), marker);
    }
  llvm::SmallPtrSet<Operation *, 4> erased;
  for (Operation *op : operations) {
    if (isa<ProbeOp, SumOverStagesOp>(op))
      erased.insert(op);
    if (failed(convert(op)))
      return failure();
  }
  for (Operation *op : llvm::reverse(operations))
    if (!erased.contains(op) && isOpTriviallyDead(op))
      op->erase();
  return success();
}

namespace {

struct ConvertBoostToRuntimePass
    : boost::impl::ConvertBoostToRuntimePassBase<ConvertBoostToRuntimePass> {
  void runOnOperation() override {
    RecomputedScope scope(getOperation());
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (failed(FunctionConverter(func).run()))
        return signalPassFailure();
  }
};

} // namespace
