// RUN: boost-opt %s --boost-raise-stop-gradients | FileCheck %s --implicit-check-not=boost.stop_gradient%
// Calls of other forms stay, so that they can be refused: of integers, with a
// result of another type, of two operands.

// CHECK-COUNT-3: stablehlo.custom_call @boost.stop_gradient
func.func @calls(%x: tensor<4xf32>, %i: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xf64>, tensor<4xf32>) {
  %0 = stablehlo.custom_call @boost.stop_gradient(%i) : (tensor<4xi32>) -> tensor<4xi32>
  %1 = stablehlo.custom_call @boost.stop_gradient(%x) : (tensor<4xf32>) -> tensor<4xf64>
  %2 = stablehlo.custom_call @boost.stop_gradient(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0, %1, %2 : tensor<4xi32>, tensor<4xf64>, tensor<4xf32>
}
