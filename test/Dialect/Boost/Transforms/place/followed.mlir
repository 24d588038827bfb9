// RUN: boost-opt %s -split-input-file -boost-place="mesh=tp=2 placement=megatron" | FileCheck %s
// A parameter is found behind what a program does to it before a linear reads it. Where
// a part of the dimension was taken, it is sharded along another one.

// CHECK-LABEL: func @loss
// CHECK-SAME: boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<param "converted">
// CHECK-SAME: boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<param "scaled">
// CHECK-SAME: boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<param "moved">
// CHECK-SAME: boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<param "rows of it">
// CHECK-SAME: boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<param "columns of it">
// CHECK-SAME: boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<param "summed">
// CHECK-SAME: boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<param "added">
// CHECK-SAME: boost.sharding = #boost.sharding<{"tp"}>, boost.tensor = #boost.tensor<param "repeated">
// CHECK-SAME: boost.sharding = #boost.sharding<{}, {}>, boost.tensor = #boost.tensor<param "one">
// CHECK-SAME: boost.sharding = #boost.sharding<{}>, boost.tensor = #boost.tensor<param "of rows">
func.func @loss(%c: tensor<8x4xbf16> {boost.tensor = #boost.tensor<param "converted">},
                %s: tensor<8x4xf32> {boost.tensor = #boost.tensor<param "scaled">},
                %m: tensor<4x8xf32> {boost.tensor = #boost.tensor<param "moved">},
                %r: tensor<16x4xf32> {boost.tensor = #boost.tensor<param "rows of it">},
                %k: tensor<8x6xf32> {boost.tensor = #boost.tensor<param "columns of it">},
                %a: tensor<8x4xf32> {boost.tensor = #boost.tensor<param "summed">},
                %b: tensor<8x4xf32> {boost.tensor = #boost.tensor<param "added">},
                %p: tensor<4xf32> {boost.tensor = #boost.tensor<param "repeated">},
                %o: tensor<8x1xf32> {boost.tensor = #boost.tensor<param "one">},
                %q: tensor<8xf32> {boost.tensor = #boost.tensor<param "of rows">},
                %x: tensor<2x8xf32> {boost.tensor = #boost.tensor<batch "x">}) -> tensor<2x4xf32> {
  %c1 = stablehlo.convert %c : (tensor<8x4xbf16>) -> tensor<8x4xf32>
  %0 = boost.linear %x, %c1 : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
  %two = stablehlo.constant dense<2.0> : tensor<8x4xf32>
  %s1 = stablehlo.multiply %two, %s : tensor<8x4xf32>
  %s2 = stablehlo.divide %s1, %two : tensor<8x4xf32>
  %1 = boost.linear %x, %s2 : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
  %m1 = stablehlo.transpose %m, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  %2 = boost.linear %x, %m1 : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
  %r1 = stablehlo.slice %r [0:8, 0:4] : (tensor<16x4xf32>) -> tensor<8x4xf32>
  %3 = boost.linear %x, %r1 : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
  %k1 = stablehlo.slice %k [0:8, 0:4] : (tensor<8x6xf32>) -> tensor<8x4xf32>
  %4 = boost.linear %x, %k1 : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
  %a1 = stablehlo.add %a, %b : tensor<8x4xf32>
  %5 = boost.linear %x, %a1 : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
  %p1 = stablehlo.broadcast_in_dim %p, dims = [1] : (tensor<4xf32>) -> tensor<8x4xf32>
  %6 = boost.linear %x, %p1 : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
  %o1 = stablehlo.broadcast_in_dim %o, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x4xf32>
  %7 = boost.linear %x, %o1 : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
  %q1 = stablehlo.broadcast_in_dim %q, dims = [0] : (tensor<8xf32>) -> tensor<8x4xf32>
  %8 = boost.linear %x, %q1 : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
  return %8 : tensor<2x4xf32>
}

// -----

// Reshapes: of a dimension that is split up the outermost part, of several that are
// merged the outermost. What is in the middle of one is sharded along its outermost part.
// CHECK-LABEL: func @loss
// CHECK-SAME: boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<param "unit">
// CHECK-SAME: boost.sharding = #boost.sharding<{}, {"tp"}, {}>, boost.tensor = #boost.tensor<param "heads">
// CHECK-SAME: boost.sharding = #boost.sharding<{"tp"}>, boost.tensor = #boost.tensor<param "flat">
// CHECK-SAME: boost.sharding = #boost.sharding<{"tp"}>, boost.tensor = #boost.tensor<param "flat rows">
// CHECK-SAME: boost.sharding = #boost.sharding<{}, {"tp"}, {}>, boost.tensor = #boost.tensor<param "of one head">
func.func @loss(%u: tensor<8x4xf32> {boost.tensor = #boost.tensor<param "unit">},
                %h: tensor<8x2x2xf32> {boost.tensor = #boost.tensor<param "heads">},
                %f: tensor<32xf32> {boost.tensor = #boost.tensor<param "flat">},
                %g: tensor<32xf32> {boost.tensor = #boost.tensor<param "flat rows">},
                %o: tensor<8x4x1xf32> {boost.tensor = #boost.tensor<param "of one head">},
                %x: tensor<2x8xf32> {boost.tensor = #boost.tensor<batch "x">}) -> (tensor<2x8xf32>, tensor<2x4xf32>) {
  %u1 = stablehlo.reshape %u : (tensor<8x4xf32>) -> tensor<1x8x1x4xf32>
  %u2 = stablehlo.reshape %u1 : (tensor<1x8x1x4xf32>) -> tensor<8x4xf32>
  %0 = boost.linear %x, %u2 : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
  %h1 = stablehlo.reshape %h : (tensor<8x2x2xf32>) -> tensor<8x4xf32>
  %1 = boost.linear %x, %h1 : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
  %f1 = stablehlo.reshape %f : (tensor<32xf32>) -> tensor<8x4xf32>
  %2 = boost.linear %x, %f1 : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
  %g1 = stablehlo.reshape %g : (tensor<32xf32>) -> tensor<4x8xf32>
  %3 = boost.linear %2, %g1 : (tensor<2x4xf32>, tensor<4x8xf32>) -> tensor<2x8xf32>
  %o1 = stablehlo.reshape %o : (tensor<8x4x1xf32>) -> tensor<8x4xf32>
  %4 = boost.linear %x, %o1 : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
  return %3, %4 : tensor<2x8xf32>, tensor<2x4xf32>
}

// -----

// Which linears alternate: values are followed through transposes, reshapes, broadcasts and
// elementwise operations; a norm ends it.
// CHECK-LABEL: func @loss
// CHECK-SAME: boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<param "first">
// CHECK-SAME: boost.sharding = #boost.sharding<{"tp"}>, boost.tensor = #boost.tensor<param "bias">
// CHECK-SAME: boost.reason = "what is added to a sharded value, or scales it: sharded like it", boost.sharding = #boost.sharding<{"tp"}>, boost.tensor = #boost.tensor<param "bias before">
// CHECK-SAME: boost.sharding = #boost.sharding<{}>, boost.tensor = #boost.tensor<param "bias of all">
// CHECK-SAME: boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<param "second">
// CHECK-SAME: boost.sharding = #boost.sharding<{}>, boost.tensor = #boost.tensor<param "bias of sums">
// CHECK-SAME: boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<param "third">
// CHECK-SAME: boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<param "behind norm">
func.func @loss(%a: tensor<8x4xf32> {boost.tensor = #boost.tensor<param "first">},
                %ba: tensor<4xf32> {boost.tensor = #boost.tensor<param "bias">},
                %bb: tensor<4xf32> {boost.tensor = #boost.tensor<param "bias before">},
                %bc: tensor<2xf32> {boost.tensor = #boost.tensor<param "bias of all">},
                %b: tensor<4x8xf32> {boost.tensor = #boost.tensor<param "second">},
                %bd: tensor<8xf32> {boost.tensor = #boost.tensor<param "bias of sums">},
                %c: tensor<8x4xf32> {boost.tensor = #boost.tensor<param "third">},
                %n: tensor<4x4xf32> {boost.tensor = #boost.tensor<param "behind norm">},
                %g: tensor<4xf32> {boost.tensor = #boost.tensor<param "gamma">},
                %x: tensor<2x8xf32> {boost.tensor = #boost.tensor<batch "x">}) -> tensor<2x4xf32> {
  %0 = boost.linear %x, %a : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
  %ba1 = stablehlo.broadcast_in_dim %ba, dims = [1] : (tensor<4xf32>) -> tensor<2x4xf32>
  %1 = stablehlo.add %0, %ba1 : tensor<2x4xf32>
  %bb1 = stablehlo.broadcast_in_dim %bb, dims = [1] : (tensor<4xf32>) -> tensor<2x4xf32>
  %2 = stablehlo.multiply %bb1, %1 : tensor<2x4xf32>
  %bc1 = stablehlo.broadcast_in_dim %bc, dims = [0] : (tensor<2xf32>) -> tensor<2x4xf32>
  %3 = stablehlo.add %2, %bc1 : tensor<2x4xf32>
  %t = stablehlo.transpose %3, dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
  %r = stablehlo.broadcast_in_dim %t, dims = [2, 0] : (tensor<4x2xf32>) -> tensor<2x1x4xf32>
  %f = stablehlo.reshape %r : (tensor<2x1x4xf32>) -> tensor<2x4xf32>
  %4 = boost.linear %f, %b : (tensor<2x4xf32>, tensor<4x8xf32>) -> tensor<2x8xf32>
  %bd1 = stablehlo.broadcast_in_dim %bd, dims = [1] : (tensor<8xf32>) -> tensor<2x8xf32>
  %5 = stablehlo.add %4, %bd1 : tensor<2x8xf32>
  %6 = boost.linear %5, %c : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
  %7 = boost.rms_norm %6, %g {eps = 1.0e-6 : f64} : tensor<2x4xf32>, tensor<4xf32>
  %8 = boost.linear %7, %n : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  return %8 : tensor<2x4xf32>
}

// -----

// Which dimension is sharded is followed too: what is added on the way is sharded along it.
// CHECK-LABEL: func @loss
// CHECK-SAME: boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<param "first">
// CHECK-SAME: boost.sharding = #boost.sharding<{"tp"}>, boost.tensor = #boost.tensor<param "behind transpose">
// CHECK-SAME: boost.sharding = #boost.sharding<{"tp"}>, boost.tensor = #boost.tensor<param "behind broadcast">
// CHECK-SAME: boost.sharding = #boost.sharding<{"tp"}>, boost.tensor = #boost.tensor<param "behind reshape">
// CHECK-SAME: boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<param "of heads">
// CHECK-SAME: boost.sharding = #boost.sharding<{"tp"}>, boost.tensor = #boost.tensor<param "of merged heads">
// CHECK-SAME: boost.sharding = #boost.sharding<{"tp"}>, boost.tensor = #boost.tensor<param "of rows">
// CHECK-SAME: boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<param "inner">
func.func @loss(%a: tensor<8x4xf32> {boost.tensor = #boost.tensor<param "first">},
                %bt: tensor<4xf32> {boost.tensor = #boost.tensor<param "behind transpose">},
                %bb: tensor<4xf32> {boost.tensor = #boost.tensor<param "behind broadcast">},
                %br: tensor<4xf32> {boost.tensor = #boost.tensor<param "behind reshape">},
                %bh: tensor<2x2xf32> {boost.tensor = #boost.tensor<param "of heads">},
                %bm: tensor<4xf32> {boost.tensor = #boost.tensor<param "of merged heads">},
                %bs: tensor<4xf32> {boost.tensor = #boost.tensor<param "of rows">},
                %i: tensor<8x4xf32> {boost.tensor = #boost.tensor<param "inner">},
                %x: tensor<2x8xf32> {boost.tensor = #boost.tensor<batch "x">}) -> (tensor<2x4xf32>, tensor<4xf32>, tensor<2x4xf32>) {
  %0 = boost.linear %x, %a : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
  %t = stablehlo.transpose %0, dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
  %t1 = stablehlo.broadcast_in_dim %bt, dims = [0] : (tensor<4xf32>) -> tensor<4x2xf32>
  %t2 = stablehlo.add %t, %t1 : tensor<4x2xf32>
  %b = stablehlo.broadcast_in_dim %t2, dims = [2, 0] : (tensor<4x2xf32>) -> tensor<2x1x4xf32>
  %b1 = stablehlo.broadcast_in_dim %bb, dims = [2] : (tensor<4xf32>) -> tensor<2x1x4xf32>
  %b2 = stablehlo.add %b, %b1 : tensor<2x1x4xf32>
  %r = stablehlo.reshape %b2 : (tensor<2x1x4xf32>) -> tensor<2x4xf32>
  %r1 = stablehlo.broadcast_in_dim %br, dims = [1] : (tensor<4xf32>) -> tensor<2x4xf32>
  %r2 = stablehlo.add %r, %r1 : tensor<2x4xf32>
  %h = stablehlo.reshape %r2 : (tensor<2x4xf32>) -> tensor<2x2x2xf32>
  %h1 = stablehlo.broadcast_in_dim %bh, dims = [1, 2] : (tensor<2x2xf32>) -> tensor<2x2x2xf32>
  %h2 = stablehlo.add %h, %h1 : tensor<2x2x2xf32>
  %m = stablehlo.reshape %h2 : (tensor<2x2x2xf32>) -> tensor<2x4xf32>
  %m1 = stablehlo.broadcast_in_dim %bm, dims = [1] : (tensor<4xf32>) -> tensor<2x4xf32>
  %m2 = stablehlo.add %m, %m1 : tensor<2x4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%m2 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<2x4xf32>, tensor<f32>) -> tensor<4xf32>
  %s1 = stablehlo.add %s, %bs : tensor<4xf32>
  %i1 = stablehlo.broadcast_in_dim %i, dims = [1, 2] : (tensor<8x4xf32>) -> tensor<1x8x4xf32>
  %i2 = stablehlo.reshape %i1 : (tensor<1x8x4xf32>) -> tensor<8x4xf32>
  %1 = boost.linear %x, %i2 : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
  return %m2, %s1, %1 : tensor<2x4xf32>, tensor<4xf32>, tensor<2x4xf32>
}
