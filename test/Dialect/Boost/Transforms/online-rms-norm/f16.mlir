// RUN: boost-opt %s -boost-online-rms-norm -o %t
// RUN: FileCheck %s < %t
// RUN: boost-eval --compare %s %t --function=stream
// RUN: boost-eval --compare %s %t --function=stream --rounding=typed --tolerance=4e-3
// In f16 a norm goes behind a linear only if an earlier norm of the same
// residual stream says how large its input is.

// CHECK-LABEL: func @stream
// CHECK:         stablehlo.convert %[[X:.*]] : (tensor<4x16xf16>) -> tensor<4x16xf32>
// CHECK:         %[[S:.*]] = stablehlo.rsqrt
// CHECK:         %[[N:.*]] = boost.rms_norm %[[X]], %{{.*}}
// CHECK:         boost.linear %[[N]]
// CHECK:         %[[X1:.*]] = stablehlo.add %{{.*}}, %[[X]]
// CHECK-NOT:     boost.rms_norm
// CHECK:         stablehlo.log %[[S]]
// CHECK:         %[[C:.*]] = stablehlo.power
// CHECK:         stablehlo.convert %[[X1]]
// CHECK:         %[[P:.*]] = boost.linear
// CHECK:         stablehlo.divide %{{.*}}, %[[C]]
// CHECK-NOT:     boost.rms_norm
// CHECK:         return
func.func @stream(%embedding: tensor<4x16xf16>, %g: tensor<16xf16>, %a: tensor<16x4xf16>, %b: tensor<4x16xf16>) -> tensor<4x4xf16> {
  %large = stablehlo.constant dense<2.0e4> : tensor<4x16xf16>
  %x = stablehlo.multiply %embedding, %large : tensor<4x16xf16>
  %n = boost.rms_norm %x, %g {eps = 0.0009765625 : f64} : tensor<4x16xf16>, tensor<16xf16>
  %h = boost.linear %n, %a : (tensor<4x16xf16>, tensor<16x4xf16>) -> tensor<4x4xf16>
  %y = boost.linear %h, %b : (tensor<4x4xf16>, tensor<4x16xf16>) -> tensor<4x16xf16>
  %x1 = stablehlo.add %y, %x : tensor<4x16xf16>
  %n1 = boost.rms_norm %x1, %g {eps = 0.0009765625 : f64} : tensor<4x16xf16>, tensor<16xf16>
  %z = boost.linear %n1, %a : (tensor<4x16xf16>, tensor<16x4xf16>) -> tensor<4x4xf16>
  return %z : tensor<4x4xf16>
}

// A norm that only multiplies with a term says nothing about its size.
// CHECK-LABEL: func @gamma
// CHECK-NEXT:    boost.rms_norm
// CHECK-NEXT:    stablehlo.add
// CHECK-NEXT:    %[[N:.*]] = boost.rms_norm
// CHECK-NEXT:    boost.linear %[[N]]
func.func @gamma(%x: tensor<4x8xf16>, %g: tensor<8xf16>, %u: tensor<8xf16>, %v: tensor<8xf16>, %w: tensor<8x3xf16>) -> (tensor<4x8xf16>, tensor<3xf16>) {
  %other = boost.rms_norm %x, %g {eps = 1.0e-6 : f64} : tensor<4x8xf16>, tensor<8xf16>
  %s = stablehlo.add %g, %u : tensor<8xf16>
  %n = boost.rms_norm %s, %v {eps = 1.0e-6 : f64} : tensor<8xf16>, tensor<8xf16>
  %y = boost.linear %n, %w : (tensor<8xf16>, tensor<8x3xf16>) -> tensor<3xf16>
  return %other, %y : tensor<4x8xf16>, tensor<3xf16>
}
