// RUN: boost-opt %s -split-input-file -boost-shorten-layers="repetitions=1" | FileCheck %s

// Of two layers one is kept. Only arguments of the other go: not one that nothing has read.
// CHECK-LABEL: func @two(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>, %[[A:[a-z0-9]+]]: tensor<8x8xf32>, %{{[a-z0-9]+}}: tensor<2xf32>)
// CHECK-SAME: boost.repetitions = 2 : i64
// CHECK-NEXT: %[[X1:.+]] = boost.linear %[[X]], %[[A]] {boost.layer = #boost.layer<class = 0, index = 0>}
// CHECK-NEXT: return %[[X1]]
func.func @two(%x: tensor<4x8xf32>, %a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %unread: tensor<2xf32>) -> tensor<4x8xf32> {
  %x1 = boost.linear %x, %a {boost.layer = #boost.layer<class = 0, index = 0>} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %x2 = boost.linear %x1, %b {boost.layer = #boost.layer<class = 0, index = 1>} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  return %x2 : tensor<4x8xf32>
}

// -----

// A declaration has no layers.
// CHECK-LABEL: func private @declared(tensor<4xf32>) -> tensor<4xf32>
func.func private @declared(tensor<4xf32>) -> tensor<4xf32>
