//===- BroadcastParameters.cpp - One rank's parameters for all ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks hold different values, of which one is broadcast: no other pass makes a
// program whose values tell from which rank they came.
//
//===----------------------------------------------------------------------===//

#include "TestPasses.h"

#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "boost-mlir/Dialect/Boost/IR/Mesh.h"
#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace mlir::boost;

namespace {
struct BroadcastParametersPass
    : PassWrapper<BroadcastParametersPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(BroadcastParametersPass)

  BroadcastParametersPass() = default;
  BroadcastParametersPass(const BroadcastParametersPass &other)
      : PassWrapper(other) {}

  StringRef getArgument() const override {
    return "test-boost-broadcast-parameters";
  }
  StringRef getDescription() const override {
    return "Every rank adds a 64th of its position to its parameters, and all "
           "go on with those of one rank";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<BoostDialect, stablehlo::StableHLODialect>();
  }

  Option<int64_t> axis{*this, "axis", llvm::cl::desc("The axis of the mesh"),
                       llvm::cl::init(0)};
  Option<int64_t> root{*this, "root", llvm::cl::desc("Whose parameters"),
                       llvm::cl::init(0)};

  void broadcast(BlockArgument parameter, OpBuilder &builder);

  void runOnOperation() override {
    FailureOr<Mesh> mesh = Mesh::get(getOperation());
    if (failed(mesh))
      return signalPassFailure();
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      auto builder = OpBuilder::atBlockBegin(&function.front());
      for (BlockArgument argument : function.getArguments()) {
        unsigned index = argument.getArgNumber();
        auto tensor = function.getArgAttrOfType<TensorAttr>(index, kTensorAttr);
        Split split;
        mesh->parseLocalSharding(function.getArgAttr(index, kShardingAttr),
                                 cast<RankedTensorType>(argument.getType()),
                                 split);
        if (tensor && tensor.getRole() == TensorRole::Param &&
            !(getAxesOf(split) >> axis & 1))
          broadcast(argument, builder);
      }
    }
  }
};
} // namespace

void BroadcastParametersPass::broadcast(BlockArgument parameter,
                                        OpBuilder &builder) {
  Location loc = parameter.getLoc();
  auto type = cast<RankedTensorType>(parameter.getType());
  auto grid = FlatSymbolRefAttr::get(builder.getContext(), kMeshSymbol);
  auto axes = builder.getDenseI16ArrayAttr(static_cast<int16_t>(axis));
  Value position = ProcessIndexOp::create(
      builder, loc, RankedTensorType::get({}, builder.getI32Type()), grid,
      axes);
  position = stablehlo::convert(builder, loc, position, type.getElementType());
  position = stablehlo::MulOp::create(
      builder, loc, position,
      stablehlo::splatLike(builder, loc, position, 1.0 / 64));
  Value everywhere = stablehlo::BroadcastInDimOp::create(
      builder, loc, type, position, ArrayRef<int64_t>());
  auto own = stablehlo::AddOp::create(builder, loc, parameter, everywhere);
  auto common =
      BroadcastOp::create(builder, loc, TypeRange(type), own.getResult(),
                          builder.getI64IntegerAttr(root), grid, axes);
  common->setAttr(kComponentAttr, builder.getStringAttr(kBlockComponent));
  parameter.replaceAllUsesExcept(common.getResult(0), own);
}

void mlir::boost::test::registerBroadcastParametersPass() {
  PassRegistration<BroadcastParametersPass>();
}
