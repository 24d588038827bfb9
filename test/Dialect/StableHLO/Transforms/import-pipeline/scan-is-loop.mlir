// RUN: boost-opt %s -split-input-file --boost-import-pipeline | FileCheck %s
// A model written with lax.scan and the same one written with a Python loop
// become the same operations; only where the layers' weights come from differs.

// CHECK-LABEL: module @loop
// CHECK:       func.func public @loss
// CHECK:         %[[A:.*]] = stablehlo.multiply %{{.*}}, %arg0
// CHECK-NEXT:    %[[B:.*]] = stablehlo.multiply %[[A]], %[[A]]
// CHECK-NEXT:    %[[C:.*]] = stablehlo.multiply %[[B]], %arg1
// CHECK-NEXT:    %[[D:.*]] = stablehlo.multiply %[[C]], %[[C]]
// CHECK-NEXT:    %[[L:.*]] = stablehlo.reduce(%[[D]]
// CHECK-NEXT:    return %[[L]]
module @loop {
  func.func public @main(%w0: tensor<4xf32>, %w1: tensor<4xf32>, %x: tensor<4xf32> {boost.arg = "batch"}) -> (tensor<f32> {jax.result_info = "result"}) {
    %0 = call @layer(%w0, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %1 = call @layer(%w1, %0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %cst = stablehlo.constant dense<0.0> : tensor<f32>
    %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    return %2 : tensor<f32>
  }
  func.func private @layer(%w: tensor<4xf32>, %x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.multiply %x, %w : tensor<4xf32>
    %1 = chlo.square %0 : tensor<4xf32> -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}

// -----

// CHECK-LABEL: module @scan
// CHECK:       func.func public @loss
// CHECK-NOT:     stablehlo.while
// CHECK:         %[[S0:.*]] = stablehlo.slice %arg0 [0:1, 0:4]
// CHECK-NEXT:    %[[W0:.*]] = stablehlo.reshape %[[S0]]
// CHECK-NEXT:    %[[A:.*]] = stablehlo.multiply %{{.*}}, %[[W0]]
// CHECK-NEXT:    %[[B:.*]] = stablehlo.multiply %[[A]], %[[A]]
// CHECK-NEXT:    %[[S1:.*]] = stablehlo.slice %arg0 [1:2, 0:4]
// CHECK-NEXT:    %[[W1:.*]] = stablehlo.reshape %[[S1]]
// CHECK-NEXT:    %[[C:.*]] = stablehlo.multiply %[[B]], %[[W1]]
// CHECK-NEXT:    %[[D:.*]] = stablehlo.multiply %[[C]], %[[C]]
// CHECK-NEXT:    %[[L:.*]] = stablehlo.reduce(%[[D]]
// CHECK-NEXT:    return %[[L]]
module @scan {
  func.func public @main(%w: tensor<2x4xf32>, %x: tensor<4xf32> {boost.arg = "batch"}) -> tensor<f32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0:3 = stablehlo.while(%iterArg = %w, %iterArg_0 = %c, %iterArg_1 = %x) : tensor<2x4xf32>, tensor<i32>, tensor<4xf32>
    cond {
      %c_2 = stablehlo.constant dense<2> : tensor<i32>
      %2 = stablehlo.compare LT, %iterArg_0, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %2 = func.call @index(%iterArg, %iterArg_0) : (tensor<2x4xf32>, tensor<i32>) -> tensor<4xf32>
      %3 = func.call @layer(%2, %iterArg_1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      %c_2 = stablehlo.constant dense<1> : tensor<i32>
      %4 = stablehlo.add %iterArg_0, %c_2 : tensor<i32>
      stablehlo.return %iterArg, %4, %3 : tensor<2x4xf32>, tensor<i32>, tensor<4xf32>
    }
    %cst = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.reduce(%0#2 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    return %1 : tensor<f32>
  }
  func.func private @index(%w: tensor<2x4xf32>, %i: tensor<i32>) -> tensor<4xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %w, %i, %c, sizes = [1, 4] : (tensor<2x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4xf32>) -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
  func.func private @layer(%w: tensor<4xf32>, %x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.multiply %x, %w : tensor<4xf32>
    %1 = chlo.square %0 : tensor<4xf32> -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}
