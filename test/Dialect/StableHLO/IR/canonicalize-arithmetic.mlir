// RUN: boost-opt %s --canonicalize=test-convergence=true | FileCheck %s
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
func.func @keeps_quotient(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %one = stablehlo.constant dense<1.0> : tensor<4xf32>
  %two = stablehlo.constant dense<2.0> : tensor<4xf32>
  // CHECK-NOT: stablehlo.logistic
  // CHECK:     return
  %0 = stablehlo.exponential %x : tensor<4xf32>
  %1 = stablehlo.add %0, %one : tensor<4xf32>
  %2 = stablehlo.divide %two, %1 : tensor<4xf32>
  %3 = stablehlo.add %0, %two : tensor<4xf32>
  %4 = stablehlo.divide %one, %3 : tensor<4xf32>
  %5 = stablehlo.divide %one, %x : tensor<4xf32>
  %6 = stablehlo.add %x, %one : tensor<4xf32>
  %7 = stablehlo.divide %one, %6 : tensor<4xf32>
  return %2, %4, %5, %7 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// Every comparison, of numbers in every order.
// CHECK-LABEL: func @compare_less
func.func @compare_less() -> (tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>) {
  %a = stablehlo.constant dense<1.0> : tensor<f32>
  %b = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = stablehlo.compare EQ, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %1 = stablehlo.compare NE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %2 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %3 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %4 = stablehlo.compare LE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %5 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  // CHECK-DAG: %[[T:.*]] = stablehlo.constant dense<true>
  // CHECK-DAG: %[[F:.*]] = stablehlo.constant dense<false>
  // CHECK:     return %[[F]], %[[T]], %[[F]], %[[F]], %[[T]], %[[T]]
  return %0, %1, %2, %3, %4, %5 : tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>
}

// The zeros are equal.
// CHECK-LABEL: func @compare_equal
func.func @compare_equal() -> (tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>) {
  %a = stablehlo.constant dense<-0.0> : tensor<f32>
  %b = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.compare EQ, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %1 = stablehlo.compare NE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %2 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %3 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %4 = stablehlo.compare LE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %5 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  // CHECK-DAG: %[[T:.*]] = stablehlo.constant dense<true>
  // CHECK-DAG: %[[F:.*]] = stablehlo.constant dense<false>
  // CHECK:     return %[[T]], %[[F]], %[[T]], %[[F]], %[[T]], %[[F]]
  return %0, %1, %2, %3, %4, %5 : tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>
}

// CHECK-LABEL: func @compare_greater
func.func @compare_greater() -> (tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>) {
  %a = stablehlo.constant dense<2.0> : tensor<f32>
  %b = stablehlo.constant dense<-3.0> : tensor<f32>
  %0 = stablehlo.compare EQ, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %1 = stablehlo.compare NE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %2 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %3 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %4 = stablehlo.compare LE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %5 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  // CHECK-DAG: %[[T:.*]] = stablehlo.constant dense<true>
  // CHECK-DAG: %[[F:.*]] = stablehlo.constant dense<false>
  // CHECK:     return %[[F]], %[[T]], %[[T]], %[[T]], %[[F]], %[[F]]
  return %0, %1, %2, %3, %4, %5 : tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>
}

// CHECK-LABEL: func @compare_signed
func.func @compare_signed() -> (tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>) {
  %a = stablehlo.constant dense<-1> : tensor<i8>
  %b = stablehlo.constant dense<1> : tensor<i8>
  %0 = stablehlo.compare EQ, %a, %b : (tensor<i8>, tensor<i8>) -> tensor<i1>
  %1 = stablehlo.compare NE, %a, %b : (tensor<i8>, tensor<i8>) -> tensor<i1>
  %2 = stablehlo.compare GE, %a, %b : (tensor<i8>, tensor<i8>) -> tensor<i1>
  %3 = stablehlo.compare GT, %a, %b : (tensor<i8>, tensor<i8>) -> tensor<i1>
  %4 = stablehlo.compare LE, %a, %b : (tensor<i8>, tensor<i8>) -> tensor<i1>
  %5 = stablehlo.compare LT, %a, %b : (tensor<i8>, tensor<i8>) -> tensor<i1>
  // CHECK-DAG: %[[T:.*]] = stablehlo.constant dense<true>
  // CHECK-DAG: %[[F:.*]] = stablehlo.constant dense<false>
  // CHECK:     return %[[F]], %[[T]], %[[F]], %[[F]], %[[T]], %[[T]]
  return %0, %1, %2, %3, %4, %5 : tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>
}

// CHECK-LABEL: func @compare_unsigned
func.func @compare_unsigned() -> (tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>) {
  %a = stablehlo.constant dense<255> : tensor<ui8>
  %b = stablehlo.constant dense<1> : tensor<ui8>
  %0 = stablehlo.compare EQ, %a, %b : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
  %1 = stablehlo.compare NE, %a, %b : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
  %2 = stablehlo.compare GE, %a, %b : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
  %3 = stablehlo.compare GT, %a, %b : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
  %4 = stablehlo.compare LE, %a, %b : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
  %5 = stablehlo.compare LT, %a, %b : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
  // CHECK-DAG: %[[T:.*]] = stablehlo.constant dense<true>
  // CHECK-DAG: %[[F:.*]] = stablehlo.constant dense<false>
  // CHECK:     return %[[F]], %[[T]], %[[T]], %[[T]], %[[F]], %[[F]]
  return %0, %1, %2, %3, %4, %5 : tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>
}

// CHECK-LABEL: func @compare_booleans
func.func @compare_booleans() -> (tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>) {
  %a = stablehlo.constant dense<true> : tensor<i1>
  %b = stablehlo.constant dense<false> : tensor<i1>
  %0 = stablehlo.compare EQ, %a, %b : (tensor<i1>, tensor<i1>) -> tensor<i1>
  %1 = stablehlo.compare NE, %a, %b : (tensor<i1>, tensor<i1>) -> tensor<i1>
  %2 = stablehlo.compare GE, %a, %b : (tensor<i1>, tensor<i1>) -> tensor<i1>
  %3 = stablehlo.compare GT, %a, %b : (tensor<i1>, tensor<i1>) -> tensor<i1>
  %4 = stablehlo.compare LE, %a, %b : (tensor<i1>, tensor<i1>) -> tensor<i1>
  %5 = stablehlo.compare LT, %a, %b : (tensor<i1>, tensor<i1>) -> tensor<i1>
  // CHECK-DAG: %[[T:.*]] = stablehlo.constant dense<true>
  // CHECK-DAG: %[[F:.*]] = stablehlo.constant dense<false>
  // CHECK:     return %[[F]], %[[T]], %[[T]], %[[T]], %[[F]], %[[F]]
  return %0, %1, %2, %3, %4, %5 : tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>
}

// Total order tells the zeros apart, and is left to execution.
// CHECK-LABEL: func @keeps_total_order
func.func @keeps_total_order() -> tensor<i1> {
  %a = stablehlo.constant dense<-0.0> : tensor<f32>
  %b = stablehlo.constant dense<0.0> : tensor<f32>
  // CHECK: stablehlo.compare EQ, {{.*}}, TOTALORDER
  %0 = stablehlo.compare EQ, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func @extremes
func.func @extremes() -> (tensor<3xi8>, tensor<3xi8>, tensor<3xui8>, tensor<3xui8>) {
  %a = stablehlo.constant dense<[-1, 2, 7]> : tensor<3xi8>
  %b = stablehlo.constant dense<[3, -5, 7]> : tensor<3xi8>
  %0 = stablehlo.maximum %a, %b : tensor<3xi8>
  %1 = stablehlo.minimum %a, %b : tensor<3xi8>
  %c = stablehlo.constant dense<[255, 2, 7]> : tensor<3xui8>
  %d = stablehlo.constant dense<[3, 200, 7]> : tensor<3xui8>
  %2 = stablehlo.maximum %c, %d : tensor<3xui8>
  %3 = stablehlo.minimum %c, %d : tensor<3xui8>
  // CHECK-DAG: %[[A:.*]] = stablehlo.constant dense<[3, 2, 7]> : tensor<3xi8>
  // CHECK-DAG: %[[B:.*]] = stablehlo.constant dense<[-1, -5, 7]> : tensor<3xi8>
  // CHECK-DAG: %[[C:.*]] = stablehlo.constant dense<[255, 200, 7]> : tensor<3xui8>
  // CHECK-DAG: %[[D:.*]] = stablehlo.constant dense<[3, 2, 7]> : tensor<3xui8>
  // CHECK:     return %[[A]], %[[B]], %[[C]], %[[D]]
  return %0, %1, %2, %3 : tensor<3xi8>, tensor<3xi8>, tensor<3xui8>, tensor<3xui8>
}

// The least number is neutral for the maximum, the greatest for the minimum.
// CHECK-LABEL: func @neutral_extremes
// CHECK-SAME:    %[[I:.*]]: tensor<4xi8>, %[[U:.*]]: tensor<4xui8>, %[[X:.*]]: tensor<4xf32>
func.func @neutral_extremes(%i: tensor<4xi8>, %u: tensor<4xui8>, %x: tensor<4xf32>)
    -> (tensor<4xi8>, tensor<4xi8>, tensor<4xui8>, tensor<4xui8>, tensor<4xf32>) {
  %least = stablehlo.constant dense<-128> : tensor<4xi8>
  %most = stablehlo.constant dense<127> : tensor<4xi8>
  %none = stablehlo.constant dense<0> : tensor<4xui8>
  %all = stablehlo.constant dense<255> : tensor<4xui8>
  %high = stablehlo.constant dense<0x7F800000> : tensor<4xf32>
  %0 = stablehlo.maximum %i, %least : tensor<4xi8>
  %1 = stablehlo.minimum %i, %most : tensor<4xi8>
  %2 = stablehlo.maximum %u, %none : tensor<4xui8>
  %3 = stablehlo.minimum %u, %all : tensor<4xui8>
  %4 = stablehlo.minimum %x, %high : tensor<4xf32>
  // CHECK-NEXT: return %[[I]], %[[I]], %[[U]], %[[U]], %[[X]]
  return %0, %1, %2, %3, %4 : tensor<4xi8>, tensor<4xi8>, tensor<4xui8>, tensor<4xui8>, tensor<4xf32>
}

// Numbers that are so for the other sign or operation; and -0 - (-0) is 0.
// CHECK-LABEL: func @keeps_other_extremes
func.func @keeps_other_extremes(%i: tensor<4xi8>, %u: tensor<4xui8>, %x: tensor<4xf32>)
    -> (tensor<4xi8>, tensor<4xi8>, tensor<4xui8>, tensor<4xui8>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %none = stablehlo.constant dense<0> : tensor<4xi8>
  %minus = stablehlo.constant dense<-1> : tensor<4xi8>
  %half = stablehlo.constant dense<128> : tensor<4xui8>
  %most = stablehlo.constant dense<127> : tensor<4xui8>
  %high = stablehlo.constant dense<0x7F800000> : tensor<4xf32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<4xf32>
  %negative = stablehlo.constant dense<-0.0> : tensor<4xf32>
  // CHECK: stablehlo.maximum
  %0 = stablehlo.maximum %i, %none : tensor<4xi8>
  // CHECK: stablehlo.minimum
  %1 = stablehlo.minimum %i, %minus : tensor<4xi8>
  // CHECK: stablehlo.maximum
  %2 = stablehlo.maximum %u, %half : tensor<4xui8>
  // CHECK: stablehlo.minimum
  %3 = stablehlo.minimum %u, %most : tensor<4xui8>
  // CHECK: stablehlo.maximum
  %4 = stablehlo.maximum %x, %high : tensor<4xf32>
  // CHECK: stablehlo.minimum
  %5 = stablehlo.minimum %x, %low : tensor<4xf32>
  // CHECK: stablehlo.subtract
  %6 = stablehlo.subtract %x, %negative : tensor<4xf32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<4xi8>, tensor<4xi8>, tensor<4xui8>, tensor<4xui8>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// Integers keep their value, or their lowest bits.
// CHECK-LABEL: func @convert_integers
func.func @convert_integers() -> (tensor<i32>, tensor<i32>, tensor<2xui8>, tensor<2xf32>, tensor<i8>, tensor<f32>) {
  %a = stablehlo.constant dense<200> : tensor<ui8>
  %0 = stablehlo.convert %a : (tensor<ui8>) -> tensor<i32>
  %b = stablehlo.constant dense<-56> : tensor<i8>
  %1 = stablehlo.convert %b : (tensor<i8>) -> tensor<i32>
  %c = stablehlo.constant dense<[-1, 2]> : tensor<2xi8>
  %2 = stablehlo.convert %c : (tensor<2xi8>) -> tensor<2xui8>
  %d = stablehlo.constant dense<[250, 3]> : tensor<2xui8>
  %3 = stablehlo.convert %d : (tensor<2xui8>) -> tensor<2xf32>
  %e = stablehlo.constant dense<511> : tensor<i32>
  %4 = stablehlo.convert %e : (tensor<i32>) -> tensor<i8>
  %f = stablehlo.constant dense<true> : tensor<i1>
  %5 = stablehlo.convert %f : (tensor<i1>) -> tensor<f32>
  // CHECK-DAG: %[[A:.*]] = stablehlo.constant dense<200> : tensor<i32>
  // CHECK-DAG: %[[B:.*]] = stablehlo.constant dense<-56> : tensor<i32>
  // CHECK-DAG: %[[C:.*]] = stablehlo.constant dense<[255, 2]> : tensor<2xui8>
  // CHECK-DAG: %[[D:.*]] = stablehlo.constant dense<[2.500000e+02, 3.000000e+00]> : tensor<2xf32>
  // CHECK-DAG: %[[E:.*]] = stablehlo.constant dense<-1> : tensor<i8>
  // CHECK-DAG: %[[F:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  // CHECK:     return %[[A]], %[[B]], %[[C]], %[[D]], %[[E]], %[[F]]
  return %0, %1, %2, %3, %4, %5 : tensor<i32>, tensor<i32>, tensor<2xui8>, tensor<2xf32>, tensor<i8>, tensor<f32>
}

// Floats saturate as integers, and 2 is true though its lowest bit is 0.
// CHECK-LABEL: func @keeps_converts
func.func @keeps_converts() -> (tensor<i8>, tensor<2xi8>, tensor<i1>, tensor<2xi1>) {
  %a = stablehlo.constant dense<1.0e+9> : tensor<f32>
  %b = stablehlo.constant dense<[1.0e+9, 1.0]> : tensor<2xf32>
  %c = stablehlo.constant dense<2> : tensor<i32>
  %d = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  // CHECK-COUNT-4: stablehlo.convert
  %0 = stablehlo.convert %a : (tensor<f32>) -> tensor<i8>
  %1 = stablehlo.convert %b : (tensor<2xf32>) -> tensor<2xi8>
  %2 = stablehlo.convert %c : (tensor<i32>) -> tensor<i1>
  %3 = stablehlo.convert %d : (tensor<2xi32>) -> tensor<2xi1>
  return %0, %1, %2, %3 : tensor<i8>, tensor<2xi8>, tensor<i1>, tensor<2xi1>
}

// f16 has the longer mantissa, bf16 the wider range: neither holds the other.
// CHECK-LABEL: func @keeps_narrowing_pairs
func.func @keeps_narrowing_pairs(%h: tensor<4xf16>, %b: tensor<4xbf16>, %i: tensor<4xi32>)
    -> (tensor<4xf16>, tensor<4xbf16>, tensor<4xi32>) {
  // CHECK-COUNT-6: stablehlo.convert
  %0 = stablehlo.convert %h : (tensor<4xf16>) -> tensor<4xbf16>
  %1 = stablehlo.convert %0 : (tensor<4xbf16>) -> tensor<4xf16>
  %2 = stablehlo.convert %b : (tensor<4xbf16>) -> tensor<4xf16>
  %3 = stablehlo.convert %2 : (tensor<4xf16>) -> tensor<4xbf16>
  %4 = stablehlo.convert %i : (tensor<4xi32>) -> tensor<4xi8>
  %5 = stablehlo.convert %4 : (tensor<4xi8>) -> tensor<4xi32>
  return %1, %3, %5 : tensor<4xf16>, tensor<4xbf16>, tensor<4xi32>
}

// Operations on more than 64 different elements stay, on either side.
// CHECK-LABEL: func @keeps_long_constants
func.func @keeps_long_constants()
    -> (tensor<65xi8>, tensor<65xi8>, tensor<64xi8>, tensor<65xi8>, tensor<65xi8>, tensor<65xi8>) {
  %long = stablehlo.constant dense<"0x000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F202122232425262728292A2B2C2D2E2F303132333435363738393A3B3C3D3E3F40"> : tensor<65xi8>
  %short = stablehlo.constant dense<"0x000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F202122232425262728292A2B2C2D2E2F303132333435363738393A3B3C3D3E3F"> : tensor<64xi8>
  %ones = stablehlo.constant dense<1> : tensor<65xi8>
  %twos = stablehlo.constant dense<2> : tensor<64xi8>
  // CHECK-NOT: stablehlo.add
  // CHECK-DAG: %[[C:.*]] = stablehlo.constant dense<[2, 3, 4, {{.*}}, 64, 65]> : tensor<64xi8>
  // CHECK-DAG: %[[A:.*]] = stablehlo.subtract %{{.*}}, %{{.*}} : tensor<65xi8>
  // CHECK-DAG: %[[B:.*]] = stablehlo.subtract %{{.*}}, %{{.*}} : tensor<65xi8>
  // CHECK-DAG: %[[D:.*]] = stablehlo.negate %{{.*}} : tensor<65xi8>
  // CHECK-DAG: %[[E:.*]] = stablehlo.not %{{.*}} : tensor<65xi8>
  // CHECK-DAG: %[[F:.*]] = stablehlo.constant dense<3> : tensor<65xi8>
  %0 = stablehlo.subtract %long, %ones : tensor<65xi8>
  %1 = stablehlo.subtract %ones, %long : tensor<65xi8>
  %2 = stablehlo.add %short, %twos : tensor<64xi8>
  %3 = stablehlo.negate %long : tensor<65xi8>
  %4 = stablehlo.not %long : tensor<65xi8>
  %twice = stablehlo.add %ones, %ones : tensor<65xi8>
  %5 = stablehlo.add %twice, %ones : tensor<65xi8>
  // CHECK: return %[[A]], %[[B]], %[[C]], %[[D]], %[[E]], %[[F]]
  return %0, %1, %2, %3, %4, %5 : tensor<65xi8>, tensor<65xi8>, tensor<64xi8>, tensor<65xi8>, tensor<65xi8>, tensor<65xi8>
}

// -(-128) is -128 in eight bits.
// CHECK-LABEL: func @negated_constants
func.func @negated_constants() -> (tensor<3xi8>, tensor<2xf32>, tensor<2xi8>, tensor<2xi1>) {
  %a = stablehlo.constant dense<[1, -2, -128]> : tensor<3xi8>
  %b = stablehlo.constant dense<[0.0, -2.5]> : tensor<2xf32>
  %c = stablehlo.constant dense<[5, -1]> : tensor<2xi8>
  %d = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  // CHECK-DAG: %[[A:.*]] = stablehlo.constant dense<[-1, 2, -128]> : tensor<3xi8>
  // CHECK-DAG: %[[B:.*]] = stablehlo.constant dense<[-0.000000e+00, 2.500000e+00]> : tensor<2xf32>
  // CHECK-DAG: %[[C:.*]] = stablehlo.constant dense<[-6, 0]> : tensor<2xi8>
  // CHECK-DAG: %[[D:.*]] = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  %0 = stablehlo.negate %a : tensor<3xi8>
  %1 = stablehlo.negate %b : tensor<2xf32>
  %2 = stablehlo.not %c : tensor<2xi8>
  %3 = stablehlo.not %d : tensor<2xi1>
  // CHECK: return %[[A]], %[[B]], %[[C]], %[[D]]
  return %0, %1, %2, %3 : tensor<3xi8>, tensor<2xf32>, tensor<2xi8>, tensor<2xi1>
}

// CHECK-LABEL: func @same_operand
// CHECK-SAME:    %[[P:.*]]: tensor<4xi8>, %[[Q:.*]]: tensor<4xi8>, %[[C:.*]]: tensor<4xi1>
func.func @same_operand(%p: tensor<4xi8>, %q: tensor<4xi8>, %c: tensor<4xi1>)
    -> (tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>) {
  // CHECK-NEXT: %[[A:.*]] = stablehlo.and %[[P]], %[[Q]]
  // CHECK-NEXT: %[[O:.*]] = stablehlo.or %[[P]], %[[Q]]
  // CHECK-NEXT: %[[S:.*]] = stablehlo.select %[[C]], %[[P]], %[[Q]]
  %0 = stablehlo.and %p, %p : tensor<4xi8>
  %1 = stablehlo.or %p, %p : tensor<4xi8>
  %2 = stablehlo.select %c, %p, %p : tensor<4xi1>, tensor<4xi8>
  %3 = stablehlo.and %p, %q : tensor<4xi8>
  %4 = stablehlo.or %p, %q : tensor<4xi8>
  %5 = stablehlo.select %c, %p, %q : tensor<4xi1>, tensor<4xi8>
  // CHECK-NEXT: return %[[P]], %[[P]], %[[P]], %[[A]], %[[O]], %[[S]]
  return %0, %1, %2, %3, %4, %5 : tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>
}

// Bit by bit; the sum of booleans is no sum of bits.
// CHECK-LABEL: func @bits
// CHECK-SAME:    %[[P:.*]]: tensor<2xi8>
func.func @bits(%p: tensor<2xi8>) -> (tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<i1>) {
  %a = stablehlo.constant dense<[12, 5]> : tensor<2xi8>
  %b = stablehlo.constant dense<[10, 3]> : tensor<2xi8>
  %ones = stablehlo.constant dense<-1> : tensor<2xi8>
  %true = stablehlo.constant dense<true> : tensor<i1>
  // CHECK-DAG: %[[AND:.*]] = stablehlo.constant dense<[8, 1]> : tensor<2xi8>
  // CHECK-DAG: %[[OR:.*]] = stablehlo.constant dense<[14, 7]> : tensor<2xi8>
  // CHECK-DAG: %[[ONES:.*]] = stablehlo.constant dense<-1> : tensor<2xi8>
  // CHECK-DAG: %[[SUM:.*]] = stablehlo.add %{{.*}}, %{{.*}} : tensor<i1>
  %0 = stablehlo.and %a, %b : tensor<2xi8>
  %1 = stablehlo.or %a, %b : tensor<2xi8>
  %2 = stablehlo.and %p, %ones : tensor<2xi8>
  %3 = stablehlo.or %p, %ones : tensor<2xi8>
  %4 = stablehlo.add %true, %true : tensor<i1>
  // CHECK: return %[[AND]], %[[OR]], %[[P]], %[[ONES]], %[[SUM]]
  return %0, %1, %2, %3, %4 : tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<i1>
}

// NaN is both the greatest and the least, and -0 is below 0.
// CHECK-LABEL: func @float_extremes
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>
func.func @float_extremes(%x: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<2xi8>, tensor<2xui8>, tensor<4xf32>, tensor<4xf32>) {
  %a = stablehlo.constant dense<[1.0, -0.0, 0x7FC00000, 3.0]> : tensor<4xf32>
  %b = stablehlo.constant dense<[2.0, 0.0, 1.0, -4.0]> : tensor<4xf32>
  %i = stablehlo.constant dense<[1, 4]> : tensor<2xi8>
  %j = stablehlo.constant dense<[2, 3]> : tensor<2xi8>
  %u = stablehlo.constant dense<[1, 4]> : tensor<2xui8>
  %v = stablehlo.constant dense<[2, 3]> : tensor<2xui8>
  %minus = stablehlo.constant dense<-1.0> : tensor<4xf32>
  %plus = stablehlo.constant dense<1.0> : tensor<4xf32>
  // CHECK-DAG: %[[A:.*]] = stablehlo.constant dense<[2.000000e+00, 0.000000e+00, 0x7FC00000, 3.000000e+00]>
  // CHECK-DAG: %[[B:.*]] = stablehlo.constant dense<[1.000000e+00, -0.000000e+00, 0x7FC00000, -4.000000e+00]>
  // CHECK-DAG: %[[I:.*]] = stablehlo.constant dense<[2, 4]> : tensor<2xi8>
  // CHECK-DAG: %[[J:.*]] = stablehlo.constant dense<[1, 3]> : tensor<2xui8>
  // CHECK-DAG: %[[M:.*]] = stablehlo.maximum %[[X]], %{{.*}}
  // CHECK-DAG: %[[N:.*]] = stablehlo.minimum %[[X]], %{{.*}}
  %0 = stablehlo.maximum %a, %b : tensor<4xf32>
  %1 = stablehlo.minimum %a, %b : tensor<4xf32>
  %2 = stablehlo.maximum %i, %j : tensor<2xi8>
  %3 = stablehlo.minimum %u, %v : tensor<2xui8>
  %4 = stablehlo.maximum %x, %minus : tensor<4xf32>
  %5 = stablehlo.minimum %x, %plus : tensor<4xf32>
  // CHECK: return %[[A]], %[[B]], %[[I]], %[[J]], %[[M]], %[[N]]
  return %0, %1, %2, %3, %4, %5 : tensor<4xf32>, tensor<4xf32>, tensor<2xi8>, tensor<2xui8>, tensor<4xf32>, tensor<4xf32>
}

// One side of a comparison says nothing.
// CHECK-LABEL: func @keeps_comparisons
func.func @keeps_comparisons(%x: tensor<4xf32>) -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
  %zero = stablehlo.constant dense<0.0> : tensor<4xf32>
  // CHECK-COUNT-3: stablehlo.compare
  %0 = stablehlo.compare LT, %x, %zero : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %1 = stablehlo.compare LT, %zero, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %2 = stablehlo.compare LT, %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %0, %1, %2 : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
}

// CHECK-LABEL: func @neutral_integers
// CHECK-SAME:    %[[X:.*]]: tensor<4xi32>, %[[Y:.*]]: tensor<4xf32>
func.func @neutral_integers(%x: tensor<4xi32>, %y: tensor<4xf32>)
    -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xf32>, tensor<4xi32>) {
  %zero = stablehlo.constant dense<0> : tensor<4xi32>
  %one = stablehlo.constant dense<1> : tensor<4xi32>
  %negative = stablehlo.constant dense<-0.0> : tensor<4xf32>
  // CHECK: %[[Q:.*]] = stablehlo.divide
  %0 = stablehlo.multiply %x, %one : tensor<4xi32>
  %1 = stablehlo.divide %x, %one : tensor<4xi32>
  %2 = stablehlo.subtract %x, %zero : tensor<4xi32>
  %3 = stablehlo.add %y, %negative : tensor<4xf32>
  %4 = stablehlo.divide %one, %zero : tensor<4xi32>
  // CHECK: return %[[X]], %[[X]], %[[X]], %[[Y]], %[[Q]]
  return %0, %1, %2, %3, %4 : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xf32>, tensor<4xi32>
}

// Back from a wider integer, and from an integer to a boolean.
// CHECK-LABEL: func @convert_integers_back
// CHECK-SAME:    %[[X:.*]]: tensor<4xi8>, %[[P:.*]]: tensor<4xi1>
// CHECK-NEXT:    return %[[X]], %[[P]]
func.func @convert_integers_back(%x: tensor<4xi8>, %p: tensor<4xi1>) -> (tensor<4xi8>, tensor<4xi1>) {
  %0 = stablehlo.convert %x : (tensor<4xi8>) -> tensor<4xi32>
  %1 = stablehlo.convert %0 : (tensor<4xi32>) -> tensor<4xi8>
  %2 = stablehlo.convert %p : (tensor<4xi1>) -> tensor<4xi32>
  %3 = stablehlo.convert %2 : (tensor<4xi32>) -> tensor<4xi1>
  return %1, %3 : tensor<4xi8>, tensor<4xi1>
}

// By way of numbers of another kind, and on to a third type.
// CHECK-LABEL: func @keeps_other_pairs
// CHECK-COUNT-8: stablehlo.convert
// CHECK:         return
func.func @keeps_other_pairs(%f: tensor<4xf32>, %i: tensor<4xi32>, %u: tensor<4xui8>, %b: tensor<4xbf16>)
    -> (tensor<4xf32>, tensor<4xi32>, tensor<4xui8>, tensor<4xf16>) {
  %0 = stablehlo.convert %f : (tensor<4xf32>) -> tensor<4xi64>
  %1 = stablehlo.convert %0 : (tensor<4xi64>) -> tensor<4xf32>
  %2 = stablehlo.convert %i : (tensor<4xi32>) -> tensor<4xf32>
  %3 = stablehlo.convert %2 : (tensor<4xf32>) -> tensor<4xi32>
  %4 = stablehlo.convert %u : (tensor<4xui8>) -> tensor<4xi8>
  %5 = stablehlo.convert %4 : (tensor<4xi8>) -> tensor<4xui8>
  %6 = stablehlo.convert %b : (tensor<4xbf16>) -> tensor<4xf32>
  %7 = stablehlo.convert %6 : (tensor<4xf32>) -> tensor<4xf16>
  return %1, %3, %5, %7 : tensor<4xf32>, tensor<4xi32>, tensor<4xui8>, tensor<4xf16>
}
