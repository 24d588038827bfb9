// RUN: boost-opt %s --boost-inline-calls --split-input-file --verify-diagnostics | FileCheck %s
// A composite is what its decomposition computes.

// CHECK-LABEL: func @loss
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>
// CHECK-NEXT:    %[[A:.*]] = stablehlo.tanh %[[X]]
// CHECK-NEXT:    %[[B:.*]] = stablehlo.negate %[[A]]
// CHECK-NEXT:    return %[[B]]
func.func @loss(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.composite "my.op" %x {decomposition = @my.op.impl, version = 1 : i32} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @my.op.impl(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.composite "inner" %x {decomposition = @inner} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.negate %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @inner(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @missing(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expects 'impl' to be a function of one block}}
  %0 = stablehlo.composite "my.op" %x {decomposition = @impl} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @types(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expects 'impl' to be of type '(tensor<4xf32>) -> tensor<4xf32>', but got '(tensor<2xf32>) -> tensor<2xf32>'}}
  %0 = stablehlo.composite "my.op" %x {decomposition = @impl} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @impl(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
