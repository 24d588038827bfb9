// RUN: boost-opt %s --boost-canonicalize | FileCheck %s

// Operations without a pattern keep their layer, or stay without one.

// CHECK-LABEL: func @f
// CHECK-NEXT: stablehlo.add {{.*}} {boost.layer = #boost.layer<class = 0, index = 1>}
// CHECK-NEXT: stablehlo.tanh %0 : tensor<4xf32>
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %x {boost.layer = #boost.layer<class = 0, index = 1>} : tensor<4xf32>
  %1 = stablehlo.tanh %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}
