// RUN: boost-eval %s | FileCheck %s
// A bottleneck of rank 0 gives sums of nothing.

// CHECK: out0 : tensor<2x3xf32> norm 0
func.func @loss(%x: tensor<2x3xf32>, %down: tensor<3x0xf32>, %up: tensor<0x3xf32>) -> tensor<2x3xf32> {
  %y = boost.bottleneck %x down(%down) up(%up) : tensor<2x3xf32> down tensor<3x0xf32> up tensor<0x3xf32> -> tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}
