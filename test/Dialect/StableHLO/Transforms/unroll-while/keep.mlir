// RUN: boost-opt %s --boost-unroll-while | FileCheck %s
// A function without loops is left alone, and so is a loop of numbers.

// CHECK-LABEL: func @straight
// CHECK-NEXT:    stablehlo.negate
// CHECK-NEXT:    return
func.func @straight(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.negate %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// What the loop reads from around it becomes part of its state.
// CHECK-LABEL: func @numbers
// CHECK-SAME:    %[[N:.*]]: tensor<i32>
// CHECK-DAG:     %[[C2:.*]] = stablehlo.constant dense<2>
// CHECK-DAG:     %[[C1:.*]] = stablehlo.constant dense<1>
// CHECK:         %[[R:.*]]:3 = stablehlo.while(%[[I:.*]] = %[[C1]], %[[A:.*]] = %[[N]], %[[B:.*]] = %[[C2]])
// CHECK:           stablehlo.compare LT, %[[I]], %[[A]]
// CHECK:           %[[D:.*]] = stablehlo.multiply %[[I]], %[[B]]
// CHECK-NEXT:      stablehlo.return %[[D]], %[[A]], %[[B]]
// CHECK:         return %[[R]]#0
func.func @numbers(%n: tensor<i32>) -> tensor<i32> {
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  %r = stablehlo.while(%i = %c1) : tensor<i32>
  cond {
    %0 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  } do {
    %c2 = stablehlo.constant dense<2> : tensor<i32>
    %1 = stablehlo.multiply %i, %c2 : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }
  return %r : tensor<i32>
}
