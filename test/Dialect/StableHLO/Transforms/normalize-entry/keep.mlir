// RUN: boost-opt %s --boost-normalize-entry 2>&1 | FileCheck %s --implicit-check-not=remark
// Roles, names and initialisations that are given stay; a private function of
// the name of the entry makes room.

// CHECK:       func.func private @[[F:loss_.*]](
// CHECK:       func.func public @loss(%{{.*}}: tensor<4xf32> {boost.arg = "batch", boost.init = "ones", boost.name = "mask"})
// CHECK:         call @[[F]]
func.func private @loss(%x: tensor<4xf32>) -> tensor<f32> {
  %0 = stablehlo.constant dense<0.0> : tensor<f32>
  return %0 : tensor<f32>
}
func.func public @main(%x: tensor<4xf32> {boost.arg = "batch", boost.init = "ones", boost.name = "mask"}) -> tensor<f32> {
  %0 = call @loss(%x) : (tensor<4xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}
