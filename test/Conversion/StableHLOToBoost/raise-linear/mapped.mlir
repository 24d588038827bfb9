// RUN: boost-opt %s --boost-raise-linear -o %t
// RUN: FileCheck %s < %t
// RUN: boost-eval --compare --every-function %s %t
// `W @ x` mapped over a batch: transposes between such products cancel.

// CHECK-LABEL: func @two
// CHECK-SAME:    %[[X:.*]]: tensor<2x3x8xf32>, %[[A:.*]]: tensor<4x8xf32> {{.*}}, %[[B:.*]]: tensor<6x4xf32>
// CHECK-NEXT:    %[[H:.*]] = boost.linear %[[X]], %[[A]] transposed
// CHECK-NEXT:    %[[Y:.*]] = boost.linear %[[H]], %[[B]] transposed
// CHECK-NEXT:    %[[T:.*]] = stablehlo.transpose %[[Y]], dims = [2, 0, 1]
// CHECK-NEXT:    return %[[T]]
func.func @two(%x: tensor<2x3x8xf32>, %a: tensor<4x8xf32> {boost.tensor = #boost.tensor<param "a">},
               %b: tensor<6x4xf32> {boost.tensor = #boost.tensor<param "b">}) -> tensor<6x2x3xf32> {
  %h = stablehlo.dot_general %a, %x, contracting_dims = [1] x [2] : (tensor<4x8xf32>, tensor<2x3x8xf32>) -> tensor<4x2x3xf32>
  %y = stablehlo.dot_general %b, %h, contracting_dims = [1] x [0] : (tensor<6x4xf32>, tensor<4x2x3xf32>) -> tensor<6x2x3xf32>
  return %y : tensor<6x2x3xf32>
}

// An activation, of the same number everywhere and of what is not transposed.
// CHECK-LABEL: func @between
// CHECK:         %[[H:.*]] = boost.linear
// CHECK:         %[[S:.*]] = stablehlo.multiply %[[H]], %{{.*}} : tensor<2x3x4xf32>
// CHECK:         %[[G:.*]] = stablehlo.logistic %[[S]] : tensor<2x3x4xf32>
// CHECK:         %[[Z:.*]] = stablehlo.multiply %[[G]], %[[H]] : tensor<2x3x4xf32>
// CHECK:         boost.linear %[[Z]]
func.func @between(%x: tensor<2x3x8xf32>, %a: tensor<4x8xf32> {boost.tensor = #boost.tensor<param "a">},
                   %b: tensor<6x4xf32> {boost.tensor = #boost.tensor<param "b">}) -> tensor<6x2x3xf32> {
  %two = stablehlo.constant dense<2.0> : tensor<4x2x3xf32>
  %h = stablehlo.dot_general %a, %x, contracting_dims = [1] x [2] : (tensor<4x8xf32>, tensor<2x3x8xf32>) -> tensor<4x2x3xf32>
  %s = stablehlo.multiply %h, %two : tensor<4x2x3xf32>
  %g = stablehlo.logistic %s : tensor<4x2x3xf32>
  %z = stablehlo.multiply %g, %h : tensor<4x2x3xf32>
  %y = stablehlo.dot_general %b, %z, contracting_dims = [1] x [0] : (tensor<6x4xf32>, tensor<4x2x3xf32>) -> tensor<6x2x3xf32>
  return %y : tensor<6x2x3xf32>
}

// What meets the product in its own order stays behind the transpose, and a
// product over another dimension than the one that was moved stays.
// CHECK-LABEL: func @stays
// CHECK:         stablehlo.transpose
// CHECK:         stablehlo.add %{{.*}} : tensor<4x2x3xf32>
// CHECK:         stablehlo.dot_general
func.func @stays(%x: tensor<2x3x8xf32>, %o: tensor<4x2x3xf32>, %a: tensor<4x8xf32> {boost.tensor = #boost.tensor<param "a">},
                 %b: tensor<6x2xf32> {boost.tensor = #boost.tensor<param "b">}) -> tensor<6x4x3xf32> {
  %h = stablehlo.dot_general %a, %x, contracting_dims = [1] x [2] : (tensor<4x8xf32>, tensor<2x3x8xf32>) -> tensor<4x2x3xf32>
  %s = stablehlo.add %h, %o : tensor<4x2x3xf32>
  %y = stablehlo.dot_general %b, %s, contracting_dims = [1] x [1] : (tensor<6x2xf32>, tensor<4x2x3xf32>) -> tensor<6x4x3xf32>
  return %y : tensor<6x4x3xf32>
}

// An operation that reads two transposes of different orders stays.
// CHECK-LABEL: func @two_orders
// CHECK-COUNT-2: boost.linear
// CHECK:         stablehlo.add %{{.*}} : tensor<4x4x4xf32>
// CHECK-NEXT:    return
func.func @two_orders(%x: tensor<4x4x8xf32>, %y: tensor<4x8xf32>, %a: tensor<4x8xf32> {boost.tensor = #boost.tensor<param "a">},
                      %b: tensor<4x4x8xf32> {boost.tensor = #boost.tensor<param "b">}) -> tensor<4x4x4xf32> {
  %h = stablehlo.dot_general %a, %x, contracting_dims = [1] x [2] : (tensor<4x8xf32>, tensor<4x4x8xf32>) -> tensor<4x4x4xf32>
  %g = stablehlo.dot_general %b, %y, contracting_dims = [2] x [1] : (tensor<4x4x8xf32>, tensor<4x8xf32>) -> tensor<4x4x4xf32>
  %s = stablehlo.add %h, %g : tensor<4x4x4xf32>
  return %s : tensor<4x4x4xf32>
}
