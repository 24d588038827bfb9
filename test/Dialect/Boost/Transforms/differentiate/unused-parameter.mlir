// RUN: boost-opt %s -boost-differentiate -verify-diagnostics | FileCheck %s

// A parameter without influence gets zeros and a remark.

// CHECK-LABEL: func @gradient
// CHECK:         %[[ZERO:.*]] = stablehlo.constant dense<0.0{{.*}}> : tensor<3xf32>
// CHECK:         return %{{.*}}, %{{.*}}, %[[ZERO]]
func.func @loss(%a: tensor<f32> {boost.tensor = #boost.tensor<param "a">},
    // expected-remark @below {{the loss does not depend on parameter 'bias': its gradient is zero}}
    %b: tensor<3xf32> {boost.tensor = #boost.tensor<param "bias">}) -> tensor<f32> {
  %0 = stablehlo.exponential %a : tensor<f32>
  return %0 : tensor<f32>
}
