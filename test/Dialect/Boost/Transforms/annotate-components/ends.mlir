// RUN: boost-opt %s -boost-annotate-components | FileCheck %s
// The ends of the model are found by what they do; the rest is blocks.

// CHECK-LABEL: func @model
func.func @model(%t: tensor<32x8xf32>, %i: tensor<2x4xi32>, %w: tensor<8x8xf32>, %g: tensor<8xf32>,
                 %h: tensor<8x32xf32>, %l: tensor<2x4xi32>) -> tensor<f32> {
  // Constants belong nowhere.
  // CHECK: stablehlo.constant dense<0.000000e+00>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // What only prepares ids belongs to the embedding.
  // CHECK: stablehlo.abs %{{.*}} {boost.component = "embedding"}
  %ids = stablehlo.abs %i : tensor<2x4xi32>
  // CHECK: boost.embedding {{.*}} {boost.component = "embedding"}
  %x = boost.embedding %t, %ids : (tensor<32x8xf32>, tensor<2x4xi32>) -> tensor<2x4x8xf32>
  // CHECK: boost.linear {{.*}} {boost.component = "block"}
  %y = boost.linear %x, %w : (tensor<2x4x8xf32>, tensor<8x8xf32>) -> tensor<2x4x8xf32>
  // The last sum feeds only the head's norm and is a block's all the same.
  // CHECK: stablehlo.add {{.*}} {boost.component = "block"}
  %z = stablehlo.add %x, %y : tensor<2x4x8xf32>
  // CHECK: boost.rms_norm {{.*}} {boost.component = "head"
  %n = boost.rms_norm %z, %g {eps = 1.0e-6 : f64} : tensor<2x4x8xf32>, tensor<8xf32>
  // CHECK: boost.linear {{.*}} {boost.component = "head"}
  %o = boost.linear %n, %h : (tensor<2x4x8xf32>, tensor<8x32xf32>) -> tensor<2x4x32xf32>
  // CHECK: stablehlo.tanh {{.*}} {boost.component = "head"}
  %c = stablehlo.tanh %o : tensor<2x4x32xf32>
  // CHECK: stablehlo.abs {{.*}} {boost.component = "loss"}
  %labels = stablehlo.abs %l : tensor<2x4xi32>
  // CHECK: boost.cross_entropy {{.*}} {boost.component = "loss"}
  %e, %s = boost.cross_entropy %c, %labels : (tensor<2x4x32xf32>, tensor<2x4xi32>) -> (tensor<2x4xf32>, tensor<2x4xf32>)
  // CHECK: stablehlo.reduce{{.*}} {boost.component = "loss"}
  %r = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x4xf32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}
