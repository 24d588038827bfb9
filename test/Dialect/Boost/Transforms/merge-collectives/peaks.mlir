// RUN: boost-opt %s --boost-merge-collectives | FileCheck %s
// When two sums meet, and where: bytes in use at once decide. In all of these, what is read between is freed before
// another wide value is made.

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}

  // Two wide values, one of which is read behind the first sum: together they would be in use at once.
  // CHECK-LABEL: func @wide
  // CHECK:         boost.all_reduce sum %{{[0-9a-z]+}} on
  // CHECK:         boost.all_reduce sum %{{[0-9a-z]+}} on
  func.func @wide(%x: tensor<4xf32>, %y: tensor<16x4xf32>) -> (tensor<f32>, tensor<f32>, tensor<1x4xf32>) {
    %v = stablehlo.tanh %y : tensor<16x4xf32>
    %a = boost.all_reduce sum %x on @mesh axes = [0] : tensor<4xf32>
    %r = stablehlo.dot_general %v, %v, contracting_dims = [0, 1] x [0, 1] : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<f32>
    %c = stablehlo.negate %y : tensor<16x4xf32>
    %p = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<4xf32>) -> tensor<16x4xf32>
    %s = stablehlo.dot_general %p, %c, contracting_dims = [0, 1] x [0, 1] : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<f32>
    %w = stablehlo.exponential %y : tensor<16x4xf32>
    %n = stablehlo.slice %w [0:1, 0:4] : (tensor<16x4xf32>) -> tensor<1x4xf32>
    %b = boost.all_reduce sum %n on @mesh axes = [0] : tensor<1x4xf32>
    return %r, %s, %b : tensor<f32>, tensor<f32>, tensor<1x4xf32>
  }

  // Constants take no memory of their own.
  // CHECK-LABEL: func @constant
  // CHECK:         stablehlo.exponential
  // CHECK:         boost.all_reduce sum %{{.*}}, %{{.*}} on
  func.func @constant(%x: tensor<4xf32>, %y: tensor<16x4xf32>) -> (tensor<1x4xf32>, tensor<f32>, tensor<1x4xf32>) {
    %v = stablehlo.tanh %y : tensor<16x4xf32>
    %a = boost.all_reduce sum %x on @mesh axes = [0] : tensor<4xf32>
    %r = stablehlo.slice %v [0:1, 0:4] : (tensor<16x4xf32>) -> tensor<1x4xf32>
    %c = stablehlo.constant dense<2.0> : tensor<16x4xf32>
    %p = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<4xf32>) -> tensor<16x4xf32>
    %s = stablehlo.dot_general %p, %c, contracting_dims = [0, 1] x [0, 1] : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<f32>
    %w = stablehlo.exponential %y : tensor<16x4xf32>
    %n = stablehlo.slice %w [0:1, 0:4] : (tensor<16x4xf32>) -> tensor<1x4xf32>
    %b = boost.all_reduce sum %n on @mesh axes = [0] : tensor<1x4xf32>
    return %r, %s, %b : tensor<1x4xf32>, tensor<f32>, tensor<1x4xf32>
  }

  // CHECK-LABEL: func @counter
  // CHECK:         stablehlo.exponential
  // CHECK:         boost.all_reduce sum %{{.*}}, %{{.*}} on
  func.func @counter(%x: tensor<4xf32>, %y: tensor<16x4xf32>) -> (tensor<1x4xf32>, tensor<f32>, tensor<1x4xf32>) {
    %v = stablehlo.tanh %y : tensor<16x4xf32>
    %a = boost.all_reduce sum %x on @mesh axes = [0] : tensor<4xf32>
    %r = stablehlo.slice %v [0:1, 0:4] : (tensor<16x4xf32>) -> tensor<1x4xf32>
    %c = stablehlo.iota dim = 0 : tensor<16x4xf32>
    %p = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<4xf32>) -> tensor<16x4xf32>
    %s = stablehlo.dot_general %p, %c, contracting_dims = [0, 1] x [0, 1] : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<f32>
    %w = stablehlo.exponential %y : tensor<16x4xf32>
    %n = stablehlo.slice %w [0:1, 0:4] : (tensor<16x4xf32>) -> tensor<1x4xf32>
    %b = boost.all_reduce sum %n on @mesh axes = [0] : tensor<1x4xf32>
    return %r, %s, %b : tensor<1x4xf32>, tensor<f32>, tensor<1x4xf32>
  }

  // What is read for the last time makes room for what comes next, at once.
  // CHECK-LABEL: func @freed
  // CHECK:         stablehlo.exponential
  // CHECK:         boost.all_reduce sum %{{.*}}, %{{.*}} on
  // CHECK:         stablehlo.negate
  func.func @freed(%x: tensor<4xf32>, %y: tensor<16x4xf32>) -> (tensor<1x4xf32>, tensor<4xf32>, tensor<1x4xf32>) {
    %v = stablehlo.tanh %y : tensor<16x4xf32>
    %a = boost.all_reduce sum %x on @mesh axes = [0] : tensor<4xf32>
    %r = stablehlo.slice %v [0:1, 0:4] : (tensor<16x4xf32>) -> tensor<1x4xf32>
    %t = stablehlo.negate %a : tensor<4xf32>
    %w = stablehlo.exponential %y : tensor<16x4xf32>
    %n = stablehlo.slice %w [0:1, 0:4] : (tensor<16x4xf32>) -> tensor<1x4xf32>
    %b = boost.all_reduce sum %n on @mesh axes = [0] : tensor<1x4xf32>
    return %r, %t, %b : tensor<1x4xf32>, tensor<4xf32>, tensor<1x4xf32>
  }

  // The second sum is ready: both stand where the first one does, so that a wide value is freed as early as before.
  // CHECK-LABEL: func @earlier
  // CHECK:         stablehlo.tanh
  // CHECK:         boost.all_reduce sum %{{.*}}, %{{.*}} on
  // CHECK:         stablehlo.dot_general
  // CHECK:         stablehlo.exponential
  func.func @earlier(%x: tensor<4xf32>, %y: tensor<16x4xf32>, %z: tensor<4xf32>) -> (tensor<f32>, tensor<1x4xf32>, tensor<4xf32>) {
    %v = stablehlo.tanh %y : tensor<16x4xf32>
    %a = boost.all_reduce sum %x on @mesh axes = [0] : tensor<4xf32>
    %p = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<4xf32>) -> tensor<16x4xf32>
    %s = stablehlo.dot_general %p, %v, contracting_dims = [0, 1] x [0, 1] : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<f32>
    %w = stablehlo.exponential %y : tensor<16x4xf32>
    %n = stablehlo.slice %w [0:1, 0:4] : (tensor<16x4xf32>) -> tensor<1x4xf32>
    %b = boost.all_reduce sum %z on @mesh axes = [0] : tensor<4xf32>
    return %s, %n, %b : tensor<f32>, tensor<1x4xf32>, tensor<4xf32>
  }

  // As much more in use as the two send is allowed: %v in place of %r, 32 bytes.
  // CHECK-LABEL: func @at_the_limit
  // CHECK:         boost.all_reduce sum %{{.*}} on
  // CHECK-NOT:     boost.all_reduce
  // CHECK:         return
  func.func @at_the_limit(%x: tensor<4xf32>, %y: tensor<64x4xf32>, %z: tensor<9xf32>) -> (tensor<1xf32>, tensor<1x4xf32>) {
    %v = stablehlo.tanh %z : tensor<9xf32>
    %a = boost.all_reduce sum %x on @mesh axes = [0] : tensor<4xf32>
    %c = stablehlo.concatenate %a, %v, dim = 0 : (tensor<4xf32>, tensor<9xf32>) -> tensor<13xf32>
    %r = stablehlo.slice %c [0:1] : (tensor<13xf32>) -> tensor<1xf32>
    %w = stablehlo.exponential %y : tensor<64x4xf32>
    %n = stablehlo.slice %w [0:1, 0:4] : (tensor<64x4xf32>) -> tensor<1x4xf32>
    %b = boost.all_reduce sum %n on @mesh axes = [0] : tensor<1x4xf32>
    return %r, %b : tensor<1xf32>, tensor<1x4xf32>
  }

  // Four bytes more are not.
  // CHECK-LABEL: func @beyond_the_limit
  // CHECK:         boost.all_reduce sum %{{.*}} on
  // CHECK:         boost.all_reduce sum %{{.*}} on
  // CHECK:         return
  func.func @beyond_the_limit(%x: tensor<4xf32>, %y: tensor<64x4xf32>, %z: tensor<10xf32>) -> (tensor<1xf32>, tensor<1x4xf32>) {
    %v = stablehlo.tanh %z : tensor<10xf32>
    %a = boost.all_reduce sum %x on @mesh axes = [0] : tensor<4xf32>
    %c = stablehlo.concatenate %a, %v, dim = 0 : (tensor<4xf32>, tensor<10xf32>) -> tensor<14xf32>
    %r = stablehlo.slice %c [0:1] : (tensor<14xf32>) -> tensor<1xf32>
    %w = stablehlo.exponential %y : tensor<64x4xf32>
    %n = stablehlo.slice %w [0:1, 0:4] : (tensor<64x4xf32>) -> tensor<1x4xf32>
    %b = boost.all_reduce sum %n on @mesh axes = [0] : tensor<1x4xf32>
    return %r, %b : tensor<1xf32>, tensor<1x4xf32>
  }

  // Nor is one byte more: %v of 37 bytes in place of %r of 4.
  // CHECK-LABEL: func @one_byte_beyond_the_limit
  // CHECK:         boost.all_reduce sum %{{[0-9a-z]+}} on
  // CHECK:         boost.all_reduce sum %{{[0-9a-z]+}} on
  // CHECK:         return
  func.func @one_byte_beyond_the_limit(%x: tensor<16xi8>, %y: tensor<1024xi8>, %z: tensor<37xi8>) -> (tensor<4xi8>, tensor<16xi8>) {
    %v = stablehlo.negate %z : tensor<37xi8>
    %a = boost.all_reduce sum %x on @mesh axes = [0] : tensor<16xi8>
    %c = stablehlo.concatenate %a, %v, dim = 0 : (tensor<16xi8>, tensor<37xi8>) -> tensor<53xi8>
    %r = stablehlo.slice %c [0:4] : (tensor<53xi8>) -> tensor<4xi8>
    %w = stablehlo.negate %y : tensor<1024xi8>
    %n = stablehlo.slice %w [0:16] : (tensor<1024xi8>) -> tensor<16xi8>
    %b = boost.all_reduce sum %n on @mesh axes = [0] : tensor<16xi8>
    return %r, %b : tensor<4xi8>, tensor<16xi8>
  }
}
