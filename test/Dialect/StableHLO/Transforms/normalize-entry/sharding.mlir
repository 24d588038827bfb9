// RUN: boost-opt %s | FileCheck %s --check-prefix=TEXT
// RUN: boost-opt %s --boost-import-check --boost-normalize-entry 2>&1 | FileCheck %s
// Meshes, constraints and sharding calls parse and are dropped with one remark;
// the sharding of an argument becomes a hint.

// TEXT: sdy.mesh @mesh = <["x"=2, "y"=2]>
// TEXT: #sdy.sharding<@mesh, [{"x"}, {}]>
// TEXT: sdy.sharding_constraint %{{.*}} <@mesh, [{"x", ?}, {}], replicated={"y"}> : tensor<4x8xf32>
// TEXT: sdy.sharding_constraint %{{.*}} <mesh<["z"=4]>, [{"z"}, {}]> : tensor<4x8xf32>

// CHECK:     remark: sharding annotations of the program are dropped
// CHECK-NOT: sdy
// CHECK:     func.func public @loss(%[[W:.*]]: tensor<4x8xf32> {boost.hint =
// CHECK-NOT: sdy
// CHECK-NOT: custom_call
// CHECK:     stablehlo.reduce(%[[W]]
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func public @main(%w: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %s: tensor<f32>) -> (tensor<8xf32>, tensor<f32>) {
  %0 = sdy.sharding_constraint %w <@mesh, [{"x", ?}, {}], replicated={"y"}> : tensor<4x8xf32>
  %c = sdy.sharding_constraint %0 <mesh<["z"=4]>, [{"z"}, {}]> : tensor<4x8xf32>
  %1 = stablehlo.custom_call @Sharding(%c) {mhlo.sharding = "{replicated}"} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = stablehlo.reduce(%1 init: %s) applies stablehlo.add across dimensions = [0] : (tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>
  return %2, %s : tensor<8xf32>, tensor<f32>
}
