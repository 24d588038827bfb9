// RUN: boost-opt %s | FileCheck %s
// RUN: boost-opt %s --mlir-print-op-generic | boost-opt | FileCheck %s
// Loops, barriers and calls print as they parse.

// CHECK-LABEL: func @while
// CHECK-SAME:    %[[I:.*]]: tensor<i32>, %[[X:.*]]: tensor<4xf32>
func.func @while(%i: tensor<i32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK:      %[[R:.*]]:2 = stablehlo.while(%[[A:.*]] = %[[I]], %[[B:.*]] = %[[X]]) : tensor<i32>, tensor<4xf32>
  // CHECK-NEXT: cond {
  // CHECK-NEXT:   stablehlo.compare LT, %[[A]], %[[I]]
  // CHECK:      } do {
  // CHECK-NEXT:   stablehlo.add %[[B]], %[[B]]
  // CHECK:      return %[[R]]#1
  %r:2 = stablehlo.while(%a = %i, %b = %x) : tensor<i32>, tensor<4xf32>
  cond {
    %0 = stablehlo.compare LT, %a, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  } do {
    %1 = stablehlo.add %b, %b : tensor<4xf32>
    stablehlo.return %a, %1 : tensor<i32>, tensor<4xf32>
  }
  return %r#1 : tensor<4xf32>
}

// A loop without state.
// CHECK-LABEL: func @while_of_nothing
func.func @while_of_nothing() {
  // CHECK-NEXT: stablehlo.while(){{$}}
  // CHECK-NEXT: cond {
  stablehlo.while()
  cond {
    %0 = stablehlo.constant dense<false> : tensor<i1>
    stablehlo.return %0 : tensor<i1>
  } do {
    stablehlo.return
  }
  return
}

// CHECK-LABEL: func @barrier
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>, %[[I:.*]]: tensor<i32>
func.func @barrier(%x: tensor<4xf32>, %i: tensor<i32>) -> (tensor<4xf32>, tensor<i32>) {
  // CHECK-NEXT: %[[R:.*]]:2 = stablehlo.optimization_barrier %[[X]], %[[I]] : tensor<4xf32>, tensor<i32>
  %r:2 = stablehlo.optimization_barrier %x, %i : tensor<4xf32>, tensor<i32>
  // CHECK-NEXT: stablehlo.optimization_barrier()
  stablehlo.optimization_barrier ()
  return %r#0, %r#1 : tensor<4xf32>, tensor<i32>
}

// CHECK-LABEL: func @custom_call
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>
func.func @custom_call(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: stablehlo.custom_call @foo(%[[X]]) {api_version = 4 : i32, has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
  %0 = stablehlo.custom_call @foo(%x) {api_version = 4 : i32, has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
