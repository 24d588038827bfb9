// RUN: boost-opt %s -boost-raise-attention -o %t
// RUN: FileCheck %s < %t
// RUN: boost-eval --compare --every-function %s %t
// Batch and heads merged to one dimension, as PyTorch multiplies them, and the
// mask as a bias chosen where it does not hold, times one.

// CHECK-LABEL: func @bmm
// CHECK-DAG:     %[[Q:.*]] = stablehlo.transpose %{{.*}}, dims = [0, 2, 1, 3] : (tensor<2x4x8x16xf32>) -> tensor<2x8x4x16xf32>
// CHECK:         boost.attention %[[Q]], %{{[^ ]*}}, %{{[^ ]*}} causal {scale = 2.500000e-01 : f64} : (tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>)
// CHECK-NOT:     stablehlo.dot_general
func.func @bmm(%q: tensor<2x4x8x16xf32> {boost.tensor = #boost.tensor<batch "q">}, %k: tensor<2x4x8x16xf32> {boost.tensor = #boost.tensor<batch "k">}, %v: tensor<2x4x8x16xf32> {boost.tensor = #boost.tensor<batch "v">}) -> tensor<2x4x8x16xf32> {
  %scale = stablehlo.constant dense<2.500000e-01> : tensor<2x4x8x8xf32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<8x8xf32>
  %zeros = stablehlo.constant dense<0.000000e+00> : tensor<8x8xf32>
  %ones = stablehlo.constant dense<1.000000e+00> : tensor<8x8xf32>
  %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %one = stablehlo.constant dense<1> : tensor<8x8xi32>
  %none = stablehlo.constant dense<0> : tensor<8x8xi32>
  %rows = stablehlo.iota dim = 0 : tensor<8x8xi32>
  %row = stablehlo.multiply %rows, %one : tensor<8x8xi32>
  %column = stablehlo.iota dim = 1 : tensor<8x8xi32>
  %distance = stablehlo.subtract %column, %row : tensor<8x8xi32>
  %seen = stablehlo.compare LE, %distance, %none, SIGNED : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %hidden = stablehlo.not %seen : tensor<8x8xi1>
  %chosen = stablehlo.select %hidden, %low, %zeros : tensor<8x8xi1>, tensor<8x8xf32>
  %bias = stablehlo.multiply %chosen, %ones : tensor<8x8xf32>
  %kt = stablehlo.transpose %k, dims = [0, 1, 3, 2] : (tensor<2x4x8x16xf32>) -> tensor<2x4x16x8xf32>
  %0 = stablehlo.reshape %q : (tensor<2x4x8x16xf32>) -> tensor<8x8x16xf32>
  %1 = stablehlo.reshape %kt : (tensor<2x4x16x8xf32>) -> tensor<8x16x8xf32>
  %2 = stablehlo.dot_general %0, %1, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<8x8x16xf32>, tensor<8x16x8xf32>) -> tensor<8x8x8xf32>
  %3 = stablehlo.reshape %2 : (tensor<8x8x8xf32>) -> tensor<2x4x8x8xf32>
  %4 = stablehlo.multiply %3, %scale : tensor<2x4x8x8xf32>
  %5 = stablehlo.broadcast_in_dim %bias, dims = [2, 3] : (tensor<8x8xf32>) -> tensor<2x4x8x8xf32>
  %6 = stablehlo.add %4, %5 : tensor<2x4x8x8xf32>
  %7 = stablehlo.reduce(%6 init: %lowest) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %9 = stablehlo.subtract %6, %8 : tensor<2x4x8x8xf32>
  %10 = stablehlo.exponential %9 : tensor<2x4x8x8xf32>
  %11 = stablehlo.reduce(%10 init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %13 = stablehlo.divide %10, %12 : tensor<2x4x8x8xf32>
  %14 = stablehlo.reshape %13 : (tensor<2x4x8x8xf32>) -> tensor<8x8x8xf32>
  %15 = stablehlo.reshape %v : (tensor<2x4x8x16xf32>) -> tensor<8x8x16xf32>
  %16 = stablehlo.dot_general %14, %15, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<8x8x8xf32>, tensor<8x8x16xf32>) -> tensor<8x8x16xf32>
  %17 = stablehlo.reshape %16 : (tensor<8x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %17 : tensor<2x4x8x16xf32>
}

// A product whose result stays merged is left alone.
// CHECK-LABEL: func @stays_merged
// CHECK:         stablehlo.dot_general %{{.*}}, batching_dims = [0] x [0], contracting_dims = [2] x [1] :
func.func @stays_merged(%a: tensor<2x4x8x16xf32>, %b: tensor<2x4x16x8xf32>) -> tensor<8x8x8xf32> {
  %0 = stablehlo.reshape %a : (tensor<2x4x8x16xf32>) -> tensor<8x8x16xf32>
  %1 = stablehlo.reshape %b : (tensor<2x4x16x8xf32>) -> tensor<8x16x8xf32>
  %2 = stablehlo.dot_general %0, %1, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<8x8x16xf32>, tensor<8x16x8xf32>) -> tensor<8x8x8xf32>
  return %2 : tensor<8x8x8xf32>
}

// The keys are transposed, and widened, once batch and heads are merged.
// CHECK-LABEL: func @moved_once_merged
// CHECK-SAME:    %[[A:.*]]: tensor<2x3x5x7xf32>, %[[B:.*]]: tensor<2x3x6x7xbf16>
// CHECK:         %[[W:.*]] = stablehlo.convert %[[B]] : (tensor<2x3x6x7xbf16>) -> tensor<2x3x6x7xf32>
// CHECK:         %[[T:.*]] = stablehlo.transpose %[[W]], dims = [0, 1, 3, 2] : (tensor<2x3x6x7xf32>) -> tensor<2x3x7x6xf32>
// CHECK:         %[[P:.*]] = stablehlo.dot_general %[[A]], %[[T]], batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [HIGHEST, HIGHEST] :
// CHECK-NEXT:    return %[[P]], %[[P]]
func.func @moved_once_merged(%a: tensor<2x3x5x7xf32>, %b: tensor<2x3x6x7xbf16>) -> (tensor<2x3x5x6xf32>, tensor<2x3x5x6xf32>) {
  %0 = stablehlo.reshape %a : (tensor<2x3x5x7xf32>) -> tensor<6x5x7xf32>
  %1 = stablehlo.reshape %b : (tensor<2x3x6x7xbf16>) -> tensor<6x6x7xbf16>
  %2 = stablehlo.convert %1 : (tensor<6x6x7xbf16>) -> tensor<6x6x7xf32>
  %3 = stablehlo.transpose %2, dims = [0, 2, 1] : (tensor<6x6x7xf32>) -> tensor<6x7x6xf32>
  %4 = stablehlo.dot_general %0, %3, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [HIGHEST, HIGHEST] : (tensor<6x5x7xf32>, tensor<6x7x6xf32>) -> tensor<6x5x6xf32>
  %5 = stablehlo.reshape %4 : (tensor<6x5x6xf32>) -> tensor<2x3x5x6xf32>
  %6 = stablehlo.reshape %4 : (tensor<6x5x6xf32>) -> tensor<2x3x5x6xf32>
  return %5, %6 : tensor<2x3x5x6xf32>, tensor<2x3x5x6xf32>
}

// Left alone where an operand was not merged, or is transposed to become so.
// CHECK-LABEL: func @never_merged
// CHECK:         stablehlo.dot_general %{{.*}}, batching_dims = [0] x [0], contracting_dims = [2] x [1] :
func.func @never_merged(%a: tensor<2x3x5x7xf32>, %b: tensor<6x6x7xf32>) -> tensor<2x3x5x6xf32> {
  %0 = stablehlo.reshape %a : (tensor<2x3x5x7xf32>) -> tensor<6x5x7xf32>
  %1 = stablehlo.transpose %b, dims = [0, 2, 1] : (tensor<6x6x7xf32>) -> tensor<6x7x6xf32>
  %2 = stablehlo.dot_general %0, %1, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<6x5x7xf32>, tensor<6x7x6xf32>) -> tensor<6x5x6xf32>
  %3 = stablehlo.reshape %2 : (tensor<6x5x6xf32>) -> tensor<2x3x5x6xf32>
  return %3 : tensor<2x3x5x6xf32>
}

// CHECK-LABEL: func @moved_to_the_front
// CHECK:         stablehlo.dot_general %{{.*}}, batching_dims = [0] x [0], contracting_dims = [2] x [1] :
func.func @moved_to_the_front(%a: tensor<2x3x5x7xf32>, %b: tensor<2x3x7x6xf32>) -> tensor<2x3x5x6xf32> {
  %0 = stablehlo.reshape %a : (tensor<2x3x5x7xf32>) -> tensor<6x5x7xf32>
  %1 = stablehlo.reshape %b : (tensor<2x3x7x6xf32>) -> tensor<6x7x6xf32>
  %2 = stablehlo.transpose %1, dims = [2, 1, 0] : (tensor<6x7x6xf32>) -> tensor<6x7x6xf32>
  %3 = stablehlo.dot_general %0, %2, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<6x5x7xf32>, tensor<6x7x6xf32>) -> tensor<6x5x6xf32>
  %4 = stablehlo.reshape %3 : (tensor<6x5x6xf32>) -> tensor<2x3x5x6xf32>
  return %4 : tensor<2x3x5x6xf32>
}

// Two readers that split it differently.
// CHECK-LABEL: func @split_in_two_ways
// CHECK:         stablehlo.dot_general %{{.*}}, batching_dims = [0] x [0], contracting_dims = [2] x [1] :
func.func @split_in_two_ways(%a: tensor<2x3x5x7xf32>, %b: tensor<2x3x7x6xf32>) -> (tensor<2x3x5x6xf32>, tensor<3x2x5x6xf32>) {
  %0 = stablehlo.reshape %a : (tensor<2x3x5x7xf32>) -> tensor<6x5x7xf32>
  %1 = stablehlo.reshape %b : (tensor<2x3x7x6xf32>) -> tensor<6x7x6xf32>
  %2 = stablehlo.dot_general %0, %1, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<6x5x7xf32>, tensor<6x7x6xf32>) -> tensor<6x5x6xf32>
  %3 = stablehlo.reshape %2 : (tensor<6x5x6xf32>) -> tensor<2x3x5x6xf32>
  %4 = stablehlo.reshape %2 : (tensor<6x5x6xf32>) -> tensor<3x2x5x6xf32>
  return %3, %4 : tensor<2x3x5x6xf32>, tensor<3x2x5x6xf32>
}
