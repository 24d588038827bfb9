// RUN: boost-opt %s --split-input-file -boost-place="mesh=tp=2 placement=megatron" | FileCheck %s

// Adapters are sharded like the linears beside them: of a replicated input the
// second factor, of a sharded one the first.

// CHECK-LABEL: func @loss
// CHECK-SAME: boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<param "w">
// CHECK-SAME: boost.sharding = #boost.sharding<{}, {}>, boost.tensor = #boost.tensor<param "a">
// CHECK-SAME: boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<param "b">
// CHECK-SAME: boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<param "w2">
// CHECK-SAME: boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<param "a2">
// CHECK-SAME: boost.sharding = #boost.sharding<{}, {}>, boost.tensor = #boost.tensor<param "b2">
func.func @loss(%w: tensor<8x16xf32> {boost.tensor = #boost.tensor<param "w">},
                       %a: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "a">},
                       %b: tensor<2x16xf32> {boost.tensor = #boost.tensor<param "b">},
                       %w2: tensor<16x8xf32> {boost.tensor = #boost.tensor<param "w2">},
                       %a2: tensor<16x2xf32> {boost.tensor = #boost.tensor<param "a2">},
                       %b2: tensor<2x8xf32> {boost.tensor = #boost.tensor<param "b2">},
                       %x: tensor<4x6x8xf32> {boost.tensor = #boost.tensor<batch "x">}) -> tensor<4x6x8xf32> {
  %0 = boost.linear %x, %w : (tensor<4x6x8xf32>, tensor<8x16xf32>) -> tensor<4x6x16xf32>
  %1 = boost.bottleneck %x down(%a) up(%b) : tensor<4x6x8xf32> down tensor<8x2xf32> up tensor<2x16xf32> -> tensor<4x6x16xf32>
  %2 = stablehlo.add %0, %1 : tensor<4x6x16xf32>
  %3 = stablehlo.tanh %2 : tensor<4x6x16xf32>
  %4 = boost.linear %3, %w2 : (tensor<4x6x16xf32>, tensor<16x8xf32>) -> tensor<4x6x8xf32>
  %5 = boost.bottleneck %3 down(%a2) up(%b2) : tensor<4x6x16xf32> down tensor<16x2xf32> up tensor<2x8xf32> -> tensor<4x6x8xf32>
  %6 = stablehlo.add %5, %4 : tensor<4x6x8xf32>
  return %6 : tensor<4x6x8xf32>
}

// -----

// With functions of the latent the factors are linears. A scale of the result
// is sharded like it.

// CHECK-LABEL: func @loss
// CHECK-SAME: boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<param "w">
// CHECK-SAME: boost.sharding = #boost.sharding<{}, {}>, boost.tensor = #boost.tensor<param "a">
// CHECK-SAME: boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<param "b">
func.func @loss(%w: tensor<8x16xf32> {boost.tensor = #boost.tensor<param "w">},
                   %a: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "a">},
                   %b: tensor<16x2xf32> {boost.tensor = #boost.tensor<param "b">},
                   %g: tensor<8xf32> {boost.tensor = #boost.tensor<param "g">},
                   %i: tensor<4x6x8xf32> {boost.tensor = #boost.tensor<batch "i">}) -> tensor<4x6x16xf32> {
  %c = stablehlo.constant dense<2.0> : tensor<4x6x16xf32>
  %x = boost.rms_norm %i, %g {eps = 1.000000e-06 : f64} : tensor<4x6x8xf32>, tensor<8xf32>
  %gamma = stablehlo.broadcast_in_dim %g, dims = [2] : (tensor<8xf32>) -> tensor<4x6x8xf32>
  %scaled = stablehlo.multiply %i, %gamma : tensor<4x6x8xf32>
  %0 = boost.linear %x, %w : (tensor<4x6x8xf32>, tensor<8x16xf32>) -> tensor<4x6x16xf32>
  %1 = boost.linear %scaled, %a {boost.factor = "first"} : (tensor<4x6x8xf32>, tensor<8x2xf32>) -> tensor<4x6x2xf32>
  %2 = stablehlo.tanh %1 : tensor<4x6x2xf32>
  %3 = stablehlo.multiply %1, %2 : tensor<4x6x2xf32>
  %4 = boost.linear %3, %b transposed {boost.factor = "second"} : (tensor<4x6x2xf32>, tensor<16x2xf32>) -> tensor<4x6x16xf32>
  %5 = stablehlo.multiply %4, %c : tensor<4x6x16xf32>
  %6 = stablehlo.add %0, %5 : tensor<4x6x16xf32>
  return %6 : tensor<4x6x16xf32>
}

// -----

// A bottleneck that is added to a linear of something else is no adapter.

// CHECK-LABEL: func @loss
// CHECK-SAME: boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<param "a">
// CHECK-SAME: boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<param "b">
func.func @loss(%w: tensor<8x8xf32> {boost.tensor = #boost.tensor<param "w">},
                        %a: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "a">},
                        %b: tensor<2x8xf32> {boost.tensor = #boost.tensor<param "b">},
                        %x: tensor<4x6x8xf32> {boost.tensor = #boost.tensor<batch "x">},
                        %y: tensor<4x6x8xf32> {boost.tensor = #boost.tensor<batch "y">}) -> tensor<4x6x8xf32> {
  %0 = boost.linear %x, %w : (tensor<4x6x8xf32>, tensor<8x8xf32>) -> tensor<4x6x8xf32>
  %1 = boost.bottleneck %y down(%a) up(%b) : tensor<4x6x8xf32> down tensor<8x2xf32> up tensor<2x8xf32> -> tensor<4x6x8xf32>
  %2 = stablehlo.add %0, %1 : tensor<4x6x8xf32>
  return %2 : tensor<4x6x8xf32>
}
