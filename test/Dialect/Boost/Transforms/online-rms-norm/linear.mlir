// RUN: boost-opt %s -boost-online-rms-norm -o %t
// RUN: FileCheck %s --check-prefixes=CHECK,NARROW < %t
// RUN: boost-opt %s -boost-online-rms-norm=all-linears -o %t.all
// RUN: FileCheck %s --check-prefixes=CHECK,ALL < %t.all
// RUN: boost-eval --compare --every-function %s %t
// RUN: boost-eval --compare %s %t.all --function=wide
// Linears that give less than they take are scaled after the product; the others only if asked for.

// CHECK-LABEL: func @narrow
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>, %[[G:.*]]: tensor<8xf32>, %[[W:.*]]: tensor<8x3xf32>
// CHECK:         %[[GB:.*]] = stablehlo.broadcast_in_dim %[[G]], dims = [1] {boost.component = "block"}
// CHECK:         %[[XG:.*]] = stablehlo.multiply %[[X]], %[[GB]] {boost.component = "block"}
// CHECK:         %[[P:.*]] = boost.linear %[[XG]], %[[W]] {boost.component = "block"}
// CHECK:         %[[SQ:.*]] = stablehlo.multiply %[[X]], %[[X]]
// CHECK:         stablehlo.reduce(%[[SQ]]
// CHECK:         %[[R:.*]] = stablehlo.rsqrt
// CHECK:         %[[RB:.*]] = stablehlo.broadcast_in_dim %[[R]], dims = [0] {boost.component = "block"} : (tensor<4xf32>) -> tensor<4x3xf32>
// CHECK:         %[[Y:.*]] = stablehlo.multiply %[[P]], %[[RB]]
// CHECK:         return %[[Y]]
func.func @narrow(%x: tensor<4x8xf32>, %g: tensor<8xf32>, %w: tensor<8x3xf32>) -> tensor<4x3xf32> {
  %n = boost.rms_norm %x, %g {eps = 0.0009765625 : f64, boost.component = "block"} : tensor<4x8xf32>, tensor<8xf32>
  %y = boost.linear %n, %w {boost.component = "block"} : (tensor<4x8xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
  return %y : tensor<4x3xf32>
}

// CHECK-LABEL: func @wide
// NARROW-NEXT:   boost.rms_norm
// NARROW-NEXT:   boost.linear
// ALL-NOT:       boost.rms_norm
// ALL:           boost.linear
// ALL:           stablehlo.rsqrt
// CHECK:         return
func.func @wide(%x: tensor<4x8xf32>, %g: tensor<8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %n = boost.rms_norm %x, %g {eps = 0.0009765625 : f64} : tensor<4x8xf32>, tensor<8xf32>
  %y = boost.linear %n, %w transposed : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// A norm that is read as a weight stays.
// CHECK-LABEL: func @weight
// CHECK-NEXT:    %[[N:.*]] = boost.rms_norm
// CHECK-NEXT:    boost.linear %{{.*}}, %[[N]]
func.func @weight(%x: tensor<4x8xf32>, %g: tensor<8xf32>, %w: tensor<8x4xf32>) -> tensor<8x8xf32> {
  %n = boost.rms_norm %x, %g {eps = 0.0009765625 : f64} : tensor<4x8xf32>, tensor<8xf32>
  %y = boost.linear %w, %n : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// Read as input and as weight: the input is taken over, the weight keeps the norm.
// CHECK-LABEL: func @gram
// CHECK:         boost.linear
// CHECK:         return
func.func @gram(%x: tensor<4x8xf32>, %g: tensor<8xf32>) -> tensor<4x4xf32> {
  %n = boost.rms_norm %x, %g {eps = 1.0e-6 : f64} : tensor<4x8xf32>, tensor<8xf32>
  %y = boost.linear %n, %n transposed : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

// CHECK-LABEL: func @factor
// CHECK:         boost.linear %{{.*}}, %arg2 {boost.factor = "first"}
func.func @factor(%x: tensor<4x8xf32>, %g: tensor<8xf32>, %w: tensor<8x3xf32>) -> tensor<4x3xf32> {
  %n = boost.rms_norm %x, %g {eps = 0.0009765625 : f64} : tensor<4x8xf32>, tensor<8xf32>
  %y = boost.linear %n, %w {boost.factor = "first"} : (tensor<4x8xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
  return %y : tensor<4x3xf32>
}
