// RUN: boost-opt %s -boost-decompose-rms-norm | FileCheck %s
// Operations are of the layer of their norm; those inside of a region have none of their own.

// CHECK-LABEL: func @norm
// CHECK: stablehlo.multiply %{{.*}} {boost.layer = #boost.layer<class = 0, index = 1>}
// CHECK: stablehlo.reduce({{.*}}) applies stablehlo.add across dimensions = [2] {boost.layer = #boost.layer<class = 0, index = 1>}
func.func @norm(%x: tensor<2x4x8xf32>, %g: tensor<8xf32>) -> tensor<2x4x8xf32> {
  %0 = boost.rms_norm %x, %g {boost.layer = #boost.layer<class = 0, index = 1>, eps = 1.0e-6 : f64} : tensor<2x4x8xf32>, tensor<8xf32>
  return %0 : tensor<2x4x8xf32>
}
