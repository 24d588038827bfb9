// RUN: boost-opt %s -split-input-file -boost-place="mesh=tp=2 placement=bottleneck" | FileCheck %s --check-prefixes=CHECK,HIDDEN
// RUN: boost-opt %s -split-input-file -boost-place="mesh=tp=2 placement=sequence" | FileCheck %s --check-prefix=SEQUENCE
// RUN: boost-opt %s -split-input-file -boost-place="mesh=tp=2 placement=gathered" | FileCheck %s --check-prefix=GATHERED
// RUN: boost-opt %s -split-input-file -boost-place="mesh=tp=2 placement=vanilla" | FileCheck %s --check-prefix=VANILLA
// What is known of the residual stream, where a program has no embedding, and bottlenecks of several branches.

// Without an embedding the stream is as wide as the input of the first norm. A norm of another width, or of heads,
// is no norm of the stream.
// CHECK-LABEL: func @loss
// SEQUENCE-LABEL: func @loss
// GATHERED-LABEL: func @loss
// VANILLA-LABEL: func @loss
// HIDDEN-SAME: boost.sharding = #boost.sharding<{"tp"}>, boost.tensor = #boost.tensor<param "of the stream">
// HIDDEN-SAME: boost.sharding = #boost.sharding<{}>, boost.tensor = #boost.tensor<param "wider">
// HIDDEN-SAME: boost.sharding = #boost.sharding<{}>, boost.tensor = #boost.tensor<param "of heads">
func.func @loss(%g: tensor<8xf32> {boost.tensor = #boost.tensor<param "of the stream">},
                %w: tensor<16xf32> {boost.tensor = #boost.tensor<param "wider">},
                %h: tensor<8xf32> {boost.tensor = #boost.tensor<param "of heads">},
                %x: tensor<2x4x8xf32> {boost.tensor = #boost.tensor<batch "x">}, %y: tensor<2x4x16xf32>, %z: tensor<2x4x2x8xf32>)
    -> (tensor<2x4x8xf32>, tensor<2x4x16xf32>, tensor<2x4x2x8xf32>) {
  %0 = boost.rms_norm %x, %g {eps = 1.0e-6 : f64} : tensor<2x4x8xf32>, tensor<8xf32>
  %1 = boost.rms_norm %y, %w {eps = 1.0e-6 : f64} : tensor<2x4x16xf32>, tensor<16xf32>
  %2 = boost.rms_norm %z, %h {eps = 1.0e-6 : f64} : tensor<2x4x2x8xf32>, tensor<8xf32>
  return %0, %1, %2 : tensor<2x4x8xf32>, tensor<2x4x16xf32>, tensor<2x4x2x8xf32>
}

// -----

// An embedding says how wide it is, also behind a norm.
// CHECK-LABEL: func @loss
// SEQUENCE-LABEL: func @loss
// GATHERED-LABEL: func @loss
// VANILLA-LABEL: func @loss
// HIDDEN-SAME: boost.sharding = #boost.sharding<{}>, boost.tensor = #boost.tensor<param "before">
// HIDDEN-SAME: boost.sharding = #boost.sharding<{"tp"}>, boost.tensor = #boost.tensor<param "of the stream">
func.func @loss(%w: tensor<16xf32> {boost.tensor = #boost.tensor<param "before">},
                %g: tensor<8xf32> {boost.tensor = #boost.tensor<param "of the stream">},
                %t: tensor<32x8xf32> {boost.tensor = #boost.tensor<param "embed">},
                %i: tensor<2x4xi32> {boost.tensor = #boost.tensor<batch "tokens">}, %y: tensor<2x4x16xf32>)
    -> (tensor<2x4x16xf32>, tensor<2x4x8xf32>) {
  %0 = boost.rms_norm %y, %w {eps = 1.0e-6 : f64} : tensor<2x4x16xf32>, tensor<16xf32>
  %x = boost.embedding %t, %i : (tensor<32x8xf32>, tensor<2x4xi32>) -> tensor<2x4x8xf32>
  %1 = boost.rms_norm %x, %g {eps = 1.0e-6 : f64} : tensor<2x4x8xf32>, tensor<8xf32>
  return %0, %1 : tensor<2x4x16xf32>, tensor<2x4x8xf32>
}

// -----

// Branches of different ranks side by side have no common dimension, two or three; two of one rank are no more than
// gathering in place of sums allows for.
// CHECK-LABEL: func @loss
// SEQUENCE-LABEL: func @loss
// GATHERED-LABEL: func @loss
// GATHERED-SAME: boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<param "two.down">
// GATHERED-SAME: boost.sharding = #boost.sharding<{}, {}>, boost.tensor = #boost.tensor<param "three.down">
// GATHERED-SAME: boost.sharding = #boost.sharding<{"tp"}, {}, {}>, boost.tensor = #boost.tensor<param "equal.down">
// VANILLA-LABEL: func @loss
// VANILLA-SAME: boost.sharding = #boost.sharding<{}, {}>, boost.tensor = #boost.tensor<param "two.down">
// VANILLA-SAME: boost.sharding = #boost.sharding<{}, {}>, boost.tensor = #boost.tensor<param "two.up0">
// VANILLA-SAME: boost.sharding = #boost.sharding<{}, {}>, boost.tensor = #boost.tensor<param "two.up1">
// VANILLA-SAME: boost.sharding = #boost.sharding<{}, {}, {"tp"}>, boost.tensor = #boost.tensor<param "equal.down">
// VANILLA-SAME: boost.sharding = #boost.sharding<{}, {"tp"}, {}>, boost.tensor = #boost.tensor<param "equal.up">
func.func @loss(%a: tensor<8x6xf32> {boost.tensor = #boost.tensor<param "two.down">},
                %b: tensor<2x8xf32> {boost.tensor = #boost.tensor<param "two.up0">},
                %c: tensor<4x8xf32> {boost.tensor = #boost.tensor<param "two.up1">},
                %d: tensor<8x8xf32> {boost.tensor = #boost.tensor<param "three.down">},
                %e: tensor<8x2x2xf32> {boost.tensor = #boost.tensor<param "equal.down">},
                %f: tensor<2x2x8xf32> {boost.tensor = #boost.tensor<param "equal.up">},
                %u: tensor<2x8xf32> {boost.tensor = #boost.tensor<param "three.up">},
                %x: tensor<2x4x8xf32> {boost.tensor = #boost.tensor<batch "x">}) -> (tensor<2x4x8xf32>, tensor<2x4x8xf32>, tensor<2x2x4x8xf32>) {
  %0:2 = boost.bottleneck %x down(%a) up(%b, %c) : tensor<2x4x8xf32> down tensor<8x6xf32> up tensor<2x8xf32>, tensor<4x8xf32> -> tensor<2x4x8xf32>, tensor<2x4x8xf32>
  %1:3 = boost.bottleneck %x down(%d) up(%b, %u, %c) : tensor<2x4x8xf32> down tensor<8x8xf32> up tensor<2x8xf32>, tensor<2x8xf32>, tensor<4x8xf32> -> tensor<2x4x8xf32>, tensor<2x4x8xf32>, tensor<2x4x8xf32>
  %2 = boost.bottleneck %x down(%e) up(%f) : tensor<2x4x8xf32> down tensor<8x2x2xf32> up tensor<2x2x8xf32> -> tensor<2x2x4x8xf32>
  return %0#0, %1#0, %2 : tensor<2x4x8xf32>, tensor<2x4x8xf32>, tensor<2x2x4x8xf32>
}
