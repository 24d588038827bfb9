// RUN: boost-opt %s -boost-differentiate=nondeterministic | FileCheck %s --check-prefixes=CHECK,ANY
// RUN: boost-opt %s -boost-differentiate | FileCheck %s --check-prefixes=CHECK,FIXED
// Gradients of attention are marked if their sums may be taken in any order, and no other operation is.

// CHECK-LABEL: func @gradient
// CHECK-NOT:   nondeterministic
// ANY:         boost.attention_grad {{.*}} causal {nondeterministic, scale = 5.000000e-01 : f64}
// FIXED:       boost.attention_grad {{.*}} causal {scale = 5.000000e-01 : f64}
// CHECK-NOT:   nondeterministic
func.func @loss(%q: tensor<2x4x2x4xf32> {boost.tensor = #boost.tensor<param "q">}) -> tensor<f32> {
  %o, %lse = boost.attention %q, %q, %q causal {scale = 0.5 : f64}
      : (tensor<2x4x2x4xf32>, tensor<2x4x2x4xf32>, tensor<2x4x2x4xf32>)
      -> (tensor<2x4x2x4xf32>, tensor<2x2x4xf32>)
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %1 = stablehlo.reduce(%o init: %zero) applies stablehlo.add across dimensions = [0, 1, 2, 3]
      : (tensor<2x4x2x4xf32>, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
