// RUN: boost-opt %s -boost-differentiate | FileCheck %s

// The gradient of a value is sharded as a placement says that the value is: here
// that of the exponential, not those of what stands before and behind it.

// CHECK-LABEL: func @gradient
// CHECK:       stablehlo.exponential {{.*}} {boost.shardings = [#boost.sharding<{"tp"}, {}>]}
// CHECK:       boost.phase backward
// CHECK-NOT:   boost.shardings
// CHECK:       %[[GRADIENT:.*]] = stablehlo.multiply {{.*}} {boost.shardings = [#boost.sharding<{"tp"}, {}>]} : tensor<4x8xf32>
// CHECK-NEXT:  %[[OF_X:.*]] = stablehlo.multiply %[[GRADIENT]], %0 : tensor<4x8xf32>
// CHECK-NEXT:  return %{{.*}}, %[[OF_X]]
func.func @loss(%x: tensor<4x8xf32> {boost.tensor = #boost.tensor<param "x">}) -> tensor<f32> {
  %0 = stablehlo.exponential %x {boost.shardings = [#boost.sharding<{"tp"}, {}>]} : tensor<4x8xf32>
  %1 = stablehlo.multiply %0, %0 : tensor<4x8xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0, 1]
      : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
  return %2 : tensor<f32>
}
