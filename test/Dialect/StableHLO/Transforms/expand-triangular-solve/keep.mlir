// RUN: boost-opt %s --boost-expand-triangular-solve | FileCheck %s
// Calls of something else stay, so that they can be refused.

// CHECK-LABEL: func @calls
// CHECK-NEXT:    stablehlo.custom_call @lapack_sgetrf_ffi
// CHECK-NEXT:    stablehlo.custom_call @lapack_strsm_ffi
// CHECK-NEXT:    return
func.func @calls(%a: tensor<4x4xf32>, %b: tensor<4x3xf32>) -> (tensor<4x4xf32>, tensor<4x3xf32>) {
  %0 = stablehlo.custom_call @lapack_sgetrf_ffi(%a) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  // Nothing says which triangle.
  %1 = stablehlo.custom_call @lapack_strsm_ffi(%a, %b) {mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8}} : (tensor<4x4xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  return %0, %1 : tensor<4x4xf32>, tensor<4x3xf32>
}
