// RUN: boost-opt %s -boost-raise-cross-entropy | FileCheck %s --implicit-check-not=boost.cross_entropy
// Picked from something else, or at fixed places.

// The logits picked from are scaled, those summed are not.
// CHECK-LABEL: func @other_values
func.func @other_values(%arg0: tensor<4x16x64xf32> {boost.tensor = #boost.tensor<batch "arg0">}, %arg1: tensor<4x16xi32> {boost.tensor = #boost.tensor<batch "arg1">}) -> tensor<f32> {
  %cst = stablehlo.constant dense<0x7FC00000> : tensor<4x16x1xf32>
  %c = stablehlo.constant dense<63> : tensor<4x16x1x1xi32>
  %c_0 = stablehlo.constant dense<0> : tensor<4x16x1x1xi32>
  %c_1 = stablehlo.constant dense<64> : tensor<4x16x1xi32>
  %c_2 = stablehlo.constant dense<0> : tensor<4x16x1xi32>
  %cst_3 = stablehlo.constant dense<2.000000e+00> : tensor<4x16x64xf32>
  %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<4x16xf32>
  %cst_5 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
  %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.reduce(%arg0 init: %cst_7) applies stablehlo.maximum across dimensions = [2] : (tensor<4x16x64xf32>, tensor<f32>) -> tensor<4x16xf32>
  %1 = stablehlo.is_finite %0 : (tensor<4x16xf32>) -> tensor<4x16xi1>
  %2 = stablehlo.select %1, %0, %cst_4 : tensor<4x16xi1>, tensor<4x16xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x64xf32>
  %4 = stablehlo.subtract %arg0, %3 : tensor<4x16x64xf32>
  %5 = stablehlo.exponential %4 : tensor<4x16x64xf32>
  %6 = stablehlo.reduce(%5 init: %cst_6) applies stablehlo.add across dimensions = [2] : (tensor<4x16x64xf32>, tensor<f32>) -> tensor<4x16xf32>
  %7 = stablehlo.abs %6 : tensor<4x16xf32>
  %8 = stablehlo.log %7 : tensor<4x16xf32>
  %9 = stablehlo.add %8, %2 : tensor<4x16xf32>
  %10 = stablehlo.multiply %arg0, %cst_3 : tensor<4x16x64xf32>
  %11 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1] : (tensor<4x16xi32>) -> tensor<4x16x1xi32>
  %12 = stablehlo.compare LT, %11, %c_2, SIGNED : (tensor<4x16x1xi32>, tensor<4x16x1xi32>) -> tensor<4x16x1xi1>
  %13 = stablehlo.add %11, %c_1 : tensor<4x16x1xi32>
  %14 = stablehlo.select %12, %13, %11 : tensor<4x16x1xi1>, tensor<4x16x1xi32>
  %15 = stablehlo.reshape %14 : (tensor<4x16x1xi32>) -> tensor<4x16x1x1xi32>
  %16 = stablehlo.compare GE, %15, %c_0, SIGNED : (tensor<4x16x1x1xi32>, tensor<4x16x1x1xi32>) -> tensor<4x16x1x1xi1>
  %17 = stablehlo.compare LE, %15, %c, SIGNED : (tensor<4x16x1x1xi32>, tensor<4x16x1x1xi32>) -> tensor<4x16x1x1xi1>
  %18 = stablehlo.and %16, %17 : tensor<4x16x1x1xi1>
  %19 = stablehlo.reshape %18 : (tensor<4x16x1x1xi1>) -> tensor<4x16x1xi1>
  %20 = "stablehlo.gather"(%10, %15) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 3>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<4x16x64xf32>, tensor<4x16x1x1xi32>) -> tensor<4x16x1xf32>
  %21 = stablehlo.select %19, %20, %cst : tensor<4x16x1xi1>, tensor<4x16x1xf32>
  %22 = stablehlo.reshape %21 : (tensor<4x16x1xf32>) -> tensor<4x16xf32>
  %23 = stablehlo.subtract %9, %22 : tensor<4x16xf32>
  %24 = stablehlo.reduce(%23 init: %cst_6) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x16xf32>, tensor<f32>) -> tensor<f32>
  %25 = stablehlo.divide %24, %cst_5 : tensor<f32>
  return %25 : tensor<f32>
}

// A picked probability, not its logarithm.
// CHECK-LABEL: func @probabilities
func.func @probabilities(%arg0: tensor<4x16x64xf32> {boost.tensor = #boost.tensor<batch "arg0">}, %arg1: tensor<4x16xi32> {boost.tensor = #boost.tensor<batch "arg1">}) -> tensor<f32> {
  %cst = stablehlo.constant dense<0x7FC00000> : tensor<4x16x1xf32>
  %c = stablehlo.constant dense<63> : tensor<4x16x1x1xi32>
  %c_0 = stablehlo.constant dense<0> : tensor<4x16x1x1xi32>
  %c_1 = stablehlo.constant dense<64> : tensor<4x16x1xi32>
  %c_2 = stablehlo.constant dense<0> : tensor<4x16x1xi32>
  %cst_3 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
  %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.reduce(%arg0 init: %cst_5) applies stablehlo.maximum across dimensions = [2] : (tensor<4x16x64xf32>, tensor<f32>) -> tensor<4x16xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x64xf32>
  %2 = stablehlo.subtract %arg0, %1 : tensor<4x16x64xf32>
  %3 = stablehlo.exponential %2 : tensor<4x16x64xf32>
  %4 = stablehlo.reduce(%3 init: %cst_4) applies stablehlo.add across dimensions = [2] : (tensor<4x16x64xf32>, tensor<f32>) -> tensor<4x16xf32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x64xf32>
  %6 = stablehlo.divide %3, %5 : tensor<4x16x64xf32>
  %7 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1] : (tensor<4x16xi32>) -> tensor<4x16x1xi32>
  %8 = stablehlo.compare LT, %7, %c_2, SIGNED : (tensor<4x16x1xi32>, tensor<4x16x1xi32>) -> tensor<4x16x1xi1>
  %9 = stablehlo.add %7, %c_1 : tensor<4x16x1xi32>
  %10 = stablehlo.select %8, %9, %7 : tensor<4x16x1xi1>, tensor<4x16x1xi32>
  %11 = stablehlo.reshape %10 : (tensor<4x16x1xi32>) -> tensor<4x16x1x1xi32>
  %12 = stablehlo.compare GE, %11, %c_0, SIGNED : (tensor<4x16x1x1xi32>, tensor<4x16x1x1xi32>) -> tensor<4x16x1x1xi1>
  %13 = stablehlo.compare LE, %11, %c, SIGNED : (tensor<4x16x1x1xi32>, tensor<4x16x1x1xi32>) -> tensor<4x16x1x1xi1>
  %14 = stablehlo.and %12, %13 : tensor<4x16x1x1xi1>
  %15 = stablehlo.reshape %14 : (tensor<4x16x1x1xi1>) -> tensor<4x16x1xi1>
  %16 = "stablehlo.gather"(%6, %11) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 3>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<4x16x64xf32>, tensor<4x16x1x1xi32>) -> tensor<4x16x1xf32>
  %17 = stablehlo.select %15, %16, %cst : tensor<4x16x1xi1>, tensor<4x16x1xf32>
  %18 = stablehlo.reduce(%17 init: %cst_4) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x16x1xf32>, tensor<f32>) -> tensor<f32>
  %19 = stablehlo.divide %18, %cst_3 : tensor<f32>
  return %19 : tensor<f32>
}

// The sum runs over the wrong dimension.
// CHECK-LABEL: func @sum_over_rows
func.func @sum_over_rows(%arg0: tensor<4x16x64xf32> {boost.tensor = #boost.tensor<batch "arg0">}, %arg1: tensor<4x16xi32> {boost.tensor = #boost.tensor<batch "arg1">}) -> tensor<f32> {
  %cst = stablehlo.constant dense<0x7FC00000> : tensor<4x16x1xf32>
  %c = stablehlo.constant dense<63> : tensor<4x16x1x1xi32>
  %c_0 = stablehlo.constant dense<0> : tensor<4x16x1x1xi32>
  %c_1 = stablehlo.constant dense<64> : tensor<4x16x1xi32>
  %c_2 = stablehlo.constant dense<0> : tensor<4x16x1xi32>
  %cst_3 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
  %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.reduce(%arg0 init: %cst_5) applies stablehlo.maximum across dimensions = [1] : (tensor<4x16x64xf32>, tensor<f32>) -> tensor<4x64xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0, 2] : (tensor<4x64xf32>) -> tensor<4x16x64xf32>
  %2 = stablehlo.subtract %arg0, %1 : tensor<4x16x64xf32>
  %3 = stablehlo.exponential %2 : tensor<4x16x64xf32>
  %4 = stablehlo.reduce(%3 init: %cst_4) applies stablehlo.add across dimensions = [1] : (tensor<4x16x64xf32>, tensor<f32>) -> tensor<4x64xf32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0, 2] : (tensor<4x64xf32>) -> tensor<4x1x64xf32>
  %6 = stablehlo.log %5 : tensor<4x1x64xf32>
  %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<4x1x64xf32>) -> tensor<4x16x64xf32>
  %8 = stablehlo.subtract %2, %7 : tensor<4x16x64xf32>
  %9 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1] : (tensor<4x16xi32>) -> tensor<4x16x1xi32>
  %10 = stablehlo.compare LT, %9, %c_2, SIGNED : (tensor<4x16x1xi32>, tensor<4x16x1xi32>) -> tensor<4x16x1xi1>
  %11 = stablehlo.add %9, %c_1 : tensor<4x16x1xi32>
  %12 = stablehlo.select %10, %11, %9 : tensor<4x16x1xi1>, tensor<4x16x1xi32>
  %13 = stablehlo.reshape %12 : (tensor<4x16x1xi32>) -> tensor<4x16x1x1xi32>
  %14 = stablehlo.compare GE, %13, %c_0, SIGNED : (tensor<4x16x1x1xi32>, tensor<4x16x1x1xi32>) -> tensor<4x16x1x1xi1>
  %15 = stablehlo.compare LE, %13, %c, SIGNED : (tensor<4x16x1x1xi32>, tensor<4x16x1x1xi32>) -> tensor<4x16x1x1xi1>
  %16 = stablehlo.and %14, %15 : tensor<4x16x1x1xi1>
  %17 = stablehlo.reshape %16 : (tensor<4x16x1x1xi1>) -> tensor<4x16x1xi1>
  %18 = "stablehlo.gather"(%8, %13) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 3>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<4x16x64xf32>, tensor<4x16x1x1xi32>) -> tensor<4x16x1xf32>
  %19 = stablehlo.select %17, %18, %cst : tensor<4x16x1xi1>, tensor<4x16x1xf32>
  %20 = stablehlo.reduce(%19 init: %cst_4) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x16x1xf32>, tensor<f32>) -> tensor<f32>
  %21 = stablehlo.divide %20, %cst_3 : tensor<f32>
  %22 = stablehlo.negate %21 : tensor<f32>
  return %22 : tensor<f32>
}

// As many rows as columns of rows: the logit picked is that of another row.
// CHECK-LABEL: func @picked_of_another_row
func.func @picked_of_another_row(%x: tensor<6x6x6xf32> {boost.tensor = #boost.tensor<batch "x">}, %labels: tensor<6x6xi32> {boost.tensor = #boost.tensor<batch "labels">}) -> tensor<6x6xf32> {
  %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %max = stablehlo.reduce(%x init: %least) applies stablehlo.maximum across dimensions = [2] : (tensor<6x6x6xf32>, tensor<f32>) -> tensor<6x6xf32>
  %shift = stablehlo.broadcast_in_dim %max, dims = [0, 1] : (tensor<6x6xf32>) -> tensor<6x6x6xf32>
  %shifted = stablehlo.subtract %x, %shift : tensor<6x6x6xf32>
  %exp = stablehlo.exponential %shifted : tensor<6x6x6xf32>
  %sum = stablehlo.reduce(%exp init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<6x6x6xf32>, tensor<f32>) -> tensor<6x6xf32>
  %log = stablehlo.log %sum : tensor<6x6xf32>
  %lse = stablehlo.add %log, %max : tensor<6x6xf32>
  %column = stablehlo.reshape %labels : (tensor<6x6xi32>) -> tensor<6x6x1xi32>
  %picked = "stablehlo.gather"(%x, %column) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<6x6x6xf32>, tensor<6x6x1xi32>) -> tensor<6x6xf32>
  %other = stablehlo.transpose %picked, dims = [1, 0] : (tensor<6x6xf32>) -> tensor<6x6xf32>
  %loss = stablehlo.subtract %lse, %other : tensor<6x6xf32>
  return %loss : tensor<6x6xf32>
}

// The log-sum-exp is that of another row.
// CHECK-LABEL: func @sum_of_another_row
func.func @sum_of_another_row(%x: tensor<6x6x6xf32> {boost.tensor = #boost.tensor<batch "x">}, %labels: tensor<6x6xi32> {boost.tensor = #boost.tensor<batch "labels">}) -> tensor<6x6xf32> {
  %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %max = stablehlo.reduce(%x init: %least) applies stablehlo.maximum across dimensions = [2] : (tensor<6x6x6xf32>, tensor<f32>) -> tensor<6x6xf32>
  %shift = stablehlo.broadcast_in_dim %max, dims = [0, 1] : (tensor<6x6xf32>) -> tensor<6x6x6xf32>
  %shifted = stablehlo.subtract %x, %shift : tensor<6x6x6xf32>
  %exp = stablehlo.exponential %shifted : tensor<6x6x6xf32>
  %sum = stablehlo.reduce(%exp init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<6x6x6xf32>, tensor<f32>) -> tensor<6x6xf32>
  %log = stablehlo.log %sum : tensor<6x6xf32>
  %lse = stablehlo.add %log, %max : tensor<6x6xf32>
  %other = stablehlo.transpose %lse, dims = [1, 0] : (tensor<6x6xf32>) -> tensor<6x6xf32>
  %spread = stablehlo.broadcast_in_dim %other, dims = [0, 1] : (tensor<6x6xf32>) -> tensor<6x6x6xf32>
  %logp = stablehlo.subtract %x, %spread : tensor<6x6x6xf32>
  %column = stablehlo.reshape %labels : (tensor<6x6xi32>) -> tensor<6x6x1xi32>
  %picked = "stablehlo.gather"(%logp, %column) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<6x6x6xf32>, tensor<6x6x1xi32>) -> tensor<6x6xf32>
  return %picked : tensor<6x6xf32>
}

// Both are of the same row, but the losses come out transposed.
// CHECK-LABEL: func @both_transposed
func.func @both_transposed(%x: tensor<6x6x6xf32> {boost.tensor = #boost.tensor<batch "x">}, %labels: tensor<6x6xi32> {boost.tensor = #boost.tensor<batch "labels">}) -> tensor<6x6xf32> {
  %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %max = stablehlo.reduce(%x init: %least) applies stablehlo.maximum across dimensions = [2] : (tensor<6x6x6xf32>, tensor<f32>) -> tensor<6x6xf32>
  %shift = stablehlo.broadcast_in_dim %max, dims = [0, 1] : (tensor<6x6xf32>) -> tensor<6x6x6xf32>
  %shifted = stablehlo.subtract %x, %shift : tensor<6x6x6xf32>
  %exp = stablehlo.exponential %shifted : tensor<6x6x6xf32>
  %sum = stablehlo.reduce(%exp init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<6x6x6xf32>, tensor<f32>) -> tensor<6x6xf32>
  %log = stablehlo.log %sum : tensor<6x6xf32>
  %lse = stablehlo.add %log, %max : tensor<6x6xf32>
  %column = stablehlo.reshape %labels : (tensor<6x6xi32>) -> tensor<6x6x1xi32>
  %picked = "stablehlo.gather"(%x, %column) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<6x6x6xf32>, tensor<6x6x1xi32>) -> tensor<6x6xf32>
  %a = stablehlo.transpose %lse, dims = [1, 0] : (tensor<6x6xf32>) -> tensor<6x6xf32>
  %b = stablehlo.transpose %picked, dims = [1, 0] : (tensor<6x6xf32>) -> tensor<6x6xf32>
  %loss = stablehlo.subtract %a, %b : tensor<6x6xf32>
  return %loss : tensor<6x6xf32>
}

// The shift that is added back is that of another row.
// CHECK-LABEL: func @shift_of_another_row
func.func @shift_of_another_row(%x: tensor<6x6x6xf32> {boost.tensor = #boost.tensor<batch "x">}, %labels: tensor<6x6xi32> {boost.tensor = #boost.tensor<batch "labels">}) -> tensor<6x6xf32> {
  %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %max = stablehlo.reduce(%x init: %least) applies stablehlo.maximum across dimensions = [2] : (tensor<6x6x6xf32>, tensor<f32>) -> tensor<6x6xf32>
  %shift = stablehlo.broadcast_in_dim %max, dims = [0, 1] : (tensor<6x6xf32>) -> tensor<6x6x6xf32>
  %shifted = stablehlo.subtract %x, %shift : tensor<6x6x6xf32>
  %exp = stablehlo.exponential %shifted : tensor<6x6x6xf32>
  %sum = stablehlo.reduce(%exp init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<6x6x6xf32>, tensor<f32>) -> tensor<6x6xf32>
  %log = stablehlo.log %sum : tensor<6x6xf32>
  %other = stablehlo.transpose %max, dims = [1, 0] : (tensor<6x6xf32>) -> tensor<6x6xf32>
  %lse = stablehlo.add %log, %other : tensor<6x6xf32>
  %column = stablehlo.reshape %labels : (tensor<6x6xi32>) -> tensor<6x6x1xi32>
  %picked = "stablehlo.gather"(%x, %column) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<6x6x6xf32>, tensor<6x6x1xi32>) -> tensor<6x6xf32>
  %loss = stablehlo.subtract %lse, %picked : tensor<6x6xf32>
  return %loss : tensor<6x6xf32>
}

// The shift runs along the vocabulary, not along the rows.
// CHECK-LABEL: func @shift_along_the_vocabulary
func.func @shift_along_the_vocabulary(%x: tensor<6x6x6xf32> {boost.tensor = #boost.tensor<batch "x">}, %labels: tensor<6x6xi32> {boost.tensor = #boost.tensor<batch "labels">}) -> tensor<6x6xf32> {
  %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %max = stablehlo.reduce(%x init: %least) applies stablehlo.maximum across dimensions = [2] : (tensor<6x6x6xf32>, tensor<f32>) -> tensor<6x6xf32>
  %shift = stablehlo.broadcast_in_dim %max, dims = [1, 2] : (tensor<6x6xf32>) -> tensor<6x6x6xf32>
  %shifted = stablehlo.subtract %x, %shift : tensor<6x6x6xf32>
  %exp = stablehlo.exponential %shifted : tensor<6x6x6xf32>
  %sum = stablehlo.reduce(%exp init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<6x6x6xf32>, tensor<f32>) -> tensor<6x6xf32>
  %log = stablehlo.log %sum : tensor<6x6xf32>
  %lse = stablehlo.add %log, %max : tensor<6x6xf32>
  %column = stablehlo.reshape %labels : (tensor<6x6xi32>) -> tensor<6x6x1xi32>
  %picked = "stablehlo.gather"(%x, %column) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<6x6x6xf32>, tensor<6x6x1xi32>) -> tensor<6x6xf32>
  %loss = stablehlo.subtract %lse, %picked : tensor<6x6xf32>
  return %loss : tensor<6x6xf32>
}

// What is subtracted before exp is added behind log, but along another dimension.
// CHECK-LABEL: func @shared_row
func.func @shared_row(%x: tensor<4x4x8xf32>, %ids: tensor<4x4xi32>, %row: tensor<4xf32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %count = stablehlo.constant dense<16.0> : tensor<f32>
  %rows = stablehlo.broadcast_in_dim %row, dims = [0] : (tensor<4xf32>) -> tensor<4x4x8xf32>
  %columns = stablehlo.broadcast_in_dim %row, dims = [1] : (tensor<4xf32>) -> tensor<4x4xf32>
  %shifted = stablehlo.subtract %x, %rows : tensor<4x4x8xf32>
  %exp = stablehlo.exponential %shifted : tensor<4x4x8xf32>
  %sum = stablehlo.reduce(%exp init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<4x4x8xf32>, tensor<f32>) -> tensor<4x4xf32>
  %log = stablehlo.log %sum : tensor<4x4xf32>
  %lse = stablehlo.add %log, %columns : tensor<4x4xf32>
  %all_ids = stablehlo.broadcast_in_dim %ids, dims = [0, 1] : (tensor<4x4xi32>) -> tensor<4x4x8xi32>
  %iota = stablehlo.iota dim = 2 : tensor<4x4x8xi32>
  %equal = stablehlo.compare EQ, %all_ids, %iota, SIGNED : (tensor<4x4x8xi32>, tensor<4x4x8xi32>) -> tensor<4x4x8xi1>
  %hot = stablehlo.convert %equal : (tensor<4x4x8xi1>) -> tensor<4x4x8xf32>
  %products = stablehlo.multiply %hot, %x : tensor<4x4x8xf32>
  %picked = stablehlo.reduce(%products init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<4x4x8xf32>, tensor<f32>) -> tensor<4x4xf32>
  %losses = stablehlo.subtract %lse, %picked : tensor<4x4xf32>
  %total = stablehlo.reduce(%losses init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<f32>
  %mean = stablehlo.divide %total, %count : tensor<f32>
  return %mean : tensor<f32>
}

// Two elements of each of the first two rows, as many as there are rows.
// CHECK-LABEL: func @half_of_the_rows
func.func @half_of_the_rows(%x: tensor<4x8xf32>, %labels: tensor<4xi32> {boost.tensor = #boost.tensor<batch "labels">}) -> tensor<2x2xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.exponential %x : tensor<4x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %l = stablehlo.log %t : tensor<4xf32>
  %b = stablehlo.broadcast_in_dim %l, dims = [0] : (tensor<4xf32>) -> tensor<4x8xf32>
  %p = stablehlo.subtract %x, %b : tensor<4x8xf32>
  %i = stablehlo.iota dim = 0 : tensor<2x2x1xi32>
  %c = stablehlo.reshape %labels : (tensor<4xi32>) -> tensor<2x2x1xi32>
  %at = stablehlo.concatenate %i, %c, dim = 2 : (tensor<2x2x1xi32>, tensor<2x2x1xi32>) -> tensor<2x2x2xi32>
  %r = "stablehlo.gather"(%p, %at) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<4x8xf32>, tensor<2x2x2xi32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// Rows of more than the first dimension, with positions of the first alone.
// CHECK-LABEL: func @too_few_positions
func.func @too_few_positions(%x: tensor<4x8xf32>, %labels: tensor<4xi32> {boost.tensor = #boost.tensor<batch "labels">}) -> tensor<2x2x1xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.exponential %x : tensor<4x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %l = stablehlo.log %t : tensor<4xf32>
  %b = stablehlo.broadcast_in_dim %l, dims = [0] : (tensor<4xf32>) -> tensor<4x8xf32>
  %p = stablehlo.subtract %x, %b : tensor<4x8xf32>
  %3 = stablehlo.reshape %p : (tensor<4x8xf32>) -> tensor<2x2x8xf32>
  %i = stablehlo.iota dim = 0 : tensor<2x2x1x1xi32>
  %c = stablehlo.reshape %labels : (tensor<4xi32>) -> tensor<2x2x1x1xi32>
  %at = stablehlo.concatenate %i, %i, %c, dim = 3 : (tensor<2x2x1x1xi32>, tensor<2x2x1x1xi32>, tensor<2x2x1x1xi32>) -> tensor<2x2x1x3xi32>
  %r = "stablehlo.gather"(%3, %at) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1, 2], start_index_map = [0, 1, 2], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<2x2x8xf32>, tensor<2x2x1x3xi32>) -> tensor<2x2x1xf32>
  return %r : tensor<2x2x1xf32>
}
