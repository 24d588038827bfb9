// RUN: boost-opt %s --boost-differentiate --split-input-file | FileCheck %s
// Gradients of windows and sorts move values back to where they came from.

// A cumulative sum turns around.
// CHECK-LABEL: func.func @gradient
// CHECK:         "stablehlo.reduce_window"
// CHECK:         "stablehlo.reduce_window"
// CHECK-SAME:      padding = dense<{{\[\[}}0, 3]]> : tensor<1x2xi64>
// CHECK-SAME:      window_dimensions = array<i64: 4>
// CHECK-NOT:     "stablehlo.scatter"
func.func @loss(%x: tensor<4xf32> {boost.tensor = #boost.tensor<param "x">}) -> (tensor<f32> {boost.tensor = #boost.tensor<loss "loss">}) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %zero) <{padding = dense<[[3, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 4>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.multiply %0, %0 : tensor<4xf32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %2 : tensor<f32>
}

// -----

// The same sort of the places says where the gradient goes. A result without
// a gradient asks for nothing.
// CHECK-LABEL: func.func @gradient
// CHECK:         %[[I:.*]] = stablehlo.iota dim = 0 : tensor<4xi32>
// CHECK:         %[[S:.*]]:3 = "stablehlo.sort"(%{{.*}}, %{{.*}}, %[[I]]) <{dimension = 0 : i64, is_stable = true}>
// CHECK:         %[[P:.*]] = stablehlo.reshape %[[S]]#2
// CHECK:         "stablehlo.scatter"(%{{.*}}, %[[P]], %{{.*}})
// CHECK-NOT:     "stablehlo.scatter"
func.func @loss(%x: tensor<4xf32> {boost.tensor = #boost.tensor<param "x">}, %k: tensor<4xi32> {boost.tensor = #boost.tensor<batch "k">}) -> (tensor<f32> {boost.tensor = #boost.tensor<loss "loss">}) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0:2 = "stablehlo.sort"(%k, %x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<f32>):
    %p = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<4xi32>, tensor<4xf32>) -> (tensor<4xi32>, tensor<4xf32>)
  %1 = stablehlo.multiply %0#1, %0#1 : tensor<4xf32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %2 : tensor<f32>
}

// -----

// A maximum over windows of a picture counts places along both dimensions.
// CHECK-LABEL: func.func @gradient
// CHECK-DAG:     %[[ROW:.*]] = stablehlo.iota dim = 1 : tensor<2x4x6xi32>
// CHECK-DAG:     %[[COLUMN:.*]] = stablehlo.iota dim = 2 : tensor<2x4x6xi32>
// CHECK-DAG:     %[[BEGIN:.*]] = stablehlo.multiply %[[ROW]], %{{.*}}
// CHECK:         %[[PLACE:.*]] = stablehlo.add %[[BEGIN]], %[[COLUMN]]
// CHECK:         %[[C:.*]]:2 = "stablehlo.reduce_window"(%{{.*}}, %[[PLACE]], %{{.*}}, %{{.*}})
// CHECK:         stablehlo.reshape %[[C]]#1 : (tensor<2x2x3xi32>) -> tensor<2x6xi32>
// CHECK:         %[[S:.*]] = "stablehlo.scatter"
// CHECK-SAME:      inserted_window_dims = [1], input_batching_dims = [0]
// CHECK:         stablehlo.reshape %[[S]] : (tensor<2x24xf32>) -> tensor<2x4x6xf32>
func.func @loss(%x: tensor<2x4x6xf32> {boost.tensor = #boost.tensor<param "x">}) -> (tensor<f32> {boost.tensor = #boost.tensor<loss "loss">}) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %low) <{window_dimensions = array<i64: 1, 2, 2>, window_strides = array<i64: 1, 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x4x6xf32>, tensor<f32>) -> tensor<2x2x3xf32>
  %1 = stablehlo.multiply %0, %0 : tensor<2x2x3xf32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x2x3xf32>, tensor<f32>) -> tensor<f32>
  return %2 : tensor<f32>
}
