// RUN: boost-opt %s -boost-group-linears -o %t
// RUN: FileCheck %s < %t
// RUN: boost-opt %t -boost-decompose-pipeline -boost-differentiate -canonicalize -o %t.grouped
// RUN: FileCheck %s --check-prefix=GRADIENT < %t.grouped
// RUN: boost-opt %s -boost-decompose-pipeline -boost-differentiate -canonicalize -o %t.plain
// RUN: boost-eval --compare %s %t
// RUN: boost-eval --compare --function=gradient %t.plain %t.grouped
// RUN: boost-opt %s -boost-group-linears -o %t.values && boost-eval --compare --every-function %s %t.values
// Branches of equal shapes: one product down, one batched product up. The
// argument remembers the names and initial values of its parts.

// CHECK-LABEL: func.func @loss(
// CHECK-SAME:    %[[X:.*]]: tensor<2x4x8xf32>
// CHECK-SAME:    %[[A:.*]]: tensor<8x3x2xf32> {boost.parts = [
// CHECK-SAME:      #boost.part<name = "q.down", init = "normal:0.5", dim = 1, offset = 0, shape = [8, 2]>,
// CHECK-SAME:      #boost.part<name = "k.down", dim = 1, offset = 1, shape = [8, 2]>,
// CHECK-SAME:      #boost.part<name = "v.down", dim = 1, offset = 2, shape = [8, 2]>], boost.tensor = #boost.tensor<param "{q,k,v}.down", decay = true>}
// CHECK-SAME:    %[[B:.*]]: tensor<3x2x6xf32> {boost.parts = [
// CHECK-SAME:      #boost.part<name = "q.up", dim = 0, offset = 0, shape = [2, 6]>,
// CHECK-SAME:      boost.tensor = #boost.tensor<param "{q,k,v}.up">}
// CHECK-NEXT:    %[[Y:.*]] = boost.bottleneck %[[X]] down(%[[A]]) up(%[[B]]) activation({{ ?}}silu) {boost.component = "block"}
// CHECK-SAME:      tensor<2x4x8xf32> down tensor<8x3x2xf32> up tensor<3x2x6xf32> -> tensor<3x2x4x6xf32>
// CHECK-NEXT:    %[[S0:.*]] = stablehlo.slice %[[Y]] [0:1, 0:2, 0:4, 0:6] {boost.component = "block"}
// CHECK-NEXT:    %[[Q:.*]] = stablehlo.reshape %[[S0]] {boost.component = "block"} : (tensor<1x2x4x6xf32>) -> tensor<2x4x6xf32>
// CHECK:         stablehlo.slice %[[Y]] [1:2
// CHECK:         stablehlo.slice %[[Y]] [2:3
// CHECK-NOT:     boost.bottleneck

// Backward: one product per packed parameter and one for the input; the sums
// of parts are put together, not added.
// GRADIENT-LABEL: func.func @gradient(
// GRADIENT:         boost.phase backward
// GRADIENT:         stablehlo.concatenate
// GRADIENT-NOT:     stablehlo.pad
// GRADIENT-DAG:     stablehlo.dot_general {{.*}} -> tensor<3x2x6xf32>
// GRADIENT-DAG:     stablehlo.dot_general {{.*}} -> tensor<8x3x2xf32>
// GRADIENT:         return %{{.*}} : tensor<f32>, tensor<8x3x2xf32>, tensor<3x2x6xf32>
func.func @loss(%x: tensor<2x4x8xf32> {boost.tensor = #boost.tensor<batch "x">},
    %aq: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "q.down", init = "normal:0.5", decay = true>},
    %bq: tensor<2x6xf32> {boost.tensor = #boost.tensor<param "q.up">},
    %ak: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "k.down", decay = true>},
    %bk: tensor<2x6xf32> {boost.tensor = #boost.tensor<param "k.up">},
    %av: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "v.down", decay = true>},
    %bv: tensor<2x6xf32> {boost.tensor = #boost.tensor<param "v.up">}) -> tensor<f32> {
  %q = boost.bottleneck %x down(%aq) up(%bq) activation(silu) {boost.component = "block"}
      : tensor<2x4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> -> tensor<2x4x6xf32>
  %k = boost.bottleneck %x down(%ak) up(%bk) activation(silu) {boost.component = "block"}
      : tensor<2x4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> -> tensor<2x4x6xf32>
  %v = boost.bottleneck %x down(%av) up(%bv) activation(silu) {boost.component = "block"}
      : tensor<2x4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> -> tensor<2x4x6xf32>
  %qk = stablehlo.multiply %q, %k : tensor<2x4x6xf32>
  %qkv = stablehlo.subtract %qk, %v : tensor<2x4x6xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%qkv init: %zero) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x4x6xf32>, tensor<f32>) -> tensor<f32>
  return %s : tensor<f32>
}
