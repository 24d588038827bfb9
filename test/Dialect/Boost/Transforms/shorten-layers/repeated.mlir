// RUN: boost-opt %s -split-input-file -boost-shorten-layers="repetitions=2" | FileCheck %s

// What stands before and behind the layers stays, and reads the last layer that
// is kept. Parameters of the others go.
// CHECK-LABEL: func @four(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>, %[[A:[a-z0-9]+]]: tensor<8x8xf32>, %[[B:[a-z0-9]+]]: tensor<8x8xf32>, %[[HEAD:[a-z0-9]+]]: tensor<8x2xf32>)
// CHECK-SAME: attributes {boost.repetitions = 4 : i64}
// CHECK: %[[X0:.+]] = stablehlo.tanh %[[X]]
// CHECK: %[[X1:.+]] = boost.linear %[[X0]], %[[A]] {boost.layer = #boost.layer<class = 0, index = 0>}
// CHECK: %[[X2:.+]] = boost.linear %[[X1]], %[[B]] {boost.layer = #boost.layer<class = 0, index = 1>}
// CHECK-NEXT: %[[Y:.+]] = boost.linear %[[X2]], %[[HEAD]]
// CHECK-NEXT: return %[[Y]]
func.func @four(%x: tensor<4x8xf32>, %a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %c: tensor<8x8xf32>,
                %d: tensor<8x8xf32>, %head: tensor<8x2xf32>) -> tensor<4x2xf32> {
  %x0 = stablehlo.tanh %x : tensor<4x8xf32>
  %x1 = boost.linear %x0, %a {boost.layer = #boost.layer<class = 0, index = 0>} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %x2 = boost.linear %x1, %b {boost.layer = #boost.layer<class = 0, index = 1>} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %x3 = boost.linear %x2, %c {boost.layer = #boost.layer<class = 0, index = 2>} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %x4 = boost.linear %x3, %d {boost.layer = #boost.layer<class = 0, index = 3>} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %y = boost.linear %x4, %head : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}

// -----

// Layers that alternate are repeated by twos; the first layer and the last are
// of other classes. A latent that goes on from layer to layer ends with the
// stream, and layers behind are numbered anew.
// CHECK-LABEL: func @alternating(
// CHECK-SAME: boost.repetitions = 3 : i64
// CHECK-COUNT-3: boost.linear
// CHECK-NOT: boost.linear
// CHECK: %[[H:.+]] = stablehlo.logistic %{{.+}} {boost.layer = #boost.layer<class = 2, index = 4>}
// CHECK: stablehlo.add %[[H]], %{{.+}} {boost.layer = #boost.layer<class = 3, index = 5>}
func.func @alternating(%x: tensor<4x8xf32>, %a: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %0 = boost.linear %x, %a {boost.layer = #boost.layer<class = 0, index = 0>} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %1 = boost.linear %0, %a {boost.layer = #boost.layer<class = 1, index = 1>} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %2 = stablehlo.logistic %1 {boost.layer = #boost.layer<class = 2, index = 2>} : tensor<4x8xf32>
  %3 = boost.linear %2, %a {boost.layer = #boost.layer<class = 1, index = 3>} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %4 = stablehlo.logistic %3 {boost.layer = #boost.layer<class = 2, index = 4>} : tensor<4x8xf32>
  %5 = boost.linear %4, %a {boost.layer = #boost.layer<class = 1, index = 5>} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %6 = stablehlo.logistic %5 {boost.layer = #boost.layer<class = 2, index = 6>} : tensor<4x8xf32>
  %7 = boost.linear %6, %a {boost.layer = #boost.layer<class = 3, index = 7>} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %8 = stablehlo.add %6, %5 {boost.layer = #boost.layer<class = 3, index = 7>} : tensor<4x8xf32>
  %9 = stablehlo.add %8, %7 : tensor<4x8xf32>
  return %9 : tensor<4x8xf32>
}
