// RUN: boost-opt %s -boost-raise-attention -o %t
// RUN: FileCheck %s < %t
// RUN: boost-eval --compare --every-function %s %t
// Keys and values without heads, which all heads of the queries read, are one head.

// "bqhd,bkd->bhqk" with a causal mask.
// CHECK-LABEL: func @positions_first
// CHECK-SAME:    %[[Q:[^:]*]]: tensor<2x6x4x16xf32>, %[[K:[^:]*]]: tensor<2x6x16xf32>, %[[V:[^:]*]]: tensor<2x6x16xf32>
// CHECK-DAG:     %[[K1:.*]] = stablehlo.reshape %[[K]] : (tensor<2x6x16xf32>) -> tensor<2x6x1x16xf32>
// CHECK-DAG:     %[[V1:.*]] = stablehlo.reshape %[[V]] : (tensor<2x6x16xf32>) -> tensor<2x6x1x16xf32>
// CHECK:         %[[O:.*]], %{{.*}} = boost.attention %[[Q]], %[[K1]], %[[V1]] causal {scale = 2.500000e-01 : f64}
// CHECK-NEXT:    return %[[O]]
func.func @positions_first(%q: tensor<2x6x4x16xf32>, %k: tensor<2x6x16xf32>, %v: tensor<2x6x16xf32>) -> tensor<2x6x4x16xf32> {
  %0 = stablehlo.dot_general %k, %q, batching_dims = [0] x [0], contracting_dims = [2] x [3] : (tensor<2x6x16xf32>, tensor<2x6x4x16xf32>) -> tensor<2x6x6x4xf32>
  %1 = stablehlo.transpose %0, dims = [0, 3, 2, 1] : (tensor<2x6x6x4xf32>) -> tensor<2x4x6x6xf32>
  %scale = stablehlo.constant dense<2.500000e-01> : tensor<2x4x6x6xf32>
  %2 = stablehlo.multiply %1, %scale : tensor<2x4x6x6xf32>
  %i = stablehlo.iota dim = 2 : tensor<2x4x6x6xi32>
  %j = stablehlo.iota dim = 3 : tensor<2x4x6x6xi32>
  %m = stablehlo.compare GE, %i, %j, SIGNED : (tensor<2x4x6x6xi32>, tensor<2x4x6x6xi32>) -> tensor<2x4x6x6xi1>
  %low = stablehlo.constant dense<-1.0e9> : tensor<2x4x6x6xf32>
  %s = stablehlo.select %m, %2, %low : tensor<2x4x6x6xi1>, tensor<2x4x6x6xf32>
  %e = stablehlo.exponential %s : tensor<2x4x6x6xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x6xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x6x6xf32>
  %o = stablehlo.dot_general %v, %p, batching_dims = [0] x [0], contracting_dims = [1] x [3] : (tensor<2x6x16xf32>, tensor<2x4x6x6xf32>) -> tensor<2x16x4x6xf32>
  %r = stablehlo.transpose %o, dims = [0, 3, 2, 1] : (tensor<2x16x4x6xf32>) -> tensor<2x6x4x16xf32>
  return %r : tensor<2x6x4x16xf32>
}

// "bhqd,bkd->bhqk" without a mask: there are as many queries as keys.
// CHECK-LABEL: func @heads_first
// CHECK-SAME:    %[[Q:[^:]*]]: tensor<2x4x6x16xf32>
// CHECK:         %[[QT:.*]] = stablehlo.transpose %[[Q]], dims = [0, 2, 1, 3]
// CHECK:         boost.attention %[[QT]], %{{.*}}, %{{[^ ]*}} {scale = 1.000000e+00 : f64} : (tensor<2x6x4x16xf32>, tensor<2x6x1x16xf32>, tensor<2x6x1x16xf32>)
func.func @heads_first(%q: tensor<2x4x6x16xf32>, %k: tensor<2x6x16xf32>, %v: tensor<2x6x16xf32>) -> tensor<2x4x6x16xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [3] x [2] : (tensor<2x4x6x16xf32>, tensor<2x6x16xf32>) -> tensor<2x4x6x6xf32>
  %e = stablehlo.exponential %s : tensor<2x4x6x6xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x6xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x6x6xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [3] x [1] : (tensor<2x4x6x6xf32>, tensor<2x6x16xf32>) -> tensor<2x4x6x16xf32>
  return %o : tensor<2x4x6x16xf32>
}

// As many heads as positions, and no mask: positions come first.
// CHECK-LABEL: func @as_many_heads
// CHECK-SAME:    %[[Q:[^:]*]]: tensor<2x6x6x16xf32>
// CHECK:         boost.attention %[[Q]], %{{.*}}, %{{[^ ]*}} {scale = 1.000000e+00 : f64} : (tensor<2x6x6x16xf32>, tensor<2x6x1x16xf32>, tensor<2x6x1x16xf32>)
func.func @as_many_heads(%q: tensor<2x6x6x16xf32>, %k: tensor<2x6x16xf32>, %v: tensor<2x6x16xf32>) -> tensor<2x6x6x16xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [3] x [2] : (tensor<2x6x6x16xf32>, tensor<2x6x16xf32>) -> tensor<2x6x6x6xf32>
  %e = stablehlo.exponential %s : tensor<2x6x6x6xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x6x6x6xf32>, tensor<f32>) -> tensor<2x6x6xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x6x6xf32>) -> tensor<2x6x6x6xf32>
  %p = stablehlo.divide %e, %b : tensor<2x6x6x6xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [3] x [1] : (tensor<2x6x6x6xf32>, tensor<2x6x16xf32>) -> tensor<2x6x6x16xf32>
  return %o : tensor<2x6x6x16xf32>
}

// One sequence, whose queries come in groups: what they share are the heads.
// CHECK-LABEL: func @one_sequence
// CHECK:         boost.attention {{.*}} : (tensor<1x6x4x16xf32>, tensor<1x6x2x16xf32>, tensor<1x6x2x16xf32>)
func.func @one_sequence(%q: tensor<6x2x2x16xf32>, %k: tensor<6x2x16xf32>, %v: tensor<6x2x16xf32>) -> tensor<2x6x2x16xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [1] x [1], contracting_dims = [3] x [2] : (tensor<6x2x2x16xf32>, tensor<6x2x16xf32>) -> tensor<2x6x2x6xf32>
  %e = stablehlo.exponential %s : tensor<2x6x2x6xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x6x2x6xf32>, tensor<f32>) -> tensor<2x6x2xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x6x2xf32>) -> tensor<2x6x2x6xf32>
  %p = stablehlo.divide %e, %b : tensor<2x6x2x6xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0] x [1], contracting_dims = [3] x [0] : (tensor<2x6x2x6xf32>, tensor<6x2x16xf32>) -> tensor<2x6x2x16xf32>
  return %o : tensor<2x6x2x16xf32>
}
