// RUN: not boost-compile %s --mesh=1 -o %t 2>&1 | FileCheck %s --implicit-check-not='UNKNOWN SSA VALUE'
// An error at an operation with a region shows the line, and no operation whose
// operands have lost their names.

func.func @main(%a: tensor<8xf32>, %i: tensor<3x1xi32>, %u: tensor<3xf32>) -> tensor<f32> {
  // CHECK: errors-of-regions.mlir:[[#@LINE+2]]:8: error: 'stablehlo.scatter' op has no gradient unless it writes, adds, multiplies, or takes the maximum or minimum of one tensor
  // CHECK-NEXT: %y = "stablehlo.scatter"
  %y = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %p = stablehlo.divide %l, %r : tensor<f32>
    stablehlo.return %p : tensor<f32>
  }) : (tensor<8xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<8xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  return %s : tensor<f32>
}
