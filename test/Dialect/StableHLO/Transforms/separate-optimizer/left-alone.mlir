// RUN: boost-opt %s -boost-separate-optimizer | FileCheck %s
// A program without an update of its own.

// CHECK-NOT: module @optimizer
// CHECK:     func @main
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
