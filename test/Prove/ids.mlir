// Ids are drawn below the number of rows that they look up, which the raise
// passes find out. Here only those from 2 on make a difference.

// RUN: rm -rf %t && mkdir %t
// RUN: boost-prove %s | FileCheck %s
// CHECK: 1 programs, {{.*}} 0 mismatches, 0 refused
// RUN: not boost-prove %s --save-failures=%t "--insert-pass=after:differentiate:test-boost-scale-gradient{parameter=table factor=2}" 2>&1 | FileCheck %s --check-prefix=SCALED
// SCALED: test-boost-scale-gradient changes @gradient: grad.table

func.func @main(%table: tensor<8x4xf32> {boost.arg = "param", boost.name = "table"},
                %ids: tensor<32xi32> {boost.arg = "batch", boost.name = "ids"}) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %two = stablehlo.constant dense<2> : tensor<32xi32>
  %places = stablehlo.reshape %ids : (tensor<32xi32>) -> tensor<32x1xi32>
  %rows = "stablehlo.gather"(%table, %places) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}>
      : (tensor<8x4xf32>, tensor<32x1xi32>) -> tensor<32x4xf32>
  %counts = stablehlo.compare GE, %ids, %two : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi1>
  %weights = stablehlo.convert %counts : (tensor<32xi1>) -> tensor<32xf32>
  %wide = stablehlo.broadcast_in_dim %weights, dims = [0] : (tensor<32xf32>) -> tensor<32x4xf32>
  %weighted = stablehlo.multiply %rows, %wide : tensor<32x4xf32>
  %loss = stablehlo.reduce(%weighted init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x4xf32>, tensor<f32>) -> tensor<f32>
  return %loss : tensor<f32>
}
