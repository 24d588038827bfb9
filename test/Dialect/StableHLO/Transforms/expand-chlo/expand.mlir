// RUN: boost-opt %s --boost-expand-chlo | FileCheck %s
// Squares are products; the error function of a half type is computed in f32.

// CHECK-LABEL: func @square
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>
// CHECK-NEXT:    %[[S:.*]] = stablehlo.multiply %[[X]], %[[X]] : tensor<4xf32>
// CHECK-NEXT:    return %[[S]]
func.func @square(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = chlo.square %x : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func @erf
// CHECK-SAME:    %[[X:.*]]: tensor<4xbf16>
// CHECK-NEXT:    %[[W:.*]] = stablehlo.convert %[[X]] : (tensor<4xbf16>) -> tensor<4xf32>
// CHECK:         stablehlo.clamp %{{.*}}, %[[W]], %{{.*}} : tensor<4xf32>
// CHECK:         %[[D:.*]] = stablehlo.divide %{{.*}}, %{{.*}} : tensor<4xf32>
// CHECK-NEXT:    %[[N:.*]] = stablehlo.convert %[[D]] : (tensor<4xf32>) -> tensor<4xbf16>
// CHECK-NEXT:    return %[[N]]
func.func @erf(%x: tensor<4xbf16>) -> tensor<4xbf16> {
  %0 = chlo.erf %x : tensor<4xbf16> -> tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// CHECK-LABEL: func @erfc
// CHECK:         %[[E:.*]] = stablehlo.divide
// CHECK:         %[[O:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK-NEXT:    %[[S:.*]] = stablehlo.subtract %[[O]], %[[E]] : tensor<4xf32>
// CHECK-NEXT:    return %[[S]]
func.func @erfc(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = chlo.erfc %x : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func @keeps_stablehlo
// CHECK-NEXT:    stablehlo.negate
// CHECK-NEXT:    return
func.func @keeps_stablehlo(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.negate %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
