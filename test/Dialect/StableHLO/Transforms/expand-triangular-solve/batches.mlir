// RUN: boost-opt %s --boost-expand-triangular-solve -o %t
// RUN: FileCheck %s < %t
// RUN: boost-eval --compare --every-function %s %t
// Every form of a triangular system, with systems side by side along one or two dimensions, by value.

// CHECK-NOT: triangular_solve

func.func @left_lower_no_transpose_unit(%a: tensor<2x4x4xf64>, %b: tensor<2x4x3xf64>) -> tensor<2x4x3xf64> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true}> : (tensor<2x4x4xf64>, tensor<2x4x3xf64>) -> tensor<2x4x3xf64>
  return %0 : tensor<2x4x3xf64>
}

func.func @left_lower_no_transpose_diagonal(%a: tensor<2x4x4xf64>, %b: tensor<2x4x3xf64>) -> tensor<2x4x3xf64> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x4x4xf64>, tensor<2x4x3xf64>) -> tensor<2x4x3xf64>
  return %0 : tensor<2x4x3xf64>
}

func.func @left_lower_transpose_unit(%a: tensor<2x4x4xf64>, %b: tensor<2x4x3xf64>) -> tensor<2x4x3xf64> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = true}> : (tensor<2x4x4xf64>, tensor<2x4x3xf64>) -> tensor<2x4x3xf64>
  return %0 : tensor<2x4x3xf64>
}

func.func @left_lower_transpose_diagonal(%a: tensor<2x4x4xf64>, %b: tensor<2x4x3xf64>) -> tensor<2x4x3xf64> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<2x4x4xf64>, tensor<2x4x3xf64>) -> tensor<2x4x3xf64>
  return %0 : tensor<2x4x3xf64>
}

func.func @left_upper_no_transpose_unit(%a: tensor<2x4x4xf64>, %b: tensor<2x4x3xf64>) -> tensor<2x4x3xf64> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true}> : (tensor<2x4x4xf64>, tensor<2x4x3xf64>) -> tensor<2x4x3xf64>
  return %0 : tensor<2x4x3xf64>
}

func.func @left_upper_no_transpose_diagonal(%a: tensor<2x4x4xf64>, %b: tensor<2x4x3xf64>) -> tensor<2x4x3xf64> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x4x4xf64>, tensor<2x4x3xf64>) -> tensor<2x4x3xf64>
  return %0 : tensor<2x4x3xf64>
}

func.func @left_upper_transpose_unit(%a: tensor<2x4x4xf64>, %b: tensor<2x4x3xf64>) -> tensor<2x4x3xf64> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = true}> : (tensor<2x4x4xf64>, tensor<2x4x3xf64>) -> tensor<2x4x3xf64>
  return %0 : tensor<2x4x3xf64>
}

func.func @left_upper_transpose_diagonal(%a: tensor<2x4x4xf64>, %b: tensor<2x4x3xf64>) -> tensor<2x4x3xf64> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<2x4x4xf64>, tensor<2x4x3xf64>) -> tensor<2x4x3xf64>
  return %0 : tensor<2x4x3xf64>
}

func.func @right_lower_no_transpose_unit(%a: tensor<2x4x4xf64>, %b: tensor<2x3x4xf64>) -> tensor<2x3x4xf64> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true}> : (tensor<2x4x4xf64>, tensor<2x3x4xf64>) -> tensor<2x3x4xf64>
  return %0 : tensor<2x3x4xf64>
}

func.func @right_lower_no_transpose_diagonal(%a: tensor<2x4x4xf64>, %b: tensor<2x3x4xf64>) -> tensor<2x3x4xf64> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x4x4xf64>, tensor<2x3x4xf64>) -> tensor<2x3x4xf64>
  return %0 : tensor<2x3x4xf64>
}

func.func @right_lower_transpose_unit(%a: tensor<2x4x4xf64>, %b: tensor<2x3x4xf64>) -> tensor<2x3x4xf64> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = true}> : (tensor<2x4x4xf64>, tensor<2x3x4xf64>) -> tensor<2x3x4xf64>
  return %0 : tensor<2x3x4xf64>
}

func.func @right_lower_transpose_diagonal(%a: tensor<2x4x4xf64>, %b: tensor<2x3x4xf64>) -> tensor<2x3x4xf64> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<2x4x4xf64>, tensor<2x3x4xf64>) -> tensor<2x3x4xf64>
  return %0 : tensor<2x3x4xf64>
}

func.func @right_upper_no_transpose_unit(%a: tensor<2x4x4xf64>, %b: tensor<2x3x4xf64>) -> tensor<2x3x4xf64> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true}> : (tensor<2x4x4xf64>, tensor<2x3x4xf64>) -> tensor<2x3x4xf64>
  return %0 : tensor<2x3x4xf64>
}

func.func @right_upper_no_transpose_diagonal(%a: tensor<2x4x4xf64>, %b: tensor<2x3x4xf64>) -> tensor<2x3x4xf64> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x4x4xf64>, tensor<2x3x4xf64>) -> tensor<2x3x4xf64>
  return %0 : tensor<2x3x4xf64>
}

func.func @right_upper_transpose_unit(%a: tensor<2x4x4xf64>, %b: tensor<2x3x4xf64>) -> tensor<2x3x4xf64> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = true}> : (tensor<2x4x4xf64>, tensor<2x3x4xf64>) -> tensor<2x3x4xf64>
  return %0 : tensor<2x3x4xf64>
}

func.func @right_upper_transpose_diagonal(%a: tensor<2x4x4xf64>, %b: tensor<2x3x4xf64>) -> tensor<2x3x4xf64> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<2x4x4xf64>, tensor<2x3x4xf64>) -> tensor<2x3x4xf64>
  return %0 : tensor<2x3x4xf64>
}

func.func @two_dimensions(%a: tensor<2x3x3x3xf64>, %b: tensor<2x3x3x2xf64>) -> tensor<2x3x3x2xf64> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true}> : (tensor<2x3x3x3xf64>, tensor<2x3x3x2xf64>) -> tensor<2x3x3x2xf64>
  return %0 : tensor<2x3x3x2xf64>
}

func.func @two_dimensions_right(%a: tensor<2x3x3x3xf64>, %b: tensor<2x3x2x3xf64>) -> tensor<2x3x2x3xf64> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true}> : (tensor<2x3x3x3xf64>, tensor<2x3x2x3xf64>) -> tensor<2x3x2x3xf64>
  return %0 : tensor<2x3x2x3xf64>
}

func.func @blocks_of_several(%a: tensor<2x36x36xf64>, %b: tensor<2x36x2xf64>) -> tensor<2x36x2xf64> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true}> : (tensor<2x36x36xf64>, tensor<2x36x2xf64>) -> tensor<2x36x2xf64>
  return %0 : tensor<2x36x2xf64>
}

func.func @blocks_of_several_upper(%a: tensor<3x40x40xf64>, %b: tensor<3x40x2xf64>) -> tensor<3x40x2xf64> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true}> : (tensor<3x40x40xf64>, tensor<3x40x2xf64>) -> tensor<3x40x2xf64>
  return %0 : tensor<3x40x2xf64>
}

func.func @blocks_of_several_right(%a: tensor<2x34x34xf64>, %b: tensor<2x3x34xf64>) -> tensor<2x3x34xf64> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = true}> : (tensor<2x34x34xf64>, tensor<2x3x34xf64>) -> tensor<2x3x34xf64>
  return %0 : tensor<2x3x34xf64>
}

func.func @one_block(%a: tensor<2x32x32xf64>, %b: tensor<2x32x2xf64>) -> tensor<2x32x2xf64> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true}> : (tensor<2x32x32xf64>, tensor<2x32x2xf64>) -> tensor<2x32x2xf64>
  return %0 : tensor<2x32x2xf64>
}

func.func @two_blocks(%a: tensor<2x64x64xf64>, %b: tensor<2x64x2xf64>) -> tensor<2x64x2xf64> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true}> : (tensor<2x64x64xf64>, tensor<2x64x2xf64>) -> tensor<2x64x2xf64>
  return %0 : tensor<2x64x2xf64>
}

func.func @of_one(%a: tensor<2x1x1xf64>, %b: tensor<2x1x3xf64>) -> tensor<2x1x3xf64> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x1x1xf64>, tensor<2x1x3xf64>) -> tensor<2x1x3xf64>
  return %0 : tensor<2x1x3xf64>
}
