// RUN: boost-opt %s --boost-normalize-entry 2>&1 | FileCheck %s --implicit-check-not=remark
// Roles, names and policies that are given stay, in one attribute; a private function of
// the name of the entry makes room.

// CHECK:       func.func private @[[F:loss_.*]](
// CHECK:       func.func public @loss(%{{.*}}: tensor<4xf32> {boost.tensor = #boost.tensor<batch "mask">},
// CHECK-SAME:    %{{.*}}: tensor<4xf32> {boost.tensor = #boost.tensor<param "w", init = "ones", decay = false>},
// CHECK-SAME:    %{{.*}}: tensor<4xf32> {boost.tensor = #boost.tensor<param "typed", decay = true>})
// CHECK:         call @[[F]]
func.func private @loss(%x: tensor<4xf32>) -> tensor<f32> {
  %0 = stablehlo.constant dense<0.0> : tensor<f32>
  return %0 : tensor<f32>
}
func.func public @main(
    %x: tensor<4xf32> {boost.arg = "batch", boost.name = "mask"},
    %w: tensor<4xf32> {boost.decay = false, boost.init = "ones", boost.name = "w"},
    %typed: tensor<4xf32> {boost.tensor = #boost.tensor<param "typed", decay = true>}) -> tensor<f32> {
  %0 = call @loss(%x) : (tensor<4xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}
