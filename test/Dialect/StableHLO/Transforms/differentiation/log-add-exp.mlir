// RUN: boost-opt %s -split-input-file -boost-differentiate | FileCheck %s
// The forms of max(a, b) + log1p(exp(-|a - b|)). Where a and b are equal the distance has slope 0, as its sign.

// The other difference, b - a.

// CHECK-LABEL: func @gradient
// CHECK:         boost.phase backward
// CHECK:         stablehlo.sign
func.func @loss(%a: tensor<f32> {boost.tensor = #boost.tensor<param "a">}, %b: tensor<f32> {boost.tensor = #boost.tensor<param "b">}) -> tensor<f32> {
  %max = stablehlo.maximum %a, %b : tensor<f32>
  %d = stablehlo.subtract %b, %a : tensor<f32>
  %abs = stablehlo.abs %d : tensor<f32>
  %neg = stablehlo.negate %abs : tensor<f32>
  %exp = stablehlo.exponential %neg : tensor<f32>
  %log = stablehlo.log_plus_one %exp : tensor<f32>
  %sum = stablehlo.add %max, %log : tensor<f32>
  return %sum : tensor<f32>
}

// -----

// The maximum behind the logarithm.

// CHECK-LABEL: func @gradient
// CHECK:         boost.phase backward
// CHECK:         stablehlo.sign
func.func @loss(%a: tensor<f32> {boost.tensor = #boost.tensor<param "a">}, %b: tensor<f32> {boost.tensor = #boost.tensor<param "b">}) -> tensor<f32> {
  %max = stablehlo.maximum %a, %b : tensor<f32>
  %d = stablehlo.subtract %a, %b : tensor<f32>
  %abs = stablehlo.abs %d : tensor<f32>
  %neg = stablehlo.negate %abs : tensor<f32>
  %exp = stablehlo.exponential %neg : tensor<f32>
  %log = stablehlo.log_plus_one %exp : tensor<f32>
  %sum = stablehlo.add %log, %max : tensor<f32>
  return %sum : tensor<f32>
}

// -----

// softplus: the other value is 0.

// CHECK-LABEL: func @gradient
// CHECK:         boost.phase backward
// CHECK:         stablehlo.sign
func.func @loss(%a: tensor<f32> {boost.tensor = #boost.tensor<param "a">}) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %max = stablehlo.maximum %a, %zero : tensor<f32>
  %abs = stablehlo.abs %a : tensor<f32>
  %neg = stablehlo.negate %abs : tensor<f32>
  %exp = stablehlo.exponential %neg : tensor<f32>
  %log = stablehlo.log_plus_one %exp : tensor<f32>
  %sum = stablehlo.add %max, %log : tensor<f32>
  return %sum : tensor<f32>
}

// -----

// The 0 comes first.

// CHECK-LABEL: func @gradient
// CHECK:         boost.phase backward
// CHECK:         stablehlo.sign
func.func @loss(%a: tensor<f32> {boost.tensor = #boost.tensor<param "a">}) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %max = stablehlo.maximum %zero, %a : tensor<f32>
  %abs = stablehlo.abs %a : tensor<f32>
  %neg = stablehlo.negate %abs : tensor<f32>
  %exp = stablehlo.exponential %neg : tensor<f32>
  %log = stablehlo.log_plus_one %exp : tensor<f32>
  %sum = stablehlo.add %max, %log : tensor<f32>
  return %sum : tensor<f32>
}
