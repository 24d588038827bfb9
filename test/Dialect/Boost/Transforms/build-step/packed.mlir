// RUN: boost-opt %s -boost-build-step | FileCheck %s
// An update knows the parameters by name; two of them are packed into one.

// CHECK-LABEL: func @step
// CHECK-SAME:    %[[QK:[^:]*]]: tensor<4x2x3xf32> {boost.parts
// CHECK-SAME:    %[[M:[^:]*]]: tensor<4x3xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<state "m.q", kind = "m", of = "q">}
// CHECK-SAME:    %[[LR:[^:]*]]: tensor<f32> {boost.sharding = #boost.sharding<>, boost.tensor = #boost.tensor<hyper "hyper.lr", kind = "lr">}
// CHECK:         boost.phase optimizer
// CHECK:         %[[Q:.*]] = stablehlo.slice %[[QK]] [0:4, 0:1, 0:3]
// CHECK:         %[[QR:.*]] = stablehlo.reshape %[[Q]] {{.*}} -> tensor<4x3xf32>
// CHECK:         %[[K:.*]] = stablehlo.slice %[[QK]] [0:4, 1:2, 0:3]
// CHECK:         %[[KR:.*]] = stablehlo.reshape %[[K]] {{.*}} -> tensor<4x3xf32>
// CHECK:         %[[DQ:.*]] = stablehlo.slice %[[QK]] [0:4, 0:1, 0:3]
// CHECK:         %[[DQR:.*]] = stablehlo.reshape %[[DQ]]
// CHECK:         %[[NM:.*]] = stablehlo.add %[[M]], %[[DQR]] {boost.component = "optimizer"}
// CHECK:         %[[NQ:.*]] = stablehlo.subtract %[[QR]], %[[NM]]
// CHECK:         %[[AQ:.*]] = stablehlo.reshape %[[NQ]] {{.*}} -> tensor<4x1x3xf32>
// CHECK:         %[[AK:.*]] = stablehlo.reshape %[[KR]] {{.*}} -> tensor<4x1x3xf32>
// CHECK:         %[[NEW:.*]] = stablehlo.concatenate %[[AQ]], %[[AK]], dim = 1
// CHECK:         return %{{.*}}, %[[NEW]], %[[NM]]
#parts = [#boost.part<name = "q", dim = 1, offset = 0, shape = [4, 3]>, #boost.part<name = "k", dim = 1, offset = 1, shape = [4, 3]>]
func.func @gradient(
    %w: tensor<4x2x3xf32> {boost.parts = #parts, boost.sharding = #boost.sharding<{"tp"}, {}, {}>, boost.tensor = #boost.tensor<param "{q,k}">},
    %l: tensor<f32> {boost.sharding = #boost.sharding<>, boost.tensor = #boost.tensor<batch "l">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<loss "loss">}, tensor<4x2x3xf32> {boost.tensor = #boost.tensor<gradient "grad.{q,k}", of = "{q,k}">}) {
  return %l, %w : tensor<f32>, tensor<4x2x3xf32>
}
func.func @update(
    %q: tensor<4x3xf32> {boost.tensor = #boost.tensor<param "q">}, %k: tensor<4x3xf32> {boost.tensor = #boost.tensor<param "k">},
    %m: tensor<4x3xf32> {boost.tensor = #boost.tensor<state "m.q", kind = "m", of = "q">},
    %dq: tensor<4x3xf32> {boost.tensor = #boost.tensor<gradient "grad.q", of = "q">},
    %lr: tensor<f32> {boost.tensor = #boost.tensor<hyper "hyper.lr", kind = "lr">})
    -> (tensor<4x3xf32> {boost.tensor = #boost.tensor<param "q">}, tensor<4x3xf32> {boost.tensor = #boost.tensor<param "k">},
        tensor<4x3xf32> {boost.tensor = #boost.tensor<state "m.q", kind = "m", of = "q">}) {
  %0 = stablehlo.add %m, %dq : tensor<4x3xf32>
  %1 = stablehlo.subtract %q, %0 : tensor<4x3xf32>
  return %1, %k, %0 : tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>
}
