// RUN: boost-opt %s -boost-raise-bottleneck | FileCheck %s --implicit-check-not=boost.bottleneck
// A wide middle, a middle that others read and another activation stay.

// CHECK-LABEL: func @wide
func.func @wide(%x: tensor<4x8xf32>, %a: tensor<8x6xf32>, %b: tensor<6x6xf32>) -> tensor<4x6xf32> {
  %h = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  %y = boost.linear %h, %b : (tensor<4x6xf32>, tensor<6x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// CHECK-LABEL: func @read_elsewhere
func.func @read_elsewhere(%x: tensor<4x8xf32>, %a: tensor<8x2xf32>, %b: tensor<2x6xf32>) -> (tensor<4x6xf32>, tensor<4x2xf32>) {
  %h = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %y = boost.linear %h, %b : (tensor<4x2xf32>, tensor<2x6xf32>) -> tensor<4x6xf32>
  return %y, %h : tensor<4x6xf32>, tensor<4x2xf32>
}

// CHECK-LABEL: func @activation_read_elsewhere
func.func @activation_read_elsewhere(%x: tensor<4x8xf32>, %a: tensor<8x2xf32>, %b: tensor<2x6xf32>)
    -> (tensor<4x6xf32>, tensor<4x2xf32>) {
  %h = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %g = stablehlo.logistic %h : tensor<4x2xf32>
  %z = stablehlo.multiply %h, %g : tensor<4x2xf32>
  %y = boost.linear %z, %b : (tensor<4x2xf32>, tensor<2x6xf32>) -> tensor<4x6xf32>
  return %y, %z : tensor<4x6xf32>, tensor<4x2xf32>
}

// CHECK-LABEL: func @tanh
func.func @tanh(%x: tensor<4x8xf32>, %a: tensor<8x2xf32>, %b: tensor<2x6xf32>) -> tensor<4x6xf32> {
  %h = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %z = stablehlo.tanh %h : tensor<4x2xf32>
  %y = boost.linear %z, %b : (tensor<4x2xf32>, tensor<2x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// CHECK-LABEL: func @latent_without_second_factor
func.func @latent_without_second_factor(%x: tensor<4x8xf32>, %a: tensor<8x2xf32>, %b: tensor<2x6xf32>, %l: tensor<4x2xf32>)
    -> (tensor<4x6xf32>, tensor<4x2xf32>) {
  %h = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %y = boost.linear %h, %b : (tensor<4x2xf32>, tensor<2x6xf32>) -> tensor<4x6xf32>
  %s = stablehlo.add %h, %l : tensor<4x2xf32>
  return %y, %s : tensor<4x6xf32>, tensor<4x2xf32>
}

// A reciprocal is no logistic.
// CHECK-LABEL: func @reciprocal
func.func @reciprocal(%x: tensor<4x8xf32>, %a: tensor<8x2xf32>, %b: tensor<2x6xf32>) -> tensor<4x6xf32> {
  %one = stablehlo.constant dense<1.000000e+00> : tensor<4x2xf32>
  %h = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %g = stablehlo.divide %one, %h : tensor<4x2xf32>
  %z = stablehlo.multiply %h, %g : tensor<4x2xf32>
  %y = boost.linear %z, %b : (tensor<4x2xf32>, tensor<2x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// Nor is the logistic of what a logistic has inside.
// CHECK-LABEL: func @logistic_of_its_inside
func.func @logistic_of_its_inside(%x: tensor<4x8xf32>, %a: tensor<8x2xf32>, %b: tensor<2x6xf32>) -> tensor<4x6xf32> {
  %one = stablehlo.constant dense<1.000000e+00> : tensor<4x2xf32>
  %h = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %n = stablehlo.negate %h : tensor<4x2xf32>
  %e = stablehlo.exponential %n : tensor<4x2xf32>
  %s = stablehlo.add %one, %e : tensor<4x2xf32>
  %g = stablehlo.logistic %s : tensor<4x2xf32>
  %z = stablehlo.multiply %h, %g : tensor<4x2xf32>
  %y = boost.linear %z, %b : (tensor<4x2xf32>, tensor<2x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// The second factor is made from the sum that reads the raw latent.
// CHECK-LABEL: func @factor_after_sum
func.func @factor_after_sum(%x: tensor<4x8xf32>, %a: tensor<8x2xf32>, %b: tensor<2x6xf32>)
    -> (tensor<4x6xf32>, tensor<4x2xf32>) {
  %h1 = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %h2 = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %s = stablehlo.add %h1, %h2 : tensor<4x2xf32>
  %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %m = stablehlo.reduce(%s init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<f32>
  %r = stablehlo.broadcast_in_dim %m, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
  %w = stablehlo.multiply %b, %r : tensor<2x6xf32>
  %y = boost.linear %h1, %w : (tensor<4x2xf32>, tensor<2x6xf32>) -> tensor<4x6xf32>
  return %y, %s : tensor<4x6xf32>, tensor<4x2xf32>
}
