// RUN: boost-prove %s --mesh=1 --mesh=tp=2 --remat=none
// RUN: boost-prove %s --mesh=1 --mesh=tp=2 --remat=low-rank
// RUN: boost-prove %s --mesh=1 --mesh=tp=2 --remat=full-block
// RUN: boost-compile %s --allow-float-batch --quiet --emit=plan --remat-recompute=elementwise -o %t
// RUN: boost-compile %s --allow-float-batch --quiet --emit=plan --memory-budget=1MiB -o %t
// Concatenations with equal first parts, of the forward pass and recomputed, and
// of two values: their beginnings were merged, and what followed was written to a
// copy of a tensor that was not complete.

module {
  func.func @main(%g: tensor<16xf32> {boost.arg = "param", boost.name = "g"}, %a: tensor<16x4xf32> {boost.arg = "param", boost.name = "a"}, %x: tensor<4x8x16xf32> {boost.arg = "batch", boost.name = "x"}) -> tensor<f32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %zeros = stablehlo.constant dense<0.0> : tensor<4x1x4xf32>
    // A value and one computed from it.
    %gs = stablehlo.broadcast_in_dim %g, dims = [2] : (tensor<16xf32>) -> tensor<4x8x16xf32>
    %p = stablehlo.multiply %x, %gs : tensor<4x8x16xf32>
    %t = stablehlo.tanh %p : tensor<4x8x16xf32>
    %s = stablehlo.sine %p : tensor<4x8x16xf32>
    %j = stablehlo.concatenate %x, %t, dim = 1 : (tensor<4x8x16xf32>, tensor<4x8x16xf32>) -> tensor<4x16x16xf32>
    %k = stablehlo.concatenate %x, %s, dim = 1 : (tensor<4x8x16xf32>, tensor<4x8x16xf32>) -> tensor<4x16x16xf32>
    %jk = stablehlo.multiply %j, %k : tensor<4x16x16xf32>
    %h = stablehlo.dot_general %jk, %a, contracting_dims = [2] x [0] : (tensor<4x16x16xf32>, tensor<16x4xf32>) -> tensor<4x16x4xf32>
    // Zeros and all positions but the last.
    %u = stablehlo.tanh %h : tensor<4x16x4xf32>
    %rest = stablehlo.slice %u [0:4, 0:15, 0:4] : (tensor<4x16x4xf32>) -> tensor<4x15x4xf32>
    %shifted = stablehlo.concatenate %zeros, %rest, dim = 1 : (tensor<4x1x4xf32>, tensor<4x15x4xf32>) -> tensor<4x16x4xf32>
    %d = stablehlo.multiply %shifted, %u : tensor<4x16x4xf32>
    %y = stablehlo.sine %d : tensor<4x16x4xf32>
    %q = stablehlo.multiply %y, %y : tensor<4x16x4xf32>
    %loss = stablehlo.reduce(%q init: %zero) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x16x4xf32>, tensor<f32>) -> tensor<f32>
    return %loss : tensor<f32>
  }
}
