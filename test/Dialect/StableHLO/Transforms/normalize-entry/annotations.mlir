// RUN: boost-opt %s -split-input-file -verify-diagnostics --boost-normalize-entry | FileCheck %s --implicit-check-not=sdy. --implicit-check-not=mhlo. --implicit-check-not=jax. --implicit-check-not=tf.
// Which annotations of arguments and results say something of shardings. What becomes a hint is not dropped.

// CHECK: boost.hint = {{\[\[}}"x=2"]]
sdy.mesh @mesh = <["x"=2]>
func.func public @main(%w: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %s: tensor<f32>) -> tensor<f32> {
  return %s : tensor<f32>
}

// -----
// expected-remark@-1 {{sharding annotations of the program are dropped: placement decides the shardings}}
func.func public @main(%w: tensor<4xf32> {mhlo.sharding = "{replicated}"}, %s: tensor<f32>) -> tensor<f32> {
  return %s : tensor<f32>
}

// -----
// expected-remark@-1 {{sharding annotations of the program are dropped}}
sdy.mesh @mesh = <["x"=2]>
func.func public @main(%w: tensor<4xf32>, %s: tensor<f32>) -> (tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, []>}) {
  return %s : tensor<f32>
}

// -----
// An axis whose size the mesh does not tell.
// expected-remark@-2 {{sharding annotations of the program are dropped}}
sdy.mesh @mesh = <["x", "y"=2]>
func.func public @main(%w: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %s: tensor<f32>) -> tensor<f32> {
  return %s : tensor<f32>
}

// -----

// Others say nothing of them.
func.func public @main(%w: tensor<4xf32> {jax.buffer_donor = true, tf.aliasing_output = 0 : i32}, %s: tensor<f32>) -> (tensor<f32> {jax.result_info = "loss"}) {
  return %s : tensor<f32>
}
