// RUN: boost-opt %s -boost-lower-precision=precision=bf16 -canonicalize | FileCheck %s
// RUN: boost-opt %s -boost-lower-precision | FileCheck %s --check-prefix=ALONE
// RUN: boost-opt %s -boost-lower-precision=precision=f32 | FileCheck %s --check-prefix=ALONE

// Parameters and activations are bf16; statistics, softmax and loss f32. The
// batch and the result keep their types.

// ALONE-NOT: bf16

// CHECK-LABEL: func @loss
// CHECK-SAME:    %[[TABLE:.*]]: tensor<16x8xbf16> {boost.tensor = #boost.tensor<param "table">}
// CHECK-SAME:    %[[GAMMA:.*]]: tensor<8xbf16>
// CHECK-SAME:    %[[A:.*]]: tensor<8x2xbf16>
// CHECK-SAME:    %[[B:.*]]: tensor<2x8xbf16>
// CHECK-SAME:    %[[X:.*]]: tensor<2x4x8xf32> {boost.tensor = #boost.tensor<batch "x">}
// CHECK-SAME:    -> (tensor<f32>
// CHECK-DAG:     %[[TWO:.*]] = stablehlo.constant dense<2.0{{.*}}> : tensor<2x4x8xbf16>
// CHECK-DAG:     %[[XLOW:.*]] = stablehlo.convert %[[X]]
// CHECK:         %[[E:.*]] = boost.embedding {{.*}} -> tensor<2x4x8xbf16>
// The stream stays bf16, whatever is added to it.
// CHECK:         %[[H:.*]] = stablehlo.add %[[E]], %[[XLOW]] : tensor<2x4x8xbf16>
// CHECK:         %[[N:.*]] = boost.rms_norm %[[H]], %[[GAMMA]] {{.*}} : tensor<2x4x8xbf16>, tensor<8xbf16>
// CHECK:         %[[Y:.*]] = boost.bottleneck %[[N]] down(%[[A]]) up(%[[B]]) {{.*}} -> tensor<2x4x8xbf16>
// Constants take the type of what they meet.
// CHECK:         %[[Z:.*]] = stablehlo.multiply %[[Y]], %[[TWO]] : tensor<2x4x8xbf16>
// CHECK:         %[[H1:.*]] = stablehlo.add %[[H]], %[[Z]] : tensor<2x4x8xbf16>
// CHECK:         %[[L:.*]] = boost.linear %[[H1]], %[[TABLE]] transposed {{.*}} -> tensor<2x4x16xbf16>
// CHECK:         boost.cross_entropy %[[L]], {{.*}} : (tensor<2x4x16xbf16>, tensor<2x4xi32>) -> (tensor<2x4xf32>, tensor<2x4xf32>)
// CHECK:         stablehlo.reduce({{.*}} : (tensor<2x4xf32>, tensor<f32>) -> tensor<f32>
func.func @loss(
    %table: tensor<16x8xf32> {boost.tensor = #boost.tensor<param "table">},
    %gamma: tensor<8xf32> {boost.tensor = #boost.tensor<param "gamma">},
    %a: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "a">},
    %b: tensor<2x8xf32> {boost.tensor = #boost.tensor<param "b">},
    %x: tensor<2x4x8xf32> {boost.tensor = #boost.tensor<batch "x">},
    %ids: tensor<2x4xi32> {boost.tensor = #boost.tensor<batch "ids">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<loss "loss">}) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %two = stablehlo.constant dense<2.0> : tensor<2x4x8xf32>
  %e = boost.embedding %table, %ids : (tensor<16x8xf32>, tensor<2x4xi32>) -> tensor<2x4x8xf32>
  %h = stablehlo.add %e, %x : tensor<2x4x8xf32>
  %n = boost.rms_norm %h, %gamma {eps = 1.0e-6 : f64} : tensor<2x4x8xf32>, tensor<8xf32>
  %y = boost.bottleneck %n down(%a) up(%b) activation(silu)
      : tensor<2x4x8xf32> down tensor<8x2xf32> up tensor<2x8xf32> -> tensor<2x4x8xf32>
  %z = stablehlo.multiply %y, %two : tensor<2x4x8xf32>
  %h1 = stablehlo.add %h, %z : tensor<2x4x8xf32>
  %l = boost.linear %h1, %table transposed : (tensor<2x4x8xf32>, tensor<16x8xf32>) -> tensor<2x4x16xf32>
  %loss, %lse = boost.cross_entropy %l, %ids : (tensor<2x4x16xf32>, tensor<2x4xi32>) -> (tensor<2x4xf32>, tensor<2x4xf32>)
  %sum = stablehlo.reduce(%loss init: %zero) applies stablehlo.add across dimensions = [0, 1]
      : (tensor<2x4xf32>, tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
}
