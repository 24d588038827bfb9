// RUN: boost-opt %s --canonicalize | FileCheck %s
// Arithmetic with neutral elements and on small constants is folded; what would
// round differently for some input stays.

// CHECK-LABEL: func @neutral
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>
func.func @neutral(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %one = stablehlo.constant dense<1.0> : tensor<4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<4xf32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<4xf32>
  %0 = stablehlo.multiply %one, %x : tensor<4xf32>
  %1 = stablehlo.divide %x, %one : tensor<4xf32>
  %2 = stablehlo.subtract %x, %zero : tensor<4xf32>
  %3 = stablehlo.maximum %low, %x : tensor<4xf32>
  // CHECK-NEXT: return %[[X]], %[[X]], %[[X]], %[[X]]
  return %0, %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -0 + 0 is 0, and 0 * NaN is NaN.
// CHECK-LABEL: func @keeps_float_zero
func.func @keeps_float_zero(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<4xf32>
  // CHECK: stablehlo.add
  %0 = stablehlo.add %x, %zero : tensor<4xf32>
  // CHECK: stablehlo.multiply
  %1 = stablehlo.multiply %x, %zero : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func @integer_zero
// CHECK-SAME:    %[[X:.*]]: tensor<4xi32>
func.func @integer_zero(%x: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %zero = stablehlo.constant dense<0> : tensor<4xi32>
  %0 = stablehlo.add %x, %zero : tensor<4xi32>
  %1 = stablehlo.multiply %x, %zero : tensor<4xi32>
  // CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<0>
  // CHECK-NEXT: return %[[X]], %[[C]]
  return %0, %1 : tensor<4xi32>, tensor<4xi32>
}

// CHECK-LABEL: func @booleans
// CHECK-SAME:    %[[P:.*]]: tensor<4xi1>
func.func @booleans(%p: tensor<4xi1>) -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
  %true = stablehlo.constant dense<true> : tensor<4xi1>
  %false = stablehlo.not %true : tensor<4xi1>
  %0 = stablehlo.and %p, %true : tensor<4xi1>
  %1 = stablehlo.or %p, %false : tensor<4xi1>
  %2 = stablehlo.and %p, %false : tensor<4xi1>
  // CHECK-NEXT: %[[F:.*]] = stablehlo.constant dense<false>
  // CHECK-NEXT: return %[[P]], %[[P]], %[[F]]
  return %0, %1, %2 : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
}

// CHECK-LABEL: func @constants
func.func @constants() -> (tensor<f32>, tensor<2xi32>, tensor<bf16>, tensor<f32>) {
  %two = stablehlo.constant dense<2.0> : tensor<f32>
  %three = stablehlo.constant dense<3.0> : tensor<f32>
  %0 = stablehlo.divide %two, %three : tensor<f32>
  %c = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %1 = stablehlo.add %c, %c : tensor<2xi32>
  %2 = stablehlo.convert %three : (tensor<f32>) -> tensor<bf16>
  %i = stablehlo.constant dense<-7> : tensor<i32>
  %3 = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
  // CHECK-DAG: %[[A:.*]] = stablehlo.constant dense<0.666666686> : tensor<f32>
  // CHECK-DAG: %[[B:.*]] = stablehlo.constant dense<[2, 4]> : tensor<2xi32>
  // CHECK-DAG: %[[C:.*]] = stablehlo.constant dense<3.000000e+00> : tensor<bf16>
  // CHECK-DAG: %[[D:.*]] = stablehlo.constant dense<-7.000000e+00> : tensor<f32>
  // CHECK:     return %[[A]], %[[B]], %[[C]], %[[D]]
  return %0, %1, %2, %3 : tensor<f32>, tensor<2xi32>, tensor<bf16>, tensor<f32>
}

// NaN compares unequal to everything, and as nothing else.
// CHECK-LABEL: func @compare_and_select
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<4xf32>
func.func @compare_and_select(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %nan = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %ne = stablehlo.compare NE, %nan, %zero : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %ge = stablehlo.compare GE, %nan, %zero : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %0 = stablehlo.select %ne, %x, %y : tensor<i1>, tensor<4xf32>
  %1 = stablehlo.select %ge, %x, %y : tensor<i1>, tensor<4xf32>
  // CHECK-NEXT: return %[[X]], %[[Y]]
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// Widening and back is nothing; narrowing rounds.
// CHECK-LABEL: func @convert_pairs
// CHECK-SAME:    %[[X:.*]]: tensor<4xbf16>, %[[Y:.*]]: tensor<4xf32>
func.func @convert_pairs(%x: tensor<4xbf16>, %y: tensor<4xf32>) -> (tensor<4xbf16>, tensor<4xf32>) {
  %0 = stablehlo.convert %x : (tensor<4xbf16>) -> tensor<4xf32>
  %1 = stablehlo.convert %0 : (tensor<4xf32>) -> tensor<4xbf16>
  // CHECK-NEXT: %[[N:.*]] = stablehlo.convert %[[Y]]
  // CHECK-NEXT: %[[W:.*]] = stablehlo.convert %[[N]]
  %2 = stablehlo.convert %y : (tensor<4xf32>) -> tensor<4xbf16>
  %3 = stablehlo.convert %2 : (tensor<4xbf16>) -> tensor<4xf32>
  // CHECK-NEXT: return %[[X]], %[[W]]
  return %1, %3 : tensor<4xbf16>, tensor<4xf32>
}

// CHECK-LABEL: func @double_negation
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>
func.func @double_negation(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.negate %x : tensor<4xf32>
  %1 = stablehlo.negate %0 : tensor<4xf32>
  // CHECK-NEXT: return %[[X]]
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func @logistic
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>
func.func @logistic(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %one = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<4xf32>
  // CHECK:      %[[A:.*]] = stablehlo.logistic %[[X]]
  %0 = stablehlo.negate %x : tensor<4xf32>
  %1 = stablehlo.exponential %0 : tensor<4xf32>
  %2 = stablehlo.add %one, %1 : tensor<4xf32>
  %3 = stablehlo.divide %one, %2 : tensor<4xf32>
  // CHECK-NEXT: %[[N:.*]] = stablehlo.negate %[[X]]
  // CHECK-NEXT: %[[B:.*]] = stablehlo.logistic %[[N]]
  %4 = stablehlo.exponential %x : tensor<4xf32>
  %5 = stablehlo.add %4, %one : tensor<4xf32>
  %6 = stablehlo.divide %one, %5 : tensor<4xf32>
  // CHECK-NEXT: return %[[A]], %[[B]]
  return %3, %6 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func @keeps_quotient
func.func @keeps_quotient(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %one = stablehlo.constant dense<1.0> : tensor<4xf32>
  %two = stablehlo.constant dense<2.0> : tensor<4xf32>
  // CHECK-NOT: stablehlo.logistic
  // CHECK:     return
  %0 = stablehlo.exponential %x : tensor<4xf32>
  %1 = stablehlo.add %0, %one : tensor<4xf32>
  %2 = stablehlo.divide %two, %1 : tensor<4xf32>
  %3 = stablehlo.add %0, %two : tensor<4xf32>
  %4 = stablehlo.divide %one, %3 : tensor<4xf32>
  return %2, %4 : tensor<4xf32>, tensor<4xf32>
}
