// RUN: boost-opt %s -split-input-file -boost-differentiate | FileCheck %s --implicit-check-not=stablehlo.sign
// What is like max(a, b) + log1p(exp(-|a - b|)), but not the same: |x| has slope 1 where x is 0.

// A distance from another value, on the right.

// CHECK-LABEL: func @gradient
// CHECK:         boost.phase backward
// CHECK:         return
func.func @loss(%a: tensor<f32> {boost.tensor = #boost.tensor<param "a">}, %b: tensor<f32> {boost.tensor = #boost.tensor<param "b">}, %c: tensor<f32> {boost.tensor = #boost.tensor<param "c">}) -> tensor<f32> {
  %max = stablehlo.maximum %a, %b : tensor<f32>
  %d = stablehlo.subtract %a, %c : tensor<f32>
  %abs = stablehlo.abs %d : tensor<f32>
  %neg = stablehlo.negate %abs : tensor<f32>
  %exp = stablehlo.exponential %neg : tensor<f32>
  %log = stablehlo.log_plus_one %exp : tensor<f32>
  %sum = stablehlo.add %max, %log : tensor<f32>
  return %sum : tensor<f32>
}

// -----

// softplus beside a bound of 1.

// CHECK-LABEL: func @gradient
// CHECK:         boost.phase backward
// CHECK:         return
func.func @loss(%a: tensor<f32> {boost.tensor = #boost.tensor<param "a">}) -> tensor<f32> {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %max = stablehlo.maximum %a, %one : tensor<f32>
  %abs = stablehlo.abs %a : tensor<f32>
  %neg = stablehlo.negate %abs : tensor<f32>
  %exp = stablehlo.exponential %neg : tensor<f32>
  %log = stablehlo.log_plus_one %exp : tensor<f32>
  %sum = stablehlo.add %max, %log : tensor<f32>
  return %sum : tensor<f32>
}

// -----

// softplus beside another value.

// CHECK-LABEL: func @gradient
// CHECK:         boost.phase backward
// CHECK:         return
func.func @loss(%a: tensor<f32> {boost.tensor = #boost.tensor<param "a">}, %b: tensor<f32> {boost.tensor = #boost.tensor<param "b">}) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %max = stablehlo.maximum %b, %zero : tensor<f32>
  %abs = stablehlo.abs %a : tensor<f32>
  %neg = stablehlo.negate %abs : tensor<f32>
  %exp = stablehlo.exponential %neg : tensor<f32>
  %log = stablehlo.log_plus_one %exp : tensor<f32>
  %sum = stablehlo.add %max, %log : tensor<f32>
  return %sum : tensor<f32>
}

// -----

// A minimum.

// CHECK-LABEL: func @gradient
// CHECK:         boost.phase backward
// CHECK:         return
func.func @loss(%a: tensor<f32> {boost.tensor = #boost.tensor<param "a">}, %b: tensor<f32> {boost.tensor = #boost.tensor<param "b">}) -> tensor<f32> {
  %max = stablehlo.minimum %a, %b : tensor<f32>
  %d = stablehlo.subtract %a, %b : tensor<f32>
  %abs = stablehlo.abs %d : tensor<f32>
  %neg = stablehlo.negate %abs : tensor<f32>
  %exp = stablehlo.exponential %neg : tensor<f32>
  %log = stablehlo.log_plus_one %exp : tensor<f32>
  %sum = stablehlo.add %max, %log : tensor<f32>
  return %sum : tensor<f32>
}

// -----

// Another use of the distance.

// CHECK-LABEL: func @gradient
// CHECK:         boost.phase backward
// CHECK:         return
func.func @loss(%a: tensor<f32> {boost.tensor = #boost.tensor<param "a">}, %b: tensor<f32> {boost.tensor = #boost.tensor<param "b">}) -> tensor<f32> {
  %max = stablehlo.maximum %a, %b : tensor<f32>
  %d = stablehlo.subtract %a, %b : tensor<f32>
  %abs = stablehlo.abs %d : tensor<f32>
  %neg = stablehlo.negate %abs : tensor<f32>
  %exp = stablehlo.exponential %neg : tensor<f32>
  %log = stablehlo.log_plus_one %exp : tensor<f32>
  %sum = stablehlo.add %max, %log : tensor<f32>
  %twice = stablehlo.add %sum, %abs : tensor<f32>
  return %twice : tensor<f32>
}

// -----

// Another use of the negated distance.

// CHECK-LABEL: func @gradient
// CHECK:         boost.phase backward
// CHECK:         return
func.func @loss(%a: tensor<f32> {boost.tensor = #boost.tensor<param "a">}, %b: tensor<f32> {boost.tensor = #boost.tensor<param "b">}) -> tensor<f32> {
  %max = stablehlo.maximum %a, %b : tensor<f32>
  %d = stablehlo.subtract %a, %b : tensor<f32>
  %abs = stablehlo.abs %d : tensor<f32>
  %neg = stablehlo.negate %abs : tensor<f32>
  %exp = stablehlo.exponential %neg : tensor<f32>
  %log = stablehlo.log_plus_one %exp : tensor<f32>
  %sum = stablehlo.add %max, %log : tensor<f32>
  %twice = stablehlo.add %sum, %neg : tensor<f32>
  return %twice : tensor<f32>
}

// -----

// The distance itself, not negated.

// CHECK-LABEL: func @gradient
// CHECK:         boost.phase backward
// CHECK:         return
func.func @loss(%a: tensor<f32> {boost.tensor = #boost.tensor<param "a">}, %b: tensor<f32> {boost.tensor = #boost.tensor<param "b">}) -> tensor<f32> {
  %max = stablehlo.maximum %a, %b : tensor<f32>
  %d = stablehlo.subtract %a, %b : tensor<f32>
  %abs = stablehlo.abs %d : tensor<f32>
  %exp = stablehlo.exponential %abs : tensor<f32>
  %log = stablehlo.log_plus_one %exp : tensor<f32>
  %sum = stablehlo.add %max, %log : tensor<f32>
  return %sum : tensor<f32>
}

// -----

// No exponential function.

// CHECK-LABEL: func @gradient
// CHECK:         boost.phase backward
// CHECK:         return
func.func @loss(%a: tensor<f32> {boost.tensor = #boost.tensor<param "a">}, %b: tensor<f32> {boost.tensor = #boost.tensor<param "b">}) -> tensor<f32> {
  %max = stablehlo.maximum %a, %b : tensor<f32>
  %d = stablehlo.subtract %a, %b : tensor<f32>
  %abs = stablehlo.abs %d : tensor<f32>
  %neg = stablehlo.negate %abs : tensor<f32>
  %log = stablehlo.log_plus_one %neg : tensor<f32>
  %sum = stablehlo.add %max, %log : tensor<f32>
  return %sum : tensor<f32>
}

// -----

// No logarithm.

// CHECK-LABEL: func @gradient
// CHECK:         boost.phase backward
// CHECK:         return
func.func @loss(%a: tensor<f32> {boost.tensor = #boost.tensor<param "a">}, %b: tensor<f32> {boost.tensor = #boost.tensor<param "b">}) -> tensor<f32> {
  %max = stablehlo.maximum %a, %b : tensor<f32>
  %d = stablehlo.subtract %a, %b : tensor<f32>
  %abs = stablehlo.abs %d : tensor<f32>
  %neg = stablehlo.negate %abs : tensor<f32>
  %exp = stablehlo.exponential %neg : tensor<f32>
  %sum = stablehlo.add %max, %exp : tensor<f32>
  return %sum : tensor<f32>
}

// -----

// No sum.

// CHECK-LABEL: func @gradient
// CHECK:         boost.phase backward
// CHECK:         return
func.func @loss(%a: tensor<f32> {boost.tensor = #boost.tensor<param "a">}, %b: tensor<f32> {boost.tensor = #boost.tensor<param "b">}) -> tensor<f32> {
  %max = stablehlo.maximum %a, %b : tensor<f32>
  %d = stablehlo.subtract %a, %b : tensor<f32>
  %abs = stablehlo.abs %d : tensor<f32>
  %neg = stablehlo.negate %abs : tensor<f32>
  %exp = stablehlo.exponential %neg : tensor<f32>
  %log = stablehlo.log_plus_one %exp : tensor<f32>
  %sum = stablehlo.multiply %max, %log : tensor<f32>
  return %sum : tensor<f32>
}
