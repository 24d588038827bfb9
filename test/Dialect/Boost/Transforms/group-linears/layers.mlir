// RUN: boost-opt %s -boost-group-linears -o %t
// RUN: FileCheck %s < %t
// RUN: boost-eval --compare --every-function %s %t
// Parameters that hold a matrix per layer, as a scan over layers has them, are
// packed with all of their layers.

// CHECK-LABEL: func.func @two_layers(
// CHECK-SAME:    %[[A:[^:]*]]: tensor<2x8x2x3xf32> {boost.parts = [
// CHECK-SAME:      #boost.part<name = "q.down", dim = 2, offset = 0, shape = [2, 8, 3]>,
// CHECK-SAME:      boost.tensor = #boost.tensor<param "{q,k}.down">}
// CHECK-SAME:    %[[B:[^:]*]]: tensor<2x2x3x8xf32> {boost.parts = [
// CHECK-SAME:      #boost.part<name = "q.up", dim = 1, offset = 0, shape = [2, 3, 8]>,
// CHECK-SAME:      boost.tensor = #boost.tensor<param "{q,k}.up">}
// CHECK:         %[[B0:.*]] = stablehlo.slice %[[B]] [0:1, 0:2, 0:3, 0:8]
// CHECK:         %[[BM:.*]] = stablehlo.reshape %[[B0]] {{.*}} -> tensor<2x3x8xf32>
// CHECK:         %[[A0:.*]] = stablehlo.slice %[[A]] [0:1, 0:8, 0:2, 0:3]
// CHECK:         %[[AM:.*]] = stablehlo.reshape %[[A0]] {{.*}} -> tensor<8x2x3xf32>
// CHECK:         boost.bottleneck %{{.*}} down(%[[AM]]) up(%[[BM]])
// CHECK:         stablehlo.slice %[[A]] [1:2, 0:8, 0:2, 0:3]
// CHECK:         boost.bottleneck
// CHECK-NOT:     boost.bottleneck
func.func @two_layers(%x: tensor<4x8xf32>,
    %aq: tensor<2x8x3xf32> {boost.tensor = #boost.tensor<param "q.down">}, %bq: tensor<2x3x8xf32> {boost.tensor = #boost.tensor<param "q.up">},
    %ak: tensor<2x8x3xf32> {boost.tensor = #boost.tensor<param "k.down">}, %bk: tensor<2x3x8xf32> {boost.tensor = #boost.tensor<param "k.up">})
    -> tensor<4x8xf32> {
  %aq0s = stablehlo.slice %aq [0:1, 0:8, 0:3] : (tensor<2x8x3xf32>) -> tensor<1x8x3xf32>
  %aq0 = stablehlo.reshape %aq0s : (tensor<1x8x3xf32>) -> tensor<8x3xf32>
  %bq0s = stablehlo.slice %bq [0:1, 0:3, 0:8] : (tensor<2x3x8xf32>) -> tensor<1x3x8xf32>
  %bq0 = stablehlo.reshape %bq0s : (tensor<1x3x8xf32>) -> tensor<3x8xf32>
  %ak0s = stablehlo.slice %ak [0:1, 0:8, 0:3] : (tensor<2x8x3xf32>) -> tensor<1x8x3xf32>
  %ak0 = stablehlo.reshape %ak0s : (tensor<1x8x3xf32>) -> tensor<8x3xf32>
  %bk0s = stablehlo.slice %bk [0:1, 0:3, 0:8] : (tensor<2x3x8xf32>) -> tensor<1x3x8xf32>
  %bk0 = stablehlo.reshape %bk0s : (tensor<1x3x8xf32>) -> tensor<3x8xf32>
  %q0 = boost.bottleneck %x down(%aq0) up(%bq0) : tensor<4x8xf32> down tensor<8x3xf32> up tensor<3x8xf32> -> tensor<4x8xf32>
  %k0 = boost.bottleneck %x down(%ak0) up(%bk0) : tensor<4x8xf32> down tensor<8x3xf32> up tensor<3x8xf32> -> tensor<4x8xf32>
  %y = stablehlo.subtract %q0, %k0 : tensor<4x8xf32>
  %aq1s = stablehlo.slice %aq [1:2, 0:8, 0:3] : (tensor<2x8x3xf32>) -> tensor<1x8x3xf32>
  %aq1 = stablehlo.reshape %aq1s : (tensor<1x8x3xf32>) -> tensor<8x3xf32>
  %bq1s = stablehlo.slice %bq [1:2, 0:3, 0:8] : (tensor<2x3x8xf32>) -> tensor<1x3x8xf32>
  %bq1 = stablehlo.reshape %bq1s : (tensor<1x3x8xf32>) -> tensor<3x8xf32>
  %ak1s = stablehlo.slice %ak [1:2, 0:8, 0:3] : (tensor<2x8x3xf32>) -> tensor<1x8x3xf32>
  %ak1 = stablehlo.reshape %ak1s : (tensor<1x8x3xf32>) -> tensor<8x3xf32>
  %bk1s = stablehlo.slice %bk [1:2, 0:3, 0:8] : (tensor<2x3x8xf32>) -> tensor<1x3x8xf32>
  %bk1 = stablehlo.reshape %bk1s : (tensor<1x3x8xf32>) -> tensor<3x8xf32>
  %q1 = boost.bottleneck %y down(%aq1) up(%bq1) : tensor<4x8xf32> down tensor<8x3xf32> up tensor<3x8xf32> -> tensor<4x8xf32>
  %k1 = boost.bottleneck %y down(%ak1) up(%bk1) : tensor<4x8xf32> down tensor<8x3xf32> up tensor<3x8xf32> -> tensor<4x8xf32>
  %z = stablehlo.subtract %q1, %k1 : tensor<4x8xf32>
  return %z : tensor<4x8xf32>
}

// q of one layer beside k of the other: a packed parameter holds both for the
// same layer only, and they stay apart.
// CHECK-LABEL: func.func @crossed_layers(
// CHECK-COUNT-4: boost.bottleneck
// CHECK:         return
func.func @crossed_layers(%x: tensor<4x8xf32>,
    %aq: tensor<2x8x3xf32> {boost.tensor = #boost.tensor<param "q.down">}, %bq: tensor<2x3x8xf32> {boost.tensor = #boost.tensor<param "q.up">},
    %ak: tensor<2x8x3xf32> {boost.tensor = #boost.tensor<param "k.down">}, %bk: tensor<2x3x8xf32> {boost.tensor = #boost.tensor<param "k.up">})
    -> tensor<4x8xf32> {
  %aq0s = stablehlo.slice %aq [0:1, 0:8, 0:3] : (tensor<2x8x3xf32>) -> tensor<1x8x3xf32>
  %aq0 = stablehlo.reshape %aq0s : (tensor<1x8x3xf32>) -> tensor<8x3xf32>
  %bq0s = stablehlo.slice %bq [0:1, 0:3, 0:8] : (tensor<2x3x8xf32>) -> tensor<1x3x8xf32>
  %bq0 = stablehlo.reshape %bq0s : (tensor<1x3x8xf32>) -> tensor<3x8xf32>
  %ak1s = stablehlo.slice %ak [1:2, 0:8, 0:3] : (tensor<2x8x3xf32>) -> tensor<1x8x3xf32>
  %ak1 = stablehlo.reshape %ak1s : (tensor<1x8x3xf32>) -> tensor<8x3xf32>
  %bk1s = stablehlo.slice %bk [1:2, 0:3, 0:8] : (tensor<2x3x8xf32>) -> tensor<1x3x8xf32>
  %bk1 = stablehlo.reshape %bk1s : (tensor<1x3x8xf32>) -> tensor<3x8xf32>
  %q0 = boost.bottleneck %x down(%aq0) up(%bq0) : tensor<4x8xf32> down tensor<8x3xf32> up tensor<3x8xf32> -> tensor<4x8xf32>
  %k1 = boost.bottleneck %x down(%ak1) up(%bk1) : tensor<4x8xf32> down tensor<8x3xf32> up tensor<3x8xf32> -> tensor<4x8xf32>
  %y = stablehlo.subtract %q0, %k1 : tensor<4x8xf32>
  %aq1s = stablehlo.slice %aq [1:2, 0:8, 0:3] : (tensor<2x8x3xf32>) -> tensor<1x8x3xf32>
  %aq1 = stablehlo.reshape %aq1s : (tensor<1x8x3xf32>) -> tensor<8x3xf32>
  %bq1s = stablehlo.slice %bq [1:2, 0:3, 0:8] : (tensor<2x3x8xf32>) -> tensor<1x3x8xf32>
  %bq1 = stablehlo.reshape %bq1s : (tensor<1x3x8xf32>) -> tensor<3x8xf32>
  %ak0s = stablehlo.slice %ak [0:1, 0:8, 0:3] : (tensor<2x8x3xf32>) -> tensor<1x8x3xf32>
  %ak0 = stablehlo.reshape %ak0s : (tensor<1x8x3xf32>) -> tensor<8x3xf32>
  %bk0s = stablehlo.slice %bk [0:1, 0:3, 0:8] : (tensor<2x3x8xf32>) -> tensor<1x3x8xf32>
  %bk0 = stablehlo.reshape %bk0s : (tensor<1x3x8xf32>) -> tensor<3x8xf32>
  %q1 = boost.bottleneck %y down(%aq1) up(%bq1) : tensor<4x8xf32> down tensor<8x3xf32> up tensor<3x8xf32> -> tensor<4x8xf32>
  %k0 = boost.bottleneck %y down(%ak0) up(%bk0) : tensor<4x8xf32> down tensor<8x3xf32> up tensor<3x8xf32> -> tensor<4x8xf32>
  %z = stablehlo.subtract %q1, %k0 : tensor<4x8xf32>
  return %z : tensor<4x8xf32>
}
