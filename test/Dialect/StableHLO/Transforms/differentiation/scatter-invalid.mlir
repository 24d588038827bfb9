// RUN: boost-opt %s -split-input-file -boost-differentiate -verify-diagnostics
// Scatters without a gradient.

// Of factors that may meet at one place.
// expected-note @below {{parameter 'a' reaches the loss through it}}
func.func @loss(%a: tensor<8xf32> {boost.tensor = #boost.tensor<param "a">}, %i: tensor<3x1xi32> {boost.tensor = #boost.tensor<batch "i">},
                %u: tensor<3xf32> {boost.tensor = #boost.tensor<param "u">}) -> tensor<f32> {
  // expected-error @below {{has no gradient with respect to its factors unless 'unique_indices' promises that places are different}}
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

// expected-note @below {{parameter 'a' reaches the loss through it}}
func.func @loss(%a: tensor<8xf32> {boost.tensor = #boost.tensor<param "a">}, %i: tensor<3x1xi32> {boost.tensor = #boost.tensor<batch "i">},
                %u: tensor<3xf32> {boost.tensor = #boost.tensor<param "u">}) -> tensor<f32> {
  // expected-error @below {{has no gradient unless it writes, adds, multiplies, or takes the maximum or minimum of one tensor}}
  %y = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %p = stablehlo.subtract %l, %r : tensor<f32>
    stablehlo.return %p : tensor<f32>
  }) : (tensor<8xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<8xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  return %s : tensor<f32>
}

// -----

// What is there stays.
// expected-note @below {{parameter 'a' reaches the loss through it}}
func.func @loss(%a: tensor<8xf32> {boost.tensor = #boost.tensor<param "a">}, %i: tensor<3x1xi32> {boost.tensor = #boost.tensor<batch "i">},
                %u: tensor<3xf32> {boost.tensor = #boost.tensor<param "u">}) -> tensor<f32> {
  // expected-error @below {{has no gradient unless it writes, adds, multiplies, or takes the maximum or minimum of one tensor}}
  %y = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    stablehlo.return %l : tensor<f32>
  }) : (tensor<8xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<8xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  return %s : tensor<f32>
}
