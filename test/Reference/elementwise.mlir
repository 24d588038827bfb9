// RUN: boost-eval %s --function=compare | FileCheck %s --check-prefix=COMPARE
// RUN: boost-eval %s --function=compare_total | FileCheck %s --check-prefix=TOTAL
// RUN: boost-eval %s --function=largest | FileCheck %s --check-prefix=LARGEST
// RUN: boost-eval %s --function=choose | FileCheck %s --check-prefix=CHOOSE
// RUN: boost-eval %s --function=saturate | FileCheck %s --check-prefix=SATURATE
// RUN: boost-eval %s --function=convert | FileCheck %s --check-prefix=CONVERT
// RUN: boost-eval %s --function=to_float --rounding=typed | FileCheck %s --check-prefix=FLOAT
// RUN: boost-eval %s --function=to_float | FileCheck %s --check-prefix=DOUBLE
// RUN: boost-eval %s --function=rounded | FileCheck %s --check-prefix=ROUNDED
// RUN: boost-eval %s --function=functions | FileCheck %s --check-prefix=FUNCTIONS
// RUN: boost-eval %s --function=half | FileCheck %s --check-prefix=HALF
// RUN: boost-eval %s --function=next | FileCheck %s --check-prefix=NEXT
// RUN: boost-eval %s --function=special | FileCheck %s --check-prefix=SPECIAL
// Where an element is special: a NaN, a zero with a sign, the end of a range.

// COMPARE: out0 {{.*}} [0, 0, 0, 1]
// COMPARE: out1 {{.*}} [1, 1, 1, 0]
// COMPARE: out2 {{.*}} [1, 0, 0, 0]
// COMPARE: out3 {{.*}} [1, 0, 0, 1]
// COMPARE: out4 {{.*}} [0, 1, 0, 0]
// COMPARE: out5 {{.*}} [0, 1, 0, 1]
func.func @compare() -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
  %x = stablehlo.constant dense<[1.0, 2.0, 0x7fc00000, -0.0]> : tensor<4xf32>
  %y = stablehlo.constant dense<[2.0, 1.0, 1.0, 0.0]> : tensor<4xf32>
  %0 = stablehlo.compare EQ, %x, %y, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %1 = stablehlo.compare NE, %x, %y, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %2 = stablehlo.compare LT, %x, %y, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %3 = stablehlo.compare LE, %x, %y, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %4 = stablehlo.compare GT, %x, %y, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %5 = stablehlo.compare GE, %x, %y, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %0, %1, %2, %3, %4, %5 : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
}

// In the total order -0 is below 0, and NaNs are outermost.
// TOTAL: out0 {{.*}} [1, 0, 1, 1]
// TOTAL: out1 {{.*}} [0, 1, 0, 0]
func.func @compare_total() -> (tensor<4xi1>, tensor<4xi1>) {
  %x = stablehlo.constant dense<[-0.0, 0x7fc00000, 0xffc00000, -2.0]> : tensor<4xf32>
  %y = stablehlo.constant dense<[0.0, 0x7f800000, 0xff800000, -1.0]> : tensor<4xf32>
  %0 = stablehlo.compare LT, %x, %y, TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %1 = stablehlo.compare GT, %x, %y, TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %0, %1 : tensor<4xi1>, tensor<4xi1>
}

// LARGEST: out0 {{.*}} [0, 0, {{-?}}nan, {{-?}}nan]
// LARGEST: out1 {{.*}} [-0, -0, {{-?}}nan, {{-?}}nan]
// LARGEST: out2 {{.*}} [2, 2, inf, 3]
// LARGEST: out3 {{.*}} [1, 1, 5, -inf]
func.func @largest() -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %x = stablehlo.constant dense<[-0.0, 0.0, 0x7fc00000, 1.0]> : tensor<4xf32>
  %y = stablehlo.constant dense<[0.0, -0.0, 1.0, 0x7fc00000]> : tensor<4xf32>
  %0 = stablehlo.maximum %x, %y : tensor<4xf32>
  %1 = stablehlo.minimum %x, %y : tensor<4xf32>
  %a = stablehlo.constant dense<[1.0, 2.0, 0x7f800000, 3.0]> : tensor<4xf32>
  %b = stablehlo.constant dense<[2.0, 1.0, 5.0, 0xff800000]> : tensor<4xf32>
  %2 = stablehlo.maximum %a, %b : tensor<4xf32>
  %3 = stablehlo.minimum %a, %b : tensor<4xf32>
  return %0, %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// Predicates and bounds of one element hold for all.
// CHOOSE: out0 {{.*}} [1, 20, 3, 40]
// CHOOSE: out1 {{.*}} [10, 20, 30, 40]
// CHOOSE: out2 {{.*}} [1.5, 2, 2.5, 2.5]
// CHOOSE: out3 {{.*}} [2, 2, 1, 0]
// CHOOSE: out4 {{.*}} [2, 2, 200, 250]
// CHOOSE: out5 {{.*}} [-1, 0, 1, 1]
func.func @choose() -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xui8>, tensor<4xi8>) {
  %a = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %b = stablehlo.constant dense<[10.0, 20.0, 30.0, 40.0]> : tensor<4xf32>
  %p = stablehlo.constant dense<[true, false, true, false]> : tensor<4xi1>
  %no = stablehlo.constant dense<false> : tensor<i1>
  %0 = stablehlo.select %p, %a, %b : tensor<4xi1>, tensor<4xf32>
  %1 = stablehlo.select %no, %a, %b : tensor<i1>, tensor<4xf32>
  %low = stablehlo.constant dense<1.5> : tensor<f32>
  %high = stablehlo.constant dense<2.5> : tensor<f32>
  %2 = stablehlo.clamp %low, %a, %high : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %lows = stablehlo.constant dense<[2.0, 0.0, 0.0, -1.0]> : tensor<4xf32>
  %highs = stablehlo.constant dense<[5.0, 5.0, 1.0, 0.0]> : tensor<4xf32>
  %3 = stablehlo.clamp %lows, %a, %highs : tensor<4xf32>
  %u = stablehlo.constant dense<[0, 2, 200, 255]> : tensor<4xui8>
  %two = stablehlo.constant dense<2> : tensor<ui8>
  %most = stablehlo.constant dense<250> : tensor<ui8>
  %4 = stablehlo.clamp %two, %u, %most : (tensor<ui8>, tensor<4xui8>, tensor<ui8>) -> tensor<4xui8>
  %i = stablehlo.constant dense<[-128, 0, 1, 127]> : tensor<4xi8>
  %minus = stablehlo.constant dense<-1> : tensor<i8>
  %one = stablehlo.constant dense<1> : tensor<i8>
  %5 = stablehlo.clamp %minus, %i, %one : (tensor<i8>, tensor<4xi8>, tensor<i8>) -> tensor<4xi8>
  return %0, %1, %2, %3, %4, %5 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xui8>, tensor<4xi8>
}

// SATURATE: out0 {{.*}} [127, -128, 0, 1]
// SATURATE: out1 {{.*}} [255, 0, 0, 1]
// SATURATE: out2 {{.*}} [1, 1, 1, 1]
// SATURATE: out3 {{.*}} [127, -128, 127, -127]
// SATURATE: out4 {{.*}} [255, 254, 255, 0]
// SATURATE: out5 {{.*}} [9223372036854775807, -9223372036854775808, 9223371487098961920, 0]
// SATURATE: out6 {{.*}} [9223372036854775808, 0, 9223371487098961920, 18446744073709551615]
// SATURATE: out7 {{.*}} [0, 0, 1, 1]
func.func @saturate() -> (tensor<4xi8>, tensor<4xui8>, tensor<4xi1>, tensor<4xi8>, tensor<4xui8>, tensor<4xi64>, tensor<4xui64>, tensor<4xi1>) {
  %x = stablehlo.constant dense<[300.0, -300.0, 0x7fc00000, 1.9]> : tensor<4xf32>
  %0 = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xi8>
  %1 = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xui8>
  %2 = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xi1>
  %y = stablehlo.constant dense<[128.0, -128.5, 127.9, -127.9]> : tensor<4xf32>
  %3 = stablehlo.convert %y : (tensor<4xf32>) -> tensor<4xi8>
  %z = stablehlo.constant dense<[256.0, 254.9, 255.9, -0.9]> : tensor<4xf32>
  %4 = stablehlo.convert %z : (tensor<4xf32>) -> tensor<4xui8>
  %w = stablehlo.constant dense<[9223372036854775808.0, -9223372036854775808.0, 9223371487098961920.0, 0.5]> : tensor<4xf32>
  %5 = stablehlo.convert %w : (tensor<4xf32>) -> tensor<4xi64>
  %v = stablehlo.constant dense<[9223372036854775808.0, -0.5, 9223371487098961920.0, 18446744073709551616.0]> : tensor<4xf32>
  %6 = stablehlo.convert %v : (tensor<4xf32>) -> tensor<4xui64>
  %t = stablehlo.constant dense<[0.0, -0.0, 0.5, -1.0]> : tensor<4xf32>
  %7 = stablehlo.convert %t : (tensor<4xf32>) -> tensor<4xi1>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<4xi8>, tensor<4xui8>, tensor<4xi1>, tensor<4xi8>, tensor<4xui8>, tensor<4xi64>, tensor<4xui64>, tensor<4xi1>
}

// CONVERT: out0 {{.*}} [44, -1, 0, 127]
// CONVERT: out1 {{.*}} [44, 255, 0, 127]
// CONVERT: out2 {{.*}} [1, 1, 0, 1]
// CONVERT: out3 {{.*}} [300, -1, 256, 127]
// CONVERT: out4 {{.*}} [1, 1, 0, 1]
func.func @convert() -> (tensor<4xi8>, tensor<4xui8>, tensor<4xi1>, tensor<4xf32>, tensor<4xi32>) {
  %x = stablehlo.constant dense<[300, -1, 256, 127]> : tensor<4xi32>
  %0 = stablehlo.convert %x : (tensor<4xi32>) -> tensor<4xi8>
  %1 = stablehlo.convert %x : (tensor<4xi32>) -> tensor<4xui8>
  %y = stablehlo.constant dense<[2, -1, 0, 1]> : tensor<4xi32>
  %2 = stablehlo.convert %y : (tensor<4xi32>) -> tensor<4xi1>
  %3 = stablehlo.convert %x : (tensor<4xi32>) -> tensor<4xf32>
  %4 = stablehlo.convert %2 : (tensor<4xi1>) -> tensor<4xi32>
  return %0, %1, %2, %3, %4 : tensor<4xi8>, tensor<4xui8>, tensor<4xi1>, tensor<4xf32>, tensor<4xi32>
}

// Rounded once, to the type or to a double.
// FLOAT: out0 {{.*}} [1.8446744073709552e+19, 1]
// FLOAT: out1 {{.*}} [-1, 16777216]
// DOUBLE: out0 {{.*}} [1.8446744073709552e+19, 1]
// DOUBLE: out1 {{.*}} [-1, 16777217]
func.func @to_float() -> (tensor<2xf32>, tensor<2xf32>) {
  %u = stablehlo.constant dense<[18446744073709551615, 1]> : tensor<2xui64>
  %0 = stablehlo.convert %u : (tensor<2xui64>) -> tensor<2xf32>
  %i = stablehlo.constant dense<[-1, 16777217]> : tensor<2xi64>
  %1 = stablehlo.convert %i : (tensor<2xi64>) -> tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

// ROUNDED: out0 {{.*}} [1, -1, 2, 3]
// ROUNDED: out1 {{.*}} [0, -0, 2, 2]
// ROUNDED: out2 {{.*}} [0, -1, 1, 2]
// ROUNDED: out3 {{.*}} [1, -0, 2, 3]
// ROUNDED: out4 {{.*}} [0.5, 0.5, 1.5, 2.5]
// ROUNDED: out5 {{.*}} [-0.5, 0.5, -1.5, -2.5]
// ROUNDED: out6 {{.*}} [-0, nan, 1, -1]
// ROUNDED: out7 {{.*}} [1, 0, 0, 1]
func.func @rounded() -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi1>) {
  %x = stablehlo.constant dense<[0.5, -0.5, 1.5, 2.5]> : tensor<4xf32>
  %0 = stablehlo.round_nearest_afz %x : tensor<4xf32>
  %1 = stablehlo.round_nearest_even %x : tensor<4xf32>
  %2 = stablehlo.floor %x : tensor<4xf32>
  %3 = stablehlo.ceil %x : tensor<4xf32>
  %4 = stablehlo.abs %x : tensor<4xf32>
  %5 = stablehlo.negate %x : tensor<4xf32>
  %y = stablehlo.constant dense<[-0.0, 0x7fc00000, 0x7f800000, -3.0]> : tensor<4xf32>
  %6 = stablehlo.sign %y : tensor<4xf32>
  %7 = stablehlo.is_finite %y : (tensor<4xf32>) -> tensor<4xi1>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi1>
}

// Of 3 and 2, whose order matters.
// FUNCTIONS: out0 {{.*}} [1.5]
// FUNCTIONS: out1 {{.*}} [9]
// FUNCTIONS: out2 {{.*}} [1]
// FUNCTIONS: out3 {{.*}} [0.982793723247{{[0-9]*}}]
// FUNCTIONS: out4 {{.*}} [1]
// FUNCTIONS: out5 {{.*}} [0.952574126822{{[0-9]*}}]
// FUNCTIONS: out6 {{.*}} [0.57735026918962{{[0-9]*}}]
// FUNCTIONS: out7 {{.*}} [1.38629436111989{{[0-9]*}}]
// FUNCTIONS: out8 {{.*}} [19.0855369231876{{[0-9]*}}]
// FUNCTIONS: out9 {{.*}} [1.4422495703074{{[0-9]*}}]
func.func @functions() -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) {
  %x = stablehlo.constant dense<3.0> : tensor<f32>
  %y = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = stablehlo.divide %x, %y : tensor<f32>
  %1 = stablehlo.power %x, %y : tensor<f32>
  %2 = stablehlo.remainder %x, %y : tensor<f32>
  %3 = stablehlo.atan2 %x, %y : tensor<f32>
  %4 = stablehlo.subtract %x, %y : tensor<f32>
  %5 = stablehlo.logistic %x : tensor<f32>
  %6 = stablehlo.rsqrt %x : tensor<f32>
  %7 = stablehlo.log_plus_one %x : tensor<f32>
  %8 = stablehlo.exponential_minus_one %x : tensor<f32>
  %9 = stablehlo.cbrt %x : tensor<f32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
}

// Of the range of f16: its largest number and what rounds beyond it, its
// smallest normal number and what is below.
// HALF: out0 {{.*}} [65504, inf, 6.103515625e-05, 0]
// HALF: out1 {{.*}} [-inf, -0, inf, nan]
// HALF: out2 {{.*}} [inf, 1, 2, -2]
func.func @half() -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %x = stablehlo.constant dense<[65519.0, 65520.0, 6.103515625e-05, 6.0e-05]> : tensor<4xf32>
  %0 = stablehlo.reduce_precision %x, format = e5m10 : tensor<4xf32>
  %y = stablehlo.constant dense<[-65520.0, -6.0e-05, 0x7f800000, 0x7fc00000]> : tensor<4xf32>
  %1 = stablehlo.reduce_precision %y, format = e5m10 : tensor<4xf32>
  // Without a mantissa there is no NaN.
  %z = stablehlo.constant dense<[0x7fc00000, 1.25, 1.75, -1.75]> : tensor<4xf32>
  %2 = stablehlo.reduce_precision %z, format = e5m0 : tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// In the element type, toward the other; of zeros the second.
// NEXT: out0 {{.*}} [1.0078125, 0.99609375, -0, nan]
// NEXT: out1 {{.*}} [9.1835496157991{{[0-9]*}}e-41, -9.1835496157991{{[0-9]*}}e-41, nan, 5]
func.func @next() -> (tensor<4xbf16>, tensor<4xbf16>) {
  %x = stablehlo.constant dense<[1.0, 1.0, 0.0, 0x7fc0]> : tensor<4xbf16>
  %y = stablehlo.constant dense<[2.0, 0.0, -0.0, 1.0]> : tensor<4xbf16>
  %0 = chlo.next_after %x, %y : tensor<4xbf16>, tensor<4xbf16> -> tensor<4xbf16>
  %a = stablehlo.constant dense<[0.0, 0.0, 1.0, 5.0]> : tensor<4xbf16>
  %b = stablehlo.constant dense<[1.0, -1.0, 0x7fc0, 5.0]> : tensor<4xbf16>
  %1 = chlo.next_after %a, %b : tensor<4xbf16>, tensor<4xbf16> -> tensor<4xbf16>
  return %0, %1 : tensor<4xbf16>, tensor<4xbf16>
}

// SPECIAL: out0 {{.*}} [inf, -inf, nan, nan]
// SPECIAL: out1 {{.*}} [0.476936276204{{[0-9]*}}, -0.476936276204{{[0-9]*}}, 0, 2.3267537655135{{[0-9]*}}]
// SPECIAL: out2 {{.*}} [nan, nan, -0.577215664901{{[0-9]*}}, 0.036489973978{{[0-9]*}}]
// SPECIAL: out3 {{.*}} [2.7517006984501{{[0-9]*}}, -1.9635100260214{{[0-9]*}}, 0.0364899739785{{[0-9]*}}, 10.390087079915{{[0-9]*}}]
// SPECIAL: out4 {{.*}} [0.693147180559945{{[0-9]*}}]
func.func @special() -> (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<1xf64>) {
  %ends = stablehlo.constant dense<[1.0, -1.0, 1.5, 0x7ff8000000000000]> : tensor<4xf64>
  %0 = chlo.erf_inv %ends : tensor<4xf64> -> tensor<4xf64>
  %x = stablehlo.constant dense<[0.5, -0.5, 0.0, 0.999]> : tensor<4xf64>
  %1 = chlo.erf_inv %x : tensor<4xf64> -> tensor<4xf64>
  %poles = stablehlo.constant dense<[0.0, -2.0, 1.0, 1.5]> : tensor<4xf64>
  %2 = chlo.digamma %poles : tensor<4xf64> -> tensor<4xf64>
  %y = stablehlo.constant dense<[16.1666, 0.5, 1.5, 32536.0]> : tensor<4xf64>
  %3 = chlo.digamma %y : tensor<4xf64> -> tensor<4xf64>
  %z = stablehlo.constant dense<3.0> : tensor<1xf64>
  %4 = chlo.lgamma %z : tensor<1xf64> -> tensor<1xf64>
  return %0, %1, %2, %3, %4 : tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<1xf64>
}
