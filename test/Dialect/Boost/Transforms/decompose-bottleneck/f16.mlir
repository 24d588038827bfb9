// RUN: boost-opt %s -boost-decompose-bottleneck -canonicalize -cse -o %t
// RUN: FileCheck %s < %t
// RUN: boost-eval --compare %s %t --function=stream
// RUN: boost-eval --compare %s %t --function=stream --rounding=typed --tolerance=4e-3
// RUN: boost-opt %t -boost-decompose-rms-norm -o %t.norms
// RUN: boost-eval --compare %s %t.norms --function=stream --rounding=typed --tolerance=4e-3
// What a norm takes is not normalized, and in f16 a product of it could leave
// the range, as here, where the stream is about 2e4. The first norm of the
// stream is taken before the product; later ones stand behind theirs, whose
// input is made small by a power of two near the scale of the norm before.

// CHECK-LABEL: func @stream
// CHECK:         %[[X:.*]] = stablehlo.multiply %arg0
//
// The scale of the stream at the first norm, beside that norm.
// CHECK:         %[[W:.*]] = stablehlo.convert %[[X]] : (tensor<4x16xf16>) -> tensor<4x16xf32>
// CHECK:         stablehlo.multiply %[[W]], %[[W]]
// CHECK:         %[[S:.*]] = stablehlo.rsqrt %{{.*}} : tensor<4xf32>
// CHECK:         %[[N:.*]] = boost.rms_norm %[[X]], %arg1
// CHECK:         boost.linear %[[N]], %arg2
// CHECK:         %[[X1:.*]] = stablehlo.add %[[X]]
//
// The power of two near it.
// CHECK:         stablehlo.log %[[S]]
// CHECK:         %[[E:.*]] = stablehlo.round_nearest_even %{{.*}} : tensor<4xf32>
// CHECK:         %[[C:.*]] = stablehlo.power %{{.*}}, %[[E]] : tensor<4xf32>
//
// Three factors, rounded once.
// CHECK:         %[[W1:.*]] = stablehlo.convert %[[X1]] : (tensor<4x16xf16>) -> tensor<4x16xf32>
// CHECK:         %[[G:.*]] = stablehlo.convert %arg1 : (tensor<16xf16>) -> tensor<16xf32>
// CHECK:         %[[GB:.*]] = stablehlo.broadcast_in_dim %[[G]], dims = [1]
// CHECK:         %[[XG:.*]] = stablehlo.multiply %[[W1]], %[[GB]]
// CHECK:         %[[CB:.*]] = stablehlo.broadcast_in_dim %[[C]], dims = [0]
// CHECK:         %[[XS:.*]] = stablehlo.multiply %[[XG]], %[[CB]] : tensor<4x16xf32>
// CHECK:         %[[XN:.*]] = stablehlo.convert %[[XS]] : (tensor<4x16xf32>) -> tensor<4x16xf16>
// CHECK:         %[[P:.*]] = boost.linear %[[XN]], %arg2 : (tensor<4x16xf16>, tensor<16x4xf16>) -> tensor<4x4xf16>
//
// What is left of the scale of this norm.
// CHECK:         %[[S1:.*]] = stablehlo.rsqrt %{{.*}} : tensor<4xf32>
// CHECK:         %[[R:.*]] = stablehlo.divide %[[S1]], %[[C]]
// CHECK:         %[[PW:.*]] = stablehlo.convert %[[P]] : (tensor<4x4xf16>) -> tensor<4x4xf32>
// CHECK:         %[[RB:.*]] = stablehlo.broadcast_in_dim %[[R]], dims = [0]
// CHECK:         stablehlo.multiply %[[PW]], %[[RB]]
func.func @stream(%embedding: tensor<4x16xf16>, %g: tensor<16xf16>, %a: tensor<16x4xf16>, %b: tensor<4x16xf16>) -> tensor<4x16xf16> {
  %large = stablehlo.constant dense<2.0e4> : tensor<4x16xf16>
  %x = stablehlo.multiply %embedding, %large : tensor<4x16xf16>
  %y = boost.bottleneck %x norm(%g, 0.0009765625) down(%a) up(%b)
      : tensor<4x16xf16> norm tensor<16xf16> down tensor<16x4xf16> up tensor<4x16xf16> -> tensor<4x16xf16>
  %x1 = stablehlo.add %x, %y : tensor<4x16xf16>
  %z = boost.bottleneck %x1 norm(%g, 0.0009765625) down(%a) up(%b)
      : tensor<4x16xf16> norm tensor<16xf16> down tensor<16x4xf16> up tensor<4x16xf16> -> tensor<4x16xf16>
  return %z : tensor<4x16xf16>
}

// bf16 has the range of f32: there is nothing to do.
// CHECK-LABEL: func @bf16
// CHECK-NOT:     boost.rms_norm
// CHECK-NOT:     stablehlo.power
// CHECK:         return
func.func @bf16(%x: tensor<4x16xbf16>, %g: tensor<16xbf16>, %a: tensor<16x4xbf16>, %b: tensor<4x16xbf16>) -> tensor<4x16xbf16> {
  %y = boost.bottleneck %x norm(%g, 0.0009765625) down(%a) up(%b)
      : tensor<4x16xbf16> norm tensor<16xbf16> down tensor<16x4xbf16> up tensor<4x16xbf16> -> tensor<4x16xbf16>
  return %y : tensor<4x16xbf16>
}
