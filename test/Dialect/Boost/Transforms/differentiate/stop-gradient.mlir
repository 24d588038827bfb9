// RUN: boost-opt %s -boost-differentiate | FileCheck %s --implicit-check-not=boost.stop_gradient
// RUN: boost-opt %s -boost-differentiate | boost-eval --compare %s - | FileCheck %s --check-prefix=EQUAL
// EQUAL: 1 results equal

// The product has the gradient of one of its factors; %s, which only a stopped
// value reads through an operation that has no gradient, has none.

// CHECK-LABEL: func @loss
// CHECK:         %[[P:.*]] = stablehlo.multiply %{{.*}}, %{{.*}} : tensor<4xf32>
// CHECK-LABEL: func @gradient
// CHECK-SAME:    %[[W:[^:]*]]: tensor<4xf32>
// CHECK:         %[[T:.*]] = stablehlo.add
// CHECK:         boost.phase backward
// CHECK-NOT:     stablehlo.multiply %{{.*}}, %[[W]]
// CHECK:         %[[GW:.*]] = stablehlo.multiply %{{.*}}, %[[T]] : tensor<4xf32>
// CHECK-NEXT:    %[[ZERO:.*]] = stablehlo.constant dense<0.0
// CHECK:         return %{{.*}}, %[[GW]], %{{.*}}
func.func @loss(%w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">},
                %s: tensor<4xf32> {boost.tensor = #boost.tensor<param "s">}) -> tensor<f32> {
  %bits = stablehlo.bitcast_convert %s : (tensor<4xf32>) -> tensor<4xi32>
  %same = stablehlo.bitcast_convert %bits : (tensor<4xi32>) -> tensor<4xf32>
  %0 = stablehlo.add %w, %same : tensor<4xf32>
  %1 = boost.stop_gradient %0 : tensor<4xf32>
  %2 = stablehlo.multiply %w, %1 : tensor<4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %3 = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %3 : tensor<f32>
}
