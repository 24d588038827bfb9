// RUN: boost-opt %s --boost-select-branches | FileCheck %s
// Selects that are there, and loops, are left alone; branches in loops are not.

// CHECK-LABEL: func @keep
func.func @keep(%p: tensor<i1>, %x: tensor<4xf32>, %i: tensor<i32>) -> tensor<4xf32> {
  // CHECK:      stablehlo.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<i1>, tensor<4xf32>
  // CHECK-NEXT: stablehlo.while
  // CHECK:      do {
  // CHECK-NOT:  stablehlo.if
  // CHECK:      stablehlo.select
  // CHECK:      stablehlo.return
  %0 = stablehlo.select %p, %x, %x : tensor<i1>, tensor<4xf32>
  %r:2 = stablehlo.while(%n = %i, %y = %0) : tensor<i32>, tensor<4xf32>
  cond {
    stablehlo.return %p : tensor<i1>
  } do {
    %1 = "stablehlo.if"(%p) ({
      %2 = stablehlo.sine %y : tensor<4xf32>
      stablehlo.return %2 : tensor<4xf32>
    }, {
      stablehlo.return %y : tensor<4xf32>
    }) : (tensor<i1>) -> tensor<4xf32>
    stablehlo.return %n, %1 : tensor<i32>, tensor<4xf32>
  }
  return %r#1 : tensor<4xf32>
}
