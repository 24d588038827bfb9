// RUN: boost-opt %s -boost-build-step | FileCheck %s
// An elementwise update that is the same for both parameters of a packed one
// updates that, and its states are packed like it.

// CHECK-LABEL: func @step
// CHECK-SAME:    %[[QK:[^:]*]]: tensor<4x2x3xf32> {boost.parts
// CHECK-SAME:    %[[M:[^:]*]]: tensor<4x2x3xf32> {boost.parts = [#boost.part<name = "m.q", of = "q", init = "zeros", dim = 1, offset = 0, shape = [4, 3]>, #boost.part<name = "m.k", of = "k", init = "zeros", dim = 1, offset = 1, shape = [4, 3]>], boost.sharding = #boost.sharding<{"tp"}, {}, {}>, boost.tensor = #boost.tensor<state "m.{q,k}", kind = "m", of = "{q,k}", init = "zeros">}
// CHECK-SAME:    %[[LR:[^:]*]]: tensor<f32> {{{[^%]*}}<hyper "hyper.lr"
// CHECK:         boost.phase optimizer
// CHECK-NOT:     stablehlo.slice
// CHECK-DAG:     %[[RATE:.*]] = stablehlo.broadcast_in_dim %[[LR]], dims = [] {{.*}} -> tensor<4x2x3xf32>
// CHECK-DAG:     %[[HALF:.*]] = stablehlo.constant dense<5.000000e-01> : tensor<4x2x3xf32>
// CHECK:         %[[SCALED:.*]] = stablehlo.multiply %[[HALF]], %[[M]]
// CHECK:         %[[NM:.*]] = stablehlo.add %[[SCALED]], %[[QK]]
// CHECK:         %[[CHANGE:.*]] = stablehlo.multiply %[[RATE]], %[[NM]]
// CHECK:         %[[NEW:.*]] = stablehlo.subtract %[[QK]], %[[CHANGE]]
// CHECK:         return %{{.*}}, %[[NEW]], %[[NM]] : tensor<f32>, tensor<4x2x3xf32>, tensor<4x2x3xf32>
#parts = [#boost.part<name = "q", dim = 1, offset = 0, shape = [4, 3]>, #boost.part<name = "k", dim = 1, offset = 1, shape = [4, 3]>]
func.func @gradient(
    %w: tensor<4x2x3xf32> {boost.parts = #parts, boost.sharding = #boost.sharding<{"tp"}, {}, {}>, boost.tensor = #boost.tensor<param "{q,k}">},
    %l: tensor<f32> {boost.sharding = #boost.sharding<>, boost.tensor = #boost.tensor<batch "l">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<loss "loss">}, tensor<4x2x3xf32> {boost.tensor = #boost.tensor<gradient "grad.{q,k}", of = "{q,k}">}) {
  return %l, %w : tensor<f32>, tensor<4x2x3xf32>
}
func.func @update(
    %q: tensor<4x3xf32> {boost.tensor = #boost.tensor<param "q">}, %k: tensor<4x3xf32> {boost.tensor = #boost.tensor<param "k">},
    %mq: tensor<4x3xf32> {boost.tensor = #boost.tensor<state "m.q", kind = "m", of = "q", init = "zeros">},
    %mk: tensor<4x3xf32> {boost.tensor = #boost.tensor<state "m.k", kind = "m", of = "k", init = "zeros">},
    %dq: tensor<4x3xf32> {boost.tensor = #boost.tensor<gradient "grad.q", of = "q">},
    %dk: tensor<4x3xf32> {boost.tensor = #boost.tensor<gradient "grad.k", of = "k">},
    %lr: tensor<f32> {boost.tensor = #boost.tensor<hyper "hyper.lr", kind = "lr">})
    -> (tensor<4x3xf32> {boost.tensor = #boost.tensor<param "q">}, tensor<4x3xf32> {boost.tensor = #boost.tensor<param "k">},
        tensor<4x3xf32> {boost.tensor = #boost.tensor<state "m.q", kind = "m", of = "q", init = "zeros">},
        tensor<4x3xf32> {boost.tensor = #boost.tensor<state "m.k", kind = "m", of = "k", init = "zeros">}) {
  %half = stablehlo.constant dense<0.5> : tensor<4x3xf32>
  %rate = stablehlo.broadcast_in_dim %lr, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
  %0 = stablehlo.multiply %half, %mq : tensor<4x3xf32>
  %1 = stablehlo.add %0, %dq : tensor<4x3xf32>
  %2 = stablehlo.multiply %rate, %1 : tensor<4x3xf32>
  %3 = stablehlo.subtract %q, %2 : tensor<4x3xf32>
  %4 = stablehlo.multiply %half, %mk : tensor<4x3xf32>
  %5 = stablehlo.add %4, %dk : tensor<4x3xf32>
  %6 = stablehlo.multiply %rate, %5 : tensor<4x3xf32>
  %7 = stablehlo.subtract %k, %6 : tensor<4x3xf32>
  return %3, %7, %1, %5 : tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>
}
