// RUN: boost-opt %s -split-input-file -boost-differentiate | FileCheck %s

// A gather clamps its indices and a scatter skips those outside: the gradient
// clamps first. bf16 is added up in f32.

// CHECK-LABEL: func @gradient
// CHECK-SAME:    %{{.*}}: tensor<5x3xbf16> {{{[^%]*}}, %[[I:.*]]: tensor<4x1xi32> {
// CHECK:         boost.phase backward
// CHECK-DAG:     %[[LOW:.*]] = stablehlo.constant dense<0> : tensor<i32>
// CHECK-DAG:     %[[HIGH:.*]] = stablehlo.constant dense<4> : tensor<i32>
// CHECK:         %[[CLAMPED:.*]] = stablehlo.clamp %[[LOW]], %[[I]], %[[HIGH]]
// CHECK:         %[[ZEROS:.*]] = stablehlo.constant dense<0.0{{.*}}> : tensor<5x3xf32>
// CHECK:         %[[UPDATES:.*]] = stablehlo.convert %{{.*}} : (tensor<4x3xbf16>) -> tensor<4x3xf32>
// CHECK:         %[[SUM:.*]] = "stablehlo.scatter"(%[[ZEROS]], %[[CLAMPED]], %[[UPDATES]])
// CHECK-SAME:      update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1
// CHECK:           stablehlo.add
// CHECK:         stablehlo.convert %[[SUM]] : (tensor<5x3xf32>) -> tensor<5x3xbf16>
func.func @loss(%a: tensor<5x3xbf16> {boost.tensor = #boost.tensor<param "a">},
                %i: tensor<4x1xi32> {boost.tensor = #boost.tensor<batch "i">}) -> tensor<bf16> {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
      slice_sizes = array<i64: 1, 3>}> : (tensor<5x3xbf16>, tensor<4x1xi32>) -> tensor<4x3xbf16>
  %zero = stablehlo.constant dense<0.0> : tensor<bf16>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 1]
      : (tensor<4x3xbf16>, tensor<bf16>) -> tensor<bf16>
  return %1 : tensor<bf16>
}

// -----

// A layer taken from stacked parameters puts its gradient back in its place.

// CHECK-LABEL: func @gradient
// CHECK-SAME:    %{{.*}}: tensor<6x4xf32> {{{[^%]*}}, %[[I:.*]]: tensor<i32> {
// CHECK:         boost.phase backward
// CHECK:         %[[G:.*]] = stablehlo.broadcast_in_dim {{.*}} -> tensor<1x4xf32>
// CHECK:         %[[ZEROS:.*]] = stablehlo.constant dense<0.0{{.*}}> : tensor<6x4xf32>
// CHECK:         %[[GA:.*]] = stablehlo.dynamic_update_slice %[[ZEROS]], %[[G]], %[[I]], %[[I]]
// CHECK:         return %{{.*}}, %[[GA]]
func.func @loss(%a: tensor<6x4xf32> {boost.tensor = #boost.tensor<param "a">},
                %i: tensor<i32> {boost.tensor = #boost.tensor<batch "i">}) -> tensor<f32> {
  %0 = stablehlo.dynamic_slice %a, %i, %i, sizes = [1, 4]
      : (tensor<6x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 1]
      : (tensor<1x4xf32>, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
