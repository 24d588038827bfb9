//===- InsertProbes.cpp - boost-insert-probes -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies the training step to @verify, puts a probe behind every tensor that
// `eval --verify` compares, and lets a schedule call it. Refuses modules
// without a gradient.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/Schedule.h"
#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"

namespace mlir::boost {
#define GEN_PASS_DEF_INSERTPROBESPASS
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h.inc"
} // namespace mlir::boost

using namespace mlir;
using namespace mlir::boost;

//===----------------------------------------------------------------------===//
// What is shown
//===----------------------------------------------------------------------===//

/// Operations whose results are made of elements of their operands, or of
/// nothing.
static bool isMovement(Operation *op) {
  return op->hasTrait<OpTrait::ConstantLike>() ||
         isa<stablehlo::IotaOp, stablehlo::BroadcastInDimOp,
             stablehlo::ReshapeOp, stablehlo::TransposeOp, stablehlo::ReverseOp,
             stablehlo::SliceOp, stablehlo::ConcatenateOp, stablehlo::PadOp,
             stablehlo::GatherOp, stablehlo::DynamicSliceOp,
             stablehlo::DynamicUpdateSliceOp, stablehlo::ConvertOp,
             stablehlo::OptimizationBarrierOp>(op);
}

/// Returns true if the value is read only inside a chain of elementwise
/// operations.
static bool isInsideChain(Value value) {
  return value.hasOneUse() &&
         value.getDefiningOp()->hasTrait<OpTrait::Elementwise>() &&
         value.use_begin()->getOwner()->hasTrait<OpTrait::Elementwise>();
}

static bool isFloatTensor(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && isa<FloatType>(type.getElementType());
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// The name of the argument that a value is, or is a view of; empty if there is
/// none.
static StringRef getParameterName(func::FuncOp function, Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isMovement(op) || op->getNumOperands() != 1)
      return "";
    value = op->getOperand(0);
  }
  TensorAttr tensor =
      getArgTensor(function, cast<BlockArgument>(value).getArgNumber());
  return isParameter(tensor) ? tensor.getName().getValue() : "";
}

/// Names that users know: of what the function returns, and of what `gradient`
/// returns, which are `gradients` here.
static DenseMap<Value, std::string> getKnownNames(func::FuncOp function,
                                                  func::FuncOp gradient,
                                                  ArrayRef<Value> gradients) {
  DenseMap<Value, std::string> names;
  for (auto [i, value] : llvm::enumerate(gradients))
    if (TensorAttr tensor = getResultTensor(gradient, i);
        hasRole(tensor, TensorRole::Gradient))
      names[value] = tensor.getName().str();
  Operation *terminator = function.front().getTerminator();
  for (OpOperand &result : terminator->getOpOperands())
    if (TensorAttr tensor =
            getResultTensor(function, result.getOperandNumber()))
      names[result.get()] = tensor.getName().str();
  return names;
}

/// "linear layers.0.attn.q.down"
static std::string describe(func::FuncOp function, Operation *op) {
  std::string name = op->getName().stripDialect().str();
  for (Value operand : op->getOperands())
    if (StringRef parameter = getParameterName(function, operand);
        !parameter.empty())
      name += (" " + parameter).str();
  return name;
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

static void insertProbes(func::FuncOp function,
                         const DenseMap<Value, std::string> &names) {
  OpBuilder builder(function.getContext());
  Phase phase = Phase::Forward;
  int64_t site = 0;
  auto operations = llvm::map_to_vector(function.front().without_terminator(),
                                        [](Operation &op) { return &op; });
  for (Operation *op : operations) {
    if (auto marker = dyn_cast<PhaseOp>(op))
      phase = marker.getPhase();
    builder.setInsertionPointAfter(op);
    for (Value result : op->getResults()) {
      auto known = names.find(result);
      bool isNamed = known != names.end();
      if (!isFloatTensor(result) || op->hasTrait<OpTrait::ConstantLike>() ||
          (!isNamed && (isMovement(op) || isInsideChain(result))))
        continue;
      auto probe = ProbeOp::create(
          builder, op->getLoc(), result,
          isNamed ? known->second : describe(function, op), site++,
          /*sharding=*/ShardingAttr(), /*rows=*/DenseI64ArrayAttr());
      probe->setAttr(kPhaseAttr, builder.getStringAttr(stringifyPhase(phase)));
    }
  }
}

namespace {
struct InsertProbesPass
    : public boost::impl::InsertProbesPassBase<InsertProbesPass> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    if (Operation *previous = symbols.lookup(kVerifyFunction)) {
      emitError(previous->getLoc()) << "expects no @" << kVerifyFunction
                                    << " yet, but it is defined here";
      return signalPassFailure();
    }
    auto function = dyn_cast_or_null<func::FuncOp>(
        findProbedFunction(getOperation()).getOperation());
    auto gradient = symbols.lookup<func::FuncOp>(kGradientFunction);
    if (!function || !gradient || !function.getBody().hasOneBlock()) {
      emitError(getOperation().getLoc())
          << "expects a function @" << kGradientFunction
          << " of one block, but there is none: run boost-differentiate first";
      return signalPassFailure();
    }
    func::FuncOp verify = function.clone();
    verify.setName(kVerifyFunction);
    symbols.insert(verify, std::next(Block::iterator(function)));
    FailureOr<SmallVector<Value>> gradients = findGradientsIn(verify, gradient);
    if (failed(gradients))
      return signalPassFailure();
    insertProbes(verify, getKnownNames(verify, gradient, *gradients));
    auto builder = OpBuilder::atBlockEnd(getOperation().getBody());
    buildSchedule(builder, verify.getLoc(), kProbeSchedule,
                  /*microBatches=*/1, {verify});
  }
};
} // namespace
