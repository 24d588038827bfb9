// RUN: boost-opt %s --boost-expand-triangular-solve -o %t
// RUN: boost-eval %s --function=lower | FileCheck %s --check-prefix=LOWER
// RUN: boost-eval %t --function=lower | FileCheck %s --check-prefix=LOWER
// RUN: boost-eval %s --function=upper | FileCheck %s --check-prefix=UPPER
// RUN: boost-eval %t --function=upper | FileCheck %s --check-prefix=UPPER
// RUN: boost-eval %s --function=right | FileCheck %s --check-prefix=RIGHT
// RUN: boost-eval %t --function=right | FileCheck %s --check-prefix=RIGHT
// RUN: boost-eval %s --function=call | FileCheck %s --check-prefix=RIGHT
// RUN: boost-eval %t --function=call | FileCheck %s --check-prefix=RIGHT
// Numbers worked out by hand. The 99 stands where nothing is read.

// 2 x = 4, then 6 x + 4 y = 20.
// LOWER: [2, 2]
func.func @lower() -> tensor<2x1xf32> {
  %a = stablehlo.constant dense<[[2.0, 99.0], [6.0, 4.0]]> : tensor<2x2xf32>
  %b = stablehlo.constant dense<[[4.0], [20.0]]> : tensor<2x1xf32>
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  return %0 : tensor<2x1xf32>
}

// y = 5, then x + 3 y = 20: the diagonal is not read either.
// UPPER: [5, 5]
func.func @upper() -> tensor<2x1xf32> {
  %a = stablehlo.constant dense<[[99.0, 3.0], [99.0, 99.0]]> : tensor<2x2xf32>
  %b = stablehlo.constant dense<[[20.0], [5.0]]> : tensor<2x1xf32>
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true}> : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  return %0 : tensor<2x1xf32>
}

// (x y) times the transpose of ((2 0) (6 4)): 2 x = 4, then 6 x + 4 y = 20.
// RIGHT: [2, 2]
func.func @right() -> tensor<1x2xf32> {
  %a = stablehlo.constant dense<[[2.0, 99.0], [6.0, 4.0]]> : tensor<2x2xf32>
  %b = stablehlo.constant dense<[[4.0, 20.0]]> : tensor<1x2xf32>
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}> : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  return %0 : tensor<1x2xf32>
}

func.func @call() -> tensor<1x2xf32> {
  %a = stablehlo.constant dense<[[2.0, 99.0], [6.0, 4.0]]> : tensor<2x2xf32>
  %b = stablehlo.constant dense<[[4.0, 20.0]]> : tensor<1x2xf32>
  %0 = stablehlo.custom_call @lapack_strsm_ffi(%a, %b) {backend_config = "", mhlo.backend_config = {diag = 78 : ui8, side = 82 : ui8, trans_x = 84 : ui8, uplo = 76 : ui8}} : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  return %0 : tensor<1x2xf32>
}
