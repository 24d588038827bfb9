// RUN: boost-opt %s | boost-opt | FileCheck %s
// RUN: boost-opt %s --mlir-print-op-generic | boost-opt | FileCheck %s
// Branches and composites print what they were read from.

// CHECK-LABEL: func @case
func.func @case(%i: tensor<i32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: %[[R:.*]]:2 = "stablehlo.case"(%{{.*}}) ({
  // CHECK-NEXT:   stablehlo.return %{{.*}}, %{{.*}} : tensor<i32>, tensor<4xf32>
  // CHECK-NEXT: }, {
  // CHECK:      }) : (tensor<i32>) -> (tensor<i32>, tensor<4xf32>)
  %r:2 = "stablehlo.case"(%i) ({
    stablehlo.return %i, %x : tensor<i32>, tensor<4xf32>
  }, {
    %0 = stablehlo.tanh %x : tensor<4xf32>
    stablehlo.return %i, %0 : tensor<i32>, tensor<4xf32>
  }) : (tensor<i32>) -> (tensor<i32>, tensor<4xf32>)
  return %r#1 : tensor<4xf32>
}

// CHECK-LABEL: func @if
func.func @if(%p: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: "stablehlo.if"(%{{.*}}) ({
  // CHECK:      }) : (tensor<i1>) -> tensor<4xf32>
  %r = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<4xf32>
  }, {
    %0 = stablehlo.tanh %x : tensor<4xf32>
    stablehlo.return %0 : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func @composite
func.func @composite(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: stablehlo.composite "my.op" %{{.*}} {composite_attributes = {n = 1 : i64}, decomposition = @impl, version = 2 : i32} : (tensor<4xf32>) -> tensor<4xf32>
  %0 = stablehlo.composite "my.op" %x {composite_attributes = {n = 1 : i64}, decomposition = @impl, version = 2 : i32} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @impl(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
