// RUN: boost-opt %s --boost-select-branches | FileCheck %s
// RUN: boost-opt %s -boost-select-branches -o %t.values && boost-eval --compare --every-function %s %t.values
// Every branch is computed, and the results of the right one are selected.

// CHECK-LABEL: func @case
// CHECK-SAME:    %[[I:.*]]: tensor<i32>, %[[X:.*]]: tensor<4xf32>, %[[N:.*]]: tensor<4xi32>
func.func @case(%i: tensor<i32>, %x: tensor<4xf32>, %n: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
  // CHECK-DAG:  %[[C0:.*]] = stablehlo.constant dense<0> : tensor<i32>
  // CHECK-DAG:  %[[P0:.*]] = stablehlo.compare EQ, %[[I]], %[[C0]]
  // CHECK-DAG:  %[[C1:.*]] = stablehlo.constant dense<1> : tensor<i32>
  // CHECK-DAG:  %[[P1:.*]] = stablehlo.compare EQ, %[[I]], %[[C1]]
  // What a branch reads is 1 where it is not taken; integers are as they are.
  // CHECK:      %[[ONE:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<4xf32>
  // CHECK-NEXT: %[[X0:.*]] = stablehlo.select %[[P0]], %[[X]], %[[ONE]]
  // CHECK-NEXT: %[[A:.*]] = stablehlo.log %[[X0]]
  // CHECK:      %[[X1:.*]] = stablehlo.select %[[P1]], %[[X]]
  // CHECK-NEXT: %[[B:.*]] = stablehlo.sqrt %[[X1]]
  // CHECK-NEXT: %[[ANY:.*]] = stablehlo.or %[[P0]], %[[P1]]
  // CHECK-NEXT: %[[LAST:.*]] = stablehlo.not %[[ANY]]
  // CHECK:      %[[X2:.*]] = stablehlo.select %[[LAST]], %[[X]]
  // CHECK-NEXT: %[[C:.*]] = stablehlo.tanh %[[X2]]
  // CHECK-NEXT: %[[M:.*]] = stablehlo.negate %[[N]]
  // CHECK-NEXT: %[[S1:.*]] = stablehlo.select %[[P1]], %[[B]], %[[C]]
  // CHECK-NEXT: %[[T1:.*]] = stablehlo.select %[[P1]], %[[N]], %[[M]]
  // CHECK-NEXT: %[[S0:.*]] = stablehlo.select %[[P0]], %[[A]], %[[S1]]
  // CHECK-NEXT: %[[T0:.*]] = stablehlo.select %[[P0]], %[[N]], %[[T1]]
  // CHECK-NEXT: return %[[S0]], %[[T0]]
  %r:2 = "stablehlo.case"(%i) ({
    %0 = stablehlo.log %x : tensor<4xf32>
    stablehlo.return %0, %n : tensor<4xf32>, tensor<4xi32>
  }, {
    %0 = stablehlo.sqrt %x : tensor<4xf32>
    stablehlo.return %0, %n : tensor<4xf32>, tensor<4xi32>
  }, {
    %0 = stablehlo.tanh %x : tensor<4xf32>
    %1 = stablehlo.negate %n : tensor<4xi32>
    stablehlo.return %0, %1 : tensor<4xf32>, tensor<4xi32>
  }) : (tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xi32>
}

// Weights are read as they are, also in another form.
// CHECK-LABEL: func @parameters
// CHECK-SAME:    %[[P:.*]]: tensor<i1>, %[[W:[^:]*]]: tensor<2x8x2xf32> {
func.func @parameters(%p: tensor<i1>, %w: tensor<2x8x2xf32> {boost.tensor = #boost.tensor<param "w">}, %x: tensor<4x8xf32> {boost.tensor = #boost.tensor<batch "x">}) -> tensor<4x2xf32> {
  // CHECK:      %[[V:.*]] = stablehlo.reshape
  // CHECK-NOT:  stablehlo.select %[[P]], %[[V]]
  // CHECK:      stablehlo.dot_general %{{.*}}, %[[V]]
  // CHECK:      stablehlo.not %[[P]]
  // CHECK:      stablehlo.dot_general %{{.*}}, %[[V]]
  // CHECK:      stablehlo.select %[[P]]
  %s = stablehlo.slice %w [0:1, 0:8, 0:2] : (tensor<2x8x2xf32>) -> tensor<1x8x2xf32>
  %v = stablehlo.reshape %s : (tensor<1x8x2xf32>) -> tensor<8x2xf32>
  %r = "stablehlo.if"(%p) ({
    %0 = stablehlo.dot_general %x, %v, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
    stablehlo.return %0 : tensor<4x2xf32>
  }, {
    %y = stablehlo.tanh %x : tensor<4x8xf32>
    %0 = stablehlo.dot_general %y, %v, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
    stablehlo.return %0 : tensor<4x2xf32>
  }) : (tensor<i1>) -> tensor<4x2xf32>
  return %r : tensor<4x2xf32>
}

// A parameter that is more than a weight is guarded like any other value.
// CHECK-LABEL: func @parameter_as_number
// CHECK-SAME:    %[[P:.*]]: tensor<i1>, %[[W:[^:]*]]: tensor<4xf32> {
// CHECK:         %[[G:.*]] = stablehlo.select %[[P]], %[[W]], %{{.*}}
// CHECK-NEXT:    stablehlo.log %[[G]]
func.func @parameter_as_number(%p: tensor<i1>, %w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">}) -> tensor<4xf32> {
  %r = "stablehlo.if"(%p) ({
    %0 = stablehlo.log %w : tensor<4xf32>
    stablehlo.return %0 : tensor<4xf32>
  }, {
    stablehlo.return %w : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// A loop goes on in the branch that is taken only.
// CHECK-LABEL: func @loop
// CHECK-SAME:    %[[P:.*]]: tensor<i1>, %[[N:.*]]: tensor<i32>
// CHECK:         %[[R:.*]]:2 = stablehlo.while(%[[I:.*]] = %[[N]], %[[T:.*]] = %[[P]])
// CHECK:           %[[C:.*]] = stablehlo.compare NE, %[[I]]
// CHECK-NEXT:      %[[A:.*]] = stablehlo.and %[[T]], %[[C]]
// CHECK-NEXT:      stablehlo.return %[[A]]
// CHECK:           %[[M:.*]] = stablehlo.multiply
// CHECK-NEXT:      stablehlo.return %[[M]], %[[T]]
// CHECK:         stablehlo.select %[[P]], %[[R]]#0, %[[N]]
func.func @loop(%p: tensor<i1>, %n: tensor<i32>) -> tensor<i32> {
  %r = "stablehlo.if"(%p) ({
    %w = stablehlo.while(%i = %n) : tensor<i32>
    cond {
      %c1 = stablehlo.constant dense<1> : tensor<i32>
      %0 = stablehlo.compare NE, %i, %c1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %0 : tensor<i1>
    } do {
      %1 = stablehlo.multiply %i, %i : tensor<i32>
      stablehlo.return %1 : tensor<i32>
    }
    stablehlo.return %w : tensor<i32>
  }, {
    stablehlo.return %n : tensor<i32>
  }) : (tensor<i1>) -> tensor<i32>
  return %r : tensor<i32>
}

// What is no weight is 1 where it is not read, if it is only multiplied, too.
// CHECK-LABEL: func @batch
// CHECK-SAME:    %[[P:.*]]: tensor<i1>, %[[X:[^:]*]]: tensor<4x4xf32> {
func.func @batch(%p: tensor<i1>, %x: tensor<4x4xf32> {boost.arg = "batch"}) -> tensor<4x4xf32> {
  // CHECK:      %[[ONE:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<4x4xf32>
  // CHECK-NEXT: %[[GUARDED:.*]] = stablehlo.select %[[P]], %[[X]], %[[ONE]]
  // CHECK:      stablehlo.dot_general %[[GUARDED]], %[[GUARDED]]
  %r = "stablehlo.if"(%p) ({
    %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    stablehlo.return %0 : tensor<4x4xf32>
  }, {
    stablehlo.return %x : tensor<4x4xf32>
  }) : (tensor<i1>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
