// RUN: boost-opt %s -boost-decompose-bottleneck -o %t
// RUN: FileCheck %s < %t
// RUN: boost-eval --compare --every-function %s %t
// A bottleneck becomes its two linears, with the activation between them.

// CHECK-LABEL: func @identity
// CHECK-SAME:    %[[X:.*]]: tensor<2x4x8xf32>, %[[A:.*]]: tensor<8x2xf32>, %[[B:.*]]: tensor<2x8xf32>
func.func @identity(%x: tensor<2x4x8xf32>, %a: tensor<8x2xf32>, %b: tensor<2x8xf32>) -> tensor<2x4x8xf32> {
  // CHECK: %[[H:.*]] = boost.linear %[[X]], %[[A]] {boost.component = "block"} : (tensor<2x4x8xf32>, tensor<8x2xf32>) -> tensor<2x4x2xf32>
  // CHECK: %[[Y:.*]] = boost.linear %[[H]], %[[B]] {boost.component = "block"} : (tensor<2x4x2xf32>, tensor<2x8xf32>) -> tensor<2x4x8xf32>
  // CHECK: return %[[Y]]
  %y = boost.bottleneck %x down(%a) up(%b) {boost.component = "block"}
      : tensor<2x4x8xf32> down tensor<8x2xf32> up tensor<2x8xf32> -> tensor<2x4x8xf32>
  return %y : tensor<2x4x8xf32>
}

// CHECK-LABEL: func @silu
func.func @silu(%x: tensor<2x4x8xf32>, %a: tensor<8x2xf32>, %b: tensor<2x8xf32>) -> tensor<2x4x8xf32> {
  // CHECK: %[[H:.*]] = boost.linear
  // CHECK: %[[G:.*]] = stablehlo.logistic %[[H]] {boost.component = "block"}
  // CHECK: %[[Z:.*]] = stablehlo.multiply %[[H]], %[[G]] {boost.component = "block"}
  // CHECK: boost.linear %[[Z]]
  %y = boost.bottleneck %x down(%a) up(%b) activation(silu) {boost.component = "block"}
      : tensor<2x4x8xf32> down tensor<8x2xf32> up tensor<2x8xf32> -> tensor<2x4x8xf32>
  return %y : tensor<2x4x8xf32>
}

// Linears that are no bottleneck stay.
// CHECK-LABEL: func @keeps_linear
func.func @keeps_linear(%x: tensor<2x4x8xf32>, %a: tensor<8x2xf32>) -> tensor<2x4x2xf32> {
  // CHECK: %[[H:.*]] = boost.linear
  // CHECK-NEXT: return %[[H]]
  %h = boost.linear %x, %a : (tensor<2x4x8xf32>, tensor<8x2xf32>) -> tensor<2x4x2xf32>
  return %h : tensor<2x4x2xf32>
}
