// RUN: boost-opt %s --boost-import-check --boost-normalize-entry 2>&1 | FileCheck %s
// A constraint that names no axis, as JAX writes beside keys of random numbers, is dropped without a remark.

// CHECK-NOT: remark
// CHECK:     func.func public @loss(%{{.*}}: tensor<f32> {{.*}}, %[[KEY:.*]]: tensor<2xui32>
// CHECK-NOT: sdy
// CHECK:     stablehlo.slice %[[KEY]]
sdy.mesh @empty_mesh = <[]>
func.func public @main(%w: tensor<f32>, %key: tensor<2xui32>) -> tensor<f32> {
  %0 = sdy.sharding_constraint %key <@empty_mesh, [{}]> : tensor<2xui32>
  %1 = stablehlo.slice %0 [0:1] : (tensor<2xui32>) -> tensor<1xui32>
  %2 = stablehlo.reshape %1 : (tensor<1xui32>) -> tensor<ui32>
  %3 = stablehlo.convert %2 : (tensor<ui32>) -> tensor<f32>
  %4 = stablehlo.multiply %w, %3 : tensor<f32>
  return %4 : tensor<f32>
}
