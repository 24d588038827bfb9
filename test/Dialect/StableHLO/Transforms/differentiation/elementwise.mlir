// RUN: boost-opt %s -split-input-file -boost-differentiate | FileCheck %s

// Rules use the results of the forward pass where that saves work.

// CHECK-LABEL: func @gradient
// CHECK:         %[[EXP:.*]] = stablehlo.exponential
// CHECK:         %[[RSQRT:.*]] = stablehlo.rsqrt %[[EXP]]
// CHECK:         boost.phase backward
// CHECK:         %[[RATIO:.*]] = stablehlo.divide %[[RSQRT]], %[[EXP]]
// CHECK:         %[[SLOPE:.*]] = stablehlo.multiply %[[RATIO]], %{{.*}}
// CHECK:         %[[G:.*]] = stablehlo.multiply %{{.*}}, %[[SLOPE]]
// CHECK-NEXT:    %[[GA:.*]] = stablehlo.multiply %[[G]], %[[EXP]]
// CHECK-NEXT:    return %{{.*}}, %[[GA]]
func.func @loss(%a: tensor<f32> {boost.tensor = #boost.tensor<param "a">}) -> tensor<f32> {
  %0 = stablehlo.exponential %a : tensor<f32>
  %1 = stablehlo.rsqrt %0 : tensor<f32>
  return %1 : tensor<f32>
}

// -----

// A square has one gradient, not a sum of two.

// CHECK-LABEL: func @gradient
// CHECK-SAME:    %[[A:.*]]: tensor<f32> {
// CHECK:         boost.phase backward
// CHECK:         %[[TWICE:.*]] = stablehlo.add %[[A]], %[[A]]
// CHECK-NEXT:    %[[GA:.*]] = stablehlo.multiply %{{.*}}, %[[TWICE]]
// CHECK-NEXT:    return %{{.*}}, %[[GA]]
func.func @loss(%a: tensor<f32> {boost.tensor = #boost.tensor<param "a">}) -> tensor<f32> {
  %0 = stablehlo.multiply %a, %a : tensor<f32>
  return %0 : tensor<f32>
}

// -----

// Steps stop the gradient: the parameter gets zeros.

// CHECK-LABEL: func @gradient
// CHECK:         %[[ZERO:.*]] = stablehlo.constant dense<0.0
// CHECK-NEXT:    return %{{.*}}, %[[ZERO]]
func.func @loss(%a: tensor<f32> {boost.tensor = #boost.tensor<param "a">}) -> tensor<f32> {
  %0 = stablehlo.exponential %a : tensor<f32>
  %1 = stablehlo.floor %0 : tensor<f32>
  return %1 : tensor<f32>
}

// -----

// A gradient has the type of its value: conversions are undone.

// CHECK-LABEL: func @gradient
// CHECK:         boost.phase backward
// CHECK:         %[[ONE:.*]] = stablehlo.constant dense<1.0{{.*}}> : tensor<f32>
// CHECK-NEXT:    %[[GA:.*]] = stablehlo.convert %[[ONE]] : (tensor<f32>) -> tensor<bf16>
// CHECK-NEXT:    return %{{.*}}, %[[GA]] : tensor<f32>, tensor<bf16>
func.func @loss(%a: tensor<bf16> {boost.tensor = #boost.tensor<param "a">}) -> tensor<f32> {
  %0 = stablehlo.convert %a : (tensor<bf16>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// The distance in max(a, b) + log1p(exp(-|a - b|)) has no slope where a and b
// are equal: the maximum has the whole of it there.

// CHECK-LABEL: func @gradient
// CHECK:         %[[D:.*]] = stablehlo.subtract %{{.*}}, %{{.*}} : tensor<f32>
// CHECK:         boost.phase backward
// CHECK:         stablehlo.sign %[[D]]
func.func @loss(%a: tensor<f32> {boost.tensor = #boost.tensor<param "a">}, %b: tensor<f32> {boost.tensor = #boost.tensor<param "b">}) -> tensor<f32> {
  %max = stablehlo.maximum %a, %b : tensor<f32>
  %0 = stablehlo.subtract %a, %b : tensor<f32>
  %1 = stablehlo.abs %0 : tensor<f32>
  %2 = stablehlo.negate %1 : tensor<f32>
  %3 = stablehlo.exponential %2 : tensor<f32>
  %4 = stablehlo.log_plus_one %3 : tensor<f32>
  %5 = stablehlo.add %max, %4 : tensor<f32>
  return %5 : tensor<f32>
}

// -----

// Not so beside a maximum of other values.

// CHECK-LABEL: func @gradient
// CHECK:         boost.phase backward
// CHECK-NOT:     stablehlo.sign
func.func @loss(%a: tensor<f32> {boost.tensor = #boost.tensor<param "a">}, %b: tensor<f32> {boost.tensor = #boost.tensor<param "b">}, %c: tensor<f32> {boost.tensor = #boost.tensor<param "c">}) -> tensor<f32> {
  %max = stablehlo.maximum %a, %b : tensor<f32>
  %0 = stablehlo.subtract %c, %b : tensor<f32>
  %1 = stablehlo.abs %0 : tensor<f32>
  %2 = stablehlo.negate %1 : tensor<f32>
  %3 = stablehlo.exponential %2 : tensor<f32>
  %4 = stablehlo.log_plus_one %3 : tensor<f32>
  %5 = stablehlo.add %max, %4 : tensor<f32>
  return %5 : tensor<f32>
}

// -----

// Bounds that are no parameters need no gradient: nothing is computed for them.

// CHECK-LABEL: func @gradient
// CHECK:         boost.phase backward
// CHECK-COUNT-2: stablehlo.compare
// CHECK-NOT:     stablehlo.compare
// CHECK:         return
func.func @loss(%a: tensor<f32> {boost.tensor = #boost.tensor<param "a">}, %low: tensor<f32> {boost.tensor = #boost.tensor<batch "low">}, %high: tensor<f32> {boost.tensor = #boost.tensor<batch "high">}) -> tensor<f32> {
  %0 = stablehlo.clamp %low, %a, %high : tensor<f32>
  return %0 : tensor<f32>
}
