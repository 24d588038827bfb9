// RUN: boost-opt %s --boost-raise-layer-norm | FileCheck %s --implicit-check-not=boost.layer_norm
// What only looks like a layer norm.

// Less the mean of something else.
// CHECK-LABEL: func @other_mean
func.func @other_mean(%x: tensor<4x16xf32>, %o: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.constant dense<16.0> : tensor<4xf32>
  %eps = stablehlo.constant dense<0.0009765625> : tensor<4xf32>
  %t = stablehlo.reduce(%o init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x16xf32>, tensor<f32>) -> tensor<4xf32>
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
  return %n : tensor<4x16xf32>
}

// The mean of squares less that of others, and an input that is not centered.
// CHECK-LABEL: func @not_centered
func.func @not_centered(%x: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.constant dense<16.0> : tensor<4xf32>
  %eps = stablehlo.constant dense<0.0009765625> : tensor<4xf32>
  %t = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x16xf32>, tensor<f32>) -> tensor<4xf32>
  %mean = stablehlo.divide %t, %size : tensor<4xf32>
  %s = stablehlo.multiply %x, %x : tensor<4x16xf32>
  %u = stablehlo.reduce(%s init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x16xf32>, tensor<f32>) -> tensor<4xf32>
  %square = stablehlo.divide %u, %size : tensor<4xf32>
  %m2 = stablehlo.multiply %mean, %mean : tensor<4xf32>
  %v = stablehlo.subtract %square, %m2 : tensor<4xf32>
  %e = stablehlo.add %v, %eps : tensor<4xf32>
  %r = stablehlo.rsqrt %e : tensor<4xf32>
  %rb = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<4xf32>) -> tensor<4x16xf32>
  %n = stablehlo.multiply %x, %rb : tensor<4x16xf32>
  return %n : tensor<4x16xf32>
}

// The mean of squares less the product of two means.
// CHECK-LABEL: func @product_of_means
func.func @product_of_means(%x: tensor<4x16xf32>, %o: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.constant dense<16.0> : tensor<4xf32>
  %eps = stablehlo.constant dense<0.0009765625> : tensor<4xf32>
  %t = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x16xf32>, tensor<f32>) -> tensor<4xf32>
  %p = stablehlo.reduce(%o init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x16xf32>, tensor<f32>) -> tensor<4xf32>
  %mean = stablehlo.divide %t, %size : tensor<4xf32>
  %other = stablehlo.divide %p, %size : tensor<4xf32>
  %s = stablehlo.multiply %x, %x : tensor<4x16xf32>
  %u = stablehlo.reduce(%s init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x16xf32>, tensor<f32>) -> tensor<4xf32>
  %square = stablehlo.divide %u, %size : tensor<4xf32>
  %m2 = stablehlo.multiply %mean, %other : tensor<4xf32>
  %v = stablehlo.subtract %square, %m2 : tensor<4xf32>
  %e = stablehlo.add %v, %eps : tensor<4xf32>
  %r = stablehlo.rsqrt %e : tensor<4xf32>
  %mb = stablehlo.broadcast_in_dim %mean, dims = [0] : (tensor<4xf32>) -> tensor<4x16xf32>
  %c = stablehlo.subtract %x, %mb : tensor<4x16xf32>
  %rb = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<4xf32>) -> tensor<4x16xf32>
  %n = stablehlo.multiply %c, %rb : tensor<4x16xf32>
  return %n : tensor<4x16xf32>
}

// The mean of squares less the square of another mean.
// CHECK-LABEL: func @square_of_other_mean
func.func @square_of_other_mean(%x: tensor<4x16xf32>, %o: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.constant dense<16.0> : tensor<4xf32>
  %eps = stablehlo.constant dense<0.0009765625> : tensor<4xf32>
  %t = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x16xf32>, tensor<f32>) -> tensor<4xf32>
  %p = stablehlo.reduce(%o init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x16xf32>, tensor<f32>) -> tensor<4xf32>
  %mean = stablehlo.divide %t, %size : tensor<4xf32>
  %other = stablehlo.divide %p, %size : tensor<4xf32>
  %s = stablehlo.multiply %x, %x : tensor<4x16xf32>
  %u = stablehlo.reduce(%s init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x16xf32>, tensor<f32>) -> tensor<4xf32>
  %square = stablehlo.divide %u, %size : tensor<4xf32>
  %m2 = stablehlo.multiply %other, %other : tensor<4xf32>
  %v = stablehlo.subtract %square, %m2 : tensor<4xf32>
  %e = stablehlo.add %v, %eps : tensor<4xf32>
  %r = stablehlo.rsqrt %e : tensor<4xf32>
  %mb = stablehlo.broadcast_in_dim %mean, dims = [0] : (tensor<4xf32>) -> tensor<4x16xf32>
  %c = stablehlo.subtract %x, %mb : tensor<4x16xf32>
  %rb = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<4xf32>) -> tensor<4x16xf32>
  %n = stablehlo.multiply %c, %rb : tensor<4x16xf32>
  return %n : tensor<4x16xf32>
}

// The variance of one input, another one less its mean.
// CHECK-LABEL: func @variance_of_another
func.func @variance_of_another(%x: tensor<4x16xf32>, %o: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.constant dense<16.0> : tensor<4xf32>
  %eps = stablehlo.constant dense<0.0009765625> : tensor<4xf32>
  %t = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x16xf32>, tensor<f32>) -> tensor<4xf32>
  %p = stablehlo.reduce(%o init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x16xf32>, tensor<f32>) -> tensor<4xf32>
  %mean = stablehlo.divide %t, %size : tensor<4xf32>
  %other = stablehlo.divide %p, %size : tensor<4xf32>
  %s = stablehlo.multiply %o, %o : tensor<4x16xf32>
  %u = stablehlo.reduce(%s init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x16xf32>, tensor<f32>) -> tensor<4xf32>
  %square = stablehlo.divide %u, %size : tensor<4xf32>
  %m2 = stablehlo.multiply %other, %other : tensor<4xf32>
  %v = stablehlo.subtract %square, %m2 : tensor<4xf32>
  %e = stablehlo.add %v, %eps : tensor<4xf32>
  %r = stablehlo.rsqrt %e : tensor<4xf32>
  %mb = stablehlo.broadcast_in_dim %mean, dims = [0] : (tensor<4xf32>) -> tensor<4x16xf32>
  %c = stablehlo.subtract %x, %mb : tensor<4x16xf32>
  %rb = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<4xf32>) -> tensor<4x16xf32>
  %n = stablehlo.multiply %c, %rb : tensor<4x16xf32>
  return %n : tensor<4x16xf32>
}

// Less the greatest of a row in place of its mean.
// CHECK-LABEL: func @less_the_greatest
func.func @less_the_greatest(%x: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %size = stablehlo.constant dense<16.0> : tensor<4xf32>
  %eps = stablehlo.constant dense<0.0009765625> : tensor<4xf32>
  %m = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<4x16xf32>, tensor<f32>) -> tensor<4xf32>
  %mb = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<4xf32>) -> tensor<4x16xf32>
  %c = stablehlo.subtract %x, %mb : tensor<4x16xf32>
  %s = stablehlo.multiply %c, %c : tensor<4x16xf32>
  %u = stablehlo.reduce(%s init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x16xf32>, tensor<f32>) -> tensor<4xf32>
  %v = stablehlo.divide %u, %size : tensor<4xf32>
  %e = stablehlo.add %v, %eps : tensor<4xf32>
  %r = stablehlo.rsqrt %e : tensor<4xf32>
  %rb = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<4xf32>) -> tensor<4x16xf32>
  %n = stablehlo.multiply %c, %rb : tensor<4x16xf32>
  return %n : tensor<4x16xf32>
}
