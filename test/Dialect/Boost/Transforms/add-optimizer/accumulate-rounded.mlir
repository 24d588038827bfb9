// RUN: boost-opt %s -boost-add-optimizer=accumulate=4 | FileCheck %s

// A gradient that is rounded only to be returned is added before it is rounded:
// nothing is lost, and its parts on several ranks can be added up later.

// CHECK-LABEL: func @accumulate
// CHECK-SAME:    %[[SUM:[^:]*]]: tensor<8xf32> {boost.tensor = #boost.tensor<accumulator
// CHECK-SAME:    %[[G:[^:]*]]: tensor<8xf32> {boost.tensor = #boost.tensor<batch "g"
// CHECK-NOT:     stablehlo.convert
// CHECK:         stablehlo.add %[[SUM]], %[[G]]
// CHECK-NOT:     stablehlo.convert
// CHECK:         return
func.func @gradient(%g: tensor<8xf32> {boost.tensor = #boost.tensor<batch "g">},
                    %loss: tensor<f32> {boost.tensor = #boost.tensor<batch "l">},
                    %p: tensor<8xbf16> {boost.tensor = #boost.tensor<param "p", decay = false>})
    -> (tensor<f32> {boost.tensor = #boost.tensor<loss "loss">}, tensor<8xbf16> {boost.tensor = #boost.tensor<gradient "grad.p", of = "p">}) {
  boost.phase backward
  %0 = stablehlo.convert %g : (tensor<8xf32>) -> tensor<8xbf16>
  return %loss, %0 : tensor<f32>, tensor<8xbf16>
}
