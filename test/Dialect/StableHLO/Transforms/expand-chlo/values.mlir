// RUN: boost-opt %s --boost-expand-chlo -o %t
// RUN: boost-eval %s --function=acos | FileCheck %s --check-prefix=ACOS
// RUN: boost-eval %t --function=acos | FileCheck %s --check-prefix=ACOS
// RUN: boost-eval %s --function=asin | FileCheck %s --check-prefix=ASIN
// RUN: boost-eval %t --function=asin | FileCheck %s --check-prefix=ASIN
// RUN: boost-eval %s --function=atan | FileCheck %s --check-prefix=ATAN
// RUN: boost-eval %t --function=atan | FileCheck %s --check-prefix=ATAN
// RUN: boost-eval %s --function=acosh | FileCheck %s --check-prefix=ACOSH
// RUN: boost-eval %t --function=acosh | FileCheck %s --check-prefix=ACOSH
// RUN: boost-eval %s --function=asinh | FileCheck %s --check-prefix=ASINH
// RUN: boost-eval %t --function=asinh | FileCheck %s --check-prefix=ASINH
// RUN: boost-eval %s --function=atanh | FileCheck %s --check-prefix=ATANH
// RUN: boost-eval %t --function=atanh | FileCheck %s --check-prefix=ATANH
// RUN: boost-eval %s --function=cosh | FileCheck %s --check-prefix=COSH
// RUN: boost-eval %t --function=cosh | FileCheck %s --check-prefix=COSH
// RUN: boost-eval %s --function=sinh | FileCheck %s --check-prefix=SINH
// RUN: boost-eval %t --function=sinh | FileCheck %s --check-prefix=SINH
// RUN: boost-eval %s --function=erf | FileCheck %s --check-prefix=ERF
// RUN: boost-eval %t --function=erf | FileCheck %s --check-prefix=ERF
// RUN: boost-eval %s --function=erfc | FileCheck %s --check-prefix=ERFC
// RUN: boost-eval %t --function=erfc | FileCheck %s --check-prefix=ERFC
// RUN: boost-eval %s --function=erf_inv | FileCheck %s --check-prefix=ERF-INV
// RUN: boost-eval %t --function=erf_inv | FileCheck %s --check-prefix=ERF-INV
// RUN: boost-eval %s --function=lgamma | FileCheck %s --check-prefix=LGAMMA
// RUN: boost-eval %t --function=lgamma | FileCheck %s --check-prefix=LGAMMA
// RUN: boost-eval %s --function=digamma | FileCheck %s --check-prefix=DIGAMMA
// RUN: boost-eval %t --function=digamma | FileCheck %s --check-prefix=DIGAMMA
// RUN: boost-eval %s --function=ends | FileCheck %s --check-prefix=ENDS
// RUN: boost-eval %t --function=ends | FileCheck %s --check-prefix=ENDS
// RUN: boost-eval %s --function=tan | FileCheck %s --check-prefix=TAN
// RUN: boost-eval %t --function=tan | FileCheck %s --check-prefix=TAN
// RUN: boost-eval %s --function=booleans | FileCheck %s --check-prefix=BOOLEANS
// RUN: boost-eval %t --function=booleans | FileCheck %s --check-prefix=BOOLEANS
// Formulas give the numbers of the functions that they stand for.

// ACOS: [3.14159{{[0-9.]*}}, 2.09439{{[0-9.]*}}, 1.31811{{[0-9.]*}}, 0]
func.func @acos() -> tensor<4xf32> {
  %x = stablehlo.constant dense<[-1.000000e+00, -5.000000e-01, 2.500000e-01, 1.000000e+00]> : tensor<4xf32>
  %0 = chlo.acos %x : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// ASIN: [-1.57079{{[0-9.]*}}, -0.523598{{[0-9.]*}}, 0.252680{{[0-9.]*}}, 1.57079{{[0-9.]*}}]
func.func @asin() -> tensor<4xf32> {
  %x = stablehlo.constant dense<[-1.000000e+00, -5.000000e-01, 2.500000e-01, 1.000000e+00]> : tensor<4xf32>
  %0 = chlo.asin %x : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// ATAN: [-1.24904{{[0-9.]*}}, -0.463647{{[0-9.]*}}, 0.244978{{[0-9.]*}}, 1.54580{{[0-9.]*}}]
func.func @atan() -> tensor<4xf32> {
  %x = stablehlo.constant dense<[-3.000000e+00, -5.000000e-01, 2.500000e-01, 4.000000e+01]> : tensor<4xf32>
  %0 = chlo.atan %x : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// ACOSH: [0, 0.962423{{[0-9.]*}}, 1.76274{{[0-9.]*}}, 21.4164{{[0-9.]*}}]
func.func @acosh() -> tensor<4xf32> {
  %x = stablehlo.constant dense<[1.000000e+00, 1.500000e+00, 3.000000e+00, 1.000000e+09]> : tensor<4xf32>
  %0 = chlo.acosh %x : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// ASINH: [-1.81844{{[0-9.]*}}, -0.000999999{{[0-9.]*}}, 0.481211{{[0-9.]*}}, 21.4164{{[0-9.]*}}]
func.func @asinh() -> tensor<4xf32> {
  %x = stablehlo.constant dense<[-3.000000e+00, -1.000000e-03, 5.000000e-01, 1.000000e+09]> : tensor<4xf32>
  %0 = chlo.asinh %x : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// ATANH: [-1.47221{{[0-9.]*}}, -0.00100000{{[0-9.]*}}, 0.549306{{[0-9.]*}}, 3.80020{{[0-9.]*}}]
func.func @atanh() -> tensor<4xf32> {
  %x = stablehlo.constant dense<[-9.000000e-01, -1.000000e-03, 5.000000e-01, 9.990000e-01]> : tensor<4xf32>
  %0 = chlo.atanh %x : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// COSH: [10.0676{{[0-9.]*}}, 1.12762{{[0-9.]*}}, 1.03141{{[0-9.]*}}, 242582{{[0-9.]*}}]
func.func @cosh() -> tensor<4xf32> {
  %x = stablehlo.constant dense<[-3.000000e+00, -5.000000e-01, 2.500000e-01, 2.000000e+01]> : tensor<4xf32>
  %0 = chlo.cosh %x : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// SINH: [-10.0178{{[0-9.]*}}, -0.521095{{[0-9.]*}}, 0.00100000{{[0-9.]*}}, 242582{{[0-9.]*}}]
func.func @sinh() -> tensor<4xf32> {
  %x = stablehlo.constant dense<[-3.000000e+00, -5.000000e-01, 1.000000e-03, 2.000000e+01]> : tensor<4xf32>
  %0 = chlo.sinh %x : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// ERF: [-0.999977{{[0-9.]*}}, -0.520499{{[0-9.]*}}, 0.276326{{[0-9.]*}}, 0.966105{{[0-9.]*}}]
func.func @erf() -> tensor<4xf32> {
  %x = stablehlo.constant dense<[-3.000000e+00, -5.000000e-01, 2.500000e-01, 1.500000e+00]> : tensor<4xf32>
  %0 = chlo.erf %x : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// ERFC: [1.99997{{[0-9.]*}}, 0.723673{{[0-9.]*}}, 0.0338948{{[0-9.]*}}, 1.54172{{[0-9.]*}}e-08]
func.func @erfc() -> tensor<4xf32> {
  %x = stablehlo.constant dense<[-3.000000e+00, 2.500000e-01, 1.500000e+00, 4.000000e+00]> : tensor<4xf32>
  %0 = chlo.erfc %x : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// ERF-INV: [-2.7510{{[0-9.]*}}, -0.476936{{[0-9.]*}}, 0.225312{{[0-9.]*}}, 2.32675{{[0-9.]*}}]
func.func @erf_inv() -> tensor<4xf32> {
  %x = stablehlo.constant dense<[-9.999000e-01, -5.000000e-01, 2.500000e-01, 9.990000e-01]> : tensor<4xf32>
  %0 = chlo.erf_inv %x : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// LGAMMA: [0.86004{{[0-9.]*}}, 1.28802{{[0-9.]*}}, 1.20097{{[0-9.]*}}, 184.533{{[0-9.]*}}]
func.func @lgamma() -> tensor<4xf32> {
  %x = stablehlo.constant dense<[-1.500000e+00, 2.500000e-01, 3.500000e+00, 6.000000e+01]> : tensor<4xf32>
  %0 = chlo.lgamma %x : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// DIGAMMA: [0.703156{{[0-9.]*}}, -4.22745{{[0-9.]*}}, 1.10315{{[0-9.]*}}, 4.08598{{[0-9.]*}}]
func.func @digamma() -> tensor<4xf32> {
  %x = stablehlo.constant dense<[-1.500000e+00, 2.500000e-01, 3.500000e+00, 6.000000e+01]> : tensor<4xf32>
  %0 = chlo.digamma %x : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// What has no number is infinite or none.
// ENDS: out0 {{.*}} [-inf, inf]
// ENDS: out1 {{.*}} [-inf, inf]
// ENDS: out2 {{.*}} [inf, inf, inf, inf]
// ENDS: out3 {{.*}} [{{-?}}nan, {{-?}}nan, {{-?}}nan, inf]
// ENDS: out4 {{.*}} [-inf, -88.8845{{[0-9.]*}}, 88.8845{{[0-9.]*}}, inf]
// ENDS: out5 {{.*}} [{{-?}}nan, 88.8845{{[0-9.]*}}, inf]
// ENDS: out6 {{.*}} [{{-?}}nan, {{-?}}nan]
func.func @ends() -> (tensor<2xf32>, tensor<2xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<3xf32>, tensor<2xf32>) {
  %one = stablehlo.constant dense<[-1.0, 1.0]> : tensor<2xf32>
  %0 = chlo.erf_inv %one : tensor<2xf32> -> tensor<2xf32>
  %1 = chlo.atanh %one : tensor<2xf32> -> tensor<2xf32>
  %x = stablehlo.constant dense<[0.0, -1.0, -2.0, 0x7F800000]> : tensor<4xf32>
  %2 = chlo.lgamma %x : tensor<4xf32> -> tensor<4xf32>
  %3 = chlo.digamma %x : tensor<4xf32> -> tensor<4xf32>
  %y = stablehlo.constant dense<[0xFF800000, -2.0e38, 2.0e38, 0x7F800000]> : tensor<4xf32>
  %4 = chlo.asinh %y : tensor<4xf32> -> tensor<4xf32>
  %z = stablehlo.constant dense<[0.5, 2.0e38, 0x7F800000]> : tensor<3xf32>
  %5 = chlo.acosh %z : tensor<3xf32> -> tensor<3xf32>
  %nan = stablehlo.constant dense<[0x7FC00000, 2.0]> : tensor<2xf32>
  %6 = chlo.erf_inv %nan : tensor<2xf32> -> tensor<2xf32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<2xf32>, tensor<2xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<3xf32>, tensor<2xf32>
}

// TAN: [-1.5574{{[0-9.]*}}, 0, 0.546302{{[0-9.]*}}, 14.1014{{[0-9.]*}}]
func.func @tan() -> tensor<4xf32> {
  %x = stablehlo.constant dense<[-1.0, 0.0, 5.000000e-01, 1.5]> : tensor<4xf32>
  %0 = chlo.tan %x : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// BOOLEANS: [1, 3, 0]
func.func @booleans() -> tensor<3xi32> {
  %x = stablehlo.constant dense<[false, true, false, true]> : tensor<4xi1>
  %0:2 = chlo.top_k(%x, k = 3) : tensor<4xi1> -> (tensor<3xi1>, tensor<3xi32>)
  return %0#1 : tensor<3xi32>
}
