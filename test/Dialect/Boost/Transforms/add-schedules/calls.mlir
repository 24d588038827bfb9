// RUN: boost-opt %s -boost-add-schedules | FileCheck %s
// One call on the whole batch where it was not split.

func.func @loss(%x: tensor<f32> {boost.tensor = #boost.tensor<batch "x">}) -> tensor<f32> {
  return %x : tensor<f32>
}
func.func @gradient(%x: tensor<f32> {boost.tensor = #boost.tensor<batch "x">}) -> tensor<f32> {
  return %x : tensor<f32>
}
// CHECK:      boost.schedule @evaluate {
// CHECK-NEXT:   boost.call @loss micro_batch 0
// CHECK-NEXT: }
// CHECK:      boost.schedule @gradients {
// CHECK-NEXT:   boost.call @gradient micro_batch 0
// CHECK-NEXT: }
