// RUN: boost-opt %s -boost-raise-cross-entropy | FileCheck %s --implicit-check-not=id_limit
// RUN: boost-opt %s -boost-raise-cross-entropy -o %t.values && boost-eval --compare --every-function %s %t.values
// Labels that are not checked before they are read: what the program makes of
// those out of range stays.

// The program ignores -100: the batch may hold it. What the gather picks for it
// becomes NaN, which the mask replaces.
// CHECK-LABEL: func @ignored
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>{{.*}}, %[[L:.*]]: tensor<4xi32>
// CHECK:         %[[F:.*]] = stablehlo.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<4x1xi1>, tensor<4x1xi32>
// CHECK:         %[[R:.*]] = stablehlo.reshape %[[F]] : (tensor<4x1xi32>) -> tensor<4xi32>
// CHECK:         %[[C:.*]] = stablehlo.clamp %{{.*}}, %[[R]], %{{.*}} : (tensor<i32>, tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
// CHECK:         boost.cross_entropy %[[X]], %[[C]]
// CHECK:         %[[NAN:.*]] = stablehlo.select {{.*}} : tensor<4x1xi1>, tensor<4x1xf32>
// CHECK:         %[[N:.*]] = stablehlo.reshape %[[NAN]]
// CHECK:         stablehlo.select %{{.*}}, %[[N]], %{{.*}} : tensor<4xi1>, tensor<4xf32>
func.func @ignored(%arg0: tensor<4x8xf32> {boost.tensor = #boost.tensor<param "arg0">}, %arg1: tensor<4xi32> {boost.tensor = #boost.tensor<batch "arg1">}) -> tensor<4xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<4xf32>
  %cst_0 = stablehlo.constant dense<0x7FC00000> : tensor<4x1xf32>
  %c = stablehlo.constant dense<7> : tensor<4x1x1xi32>
  %c_1 = stablehlo.constant dense<0> : tensor<4x1x1xi32>
  %c_2 = stablehlo.constant dense<8> : tensor<4x1xi32>
  %c_3 = stablehlo.constant dense<0> : tensor<4x1xi32>
  %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %c_6 = stablehlo.constant dense<-100> : tensor<4xi32>
  %0 = stablehlo.compare NE, %arg1, %c_6, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %1 = stablehlo.reduce(%arg0 init: %cst_5) applies stablehlo.maximum across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<4xf32>) -> tensor<4x8xf32>
  %3 = stablehlo.subtract %arg0, %2 : tensor<4x8xf32>
  %4 = stablehlo.exponential %3 : tensor<4x8xf32>
  %5 = stablehlo.reduce(%4 init: %cst_4) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
  %7 = stablehlo.log %6 : tensor<4x1xf32>
  %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x8xf32>
  %9 = stablehlo.subtract %3, %8 : tensor<4x8xf32>
  %10 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
  %11 = stablehlo.compare LT, %10, %c_3, SIGNED : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x1xi1>
  %12 = stablehlo.add %10, %c_2 : tensor<4x1xi32>
  %13 = stablehlo.select %11, %12, %10 : tensor<4x1xi1>, tensor<4x1xi32>
  %14 = stablehlo.reshape %13 : (tensor<4x1xi32>) -> tensor<4x1x1xi32>
  %15 = stablehlo.compare GE, %14, %c_1, SIGNED : (tensor<4x1x1xi32>, tensor<4x1x1xi32>) -> tensor<4x1x1xi1>
  %16 = stablehlo.compare LE, %14, %c, SIGNED : (tensor<4x1x1xi32>, tensor<4x1x1xi32>) -> tensor<4x1x1xi1>
  %17 = stablehlo.and %15, %16 : tensor<4x1x1xi1>
  %18 = stablehlo.reshape %17 : (tensor<4x1x1xi1>) -> tensor<4x1xi1>
  %19 = "stablehlo.gather"(%9, %14) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<4x8xf32>, tensor<4x1x1xi32>) -> tensor<4x1xf32>
  %20 = stablehlo.select %18, %19, %cst_0 : tensor<4x1xi1>, tensor<4x1xf32>
  %21 = stablehlo.reshape %20 : (tensor<4x1xf32>) -> tensor<4xf32>
  %22 = stablehlo.select %0, %21, %cst : tensor<4xi1>, tensor<4xf32>
  return %22 : tensor<4xf32>
}

// A logit picked in fill mode by a computed label: NaN out of range, where the
// label picks nothing.
// CHECK-LABEL: func @picked_logit
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>
// CHECK:         %[[C:.*]] = stablehlo.clamp
// CHECK:         %[[L:.*]] = stablehlo.select %[[IN:.*]], %[[C]], %{{.*}} : tensor<4xi1>, tensor<4xi32>
// CHECK:         %[[E:.*]], %{{.*}} = boost.cross_entropy %[[X]], %[[L]]
// CHECK:         %[[N:.*]] = stablehlo.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<4xi1>, tensor<4xf32>
// CHECK:         %[[S:.*]] = stablehlo.add %[[E]], %[[N]]
// CHECK:         return %[[S]]
func.func @picked_logit(%arg0: tensor<4x8xf32> {boost.tensor = #boost.tensor<param "arg0">}, %arg1: tensor<4xi32> {boost.tensor = #boost.tensor<batch "arg1">}) -> tensor<4xf32> {
  %cst = stablehlo.constant dense<0x7FC00000> : tensor<4x1xf32>
  %c = stablehlo.constant dense<7> : tensor<4x1x1xi32>
  %c_0 = stablehlo.constant dense<0> : tensor<4x1x1xi32>
  %c_3 = stablehlo.constant dense<1> : tensor<4xi32>
  %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %5 = stablehlo.exponential %arg0 : tensor<4x8xf32>
  %6 = stablehlo.reduce(%5 init: %cst_5) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %9 = stablehlo.log %6 : tensor<4xf32>
  %10 = stablehlo.add %arg1, %c_3 : tensor<4xi32>
  %15 = stablehlo.reshape %10 : (tensor<4xi32>) -> tensor<4x1x1xi32>
  %16 = stablehlo.compare GE, %15, %c_0, SIGNED : (tensor<4x1x1xi32>, tensor<4x1x1xi32>) -> tensor<4x1x1xi1>
  %17 = stablehlo.compare LE, %15, %c, SIGNED : (tensor<4x1x1xi32>, tensor<4x1x1xi32>) -> tensor<4x1x1xi1>
  %18 = stablehlo.and %16, %17 : tensor<4x1x1xi1>
  %19 = stablehlo.reshape %18 : (tensor<4x1x1xi1>) -> tensor<4x1xi1>
  %20 = "stablehlo.gather"(%arg0, %15) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<4x8xf32>, tensor<4x1x1xi32>) -> tensor<4x1xf32>
  %21 = stablehlo.select %19, %20, %cst : tensor<4x1xi1>, tensor<4x1xf32>
  %22 = stablehlo.reshape %21 : (tensor<4x1xf32>) -> tensor<4xf32>
  %23 = stablehlo.subtract %9, %22 : tensor<4xf32>
  return %23 : tensor<4xf32>
}

// A one-hot row of a label out of range is zero, and so is the loss.
// CHECK-LABEL: func @one_hot
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>
// CHECK:         %[[L:.*]] = stablehlo.add
// CHECK:         %[[E:.*]], %{{.*}} = boost.cross_entropy %[[X]], %[[L]]
// CHECK:         %[[LOW:.*]] = stablehlo.compare GE, %[[L]]
// CHECK:         %[[HIGH:.*]] = stablehlo.compare LT, %[[L]]
// CHECK:         %[[IN:.*]] = stablehlo.and %[[LOW]], %[[HIGH]]
// CHECK:         %[[S:.*]] = stablehlo.select %[[IN]], %[[E]], %{{.*}}
// CHECK:         %[[N:.*]] = stablehlo.negate %[[S]]
// CHECK:         return %[[N]]
func.func @one_hot(%arg0: tensor<4x8xf32> {boost.tensor = #boost.tensor<param "arg0">}, %arg1: tensor<4xi32> {boost.tensor = #boost.tensor<batch "arg1">}) -> tensor<4xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %c = stablehlo.constant dense<1> : tensor<4xi32>
  %0 = stablehlo.add %arg1, %c : tensor<4xi32>
  %1 = stablehlo.iota dim = 1 : tensor<4x8xi32>
  %2 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<4xi32>) -> tensor<4x8xi32>
  %4 = stablehlo.compare EQ, %2, %1, SIGNED : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi1>
  %5 = stablehlo.convert %4 : (tensor<4x8xi1>) -> tensor<4x8xf32>
  %9 = stablehlo.exponential %arg0 : tensor<4x8xf32>
  %10 = stablehlo.reduce(%9 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %12 = stablehlo.log %10 : tensor<4xf32>
  %13 = stablehlo.broadcast_in_dim %12, dims = [0] : (tensor<4xf32>) -> tensor<4x8xf32>
  %14 = stablehlo.subtract %arg0, %13 : tensor<4x8xf32>
  %15 = stablehlo.multiply %5, %14 : tensor<4x8xf32>
  %16 = stablehlo.reduce(%15 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return %16 : tensor<4xf32>
}
