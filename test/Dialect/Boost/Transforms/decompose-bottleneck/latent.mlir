// RUN: boost-opt %s -boost-decompose-bottleneck -o %t
// RUN: FileCheck %s < %t
// RUN: boost-eval --compare %s %t --function=latent
// The raw latent is what the next block adds, before the activation.

// CHECK-LABEL: func @latent
// CHECK-SAME:    %{{.*}}: tensor<2x4x8xf32>, %[[A:.*]]: tensor<8x2xf32>, %[[B:.*]]: tensor<2x8xf32>, %[[L:.*]]: tensor<2x4x2xf32>
func.func @latent(%x: tensor<2x4x8xf32>, %a: tensor<8x2xf32>, %b: tensor<2x8xf32>, %l: tensor<2x4x2xf32>)
    -> (tensor<2x4x8xf32>, tensor<2x4x2xf32>) {
  // CHECK: %[[H:.*]] = boost.linear %{{.*}}, %[[A]]
  // CHECK: %[[S:.*]] = stablehlo.add %[[H]], %[[L]]
  // CHECK: %[[G:.*]] = stablehlo.logistic %[[S]]
  // CHECK: %[[Z:.*]] = stablehlo.multiply %[[S]], %[[G]]
  // CHECK: %[[Y:.*]] = boost.linear %[[Z]], %[[B]]
  // CHECK: return %[[Y]], %[[H]]
  %y, %h = boost.bottleneck %x down(%a) up(%b) latent(%l) activation(silu)
      : tensor<2x4x8xf32> down tensor<8x2xf32> up tensor<2x8xf32> latent tensor<2x4x2xf32>
      -> tensor<2x4x8xf32> latent tensor<2x4x2xf32>
  return %y, %h : tensor<2x4x8xf32>, tensor<2x4x2xf32>
}
