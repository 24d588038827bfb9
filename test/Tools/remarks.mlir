// A remark names the innermost line of the user, not that of the package which
// it calls, and comes once for lines that repeat.

// RUN: boost-compile %s --mesh=tp=2 --placement=given --emit=spmd -o %t.mlir 2>&1 | FileCheck %s --implicit-check-not=remark --implicit-check-not=layers.py --implicit-check-not="called from"
// CHECK: train.py:20:4: remark: a value is gathered to 'tensor<4x8xf32>' on every rank: {{.*}} (x2)
// CHECK: train.py:33:4: remark: a value is gathered to 'tensor<4x8xf32>' on every rank

// The plan has the same lines, where gathers are not merged.
// RUN: boost-compile %s --mesh=tp=2 --placement=given --disable-pass=boost-merge-collectives --emit=plan -o - 2>/dev/null | FileCheck %s --check-prefix=PLAN
// PLAN: "location": "train.py:20"
// PLAN: "location": "train.py:33"

// RUN: boost-compile %s --mesh=tp=2 --placement=given --emit=spmd --quiet -o %t.mlir 2>&1 | count 0

// RUN: not boost-compile %s --quiet --explain -o %t 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: error: --quiet leaves out what --explain says; give one of them

#layer = loc("/venv/lib/python3.11/site-packages/flax/layers.py":7:2)
#loop = loc(callsite(#layer at callsite("train.py":20:4 at "train.py":50:0)))
#after = loc("flip"(callsite("/usr/lib/python3/dist-packages/layers.py":9:2 at "train.py":33:4)))
module @jit_loss {
  func.func public @main(%w: tensor<8xf32> {boost.arg = "param", boost.name = "w"},
      %x: tensor<4x8xf32> {boost.arg = "batch", boost.name = "x", boost.sharding = #boost.sharding<{}, {"tp"}>},
      %y: tensor<4x8xf32> {boost.arg = "batch", boost.name = "y", boost.sharding = #boost.sharding<{}, {"tp"}>},
      %z: tensor<4x8xf32> {boost.arg = "batch", boost.name = "z", boost.sharding = #boost.sharding<{}, {"tp"}>}) -> tensor<f32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %scale = stablehlo.broadcast_in_dim %w, dims = [1] : (tensor<8xf32>) -> tensor<4x8xf32>
    %0 = stablehlo.tanh %x : tensor<4x8xf32>
    %1 = stablehlo.reverse %0, dims = [1] : tensor<4x8xf32> loc(#loop)
    %2 = stablehlo.tanh %y : tensor<4x8xf32>
    %3 = stablehlo.reverse %2, dims = [1] : tensor<4x8xf32> loc(#loop)
    %4 = stablehlo.tanh %z : tensor<4x8xf32>
    %5 = stablehlo.reverse %4, dims = [1] : tensor<4x8xf32> loc(#after)
    %6 = stablehlo.add %1, %3 : tensor<4x8xf32>
    %7 = stablehlo.add %6, %5 : tensor<4x8xf32>
    %8 = stablehlo.multiply %7, %scale : tensor<4x8xf32>
    %loss = stablehlo.reduce(%8 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
    return %loss : tensor<f32>
  }
}
