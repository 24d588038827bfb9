// RUN: boost-opt %s -boost-raise-attention | FileCheck %s
// Biases that hide stay beside a mask. Values are not compared with the program's: where only keys are left that the
// bias hides, boost.attention leaves those of the mask out of the row, which the program weighs as much.

// CHECK-LABEL: func @additive_and_mask
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} bias %{{[^ ]*}} mask %{{[^ ]*}} {scale = 1.000000e+00 : f64} :
func.func @additive_and_mask(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %d: tensor<2x4x8x8xi1>) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %i = stablehlo.iota dim = 0 : tensor<8x8xi32>
  %j = stablehlo.iota dim = 1 : tensor<8x8xi32>
  %c = stablehlo.compare GE, %i, %j : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %a = stablehlo.constant dense<0.0> : tensor<8x8xf32>
  %z = stablehlo.constant dense<-1.0e+09> : tensor<8x8xf32>
  %n = stablehlo.select %c, %a, %z : tensor<8x8xi1>, tensor<8x8xf32>
  %u = stablehlo.broadcast_in_dim %n, dims = [2, 3] : (tensor<8x8xf32>) -> tensor<2x4x8x8xf32>
  %low = stablehlo.constant dense<-1.0e+09> : tensor<2x4x8x8xf32>
  %y = stablehlo.add %s, %u : tensor<2x4x8x8xf32>
  %m = stablehlo.select %d, %y, %low : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %max = stablehlo.reduce(%m init: %least) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %shift = stablehlo.broadcast_in_dim %max, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %shifted = stablehlo.subtract %m, %shift : tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %shifted : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}
