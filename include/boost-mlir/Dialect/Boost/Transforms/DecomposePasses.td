//===- DecomposePasses.td - Composite operations -----------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes of the stage decompose.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOST_TRANSFORMS_DECOMPOSEPASSES_TD
#define BOOST_MLIR_DIALECT_BOOST_TRANSFORMS_DECOMPOSEPASSES_TD

include "mlir/Pass/PassBase.td"

def DecomposeBottleneckPass : Pass<"boost-decompose-bottleneck"> {
  let summary = "Expand bottlenecks into linears and elementwise operations.";
  let description = [{
    The latent is a linear, plus the latent operand if there is one; silu is
    `h * logistic(h)`; each branch is a linear of its columns of the latent. A
    norm is applied to the product: `((x * gamma) . down) * rsqrt(mean(x^2) +
    eps)`, so that its gradient needs no collective. Layer norms become the formula of
    boost-online-layer-norm. In f16, x is multiplied by a
    power of two near the scale of the previous norm on the same residual
    stream, and the product is divided by it; the first norm of a stream becomes
    a `boost.rms_norm` before the product. The operations keep the
    `boost.component` of the bottleneck.

    ```mlir
    func.func @f(%x: tensor<4x64xf32>, %a: tensor<64x8xf32>, %b: tensor<8x64xf32>)
        -> tensor<4x64xf32> {
      %y = boost.bottleneck %x down(%a) up(%b) activation(silu)
          : tensor<4x64xf32> down tensor<64x8xf32> up tensor<8x64xf32> -> tensor<4x64xf32>
      return %y : tensor<4x64xf32>
    }
    // becomes
    func.func @f(%x: tensor<4x64xf32>,
                 %a: tensor<64x8xf32>,
                 %b: tensor<8x64xf32>) -> tensor<4x64xf32> {
      %0 = boost.linear %x, %a : (tensor<4x64xf32>, tensor<64x8xf32>) -> tensor<4x8xf32>
      %1 = stablehlo.logistic %0 : tensor<4x8xf32>
      %2 = stablehlo.multiply %0, %1 : tensor<4x8xf32>
      %3 = boost.linear %2, %b : (tensor<4x8xf32>, tensor<8x64xf32>) -> tensor<4x64xf32>
      return %3 : tensor<4x64xf32>
    }
    ```

    Arithmetic: reassociating with a norm, exact without one. Never fails.
  }];
  let dependentDialects = ["::mlir::boost::BoostDialect",
                           "::mlir::boost::stablehlo::StableHLODialect"];
}

def DecomposeLayerNormPass : Pass<"boost-decompose-layer-norm"> {
  let summary = "Expand layer norms into StableHLO operations.";
  let description = [{
    The statistics are the sum of a row and the sum of its squares, computed in f32 (f64
    for f64 input), with `var(x) = max(mean(x^2) - mean(x)^2, 0)`. The two sums can
    therefore be computed together instead of one after the other. The result is rounded
    to the element type of gamma before gamma and beta are applied. The operations keep
    the `boost.component` of the norm.

    ```mlir
    func.func @f(%x: tensor<4x64xf32>, %gamma: tensor<64xf32>, %beta: tensor<64xf32>)
        -> tensor<4x64xf32> {
      %y = boost.layer_norm %x, %gamma, %beta {eps = 0.0009765625 : f64}
          : tensor<4x64xf32>, tensor<64xf32>
      return %y : tensor<4x64xf32>
    }
    // becomes
    func.func @f(%arg0: tensor<4x64xf32>, %arg1: tensor<64xf32>, %arg2: tensor<64xf32>) -> tensor<4x64xf32> {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [1]
          : (tensor<4x64xf32>, tensor<f32>) -> tensor<4xf32>
      %cst_0 = stablehlo.constant dense<6.400000e+01> : tensor<4xf32>
      %1 = stablehlo.divide %0, %cst_0 : tensor<4xf32>
      %2 = stablehlo.multiply %arg0, %arg0 : tensor<4x64xf32>
      %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3 = stablehlo.reduce(%2 init: %cst_1) applies stablehlo.add across dimensions = [1]
          : (tensor<4x64xf32>, tensor<f32>) -> tensor<4xf32>
      %cst_2 = stablehlo.constant dense<6.400000e+01> : tensor<4xf32>
      %4 = stablehlo.divide %3, %cst_2 : tensor<4xf32>
      %5 = stablehlo.multiply %1, %1 : tensor<4xf32>
      %6 = stablehlo.subtract %4, %5 : tensor<4xf32>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<4xf32>
      %7 = stablehlo.maximum %6, %cst_3 : tensor<4xf32>
      %cst_4 = stablehlo.constant dense<9.765625E-4> : tensor<4xf32>
      %8 = stablehlo.add %7, %cst_4 : tensor<4xf32>
      %9 = stablehlo.rsqrt %8 : tensor<4xf32>
      %10 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<4xf32>) -> tensor<4x64xf32>
      %11 = stablehlo.subtract %arg0, %10 : tensor<4x64xf32>
      %12 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<4xf32>) -> tensor<4x64xf32>
      %13 = stablehlo.multiply %11, %12 : tensor<4x64xf32>
      %14 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<64xf32>) -> tensor<4x64xf32>
      %15 = stablehlo.multiply %13, %14 : tensor<4x64xf32>
      %16 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<64xf32>) -> tensor<4x64xf32>
      %17 = stablehlo.add %15, %16 : tensor<4x64xf32>
      return %17 : tensor<4x64xf32>
    }
    ```

    Arithmetic: reassociating (the variance). Never fails.
  }];
  let dependentDialects = ["::mlir::boost::BoostDialect",
                           "::mlir::boost::stablehlo::StableHLODialect"];
}

def DecomposeRMSNormPass : Pass<"boost-decompose-rms-norm"> {
  let summary = "Expand RMS norms into StableHLO operations.";
  let description = [{
    The statistic is computed in f32 (f64 for f64 input), and the result is rounded to
    the element type of gamma before gamma is applied. The operations keep the
    `boost.component` of the norm.

    ```mlir
    func.func @f(%x: tensor<4x64xf32>, %gamma: tensor<64xf32>) -> tensor<4x64xf32> {
      %y = boost.rms_norm %x, %gamma {eps = 1.0e-6 : f64} : tensor<4x64xf32>, tensor<64xf32>
      return %y : tensor<4x64xf32>
    }
    // becomes
    func.func @f(%x: tensor<4x64xf32>, %gamma: tensor<64xf32>) -> tensor<4x64xf32> {
      %0 = stablehlo.multiply %x, %x : tensor<4x64xf32>
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1]
          : (tensor<4x64xf32>, tensor<f32>) -> tensor<4xf32>
      %cst_0 = stablehlo.constant dense<6.400000e+01> : tensor<4xf32>
      %2 = stablehlo.divide %1, %cst_0 : tensor<4xf32>
      %cst_1 = stablehlo.constant dense<9.99999997E-7> : tensor<4xf32>
      %3 = stablehlo.add %2, %cst_1 : tensor<4xf32>
      %4 = stablehlo.rsqrt %3 : tensor<4xf32>
      %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<4xf32>) -> tensor<4x64xf32>
      %6 = stablehlo.multiply %x, %5 : tensor<4x64xf32>
      %7 = stablehlo.broadcast_in_dim %gamma, dims = [1]
          : (tensor<64xf32>) -> tensor<4x64xf32>
      %8 = stablehlo.multiply %6, %7 : tensor<4x64xf32>
      return %8 : tensor<4x64xf32>
    }
    ```

    Arithmetic: exact. Never fails.
  }];
  let dependentDialects = ["::mlir::boost::BoostDialect",
                           "::mlir::boost::stablehlo::StableHLODialect"];
}

#endif // BOOST_MLIR_DIALECT_BOOST_TRANSFORMS_DECOMPOSEPASSES_TD
