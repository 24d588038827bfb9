// RUN: boost-opt %s --convert-stablehlo-to-linalg | FileCheck %s
// A loop of scalars is one row of a kernel.

// CHECK-LABEL: func.func @count
// CHECK-SAME:    %[[N:.*]]: tensor<i32>, %[[Z:.*]]: tensor<i32>
func.func @count(%n: tensor<i32>, %z: tensor<i32>) -> tensor<i32> {
  // CHECK:      %[[R:.*]]:2 = boostrt.rows
  // CHECK:      %[[I:.*]] = memref.load
  // CHECK:      %[[M:.*]] = memref.load
  // CHECK:      %[[W:.*]]:2 = scf.while (%[[A:.*]] = %[[I]], %[[B:.*]] = %[[M]])
  // CHECK:        %[[C:.*]] = arith.cmpi slt, %[[A]], %[[B]]
  // CHECK:        scf.condition(%[[C]]) %[[A]], %[[B]]
  // CHECK:        arith.addi
  // CHECK:        scf.yield
  // CHECK:      memref.store %[[W]]#0
  // CHECK:      memref.store %[[W]]#1
  // CHECK:      return %[[R]]#0
  %r:2 = stablehlo.while(%i = %z, %m = %n) : tensor<i32>, tensor<i32>
  cond {
    %0 = stablehlo.compare LT, %i, %m : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %i : tensor<i32>
    stablehlo.return %1, %m : tensor<i32>, tensor<i32>
  }
  return %r#0 : tensor<i32>
}
