// RUN: boost-opt %s -boostrt-merge-equal-operations | FileCheck %s

// Kernels are the same if their operands and their bodies are; what tells bodies
// apart is not left behind.

#id = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func @bodies
// CHECK-NOT:     boostrt.body
// CHECK:         %[[TWICE:.*]] = linalg.generic
// CHECK:           arith.mulf %{{.*}}, %[[TWO:.*]] : f32
// CHECK:         %[[SIXFOLD:.*]] = linalg.generic
// CHECK:         %[[SUM:.*]] = linalg.generic
// CHECK:           arith.addf
// CHECK:         return %[[TWICE]], %[[TWICE]], %[[SIXFOLD]], %[[SUM]] :
func.func @bodies(%x: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %two = arith.constant 2.0 : f32
  %six = arith.constant 6.0 : f32
  %empty = tensor.empty() : tensor<4xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%empty : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %p = arith.mulf %in, %two : f32
    linalg.yield %p : f32
  } -> tensor<4xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%empty : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %p = arith.mulf %in, %two : f32
    linalg.yield %p : f32
  } -> tensor<4xf32>
  %c = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%empty : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %p = arith.mulf %in, %six : f32
    linalg.yield %p : f32
  } -> tensor<4xf32>
  %d = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%empty : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %p = arith.addf %in, %two : f32
    linalg.yield %p : f32
  } -> tensor<4xf32>
  return %a, %b, %c, %d : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// Initial values that are the same operation are merged, as by `cse`.

// CHECK-LABEL: func @others
// CHECK-COUNT-1: tensor.empty
// CHECK-NOT:     tensor.empty
func.func @others(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = tensor.empty() : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// Operations are equal whether or not one computes for the second time; the mark
// stays on those that are left.

// CHECK-LABEL: func @recomputed
// CHECK-NOT:     math.exp
// CHECK:         %[[EXP:.*]] = math.exp %{{.*}} : tensor
// CHECK-NOT:     math.exp
// CHECK:         %[[SIN:.*]] = math.sin %{{.*}} {boost.recomputed} : tensor
// CHECK:         return %[[EXP]], %[[EXP]], %[[SIN]] :
func.func @recomputed(%x: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = math.exp %x : tensor<4xf32>
  %1 = math.exp %x {boost.recomputed} : tensor<4xf32>
  %2 = math.sin %x {boost.recomputed} : tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
