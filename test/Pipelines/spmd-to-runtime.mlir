// RUN: boost-opt %s --pass-pipeline='builtin.module(convert-boost-to-runtime,convert-stablehlo-to-linalg,canonicalize,cse,func.func(boostrt-fuse-elementwise),canonicalize,cse,boostrt-number-collectives,boostrt-bufferize,boostrt-plan-memory,canonicalize,cse)' | FileCheck %s
// RUN: boost-opt %s --boost-lower-pipeline -o /dev/null

// One low-rank linear with its norm behind the product, on one of two ranks,
// and the two halves of a rotation: calls and kernels in one arena.

// CHECK: module attributes {boost.arena_bytes = [[BYTES:[0-9]+]] : i64
module {
  shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}

  // CHECK: func.func @forward(%[[ARENA:.*]]: memref<[[BYTES]]xi8>)
  // CHECK-SAME: boost.inputs = ["x", "down", "up", "gamma"], boost.outputs = ["y"]
  func.func @forward(
      %x: tensor<4x8x16xf32> {boost.sharding = #boost.sharding<{}, {}, {"tp"}>, boost.tensor = #boost.tensor<batch "x">},
      %a: tensor<16x8xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<param "down">},
      %b: tensor<8x16xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<param "up">},
      %g: tensor<16xf32> {boost.sharding = #boost.sharding<{"tp"}>, boost.tensor = #boost.tensor<param "gamma">})
      -> (tensor<4x8x2x8xf32> {boost.sharding = #boost.sharding<{}, {}, {"tp"}, {}>, boost.tensor = #boost.tensor<output "y">}) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    // x * gamma, one kernel.
    // CHECK: linalg.generic {{.*}} outs(%[[XG:.*]] : memref<4x8x16xf32>)
    // CHECK: arith.mulf
    %gb = stablehlo.broadcast_in_dim %g, dims = [2] : (tensor<16xf32>) -> tensor<4x8x16xf32>
    %xg = stablehlo.multiply %x, %gb : tensor<4x8x16xf32>
    // The sum of squares, one pass over x.
    // CHECK: linalg.fill {{.*}} outs(%[[S:.*]] : memref<4x8xf32>)
    // CHECK: linalg.generic {{.*}} outs(%[[S]] : memref<4x8xf32>)
    // CHECK: arith.mulf
    // CHECK: arith.addf
    %x2 = stablehlo.multiply %x, %x : tensor<4x8x16xf32>
    %sp = stablehlo.reduce(%x2 init: %zero) applies stablehlo.add across dimensions = [2]
        : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    // CHECK: boostrt.gemm ins(%[[XG]], %{{.*}} : memref<4x8x16xf32>, memref<16x8xf32>) outs(%[[H:.*]] : memref<4x8x8xf32>)
    %hp = boost.linear %xg, %a : (tensor<4x8x16xf32>, tensor<16x8xf32>) -> tensor<4x8x8xf32>
    // Both travel in one launch, in place.
    // CHECK: boostrt.all_reduce sum group 1 site 0 outs(%[[H]], %[[S]] : memref<4x8x8xf32>, memref<4x8xf32>) {boost.component = "block", boost.phase = "forward", boostrt.axes = ["tp"]
    %h, %s = boost.all_reduce sum %hp, %sp on @mesh axes = [0] {boost.component = "block"}
        : tensor<4x8x8xf32>, tensor<4x8xf32>
    // 1 / sqrt(mean + eps), over the statistic's own memory.
    // CHECK: linalg.generic {{.*}} ins(%[[S]] : memref<4x8xf32>) outs(%[[S]] : memref<4x8xf32>)
    // CHECK: math.rsqrt
    %n = stablehlo.constant dense<3.2e1> : tensor<4x8xf32>
    %eps = stablehlo.constant dense<1.0e-6> : tensor<4x8xf32>
    %mean = stablehlo.divide %s, %n : tensor<4x8xf32>
    %me = stablehlo.add %mean, %eps : tensor<4x8xf32>
    %r = stablehlo.rsqrt %me : tensor<4x8xf32>
    // silu of the normed latent, over the latent's own memory.
    // CHECK: linalg.generic {{.*}} ins(%[[H]], %[[S]] : {{.*}}) outs(%[[H]] : memref<4x8x8xf32>)
    // CHECK: math.exp
    %rb = stablehlo.broadcast_in_dim %r, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x8xf32>
    %z0 = stablehlo.multiply %h, %rb : tensor<4x8x8xf32>
    %l = stablehlo.logistic %z0 : tensor<4x8x8xf32>
    %z = stablehlo.multiply %z0, %l : tensor<4x8x8xf32>
    // CHECK: boostrt.gemm ins(%[[H]], %{{.*}} : memref<4x8x8xf32>, memref<8x16xf32>)
    %y = boost.linear %z, %b : (tensor<4x8x8xf32>, tensor<8x16xf32>) -> tensor<4x8x16xf32>
    // Halves are read and written where they are.
    // CHECK: linalg.generic {{.*}} ins(%{{.*}} : memref<4x8x2x4xf32, strided<[128, 16, 8, 1]>>) outs(%{{.*}} : memref<4x8x2x4xf32, strided<[128, 16, 8, 1]>>)
    // CHECK: arith.negf
    // CHECK: linalg.generic {{.*}} ins(%{{.*}} : memref<4x8x2x4xf32, strided<[128, 16, 8, 1]>>) outs(%{{.*}} : memref<4x8x2x4xf32, strided<[128, 16, 8, 1]>>)
    // CHECK-NOT: boostrt.copy
    // CHECK: return
    %y4 = stablehlo.reshape %y : (tensor<4x8x16xf32>) -> tensor<4x8x2x8xf32>
    %lo = stablehlo.slice %y4 [0:4, 0:8, 0:2, 0:4] : (tensor<4x8x2x8xf32>) -> tensor<4x8x2x4xf32>
    %hi = stablehlo.slice %y4 [0:4, 0:8, 0:2, 4:8] : (tensor<4x8x2x8xf32>) -> tensor<4x8x2x4xf32>
    %nhi = stablehlo.negate %hi : tensor<4x8x2x4xf32>
    %rot = stablehlo.concatenate %nhi, %lo, dim = 3
        : (tensor<4x8x2x4xf32>, tensor<4x8x2x4xf32>) -> tensor<4x8x2x8xf32>
    return %rot : tensor<4x8x2x8xf32>
  }
}
