//===- InitAll.cpp - Everything the tools register ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/InitAll.h"

#include "boost-mlir/Analysis/CostModel.h"
#include "boost-mlir/Conversion/BoostRTToLLVM/Passes.h"
#include "boost-mlir/Conversion/BoostToRuntime/Passes.h"
#include "boost-mlir/Conversion/KernelsToGPU/Passes.h"
#include "boost-mlir/Conversion/KernelsToLLVM/Passes.h"
#include "boost-mlir/Conversion/StableHLOToBoost/Passes.h"
#include "boost-mlir/Conversion/StableHLOToLinalg/Passes.h"
#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "boost-mlir/Dialect/Boost/Transforms/DifferentiationRules.h"
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h"
#include "boost-mlir/Dialect/BoostRT/IR/BoostRT.h"
#include "boost-mlir/Dialect/BoostRT/Transforms/Passes.h"
#include "boost-mlir/Dialect/StableHLO/IR/CHLO.h"
#include "boost-mlir/Dialect/StableHLO/IR/SDY.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "boost-mlir/Dialect/StableHLO/Transforms/Differentiation.h"
#include "boost-mlir/Dialect/StableHLO/Transforms/Passes.h"
#include "boost-mlir/Pipelines/Passes.h"
#include "boost-mlir/Pipelines/Pipelines.h"
#include "boost-mlir/Sharding/Rules.h"
#include "boost-mlir/Target/DeviceCode.h"
#include "boost-mlir/Target/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Shard/IR/ShardDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void mlir::boost::registerAllDialects(DialectRegistry &registry) {
  registry.insert<boost::BoostDialect, rt::BoostRTDialect, chlo::CHLODialect,
                  sdy::SDYDialect, boost::stablehlo::StableHLODialect>();
  registry
      .insert<affine::AffineDialect, arith::ArithDialect,
              cf::ControlFlowDialect, func::FuncDialect, LLVM::LLVMDialect,
              linalg::LinalgDialect, math::MathDialect, memref::MemRefDialect,
              scf::SCFDialect, shard::ShardDialect, tensor::TensorDialect>();
  boost::registerDifferentiationRules(registry);
  boost::stablehlo::registerDifferentiationRules(registry);
  boost::registerShardingRules(registry);
  boost::registerCostModels(registry);
  boost::registerDeviceCodeDialects(registry);
}

void mlir::boost::registerAllPasses() {
  boost::stablehlo::registerStableHLOTransformsPasses();
  boost::stablehlo::registerImportPipeline();
  boost::registerStableHLOToBoostPasses();
  boost::registerRaisePipeline();
  boost::registerBoostTransformsPasses();
  mlir::registerTransformsPasses();
  mlir::registerLinalgPasses();
  boost::registerBoostToRuntimePasses();
  boost::registerStableHLOToLinalgPasses();
  rt::registerBoostRTPasses();
  boost::registerKernelsToGPUPasses();
  boost::registerKernelsToLLVMPasses();
  boost::registerBoostRTToLLVMPasses();
  boost::registerTargetPasses();
  boost::registerPipelinesPasses();
  boost::registerPipelines();
  boost::registerDeviceCodePipeline();
}
