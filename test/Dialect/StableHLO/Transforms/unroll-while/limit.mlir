// RUN: boost-opt %s --boost-unroll-while='max-operations=24' | FileCheck %s
// RUN: not boost-opt %s --boost-unroll-while='max-operations=23' 2>&1 | FileCheck %s --check-prefix=MORE
// A program may have as many operations as the limit says.

// CHECK-LABEL: func @three
// CHECK-NOT:     stablehlo.while
// CHECK-COUNT-3: stablehlo.sine
// MORE: error: expects at most 23 operations once loops are unrolled, but with 3 trips of this loop got 24
func.func @three(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  %c3 = stablehlo.constant dense<3> : tensor<i32>
  %r:2 = stablehlo.while(%i = %c0, %y = %x) : tensor<i32>, tensor<4xf32>
  cond {
    %0 = stablehlo.compare LT, %i, %c3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %c1 : tensor<i32>
    %2 = stablehlo.sine %y : tensor<4xf32>
    stablehlo.return %1, %2 : tensor<i32>, tensor<4xf32>
  }
  return %r#1 : tensor<4xf32>
}
