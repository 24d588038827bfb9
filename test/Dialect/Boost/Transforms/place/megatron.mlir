// RUN: boost-opt %s -boost-place="mesh=dp=2,tp=2 placement=megatron" | FileCheck %s
// Without bottlenecks linears alternate between columns and rows; what the
// stream meets stays whole.

// CHECK-LABEL: func @loss
// CHECK-SAME: boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<{{param|batch}} "q"
// CHECK-SAME: boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<{{param|batch}} "o"
// CHECK-SAME: boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<{{param|batch}} "up"
// CHECK-SAME: boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<{{param|batch}} "down"
// CHECK-SAME: boost.sharding = #boost.sharding<{}>, boost.tensor = #boost.tensor<{{param|batch}} "norm"
// CHECK-SAME: boost.sharding = #boost.sharding<{"dp"}, {}, {}>, boost.tensor = #boost.tensor<{{param|batch}} "x"
func.func @loss(%q: tensor<8x8xf32> {boost.tensor = #boost.tensor<param "q">},
                %o: tensor<8x8xf32> {boost.tensor = #boost.tensor<param "o">},
                %u: tensor<8x16xf32> {boost.tensor = #boost.tensor<param "up">},
                %d: tensor<16x8xf32> {boost.tensor = #boost.tensor<param "down">},
                %g: tensor<8xf32> {boost.tensor = #boost.tensor<param "norm">},
                %x: tensor<2x4x8xf32> {boost.tensor = #boost.tensor<batch "x">}) -> tensor<2x4x8xf32> {
  %0 = boost.rms_norm %x, %g {eps = 1.0e-6 : f64} : tensor<2x4x8xf32>, tensor<8xf32>
  %1 = boost.linear %0, %q : (tensor<2x4x8xf32>, tensor<8x8xf32>) -> tensor<2x4x8xf32>
  %2 = stablehlo.reshape %1 : (tensor<2x4x8xf32>) -> tensor<2x4x2x4xf32>
  %3, %l = boost.attention %2, %2, %2 causal {scale = 0.5 : f64}
      : (tensor<2x4x2x4xf32>, tensor<2x4x2x4xf32>, tensor<2x4x2x4xf32>) -> (tensor<2x4x2x4xf32>, tensor<2x2x4xf32>)
  %4 = stablehlo.reshape %3 : (tensor<2x4x2x4xf32>) -> tensor<2x4x8xf32>
  %5 = boost.linear %4, %o : (tensor<2x4x8xf32>, tensor<8x8xf32>) -> tensor<2x4x8xf32>
  %6 = stablehlo.add %x, %5 : tensor<2x4x8xf32>
  %7 = boost.rms_norm %6, %g {eps = 1.0e-6 : f64} : tensor<2x4x8xf32>, tensor<8xf32>
  %8 = boost.linear %7, %u : (tensor<2x4x8xf32>, tensor<8x16xf32>) -> tensor<2x4x16xf32>
  %9 = stablehlo.tanh %8 : tensor<2x4x16xf32>
  %10 = boost.linear %9, %d : (tensor<2x4x16xf32>, tensor<16x8xf32>) -> tensor<2x4x8xf32>
  %11 = stablehlo.add %6, %10 : tensor<2x4x8xf32>
  return %11 : tensor<2x4x8xf32>
}
