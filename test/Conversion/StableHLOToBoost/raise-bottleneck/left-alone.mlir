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

// A middle as wide as the input; one less is narrow (`@one_less` of structure.mlir).
// CHECK-LABEL: func @as_wide_as_input
func.func @as_wide_as_input(%x: tensor<4x6xf32>, %a: tensor<6x6xf32>, %b: tensor<6x8xf32>) -> tensor<4x8xf32> {
  %h = boost.linear %x, %a : (tensor<4x6xf32>, tensor<6x6xf32>) -> tensor<4x6xf32>
  %y = boost.linear %h, %b : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// Not quite a silu: other numbers, other operations, another value on top.
// CHECK-LABEL: func @two_plus
func.func @two_plus(%x: tensor<4x8xf32>, %a: tensor<8x2xf32>, %b: tensor<2x6xf32>) -> tensor<4x6xf32> {
  %h = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %two = stablehlo.constant dense<2.0> : tensor<4x2xf32>
  %n = stablehlo.negate %h : tensor<4x2xf32>
  %e = stablehlo.exponential %n : tensor<4x2xf32>
  %s = stablehlo.add %two, %e : tensor<4x2xf32>
  %z = stablehlo.divide %h, %s : tensor<4x2xf32>
  %y = boost.linear %z, %b : (tensor<4x2xf32>, tensor<2x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// CHECK-LABEL: func @plus_two
func.func @plus_two(%x: tensor<4x8xf32>, %a: tensor<8x2xf32>, %b: tensor<2x6xf32>) -> tensor<4x6xf32> {
  %h = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %two = stablehlo.constant dense<2.0> : tensor<4x2xf32>
  %n = stablehlo.negate %h : tensor<4x2xf32>
  %e = stablehlo.exponential %n : tensor<4x2xf32>
  %s = stablehlo.add %e, %two : tensor<4x2xf32>
  %z = stablehlo.divide %h, %s : tensor<4x2xf32>
  %y = boost.linear %z, %b : (tensor<4x2xf32>, tensor<2x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// CHECK-LABEL: func @less_exponential
func.func @less_exponential(%x: tensor<4x8xf32>, %a: tensor<8x2xf32>, %b: tensor<2x6xf32>) -> tensor<4x6xf32> {
  %h = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %one = stablehlo.constant dense<1.0> : tensor<4x2xf32>
  %n = stablehlo.negate %h : tensor<4x2xf32>
  %e = stablehlo.exponential %n : tensor<4x2xf32>
  %s = stablehlo.subtract %one, %e : tensor<4x2xf32>
  %z = stablehlo.divide %h, %s : tensor<4x2xf32>
  %y = boost.linear %z, %b : (tensor<4x2xf32>, tensor<2x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// CHECK-LABEL: func @positive_exponent
func.func @positive_exponent(%x: tensor<4x8xf32>, %a: tensor<8x2xf32>, %b: tensor<2x6xf32>) -> tensor<4x6xf32> {
  %h = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %one = stablehlo.constant dense<1.0> : tensor<4x2xf32>
  %e = stablehlo.exponential %h : tensor<4x2xf32>
  %s = stablehlo.add %one, %e : tensor<4x2xf32>
  %z = stablehlo.divide %h, %s : tensor<4x2xf32>
  %y = boost.linear %z, %b : (tensor<4x2xf32>, tensor<2x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// CHECK-LABEL: func @no_exponential
func.func @no_exponential(%x: tensor<4x8xf32>, %a: tensor<8x2xf32>, %b: tensor<2x6xf32>) -> tensor<4x6xf32> {
  %h = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %one = stablehlo.constant dense<1.0> : tensor<4x2xf32>
  %n = stablehlo.negate %h : tensor<4x2xf32>
  %s = stablehlo.add %one, %n : tensor<4x2xf32>
  %z = stablehlo.divide %h, %s : tensor<4x2xf32>
  %y = boost.linear %z, %b : (tensor<4x2xf32>, tensor<2x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// CHECK-LABEL: func @divided_by_latent_alone
func.func @divided_by_latent_alone(%x: tensor<4x8xf32>, %a: tensor<8x2xf32>, %b: tensor<2x6xf32>, %r: tensor<4x2xf32>) -> tensor<4x6xf32> {
  %h = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %one = stablehlo.constant dense<1.0> : tensor<4x2xf32>
  %n = stablehlo.negate %h : tensor<4x2xf32>
  %e = stablehlo.exponential %n : tensor<4x2xf32>
  %s = stablehlo.add %one, %e : tensor<4x2xf32>
  %z = stablehlo.divide %r, %s : tensor<4x2xf32>
  %y = boost.linear %z, %b : (tensor<4x2xf32>, tensor<2x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// CHECK-LABEL: func @twice_the_logistic
func.func @twice_the_logistic(%x: tensor<4x8xf32>, %a: tensor<8x2xf32>, %b: tensor<2x6xf32>) -> tensor<4x6xf32> {
  %h = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %one = stablehlo.constant dense<1.0> : tensor<4x2xf32>
  %two = stablehlo.constant dense<2.0> : tensor<4x2xf32>
  %n = stablehlo.negate %h : tensor<4x2xf32>
  %e = stablehlo.exponential %n : tensor<4x2xf32>
  %s = stablehlo.add %one, %e : tensor<4x2xf32>
  %g = stablehlo.divide %two, %s : tensor<4x2xf32>
  %z = stablehlo.multiply %h, %g : tensor<4x2xf32>
  %y = boost.linear %z, %b : (tensor<4x2xf32>, tensor<2x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// CHECK-LABEL: func @gated_by_another
func.func @gated_by_another(%x: tensor<4x8xf32>, %a: tensor<8x2xf32>, %b: tensor<2x6xf32>, %r: tensor<4x2xf32>) -> tensor<4x6xf32> {
  %h = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %g = stablehlo.logistic %r : tensor<4x2xf32>
  %z = stablehlo.multiply %h, %g : tensor<4x2xf32>
  %y = boost.linear %z, %b : (tensor<4x2xf32>, tensor<2x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// CHECK-LABEL: func @gate_alone
func.func @gate_alone(%x: tensor<4x8xf32>, %a: tensor<8x2xf32>, %b: tensor<2x6xf32>) -> tensor<4x6xf32> {
  %h = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %z = stablehlo.logistic %h : tensor<4x2xf32>
  %y = boost.linear %z, %b : (tensor<4x2xf32>, tensor<2x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// What lies between is read elsewhere.
// CHECK-LABEL: func @gate_read_elsewhere
func.func @gate_read_elsewhere(%x: tensor<4x8xf32>, %a: tensor<8x2xf32>, %b: tensor<2x6xf32>) -> (tensor<4x6xf32>, tensor<4x2xf32>) {
  %h = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %g = stablehlo.logistic %h : tensor<4x2xf32>
  %z = stablehlo.multiply %h, %g : tensor<4x2xf32>
  %y = boost.linear %z, %b : (tensor<4x2xf32>, tensor<2x6xf32>) -> tensor<4x6xf32>
  return %y, %g : tensor<4x6xf32>, tensor<4x2xf32>
}

// CHECK-LABEL: func @sum_read_elsewhere
func.func @sum_read_elsewhere(%x: tensor<4x8xf32>, %a: tensor<8x2xf32>, %b: tensor<2x6xf32>, %r: tensor<4x2xf32>) -> (tensor<4x6xf32>, tensor<4x2xf32>) {
  %h = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %z = stablehlo.add %h, %r : tensor<4x2xf32>
  %y = boost.linear %z, %b : (tensor<4x2xf32>, tensor<2x6xf32>) -> tensor<4x6xf32>
  return %y, %z : tensor<4x6xf32>, tensor<4x2xf32>
}

// CHECK-LABEL: func @sum_of_no_latent
func.func @sum_of_no_latent(%x: tensor<4x8xf32>, %a: tensor<8x2xf32>, %b: tensor<2x6xf32>, %r: tensor<4x2xf32>) -> tensor<4x6xf32> {
  %h = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %z = stablehlo.add %r, %r : tensor<4x2xf32>
  %y = boost.linear %z, %b : (tensor<4x2xf32>, tensor<2x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// CHECK-LABEL: func @latent_and_no_sum
func.func @latent_and_no_sum(%x: tensor<4x8xf32>, %a: tensor<8x2xf32>, %b: tensor<2x6xf32>) -> (tensor<4x6xf32>, tensor<4x2xf32>) {
  %h = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %y = boost.linear %h, %b : (tensor<4x2xf32>, tensor<2x6xf32>) -> tensor<4x6xf32>
  %g = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %s = stablehlo.multiply %h, %g : tensor<4x2xf32>
  return %y, %s : tensor<4x6xf32>, tensor<4x2xf32>
}

// CHECK-LABEL: func @added_to_itself
func.func @added_to_itself(%x: tensor<4x8xf32>, %a: tensor<8x2xf32>, %b: tensor<2x6xf32>) -> (tensor<4x6xf32>, tensor<4x2xf32>) {
  %h = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %y = boost.linear %h, %b : (tensor<4x2xf32>, tensor<2x6xf32>) -> tensor<4x6xf32>
  %s = stablehlo.add %h, %h : tensor<4x2xf32>
  return %y, %s : tensor<4x6xf32>, tensor<4x2xf32>
}

// The latent is of the type of what it is made from, and of what it makes.
// CHECK-LABEL: func @wide_latent
func.func @wide_latent(%x: tensor<4x8xbf16>, %a: tensor<8x2xbf16>, %b: tensor<2x6xf32>) -> tensor<4x6xf32> {
  %h = boost.linear %x, %a : (tensor<4x8xbf16>, tensor<8x2xbf16>) -> tensor<4x2xf32>
  %y = boost.linear %h, %b : (tensor<4x2xf32>, tensor<2x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// CHECK-LABEL: func @wide_result
func.func @wide_result(%x: tensor<4x8xbf16>, %a: tensor<8x2xbf16>, %b: tensor<2x6xbf16>) -> tensor<4x6xf32> {
  %h = boost.linear %x, %a : (tensor<4x8xbf16>, tensor<8x2xbf16>) -> tensor<4x2xbf16>
  %y = boost.linear %h, %b : (tensor<4x2xbf16>, tensor<2x6xbf16>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}
