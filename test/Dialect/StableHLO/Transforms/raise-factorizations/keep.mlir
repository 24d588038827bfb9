// RUN: boost-opt %s --boost-raise-factorizations | FileCheck %s --implicit-check-not=boost.factorize
// Calls of other forms stay, so that they can be refused.

func.func @calls(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // Of the upper triangle, and of none.
  // CHECK: stablehlo.custom_call @lapack_spotrf_ffi
  %0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {mhlo.backend_config = {uplo = 85 : ui8}} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<i32>)
  // CHECK: stablehlo.custom_call @lapack_spotrf_ffi
  %1:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<i32>)
  // Without a status.
  // CHECK: stablehlo.custom_call @lapack_spotrf_ffi
  %3 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  // Something reads what the call leaves of its operand.
  // CHECK: stablehlo.custom_call @lapack_sgesdd_ffi
  %4:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%a) {mhlo.backend_config = {mode = 83 : ui8}} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<i32>)
  // CHECK: stablehlo.custom_call @lapack_sgetrf_ffi
  %5 = stablehlo.custom_call @lapack_sgetrf_ffi(%a) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK: stablehlo.custom_call @lapack_cpotrf_ffi
  %6:2 = stablehlo.custom_call @lapack_cpotrf_ffi(%a) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<i32>)
  return %4#0 : tensor<4x4xf32>
}
