// RUN: boost-opt %s | FileCheck %s
// RUN: boost-opt %s --mlir-print-op-generic | boost-opt | FileCheck %s
// Elementwise operations print as they parse, also by way of the generic form.

// CHECK-LABEL: func @unary
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>, %[[I:.*]]: tensor<4xi32>, %[[P:.*]]: tensor<4xi1>
func.func @unary(%x: tensor<4xf32>, %i: tensor<4xi32>, %p: tensor<4xi1>) {
  // CHECK-NEXT: stablehlo.abs %[[X]] : tensor<4xf32>
  %0 = stablehlo.abs %x : tensor<4xf32>
  // CHECK-NEXT: stablehlo.ceil %[[X]] : tensor<4xf32>
  %1 = stablehlo.ceil %x : tensor<4xf32>
  // CHECK-NEXT: stablehlo.cosine %[[X]] : tensor<4xf32>
  %2 = stablehlo.cosine %x : tensor<4xf32>
  // CHECK-NEXT: stablehlo.exponential %[[X]] : tensor<4xf32>
  %3 = stablehlo.exponential %x : tensor<4xf32>
  // CHECK-NEXT: stablehlo.exponential_minus_one %[[X]] : tensor<4xf32>
  %4 = stablehlo.exponential_minus_one %x : tensor<4xf32>
  // CHECK-NEXT: stablehlo.floor %[[X]] : tensor<4xf32>
  %5 = stablehlo.floor %x : tensor<4xf32>
  // CHECK-NEXT: stablehlo.log %[[X]] : tensor<4xf32>
  %6 = stablehlo.log %x : tensor<4xf32>
  // CHECK-NEXT: stablehlo.log_plus_one %[[X]] : tensor<4xf32>
  %7 = stablehlo.log_plus_one %x : tensor<4xf32>
  // CHECK-NEXT: stablehlo.logistic %[[X]] : tensor<4xf32>
  %8 = stablehlo.logistic %x : tensor<4xf32>
  // CHECK-NEXT: stablehlo.negate %[[I]] : tensor<4xi32>
  %9 = stablehlo.negate %i : tensor<4xi32>
  // CHECK-NEXT: stablehlo.not %[[P]] : tensor<4xi1>
  %10 = stablehlo.not %p : tensor<4xi1>
  // CHECK-NEXT: stablehlo.rsqrt %[[X]] : tensor<4xf32>
  %11 = stablehlo.rsqrt %x : tensor<4xf32>
  // CHECK-NEXT: stablehlo.sign %[[X]] : tensor<4xf32>
  %12 = stablehlo.sign %x : tensor<4xf32>
  // CHECK-NEXT: stablehlo.sine %[[X]] : tensor<4xf32>
  %13 = stablehlo.sine %x : tensor<4xf32>
  // CHECK-NEXT: stablehlo.sqrt %[[X]] : tensor<4xf32>
  %14 = stablehlo.sqrt %x : tensor<4xf32>
  // CHECK-NEXT: stablehlo.tanh %[[X]] : tensor<4xf32>
  %15 = stablehlo.tanh %x : tensor<4xf32>
  // CHECK-NEXT: stablehlo.is_finite %[[X]] : (tensor<4xf32>) -> tensor<4xi1>
  %16 = stablehlo.is_finite %x : (tensor<4xf32>) -> tensor<4xi1>
  // CHECK-NEXT: stablehlo.reduce_precision %[[X]], format = e8m7 : tensor<4xf32>
  %17 = stablehlo.reduce_precision %x, format = e8m7 : tensor<4xf32>
  // CHECK-NEXT: stablehlo.convert %[[X]] : (tensor<4xf32>) -> tensor<4xbf16>
  %18 = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xbf16>
  // CHECK-NEXT: stablehlo.convert %[[X]] : tensor<4xf32>
  %19 = stablehlo.convert %x : tensor<4xf32>
  // CHECK-NEXT: chlo.square %[[X]] : tensor<4xf32> -> tensor<4xf32>
  %20 = chlo.square %x : tensor<4xf32> -> tensor<4xf32>
  // CHECK-NEXT: chlo.erf %[[X]] : tensor<4xf32> -> tensor<4xf32>
  %21 = chlo.erf %x : tensor<4xf32> -> tensor<4xf32>
  return
}

// CHECK-LABEL: func @binary
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>, %[[I:.*]]: tensor<4xi32>
func.func @binary(%x: tensor<4xf32>, %i: tensor<4xi32>) {
  // CHECK-NEXT: stablehlo.add %[[X]], %[[X]] : tensor<4xf32>
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  // CHECK-NEXT: stablehlo.and %[[I]], %[[I]] : tensor<4xi32>
  %1 = stablehlo.and %i, %i : tensor<4xi32>
  // CHECK-NEXT: stablehlo.divide %[[X]], %[[X]] : tensor<4xf32>
  %2 = stablehlo.divide %x, %x : tensor<4xf32>
  // CHECK-NEXT: stablehlo.maximum %[[X]], %[[X]] : tensor<4xf32>
  %3 = stablehlo.maximum %x, %x : tensor<4xf32>
  // CHECK-NEXT: stablehlo.minimum %[[X]], %[[X]] : tensor<4xf32>
  %4 = stablehlo.minimum %x, %x : tensor<4xf32>
  // CHECK-NEXT: stablehlo.multiply %[[X]], %[[X]] : tensor<4xf32>
  %5 = stablehlo.multiply %x, %x : tensor<4xf32>
  // CHECK-NEXT: stablehlo.or %[[I]], %[[I]] : tensor<4xi32>
  %6 = stablehlo.or %i, %i : tensor<4xi32>
  // CHECK-NEXT: stablehlo.power %[[X]], %[[X]] : tensor<4xf32>
  %7 = stablehlo.power %x, %x : tensor<4xf32>
  // CHECK-NEXT: stablehlo.remainder %[[I]], %[[I]] : tensor<4xi32>
  %8 = stablehlo.remainder %i, %i : tensor<4xi32>
  // CHECK-NEXT: stablehlo.shift_left %[[I]], %[[I]] : tensor<4xi32>
  %9 = stablehlo.shift_left %i, %i : tensor<4xi32>
  // CHECK-NEXT: stablehlo.shift_right_arithmetic %[[I]], %[[I]] : tensor<4xi32>
  %10 = stablehlo.shift_right_arithmetic %i, %i : tensor<4xi32>
  // CHECK-NEXT: stablehlo.shift_right_logical %[[I]], %[[I]] : tensor<4xi32>
  %11 = stablehlo.shift_right_logical %i, %i : tensor<4xi32>
  // CHECK-NEXT: stablehlo.subtract %[[X]], %[[X]] : tensor<4xf32>
  %12 = stablehlo.subtract %x, %x : tensor<4xf32>
  // CHECK-NEXT: stablehlo.xor %[[I]], %[[I]] : tensor<4xi32>
  %13 = stablehlo.xor %i, %i : tensor<4xi32>
  return
}

// CHECK-LABEL: func @choice
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>, %[[I:.*]]: tensor<4xi32>, %[[P:.*]]: tensor<4xi1>, %[[S:.*]]: tensor<f32>
func.func @choice(%x: tensor<4xf32>, %i: tensor<4xi32>, %p: tensor<4xi1>, %s: tensor<f32>) {
  // CHECK-NEXT: stablehlo.compare LT, %[[X]], %[[X]] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %0 = stablehlo.compare LT, %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK-NEXT: stablehlo.compare GE, %[[I]], %[[I]], SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %1 = stablehlo.compare GE, %i, %i, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  // CHECK-NEXT: stablehlo.select %[[P]], %[[X]], %[[X]] : tensor<4xi1>, tensor<4xf32>
  %2 = stablehlo.select %p, %x, %x : tensor<4xi1>, tensor<4xf32>
  // CHECK-NEXT: stablehlo.select %[[P]], %[[X]], %[[X]] : tensor<4xi1>, tensor<4xf32>
  %3 = stablehlo.select %p, %x, %x : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: stablehlo.clamp %[[X]], %[[X]], %[[X]] : tensor<4xf32>
  %4 = stablehlo.clamp %x, %x, %x : tensor<4xf32>
  // CHECK-NEXT: stablehlo.clamp %[[S]], %[[X]], %[[S]] : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %5 = stablehlo.clamp %s, %x, %s : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}
