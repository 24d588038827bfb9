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
