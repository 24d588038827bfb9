// RUN: boost-opt %s -boost-lower-precision=precision=bf16 -canonicalize | FileCheck %s
// RUN: not boost-opt %s -boost-lower-precision=precision=fp8 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// UNKNOWN: for the --precision option: expects f32 or bf16, but got 'fp8'

// Programs of other types stay as they are.
// CHECK-LABEL: func @doubles
// CHECK-NOT:     bf16
// CHECK-LABEL: func @integers
// CHECK-NOT:     bf16
// CHECK-LABEL: func @halves
func.func @doubles(%x: tensor<8x8xf64> {boost.tensor = #boost.tensor<param "x">},
                   %y: tensor<8x8xf64> {boost.tensor = #boost.tensor<batch "y">}) -> tensor<8x8xf64> {
  %z = boost.linear %y, %x : (tensor<8x8xf64>, tensor<8x8xf64>) -> tensor<8x8xf64>
  return %z : tensor<8x8xf64>
}
func.func @integers(%x: tensor<8xi32> {boost.tensor = #boost.tensor<batch "x">},
                    %y: tensor<8x8xf32> {boost.tensor = #boost.tensor<batch "y">}) -> (tensor<8xi32>, tensor<8x8xf32>) {
  %z = stablehlo.add %x, %x : tensor<8xi32>
  %w = boost.linear %y, %y : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %z, %w : tensor<8xi32>, tensor<8x8xf32>
}
// CHECK:         boost.linear {{.*}} -> tensor<8x8xf16>
func.func @halves(%x: tensor<8x8xf16> {boost.tensor = #boost.tensor<param "x">},
                  %y: tensor<8x8xf16> {boost.tensor = #boost.tensor<batch "y">}) -> tensor<8x8xf16> {
  %z = boost.linear %y, %x : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
  return %z : tensor<8x8xf16>
}

// What the program converts itself is not converted again; what it widens stays
// wide.
// CHECK-LABEL: func @converts
// CHECK-SAME:    %[[X:.*]]: tensor<8x8xbf16> {boost.tensor = #boost.tensor<param "x">}, %[[Y:.*]]: tensor<8x8xbf16>
// CHECK-NEXT:    %[[Z:.*]] = boost.linear %[[Y]], %[[X]]
// CHECK-NEXT:    %[[W:.*]] = stablehlo.convert %[[Z]] : (tensor<8x8xbf16>) -> tensor<8x8xf32>
// CHECK-NEXT:    %[[T:.*]] = stablehlo.tanh %[[W]] : tensor<8x8xf32>
// CHECK-NEXT:    return %[[T]]
func.func @converts(%x: tensor<8x8xf32> {boost.tensor = #boost.tensor<param "x">},
                    %y: tensor<8x8xbf16> {boost.tensor = #boost.tensor<batch "y">}) -> tensor<8x8xf32> {
  %low = stablehlo.convert %x : (tensor<8x8xf32>) -> tensor<8x8xbf16>
  %z = boost.linear %y, %low : (tensor<8x8xbf16>, tensor<8x8xbf16>) -> tensor<8x8xbf16>
  %w = stablehlo.convert %z : (tensor<8x8xbf16>) -> tensor<8x8xf32>
  %t = stablehlo.tanh %w : tensor<8x8xf32>
  return %t : tensor<8x8xf32>
}
