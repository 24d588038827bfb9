// RUN: boost-opt %s -boost-decompose-bottleneck -canonicalize -cse -o %t
// RUN: FileCheck %s < %t
// RUN: boost-eval --compare --every-function %s %t
// Which earlier norm says how large the input of a norm in f16 is: one whose input is a term of it.

// The term has a bottleneck, but no norm.
// CHECK-LABEL: func @read_without_norm
// CHECK:         %[[X1:.*]] = stablehlo.add
// CHECK-NEXT:    %[[N:.*]] = boost.rms_norm %[[X1]]
// CHECK-NEXT:    boost.linear %[[N]]
func.func @read_without_norm(%x: tensor<4x16xf16>, %g: tensor<16xf16>, %a: tensor<16x4xf16>, %b: tensor<4x16xf16>) -> tensor<4x16xf16> {
  %y = boost.bottleneck %x down(%a) up(%b)
      : tensor<4x16xf16> down tensor<16x4xf16> up tensor<4x16xf16> -> tensor<4x16xf16>
  %x1 = stablehlo.add %x, %y : tensor<4x16xf16>
  %z = boost.bottleneck %x1 norm(%g, 0.0009765625) down(%a) up(%b)
      : tensor<4x16xf16> norm tensor<16xf16> down tensor<16x4xf16> up tensor<4x16xf16> -> tensor<4x16xf16>
  return %z : tensor<4x16xf16>
}

// The term is the latent that a normalized bottleneck adds, not what it normalizes.
// CHECK-LABEL: func @read_as_latent
// CHECK:         %[[S:.*]] = stablehlo.add %[[L:[a-z0-9]*]], %arg1 : tensor<4x4xf16>
// CHECK-NEXT:    %[[N:.*]] = boost.rms_norm %[[S]]
// CHECK-NEXT:    boost.linear %[[N]]
func.func @read_as_latent(%l: tensor<4x4xf16>, %m: tensor<4x4xf16>, %x: tensor<4x16xf16>, %g: tensor<16xf16>, %a: tensor<16x4xf16>, %b: tensor<4x16xf16>,
                          %h: tensor<4xf16>, %c: tensor<4x2xf16>, %d: tensor<2x4xf16>) -> (tensor<4x16xf16>, tensor<4x4xf16>) {
  %y = boost.bottleneck %x norm(%g, 0.0009765625) down(%a) up(%b) latent(%l)
      : tensor<4x16xf16> norm tensor<16xf16> down tensor<16x4xf16> up tensor<4x16xf16> latent tensor<4x4xf16> -> tensor<4x16xf16>
  %s = stablehlo.add %l, %m : tensor<4x4xf16>
  %z = boost.bottleneck %s norm(%h, 0.0009765625) down(%c) up(%d)
      : tensor<4x4xf16> norm tensor<4xf16> down tensor<4x2xf16> up tensor<2x4xf16> -> tensor<4x4xf16>
  return %y, %z : tensor<4x16xf16>, tensor<4x4xf16>
}

// The term is the second one of a sum within the sum.
// CHECK-LABEL: func @second_term
// CHECK:         stablehlo.convert %arg0 :
// CHECK:         %[[S:.*]] = stablehlo.rsqrt
// CHECK:         %[[X2:.*]] = stablehlo.add %arg1,
// CHECK-NEXT:    stablehlo.log %[[S]]
// CHECK-NOT:     boost.rms_norm
// CHECK:         stablehlo.convert %[[X2]]
func.func @second_term(%x: tensor<4x16xf16>, %u: tensor<4x16xf16>, %g: tensor<16xf16>, %a: tensor<16x4xf16>, %b: tensor<4x16xf16>) -> tensor<4x16xf16> {
  %y = boost.bottleneck %x norm(%g, 0.0009765625) down(%a) up(%b)
      : tensor<4x16xf16> norm tensor<16xf16> down tensor<16x4xf16> up tensor<4x16xf16> -> tensor<4x16xf16>
  %x1 = stablehlo.add %y, %x : tensor<4x16xf16>
  %x2 = stablehlo.add %u, %x1 : tensor<4x16xf16>
  %z = boost.bottleneck %x2 norm(%g, 0.0009765625) down(%a) up(%b)
      : tensor<4x16xf16> norm tensor<16xf16> down tensor<16x4xf16> up tensor<4x16xf16> -> tensor<4x16xf16>
  return %z : tensor<4x16xf16>
}

// Of several norms the nearest one, with its own eps.
// CHECK-LABEL: func @nearest
// CHECK:         %[[EPS:.*]] = stablehlo.constant dense<2.500000e-01>
// CHECK:         boost.rms_norm %arg0
// CHECK:         %[[X1:.*]] = stablehlo.add %{{.*}}, %arg0
// CHECK-NEXT:    stablehlo.convert %[[X1]]
// CHECK:         %[[V:.*]] = stablehlo.add %{{.*}}, %[[EPS]]
// CHECK-NEXT:    %[[S:.*]] = stablehlo.rsqrt %[[V]]
// CHECK-NEXT:    boost.rms_norm %[[X1]]
// CHECK:         stablehlo.log %[[S]]
func.func @nearest(%x: tensor<4x16xf16>, %g: tensor<16xf16>, %a: tensor<16x4xf16>, %b: tensor<4x16xf16>) -> tensor<4x16xf16> {
  %y = boost.bottleneck %x norm(%g, 0.5) down(%a) up(%b)
      : tensor<4x16xf16> norm tensor<16xf16> down tensor<16x4xf16> up tensor<4x16xf16> -> tensor<4x16xf16>
  %x1 = stablehlo.add %y, %x : tensor<4x16xf16>
  %n = boost.rms_norm %x1, %g {eps = 0.25 : f64} : tensor<4x16xf16>, tensor<16xf16>
  %x2 = stablehlo.add %n, %x1 : tensor<4x16xf16>
  %z = boost.bottleneck %x2 norm(%g, 0.125) down(%a) up(%b)
      : tensor<4x16xf16> norm tensor<16xf16> down tensor<16x4xf16> up tensor<4x16xf16> -> tensor<4x16xf16>
  return %z : tensor<4x16xf16>
}
