// RUN: boost-opt %s --boost-verify-spmd | FileCheck %s
// A program that communicates what it needs passes unchanged. Where local
// dimensions have size 1, a reshape does not tell what is sharded, and that is fine.

// CHECK: module attributes {boost.level = "spmd"}
module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x4) {boost.axes = ["dp", "tp"]}

  // CHECK-LABEL: func @heads
  func.func @heads(%x: tensor<1x8x16xf32> {boost.sharding = #boost.sharding<{"dp"}, {}, {"tp"}>},
                   %w: tensor<16x4xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>})
      -> (tensor<1x8x4xf32> {boost.sharding = #boost.sharding<{"dp"}, {}, {}>}) {
    %0 = stablehlo.reshape %x : (tensor<1x8x16xf32>) -> tensor<1x8x1x16xf32>
    %o, %lse = boost.attention %0, %0, %0 {scale = 1.0 : f64}
        : (tensor<1x8x1x16xf32>, tensor<1x8x1x16xf32>, tensor<1x8x1x16xf32>) -> (tensor<1x8x1x16xf32>, tensor<1x1x8xf32>)
    %1 = stablehlo.reshape %o : (tensor<1x8x1x16xf32>) -> tensor<1x8x16xf32>
    %2 = boost.linear %1, %w : (tensor<1x8x16xf32>, tensor<16x4xf32>) -> tensor<1x8x4xf32>
    // CHECK: boost.all_reduce
    %3 = boost.all_reduce sum %2 on @mesh axes = [1] {boost.component = "block"} : tensor<1x8x4xf32>
    return %3 : tensor<1x8x4xf32>
  }

  // The gradient of the only head of keys is a sum over the ranks that have the heads of queries.
  // CHECK-LABEL: func @one_key_head
  func.func @one_key_head(%q: tensor<1x3x2x2xf32> {boost.sharding = #boost.sharding<{}, {}, {"tp"}, {}>},
      %k: tensor<1x3x1x2xf32> {boost.sharding = #boost.sharding<{}, {}, {}, {}>}, %g: tensor<1x3x2x2xf32> {boost.sharding = #boost.sharding<{}, {}, {"tp"}, {}>})
      -> (tensor<1x3x1x2xf32> {boost.sharding = #boost.sharding<{}, {}, {}, {}>}, tensor<1x3x2x2xf32> {boost.sharding = #boost.sharding<{}, {}, {"tp"}, {}>}) {
    %o, %l = boost.attention %q, %k, %k {scale = 1.0 : f64}
        : (tensor<1x3x2x2xf32>, tensor<1x3x1x2xf32>, tensor<1x3x1x2xf32>) -> (tensor<1x3x2x2xf32>, tensor<1x2x3xf32>)
    %dq, %dk, %dv = boost.attention_grad %q, %k, %k of %o, %l grad %g {scale = 1.0 : f64}
        : (tensor<1x3x2x2xf32>, tensor<1x3x1x2xf32>, tensor<1x3x1x2xf32>, tensor<1x3x2x2xf32>, tensor<1x2x3xf32>, tensor<1x3x2x2xf32>)
        -> (tensor<1x3x2x2xf32>, tensor<1x3x1x2xf32>, tensor<1x3x1x2xf32>)
    %s = stablehlo.add %dk, %dv : tensor<1x3x1x2xf32>
    %r = boost.all_reduce sum %s on @mesh axes = [1] {boost.component = "block"} : tensor<1x3x1x2xf32>
    return %r, %dq : tensor<1x3x1x2xf32>, tensor<1x3x2x2xf32>
  }

  // Where a rank has one of several heads of keys, and reshapes do not tell that, the gradient of
  // the queries does: it is no sum.
  // CHECK-LABEL: func @one_of_several_key_heads
  func.func @one_of_several_key_heads(%q: tensor<2x1x4xf32> {boost.sharding = #boost.sharding<{}, {"dp"}, {"tp"}>},
      %k: tensor<2x1x2xf32> {boost.sharding = #boost.sharding<{}, {"dp"}, {"tp"}>}, %g: tensor<2x2x2x2xf32> {boost.sharding = #boost.sharding<{}, {}, {"tp"}, {}>},
      %w: tensor<2x3xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>})
      -> (tensor<2x2x3xf32> {boost.sharding = #boost.sharding<{}, {}, {}>}) {
    %qs = stablehlo.reshape %q : (tensor<2x1x4xf32>) -> tensor<2x1x2x2xf32>
    %qa = boost.all_gather %qs dims = [1] on @mesh axes = [0] {boost.component = "block"} : (tensor<2x1x2x2xf32>) -> tensor<2x2x2x2xf32>
    %ks = stablehlo.reshape %k : (tensor<2x1x2xf32>) -> tensor<2x1x1x2xf32>
    %ka = boost.all_gather %ks dims = [1] on @mesh axes = [0] {boost.component = "block"} : (tensor<2x1x1x2xf32>) -> tensor<2x2x1x2xf32>
    %o, %l = boost.attention %qa, %ka, %ka {scale = 1.0 : f64}
        : (tensor<2x2x2x2xf32>, tensor<2x2x1x2xf32>, tensor<2x2x1x2xf32>) -> (tensor<2x2x2x2xf32>, tensor<2x2x2xf32>)
    // CHECK: boost.attention_grad
    %dq, %dk, %dv = boost.attention_grad %qa, %ka, %ka of %o, %l grad %g {scale = 1.0 : f64}
        : (tensor<2x2x2x2xf32>, tensor<2x2x1x2xf32>, tensor<2x2x1x2xf32>, tensor<2x2x2x2xf32>, tensor<2x2x2xf32>, tensor<2x2x2x2xf32>)
        -> (tensor<2x2x2x2xf32>, tensor<2x2x1x2xf32>, tensor<2x2x1x2xf32>)
    %r = stablehlo.reshape %dk : (tensor<2x2x1x2xf32>) -> tensor<2x2x2xf32>
    %p = boost.linear %r, %w : (tensor<2x2x2xf32>, tensor<2x3xf32>) -> tensor<2x2x3xf32>
    %s = boost.all_reduce sum %p on @mesh axes = [1] {boost.component = "block"} : tensor<2x2x3xf32>
    return %s : tensor<2x2x3xf32>
  }

  // Also where a rank has one head of queries.
  // CHECK-LABEL: func @one_key_head_of_one_query_head
  func.func @one_key_head_of_one_query_head(%q: tensor<1x3x1x2xf32> {boost.sharding = #boost.sharding<{}, {}, {"tp"}, {}>},
      %k: tensor<1x3x1x2xf32> {boost.sharding = #boost.sharding<{}, {}, {}, {}>}, %g: tensor<1x3x1x2xf32> {boost.sharding = #boost.sharding<{}, {}, {"tp"}, {}>})
      -> (tensor<1x3x1x2xf32> {boost.sharding = #boost.sharding<{}, {}, {}, {}>}, tensor<1x3x1x2xf32> {boost.sharding = #boost.sharding<{}, {}, {"tp"}, {}>}) {
    %o, %l = boost.attention %q, %k, %k {scale = 1.0 : f64}
        : (tensor<1x3x1x2xf32>, tensor<1x3x1x2xf32>, tensor<1x3x1x2xf32>) -> (tensor<1x3x1x2xf32>, tensor<1x1x3xf32>)
    %dq, %dk, %dv = boost.attention_grad %q, %k, %k of %o, %l grad %g {scale = 1.0 : f64}
        : (tensor<1x3x1x2xf32>, tensor<1x3x1x2xf32>, tensor<1x3x1x2xf32>, tensor<1x3x1x2xf32>, tensor<1x1x3xf32>, tensor<1x3x1x2xf32>)
        -> (tensor<1x3x1x2xf32>, tensor<1x3x1x2xf32>, tensor<1x3x1x2xf32>)
    %s = stablehlo.add %dk, %dv : tensor<1x3x1x2xf32>
    %r = boost.all_reduce sum %s on @mesh axes = [1] {boost.component = "block"} : tensor<1x3x1x2xf32>
    return %r, %dq : tensor<1x3x1x2xf32>, tensor<1x3x1x2xf32>
  }

  // Of several heads of keys the rank may have one as well, whose gradient is its own.
  // CHECK-LABEL: func @one_key_head_of_several
  func.func @one_key_head_of_several(%q: tensor<1x3x2x2xf32> {boost.sharding = #boost.sharding<{}, {}, {"tp"}, {}>},
      %k: tensor<1x3x1x2xf32> {boost.sharding = #boost.sharding<{}, {}, {"tp"}, {}>}, %g: tensor<1x3x2x2xf32> {boost.sharding = #boost.sharding<{}, {}, {"tp"}, {}>})
      -> (tensor<1x3x1x2xf32> {boost.sharding = #boost.sharding<{}, {}, {"tp"}, {}>}, tensor<1x3x2x2xf32> {boost.sharding = #boost.sharding<{}, {}, {"tp"}, {}>}) {
    %o, %l = boost.attention %q, %k, %k {scale = 1.0 : f64}
        : (tensor<1x3x2x2xf32>, tensor<1x3x1x2xf32>, tensor<1x3x1x2xf32>) -> (tensor<1x3x2x2xf32>, tensor<1x2x3xf32>)
    %dq, %dk, %dv = boost.attention_grad %q, %k, %k of %o, %l grad %g {scale = 1.0 : f64}
        : (tensor<1x3x2x2xf32>, tensor<1x3x1x2xf32>, tensor<1x3x1x2xf32>, tensor<1x3x2x2xf32>, tensor<1x2x3xf32>, tensor<1x3x2x2xf32>)
        -> (tensor<1x3x2x2xf32>, tensor<1x3x1x2xf32>, tensor<1x3x1x2xf32>)
    return %dk, %dq : tensor<1x3x1x2xf32>, tensor<1x3x2x2xf32>
  }

  // A repeated dimension may be cut into parts of size 1, as that of the operand.
  // CHECK-LABEL: func @repeated_into_ones
  func.func @repeated_into_ones(%x: tensor<3x1xf32> {boost.sharding = #boost.sharding<{}, {}>},
                                %y: tensor<3x1xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>})
      -> (tensor<3x1xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>}) {
    %0 = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<3x1xf32>) -> tensor<3x1xf32>
    %1 = stablehlo.multiply %0, %y : tensor<3x1xf32>
    return %1 : tensor<3x1xf32>
  }

  // Which of several dimensions of size 1 is the one that is sharded cannot be told.
  // CHECK-LABEL: func @among_ones
  func.func @among_ones(%x: tensor<1x8x1x1xf32> {boost.sharding = #boost.sharding<{}, {}, {}, {"tp"}>},
                        %y: tensor<8x1x1x1xf32> {boost.sharding = #boost.sharding<{}, {}, {"tp"}, {}>})
      -> (tensor<8x1x1x1xf32> {boost.sharding = #boost.sharding<{}, {}, {"tp"}, {}>}) {
    %0 = stablehlo.reshape %x : (tensor<1x8x1x1xf32>) -> tensor<8x1x1x1xf32>
    %1 = stablehlo.multiply %0, %y : tensor<8x1x1x1xf32>
    return %1 : tensor<8x1x1x1xf32>
  }

  // The first dimension of a branch is no part of what is sharded: a head is alone on
  // its rank, and a slice of its elements is fine.
  // CHECK-LABEL: func @branch
  func.func @branch(%x: tensor<1x2x8x16xf32> {boost.sharding = #boost.sharding<{}, {}, {}, {"tp"}>})
      -> (tensor<2x8x1x8xf32> {boost.sharding = #boost.sharding<{}, {}, {"tp"}, {}>}) {
    %0 = stablehlo.reshape %x : (tensor<1x2x8x16xf32>) -> tensor<2x8x1x16xf32>
    %1 = stablehlo.slice %0 [0:2, 0:8, 0:1, 0:8] : (tensor<2x8x1x16xf32>) -> tensor<2x8x1x8xf32>
    return %1 : tensor<2x8x1x8xf32>
  }

  // One head per rank is merged with its size: whether that dimension is sharded
  // cannot be told, but another partial sum adds to it.
  // CHECK-LABEL: func @adds_to_unknown
  func.func @adds_to_unknown(%x: tensor<2x8x1x16xf32> {boost.sharding = #boost.sharding<{}, {}, {"tp"}, {}>}, %y: tensor<2x8x32xf32> {boost.sharding = #boost.sharding<{}, {}, {"tp"}>},
                             %v: tensor<32x4xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>})
      -> (tensor<2x8x4xf32> {boost.sharding = #boost.sharding<{}, {}, {}>}) {
    %0 = stablehlo.reshape %x : (tensor<2x8x1x16xf32>) -> tensor<2x8x16xf32>
    %w = stablehlo.constant dense<1.0> : tensor<16x4xf32>
    %1 = boost.linear %0, %w : (tensor<2x8x16xf32>, tensor<16x4xf32>) -> tensor<2x8x4xf32>
    %2 = boost.linear %y, %v : (tensor<2x8x32xf32>, tensor<32x4xf32>) -> tensor<2x8x4xf32>
    // CHECK: stablehlo.add
    %3 = stablehlo.add %1, %2 : tensor<2x8x4xf32>
    %4 = boost.all_reduce sum %3 on @mesh axes = [1] {boost.component = "block"} : tensor<2x8x4xf32>
    return %4 : tensor<2x8x4xf32>
  }

  // What `8 -> 4x2`, summed over the first dimension, is on one of four ranks.
  // CHECK-LABEL: func @sum_of_one
  func.func @sum_of_one(%x: tensor<2xf32> {boost.sharding = #boost.sharding<{"tp"}>}) -> (tensor<2xf32> {boost.sharding = #boost.sharding<{}>}) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %r = stablehlo.reshape %x : (tensor<2xf32>) -> tensor<1x2xf32>
    %0 = stablehlo.reduce(%r init: %zero) applies stablehlo.add across dimensions = [0] {boost.one_term} : (tensor<1x2xf32>, tensor<f32>) -> tensor<2xf32>
    // CHECK: boost.all_reduce
    %1 = boost.all_reduce sum %0 on @mesh axes = [1] {boost.component = "block"} : tensor<2xf32>
    return %1 : tensor<2xf32>
  }

  // CHECK-LABEL: func @probe_of_one_term
  func.func @probe_of_one_term(%x: tensor<2x1xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>}) -> (tensor<2xf32> {boost.sharding = #boost.sharding<{}>}) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] {boost.one_term} : (tensor<2x1xf32>, tensor<f32>) -> tensor<2xf32>
    // CHECK: boost.probe
    boost.probe %0 as "sum" site 0 sharding <{}, partial = sum {"tp"}> : tensor<2xf32>
    %1 = boost.all_reduce sum %0 on @mesh axes = [1] {boost.component = "block"} : tensor<2xf32>
    return %1 : tensor<2xf32>
  }

  // Which of two dimensions of size 1 is the cut one cannot be told.
  // CHECK-LABEL: func @moved
  func.func @moved(%x: tensor<2x1xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>}) -> (tensor<2x1x4xf32> {boost.sharding = #boost.sharding<{}, {}, {}>}) {
    %0 = stablehlo.reshape %x : (tensor<2x1xf32>) -> tensor<2x1x1xf32>
    // CHECK: boost.all_gather
    %1 = boost.all_gather %0 dims = [2] on @mesh axes = [1] {boost.component = "block"} : (tensor<2x1x1xf32>) -> tensor<2x1x4xf32>
    return %1 : tensor<2x1x4xf32>
  }

  // What is sharded in a way that cannot be told stays so when it is sharded further.
  // CHECK-LABEL: func @cut_further
  func.func @cut_further(%x: tensor<1x4xf32> {boost.sharding = #boost.sharding<{"dp"}, {}>}, %y: tensor<1xf32> {boost.sharding = #boost.sharding<{"dp", "tp"}>})
      -> (tensor<1xf32> {boost.sharding = #boost.sharding<{"dp", "tp"}>}) {
    %0 = stablehlo.reshape %x : (tensor<1x4xf32>) -> tensor<4xf32>
    // CHECK: shard.all_slice
    %1 = shard.all_slice %0 on @mesh grid_axes = [1] slice_axis = 0 {boost.component = "block"} : tensor<4xf32> -> tensor<1xf32>
    %2 = stablehlo.add %1, %y : tensor<1xf32>
    return %2 : tensor<1xf32>
  }
}
