// RUN: boost-opt %s --boost-canonicalize | FileCheck %s
// RUN: boost-opt %s --canonicalize | FileCheck %s --check-prefix=PLAIN

#layer = #boost.layer<class = 0, index = 1>

// What a pattern inserts is in the layer of the operation that it replaces.
// MLIR's own pass drops the layer.

// CHECK-LABEL: func @inserted
// CHECK-NEXT: stablehlo.transpose {{.*}} {boost.layer = #boost.layer<class = 0, index = 1>}
// CHECK-NEXT: return
// PLAIN-LABEL: func @inserted
// PLAIN-NEXT: stablehlo.transpose
// PLAIN-NOT: boost.layer
// PLAIN: return
func.func @inserted(%x: tensor<2x3x4xf32>) -> tensor<4x2x3xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 2, 0] : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
  %1 = stablehlo.transpose %0, dims = [1, 2, 0] {boost.layer = #layer} : (tensor<3x4x2xf32>) -> tensor<4x2x3xf32>
  return %1 : tensor<4x2x3xf32>
}

// The layer of one pattern does not reach what another one inserts.

// CHECK-LABEL: func @outside
// CHECK-SAME: %[[X:.*]]: tensor<8xf32>, %[[Y:.*]]: tensor<8xf32>
// CHECK-DAG: stablehlo.reshape %[[X]] {boost.layer = #boost.layer<class = 0, index = 1>}
// CHECK-DAG: stablehlo.reshape %[[Y]] : (tensor<8xf32>) -> tensor<2x4xf32>
func.func @outside(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %0 = stablehlo.reshape %x : (tensor<8xf32>) -> tensor<4x2xf32>
  %1 = stablehlo.reshape %0 {boost.layer = #layer} : (tensor<4x2xf32>) -> tensor<2x4xf32>
  %2 = stablehlo.reshape %y : (tensor<8xf32>) -> tensor<4x2xf32>
  %3 = stablehlo.reshape %2 : (tensor<4x2xf32>) -> tensor<2x4xf32>
  return %1, %3 : tensor<2x4xf32>, tensor<2x4xf32>
}
