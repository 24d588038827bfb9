// Where no line is the user's, a remark names the innermost one.

// RUN: boost-compile %s --mesh=tp=2 --placement=given --emit=spmd -o %t.mlir 2>&1 | FileCheck %s --implicit-check-not="called from"
// CHECK: {{^}}/venv/lib/python3.11/site-packages/flax/layers.py:7:2: remark: a value is gathered to 'tensor<4x8xf32>' on every rank

// RUN: boost-compile %s --mesh=tp=2 --placement=given --emit=plan -o - 2>/dev/null | FileCheck %s --check-prefix=PLAN
// PLAN: "location": "/venv/lib/python3.11/site-packages/flax/layers.py:7"

#layer = loc("/venv/lib/python3.11/site-packages/flax/layers.py":7:2)
#loop = loc(callsite(#layer at "/venv/lib/python3.11/site-packages/flax/module.py":20:4))
module @jit_loss {
  func.func public @main(%w: tensor<8xf32> {boost.arg = "param", boost.name = "w"},
      %x: tensor<4x8xf32> {boost.arg = "batch", boost.name = "x", boost.sharding = #boost.sharding<{}, {"tp"}>}) -> tensor<f32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %scale = stablehlo.broadcast_in_dim %w, dims = [1] : (tensor<8xf32>) -> tensor<4x8xf32>
    %0 = stablehlo.tanh %x : tensor<4x8xf32>
    %1 = stablehlo.reverse %0, dims = [1] : tensor<4x8xf32> loc(#loop)
    %2 = stablehlo.multiply %1, %scale : tensor<4x8xf32>
    %loss = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
    return %loss : tensor<f32>
  }
}
