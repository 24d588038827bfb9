// RUN: boost-opt %s -boost-online-layer-norm -o %t
// RUN: FileCheck %s < %t
// RUN: boost-eval --compare --every-function %s %t
// RUN: boost-opt %s -boost-online-layer-norm -boost-decompose-bottleneck -boost-decompose-layer-norm -o %t.decomposed
// RUN: FileCheck %s --check-prefix=DECOMPOSED < %t.decomposed
// RUN: boost-eval --compare %s %t.decomposed --function=branches
// RUN: boost-eval --compare %s %t.decomposed --function=wide
// Linears that give less than they take are centered, scaled and shifted after the product.

// CHECK-LABEL: func @narrow
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>, %[[G:.*]]: tensor<8xf32>, %[[B:.*]]: tensor<8xf32>, %[[W:.*]]: tensor<8x3xf32>
// CHECK-NOT:     boost.layer_norm
// CHECK:         %[[XG:.*]] = stablehlo.multiply %[[X]], %{{.*}} {boost.component = "block"}
// CHECK:         %[[P:.*]] = boost.linear %[[XG]], %[[W]] {boost.component = "block"}
// CHECK:         %[[R:.*]] = stablehlo.rsqrt
// CHECK:         %[[GR:.*]] = stablehlo.reshape %[[G]]
// CHECK:         boost.linear %[[GR]], %[[W]]
// CHECK:         %[[BR:.*]] = stablehlo.reshape %[[B]]
// CHECK:         boost.linear %[[BR]], %[[W]]
// CHECK:         %[[C:.*]] = stablehlo.subtract %[[P]]
// CHECK:         %[[S:.*]] = stablehlo.multiply %[[C]]
// CHECK:         %[[Y:.*]] = stablehlo.add %[[S]]
// CHECK:         return %[[Y]]
func.func @narrow(%x: tensor<4x8xf32>, %g: tensor<8xf32>, %b: tensor<8xf32>, %w: tensor<8x3xf32>) -> tensor<4x3xf32> {
  %n = boost.layer_norm %x, %g, %b {eps = 0.0009765625 : f64, boost.component = "block"} : tensor<4x8xf32>, tensor<8xf32>
  %y = boost.linear %n, %w {boost.component = "block"} : (tensor<4x8xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
  return %y : tensor<4x3xf32>
}

// CHECK-LABEL: func @transposed
// CHECK-COUNT-3: boost.linear %{{.*}}, %{{.*}} transposed
func.func @transposed(%x: tensor<2x4x8xf32>, %g: tensor<8xf32>, %b: tensor<8xf32>, %w: tensor<3x8xf32>) -> tensor<2x4x3xf32> {
  %n = boost.layer_norm %x, %g, %b {eps = 0.0009765625 : f64} : tensor<2x4x8xf32>, tensor<8xf32>
  %y = boost.linear %n, %w transposed : (tensor<2x4x8xf32>, tensor<3x8xf32>) -> tensor<2x4x3xf32>
  return %y : tensor<2x4x3xf32>
}

// A bottleneck of several branches takes the norm over.
// CHECK-LABEL: func @branches
// CHECK-NEXT:    boost.bottleneck %{{.*}} norm(%{{.*}} beta %{{.*}}, 9.765625E-4)
// DECOMPOSED-LABEL: func @branches
// DECOMPOSED-NOT:   boost.{{bottleneck|layer_norm}}
// DECOMPOSED:       stablehlo.rsqrt
func.func @branches(%x: tensor<4x8xf32>, %g: tensor<8xf32>, %b: tensor<8xf32>, %d: tensor<8x2x3xf32>, %u: tensor<2x3x8xf32>) -> tensor<2x4x8xf32> {
  %n = boost.layer_norm %x, %g, %b {eps = 0.0009765625 : f64} : tensor<4x8xf32>, tensor<8xf32>
  %y = boost.bottleneck %n down(%d) up(%u)
      : tensor<4x8xf32> down tensor<8x2x3xf32> up tensor<2x3x8xf32> -> tensor<2x4x8xf32>
  return %y : tensor<2x4x8xf32>
}

// One that gives as much as it takes is left alone.
// CHECK-LABEL: func @wide
// CHECK-NEXT:    boost.layer_norm
// CHECK-NEXT:    boost.linear
// CHECK-NEXT:    return
func.func @wide(%x: tensor<4x8xf32>, %g: tensor<8xf32>, %b: tensor<8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %n = boost.layer_norm %x, %g, %b {eps = 0.0009765625 : f64} : tensor<4x8xf32>, tensor<8xf32>
  %y = boost.linear %n, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// In f16 the product could leave the range: the norm stays before it.
// CHECK-LABEL: func @f16
// CHECK-NEXT:    boost.layer_norm
// CHECK-NEXT:    boost.linear
// CHECK-NEXT:    return
func.func @f16(%x: tensor<4x8xf16>, %g: tensor<8xf32>, %b: tensor<8xf32>, %w: tensor<8x3xf16>) -> tensor<4x3xf16> {
  %n = boost.layer_norm %x, %g, %b {eps = 0.0009765625 : f64} : tensor<4x8xf16>, tensor<8xf32>
  %y = boost.linear %n, %w : (tensor<4x8xf16>, tensor<8x3xf16>) -> tensor<4x3xf16>
  return %y : tensor<4x3xf16>
}

// Nor does a bottleneck write a product of what is not normalized.
// DECOMPOSED-LABEL: func @bottleneck_f16
// DECOMPOSED-NOT:   boost.linear
// DECOMPOSED:       stablehlo.rsqrt
// DECOMPOSED:       boost.linear
func.func @bottleneck_f16(%x: tensor<4x8xf16>, %g: tensor<8xf32>, %b: tensor<8xf32>, %d: tensor<8x3xf16>, %u: tensor<3x8xf16>) -> tensor<4x8xf16> {
  %n = boost.layer_norm %x, %g, %b {eps = 0.0009765625 : f64} : tensor<4x8xf16>, tensor<8xf32>
  %y = boost.bottleneck %n down(%d) up(%u)
      : tensor<4x8xf16> down tensor<8x3xf16> up tensor<3x8xf16> -> tensor<4x8xf16>
  return %y : tensor<4x8xf16>
}

// A norm that is read as a weight stays.
// CHECK-LABEL: func @weight
// CHECK-NEXT:    %[[N:.*]] = boost.layer_norm
// CHECK-NEXT:    boost.linear %{{.*}}, %[[N]]
func.func @weight(%x: tensor<4x8xf32>, %g: tensor<8xf32>, %b: tensor<8xf32>, %w: tensor<8x4xf32>) -> tensor<8x8xf32> {
  %n = boost.layer_norm %x, %g, %b {eps = 0.0009765625 : f64} : tensor<4x8xf32>, tensor<8xf32>
  %y = boost.linear %w, %n : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}
