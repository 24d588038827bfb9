// RUN: boost-opt %s -split-input-file -boost-differentiate | FileCheck %s

// Factors that need no gradient may meet at one place.

// CHECK-LABEL: func @gradient
// CHECK-SAME:    %{{.*}}: tensor<8xf32> {{{[^%]*}}, %[[I:.*]]: tensor<3x1xi32> {{{[^%]*}}, %[[U:.*]]: tensor<3xf32> {
// CHECK:         boost.phase backward
// CHECK:         %[[GA:.*]] = "stablehlo.scatter"(%{{.*}}, %[[I]], %[[U]])
// CHECK:           stablehlo.multiply
// CHECK-NOT:     "stablehlo.gather"
// CHECK:         return %{{.*}}, %[[GA]]
func.func @loss(%a: tensor<8xf32> {boost.tensor = #boost.tensor<param "a">}, %i: tensor<3x1xi32> {boost.tensor = #boost.tensor<batch "i">},
                %u: tensor<3xf32> {boost.tensor = #boost.tensor<batch "u">}) -> tensor<f32> {
  %y = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %p = stablehlo.multiply %l, %r : tensor<f32>
    stablehlo.return %p : tensor<f32>
  }) : (tensor<8xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<8xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  return %s : tensor<f32>
}

// -----

// What is overwritten has no gradient, whatever it is overwritten by.

// CHECK-LABEL: func @gradient
// CHECK-SAME:    %{{.*}}: tensor<8xf32> {{{[^%]*}}, %[[I:.*]]: tensor<3x1xi32> {
// CHECK:         boost.phase backward
// CHECK:         %[[ZEROS:.*]] = stablehlo.constant dense<0.0{{.*}}> : tensor<3xf32>
// CHECK:         %[[GA:.*]] = "stablehlo.scatter"(%{{.*}}, %[[I]], %[[ZEROS]])
// CHECK-NOT:     "stablehlo.gather"
// CHECK:         return %{{.*}}, %[[GA]]
func.func @loss(%a: tensor<8xf32> {boost.tensor = #boost.tensor<param "a">}, %i: tensor<3x1xi32> {boost.tensor = #boost.tensor<batch "i">},
                %u: tensor<3xf32> {boost.tensor = #boost.tensor<batch "u">}) -> tensor<f32> {
  %y = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    stablehlo.return %r : tensor<f32>
  }) : (tensor<8xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<8xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  return %s : tensor<f32>
}
