// RUN: boost-opt %s -boost-group-linears | FileCheck %s
// What cannot be packed, or does not belong together, stays.

// A weight that something else reads as well.
// CHECK-LABEL: func.func @read_elsewhere(
// CHECK-COUNT-2: boost.bottleneck
// CHECK:         return
func.func @read_elsewhere(%x: tensor<4x8xf32>,
    %a0: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "q.down">}, %b0: tensor<2x6xf32> {boost.tensor = #boost.tensor<param "q.up">},
    %a1: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "k.down">}, %b1: tensor<2x6xf32> {boost.tensor = #boost.tensor<param "k.up">})
    -> (tensor<4x6xf32>, tensor<4x6xf32>, tensor<2x6xf32>) {
  %q = boost.bottleneck %x down(%a0) up(%b0) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> -> tensor<4x6xf32>
  %k = boost.bottleneck %x down(%a1) up(%b1) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> -> tensor<4x6xf32>
  %t = stablehlo.tanh %b1 : tensor<2x6xf32>
  return %q, %k, %t : tensor<4x6xf32>, tensor<4x6xf32>, tensor<2x6xf32>
}

// One weight in two branches.
// CHECK-LABEL: func.func @tied(
// CHECK-COUNT-2: boost.bottleneck
// CHECK:         return
func.func @tied(%x: tensor<4x8xf32>,
    %a0: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "down">}, %b0: tensor<2x6xf32> {boost.tensor = #boost.tensor<param "q.up">},
    %b1: tensor<2x6xf32> {boost.tensor = #boost.tensor<param "k.up">}) -> (tensor<4x6xf32>, tensor<4x6xf32>) {
  %q = boost.bottleneck %x down(%a0) up(%b0) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> -> tensor<4x6xf32>
  %k = boost.bottleneck %x down(%a0) up(%b1) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> -> tensor<4x6xf32>
  return %q, %k : tensor<4x6xf32>, tensor<4x6xf32>
}

// Two groups of the same factors, in another order: a pack has one.
// CHECK-LABEL: func.func @another_order(
// CHECK-COUNT-4: boost.bottleneck
// CHECK:         return
func.func @another_order(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>,
    %a0: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "q.down">}, %b0: tensor<2x8xf32> {boost.tensor = #boost.tensor<param "q.up">},
    %a1: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "k.down">}, %b1: tensor<2x8xf32> {boost.tensor = #boost.tensor<param "k.up">})
    -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  %q = boost.bottleneck %x down(%a0) up(%b0) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x8xf32> -> tensor<4x8xf32>
  %k = boost.bottleneck %x down(%a1) up(%b1) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x8xf32> -> tensor<4x8xf32>
  %l = boost.bottleneck %y down(%a1) up(%b1) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x8xf32> -> tensor<4x8xf32>
  %p = boost.bottleneck %y down(%a0) up(%b0) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x8xf32> -> tensor<4x8xf32>
  return %q, %k, %l, %p : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}

// Another activation, and a latent that is only known later.
// CHECK-LABEL: func.func @different(
// CHECK-COUNT-3: boost.bottleneck
// CHECK:         return
func.func @different(%x: tensor<4x8xf32>,
    %a0: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "0.down">}, %b0: tensor<2x6xf32> {boost.tensor = #boost.tensor<param "0.up">},
    %a1: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "1.down">}, %b1: tensor<2x6xf32> {boost.tensor = #boost.tensor<param "1.up">},
    %a2: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "2.down">}, %b2: tensor<2x6xf32> {boost.tensor = #boost.tensor<param "2.up">})
    -> (tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>) {
  %y0 = boost.bottleneck %x down(%a0) up(%b0) activation(silu) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> -> tensor<4x6xf32>
  %y1, %l = boost.bottleneck %x down(%a1) up(%b1) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> -> tensor<4x6xf32> latent tensor<4x2xf32>
  %y2 = boost.bottleneck %x down(%a2) up(%b2) latent(%l) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> latent tensor<4x2xf32> -> tensor<4x6xf32>
  return %y0, %y1, %y2 : tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>
}

// A placement was chosen already.
// CHECK-LABEL: func.func @placed(
// CHECK-COUNT-2: boost.bottleneck
// CHECK:         return
func.func @placed(%x: tensor<4x8xf32>,
    %a0: tensor<8x2xf32> {boost.sharding = #boost.sharding<{}, {}>, boost.tensor = #boost.tensor<param "q.down">}, %b0: tensor<2x6xf32> {boost.tensor = #boost.tensor<param "q.up">},
    %a1: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "k.down">}, %b1: tensor<2x6xf32> {boost.tensor = #boost.tensor<param "k.up">})
    -> (tensor<4x6xf32>, tensor<4x6xf32>) {
  %q = boost.bottleneck %x down(%a0) up(%b0) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> -> tensor<4x6xf32>
  %k = boost.bottleneck %x down(%a1) up(%b1) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> -> tensor<4x6xf32>
  return %q, %k : tensor<4x6xf32>, tensor<4x6xf32>
}

// A factor whose placement the program hints at.
// CHECK-LABEL: func.func @hinted(
// CHECK-COUNT-2: boost.bottleneck
// CHECK:         return
func.func @hinted(%x: tensor<4x8xf32>,
    %a0: tensor<8x2xf32> {boost.hint = [[], ["tp=2"]], boost.tensor = #boost.tensor<param "q.down">}, %b0: tensor<2x6xf32> {boost.tensor = #boost.tensor<param "q.up">},
    %a1: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "k.down">}, %b1: tensor<2x6xf32> {boost.tensor = #boost.tensor<param "k.up">})
    -> (tensor<4x6xf32>, tensor<4x6xf32>) {
  %q = boost.bottleneck %x down(%a0) up(%b0) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> -> tensor<4x6xf32>
  %k = boost.bottleneck %x down(%a1) up(%b1) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> -> tensor<4x6xf32>
  return %q, %k : tensor<4x6xf32>, tensor<4x6xf32>
}

// Weights of which one decays and the other does not: one update moves what is
// packed.
// CHECK-LABEL: func.func @one_decays(
// CHECK-COUNT-2: boost.bottleneck
// CHECK:         return
func.func @one_decays(%x: tensor<4x8xf32>,
    %a0: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "q.down", decay = true>},
    %b0: tensor<2x6xf32> {boost.tensor = #boost.tensor<param "q.up", decay = true>},
    %a1: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "k.down", decay = false>},
    %b1: tensor<2x6xf32> {boost.tensor = #boost.tensor<param "k.up", decay = true>})
    -> (tensor<4x6xf32>, tensor<4x6xf32>) {
  %q = boost.bottleneck %x down(%a0) up(%b0) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> -> tensor<4x6xf32>
  %k = boost.bottleneck %x down(%a1) up(%b1) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> -> tensor<4x6xf32>
  return %q, %k : tensor<4x6xf32>, tensor<4x6xf32>
}

// Its transpose is read by something else.
// CHECK-LABEL: func.func @transpose_read_elsewhere(
// CHECK-COUNT-2: boost.bottleneck
// CHECK:         return
func.func @transpose_read_elsewhere(%x: tensor<4x8xf32>,
    %a: tensor<2x8xf32> {boost.tensor = #boost.tensor<param "a.0">}, %b: tensor<2x6xf32> {boost.tensor = #boost.tensor<param "a.1">},
    %c: tensor<2x8xf32> {boost.tensor = #boost.tensor<param "c.0">}, %d: tensor<2x6xf32> {boost.tensor = #boost.tensor<param "c.1">}) -> (tensor<4x6xf32>, tensor<4x6xf32>, tensor<8x2xf32>) {
  %at = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x8xf32>) -> tensor<8x2xf32>
  %ct = stablehlo.transpose %c, dims = [1, 0] : (tensor<2x8xf32>) -> tensor<8x2xf32>
  %0 = boost.bottleneck %x down(%at) up(%b) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> -> tensor<4x6xf32>
  %1 = boost.bottleneck %x down(%ct) up(%d) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> -> tensor<4x6xf32>
  %2 = stablehlo.negate %at : tensor<8x2xf32>
  return %0, %1, %2 : tensor<4x6xf32>, tensor<4x6xf32>, tensor<8x2xf32>
}
