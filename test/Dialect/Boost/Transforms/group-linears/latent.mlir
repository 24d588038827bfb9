// RUN: boost-opt %s -boost-group-linears -canonicalize -o %t
// RUN: FileCheck %s < %t
// RUN: boost-opt %t -boost-decompose-pipeline -o %t.decomposed
// RUN: boost-eval --compare --every-function %s %t
// RUN: boost-eval --compare %s %t.decomposed --function=two_blocks
// RUN: boost-eval --compare %s %t.decomposed --function=two_blocks_of_unequal_ranks
// LaX: the second block adds the latents of the first. The grouped latent goes
// from one to the other as it is.

// CHECK-LABEL: func.func @two_blocks(
// CHECK:         %{{.*}}, %[[L:.*]] = boost.bottleneck %{{.*}} down(%{{.*}}) up(%{{.*}})
// CHECK-SAME:      -> tensor<2x4x6xf32> latent tensor<4x2x2xf32>
// CHECK-NOT:     concatenate
// CHECK:         boost.bottleneck %{{.*}} down(%{{.*}}) up(%{{.*}}) latent(%[[L]])
// CHECK-SAME:      latent tensor<4x2x2xf32> -> tensor<2x4x6xf32>
func.func @two_blocks(%x: tensor<4x8xf32> {boost.tensor = #boost.tensor<param "x">},
    %a0: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "0.q.down">}, %b0: tensor<2x6xf32> {boost.tensor = #boost.tensor<param "0.q.up">},
    %a1: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "0.k.down">}, %b1: tensor<2x6xf32> {boost.tensor = #boost.tensor<param "0.k.up">},
    %y: tensor<4x8xf32> {boost.tensor = #boost.tensor<param "y">},
    %a2: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "1.q.down">}, %b2: tensor<2x6xf32> {boost.tensor = #boost.tensor<param "1.q.up">},
    %a3: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "1.k.down">}, %b3: tensor<2x6xf32> {boost.tensor = #boost.tensor<param "1.k.up">})
    -> (tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>) {
  %q0, %l0 = boost.bottleneck %x down(%a0) up(%b0) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> -> tensor<4x6xf32> latent tensor<4x2xf32>
  %k0, %l1 = boost.bottleneck %x down(%a1) up(%b1) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> -> tensor<4x6xf32> latent tensor<4x2xf32>
  %q1 = boost.bottleneck %y down(%a2) up(%b2) latent(%l0) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> latent tensor<4x2xf32> -> tensor<4x6xf32>
  %k1 = boost.bottleneck %y down(%a3) up(%b3) latent(%l1) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> latent tensor<4x2xf32> -> tensor<4x6xf32>
  return %q0, %k0, %q1, %k1 : tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>
}

// Only the latent of the second is read: it stands behind that of the first.
// CHECK-LABEL: func.func @second_latent(
// CHECK:         %{{.*}}, %[[L:.*]] = boost.bottleneck
// CHECK-SAME:      latent tensor<4x2x2xf32>
// CHECK:         stablehlo.slice %[[L]] [0:4, 1:2, 0:2]
func.func @second_latent(%x: tensor<4x8xf32> {boost.tensor = #boost.tensor<param "x">},
    %a0: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "q.down">}, %b0: tensor<2x6xf32> {boost.tensor = #boost.tensor<param "q.up">},
    %a1: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "k.down">}, %b1: tensor<2x6xf32> {boost.tensor = #boost.tensor<param "k.up">})
    -> (tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x2xf32>) {
  %q = boost.bottleneck %x down(%a0) up(%b0) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> -> tensor<4x6xf32>
  %k, %l = boost.bottleneck %x down(%a1) up(%b1) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> -> tensor<4x6xf32> latent tensor<4x2xf32>
  return %q, %k, %l : tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x2xf32>
}

// CHECK-LABEL: func.func @second_latent_of_another_rank(
// CHECK:         %{{.*}}, %[[L:.*]] = boost.bottleneck
// CHECK-SAME:      latent tensor<4x5xf32>
// CHECK:         stablehlo.slice %[[L]] [0:4, 2:5]
func.func @second_latent_of_another_rank(%x: tensor<4x8xf32> {boost.tensor = #boost.tensor<param "x">},
    %a0: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "q.down">}, %b0: tensor<2x6xf32> {boost.tensor = #boost.tensor<param "q.up">},
    %a1: tensor<8x3xf32> {boost.tensor = #boost.tensor<param "k.down">}, %b1: tensor<3x6xf32> {boost.tensor = #boost.tensor<param "k.up">})
    -> (tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x3xf32>) {
  %q = boost.bottleneck %x down(%a0) up(%b0) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> -> tensor<4x6xf32>
  %k, %l = boost.bottleneck %x down(%a1) up(%b1) : tensor<4x8xf32> down tensor<8x3xf32> up tensor<3x6xf32> -> tensor<4x6xf32> latent tensor<4x3xf32>
  return %q, %k, %l : tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x3xf32>
}

// Latents of unequal ranks lie behind each other.
// CHECK-LABEL: func.func @two_blocks_of_unequal_ranks(
// CHECK:         %{{.*}}, %[[L:.*]] = boost.bottleneck %{{.*}} down(%{{.*}}) up(
// CHECK-SAME:      latent tensor<4x5xf32>
// CHECK:         boost.bottleneck {{.*}} latent(%[[L]])
// CHECK-SAME:      latent tensor<4x5xf32> -> tensor<4x6xf32>, tensor<4x6xf32>
func.func @two_blocks_of_unequal_ranks(%x: tensor<4x8xf32> {boost.tensor = #boost.tensor<param "x">},
    %a0: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "0.q.down">}, %b0: tensor<2x6xf32> {boost.tensor = #boost.tensor<param "0.q.up">},
    %a1: tensor<8x3xf32> {boost.tensor = #boost.tensor<param "0.k.down">}, %b1: tensor<3x6xf32> {boost.tensor = #boost.tensor<param "0.k.up">},
    %y: tensor<4x8xf32> {boost.tensor = #boost.tensor<param "y">},
    %a2: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "1.q.down">}, %b2: tensor<2x6xf32> {boost.tensor = #boost.tensor<param "1.q.up">},
    %a3: tensor<8x3xf32> {boost.tensor = #boost.tensor<param "1.k.down">}, %b3: tensor<3x6xf32> {boost.tensor = #boost.tensor<param "1.k.up">})
    -> (tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>) {
  %q0, %l0 = boost.bottleneck %x down(%a0) up(%b0) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> -> tensor<4x6xf32> latent tensor<4x2xf32>
  %k0, %l1 = boost.bottleneck %x down(%a1) up(%b1) : tensor<4x8xf32> down tensor<8x3xf32> up tensor<3x6xf32> -> tensor<4x6xf32> latent tensor<4x3xf32>
  %q1 = boost.bottleneck %y down(%a2) up(%b2) latent(%l0) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> latent tensor<4x2xf32> -> tensor<4x6xf32>
  %k1 = boost.bottleneck %y down(%a3) up(%b3) latent(%l1) : tensor<4x8xf32> down tensor<8x3xf32> up tensor<3x6xf32> latent tensor<4x3xf32> -> tensor<4x6xf32>
  return %q0, %k0, %q1, %k1 : tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>
}
