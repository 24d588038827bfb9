// RUN: boost-eval %s --function=negate | FileCheck %s --check-prefix=NEGATE
// RUN: boost-eval %s --function=smallest | FileCheck %s --check-prefix=SMALLEST
// RUN: boost-eval %s --function=power | FileCheck %s --check-prefix=POWER
// RUN: boost-eval %s --function=square | FileCheck %s --check-prefix=SQUARE
// RUN: boost-eval %s --function=indices | FileCheck %s --check-prefix=INDICES
// RUN: boost-eval %s --function=divide | FileCheck %s --check-prefix=DIVIDE
// RUN: boost-eval %s --function=signs | FileCheck %s --check-prefix=SIGNS
// RUN: boost-eval %s --function=sums | FileCheck %s --check-prefix=SUMS
// RUN: boost-eval %s --function=order | FileCheck %s --check-prefix=ORDER
// RUN: boost-eval %s --function=bits | FileCheck %s --check-prefix=BITS
// RUN: boost-eval %s --function=shifts | FileCheck %s --check-prefix=SHIFTS
// RUN: boost-eval %s --function=negate --outputs=%t.safetensors
// RUN: boost-eval %s --function=pass --inputs=%t.safetensors | FileCheck %s --check-prefix=PASS
// RUN: not boost-eval --compare %s %S/Inputs/next-integer.mlir --function=large --tolerance=1e-3 | FileCheck %s --check-prefix=COMPARE
// Integers are exact beyond 2^53, where not every one is a double.

// NEGATE: out0 : tensor<4xui64> norm {{.*}} [0, 18446744073709551615, 1, 9007199254740991]
func.func @negate() -> (tensor<4xui64> {boost.tensor = #boost.tensor<output "out0">}) {
  %0 = stablehlo.constant dense<[0, 1, 18446744073709551615, 18437736874454810625]> : tensor<4xui64>
  %1 = stablehlo.negate %0 : tensor<4xui64>
  return %1 : tensor<4xui64>
}

// PASS: out0 : tensor<4xui64> norm {{.*}} [0, 18446744073709551615, 1, 9007199254740991]
func.func @pass(%x: tensor<4xui64> {boost.tensor = #boost.tensor<batch "out0">}) -> (tensor<4xui64> {boost.tensor = #boost.tensor<output "out0">}) {
  return %x : tensor<4xui64>
}

// SMALLEST: out0 : tensor<3xi64> norm {{.*}} [-9223372036854775807, -9223372036854775807, -9223372036854775808]
// SMALLEST: out1 : tensor<3xi64> norm {{.*}} [-9223372036854775807, -9223372036854775807, -9223372036854775808]
func.func @smallest() -> (tensor<3xi64>, tensor<3xi64>) {
  %x = stablehlo.constant dense<[-9223372036854775807, 9223372036854775806, -9223372036854775808]> : tensor<3xi64>
  %y = stablehlo.constant dense<[9223372036854775807, -9223372036854775807, -9223372036854775807]> : tensor<3xi64>
  %0 = stablehlo.minimum %x, %y : tensor<3xi64>
  %max = stablehlo.constant dense<9223372036854775807> : tensor<i64>
  %1 = "stablehlo.reduce_window"(%x, %max) <{window_dimensions = array<i64: 3>, padding = dense<[[2, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %2 = stablehlo.minimum %a, %b : tensor<i64>
    stablehlo.return %2 : tensor<i64>
  }) : (tensor<3xi64>, tensor<i64>) -> tensor<3xi64>
  return %0, %1 : tensor<3xi64>, tensor<3xi64>
}

// Modulo two to the width; a negative power is 0 but of 1 and -1.
// POWER: out0 : tensor<4xi64> norm {{.*}} [4052555153018976267, -1, 1, 0]
// POWER: out1 : tensor<2xui8> norm {{.*}} [171, 0]
func.func @power() -> (tensor<4xi64>, tensor<2xui8>) {
  %x = stablehlo.constant dense<[3, -1, -1, 2]> : tensor<4xi64>
  %y = stablehlo.constant dense<[39, -9223372036854775807, -9223372036854775808, -1]> : tensor<4xi64>
  %0 = stablehlo.power %x, %y : tensor<4xi64>
  %a = stablehlo.constant dense<[3, 2]> : tensor<2xui8>
  %b = stablehlo.constant dense<[255, 200]> : tensor<2xui8>
  %1 = stablehlo.power %a, %b : tensor<2xui8>
  return %0, %1 : tensor<4xi64>, tensor<2xui8>
}

// SQUARE: out0 : tensor<2xi64> norm {{.*}} [1, 9007199515875289]
func.func @square() -> tensor<2xi64> {
  %x = stablehlo.constant dense<[9223372036854775807, 94906267]> : tensor<2xi64>
  %0 = chlo.square %x : tensor<2xi64> -> tensor<2xi64>
  return %0 : tensor<2xi64>
}

// An unsigned index beyond 2^63 is beyond the end, not before the beginning.
// INDICES: out0 : tensor<1xf32> norm {{.*}} [4]
// INDICES: out1 : tensor<1xf32> norm {{.*}} [1]
func.func @indices() -> (tensor<1xf32>, tensor<1xf32>) {
  %x = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %i = stablehlo.constant dense<18446744073709551615> : tensor<ui64>
  %j = stablehlo.constant dense<-9223372036854775808> : tensor<i64>
  %0 = stablehlo.dynamic_slice %x, %i, sizes = [1] : (tensor<4xf32>, tensor<ui64>) -> tensor<1xf32>
  %1 = stablehlo.dynamic_slice %x, %j, sizes = [1] : (tensor<4xf32>, tensor<i64>) -> tensor<1xf32>
  return %0, %1 : tensor<1xf32>, tensor<1xf32>
}

// Of integers no tolerance forgives a difference.
// COMPARE: y: relative difference {{.*}} at element [1]: 9223372036854775806 against 9223372036854775807
func.func @large() -> (tensor<2xi64> {boost.tensor = #boost.tensor<output "y">}) {
  %x = stablehlo.constant dense<[1, 9223372036854775806]> : tensor<2xi64>
  return %x : tensor<2xi64>
}

// Toward zero; all ones for a division by zero, whose remainder is the
// dividend; the least number has no opposite.
// DIVIDE: out0 : tensor<4xi8> norm {{.*}} [3, -3, -1, -128]
// DIVIDE: out1 : tensor<4xi8> norm {{.*}} [1, -1, 7, 0]
// DIVIDE: out2 : tensor<4xui8> norm {{.*}} [66, 1, 255, 0]
// DIVIDE: out3 : tensor<4xui8> norm {{.*}} [2, 0, 7, 7]
func.func @divide() -> (tensor<4xi8>, tensor<4xi8>, tensor<4xui8>, tensor<4xui8>) {
  %a = stablehlo.constant dense<[7, -7, 7, -128]> : tensor<4xi8>
  %b = stablehlo.constant dense<[2, 2, 0, -1]> : tensor<4xi8>
  %0 = stablehlo.divide %a, %b : tensor<4xi8>
  %1 = stablehlo.remainder %a, %b : tensor<4xi8>
  %c = stablehlo.constant dense<[200, 255, 7, 7]> : tensor<4xui8>
  %d = stablehlo.constant dense<[3, 255, 0, 255]> : tensor<4xui8>
  %2 = stablehlo.divide %c, %d : tensor<4xui8>
  %3 = stablehlo.remainder %c, %d : tensor<4xui8>
  return %0, %1, %2, %3 : tensor<4xi8>, tensor<4xi8>, tensor<4xui8>, tensor<4xui8>
}

// SIGNS: out0 : tensor<4xi8> norm {{.*}} [5, 5, -128, 0]
// SIGNS: out1 : tensor<4xi8> norm {{.*}} [-1, 1, -1, 0]
// SIGNS: out2 : tensor<4xi8> norm {{.*}} [5, -5, -128, 0]
func.func @signs() -> (tensor<4xi8>, tensor<4xi8>, tensor<4xi8>) {
  %x = stablehlo.constant dense<[-5, 5, -128, 0]> : tensor<4xi8>
  %0 = stablehlo.abs %x : tensor<4xi8>
  %1 = stablehlo.sign %x : tensor<4xi8>
  %2 = stablehlo.negate %x : tensor<4xi8>
  return %0, %1, %2 : tensor<4xi8>, tensor<4xi8>, tensor<4xi8>
}

// Sums of booleans are disjunctions, products conjunctions; others wrap.
// SUMS: out0 : tensor<4xi1> norm {{.*}} [0, 1, 1, 1]
// SUMS: out1 : tensor<4xi1> norm {{.*}} [0, 0, 0, 1]
// SUMS: out2 : tensor<4xi8> norm {{.*}} [-128, 44, -2, 0]
// SUMS: out3 : tensor<4xi8> norm {{.*}} [126, -106, 0, 0]
// SUMS: out4 : tensor<4xi8> norm {{.*}} [127, 16, 1, 0]
func.func @sums() -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>) {
  %p = stablehlo.constant dense<[false, false, true, true]> : tensor<4xi1>
  %q = stablehlo.constant dense<[false, true, false, true]> : tensor<4xi1>
  %0 = stablehlo.add %p, %q : tensor<4xi1>
  %1 = stablehlo.multiply %p, %q : tensor<4xi1>
  %a = stablehlo.constant dense<[127, -31, -1, 0]> : tensor<4xi8>
  %b = stablehlo.constant dense<[1, 75, -1, 0]> : tensor<4xi8>
  %2 = stablehlo.add %a, %b : tensor<4xi8>
  %3 = stablehlo.subtract %a, %b : tensor<4xi8>
  %c = stablehlo.constant dense<[1, 8, -1, 0]> : tensor<4xi8>
  %d = stablehlo.constant dense<[127, 34, -1, 5]> : tensor<4xi8>
  %4 = stablehlo.multiply %c, %d : tensor<4xi8>
  return %0, %1, %2, %3, %4 : tensor<4xi1>, tensor<4xi1>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>
}

// The highest bit is a sign or it is not.
// ORDER: out0 : tensor<4xi64> norm {{.*}} [1, 1, 7, 5]
// ORDER: out1 : tensor<4xi64> norm {{.*}} [-9223372036854775808, -9223372036854775808, 7, 3]
// ORDER: out2 : tensor<4xui64> norm {{.*}} [9223372036854775808, 9223372036854775808, 7, 5]
// ORDER: out3 : tensor<4xui64> norm {{.*}} [1, 1, 7, 3]
// ORDER: out4 : tensor<4xi1> norm {{.*}} [1, 0, 0, 1]
// ORDER: out5 : tensor<4xi1> norm {{.*}} [0, 1, 0, 1]
// ORDER: out6 : tensor<4xi1> norm {{.*}} [1, 1, 1, 0]
func.func @order() -> (tensor<4xi64>, tensor<4xi64>, tensor<4xui64>, tensor<4xui64>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
  %a = stablehlo.constant dense<[-9223372036854775808, 1, 7, 3]> : tensor<4xi64>
  %b = stablehlo.constant dense<[1, -9223372036854775808, 7, 5]> : tensor<4xi64>
  %0 = stablehlo.maximum %a, %b : tensor<4xi64>
  %1 = stablehlo.minimum %a, %b : tensor<4xi64>
  %c = stablehlo.convert %a : (tensor<4xi64>) -> tensor<4xui64>
  %d = stablehlo.convert %b : (tensor<4xi64>) -> tensor<4xui64>
  %2 = stablehlo.maximum %c, %d : tensor<4xui64>
  %3 = stablehlo.minimum %c, %d : tensor<4xui64>
  %4 = stablehlo.compare LT, %a, %b, SIGNED : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi1>
  %5 = stablehlo.compare LT, %c, %d, UNSIGNED : (tensor<4xui64>, tensor<4xui64>) -> tensor<4xi1>
  %p = stablehlo.constant dense<[true, true, false, false]> : tensor<4xi1>
  %q = stablehlo.constant dense<[false, true, false, true]> : tensor<4xi1>
  %6 = stablehlo.compare GE, %p, %q, UNSIGNED : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<4xi64>, tensor<4xi64>, tensor<4xui64>, tensor<4xui64>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
}

// BITS: out0 : tensor<4xi8> norm {{.*}} [7, 0, 8, 1]
// BITS: out1 : tensor<4xi8> norm {{.*}} [1, 8, 0, 1]
// BITS: out2 : tensor<4xi8> norm {{.*}} [-2, 0, -1, -65]
// BITS: out3 : tensor<4xi8> norm {{.*}} [1, 3, 0, 64]
// BITS: out4 : tensor<4xi8> norm {{.*}} [3, -1, 3, 67]
// BITS: out5 : tensor<4xi8> norm {{.*}} [2, -4, 3, 3]
// BITS: out6 : tensor<4xi1> norm {{.*}} [0, 1, 0, 1]
func.func @bits() -> (tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi1>) {
  %x = stablehlo.constant dense<[1, -1, 0, 64]> : tensor<4xi8>
  %y = stablehlo.constant dense<[3, 3, 3, 67]> : tensor<4xi8>
  %0 = stablehlo.count_leading_zeros %x : tensor<4xi8>
  %1 = stablehlo.popcnt %x : tensor<4xi8>
  %2 = stablehlo.not %x : tensor<4xi8>
  %3 = stablehlo.and %x, %y : tensor<4xi8>
  %4 = stablehlo.or %x, %y : tensor<4xi8>
  %5 = stablehlo.xor %x, %y : tensor<4xi8>
  %p = stablehlo.constant dense<[true, false, true, false]> : tensor<4xi1>
  %6 = stablehlo.not %p : tensor<4xi1>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi1>
}

// By less than the width, by the width, and by what is unsigned 255.
// SHIFTS: out0 : tensor<4xi8> norm {{.*}} [-56, -128, 0, 0]
// SHIFTS: out1 : tensor<4xi8> norm {{.*}} [100, 1, 0, 0]
// SHIFTS: out2 : tensor<4xi8> norm {{.*}} [-28, -1, -1, -1]
// SHIFTS: out3 : tensor<4xui8> norm {{.*}} [228, 255, 255, 255]
func.func @shifts() -> (tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xui8>) {
  %a = stablehlo.constant dense<[100, 1, 1, 1]> : tensor<4xi8>
  %n = stablehlo.constant dense<[1, 7, 8, -1]> : tensor<4xi8>
  %0 = stablehlo.shift_left %a, %n : tensor<4xi8>
  %b = stablehlo.constant dense<[-56, -128, -128, -128]> : tensor<4xi8>
  %1 = stablehlo.shift_right_logical %b, %n : tensor<4xi8>
  %2 = stablehlo.shift_right_arithmetic %b, %n : tensor<4xi8>
  %c = stablehlo.constant dense<[200, 128, 128, 128]> : tensor<4xui8>
  %m = stablehlo.constant dense<[1, 7, 8, 255]> : tensor<4xui8>
  %3 = stablehlo.shift_right_arithmetic %c, %m : tensor<4xui8>
  return %0, %1, %2, %3 : tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xui8>
}
