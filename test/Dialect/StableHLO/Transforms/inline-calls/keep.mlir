// RUN: boost-opt %s --boost-inline-calls | FileCheck %s
// Without calls nothing changes; a function that returns its argument is fine.

// CHECK-LABEL: func.func @loss
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>
// CHECK-NEXT:    %[[N:.*]] = stablehlo.negate %[[X]]
// CHECK-NEXT:    return %[[N]]
func.func @loss(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @identity(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.negate %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @identity(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
