// RUN: boost-opt %s --pass-pipeline='builtin.module(convert-stablehlo-to-linalg,func.func(boostrt-fuse-elementwise),canonicalize,cse)' --split-input-file | FileCheck %s

// A chain with one user each, constants included, is one pass over memory.

// CHECK-LABEL: func.func @chain
func.func @chain(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // CHECK-COUNT-1: linalg.generic
  // CHECK: math.exp
  // CHECK: arith.mulf
  // CHECK-NOT: linalg.generic
  %half = stablehlo.constant dense<0.5> : tensor<4x8xf32>
  %0 = stablehlo.exponential %a : tensor<4x8xf32>
  %1 = stablehlo.multiply %0, %half : tensor<4x8xf32>
  %2 = stablehlo.add %1, %b : tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// -----

// Nothing costly is computed under a broadcast; cheap arithmetic is.

// CHECK-DAG: #[[$ROWS:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func.func @broadcast
// CHECK-SAME: %[[S:.*]]: tensor<4xf32>, %[[X:.*]]: tensor<4x8xf32>
func.func @broadcast(%s: tensor<4xf32>, %x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // CHECK: %[[R:.*]] = linalg.generic {{.*}} ins(%[[S]] :
  // CHECK: math.rsqrt
  // CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[$ROWS]], #{{.*}}]{{.*}} ins(%[[X]], %[[R]] :
  // CHECK-NOT: linalg.generic
  %0 = stablehlo.rsqrt %s : tensor<4xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<4xf32>) -> tensor<4x8xf32>
  %2 = stablehlo.multiply %x, %1 : tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// -----

// A mask is computed at each of its users, also under a broadcast.

// CHECK-LABEL: func.func @mask
func.func @mask(%a: tensor<8xf32>, %b: tensor<4x8xf32>) -> (tensor<8xf32>, tensor<4x8xf32>) {
  %i = stablehlo.iota dim = 0 : tensor<8xi32>
  %n = stablehlo.constant dense<4> : tensor<8xi32>
  %m = stablehlo.compare LT, %i, %n, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
  // CHECK: linalg.generic
  // CHECK: linalg.index 0
  // CHECK: arith.select
  %1 = stablehlo.exponential %a : tensor<8xf32>
  %2 = stablehlo.select %m, %1, %a : tensor<8xi1>, tensor<8xf32>
  // CHECK: linalg.generic
  // CHECK: linalg.index 1
  // CHECK: arith.select
  // CHECK-NOT: linalg.generic
  %3 = stablehlo.broadcast_in_dim %m, dims = [1] : (tensor<8xi1>) -> tensor<4x8xi1>
  %5 = stablehlo.exponential %b : tensor<4x8xf32>
  %6 = stablehlo.select %3, %b, %5 : tensor<4x8xi1>, tensor<4x8xf32>
  return %2, %6 : tensor<8xf32>, tensor<4x8xf32>
}

// -----

// The input of a reduction is computed in it; its output is memory.

// CHECK-LABEL: func.func @reduction
func.func @reduction(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  // CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
  // CHECK: arith.mulf
  // CHECK: arith.addf
  %0 = stablehlo.multiply %a, %a : tensor<4x8xf32>
  %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [1]
      : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  // CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
  // CHECK-NOT: linalg.generic
  %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<4xf32>) -> tensor<4x8xf32>
  %3 = stablehlo.subtract %a, %2 : tensor<4x8xf32>
  return %3 : tensor<4x8xf32>
}

// -----

// A transpose that a runtime call needs in memory is not read twice.

// CHECK-LABEL: func.func @transpose
func.func @transpose(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %n: tensor<f32>)
    -> (tensor<8x4xf32>, tensor<f32>) {
  // CHECK: %[[T:.*]] = linalg.generic
  // CHECK: boostrt.sum_of_squares ins(%[[T]] :
  // CHECK: linalg.generic {{.*}} ins(%[[T]], %{{.*}} :
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  %1 = boostrt.sum_of_squares ins(%0 : tensor<8x4xf32>) outs(%n : tensor<f32>) -> tensor<f32>
  %2 = stablehlo.add %0, %b : tensor<8x4xf32>
  return %2, %1 : tensor<8x4xf32>, tensor<f32>
}

// -----

// A value that is kept beside its first use: one pass writes both. The second
// user comes after a call that needs the first one.

// CHECK-LABEL: func.func @kept
// CHECK-SAME: %[[A:.*]]: tensor<4x8xf32>, %[[B:.*]]: tensor<4x8xf32>
func.func @kept(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>, %n: tensor<f32>)
    -> (tensor<f32>, tensor<4x8xf32>) {
  // CHECK: %[[R:.*]]:2 = linalg.generic {{.*}} ins(%[[A]] : tensor<4x8xf32>) outs(
  // CHECK: %[[E:.*]] = math.exp
  // CHECK: %[[M:.*]] = arith.mulf %{{.*}}, %[[E]]
  // CHECK: linalg.yield
  // CHECK: boostrt.sum_of_squares
  // CHECK: linalg.generic {{.*}} ins(%[[R]]#{{[01]}}, %[[B]] :
  // CHECK-NOT: linalg.generic
  %0 = stablehlo.exponential %a : tensor<4x8xf32>
  %1 = stablehlo.multiply %a, %0 : tensor<4x8xf32>
  %2 = boostrt.sum_of_squares ins(%1 : tensor<4x8xf32>) outs(%n : tensor<f32>) -> tensor<f32>
  %3 = stablehlo.subtract %0, %b : tensor<4x8xf32>
  return %2, %3 : tensor<f32>, tensor<4x8xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#transposed = affine_map<(d0, d1) -> (d1, d0)>

// The first user reads the value in two ways: only one of them is element by
// element, so the value must be in memory before.

// CHECK-LABEL: func.func @twice
func.func @twice(%a: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  // CHECK: %[[P:.*]] = linalg.generic
  // CHECK: math.exp
  // CHECK: linalg.generic {{.*}} ins(%[[P]], %[[P]] :
  // CHECK-NOT: math.exp
  // CHECK: return
  %e = tensor.empty() : tensor<4x4xf32>
  %p = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %0 = math.exp %x : f32
    linalg.yield %0 : f32
  } -> tensor<4x4xf32>
  %c = linalg.generic {indexing_maps = [#id, #transposed, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %p : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %0 = arith.addf %x, %y : f32
    linalg.yield %0 : f32
  } -> tensor<4x4xf32>
  return %p, %c : tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

// What adds to what is there stays a pass of its own: with the loop over the
// bytes it would add up as often.

// CHECK-LABEL: func.func @accumulated
func.func @accumulated(%a: tensor<7xi64>) -> tensor<7x7x8xi8> {
  // CHECK: arith.addi
  // CHECK: linalg.yield
  // CHECK: linalg.generic
  // CHECK-NOT: arith.addi
  // CHECK: arith.shrui
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [] x [] : (tensor<7xi64>, tensor<7xi64>) -> tensor<7x7xi64>
  %1 = stablehlo.bitcast_convert %0 : (tensor<7x7xi64>) -> tensor<7x7x8xi8>
  return %1 : tensor<7x7x8xi8>
}
