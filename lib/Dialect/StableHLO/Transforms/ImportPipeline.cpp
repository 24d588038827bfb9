//===- ImportPipeline.cpp - From a JAX export to one function -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/StableHLO/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::boost;

void stablehlo::buildImportPipeline(OpPassManager &manager) {
  manager.addPass(createImportCheckPass());
  manager.addPass(createReadResourcesPass());
  // These read attributes of calls that are dropped when the entry is
  // normalized.
  manager.addPass(createExpandTriangularSolvePass());
  manager.addPass(createRaiseFactorizationsPass());
  manager.addPass(createRaiseStopGradientsPass());
  manager.addPass(createSeparateOptimizerPass());
  manager.addPass(createNormalizeEntryPass());
  manager.addPass(createExpandCHLOPass());
  manager.addPass(createExpandConvolutionPass());
  manager.addPass(createExpandSelectAndScatterPass());
  manager.addPass(createExpandDotAlgorithmPass());
  manager.addPass(createInlineCallsPass());
  manager.addPass(createExpandScansPass());
  // Folds what loop bounds are computed from.
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createUnrollWhilePass());
  // Folds what branches are chosen by: in a loop often its counter.
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createSelectBranchesPass());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  manager.addNestedPass<func::FuncOp>(createInferFeedsPass());
  manager.addNestedPass<func::FuncOp>(createClassifyParametersPass());
  // The initial values of parameters depend on the constants that they meet.
  manager.addPass(createStoreConstantsPass());
}

void stablehlo::registerImportPipeline() {
  PassPipelineRegistration<>(
      "boost-import-pipeline",
      "A JAX export to one straight-line function @loss",
      [](OpPassManager &manager) { buildImportPipeline(manager); });
}
