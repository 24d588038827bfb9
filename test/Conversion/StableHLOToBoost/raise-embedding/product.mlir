// RUN: boost-opt %s --boost-raise-embedding -o %t
// RUN: FileCheck %s < %t
// RUN: boost-eval --compare --every-function %s %t
// Few rows of a product are looked up in its first factor.

// CHECK-LABEL: func @few
// CHECK-SAME:    %[[T:.*]]: tensor<8x2xf32> {{.*}}, %[[P:.*]]: tensor<2x4xf32> {{.*}}, %[[I:.*]]: tensor<2x3xi32>
// CHECK-NEXT:    %[[R:.*]] = boost.embedding %[[T]], %[[I]] : (tensor<8x2xf32>, tensor<2x3xi32>) -> tensor<2x3x2xf32>
// CHECK-NEXT:    stablehlo.dot_general %[[R]], %[[P]], contracting_dims = [2] x [0]
func.func @few(%t: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "t">},
               %p: tensor<2x4xf32> {boost.tensor = #boost.tensor<param "p">},
               %i: tensor<2x3xi32> {boost.tensor = #boost.tensor<batch "i">}) -> tensor<2x3x4xf32> {
  %w = stablehlo.dot_general %t, %p, contracting_dims = [1] x [0] : (tensor<8x2xf32>, tensor<2x4xf32>) -> tensor<8x4xf32>
  %y = "stablehlo.gather"(%w, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2],
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 4>}>
      : (tensor<8x4xf32>, tensor<2x3xi32>) -> tensor<2x3x4xf32>
  return %y : tensor<2x3x4xf32>
}

// CHECK-LABEL: func @transposed
// CHECK:         %[[T:.*]] = stablehlo.transpose %arg0, dims = [1, 0]
// CHECK:         %[[R:.*]] = boost.embedding %[[T]], %arg2
// CHECK-NEXT:    stablehlo.dot_general %[[R]], %arg1, contracting_dims = [1] x [1]
func.func @transposed(%t: tensor<2x8xf32> {boost.tensor = #boost.tensor<param "t">},
                      %p: tensor<4x2xf32> {boost.tensor = #boost.tensor<param "p">},
                      %i: tensor<3xi32> {boost.tensor = #boost.tensor<batch "i">}) -> tensor<3x4xf32> {
  %w = stablehlo.dot_general %t, %p, contracting_dims = [0] x [1] : (tensor<2x8xf32>, tensor<4x2xf32>) -> tensor<8x4xf32>
  %y = "stablehlo.gather"(%w, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}>
      : (tensor<8x4xf32>, tensor<3xi32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// As many rows as the product has are looked up in the product.
// CHECK-LABEL: func @many
// CHECK:         %[[W:.*]] = stablehlo.dot_general %arg0, %arg1
// CHECK:         boost.embedding %[[W]], %arg2
func.func @many(%t: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "t">},
                %p: tensor<2x4xf32> {boost.tensor = #boost.tensor<param "p">},
                %i: tensor<8xi32> {boost.tensor = #boost.tensor<batch "i">}) -> tensor<8x4xf32> {
  %w = stablehlo.dot_general %t, %p, contracting_dims = [1] x [0] : (tensor<8x2xf32>, tensor<2x4xf32>) -> tensor<8x4xf32>
  %y = "stablehlo.gather"(%w, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}>
      : (tensor<8x4xf32>, tensor<8xi32>) -> tensor<8x4xf32>
  return %y : tensor<8x4xf32>
}
