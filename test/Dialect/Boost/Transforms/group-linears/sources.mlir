// RUN: boost-opt %s -boost-group-linears | FileCheck %s
// Factors that are no parameter, and no layer of one, are not packed.

// CHECK-LABEL: func.func private @declared(
func.func private @declared(tensor<4x8xf32>) -> tensor<4x6xf32>

// CHECK-LABEL: func.func @computed(
// CHECK-COUNT-2: boost.bottleneck
// CHECK:         return
func.func @computed(%x: tensor<4x8xf32>,
    %a0: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "q.down">}, %b0: tensor<2x6xf32> {boost.tensor = #boost.tensor<param "q.up">},
    %a1: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "k.down">}, %b1: tensor<2x6xf32> {boost.tensor = #boost.tensor<param "k.up">})
    -> (tensor<4x6xf32>, tensor<4x6xf32>) {
  %t0 = stablehlo.tanh %a0 : tensor<8x2xf32>
  %t1 = stablehlo.tanh %a1 : tensor<8x2xf32>
  %q = boost.bottleneck %x down(%t0) up(%b0) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> -> tensor<4x6xf32>
  %k = boost.bottleneck %x down(%t1) up(%b1) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> -> tensor<4x6xf32>
  return %q, %k : tensor<4x6xf32>, tensor<4x6xf32>
}

// A vector in the shape of a matrix, and a part of one.
// CHECK-LABEL: func.func @vectors(
// CHECK-COUNT-2: boost.bottleneck
// CHECK:         return
func.func @vectors(%x: tensor<4x8xf32>,
    %a0: tensor<16xf32> {boost.tensor = #boost.tensor<param "q.down">}, %b0: tensor<2x6xf32> {boost.tensor = #boost.tensor<param "q.up">},
    %a1: tensor<32xf32> {boost.tensor = #boost.tensor<param "k.down">}, %b1: tensor<2x6xf32> {boost.tensor = #boost.tensor<param "k.up">})
    -> (tensor<4x6xf32>, tensor<4x6xf32>) {
  %r0 = stablehlo.reshape %a0 : (tensor<16xf32>) -> tensor<8x2xf32>
  %s1 = stablehlo.slice %a1 [0:16] : (tensor<32xf32>) -> tensor<16xf32>
  %r1 = stablehlo.reshape %s1 : (tensor<16xf32>) -> tensor<8x2xf32>
  %q = boost.bottleneck %x down(%r1) up(%b0) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> -> tensor<4x6xf32>
  %k = boost.bottleneck %x down(%r0) up(%b1) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> -> tensor<4x6xf32>
  return %q, %k : tensor<4x6xf32>, tensor<4x6xf32>
}

// CHECK-LABEL: func.func @reshaped(
// CHECK-COUNT-2: boost.bottleneck
// CHECK:         return
func.func @reshaped(%x: tensor<4x8xf32>,
    %a0: tensor<16xf32> {boost.tensor = #boost.tensor<param "q.down">}, %b0: tensor<2x6xf32> {boost.tensor = #boost.tensor<param "q.up">},
    %a1: tensor<16xf32> {boost.tensor = #boost.tensor<param "k.down">}, %b1: tensor<2x6xf32> {boost.tensor = #boost.tensor<param "k.up">})
    -> (tensor<4x6xf32>, tensor<4x6xf32>) {
  %r0 = stablehlo.reshape %a0 : (tensor<16xf32>) -> tensor<8x2xf32>
  %r1 = stablehlo.reshape %a1 : (tensor<16xf32>) -> tensor<8x2xf32>
  %q = boost.bottleneck %x down(%r0) up(%b0) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> -> tensor<4x6xf32>
  %k = boost.bottleneck %x down(%r1) up(%b1) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> -> tensor<4x6xf32>
  return %q, %k : tensor<4x6xf32>, tensor<4x6xf32>
}

// Half of the rows of a layer.
// CHECK-LABEL: func.func @half_a_layer(
// CHECK-COUNT-2: boost.bottleneck
// CHECK:         return
func.func @half_a_layer(%x: tensor<4x8xf32>,
    %a0: tensor<3x16x2xf32> {boost.tensor = #boost.tensor<param "q.down">}, %b0: tensor<2x6xf32> {boost.tensor = #boost.tensor<param "q.up">},
    %a1: tensor<3x16x2xf32> {boost.tensor = #boost.tensor<param "k.down">}, %b1: tensor<2x6xf32> {boost.tensor = #boost.tensor<param "k.up">})
    -> (tensor<4x6xf32>, tensor<4x6xf32>) {
  %s0 = stablehlo.slice %a0 [1:2, 0:8, 0:2] : (tensor<3x16x2xf32>) -> tensor<1x8x2xf32>
  %r0 = stablehlo.reshape %s0 : (tensor<1x8x2xf32>) -> tensor<8x2xf32>
  %s1 = stablehlo.slice %a1 [1:2, 0:8, 0:2] : (tensor<3x16x2xf32>) -> tensor<1x8x2xf32>
  %r1 = stablehlo.reshape %s1 : (tensor<1x8x2xf32>) -> tensor<8x2xf32>
  %q = boost.bottleneck %x down(%r0) up(%b0) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> -> tensor<4x6xf32>
  %k = boost.bottleneck %x down(%r1) up(%b1) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> -> tensor<4x6xf32>
  return %q, %k : tensor<4x6xf32>, tensor<4x6xf32>
}

// The same parameters are read as first factors and as second ones.
// CHECK-LABEL: func.func @down_and_up(
// CHECK-COUNT-4: boost.bottleneck
// CHECK:         return
func.func @down_and_up(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>,
    %a0: tensor<8x8xf32> {boost.tensor = #boost.tensor<param "a.0">}, %b0: tensor<8x8xf32> {boost.tensor = #boost.tensor<param "b.0">},
    %a1: tensor<8x8xf32> {boost.tensor = #boost.tensor<param "a.1">}, %b1: tensor<8x8xf32> {boost.tensor = #boost.tensor<param "b.1">},
    %c0: tensor<8x8xf32> {boost.tensor = #boost.tensor<param "c.0">}, %c1: tensor<8x8xf32> {boost.tensor = #boost.tensor<param "c.1">})
    -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = boost.bottleneck %x down(%a0) up(%b0) : tensor<4x8xf32> down tensor<8x8xf32> up tensor<8x8xf32> -> tensor<4x8xf32>
  %1 = boost.bottleneck %x down(%a1) up(%b1) : tensor<4x8xf32> down tensor<8x8xf32> up tensor<8x8xf32> -> tensor<4x8xf32>
  %2 = boost.bottleneck %y down(%c0) up(%a0) : tensor<4x8xf32> down tensor<8x8xf32> up tensor<8x8xf32> -> tensor<4x8xf32>
  %3 = boost.bottleneck %y down(%c1) up(%a1) : tensor<4x8xf32> down tensor<8x8xf32> up tensor<8x8xf32> -> tensor<4x8xf32>
  return %0, %1, %2, %3 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}

// A transposed second factor that something before the group reads as
// well stays where it is.
// CHECK-LABEL: func.func @read_before(
// CHECK:         %[[T:.*]] = stablehlo.transpose
// CHECK-NEXT:    stablehlo.tanh %[[T]]
// CHECK-NEXT:    %[[U:.*]] = stablehlo.transpose
// CHECK-NEXT:    boost.bottleneck {{.*}} up(%[[T]], %[[U]])
func.func @read_before(%x: tensor<4x8xf32>,
    %a0: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "q.down">}, %b0: tensor<6x2xf32> {boost.tensor = #boost.tensor<param "q.up">},
    %a1: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "k.down">}, %b1: tensor<4x2xf32> {boost.tensor = #boost.tensor<param "k.up">})
    -> (tensor<4x6xf32>, tensor<4x4xf32>, tensor<2x6xf32>) {
  %u0 = stablehlo.transpose %b0, dims = [1, 0] : (tensor<6x2xf32>) -> tensor<2x6xf32>
  %t = stablehlo.tanh %u0 : tensor<2x6xf32>
  %q = boost.bottleneck %x down(%a0) up(%u0) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> -> tensor<4x6xf32>
  %u1 = stablehlo.transpose %b1, dims = [1, 0] : (tensor<4x2xf32>) -> tensor<2x4xf32>
  %k = boost.bottleneck %x down(%a1) up(%u1) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x4xf32> -> tensor<4x4xf32>
  return %q, %k, %t : tensor<4x6xf32>, tensor<4x4xf32>, tensor<2x6xf32>
}

// A second factor that is computed of two operands behind the first bottleneck.
// CHECK-LABEL: func.func @up_of_two(
// CHECK-COUNT-2: boost.bottleneck
// CHECK:         return
func.func @up_of_two(%x: tensor<4x8xf32>,
    %a0: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "q.down">}, %b0: tensor<2x6xf32> {boost.tensor = #boost.tensor<param "q.up">},
    %a1: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "k.down">}, %b1: tensor<2x4xf32> {boost.tensor = #boost.tensor<param "k.up">})
    -> (tensor<4x6xf32>, tensor<4x4xf32>) {
  %q = boost.bottleneck %x down(%a0) up(%b0) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> -> tensor<4x6xf32>
  %u = stablehlo.multiply %b1, %b1 : tensor<2x4xf32>
  %k = boost.bottleneck %x down(%a1) up(%u) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x4xf32> -> tensor<4x4xf32>
  return %q, %k : tensor<4x6xf32>, tensor<4x4xf32>
}

// Each has second factors of two shapes already.
// CHECK-LABEL: func.func @grouped_already(
// CHECK-COUNT-2: boost.bottleneck
// CHECK:         return
func.func @grouped_already(%x: tensor<4x8xf32>,
    %a0: tensor<8x4xf32> {boost.tensor = #boost.tensor<param "0.down">}, %b0: tensor<2x6xf32> {boost.tensor = #boost.tensor<param "0.q">}, %c0: tensor<2x4xf32> {boost.tensor = #boost.tensor<param "0.k">},
    %a1: tensor<8x4xf32> {boost.tensor = #boost.tensor<param "1.down">}, %b1: tensor<2x6xf32> {boost.tensor = #boost.tensor<param "1.q">}, %c1: tensor<2x4xf32> {boost.tensor = #boost.tensor<param "1.k">})
    -> (tensor<4x6xf32>, tensor<4x4xf32>, tensor<4x6xf32>, tensor<4x4xf32>) {
  %0:2 = boost.bottleneck %x down(%a0) up(%b0, %c0) : tensor<4x8xf32> down tensor<8x4xf32> up tensor<2x6xf32>, tensor<2x4xf32> -> tensor<4x6xf32>, tensor<4x4xf32>
  %1:2 = boost.bottleneck %x down(%a1) up(%b1, %c1) : tensor<4x8xf32> down tensor<8x4xf32> up tensor<2x6xf32>, tensor<2x4xf32> -> tensor<4x6xf32>, tensor<4x4xf32>
  return %0#0, %0#1, %1#0, %1#1 : tensor<4x6xf32>, tensor<4x4xf32>, tensor<4x6xf32>, tensor<4x4xf32>
}
