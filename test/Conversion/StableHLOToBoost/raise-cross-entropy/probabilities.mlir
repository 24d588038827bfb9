// RUN: boost-opt %s -boost-raise-cross-entropy -o %t
// RUN: FileCheck %s < %t
// RUN: boost-eval --compare --every-function %s %t
// Logarithms of probabilities.

// log(softmax(x)[label])
// CHECK-LABEL: func @log_of_picked
// CHECK:         boost.cross_entropy %{{.*}}, %{{.*}} : (tensor<4x64xf32>, tensor<4xi32>)
func.func @log_of_picked(%x: tensor<4x64xf32> {boost.tensor = #boost.tensor<batch "x">}, %y: tensor<4xi32> {boost.tensor = #boost.tensor<batch "y">}) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %top = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<4x64xf32>, tensor<f32>) -> tensor<4xf32>
  %tops = stablehlo.broadcast_in_dim %top, dims = [0] : (tensor<4xf32>) -> tensor<4x64xf32>
  %d = stablehlo.subtract %x, %tops : tensor<4x64xf32>
  %e = stablehlo.exponential %d : tensor<4x64xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x64xf32>, tensor<f32>) -> tensor<4xf32>
  %t = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<4xf32>) -> tensor<4x64xf32>
  %p = stablehlo.divide %e, %t : tensor<4x64xf32>
  %i = stablehlo.reshape %y : (tensor<4xi32>) -> tensor<4x1xi32>
  %g = "stablehlo.gather"(%p, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<4x64xf32>, tensor<4x1xi32>) -> tensor<4xf32>
  %r = stablehlo.log %g : tensor<4xf32>
  return %r : tensor<4xf32>
}

// log(softmax(x))[label]
// CHECK-LABEL: func @picked_of_log
// CHECK:         boost.cross_entropy %{{.*}}, %{{.*}} : (tensor<4x64xf32>, tensor<4xi32>)
func.func @picked_of_log(%x: tensor<4x64xf32> {boost.tensor = #boost.tensor<batch "x">}, %y: tensor<4xi32> {boost.tensor = #boost.tensor<batch "y">}) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %top = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<4x64xf32>, tensor<f32>) -> tensor<4xf32>
  %tops = stablehlo.broadcast_in_dim %top, dims = [0] : (tensor<4xf32>) -> tensor<4x64xf32>
  %d = stablehlo.subtract %x, %tops : tensor<4x64xf32>
  %e = stablehlo.exponential %d : tensor<4x64xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x64xf32>, tensor<f32>) -> tensor<4xf32>
  %t = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<4xf32>) -> tensor<4x64xf32>
  %p = stablehlo.divide %e, %t : tensor<4x64xf32>
  %q = stablehlo.log %p : tensor<4x64xf32>
  %i = stablehlo.reshape %y : (tensor<4xi32>) -> tensor<4x1xi32>
  %g = "stablehlo.gather"(%q, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<4x64xf32>, tensor<4x1xi32>) -> tensor<4xf32>
  return %g : tensor<4xf32>
}

// sum(one_hot * log(softmax(x)))
// CHECK-LABEL: func @one_hot_times_log
// CHECK:         boost.cross_entropy %{{.*}}, %{{.*}} : (tensor<4x64xf32>, tensor<4xi32>)
func.func @one_hot_times_log(%x: tensor<4x64xf32> {boost.tensor = #boost.tensor<batch "x">}, %y: tensor<4xi32> {boost.tensor = #boost.tensor<batch "y">}) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %top = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<4x64xf32>, tensor<f32>) -> tensor<4xf32>
  %tops = stablehlo.broadcast_in_dim %top, dims = [0] : (tensor<4xf32>) -> tensor<4x64xf32>
  %d = stablehlo.subtract %x, %tops : tensor<4x64xf32>
  %e = stablehlo.exponential %d : tensor<4x64xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x64xf32>, tensor<f32>) -> tensor<4xf32>
  %t = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<4xf32>) -> tensor<4x64xf32>
  %p = stablehlo.divide %e, %t : tensor<4x64xf32>
  %q = stablehlo.log %p : tensor<4x64xf32>
  %c = stablehlo.iota dim = 1 : tensor<4x64xi32>
  %j = stablehlo.broadcast_in_dim %y, dims = [0] : (tensor<4xi32>) -> tensor<4x64xi32>
  %h = stablehlo.compare EQ, %j, %c : (tensor<4x64xi32>, tensor<4x64xi32>) -> tensor<4x64xi1>
  %o = stablehlo.convert %h : (tensor<4x64xi1>) -> tensor<4x64xf32>
  %m = stablehlo.multiply %q, %o : tensor<4x64xf32>
  %g = stablehlo.reduce(%m init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x64xf32>, tensor<f32>) -> tensor<4xf32>
  return %g : tensor<4xf32>
}

// A label that is not in the vocabulary has the logarithm of zero here.
// CHECK-LABEL: func @log_of_one_hot
// CHECK-NOT:     boost.cross_entropy
func.func @log_of_one_hot(%x: tensor<4x64xf32> {boost.tensor = #boost.tensor<batch "x">}, %y: tensor<4xi32> {boost.tensor = #boost.tensor<batch "y">}) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %top = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<4x64xf32>, tensor<f32>) -> tensor<4xf32>
  %tops = stablehlo.broadcast_in_dim %top, dims = [0] : (tensor<4xf32>) -> tensor<4x64xf32>
  %d = stablehlo.subtract %x, %tops : tensor<4x64xf32>
  %e = stablehlo.exponential %d : tensor<4x64xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x64xf32>, tensor<f32>) -> tensor<4xf32>
  %t = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<4xf32>) -> tensor<4x64xf32>
  %p = stablehlo.divide %e, %t : tensor<4x64xf32>
  %c = stablehlo.iota dim = 1 : tensor<4x64xi32>
  %j = stablehlo.broadcast_in_dim %y, dims = [0] : (tensor<4xi32>) -> tensor<4x64xi32>
  %h = stablehlo.compare EQ, %j, %c : (tensor<4x64xi32>, tensor<4x64xi32>) -> tensor<4x64xi1>
  %o = stablehlo.convert %h : (tensor<4x64xi1>) -> tensor<4x64xf32>
  %m = stablehlo.multiply %p, %o : tensor<4x64xf32>
  %g = stablehlo.reduce(%m init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x64xf32>, tensor<f32>) -> tensor<4xf32>
  %r = stablehlo.log %g : tensor<4xf32>
  return %r : tensor<4xf32>
}

// A number is added to the probability.
// CHECK-LABEL: func @log_of_sum
// CHECK-NOT:     boost.cross_entropy
func.func @log_of_sum(%x: tensor<4x64xf32> {boost.tensor = #boost.tensor<batch "x">}, %y: tensor<4xi32> {boost.tensor = #boost.tensor<batch "y">}) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %top = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<4x64xf32>, tensor<f32>) -> tensor<4xf32>
  %tops = stablehlo.broadcast_in_dim %top, dims = [0] : (tensor<4xf32>) -> tensor<4x64xf32>
  %d = stablehlo.subtract %x, %tops : tensor<4x64xf32>
  %e = stablehlo.exponential %d : tensor<4x64xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x64xf32>, tensor<f32>) -> tensor<4xf32>
  %t = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<4xf32>) -> tensor<4x64xf32>
  %p = stablehlo.divide %e, %t : tensor<4x64xf32>
  %i = stablehlo.reshape %y : (tensor<4xi32>) -> tensor<4x1xi32>
  %g = "stablehlo.gather"(%p, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<4x64xf32>, tensor<4x1xi32>) -> tensor<4xf32>
  %a = stablehlo.constant dense<1.0e-06> : tensor<4xf32>
  %b = stablehlo.add %g, %a : tensor<4xf32>
  %r = stablehlo.log %b : tensor<4xf32>
  return %r : tensor<4xf32>
}

// A softmax over the rows.
// CHECK-LABEL: func @over_rows
// CHECK-NOT:     boost.cross_entropy
func.func @over_rows(%x: tensor<4x64xf32> {boost.tensor = #boost.tensor<batch "x">}, %y: tensor<4xi32> {boost.tensor = #boost.tensor<batch "y">}) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %top = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [0] : (tensor<4x64xf32>, tensor<f32>) -> tensor<64xf32>
  %tops = stablehlo.broadcast_in_dim %top, dims = [1] : (tensor<64xf32>) -> tensor<4x64xf32>
  %d = stablehlo.subtract %x, %tops : tensor<4x64xf32>
  %e = stablehlo.exponential %d : tensor<4x64xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4x64xf32>, tensor<f32>) -> tensor<64xf32>
  %t = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<64xf32>) -> tensor<4x64xf32>
  %p = stablehlo.divide %e, %t : tensor<4x64xf32>
  %i = stablehlo.reshape %y : (tensor<4xi32>) -> tensor<4x1xi32>
  %g = "stablehlo.gather"(%p, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<4x64xf32>, tensor<4x1xi32>) -> tensor<4xf32>
  %r = stablehlo.log %g : tensor<4xf32>
  return %r : tensor<4xf32>
}
