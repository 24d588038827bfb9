// RUN: boost-opt %s --boost-raise-layer-norm -o %t
// RUN: FileCheck %s < %t
// RUN: boost-eval --compare --every-function %s %t
// The variance of two sums, bounded by zero, and f32 statistics of bf16.

// As flax.linen.LayerNorm: mean(x^2) - mean(x)^2, the root times gamma first.
// CHECK-LABEL: func @fast_variance
// CHECK-SAME:    %[[X:.*]]: tensor<2x4x16xf32>, %[[G:.*]]: tensor<16xf32>, %[[B:.*]]: tensor<16xf32>
// CHECK:         %[[N:.*]] = boost.layer_norm %[[X]], %[[G]], %[[B]] {eps = 9.765625E-4 : f64}
// CHECK-NEXT:    return %[[N]]
func.func @fast_variance(%x: tensor<2x4x16xf32>, %g: tensor<16xf32>, %b: tensor<16xf32>) -> tensor<2x4x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %zeros = stablehlo.constant dense<0.0> : tensor<2x4xf32>
  %size = stablehlo.constant dense<16.0> : tensor<2x4xf32>
  %eps = stablehlo.constant dense<0.0009765625> : tensor<2x4x1xf32>
  %s = stablehlo.multiply %x, %x : tensor<2x4x16xf32>
  %t = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x4x16xf32>, tensor<f32>) -> tensor<2x4xf32>
  %mean = stablehlo.divide %t, %size : tensor<2x4xf32>
  %u = stablehlo.reduce(%s init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x4x16xf32>, tensor<f32>) -> tensor<2x4xf32>
  %square = stablehlo.divide %u, %size : tensor<2x4xf32>
  %m2 = stablehlo.multiply %mean, %mean : tensor<2x4xf32>
  %v = stablehlo.subtract %square, %m2 : tensor<2x4xf32>
  %var = stablehlo.maximum %zeros, %v : tensor<2x4xf32>
  %var1 = stablehlo.broadcast_in_dim %var, dims = [0, 1] : (tensor<2x4xf32>) -> tensor<2x4x1xf32>
  %mb = stablehlo.broadcast_in_dim %mean, dims = [0, 1] : (tensor<2x4xf32>) -> tensor<2x4x16xf32>
  %c = stablehlo.subtract %x, %mb : tensor<2x4x16xf32>
  %e = stablehlo.add %var1, %eps : tensor<2x4x1xf32>
  %r = stablehlo.rsqrt %e : tensor<2x4x1xf32>
  %rb = stablehlo.broadcast_in_dim %r, dims = [0, 1, 2] : (tensor<2x4x1xf32>) -> tensor<2x4x16xf32>
  %gb = stablehlo.broadcast_in_dim %g, dims = [2] : (tensor<16xf32>) -> tensor<2x4x16xf32>
  %rg = stablehlo.multiply %rb, %gb : tensor<2x4x16xf32>
  %n = stablehlo.multiply %c, %rg : tensor<2x4x16xf32>
  %bb = stablehlo.broadcast_in_dim %b, dims = [2] : (tensor<16xf32>) -> tensor<2x4x16xf32>
  %y = stablehlo.add %n, %bb : tensor<2x4x16xf32>
  return %y : tensor<2x4x16xf32>
}

// As equinox.nn.LayerNorm without a bias: beta is a constant.
// CHECK-LABEL: func @bounded_variance
// CHECK-SAME:    %[[X:.*]]: tensor<4x16xf32>, %[[G:.*]]: tensor<16xf32>
// CHECK:         %[[Z:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<16xf32>
// CHECK:         boost.layer_norm %[[X]], %[[G]], %[[Z]]
func.func @bounded_variance(%x: tensor<4x16xf32>, %g: tensor<16xf32>) -> tensor<4x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %zeros = stablehlo.constant dense<0.0> : tensor<4x1xf32>
  %size = stablehlo.constant dense<16.0> : tensor<4x1xf32>
  %eps = stablehlo.constant dense<0.0009765625> : tensor<4x1xf32>
  %t = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x16xf32>, tensor<f32>) -> tensor<4xf32>
  %t1 = stablehlo.broadcast_in_dim %t, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
  %mean = stablehlo.divide %t1, %size : tensor<4x1xf32>
  %mb = stablehlo.broadcast_in_dim %mean, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x16xf32>
  %c = stablehlo.subtract %x, %mb : tensor<4x16xf32>
  %s = stablehlo.multiply %c, %c : tensor<4x16xf32>
  %u = stablehlo.reduce(%s init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x16xf32>, tensor<f32>) -> tensor<4xf32>
  %u1 = stablehlo.broadcast_in_dim %u, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
  %v = stablehlo.divide %u1, %size : tensor<4x1xf32>
  %var = stablehlo.maximum %v, %zeros : tensor<4x1xf32>
  %e = stablehlo.add %var, %eps : tensor<4x1xf32>
  %r = stablehlo.sqrt %e : tensor<4x1xf32>
  %rb = stablehlo.broadcast_in_dim %r, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x16xf32>
  %n = stablehlo.divide %c, %rb : tensor<4x16xf32>
  %gb = stablehlo.broadcast_in_dim %g, dims = [1] : (tensor<16xf32>) -> tensor<4x16xf32>
  %y = stablehlo.multiply %gb, %n : tensor<4x16xf32>
  return %y : tensor<4x16xf32>
}

// Statistics in f32: the norm is of the bf16 input.
// CHECK-LABEL: func @wide_statistics
// CHECK-SAME:    %[[X:.*]]: tensor<4x16xbf16>, %[[G:.*]]: tensor<16xf32>
// CHECK:         boost.layer_norm %[[X]], %[[G]], %{{.*}} : tensor<4x16xbf16>, tensor<16xf32>
func.func @wide_statistics(%x: tensor<4x16xbf16>, %g: tensor<16xf32>) -> tensor<4x16xbf16> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.constant dense<16.0> : tensor<4xf32>
  %eps = stablehlo.constant dense<0.0009765625> : tensor<4xf32>
  %w = stablehlo.convert %x : (tensor<4x16xbf16>) -> tensor<4x16xf32>
  %t = stablehlo.reduce(%w init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x16xf32>, tensor<f32>) -> tensor<4xf32>
  %mean = stablehlo.divide %t, %size : tensor<4xf32>
  %mb = stablehlo.broadcast_in_dim %mean, dims = [0] : (tensor<4xf32>) -> tensor<4x16xf32>
  %c = stablehlo.subtract %w, %mb : tensor<4x16xf32>
  %s = stablehlo.multiply %c, %c : tensor<4x16xf32>
  %u = stablehlo.reduce(%s init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x16xf32>, tensor<f32>) -> tensor<4xf32>
  %v = stablehlo.divide %u, %size : tensor<4xf32>
  %e = stablehlo.add %v, %eps : tensor<4xf32>
  %r = stablehlo.rsqrt %e : tensor<4xf32>
  %rb = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<4xf32>) -> tensor<4x16xf32>
  %n = stablehlo.multiply %c, %rb : tensor<4x16xf32>
  %gb = stablehlo.broadcast_in_dim %g, dims = [1] : (tensor<16xf32>) -> tensor<4x16xf32>
  %y = stablehlo.multiply %n, %gb : tensor<4x16xf32>
  %z = stablehlo.convert %y : (tensor<4x16xf32>) -> tensor<4x16xbf16>
  return %z : tensor<4x16xbf16>
}

// Beta stands on the left of the sum.
// CHECK-LABEL: func @beta_first
// CHECK-SAME:    %[[X:.*]]: tensor<4x16xf32>, %[[B:.*]]: tensor<16xf32>
// CHECK:         %[[G:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<16xf32>
// CHECK:         %[[N:.*]] = boost.layer_norm %[[X]], %[[G]], %[[B]] {eps = 9.765625E-4 : f64}
// CHECK-NEXT:    return %[[N]]
func.func @beta_first(%x: tensor<4x16xf32>, %b: tensor<16xf32>) -> tensor<4x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.constant dense<16.0> : tensor<4xf32>
  %eps = stablehlo.constant dense<0.0009765625> : tensor<4xf32>
  %t = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x16xf32>, tensor<f32>) -> tensor<4xf32>
  %mean = stablehlo.divide %t, %size : tensor<4xf32>
  %mb = stablehlo.broadcast_in_dim %mean, dims = [0] : (tensor<4xf32>) -> tensor<4x16xf32>
  %c = stablehlo.subtract %x, %mb : tensor<4x16xf32>
  %s = stablehlo.multiply %c, %c : tensor<4x16xf32>
  %u = stablehlo.reduce(%s init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x16xf32>, tensor<f32>) -> tensor<4xf32>
  %v = stablehlo.divide %u, %size : tensor<4xf32>
  %e = stablehlo.add %v, %eps : tensor<4xf32>
  %r = stablehlo.rsqrt %e : tensor<4xf32>
  %rb = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<4xf32>) -> tensor<4x16xf32>
  %n = stablehlo.multiply %c, %rb : tensor<4x16xf32>
  %bb = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<16xf32>) -> tensor<4x16xf32>
  %y = stablehlo.add %bb, %n : tensor<4x16xf32>
  return %y : tensor<4x16xf32>
}

// What is added is another tensor: beta is zero.
// CHECK-LABEL: func @residual
// CHECK-SAME:    %[[X:.*]]: tensor<4x16xf32>, %[[Y:.*]]: tensor<4x16xf32>
// CHECK:         %[[Z:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<16xf32>
// CHECK:         %[[N:.*]] = boost.layer_norm %[[X]], %{{[^ ]*}}, %[[Z]] {eps
// CHECK-NEXT:    stablehlo.add %[[N]], %[[Y]]
func.func @residual(%x: tensor<4x16xf32>, %y: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.constant dense<16.0> : tensor<4xf32>
  %eps = stablehlo.constant dense<0.0009765625> : tensor<4xf32>
  %t = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x16xf32>, tensor<f32>) -> tensor<4xf32>
  %mean = stablehlo.divide %t, %size : tensor<4xf32>
  %mb = stablehlo.broadcast_in_dim %mean, dims = [0] : (tensor<4xf32>) -> tensor<4x16xf32>
  %c = stablehlo.subtract %x, %mb : tensor<4x16xf32>
  %s = stablehlo.multiply %c, %c : tensor<4x16xf32>
  %u = stablehlo.reduce(%s init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x16xf32>, tensor<f32>) -> tensor<4xf32>
  %v = stablehlo.divide %u, %size : tensor<4xf32>
  %e = stablehlo.add %v, %eps : tensor<4xf32>
  %r = stablehlo.rsqrt %e : tensor<4xf32>
  %rb = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<4xf32>) -> tensor<4x16xf32>
  %n = stablehlo.multiply %c, %rb : tensor<4x16xf32>
  %z = stablehlo.add %n, %y : tensor<4x16xf32>
  return %z : tensor<4x16xf32>
}
