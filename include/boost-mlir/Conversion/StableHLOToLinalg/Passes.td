//===- Passes.td - StableHLO to linalg ---------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_CONVERSION_STABLEHLOTOLINALG_PASSES
#define BOOST_MLIR_CONVERSION_STABLEHLOTOLINALG_PASSES

include "mlir/Pass/PassBase.td"

def ConvertStableHLOToLinalgPass
    : Pass<"convert-stablehlo-to-linalg", "::mlir::ModuleOp"> {
  let summary = "Lowers the remaining StableHLO operations to linalg on tensors";
  let description = [{
    Elementwise operations, broadcasts, transposes, iotas and reductions become
    `linalg.generic`. Reshapes and slices become views (`tensor.expand_shape`,
    `tensor.collapse_shape`, `tensor.extract_slice`). Concatenations and pads become
    insertions (`tensor.insert_slice`), and gathers and dynamic slices become kernels
    that read elements at computed positions. Scatters, sorts and windows become
    `boostrt.rows`, whose loops are written out: a scatter applies its updates in
    the order of the index vectors, a sort is a stable merge sort, and a cumulative
    window keeps a running value. Runs after `convert-boost-to-runtime`,
    which converts the floating-point `dot_general` operations.

    Unsigned types become signless, and each operation keeps its meaning. No input
    causes undefined behavior: this includes division by zero, shifts that are too
    large, conversions out of range, and indices out of bounds. bf16 and f16 reductions
    accumulate in f32. `stablehlo.optimization_barrier` stays, so that nothing is merged
    across it; `boostrt-bufferize` removes it.

    ```mlir
    func.func @f(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %y = stablehlo.exponential %x : tensor<4x8xf32>
      return %y : tensor<4x8xf32>
    }
    // becomes
    #id = affine_map<(i, j) -> (i, j)>
    func.func @f(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %e = tensor.empty() : tensor<4x8xf32>
      %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
          ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
      ^bb0(%in: f32, %out: f32):
        %1 = math.exp %in : f32
        linalg.yield %1 : f32
      } -> tensor<4x8xf32>
      return %y : tensor<4x8xf32>
    }
    ```

    Refuses `while`, `custom_call` and other operations that kernels cannot express.
    Reassociating: the order of a reduction is unspecified.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::boost::rt::BoostRTDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // BOOST_MLIR_CONVERSION_STABLEHLOTOLINALG_PASSES
