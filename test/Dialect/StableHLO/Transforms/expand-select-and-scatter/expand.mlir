// RUN: boost-opt %s --boost-expand-select-and-scatter | FileCheck %s --implicit-check-not=stablehlo.select_and_scatter
// RUN: boost-opt %s -boost-expand-select-and-scatter -o %t.values && boost-eval --compare --every-function %s %t.values
// Places are chosen in windows and scattered to.

// Windows over neighbors count their places in one dimension.
// CHECK-LABEL: func @picture
// CHECK-SAME:    %[[X:.*]]: tensor<2x4x6x3xf32>, %[[S:.*]]: tensor<2x2x3x3xf32>, %[[Z:.*]]: tensor<f32>
// CHECK-DAG:     %[[COLUMN:.*]] = stablehlo.iota dim = 2 : tensor<2x4x6x3xi32>
// CHECK-DAG:     %[[ROW:.*]] = stablehlo.iota dim = 1 : tensor<2x4x6x3xi32>
// CHECK-DAG:     %[[SIX:.*]] = stablehlo.constant dense<6> : tensor<2x4x6x3xi32>
// CHECK-DAG:     %[[BEGIN:.*]] = stablehlo.multiply %[[ROW]], %[[SIX]]
// CHECK:         %[[PLACE:.*]] = stablehlo.add %[[BEGIN]], %[[COLUMN]]
// CHECK:         %[[NONE:.*]] = stablehlo.constant dense<-1> : tensor<i32>
// CHECK:         %[[C:.*]]:2 = "stablehlo.reduce_window"(%[[X]], %[[PLACE]], %{{.*}}, %[[NONE]])
// CHECK:           stablehlo.compare GE
// CHECK:         %[[FLAT:.*]] = stablehlo.reshape %[[C]]#1 : (tensor<2x2x3x3xi32>) -> tensor<2x6x3xi32>
// CHECK:         %[[ONTO:.*]] = stablehlo.broadcast_in_dim %[[Z]], dims = [] : (tensor<f32>) -> tensor<2x24x3xf32>
// CHECK:         %[[R:.*]] = "stablehlo.scatter"(%[[ONTO]], %{{.*}}, %{{.*}}) <{
// CHECK-SAME:      inserted_window_dims = [1], input_batching_dims = [0, 2]
// CHECK:           stablehlo.add
// CHECK:         stablehlo.reshape %[[R]] : (tensor<2x24x3xf32>) -> tensor<2x4x6x3xf32>
func.func @picture(%x: tensor<2x4x6x3xf32>, %s: tensor<2x2x3x3xf32>, %z: tensor<f32>) -> tensor<2x4x6x3xf32> {
  %0 = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %t = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %t : tensor<f32>
  }) : (tensor<2x4x6x3xf32>, tensor<2x2x3x3xf32>, tensor<f32>) -> tensor<2x4x6x3xf32>
  return %0 : tensor<2x4x6x3xf32>
}

// CHECK-LABEL: func @keeps_windows
// CHECK-NEXT:    "stablehlo.reduce_window"
func.func @keeps_windows(%x: tensor<4xf32>, %z: tensor<f32>) -> tensor<3xf32> {
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %t = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %t : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
