// RUN: boost-opt %s -boost-decompose-layer-norm -o %t
// RUN: FileCheck %s < %t
// RUN: boost-eval --compare --every-function %s %t
// Statistics are in f32; what a bottleneck took over, and other operations, are left alone.

// CHECK-LABEL: func @narrow
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xbf16>
// CHECK:         %[[W:.*]] = stablehlo.convert %[[X]] {boost.component = "block"} : (tensor<4x8xbf16>) -> tensor<4x8xf32>
// CHECK:         stablehlo.reduce(%[[W]]
// CHECK:         stablehlo.rsqrt %{{.*}} : tensor<4xf32>
// CHECK:         stablehlo.add %{{.*}} : tensor<4x8xbf16>
func.func @narrow(%x: tensor<4x8xbf16>, %g: tensor<8xbf16>, %b: tensor<8xbf16>) -> tensor<4x8xbf16> {
  %y = boost.layer_norm %x, %g, %b {eps = 0.0009765625 : f64, boost.component = "block"} : tensor<4x8xbf16>, tensor<8xbf16>
  return %y : tensor<4x8xbf16>
}

// A variance that rounds to less than nothing counts as nothing.
// CHECK-LABEL: func @equal
// CHECK:         stablehlo.maximum
func.func @equal(%g: tensor<3xf32>, %b: tensor<3xf32>) -> tensor<1x3xf32> {
  %x = stablehlo.constant dense<1000.1> : tensor<1x3xf32>
  %y = boost.layer_norm %x, %g, %b {eps = 1.0e-12 : f64} : tensor<1x3xf32>, tensor<3xf32>
  return %y : tensor<1x3xf32>
}

// CHECK-LABEL: func @taken_over
// CHECK-NEXT:    boost.bottleneck
// CHECK-NEXT:    boost.rms_norm
// CHECK-NEXT:    return
func.func @taken_over(%x: tensor<4x8xf32>, %g: tensor<8xf32>, %b: tensor<8xf32>, %d: tensor<8x3xf32>, %u: tensor<3x8xf32>) -> tensor<4x8xf32> {
  %y = boost.bottleneck %x norm(%g beta %b, 1.0e-5) down(%d) up(%u)
      : tensor<4x8xf32> norm tensor<8xf32> beta tensor<8xf32> down tensor<8x3xf32>
        up tensor<3x8xf32> -> tensor<4x8xf32>
  %z = boost.rms_norm %y, %g {eps = 1.0e-5 : f64} : tensor<4x8xf32>, tensor<8xf32>
  return %z : tensor<4x8xf32>
}
