// RUN: boost-opt %s --boost-normalize-entry 2>&1 | FileCheck %s
// Roles follow from element types, names from positions; foreign attributes go,
// those about sharding with a remark.

// CHECK:       remark: sharding annotations of the program are dropped
// CHECK-LABEL: module @jit_f {
// CHECK:       func.func public @loss(%{{.*}}: tensor<8x8xf32> {boost.tensor = #boost.tensor<param "arg0">},
// CHECK-SAME:    %{{.*}}: tensor<4xi32> {boost.tensor = #boost.tensor<batch "arg1">})
// CHECK-SAME:    -> (tensor<f32> {boost.tensor = #boost.tensor<loss "loss">}, tensor<4xi32> {boost.tensor = #boost.tensor<output "out0">})
module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%w: tensor<8x8xf32> {mhlo.sharding = "{replicated}", tf.aliasing_output = 0 : i32}, %i: tensor<4xi32>) -> (tensor<f32> {jax.result_info = "result"}, tensor<4xi32>) {
    %0 = stablehlo.constant dense<0.0> : tensor<f32>
    return %0, %i : tensor<f32>, tensor<4xi32>
  }
}
