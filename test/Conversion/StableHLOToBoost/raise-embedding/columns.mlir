// RUN: boost-opt %s --boost-raise-embedding -o %t
// RUN: FileCheck %s < %t
// RUN: boost-eval --compare --every-function %s %t
// Rows that are given by two columns, as of a mapped `table[i]`.

// CHECK-LABEL: func @two_columns
// CHECK-SAME:    %[[T:.*]]: tensor<8x4xf32> {{.*}}, %[[I:.*]]: tensor<2x3xi32>
// CHECK-NEXT:    %[[R:.*]] = boost.embedding %[[T]], %[[I]] : (tensor<8x4xf32>, tensor<2x3xi32>) -> tensor<2x3x4xf32>
// CHECK-NEXT:    stablehlo.reshape %[[R]]
func.func @two_columns(%t: tensor<8x4xf32> {boost.tensor = #boost.tensor<param "t">},
                       %i: tensor<2x3xi32> {boost.tensor = #boost.tensor<batch "i">}) -> tensor<2x3x1x4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<2x3x1xi32>
  %c = stablehlo.reshape %i : (tensor<2x3xi32>) -> tensor<2x3x1xi32>
  %p = stablehlo.concatenate %c, %zero, dim = 2 : (tensor<2x3x1xi32>, tensor<2x3x1xi32>) -> tensor<2x3x2xi32>
  %y = "stablehlo.gather"(%t, %p) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3],
      start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 4>}>
      : (tensor<8x4xf32>, tensor<2x3x2xi32>) -> tensor<2x3x1x4xf32>
  return %y : tensor<2x3x1x4xf32>
}

// Parts of rows are no rows.
// CHECK-LABEL: func @parts
// CHECK:         "stablehlo.gather"
func.func @parts(%t: tensor<8x4xf32> {boost.tensor = #boost.tensor<param "t">},
                 %p: tensor<3x2xi32>) -> tensor<3x1x2xf32> {
  %y = "stablehlo.gather"(%t, %p) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2],
      start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}>
      : (tensor<8x4xf32>, tensor<3x2xi32>) -> tensor<3x1x2xf32>
  return %y : tensor<3x1x2xf32>
}
