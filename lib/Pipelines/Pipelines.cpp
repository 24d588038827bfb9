//===- Pipelines.cpp - The stages of the compiler -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every stage consists of. The stages import and raise are beside their
// passes.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Pipelines/Pipelines.h"

#include "boost-mlir/Conversion/BoostRTToLLVM/Passes.h"
#include "boost-mlir/Conversion/BoostToRuntime/Passes.h"
#include "boost-mlir/Conversion/KernelsToLLVM/Passes.h"
#include "boost-mlir/Conversion/StableHLOToLinalg/Passes.h"
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h"
#include "boost-mlir/Dialect/BoostRT/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::boost;

static void addCleanUp(OpPassManager &manager) {
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
}

void mlir::boost::buildPlacePipeline(OpPassManager &manager,
                                     const PlacePipelineOptions &options) {
  PlacePassOptions place;
  place.meshText = options.mesh;
  place.placement = options.placement;
  place.explain = options.explain;
  manager.addPass(createPlacePass(place));
}

void mlir::boost::buildDecomposePipeline(OpPassManager &manager) {
  manager.addNestedPass<func::FuncOp>(createDecomposeBottleneckPass());
  manager.addNestedPass<func::FuncOp>(createDecomposeRMSNormPass());
  addCleanUp(manager);
}

void mlir::boost::buildDifferentiatePipeline(
    OpPassManager &manager, const DifferentiatePipelineOptions &options) {
  manager.addPass(createDifferentiatePass());
  addCleanUp(manager);
  AddOptimizerPassOptions optimizer;
  optimizer.optimizer = options.optimizer;
  optimizer.beta1 = options.beta1;
  optimizer.beta2 = options.beta2;
  optimizer.eps = options.eps;
  optimizer.weightDecay = options.weightDecay;
  optimizer.accumulate = options.accumulate;
  manager.addPass(createAddOptimizerPass(optimizer));
}

void mlir::boost::buildPartitionPipeline(OpPassManager &manager) {
  manager.addNestedPass<func::FuncOp>(createPropagateShardingsPass());
  manager.addPass(createPartitionPass());
  addCleanUp(manager);
  manager.addPass(createVerifySpmdPass());
}

void mlir::boost::buildLowerPipeline(OpPassManager &manager) {
  manager.addPass(createConvertBoostToRuntimePass());
  manager.addPass(createConvertStableHLOToLinalgPass());
  manager.addNestedPass<func::FuncOp>(rt::createFuseElementwisePass());
  addCleanUp(manager);
  manager.addPass(rt::createNumberCollectivesPass());
  manager.addPass(rt::createBufferizePass());
  manager.addPass(rt::createPlanMemoryPass());
  manager.addPass(rt::createVerifyRuntimePass());
  manager.addPass(rt::createOutlineKernelsPass());
}

void mlir::boost::buildEmitPipeline(OpPassManager &manager) {
  OpPassManager &functions = manager.nest<func::FuncOp>();
  functions.addPass(rt::createLowerKernelsPass());
  addCleanUp(functions);
  manager.addPass(createConvertKernelsToLLVMPass());
  manager.addPass(createConvertBoostRTToLLVMPass());
}

void mlir::boost::registerPipelines() {
  PassPipelineRegistration<PlacePipelineOptions>(
      "boost-place-pipeline", "Cut parameters and batch over the mesh",
      buildPlacePipeline);
  PassPipelineRegistration<>("boost-decompose-pipeline",
                             "Composite operations to simple ones",
                             buildDecomposePipeline);
  PassPipelineRegistration<DifferentiatePipelineOptions>(
      "boost-differentiate-pipeline", "The loss to a training step",
      buildDifferentiatePipeline);
  PassPipelineRegistration<>("boost-partition-pipeline",
                             "Global tensors to one rank's tensors",
                             buildPartitionPipeline);
  PassPipelineRegistration<>("boost-lower-pipeline",
                             "One rank's tensors to kernels and runtime calls",
                             buildLowerPipeline);
  PassPipelineRegistration<>("boost-emit-pipeline",
                             "Kernels and runtime calls to the LLVM dialect",
                             buildEmitPipeline);
}
