// RUN: boost-opt %s -split-input-file -boost-differentiate | FileCheck %s

// A linear: the gradient of its input is a linear with the weight the other way
// round, that of its weight is laid out as the weight is.

// CHECK-LABEL: func @gradient
// CHECK-SAME:    %[[X:.*]]: tensor<2x3x4xf32> {{{[^%]*}}, %[[W:.*]]: tensor<4x5xf32> {{{[^%]*}}, %[[T:.*]]: tensor<4x5xf32> {
// CHECK:         %[[H:.*]] = boost.linear %[[X]], %[[W]] :
// CHECK:         boost.phase backward
// CHECK:         %[[G:.*]] = stablehlo.broadcast_in_dim
// CHECK:         %[[GH:.*]] = boost.linear %[[G]], %[[T]] : (tensor<2x3x4xf32>, tensor<4x5xf32>)
// CHECK:         %[[GT:.*]] = stablehlo.dot_general %[[G]], %[[H]], contracting_dims = [0, 1] x [0, 1] {{.*}} -> tensor<4x5xf32>
// CHECK:         %[[GX:.*]] = boost.linear %[[GH]], %[[W]] transposed
// CHECK:         %[[GW:.*]] = stablehlo.dot_general %[[X]], %[[GH]], contracting_dims = [0, 1] x [0, 1] {{.*}} -> tensor<4x5xf32>
// CHECK:         return %{{.*}}, %[[GX]], %[[GW]], %[[GT]]
func.func @loss(%x: tensor<2x3x4xf32> {boost.tensor = #boost.tensor<param "x">}, %w: tensor<4x5xf32> {boost.tensor = #boost.tensor<param "w">},
                %t: tensor<4x5xf32> {boost.tensor = #boost.tensor<param "t">}) -> tensor<f32> {
  %0 = boost.linear %x, %w : (tensor<2x3x4xf32>, tensor<4x5xf32>) -> tensor<2x3x5xf32>
  %1 = boost.linear %0, %t transposed : (tensor<2x3x5xf32>, tensor<4x5xf32>) -> tensor<2x3x4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0, 1, 2]
      : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<f32>
  return %2 : tensor<f32>
}

// -----

// A linear of bf16 with an f32 result: products of the f32 gradient are f32, and
// what leaves is bf16.

// CHECK-LABEL: func @gradient
// CHECK-SAME:    %[[X:.*]]: tensor<2x4xbf16> {{{[^%]*}}, %[[W:.*]]: tensor<4x5xbf16> {
// CHECK:         boost.phase backward
// CHECK:         %[[G:.*]] = stablehlo.broadcast_in_dim
// CHECK:         %[[WIDE:.*]] = stablehlo.convert %[[W]] : (tensor<4x5xbf16>) -> tensor<4x5xf32>
// CHECK:         %[[GX:.*]] = boost.linear %[[G]], %[[WIDE]] transposed : {{.*}} -> tensor<2x4xf32>
// CHECK:         stablehlo.convert %[[GX]] : (tensor<2x4xf32>) -> tensor<2x4xbf16>
func.func @loss(%x: tensor<2x4xbf16> {boost.tensor = #boost.tensor<param "x">},
                %w: tensor<4x5xbf16> {boost.tensor = #boost.tensor<param "w">}) -> tensor<f32> {
  %0 = boost.linear %x, %w : (tensor<2x4xbf16>, tensor<4x5xbf16>) -> tensor<2x5xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 1]
      : (tensor<2x5xf32>, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}

// -----

// Embedding, attention and cross entropy have gradient operations of their own,
// which read what the forward pass kept.

// CHECK-LABEL: func @gradient
// CHECK-SAME:    %[[T:.*]]: tensor<16x8xf32> {{{[^%]*}}, %[[IDS:.*]]: tensor<2x4xi32> {
// CHECK:         %[[Q:.*]] = stablehlo.reshape
// CHECK:         %[[O:.*]], %[[LSE:.*]] = boost.attention %[[Q]], %[[Q]], %[[Q]] causal
// CHECK:         %[[LOGITS:.*]] = stablehlo.reshape %[[O]]
// CHECK:         %{{.*}}, %[[CE:.*]] = boost.cross_entropy %[[LOGITS]], %[[IDS]]
// CHECK:         boost.phase backward
// CHECK:         %[[G:.*]] = boost.cross_entropy_grad %[[LOGITS]], %[[IDS]], %[[CE]], %{{.*}} :
// CHECK:         %[[GO:.*]] = stablehlo.reshape %[[G]]
// CHECK:         %[[DQ:.*]], %[[DK:.*]], %[[DV:.*]] = boost.attention_grad %[[Q]], %[[Q]], %[[Q]] of %[[O]], %[[LSE]] grad %[[GO]] causal {scale = 5.000000e-01 : f64}
// CHECK:         %[[QK:.*]] = stablehlo.add %[[DQ]], %[[DK]]
// CHECK:         %[[QKV:.*]] = stablehlo.add %[[QK]], %[[DV]]
// CHECK:         %[[GE:.*]] = stablehlo.reshape %[[QKV]]
// CHECK:         %[[GT:.*]] = boost.embedding_grad %[[IDS]], %[[GE]] : (tensor<2x4xi32>, tensor<2x4x8xf32>) -> tensor<16x8xf32>
// CHECK:         return %{{.*}}, %[[GT]]
func.func @loss(%t: tensor<16x8xf32> {boost.tensor = #boost.tensor<param "t">},
                %ids: tensor<2x4xi32> {boost.tensor = #boost.tensor<batch "ids">}) -> tensor<f32> {
  %0 = boost.embedding %t, %ids : (tensor<16x8xf32>, tensor<2x4xi32>) -> tensor<2x4x8xf32>
  %q = stablehlo.reshape %0 : (tensor<2x4x8xf32>) -> tensor<2x4x2x4xf32>
  %o, %lse = boost.attention %q, %q, %q causal {scale = 0.5 : f64}
      : (tensor<2x4x2x4xf32>, tensor<2x4x2x4xf32>, tensor<2x4x2x4xf32>)
      -> (tensor<2x4x2x4xf32>, tensor<2x2x4xf32>)
  %logits = stablehlo.reshape %o : (tensor<2x4x2x4xf32>) -> tensor<2x4x8xf32>
  %ce, %s = boost.cross_entropy %logits, %ids
      : (tensor<2x4x8xf32>, tensor<2x4xi32>) -> (tensor<2x4xf32>, tensor<2x4xf32>)
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %1 = stablehlo.reduce(%ce init: %zero) applies stablehlo.add across dimensions = [0, 1]
      : (tensor<2x4xf32>, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
