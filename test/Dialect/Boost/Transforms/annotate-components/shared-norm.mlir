// RUN: boost-opt %s -boost-annotate-components | FileCheck %s
// A norm that a block reads too is not the head's.

// CHECK-LABEL: func @model
func.func @model(%x: tensor<2x4x8xf32>, %g: tensor<8xf32>, %h: tensor<8x32xf32>, %l: tensor<2x4xi32>)
    -> (tensor<2x4xf32>, tensor<2x4x8xf32>) {
  // CHECK: boost.rms_norm {{.*}} {boost.component = "block"
  %n = boost.rms_norm %x, %g {eps = 1.0e-6 : f64} : tensor<2x4x8xf32>, tensor<8xf32>
  // CHECK: boost.linear {{.*}} {boost.component = "head"}
  %o = boost.linear %n, %h : (tensor<2x4x8xf32>, tensor<8x32xf32>) -> tensor<2x4x32xf32>
  %e, %s = boost.cross_entropy %o, %l : (tensor<2x4x32xf32>, tensor<2x4xi32>) -> (tensor<2x4xf32>, tensor<2x4xf32>)
  // CHECK: stablehlo.negate {{.*}} {boost.component = "block"}
  %m = stablehlo.negate %n : tensor<2x4x8xf32>
  return %e, %m : tensor<2x4xf32>, tensor<2x4x8xf32>
}
