// RUN: boost-opt %s --boost-import-check | FileCheck %s
// A program of the subset passes unchanged.

// CHECK-LABEL: func @loss
// CHECK-NEXT:    stablehlo.reduce
// CHECK-NEXT:    return
func.func @loss(%x: tensor<4xf32>, %s: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.reduce(%x init: %s) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// A call of LAPACK that means an operation, as JAX prints it.
// CHECK-LABEL: func @solve
// CHECK-NEXT:    stablehlo.custom_call @lapack_strsm_ffi
func.func @solve(%a: tensor<4x4xf32>, %b: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %0 = stablehlo.custom_call @lapack_strsm_ffi(%a, %b) {backend_config = "", mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [k, l])->([m, n]) {i=4, j=4, k=4, l=3, m=4, n=3}, custom>} : (tensor<4x4xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}
