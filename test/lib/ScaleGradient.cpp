//===- ScaleGradient.cpp - A broken pass: one gradient is mis-scaled ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Simulates a gradient that is averaged twice, or summed once too often.
//
//===----------------------------------------------------------------------===//

#include "TestPasses.h"

#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace mlir::boost;

namespace {
struct ScaleGradientPass
    : PassWrapper<ScaleGradientPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ScaleGradientPass)

  ScaleGradientPass() = default;
  ScaleGradientPass(const ScaleGradientPass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "test-boost-scale-gradient"; }
  StringRef getDescription() const override {
    return "Broken on purpose: multiply the gradient of one parameter";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<boost::stablehlo::StableHLODialect>();
  }

  Option<std::string> parameter{
      *this, "parameter",
      llvm::cl::desc("Name of the parameter; the first one by default")};
  Option<double> factor{*this, "factor", llvm::cl::desc("What to multiply by"),
                        llvm::cl::init(1.01)};

  Option<std::string> function{
      *this, "function",
      llvm::cl::desc("Name of the function; all of them by default")};

  void scale(OpOperand &gradient) {
    OpBuilder builder(gradient.getOwner());
    Location loc = gradient.getOwner()->getLoc();
    Value value = gradient.get();
    gradient.set(boost::stablehlo::MulOp::create(
        builder, loc, value,
        boost::stablehlo::splatLike(builder, loc, value, factor)));
  }

  bool isMeant(StringRef name) const {
    return parameter.empty() || name == parameter;
  }

  /// Scales the gradient that a function returns; whether there is one.
  bool scaleResult(func::FuncOp function) {
    Operation *terminator = function.front().getTerminator();
    for (OpOperand &operand : terminator->getOpOperands()) {
      TensorAttr tensor = getResultTensor(function, operand.getOperandNumber());
      if (!hasRole(tensor, TensorRole::Gradient) || !isMeant(tensor.getOwner()))
        continue;
      scale(operand);
      return true;
    }
    return false;
  }

  /// Scales what the update of a parameter, or of its master, reads; whether
  /// there is one.
  bool scaleUpdate(func::FuncOp function) {
    for (auto adamw : function.getOps<AdamWOp>()) {
      auto argument = dyn_cast<BlockArgument>(adamw.getParam());
      TensorAttr tensor = argument
                              ? getArgTensor(function, argument.getArgNumber())
                              : TensorAttr();
      if (!tensor)
        continue;
      bool isMaster = hasRole(tensor, TensorRole::State);
      if (!isMeant(isMaster ? tensor.getOwner() : tensor.getName()))
        continue;
      scale(adamw.getGradMutable());
      return true;
    }
    return false;
  }

  void runOnOperation() override {
    bool scaled = false;
    for (auto candidate : getOperation().getOps<func::FuncOp>())
      if (function.empty() || candidate.getName() == function)
        scaled |= scaleResult(candidate) || scaleUpdate(candidate);
    if (!scaled) {
      getOperation().emitError()
          << "expects a gradient to scale; run boost-differentiate first";
      signalPassFailure();
    }
  }
};
} // namespace

void mlir::boost::test::registerScaleGradientPass() {
  PassRegistration<ScaleGradientPass>();
}
