// RUN: boost-opt %s --boost-unroll-while --canonicalize | FileCheck %s
// RUN: boost-opt %s -boost-unroll-while -o %t.values && boost-eval --compare --every-function %s %t.values
// Counters may go down, stand on the right, have their bound in the state, or
// count an inner loop; a loop may take no trip.

// 3, 2, 1: three trips.
// CHECK-LABEL: func @down
// CHECK-COUNT-3: stablehlo.exponential
// CHECK-NOT:     stablehlo.exponential
// CHECK:         return
func.func @down(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  %c3 = stablehlo.constant dense<3> : tensor<i32>
  %r:2 = stablehlo.while(%i = %c3, %b = %x) : tensor<i32>, tensor<4xf32>
  cond {
    %0 = stablehlo.compare LT, %c0, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  } do {
    %1 = stablehlo.exponential %b : tensor<4xf32>
    %2 = stablehlo.subtract %i, %c1 : tensor<i32>
    stablehlo.return %2, %1 : tensor<i32>, tensor<4xf32>
  }
  return %r#1 : tensor<4xf32>
}

// The outer counter 1, 2 bounds the inner loop: three trips in all.
// CHECK-LABEL: func @nested
// CHECK-COUNT-3: stablehlo.exponential
// CHECK-NOT:     stablehlo.exponential
// CHECK:         return
func.func @nested(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  %c2 = stablehlo.constant dense<2> : tensor<i32>
  %r:3 = stablehlo.while(%i = %c1, %n = %c2, %b = %x) : tensor<i32>, tensor<i32>, tensor<4xf32>
  cond {
    %0 = stablehlo.compare LE, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  } do {
    %s:2 = stablehlo.while(%j = %c0, %d = %b) : tensor<i32>, tensor<4xf32>
    cond {
      %1 = stablehlo.compare NE, %j, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %2 = stablehlo.exponential %d : tensor<4xf32>
      %3 = stablehlo.add %c1, %j : tensor<i32>
      stablehlo.return %3, %2 : tensor<i32>, tensor<4xf32>
    }
    %4 = stablehlo.add %i, %c1 : tensor<i32>
    stablehlo.return %4, %n, %s#1 : tensor<i32>, tensor<i32>, tensor<4xf32>
  }
  return %r#2 : tensor<4xf32>
}

// A constant on the left moves to the right while the body is cloned.
// CHECK-LABEL: func @commuted
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>
// CHECK:         %[[A:.*]] = stablehlo.multiply %[[X]], %[[C:.*]] : tensor<4xf32>
// CHECK-NEXT:    %[[B:.*]] = stablehlo.multiply %[[A]], %[[C]] : tensor<4xf32>
// CHECK-NEXT:    return %[[B]]
func.func @commuted(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  %c2 = stablehlo.constant dense<2> : tensor<i32>
  %half = stablehlo.constant dense<0.5> : tensor<4xf32>
  %r:2 = stablehlo.while(%i = %c0, %b = %x) : tensor<i32>, tensor<4xf32>
  cond {
    %0 = stablehlo.compare LT, %i, %c2 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  } do {
    %1 = stablehlo.multiply %half, %b : tensor<4xf32>
    %2 = stablehlo.add %i, %c1 : tensor<i32>
    stablehlo.return %2, %1 : tensor<i32>, tensor<4xf32>
  }
  return %r#1 : tensor<4xf32>
}

// CHECK-LABEL: func @no_trip
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>
// CHECK-NEXT:    return %[[X]]
func.func @no_trip(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%i = %c0, %b = %x) : tensor<i32>, tensor<4xf32>
  cond {
    %0 = stablehlo.compare GE, %i, %c1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  } do {
    %1 = stablehlo.exponential %b : tensor<4xf32>
    %2 = stablehlo.add %i, %c1 : tensor<i32>
    stablehlo.return %2, %1 : tensor<i32>, tensor<4xf32>
  }
  return %r#1 : tensor<4xf32>
}
