// RUN: boost-opt %s -boost-decompose-rms-norm -o %t
// RUN: FileCheck %s < %t
// RUN: boost-eval --compare --every-function %s %t
// The statistic is f32 for narrower inputs; gamma is applied in its own type.

// CHECK-LABEL: func @f32
// CHECK-SAME:    %[[X:.*]]: tensor<2x4x8xf32>, %[[GAMMA:.*]]: tensor<8xf32>
func.func @f32(%x: tensor<2x4x8xf32>, %g: tensor<8xf32>) -> tensor<2x4x8xf32> {
  // CHECK: %[[S:.*]] = stablehlo.multiply %[[X]], %[[X]] {boost.component = "head"}
  // CHECK: %[[T:.*]] = stablehlo.reduce(%[[S]] init: %{{.*}}) applies stablehlo.add across dimensions = [2]
  // CHECK: %[[D:.*]] = stablehlo.constant dense<8.000000e+00>
  // CHECK: %[[M:.*]] = stablehlo.divide %[[T]], %[[D]]
  // CHECK: %[[E:.*]] = stablehlo.constant dense<9.99999997E-7>
  // CHECK: %[[V:.*]] = stablehlo.add %[[M]], %[[E]]
  // CHECK: %[[R:.*]] = stablehlo.rsqrt %[[V]] {boost.component = "head"}
  // CHECK: %[[RB:.*]] = stablehlo.broadcast_in_dim %[[R]], dims = [0, 1]
  // CHECK: %[[N:.*]] = stablehlo.multiply %[[X]], %[[RB]]
  // CHECK: %[[GB:.*]] = stablehlo.broadcast_in_dim %[[GAMMA]], dims = [2]
  // CHECK: %[[Y:.*]] = stablehlo.multiply %[[N]], %[[GB]]
  // CHECK: return %[[Y]]
  %y = boost.rms_norm %x, %g {boost.component = "head", eps = 1.0e-6 : f64} : tensor<2x4x8xf32>, tensor<8xf32>
  return %y : tensor<2x4x8xf32>
}

// CHECK-LABEL: func @bf16
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xbf16>
func.func @bf16(%x: tensor<4x8xbf16>, %g: tensor<8xbf16>) -> tensor<4x8xbf16> {
  // CHECK: stablehlo.convert %[[X]] : (tensor<4x8xbf16>) -> tensor<4x8xf32>
  // CHECK: stablehlo.rsqrt %{{.*}} : tensor<4xf32>
  // CHECK: %[[N:.*]] = stablehlo.multiply %{{.*}} : tensor<4x8xf32>
  // CHECK: stablehlo.convert %[[N]] : (tensor<4x8xf32>) -> tensor<4x8xbf16>
  // CHECK: stablehlo.multiply %{{.*}} : tensor<4x8xbf16>
  %y = boost.rms_norm %x, %g {eps = 1.0e-6 : f64} : tensor<4x8xbf16>, tensor<8xbf16>
  return %y : tensor<4x8xbf16>
}

// CHECK-LABEL: func @f64
func.func @f64(%x: tensor<4x8xf64>, %g: tensor<8xf64>) -> tensor<4x8xf64> {
  // CHECK-NOT: stablehlo.convert
  // CHECK: stablehlo.rsqrt %{{.*}} : tensor<4xf64>
  %y = boost.rms_norm %x, %g {eps = 1.0e-6 : f64} : tensor<4x8xf64>, tensor<8xf64>
  return %y : tensor<4x8xf64>
}
