// RUN: boost-opt %s -boost-decompose-rms-norm | FileCheck %s
// Operations are of the region of their norm. Constants are of none, and neither is what stands inside of a reduction,
// which is printed in its short form.

// CHECK-LABEL: func @with_region
// CHECK:         %{{.*}} = stablehlo.multiply %{{.*}}, %{{.*}} {boost.component = "head"} : tensor<2x4x8xf32>
// CHECK-NEXT:    %{{.*}} = stablehlo.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT:    %{{.*}} = stablehlo.reduce({{.*}}) applies stablehlo.add across dimensions = [2] {boost.component = "head"} :
// CHECK-NEXT:    %{{.*}} = stablehlo.constant dense<8.000000e+00> : tensor<2x4xf32>
// CHECK-NEXT:    %{{.*}} = stablehlo.divide {{.*}} {boost.component = "head"} : tensor<2x4xf32>
// CHECK-NEXT:    %{{.*}} = stablehlo.constant dense<9.99999997E-7> : tensor<2x4xf32>
// CHECK-NEXT:    %{{.*}} = stablehlo.add {{.*}} {boost.component = "head"} : tensor<2x4xf32>
// CHECK-NEXT:    %{{.*}} = stablehlo.rsqrt {{.*}} {boost.component = "head"} : tensor<2x4xf32>
// CHECK-NEXT:    %{{.*}} = stablehlo.broadcast_in_dim {{.*}} {boost.component = "head"} :
// CHECK-NEXT:    %{{.*}} = stablehlo.multiply {{.*}} {boost.component = "head"} : tensor<2x4x8xf32>
// CHECK-NEXT:    %{{.*}} = stablehlo.broadcast_in_dim {{.*}} {boost.component = "head"} :
// CHECK-NEXT:    %{{.*}} = stablehlo.multiply {{.*}} {boost.component = "head"} : tensor<2x4x8xf32>
// CHECK-NEXT:    return
func.func @with_region(%x: tensor<2x4x8xf32>, %g: tensor<8xf32>) -> tensor<2x4x8xf32> {
  %y = boost.rms_norm %x, %g {boost.component = "head", eps = 1.0e-6 : f64} : tensor<2x4x8xf32>, tensor<8xf32>
  return %y : tensor<2x4x8xf32>
}

// CHECK-LABEL: func @without_region
// CHECK-NOT:     boost.component
// CHECK:         return
func.func @without_region(%x: tensor<2x4x8xf32>, %g: tensor<8xf32>) -> tensor<2x4x8xf32> {
  %y = boost.rms_norm %x, %g {eps = 1.0e-6 : f64} : tensor<2x4x8xf32>, tensor<8xf32>
  return %y : tensor<2x4x8xf32>
}
