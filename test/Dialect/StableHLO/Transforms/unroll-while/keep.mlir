// RUN: boost-opt %s --boost-unroll-while | FileCheck %s
// A function without loops is left alone.

// CHECK-LABEL: func @straight
// CHECK-NEXT:    stablehlo.negate
// CHECK-NEXT:    return
func.func @straight(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.negate %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
