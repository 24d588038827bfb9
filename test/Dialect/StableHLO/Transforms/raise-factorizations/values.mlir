// RUN: boost-opt %s --boost-raise-factorizations -o %t
// RUN: boost-eval %s --function=upper | FileCheck %s --check-prefix=UPPER
// RUN: boost-eval %t --function=upper | FileCheck %s --check-prefix=UPPER
// RUN: boost-eval %s --function=status | FileCheck %s --check-prefix=STATUS
// RUN: boost-eval %t --function=status | FileCheck %s --check-prefix=STATUS
// RUN: boost-eval %s --function=eigh | FileCheck %s --check-prefix=EIGH
// RUN: boost-eval %t --function=eigh | FileCheck %s --check-prefix=EIGH
// RUN: boost-eval %s --function=qr | FileCheck %s --check-prefix=QR
// RUN: boost-eval %t --function=qr | FileCheck %s --check-prefix=QR
// RUN: boost-eval %s --function=svd | FileCheck %s --check-prefix=SVD
// RUN: boost-eval %t --function=svd | FileCheck %s --check-prefix=SVD
// Numbers worked out by hand. The 99 stands where nothing is read.

// UPPER: [2, 3, 0, 1]
func.func @upper() -> tensor<2x2xf32> {
  %a = stablehlo.constant dense<[[4.0, 6.0], [99.0, 10.0]]> : tensor<2x2xf32>
  %0 = stablehlo.cholesky %a : tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// The second matrix is not positive definite.
// STATUS: out0 {{.*}} [2, 0, 3, 1]
// STATUS: out1 {{.*}} [nan, nan, nan, nan]
// STATUS: out2 {{.*}} [0, 1]
func.func @status() -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2xi1>) {
  %a = stablehlo.constant dense<[[[4.0, 99.0], [6.0, 10.0]], [[4.0, 99.0], [6.0, 9.0]]]> : tensor<2x2x2xf32>
  %zero = stablehlo.constant dense<0> : tensor<2xi32>
  %0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<2x2x2xf32>) -> (tensor<2x2x2xf32>, tensor<2xi32>)
  %1 = stablehlo.compare NE, %0#1, %zero, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  %2 = stablehlo.slice %0#0 [0:1, 0:2, 0:2] : (tensor<2x2x2xf32>) -> tensor<1x2x2xf32>
  %3 = stablehlo.reshape %2 : (tensor<1x2x2xf32>) -> tensor<2x2xf32>
  %4 = stablehlo.slice %0#0 [1:2, 0:2, 0:2] : (tensor<2x2x2xf32>) -> tensor<1x2x2xf32>
  %5 = stablehlo.reshape %4 : (tensor<1x2x2xf32>) -> tensor<2x2xf32>
  return %3, %5, %1 : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2xi1>
}

// The weights are 1 and 1.618: in (-1, 1) the second one decides.
// EIGH: out0 {{.*}} [{{1|0.99999999[0-9]*}}, {{3|2.99999999[0-9]*}}]
// EIGH: out1 {{.*}} [-0.7071067{{[0-9]*}}, 0.7071067{{[0-9]*}}, 0.7071067{{[0-9]*}}, 0.7071067{{[0-9]*}}]
func.func @eigh() -> (tensor<2xf32>, tensor<2x2xf32>) {
  %a = stablehlo.constant dense<[[2.0, 99.0], [1.0, 2.0]]> : tensor<2x2xf32>
  %0:3 = stablehlo.custom_call @lapack_ssyevd_ffi(%a) {mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}} : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<i32>)
  return %0#1, %0#0 : tensor<2xf32>, tensor<2x2xf32>
}

// 3 is reflected to -5. v is (1, 4 / (3 + 5)), its scale (5 + 3) / 5.
// QR: out0 {{.*}} [-5, 0.5]
// QR: out1 {{.*}} [1.6{{[0-9]*}}]
// QR: out2 {{.*}} [-0.6{{[0-9]*}}, -0.8{{[0-9]*}}]
func.func @qr() -> (tensor<2x1xf64>, tensor<1xf64>, tensor<2x1xf64>) {
  %a = stablehlo.constant dense<[[3.0], [4.0]]> : tensor<2x1xf64>
  %0:2 = stablehlo.custom_call @lapack_dgeqrf_ffi(%a) {mhlo.backend_config = {}} : (tensor<2x1xf64>) -> (tensor<2x1xf64>, tensor<1xf64>)
  %1 = stablehlo.custom_call @lapack_dorgqr_ffi(%0#0, %0#1) {mhlo.backend_config = {}} : (tensor<2x1xf64>, tensor<1xf64>) -> tensor<2x1xf64>
  return %0#0, %0#1, %1 : tensor<2x1xf64>, tensor<1xf64>, tensor<2x1xf64>
}

// SVD: out0 {{.*}} [3, 2]
// SVD: out1 {{.*}} [0, 1, 1, 0]
// SVD: out2 {{.*}} norm 1.414213562{{.*}} [0, -1, 0, 1, ...]
func.func @svd() -> (tensor<2xf64>, tensor<2x2xf64>, tensor<2x3xf64>) {
  %a = stablehlo.constant dense<[[2.0, 0.0, 0.0], [0.0, -3.0, 0.0]]> : tensor<2x3xf64>
  %0:5 = stablehlo.custom_call @lapack_dgesdd_ffi(%a) {mhlo.backend_config = {mode = 83 : ui8}} : (tensor<2x3xf64>) -> (tensor<2x3xf64>, tensor<2xf64>, tensor<2x2xf64>, tensor<2x3xf64>, tensor<i32>)
  return %0#1, %0#2, %0#3 : tensor<2xf64>, tensor<2x2xf64>, tensor<2x3xf64>
}
