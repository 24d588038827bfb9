// RUN: boost-opt %s --boostrt-bufferize --split-input-file | FileCheck %s
// What a call keeps for a later one is a named tensor that both have.

#id = affine_map<(d0) -> (d0)>

// A kept value is computed where it is kept; what is not an argument of that name becomes one.

// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %[[X:.*]]: memref<4xf32> {boost.tensor = #boost.tensor<batch "x">}, %[[H:.*]]: memref<4xf32> {boost.tensor = #boost.tensor<kept "h">})
// CHECK-SAME:    boost.inputs = ["x"], boost.outputs = ["h"], {{.*}}boostrt.results = [array<i64: 1, 1>]
// CHECK-NOT:     memref.alloc
// CHECK:         linalg.generic {{.*}} ins(%[[X]] : memref<4xf32>) outs(%[[H]] : memref<4xf32>)
// CHECK-NOT:     boostrt.copy
func.func @forward(%x: tensor<4xf32> {boost.tensor = #boost.tensor<batch "x">})
    -> (tensor<4xf32> {boost.tensor = #boost.tensor<kept "h">}) attributes {boost.stage = 0 : i64} {
  %empty = tensor.empty() : tensor<4xf32>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%empty : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.exp %in : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  return %h : tensor<4xf32>
}
// CHECK-LABEL: func.func @backward(
// CHECK-SAME:    %[[H:.*]]: memref<4xf32> {boost.tensor = #boost.tensor<kept "h">}, %[[D:.*]]: memref<4xf32> {boost.tensor = #boost.tensor<kept "d">})
// CHECK-SAME:    boost.inputs = ["h"], boost.outputs = ["d"]
// CHECK:         linalg.generic {{.*}} ins(%[[H]] : memref<4xf32>) outs(%[[D]] : memref<4xf32>)
func.func @backward(%h: tensor<4xf32> {boost.tensor = #boost.tensor<kept "h">})
    -> (tensor<4xf32> {boost.tensor = #boost.tensor<kept "d">}) attributes {boost.stage = 0 : i64} {
  %empty = tensor.empty() : tensor<4xf32>
  %d = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%h : tensor<4xf32>) outs(%empty : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %in : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  return %d : tensor<4xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>

// A value that is kept twice, or under two roles, is copied; one is computed in its place.

// CHECK-LABEL: func.func @twice(
// CHECK-SAME:    %[[X:.*]]: memref<4xf32> {{{.*}}}, %[[H:.*]]: memref<4xf32> {boost.tensor = #boost.tensor<kept "h">}, %[[K:.*]]: memref<4xf32> {boost.tensor = #boost.tensor<kept "k">}, %[[L:.*]]: memref<4xf32> {boost.tensor = #boost.tensor<output "l">})
// CHECK-SAME:    boostrt.results = [array<i64: 1, 1>, array<i64: 2, 1>, array<i64: 3, 1>]
// CHECK:         linalg.generic {{.*}} ins(%[[X]] : memref<4xf32>) outs(%[[FIRST:.*]] : memref<4xf32>)
// CHECK-COUNT-2: boostrt.copy ins(%[[FIRST]] : memref<4xf32>)
// CHECK-NOT:     boostrt.copy
func.func @twice(%x: tensor<4xf32> {boost.tensor = #boost.tensor<batch "x">})
    -> (tensor<4xf32> {boost.tensor = #boost.tensor<kept "h">}, tensor<4xf32> {boost.tensor = #boost.tensor<kept "k">},
        tensor<4xf32> {boost.tensor = #boost.tensor<output "l">}) attributes {boost.stage = 0 : i64} {
  %empty = tensor.empty() : tensor<4xf32>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%empty : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.exp %in : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  return %h, %h, %h : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// Arguments that are kept are copied: a batch under another name, a kept value under the name of another one, which is
// read before it is overwritten. What is kept under its own name stays where it is.

// CHECK-LABEL: func.func @arguments(
// CHECK-SAME:    %[[X:.*]]: memref<4xf32> {boost.tensor = #boost.tensor<batch "x">}, %[[H:.*]]: memref<4xf32> {boost.tensor = #boost.tensor<kept "h">}, %[[K:.*]]: memref<4xf32> {boost.tensor = #boost.tensor<kept "k">}, %[[M:.*]]: memref<4xf32> {boost.tensor = #boost.tensor<kept "m">}, %[[C:.*]]: memref<4xf32> {boost.tensor = #boost.tensor<kept "c">})
// CHECK-SAME:    boostrt.results = [array<i64: 1, 2>, array<i64: 2, 1>, array<i64: 3, 3>, array<i64: 4, 0>]
// CHECK:         %[[T:.*]] = memref.alloc
// CHECK:         boostrt.copy ins(%[[K]] : memref<4xf32>) outs(%[[T]] : memref<4xf32>)
// CHECK:         %[[S:.*]] = memref.alloc
// CHECK:         boostrt.copy ins(%[[H]] : memref<4xf32>) outs(%[[S]] : memref<4xf32>)
// CHECK-NEXT:    boostrt.copy ins(%[[T]] : memref<4xf32>) outs(%[[H]] : memref<4xf32>)
// CHECK-NEXT:    boostrt.copy ins(%[[S]] : memref<4xf32>) outs(%[[K]] : memref<4xf32>)
// CHECK-NEXT:    boostrt.copy ins(%[[X]] : memref<4xf32>) outs(%[[C]] : memref<4xf32>)
// CHECK-NEXT:    return
func.func @arguments(
    %x: tensor<4xf32> {boost.tensor = #boost.tensor<batch "x">}, %h: tensor<4xf32> {boost.tensor = #boost.tensor<kept "h">},
    %k: tensor<4xf32> {boost.tensor = #boost.tensor<kept "k">}, %m: tensor<4xf32> {boost.tensor = #boost.tensor<kept "m">})
    -> (tensor<4xf32> {boost.tensor = #boost.tensor<kept "h">}, tensor<4xf32> {boost.tensor = #boost.tensor<kept "k">},
        tensor<4xf32> {boost.tensor = #boost.tensor<kept "m">}, tensor<4xf32> {boost.tensor = #boost.tensor<kept "c">})
    attributes {boost.stage = 0 : i64} {
  return %k, %h, %m, %x : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
