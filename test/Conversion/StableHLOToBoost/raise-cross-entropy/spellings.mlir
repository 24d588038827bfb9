// RUN: boost-opt %s -boost-raise-cross-entropy -o %t
// RUN: FileCheck %s < %t
// RUN: boost-eval --compare --every-function %s %t
// Cross entropies in the spellings of JAX, Optax and hand-written ones.

// logsumexp(x) - x[label]
// CHECK-LABEL: func @log_sum_exp
// CHECK-SAME:    %[[X:.*]]: tensor<4x16x64xf32>{{.*}}, %[[L:.*]]: tensor<4x16xi32> {boost.id_limit = 64 : i64, boost.tensor = #boost.tensor<batch
// CHECK:         %[[E:.*]], %{{.*}} = boost.cross_entropy %[[X]], %[[L]] : (tensor<4x16x64xf32>, tensor<4x16xi32>) -> (tensor<4x16xf32>, tensor<4x16xf32>)
// CHECK-NOT:     negate
func.func @log_sum_exp(%arg0: tensor<4x16x64xf32> {boost.tensor = #boost.tensor<batch "arg0">}, %arg1: tensor<4x16xi32> {boost.tensor = #boost.tensor<batch "arg1">}) -> tensor<f32> {
  %cst = stablehlo.constant dense<0x7FC00000> : tensor<4x16x1xf32>
  %c = stablehlo.constant dense<63> : tensor<4x16x1x1xi32>
  %c_0 = stablehlo.constant dense<0> : tensor<4x16x1x1xi32>
  %c_1 = stablehlo.constant dense<64> : tensor<4x16x1xi32>
  %c_2 = stablehlo.constant dense<0> : tensor<4x16x1xi32>
  %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<4x16xf32>
  %cst_4 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
  %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.reduce(%arg0 init: %cst_6) applies stablehlo.maximum across dimensions = [2] : (tensor<4x16x64xf32>, tensor<f32>) -> tensor<4x16xf32>
  %1 = stablehlo.is_finite %0 : (tensor<4x16xf32>) -> tensor<4x16xi1>
  %2 = stablehlo.select %1, %0, %cst_3 : tensor<4x16xi1>, tensor<4x16xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x64xf32>
  %4 = stablehlo.subtract %arg0, %3 : tensor<4x16x64xf32>
  %5 = stablehlo.exponential %4 : tensor<4x16x64xf32>
  %6 = stablehlo.reduce(%5 init: %cst_5) applies stablehlo.add across dimensions = [2] : (tensor<4x16x64xf32>, tensor<f32>) -> tensor<4x16xf32>
  %7 = stablehlo.abs %6 : tensor<4x16xf32>
  %8 = stablehlo.log %7 : tensor<4x16xf32>
  %9 = stablehlo.add %8, %2 : tensor<4x16xf32>
  %10 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1] : (tensor<4x16xi32>) -> tensor<4x16x1xi32>
  %11 = stablehlo.compare LT, %10, %c_2, SIGNED : (tensor<4x16x1xi32>, tensor<4x16x1xi32>) -> tensor<4x16x1xi1>
  %12 = stablehlo.add %10, %c_1 : tensor<4x16x1xi32>
  %13 = stablehlo.select %11, %12, %10 : tensor<4x16x1xi1>, tensor<4x16x1xi32>
  %14 = stablehlo.reshape %13 : (tensor<4x16x1xi32>) -> tensor<4x16x1x1xi32>
  %15 = stablehlo.compare GE, %14, %c_0, SIGNED : (tensor<4x16x1x1xi32>, tensor<4x16x1x1xi32>) -> tensor<4x16x1x1xi1>
  %16 = stablehlo.compare LE, %14, %c, SIGNED : (tensor<4x16x1x1xi32>, tensor<4x16x1x1xi32>) -> tensor<4x16x1x1xi1>
  %17 = stablehlo.and %15, %16 : tensor<4x16x1x1xi1>
  %18 = stablehlo.reshape %17 : (tensor<4x16x1x1xi1>) -> tensor<4x16x1xi1>
  %19 = "stablehlo.gather"(%arg0, %14) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 3>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<4x16x64xf32>, tensor<4x16x1x1xi32>) -> tensor<4x16x1xf32>
  %20 = stablehlo.select %18, %19, %cst : tensor<4x16x1xi1>, tensor<4x16x1xf32>
  %21 = stablehlo.reshape %20 : (tensor<4x16x1xf32>) -> tensor<4x16xf32>
  %22 = stablehlo.subtract %9, %21 : tensor<4x16xf32>
  %23 = stablehlo.reduce(%22 init: %cst_5) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x16xf32>, tensor<f32>) -> tensor<f32>
  %24 = stablehlo.divide %23, %cst_4 : tensor<f32>
  return %24 : tensor<f32>
}

// As Optax does it: logits minus their maximum, log of the sum minus the label's.
// CHECK-LABEL: func @shifted_logits
// CHECK-SAME:    %[[X:.*]]: tensor<4x16x64xf32>{{.*}}, %[[L:.*]]: tensor<4x16xi32> {boost.id_limit = 64 : i64, boost.tensor = #boost.tensor<batch
// CHECK:         %[[E:.*]], %{{.*}} = boost.cross_entropy %[[X]], %[[L]] : (tensor<4x16x64xf32>, tensor<4x16xi32>) -> (tensor<4x16xf32>, tensor<4x16xf32>)
func.func @shifted_logits(%arg0: tensor<4x16x64xf32> {boost.tensor = #boost.tensor<batch "arg0">}, %arg1: tensor<4x16xi32> {boost.tensor = #boost.tensor<batch "arg1">}) -> tensor<f32> {
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
  %3 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1] : (tensor<4x16xi32>) -> tensor<4x16x1xi32>
  %4 = stablehlo.compare LT, %3, %c_2, SIGNED : (tensor<4x16x1xi32>, tensor<4x16x1xi32>) -> tensor<4x16x1xi1>
  %5 = stablehlo.add %3, %c_1 : tensor<4x16x1xi32>
  %6 = stablehlo.select %4, %5, %3 : tensor<4x16x1xi1>, tensor<4x16x1xi32>
  %7 = stablehlo.reshape %6 : (tensor<4x16x1xi32>) -> tensor<4x16x1x1xi32>
  %8 = stablehlo.compare GE, %7, %c_0, SIGNED : (tensor<4x16x1x1xi32>, tensor<4x16x1x1xi32>) -> tensor<4x16x1x1xi1>
  %9 = stablehlo.compare LE, %7, %c, SIGNED : (tensor<4x16x1x1xi32>, tensor<4x16x1x1xi32>) -> tensor<4x16x1x1xi1>
  %10 = stablehlo.and %8, %9 : tensor<4x16x1x1xi1>
  %11 = stablehlo.reshape %10 : (tensor<4x16x1x1xi1>) -> tensor<4x16x1xi1>
  %12 = "stablehlo.gather"(%2, %7) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 3>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<4x16x64xf32>, tensor<4x16x1x1xi32>) -> tensor<4x16x1xf32>
  %13 = stablehlo.select %11, %12, %cst : tensor<4x16x1xi1>, tensor<4x16x1xf32>
  %14 = stablehlo.reshape %13 : (tensor<4x16x1xf32>) -> tensor<4x16xf32>
  %15 = stablehlo.exponential %2 : tensor<4x16x64xf32>
  %16 = stablehlo.reduce(%15 init: %cst_4) applies stablehlo.add across dimensions = [2] : (tensor<4x16x64xf32>, tensor<f32>) -> tensor<4x16xf32>
  %17 = stablehlo.log %16 : tensor<4x16xf32>
  %18 = stablehlo.subtract %17, %14 : tensor<4x16xf32>
  %19 = stablehlo.reduce(%18 init: %cst_4) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x16xf32>, tensor<f32>) -> tensor<f32>
  %20 = stablehlo.divide %19, %cst_3 : tensor<f32>
  return %20 : tensor<f32>
}

// -log_softmax(x)[label], by take_along_axis.
// CHECK-LABEL: func @log_softmax
// CHECK-SAME:    %[[X:.*]]: tensor<4x16x64xf32>{{.*}}, %[[L:.*]]: tensor<4x16xi32> {boost.id_limit = 64 : i64, boost.tensor = #boost.tensor<batch
// CHECK:         %[[E:.*]], %{{.*}} = boost.cross_entropy %[[X]], %[[L]] : (tensor<4x16x64xf32>, tensor<4x16xi32>) -> (tensor<4x16xf32>, tensor<4x16xf32>)
// CHECK-NEXT:    %[[N:.*]] = stablehlo.negate %[[E]]
func.func @log_softmax(%arg0: tensor<4x16x64xf32> {boost.tensor = #boost.tensor<batch "arg0">}, %arg1: tensor<4x16xi32> {boost.tensor = #boost.tensor<batch "arg1">}) -> tensor<f32> {
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
  %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
  %6 = stablehlo.log %5 : tensor<4x16x1xf32>
  %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x64xf32>
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

// The label is picked by a product with a one-hot row.
// CHECK-LABEL: func @one_hot
// CHECK-SAME:    %[[X:.*]]: tensor<4x16x64xf32>{{.*}}, %[[L:.*]]: tensor<4x16xi32> {boost.id_limit = 64 : i64, boost.tensor = #boost.tensor<batch
// CHECK:         %[[E:.*]], %{{.*}} = boost.cross_entropy %[[X]], %[[L]] : (tensor<4x16x64xf32>, tensor<4x16xi32>) -> (tensor<4x16xf32>, tensor<4x16xf32>)
// CHECK-NEXT:    %[[N:.*]] = stablehlo.negate %[[E]]
func.func @one_hot(%arg0: tensor<4x16x64xf32> {boost.tensor = #boost.tensor<batch "arg0">}, %arg1: tensor<4x16xi32> {boost.tensor = #boost.tensor<batch "arg1">}) -> tensor<f32> {
  %cst = stablehlo.constant dense<6.400000e+01> : tensor<f32>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.reduce(%arg0 init: %cst_1) applies stablehlo.maximum across dimensions = [2] : (tensor<4x16x64xf32>, tensor<f32>) -> tensor<4x16xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x64xf32>
  %2 = stablehlo.subtract %arg0, %1 : tensor<4x16x64xf32>
  %3 = stablehlo.exponential %2 : tensor<4x16x64xf32>
  %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<4x16x64xf32>, tensor<f32>) -> tensor<4x16xf32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
  %6 = stablehlo.log %5 : tensor<4x16x1xf32>
  %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x64xf32>
  %8 = stablehlo.subtract %2, %7 : tensor<4x16x64xf32>
  %9 = stablehlo.iota dim = 2 : tensor<1x1x64xi32>
  %10 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1] : (tensor<4x16xi32>) -> tensor<4x16x64xi32>
  %11 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<1x1x64xi32>) -> tensor<4x16x64xi32>
  %12 = stablehlo.compare EQ, %10, %11, SIGNED : (tensor<4x16x64xi32>, tensor<4x16x64xi32>) -> tensor<4x16x64xi1>
  %13 = stablehlo.convert %12 : (tensor<4x16x64xi1>) -> tensor<4x16x64xf32>
  %14 = stablehlo.multiply %8, %13 : tensor<4x16x64xf32>
  %15 = stablehlo.reduce(%14 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<4x16x64xf32>, tensor<f32>) -> tensor<4x16xf32>
  %16 = stablehlo.reduce(%15 init: %cst_0) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x16xf32>, tensor<f32>) -> tensor<f32>
  %17 = stablehlo.divide %16, %cst : tensor<f32>
  %18 = stablehlo.negate %17 : tensor<f32>
  return %18 : tensor<f32>
}

// The label is picked by a select.
// CHECK-LABEL: func @one_hot_where
// CHECK-SAME:    %[[X:.*]]: tensor<4x16x64xf32>{{.*}}, %[[L:.*]]: tensor<4x16xi32> {boost.id_limit = 64 : i64, boost.tensor = #boost.tensor<batch
// CHECK:         %[[E:.*]], %{{.*}} = boost.cross_entropy %[[X]], %[[L]] : (tensor<4x16x64xf32>, tensor<4x16xi32>) -> (tensor<4x16xf32>, tensor<4x16xf32>)
// CHECK-NEXT:    %[[N:.*]] = stablehlo.negate %[[E]]
func.func @one_hot_where(%arg0: tensor<4x16x64xf32> {boost.tensor = #boost.tensor<batch "arg0">}, %arg1: tensor<4x16xi32> {boost.tensor = #boost.tensor<batch "arg1">}) -> tensor<f32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<4x16x64xf32>
  %cst_0 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.iota dim = 0 : tensor<64xi32>
  %1 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1] : (tensor<4x16xi32>) -> tensor<4x16x64xi32>
  %2 = stablehlo.broadcast_in_dim %0, dims = [2] : (tensor<64xi32>) -> tensor<4x16x64xi32>
  %3 = stablehlo.compare EQ, %1, %2, SIGNED : (tensor<4x16x64xi32>, tensor<4x16x64xi32>) -> tensor<4x16x64xi1>
  %4 = stablehlo.reduce(%arg0 init: %cst_2) applies stablehlo.maximum across dimensions = [2] : (tensor<4x16x64xf32>, tensor<f32>) -> tensor<4x16xf32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x64xf32>
  %6 = stablehlo.subtract %arg0, %5 : tensor<4x16x64xf32>
  %7 = stablehlo.exponential %6 : tensor<4x16x64xf32>
  %8 = stablehlo.reduce(%7 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<4x16x64xf32>, tensor<f32>) -> tensor<4x16xf32>
  %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
  %10 = stablehlo.log %9 : tensor<4x16x1xf32>
  %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x64xf32>
  %12 = stablehlo.subtract %6, %11 : tensor<4x16x64xf32>
  %13 = stablehlo.select %3, %12, %cst : tensor<4x16x64xi1>, tensor<4x16x64xf32>
  %14 = stablehlo.reduce(%13 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<4x16x64xf32>, tensor<f32>) -> tensor<4x16xf32>
  %15 = stablehlo.reduce(%14 init: %cst_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x16xf32>, tensor<f32>) -> tensor<f32>
  %16 = stablehlo.divide %15, %cst_0 : tensor<f32>
  %17 = stablehlo.negate %16 : tensor<f32>
  return %17 : tensor<f32>
}

// One sum over the vocabulary and the tokens.
// CHECK-LABEL: func @one_hot_total
// CHECK-SAME:    %[[X:.*]]: tensor<4x16x64xf32>{{.*}}, %[[L:.*]]: tensor<4x16xi32> {boost.id_limit = 64 : i64, boost.tensor = #boost.tensor<batch
// CHECK:         %[[E:.*]], %{{.*}} = boost.cross_entropy %[[X]], %[[L]] : (tensor<4x16x64xf32>, tensor<4x16xi32>) -> (tensor<4x16xf32>, tensor<4x16xf32>)
// CHECK-NEXT:    %[[N:.*]] = stablehlo.negate %[[E]]
// CHECK:         stablehlo.reduce(%[[N]] {{.*}}) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x16xf32>, tensor<f32>) -> tensor<f32>
func.func @one_hot_total(%arg0: tensor<4x16x64xf32> {boost.tensor = #boost.tensor<batch "arg0">}, %arg1: tensor<4x16xi32> {boost.tensor = #boost.tensor<batch "arg1">}) -> tensor<f32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<4x16x64xf32>
  %cst_0 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.iota dim = 0 : tensor<64xi32>
  %1 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1] : (tensor<4x16xi32>) -> tensor<4x16x64xi32>
  %2 = stablehlo.broadcast_in_dim %0, dims = [2] : (tensor<64xi32>) -> tensor<4x16x64xi32>
  %3 = stablehlo.compare EQ, %1, %2, SIGNED : (tensor<4x16x64xi32>, tensor<4x16x64xi32>) -> tensor<4x16x64xi1>
  %4 = stablehlo.reduce(%arg0 init: %cst_2) applies stablehlo.maximum across dimensions = [2] : (tensor<4x16x64xf32>, tensor<f32>) -> tensor<4x16xf32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x64xf32>
  %6 = stablehlo.subtract %arg0, %5 : tensor<4x16x64xf32>
  %7 = stablehlo.exponential %6 : tensor<4x16x64xf32>
  %8 = stablehlo.reduce(%7 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<4x16x64xf32>, tensor<f32>) -> tensor<4x16xf32>
  %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
  %10 = stablehlo.log %9 : tensor<4x16x1xf32>
  %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x64xf32>
  %12 = stablehlo.subtract %6, %11 : tensor<4x16x64xf32>
  %13 = stablehlo.select %3, %12, %cst : tensor<4x16x64xi1>, tensor<4x16x64xf32>
  %15 = stablehlo.reduce(%13 init: %cst_1) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x16x64xf32>, tensor<f32>) -> tensor<f32>
  %16 = stablehlo.divide %15, %cst_0 : tensor<f32>
  %17 = stablehlo.negate %16 : tensor<f32>
  return %17 : tensor<f32>
}

// The label is picked by indexing with positions beside it.
// CHECK-LABEL: func @positions
// CHECK-SAME:    %[[X:.*]]: tensor<4x16x64xf32>{{.*}}, %[[L:.*]]: tensor<4x16xi32> {boost.id_limit = 64 : i64, boost.tensor = #boost.tensor<batch
// CHECK:         %[[E:.*]], %{{.*}} = boost.cross_entropy %[[X]], %[[L]] : (tensor<4x16x64xf32>, tensor<4x16xi32>) -> (tensor<4x16xf32>, tensor<4x16xf32>)
// CHECK-NEXT:    %[[N:.*]] = stablehlo.negate %[[E]]
func.func @positions(%arg0: tensor<4x16x64xf32> {boost.tensor = #boost.tensor<batch "arg0">}, %arg1: tensor<4x16xi32> {boost.tensor = #boost.tensor<batch "arg1">}) -> tensor<f32> {
  %c = stablehlo.constant dense<64> : tensor<4x16xi32>
  %c_0 = stablehlo.constant dense<0> : tensor<4x16xi32>
  %c_1 = stablehlo.constant dense<16> : tensor<1x16xi32>
  %c_2 = stablehlo.constant dense<0> : tensor<1x16xi32>
  %c_3 = stablehlo.constant dense<4> : tensor<4x1xi32>
  %c_4 = stablehlo.constant dense<0> : tensor<4x1xi32>
  %cst = stablehlo.constant dense<6.400000e+01> : tensor<f32>
  %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.reduce(%arg0 init: %cst_6) applies stablehlo.maximum across dimensions = [2] : (tensor<4x16x64xf32>, tensor<f32>) -> tensor<4x16xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x64xf32>
  %2 = stablehlo.subtract %arg0, %1 : tensor<4x16x64xf32>
  %3 = stablehlo.exponential %2 : tensor<4x16x64xf32>
  %4 = stablehlo.reduce(%3 init: %cst_5) applies stablehlo.add across dimensions = [2] : (tensor<4x16x64xf32>, tensor<f32>) -> tensor<4x16xf32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
  %6 = stablehlo.log %5 : tensor<4x16x1xf32>
  %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x64xf32>
  %8 = stablehlo.subtract %2, %7 : tensor<4x16x64xf32>
  %9 = stablehlo.iota dim = 0 : tensor<4xi32>
  %10 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
  %11 = stablehlo.iota dim = 0 : tensor<16xi32>
  %12 = stablehlo.broadcast_in_dim %11, dims = [1] : (tensor<16xi32>) -> tensor<1x16xi32>
  %13 = stablehlo.compare LT, %10, %c_4, SIGNED : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x1xi1>
  %14 = stablehlo.add %10, %c_3 : tensor<4x1xi32>
  %15 = stablehlo.select %13, %14, %10 : tensor<4x1xi1>, tensor<4x1xi32>
  %16 = stablehlo.compare LT, %12, %c_2, SIGNED : (tensor<1x16xi32>, tensor<1x16xi32>) -> tensor<1x16xi1>
  %17 = stablehlo.add %12, %c_1 : tensor<1x16xi32>
  %18 = stablehlo.select %16, %17, %12 : tensor<1x16xi1>, tensor<1x16xi32>
  %19 = stablehlo.compare LT, %arg1, %c_0, SIGNED : (tensor<4x16xi32>, tensor<4x16xi32>) -> tensor<4x16xi1>
  %20 = stablehlo.add %arg1, %c : tensor<4x16xi32>
  %21 = stablehlo.select %19, %20, %arg1 : tensor<4x16xi1>, tensor<4x16xi32>
  %22 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<4x1xi32>) -> tensor<4x16x1xi32>
  %23 = stablehlo.broadcast_in_dim %18, dims = [0, 1] : (tensor<1x16xi32>) -> tensor<4x16x1xi32>
  %24 = stablehlo.broadcast_in_dim %21, dims = [0, 1] : (tensor<4x16xi32>) -> tensor<4x16x1xi32>
  %25 = stablehlo.concatenate %22, %23, %24, dim = 2 : (tensor<4x16x1xi32>, tensor<4x16x1xi32>, tensor<4x16x1xi32>) -> tensor<4x16x3xi32>
  %26 = "stablehlo.gather"(%8, %25) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1, 2], start_index_map = [0, 1, 2], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<4x16x64xf32>, tensor<4x16x3xi32>) -> tensor<4x16xf32>
  %27 = stablehlo.reduce(%26 init: %cst_5) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x16xf32>, tensor<f32>) -> tensor<f32>
  %28 = stablehlo.divide %27, %cst : tensor<f32>
  %29 = stablehlo.negate %28 : tensor<f32>
  return %29 : tensor<f32>
}

// log_softmax(x)[label] of one sequence: its dimension is not one of batching.
// CHECK-LABEL: func @one_sequence
// CHECK: %[[LOSS:.*]], %{{.*}} = boost.cross_entropy %arg0, %arg1 : (tensor<1x16x64xf32>, tensor<1x16xi32>)
// CHECK: %[[NEGATED:.*]] = stablehlo.negate %[[LOSS]]
// CHECK: %[[PICKED:.*]] = stablehlo.reshape %[[NEGATED]]
// CHECK: stablehlo.reduce(%[[PICKED]]
func.func @one_sequence(%arg0: tensor<1x16x64xf32>, %arg1: tensor<1x16xi32> {boost.tensor = #boost.tensor<batch "targets">}) -> tensor<f32> {
  %last = stablehlo.constant dense<63> : tensor<16x1x1xi32>
  %first = stablehlo.constant dense<0> : tensor<16x1x1xi32>
  %size = stablehlo.constant dense<64> : tensor<1x16x1xi32>
  %none = stablehlo.constant dense<0> : tensor<1x16x1xi32>
  %nan = stablehlo.constant dense<0x7FC00000> : tensor<1x16x1xf32>
  %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.reduce(%arg0 init: %least) applies stablehlo.maximum across dimensions = [2] : (tensor<1x16x64xf32>, tensor<f32>) -> tensor<1x16xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<1x16xf32>) -> tensor<1x16x64xf32>
  %2 = stablehlo.subtract %arg0, %1 : tensor<1x16x64xf32>
  %3 = stablehlo.exponential %2 : tensor<1x16x64xf32>
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<1x16x64xf32>, tensor<f32>) -> tensor<1x16xf32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<1x16xf32>) -> tensor<1x16x1xf32>
  %6 = stablehlo.log %5 : tensor<1x16x1xf32>
  %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<1x16x1xf32>) -> tensor<1x16x64xf32>
  %8 = stablehlo.subtract %2, %7 : tensor<1x16x64xf32>
  %9 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1] : (tensor<1x16xi32>) -> tensor<1x16x1xi32>
  %10 = stablehlo.compare LT, %9, %none, SIGNED : (tensor<1x16x1xi32>, tensor<1x16x1xi32>) -> tensor<1x16x1xi1>
  %11 = stablehlo.add %9, %size : tensor<1x16x1xi32>
  %12 = stablehlo.select %10, %11, %9 : tensor<1x16x1xi1>, tensor<1x16x1xi32>
  %13 = stablehlo.reshape %12 : (tensor<1x16x1xi32>) -> tensor<16x1x1xi32>
  %14 = stablehlo.compare GE, %13, %first, SIGNED : (tensor<16x1x1xi32>, tensor<16x1x1xi32>) -> tensor<16x1x1xi1>
  %15 = stablehlo.compare LE, %13, %last, SIGNED : (tensor<16x1x1xi32>, tensor<16x1x1xi32>) -> tensor<16x1x1xi1>
  %16 = stablehlo.and %14, %15 : tensor<16x1x1xi1>
  %17 = stablehlo.reshape %16 : (tensor<16x1x1xi1>) -> tensor<16x1xi1>
  %18 = "stablehlo.gather"(%8, %13) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [2], operand_batching_dims = [1], start_indices_batching_dims = [0], start_index_map = [2], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<1x16x64xf32>, tensor<16x1x1xi32>) -> tensor<1x16x1xf32>
  %19 = stablehlo.broadcast_in_dim %17, dims = [1, 2] : (tensor<16x1xi1>) -> tensor<1x16x1xi1>
  %20 = stablehlo.select %19, %18, %nan : tensor<1x16x1xi1>, tensor<1x16x1xf32>
  %21 = stablehlo.reduce(%20 init: %zero) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x16x1xf32>, tensor<f32>) -> tensor<f32>
  return %21 : tensor<f32>
}

// Positions and label in a dimension of their own, as torchax indexes for `torch.gather`.
// CHECK-LABEL: func @torch_gather
// CHECK-SAME:    %[[X:[^:]*]]: tensor<4x8xf32>, %[[L:[^:]*]]: tensor<4xi32>
// CHECK:         boost.cross_entropy %[[X]], %[[L]]
// CHECK-NOT:     stablehlo.gather
func.func @torch_gather(%x: tensor<4x8xf32>, %labels: tensor<4xi32> {boost.tensor = #boost.tensor<batch "labels">}) -> tensor<4x1xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.exponential %x : tensor<4x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %l = stablehlo.log %t : tensor<4xf32>
  %b = stablehlo.broadcast_in_dim %l, dims = [0] : (tensor<4xf32>) -> tensor<4x8xf32>
  %p = stablehlo.subtract %x, %b : tensor<4x8xf32>
  %i = stablehlo.iota dim = 0 : tensor<4x1x1xi32>
  %c = stablehlo.reshape %labels : (tensor<4xi32>) -> tensor<4x1x1xi32>
  %at = stablehlo.concatenate %i, %c, dim = 2 : (tensor<4x1x1xi32>, tensor<4x1x1xi32>) -> tensor<4x1x2xi32>
  %r = "stablehlo.gather"(%p, %at) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<4x8xf32>, tensor<4x1x2xi32>) -> tensor<4x1xf32>
  return %r : tensor<4x1xf32>
}
