// RUN: boost-opt %s -boost-decompose-rms-norm | FileCheck %s
// A norm that a bottleneck has taken over is for boost-decompose-bottleneck; other
// operations are not touched.

// CHECK-LABEL: func @no_norms
// CHECK-NEXT:    %[[Y:.*]] = boost.bottleneck %{{.*}} norm(
// CHECK-NEXT:    %[[Z:.*]] = stablehlo.rsqrt %[[Y]]
// CHECK-NEXT:    return %[[Z]]
func.func @no_norms(%x: tensor<4x64xf32>, %g: tensor<64xf32>, %a: tensor<64x8xf32>,
                    %b: tensor<8x64xf32>) -> tensor<4x64xf32> {
  %y = boost.bottleneck %x norm(%g, 1.0e-6) down(%a) up(%b)
      : tensor<4x64xf32> norm tensor<64xf32> down tensor<64x8xf32> up tensor<8x64xf32>
      -> tensor<4x64xf32>
  %z = stablehlo.rsqrt %y : tensor<4x64xf32>
  return %z : tensor<4x64xf32>
}
