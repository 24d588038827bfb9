//===- RaisePipeline.cpp - The raise passes in their order ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Conversion/StableHLOToBoost/Passes.h"
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h"
#include "boost-mlir/Dialect/StableHLO/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::boost;

void mlir::boost::buildRaisePipeline(OpPassManager &pm) {
  // The larger patterns go first, while their parts are still StableHLO;
  // bottlenecks are made of linears.
  OpPassManager &func = pm.nest<func::FuncOp>();
  func.addPass(createRaiseEmbeddingPass());
  func.addPass(createRaiseAttentionPass());
  func.addPass(stablehlo::createExpandInnerProductsPass());
  func.addPass(createRaiseCrossEntropyPass());
  func.addPass(createRaiseLayerNormPass());
  func.addPass(createRaiseRMSNormPass());
  func.addPass(createRaiseLinearPass());
  func.addPass(createRaiseBottleneckPass());
  func.addPass(createCanonicalizerPass());
  func.addPass(createCSEPass());
  func.addPass(createAnnotateComponentsPass());
  // Masks that none of these passes has recognized.
  stablehlo::StoreConstantsPassOptions options;
  options.masks = true;
  pm.addPass(stablehlo::createStoreConstantsPass(options));
}

void mlir::boost::registerRaisePipeline() {
  PassPipelineRegistration<>(
      "boost-raise-pipeline",
      "Raise an imported program to the operations of the boost dialect",
      buildRaisePipeline);
}
