//===- Place.cpp - Choosing and recording a placement ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the mesh, applies the rules of a placement and writes the mesh and the
// splits of arguments and results. Refuses meshes that do not fit the model.
//
//===----------------------------------------------------------------------===//

#include "Placement.h"

#include "boost-mlir/Dialect/Boost/IR/ArgumentAttrs.h"
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "mlir/Dialect/Shard/IR/ShardDialect.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace mlir::boost {
#define GEN_PASS_DEF_PLACEPASS
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h.inc"
} // namespace mlir::boost

using namespace mlir;
using namespace mlir::boost;

/// Puts `shard.grid @mesh` first in the module, in place of an earlier one.
static void writeMesh(ModuleOp module, const Mesh &mesh) {
  if (Operation *old = module.lookupSymbol(kMeshSymbol))
    old->erase();
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  SmallVector<int64_t> sizes;
  SmallVector<StringRef> names;
  for (unsigned axis = 0; axis < mesh.getNumAxes(); ++axis) {
    sizes.push_back(mesh.getAxisSize(axis));
    names.push_back(mesh.getAxisName(axis));
  }
  auto grid =
      shard::GridOp::create(builder, module.getLoc(), kMeshSymbol, sizes);
  grid->setAttr(kAxesAttr, builder.getStrArrayAttr(names));
}

namespace {
struct Place : public mlir::boost::impl::PlacePassBase<Place> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto func = module.lookupSymbol<func::FuncOp>(kLossFunction);
    if (!func || func.isExternal()) {
      module.emitError() << "expects a function '@" << kLossFunction
                         << "' with a body, but there is none";
      return signalPassFailure();
    }
    for (Type type : llvm::concat<const Type>(func.getArgumentTypes(),
                                              func.getResultTypes())) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      if (tensor && tensor.hasStaticShape())
        continue;
      func.emitOpError() << "expects arguments and results of static shape, "
                            "but got "
                         << type;
      return signalPassFailure();
    }
    Placement decisions(func, mesh);
    if (followHints)
      readHints(func, mesh, decisions);
    auto attrs = ArgumentAttrs::ofArguments(func);
    for (unsigned index = 0; index < func.getNumArguments(); ++index)
      attrs.remove(index, kHintAttr);
    attrs.write();
    if (failed(applyRules(func, decisions)) || failed(decisions.check()) ||
        failed(decisions.checkAxesAreUsed(func.getLoc())))
      return signalPassFailure();
    const PlacementRules *rules = findPlacementRules(placement);
    if (rules && (mesh.getAxisNamed(kTensorAxis) & mesh.getUsedAxes()))
      decisions.remarkReplicated();
    writeMesh(module, mesh);
    decisions.write();
    if (rules)
      spreadOperations(func, mesh, *rules);
    if (explain)
      explainPlacement(func, mesh, mlir::boost::getName(placement.getValue()));
  }

private:
  LogicalResult applyRules(func::FuncOp func, Placement &decisions) {
    switch (placement) {
    case PlacementKind::Auto:
      return emitError(func.getLoc())
             << "expects a placement that boost-compile has chosen, but got '"
             << mlir::boost::getName(placement.getValue()) << "'";
    case PlacementKind::Searched:
      return searchPlacement(func, mesh, decisions);
    case PlacementKind::Replicated:
      placeReplicated(func, mesh, decisions);
      return success();
    case PlacementKind::Given:
      return placeGiven(func, mesh, decisions);
    default:
      placeByRules(func, mesh, *findPlacementRules(placement), decisions);
      return success();
    }
  }

  LogicalResult searchPlacement(func::FuncOp func, const Mesh &mesh,
                                Placement &decisions) {
    FailureOr<Machine> loaded = loadMachine(func, machine);
    if (failed(loaded))
      return failure();
    // The search compares forms of the decomposed operations.
    OpPassManager decompose(ModuleOp::getOperationName());
    decompose.addNestedPass<func::FuncOp>(createDecomposeBottleneckPass());
    decompose.addNestedPass<func::FuncOp>(createDecomposeLayerNormPass());
    decompose.addNestedPass<func::FuncOp>(createDecomposeRMSNormPass());
    decompose.addPass(createCSEPass());
    if (failed(runPipeline(decompose, getOperation())))
      return failure();
    return placeSearched(func, mesh, *loaded, explain, decisions);
  }
};
} // namespace
