// RUN: boost-opt %s | boost-opt | FileCheck %s
// A schedule calls one of two updates.

// CHECK-LABEL: boost.schedule @train {
// CHECK-NEXT:    boost.choose @parity among [@one, @two]
// CHECK-NEXT:  }
func.func @parity(%n: tensor<i32> {boost.tensor = #boost.tensor<state "count", kind = "count">})
    -> (tensor<i32> {boost.tensor = #boost.tensor<output "choice">}) {
  return %n : tensor<i32>
}
func.func @one(%w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">})
    -> (tensor<4xf32> {boost.tensor = #boost.tensor<param "w">}) {
  return %w : tensor<4xf32>
}
func.func @two(%w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">})
    -> (tensor<4xf32> {boost.tensor = #boost.tensor<param "w">}) {
  return %w : tensor<4xf32>
}
boost.schedule @train {
  boost.choose @parity among [@one, @two]
}
