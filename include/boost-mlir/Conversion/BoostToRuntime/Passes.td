//===- Passes.td - boost to runtime calls ------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_CONVERSION_BOOSTTORUNTIME_PASSES
#define BOOST_MLIR_CONVERSION_BOOSTTORUNTIME_PASSES

include "mlir/Pass/PassBase.td"

def ConvertBoostToRuntimePass : Pass<"convert-boost-to-runtime", "::mlir::ModuleOp"> {
  let summary = "Turns boost operations, products and collectives into runtime calls";
  let description = [{
    Works on one rank's tensors, after partitioning and before
    `convert-stablehlo-to-linalg`. Runtime calls have destination style on
    tensors; `boostrt.adamw` and `boostrt.all_reduce` update their operands.

    Every floating-point `dot_general` and `boost.linear` becomes a
    `boostrt.gemm`. Transposes of operands and result become transpose flags
    if batching, free and contracted dimensions are each adjacent in memory; other
    layouts are copied. The dimensions of the result stay in the order batch, lhs, rhs.

    The group of a collective becomes a bit mask over the axes of the mesh; if the
    mesh names its axes, `boostrt.axes` has the names. `boost.component` is kept.
    Each collective gets the attribute `boost.phase`, and the `boost.phase` markers
    stay for the memory plan. A collective over a group of one rank becomes its
    operand.

    ```mlir
    shard.grid @mesh(shape = 1x2) {boost.axes = ["dp", "tp"]}
    func.func @f(%x: tensor<4x8x16xf32>, %w: tensor<32x16xf32>) -> tensor<4x8x32xf32> {
      %y = boost.linear %x, %w transposed
          : (tensor<4x8x16xf32>, tensor<32x16xf32>) -> tensor<4x8x32xf32>
      boost.phase backward
      %r = boost.all_reduce sum %y on @mesh axes = [1] : tensor<4x8x32xf32>
      return %r : tensor<4x8x32xf32>
    }
    // becomes
    shard.grid @mesh(shape = 1x2) {boost.axes = ["dp", "tp"]}
    func.func @f(%x: tensor<4x8x16xf32>, %w: tensor<32x16xf32>) -> tensor<4x8x32xf32> {
      %e = tensor.empty() : tensor<4x8x32xf32>
      %y = boostrt.gemm ins(%x, %w : tensor<4x8x16xf32>, tensor<32x16xf32>)
          outs(%e : tensor<4x8x32xf32>)
          {batch = 1, m = 32, n = 32, k = 16, transpose_b} -> tensor<4x8x32xf32>
      boost.phase backward
      %r = boostrt.all_reduce sum group 2 outs(%y : tensor<4x8x32xf32>)
          {boost.phase = "backward", boostrt.axes = ["tp"]} -> tensor<4x8x32xf32>
      return %r : tensor<4x8x32xf32>
    }
    ```

    Reassociating: BLAS chooses the order of sums.
  }];
  let dependentDialects = ["::mlir::boost::rt::BoostRTDialect",
                           "::mlir::boost::stablehlo::StableHLODialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // BOOST_MLIR_CONVERSION_BOOSTTORUNTIME_PASSES
