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

// -----

// The gradient of what is added to is that of the sum.

// CHECK-LABEL: func @gradient
// CHECK:         boost.phase backward
// CHECK-NEXT:    %[[ONE:.*]] = stablehlo.constant dense<1.0{{.*}}> : tensor<f32>
// CHECK-NEXT:    %[[ONES:.*]] = stablehlo.broadcast_in_dim %[[ONE]], dims = [] : (tensor<f32>) -> tensor<8xf32>
// CHECK-NEXT:    return %{{.*}}, %[[ONES]]
func.func @loss(%a: tensor<8xf32> {boost.tensor = #boost.tensor<param "a">}, %i: tensor<3x1xi32> {boost.tensor = #boost.tensor<batch "i">},
                %u: tensor<3xf32> {boost.tensor = #boost.tensor<batch "u">}) -> tensor<f32> {
  %y = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %p = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %p : tensor<f32>
  }) : (tensor<8xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<8xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  return %s : tensor<f32>
}

// -----

// Where the updates alone are parameters, nothing is written again.

// CHECK-LABEL: func @gradient
// CHECK:         boost.phase backward
// CHECK-NOT:     "stablehlo.scatter"
// CHECK:         %[[GU:.*]] = "stablehlo.gather"
// CHECK-NEXT:    return %{{.*}}, %[[GU]]
func.func @loss(%a: tensor<8xf32> {boost.tensor = #boost.tensor<batch "a">}, %i: tensor<3x1xi32> {boost.tensor = #boost.tensor<batch "i">},
                %u: tensor<3xf32> {boost.tensor = #boost.tensor<param "u">}) -> tensor<f32> {
  %y = "stablehlo.scatter"(%a, %i, %u) <{unique_indices = true, scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    stablehlo.return %r : tensor<f32>
  }) : (tensor<8xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<8xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  return %s : tensor<f32>
}

// -----

// CHECK-LABEL: func @gradient
// CHECK:         boost.phase backward
// CHECK-NOT:     "stablehlo.scatter"
// CHECK:         %[[GU:.*]] = "stablehlo.gather"
// CHECK-NEXT:    return %{{.*}}, %[[GU]]
func.func @loss(%a: tensor<8xf32> {boost.tensor = #boost.tensor<batch "a">}, %i: tensor<3x1xi32> {boost.tensor = #boost.tensor<batch "i">},
                %u: tensor<3xf32> {boost.tensor = #boost.tensor<param "u">}) -> tensor<f32> {
  %y = "stablehlo.scatter"(%a, %i, %u) <{unique_indices = true, scatter_dimension_numbers = #stablehlo.scatter<
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

// Margins of zeros as large as the window, which differs by dimension: the first component of an
// index is a place in dimension 1.

// CHECK-LABEL: func @gradient
// CHECK:         boost.phase backward
// CHECK:         %[[P:.*]] = stablehlo.pad %{{.*}}, low = [2, 3], high = [2, 3], interior = [0, 0] : {{.*}} -> tensor<9x12xf32>
// CHECK:         %[[I:.*]] = stablehlo.convert %{{.*}} : (tensor<4x2xi32>) -> tensor<4x2xi64>
// CHECK-NEXT:    %[[C:.*]] = stablehlo.constant dense<[3, 2]> : tensor<2xi64>
// CHECK-NEXT:    %[[B:.*]] = stablehlo.broadcast_in_dim %[[C]], dims = [1] : (tensor<2xi64>) -> tensor<4x2xi64>
// CHECK-NEXT:    %[[S:.*]] = stablehlo.add %[[I]], %[[B]]
// CHECK-NEXT:    %[[G:.*]] = "stablehlo.gather"(%[[P]], %[[S]])
// CHECK:         return %{{.*}}, %[[G]]
func.func @loss(%a: tensor<5x6xf32> {boost.tensor = #boost.tensor<batch "a">}, %i: tensor<4x2xi32> {boost.tensor = #boost.tensor<batch "i">},
                %u: tensor<4x2x3xf32> {boost.tensor = #boost.tensor<param "u">}) -> tensor<f32> {
  %y = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [1, 2], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 1>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %p = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %p : tensor<f32>
  }) : (tensor<5x6xf32>, tensor<4x2xi32>, tensor<4x2x3xf32>) -> tensor<5x6xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<5x6xf32>, tensor<f32>) -> tensor<f32>
  return %s : tensor<f32>
}

// -----

// Indices of one component, which has no dimension of its own.

// CHECK-LABEL: func @gradient
// CHECK:         boost.phase backward
// CHECK:         %[[P:.*]] = stablehlo.pad %{{.*}}, low = [1], high = [1], interior = [0]
// CHECK:         %[[I:.*]] = stablehlo.convert %{{.*}} : (tensor<3xi32>) -> tensor<3xi64>
// CHECK-NEXT:    %[[C:.*]] = stablehlo.constant dense<1> : tensor<3xi64>
// CHECK-NEXT:    %[[S:.*]] = stablehlo.add %[[I]], %[[C]]
// CHECK-NEXT:    %[[G:.*]] = "stablehlo.gather"(%[[P]], %[[S]])
// CHECK:         return %{{.*}}, %[[G]]
func.func @loss(%a: tensor<8xf32> {boost.tensor = #boost.tensor<batch "a">}, %i: tensor<3xi32> {boost.tensor = #boost.tensor<batch "i">},
                %u: tensor<3xf32> {boost.tensor = #boost.tensor<param "u">}) -> tensor<f32> {
  %y = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %p = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %p : tensor<f32>
  }) : (tensor<8xf32>, tensor<3xi32>, tensor<3xf32>) -> tensor<8xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  return %s : tensor<f32>
}

// -----

// A maximum shares its gradient between the updates and the input that attain it.

// CHECK-LABEL: func @gradient
// CHECK-SAME:    %[[A:.*]]: tensor<8xbf16> {{{[^%]*}}, %[[I:.*]]: tensor<3x1xi32> {{{[^%]*}}, %[[U:.*]]: tensor<3xbf16> {
// CHECK:         boost.phase backward
// CHECK:         %[[KEPT:.*]] = stablehlo.compare EQ, %[[A]], %{{.*}} : (tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xi1>
// CHECK:         %[[TAKEN:.*]] = stablehlo.compare EQ, %[[U]], %{{.*}} : (tensor<3xbf16>, tensor<3xbf16>) -> tensor<3xi1>
// CHECK:         %[[ONE:.*]] = stablehlo.convert %[[KEPT]] : (tensor<8xi1>) -> tensor<8xf32>
// CHECK:         %[[ONES:.*]] = stablehlo.convert %[[TAKEN]] : (tensor<3xi1>) -> tensor<3xf32>
// CHECK:         %[[OTHERS:.*]] = "stablehlo.scatter"(%{{.*}}, %[[I]], %[[ONES]])
// CHECK:           stablehlo.add
// CHECK:         stablehlo.add %[[ONE]], %[[OTHERS]] : tensor<8xf32>
// CHECK:         %[[SHARE:.*]] = stablehlo.divide %{{.*}} : tensor<8xbf16>
// CHECK:         %[[GA:.*]] = stablehlo.select %[[KEPT]], %[[SHARE]]
// CHECK:         %[[GU:.*]] = stablehlo.select %[[TAKEN]]
// CHECK:         return %{{.*}}, %[[GA]], %[[GU]]
func.func @loss(%a: tensor<8xbf16> {boost.tensor = #boost.tensor<param "a">}, %i: tensor<3x1xi32> {boost.tensor = #boost.tensor<batch "i">},
                %u: tensor<3xbf16> {boost.tensor = #boost.tensor<param "u">}) -> tensor<bf16> {
  %y = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%l: tensor<bf16>, %r: tensor<bf16>):
    %p = stablehlo.maximum %l, %r : tensor<bf16>
    stablehlo.return %p : tensor<bf16>
  }) : (tensor<8xbf16>, tensor<3x1xi32>, tensor<3xbf16>) -> tensor<8xbf16>
  %zero = stablehlo.constant dense<0.0> : tensor<bf16>
  %s = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8xbf16>, tensor<bf16>) -> tensor<bf16>
  return %s : tensor<bf16>
}
