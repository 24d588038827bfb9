// RUN: boost-opt %s -boost-add-optimizer=accumulate=4 | FileCheck %s

// A gradient that is rounded only to be returned is added before it is rounded:
// nothing is lost, and its parts on several ranks can be added up later.

// CHECK-LABEL: func @accumulate
// CHECK-SAME:    %[[SUM:[^:]*]]: tensor<8xf32> {boost.arg = "state"
// CHECK-SAME:    %[[G:[^:]*]]: tensor<8xf32> {boost.arg = "batch", boost.name = "g"
// CHECK-NOT:     stablehlo.convert
// CHECK:         stablehlo.add %[[SUM]], %[[G]]
// CHECK-NOT:     stablehlo.convert
// CHECK:         return
func.func @gradient(%g: tensor<8xf32> {boost.arg = "batch", boost.name = "g"},
                    %loss: tensor<f32> {boost.arg = "batch", boost.name = "l"},
                    %p: tensor<8xbf16> {boost.arg = "param", boost.decay = false, boost.name = "p"})
    -> (tensor<f32> {boost.name = "loss"}, tensor<8xbf16> {boost.name = "grad.p"}) {
  boost.phase backward
  %0 = stablehlo.convert %g : (tensor<8xf32>) -> tensor<8xbf16>
  return %loss, %0 : tensor<f32>, tensor<8xbf16>
}
