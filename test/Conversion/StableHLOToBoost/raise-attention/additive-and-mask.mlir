// RUN: boost-opt %s -boost-raise-attention -verify-diagnostics -o %t
// RUN: FileCheck %s < %t
// RUN: boost-eval --compare --every-function %s %t
// Biases that hide keys beside a mask. Where the mask puts in a number that is not far below them, a row of which both hide
// every key weighs keys that boost.attention leaves out.

// CHECK-LABEL: func @lower_mask
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} bias %{{[^ ]*}} mask %{{[^ ]*}} {scale = 1.000000e+00 : f64} :
func.func @lower_mask(%q: tensor<2x4x8x16xf32> {boost.tensor = #boost.tensor<batch "q">}, %k: tensor<2x4x8x16xf32> {boost.tensor = #boost.tensor<batch "k">}, %v: tensor<2x4x8x16xf32> {boost.tensor = #boost.tensor<batch "v">}, %d: tensor<2x4x8x8xi1> {boost.tensor = #boost.tensor<batch "d">}) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %i = stablehlo.iota dim = 0 : tensor<8x8xi32>
  %j = stablehlo.iota dim = 1 : tensor<8x8xi32>
  %c = stablehlo.compare GE, %i, %j : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %a = stablehlo.constant dense<0.0> : tensor<8x8xf32>
  %z = stablehlo.constant dense<-1.0e+09> : tensor<8x8xf32>
  %n = stablehlo.select %c, %a, %z : tensor<8x8xi1>, tensor<8x8xf32>
  %u = stablehlo.broadcast_in_dim %n, dims = [2, 3] : (tensor<8x8xf32>) -> tensor<2x4x8x8xf32>
  %low = stablehlo.constant dense<-3.0e+38> : tensor<2x4x8x8xf32>
  %y = stablehlo.add %s, %u : tensor<2x4x8x8xf32>
  %m = stablehlo.select %d, %y, %low : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %max = stablehlo.reduce(%m init: %least) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %shift = stablehlo.broadcast_in_dim %max, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %shifted = stablehlo.subtract %m, %shift : tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %shifted : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @equal_numbers
// CHECK-NOT:     boost.attention
func.func @equal_numbers(%q: tensor<2x4x8x16xf32> {boost.tensor = #boost.tensor<batch "q">}, %k: tensor<2x4x8x16xf32> {boost.tensor = #boost.tensor<batch "k">}, %v: tensor<2x4x8x16xf32> {boost.tensor = #boost.tensor<batch "v">}, %d: tensor<2x4x8x8xi1> {boost.tensor = #boost.tensor<batch "d">}) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %i = stablehlo.iota dim = 0 : tensor<8x8xi32>
  %j = stablehlo.iota dim = 1 : tensor<8x8xi32>
  %c = stablehlo.compare GE, %i, %j : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %a = stablehlo.constant dense<0.0> : tensor<8x8xf32>
  %z = stablehlo.constant dense<-1.0e+09> : tensor<8x8xf32>
  %n = stablehlo.select %c, %a, %z : tensor<8x8xi1>, tensor<8x8xf32>
  %u = stablehlo.broadcast_in_dim %n, dims = [2, 3] : (tensor<8x8xf32>) -> tensor<2x4x8x8xf32>
  %low = stablehlo.constant dense<-1.0e+09> : tensor<2x4x8x8xf32>
  %y = stablehlo.add %s, %u : tensor<2x4x8x8xf32>
  %m = stablehlo.select %d, %y, %low : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %max = stablehlo.reduce(%m init: %least) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %shift = stablehlo.broadcast_in_dim %max, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %shifted = stablehlo.subtract %m, %shift : tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %shifted : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  // expected-remark@+2 {{attention is not fused: in a row of which masks and biases hide every key, the program gives weight to keys that boost.attention leaves out}}
  // expected-note@+1 {{hide keys by one mask alone, or let biases stay far above the -1.0e+09 that it puts in}}
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @lower_bias
// CHECK-NOT:     boost.attention
func.func @lower_bias(%q: tensor<2x4x8x16xf32> {boost.tensor = #boost.tensor<batch "q">}, %k: tensor<2x4x8x16xf32> {boost.tensor = #boost.tensor<batch "k">}, %v: tensor<2x4x8x16xf32> {boost.tensor = #boost.tensor<batch "v">}, %d: tensor<2x4x8x8xi1> {boost.tensor = #boost.tensor<batch "d">}) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %i = stablehlo.iota dim = 0 : tensor<8x8xi32>
  %j = stablehlo.iota dim = 1 : tensor<8x8xi32>
  %c = stablehlo.compare GE, %i, %j : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %a = stablehlo.constant dense<0.0> : tensor<8x8xf32>
  %z = stablehlo.constant dense<-3.0e+38> : tensor<8x8xf32>
  %n = stablehlo.select %c, %a, %z : tensor<8x8xi1>, tensor<8x8xf32>
  %u = stablehlo.broadcast_in_dim %n, dims = [2, 3] : (tensor<8x8xf32>) -> tensor<2x4x8x8xf32>
  %low = stablehlo.constant dense<-1.0e+09> : tensor<2x4x8x8xf32>
  %y = stablehlo.add %s, %u : tensor<2x4x8x8xf32>
  %m = stablehlo.select %d, %y, %low : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %max = stablehlo.reduce(%m init: %least) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %shift = stablehlo.broadcast_in_dim %max, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %shifted = stablehlo.subtract %m, %shift : tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %shifted : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  // expected-remark@+2 {{attention is not fused: in a row of which masks and biases hide every key, the program gives weight to keys that boost.attention leaves out}}
  // expected-note@+1 {{hide keys by one mask alone, or let biases stay far above the -1.0e+09 that it puts in}}
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// Added to what the mask puts in, the bias tells hidden keys from each other.
// CHECK-LABEL: func @on_top
// CHECK-NOT:     boost.attention
func.func @on_top(%q: tensor<2x4x8x16xf32> {boost.tensor = #boost.tensor<batch "q">}, %k: tensor<2x4x8x16xf32> {boost.tensor = #boost.tensor<batch "k">}, %v: tensor<2x4x8x16xf32> {boost.tensor = #boost.tensor<batch "v">}, %d: tensor<2x4x8x8xi1> {boost.tensor = #boost.tensor<batch "d">}) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %i = stablehlo.iota dim = 0 : tensor<8x8xi32>
  %j = stablehlo.iota dim = 1 : tensor<8x8xi32>
  %c = stablehlo.compare GE, %i, %j : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %a = stablehlo.constant dense<0.0> : tensor<8x8xf32>
  %z = stablehlo.constant dense<-1.0e+03> : tensor<8x8xf32>
  %n = stablehlo.select %c, %a, %z : tensor<8x8xi1>, tensor<8x8xf32>
  %u = stablehlo.broadcast_in_dim %n, dims = [2, 3] : (tensor<8x8xf32>) -> tensor<2x4x8x8xf32>
  %low = stablehlo.constant dense<-1.0e+09> : tensor<2x4x8x8xf32>
  %y = stablehlo.select %d, %s, %low : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
  %m = stablehlo.add %y, %u : tensor<2x4x8x8xf32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %max = stablehlo.reduce(%m init: %least) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %shift = stablehlo.broadcast_in_dim %max, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %shifted = stablehlo.subtract %m, %shift : tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %shifted : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  // expected-remark@+2 {{attention is not fused: in a row of which masks and biases hide every key, the program gives weight to keys that boost.attention leaves out}}
  // expected-note@+1 {{hide keys by one mask alone, or let biases stay far above the -1.0e+09 that it puts in}}
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// A causal mask that is a bias stays one beside another that hides keys.
// CHECK-LABEL: func @other_bias
// CHECK:         boost.attention %{{.*}}, %{{.*}}, %{{[^ ]*}} bias %{{[^ ]*}} {scale = 1.000000e+00 : f64} :
func.func @other_bias(%q: tensor<2x4x8x16xf32> {boost.tensor = #boost.tensor<batch "q">}, %k: tensor<2x4x8x16xf32> {boost.tensor = #boost.tensor<batch "k">}, %v: tensor<2x4x8x16xf32> {boost.tensor = #boost.tensor<batch "v">}, %d: tensor<2x4x8x8xi1> {boost.tensor = #boost.tensor<batch "d">}) -> tensor<2x4x8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %i = stablehlo.iota dim = 0 : tensor<8x8xi32>
  %j = stablehlo.iota dim = 1 : tensor<8x8xi32>
  %c = stablehlo.compare GE, %i, %j : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %a = stablehlo.constant dense<0.0> : tensor<8x8xf32>
  %z = stablehlo.constant dense<-1.0e+09> : tensor<8x8xf32>
  %n = stablehlo.select %c, %a, %z : tensor<8x8xi1>, tensor<8x8xf32>
  %u = stablehlo.broadcast_in_dim %n, dims = [2, 3] : (tensor<8x8xf32>) -> tensor<2x4x8x8xf32>
  %low = stablehlo.constant dense<-1.0e+09> : tensor<2x4x8x8xf32>
  %y = stablehlo.add %s, %u : tensor<2x4x8x8xf32>
  %zeros = stablehlo.constant dense<0.0> : tensor<2x4x8x8xf32>
  %w = stablehlo.select %d, %zeros, %low : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
  %m = stablehlo.add %y, %w : tensor<2x4x8x8xf32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %max = stablehlo.reduce(%m init: %least) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %shift = stablehlo.broadcast_in_dim %max, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %shifted = stablehlo.subtract %m, %shift : tensor<2x4x8x8xf32>
  %e = stablehlo.exponential %shifted : tensor<2x4x8x8xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
  %p = stablehlo.divide %e, %b : tensor<2x4x8x8xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}
