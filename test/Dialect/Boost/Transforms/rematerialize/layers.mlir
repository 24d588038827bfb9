// RUN: boost-opt %s -boost-rematerialize=mode=low-rank | FileCheck %s
// RUN: boost-opt %s -boost-rematerialize="mode=low-rank layers=1" | FileCheck %s --check-prefix=FIRST
// Bytes kept outside of the layers, and by each of two: of a value that only the next layer reads, by that one.

// Both layers keep what they are given; the second of them more if only the first recomputes.
// CHECK-LABEL: func.func @inputs
// FIRST-LABEL: func.func @inputs
// FIRST-SAME:    boost.kept_bytes = array<i64: 0, 64, 128>
// CHECK-SAME:    boost.kept_bytes = array<i64: 0, 64, 64>
func.func @inputs(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = stablehlo.optimization_barrier %x : tensor<4x4xf32>
  %a = stablehlo.tanh %0 {boost.layer = #boost.layer<class = 0, index = 0>} : tensor<4x4xf32>
  %s = stablehlo.add %0, %a {boost.layer = #boost.layer<class = 0, index = 0>} : tensor<4x4xf32>
  %b = stablehlo.tanh %s {boost.layer = #boost.layer<class = 0, index = 1>} : tensor<4x4xf32>
  %t = stablehlo.add %s, %b {boost.layer = #boost.layer<class = 0, index = 1>} : tensor<4x4xf32>
  boost.phase backward
  %2 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %4 = stablehlo.multiply %s, %s : tensor<4x4xf32>
  %3 = stablehlo.dot_general %b, %b, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %2, %3, %t, %4 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}

// Nothing of the first layer is read.
// CHECK-LABEL: func.func @second_alone
// FIRST-LABEL: func.func @second_alone
// FIRST-SAME:    boost.kept_bytes = array<i64: 0, 0, 64>
// CHECK-SAME:    boost.kept_bytes = array<i64: 0, 0, 64>
func.func @second_alone(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = stablehlo.optimization_barrier %x : tensor<4x4xf32>
  %a = stablehlo.tanh %0 {boost.layer = #boost.layer<class = 0, index = 0>} : tensor<4x4xf32>
  %s = stablehlo.add %0, %a {boost.layer = #boost.layer<class = 0, index = 0>} : tensor<4x4xf32>
  %b = stablehlo.tanh %s {boost.layer = #boost.layer<class = 0, index = 1>} : tensor<4x4xf32>
  %t = stablehlo.add %s, %b {boost.layer = #boost.layer<class = 0, index = 1>} : tensor<4x4xf32>
  boost.phase backward
  %3 = stablehlo.dot_general %b, %b, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %3, %t : tensor<4x4xf32>, tensor<4x4xf32>
}

// It is read through a view.
// CHECK-LABEL: func.func @through_a_view
// FIRST-LABEL: func.func @through_a_view
// FIRST-SAME:    boost.kept_bytes = array<i64: 0, 0, 64>
// CHECK-SAME:    boost.kept_bytes = array<i64: 0, 0, 64>
func.func @through_a_view(%x: tensor<4x4xf32>) -> (tensor<f32>, tensor<16xf32>) {
  %0 = stablehlo.optimization_barrier %x : tensor<4x4xf32>
  %a = stablehlo.tanh %0 {boost.layer = #boost.layer<class = 0, index = 0>} : tensor<4x4xf32>
  %s = stablehlo.add %0, %a {boost.layer = #boost.layer<class = 0, index = 0>} : tensor<4x4xf32>
  %v = stablehlo.reshape %s {boost.layer = #boost.layer<class = 0, index = 0>} : (tensor<4x4xf32>) -> tensor<16xf32>
  %w = stablehlo.tanh %v {boost.layer = #boost.layer<class = 0, index = 1>} : tensor<16xf32>
  boost.phase backward
  %3 = stablehlo.dot_general %w, %w, contracting_dims = [0] x [0] : (tensor<16xf32>, tensor<16xf32>) -> tensor<f32>
  return %3, %v : tensor<f32>, tensor<16xf32>
}

// The layer that makes it reads it as well: it is that one's.
// CHECK-LABEL: func.func @read_by_its_own_layer
// FIRST-LABEL: func.func @read_by_its_own_layer
// FIRST-SAME:    boost.kept_bytes = array<i64: 0, 64, 64>
// CHECK-SAME:    boost.kept_bytes = array<i64: 0, 64, 0>
func.func @read_by_its_own_layer(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = stablehlo.optimization_barrier %x : tensor<4x4xf32>
  %a = stablehlo.tanh %0 {boost.layer = #boost.layer<class = 0, index = 0>} : tensor<4x4xf32>
  %s = stablehlo.add %0, %a {boost.layer = #boost.layer<class = 0, index = 0>} : tensor<4x4xf32>
  %o = stablehlo.negate %s {boost.layer = #boost.layer<class = 0, index = 0>} : tensor<4x4xf32>
  %b = stablehlo.tanh %s {boost.layer = #boost.layer<class = 0, index = 1>} : tensor<4x4xf32>
  %t = stablehlo.add %s, %b {boost.layer = #boost.layer<class = 0, index = 1>} : tensor<4x4xf32>
  boost.phase backward
  %4 = stablehlo.multiply %s, %s : tensor<4x4xf32>
  %3 = stablehlo.dot_general %b, %b, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %3, %t, %o, %4 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}

// What both layers read is outside of them.
// CHECK-LABEL: func.func @read_by_both_layers
// FIRST-LABEL: func.func @read_by_both_layers
// CHECK-SAME:    boost.kept_bytes = array<i64: 64, 0, 0>
func.func @read_by_both_layers(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = stablehlo.optimization_barrier %x : tensor<4x4xf32>
  %a = stablehlo.tanh %0 {boost.layer = #boost.layer<class = 0, index = 0>} : tensor<4x4xf32>
  %b = stablehlo.tanh %a {boost.layer = #boost.layer<class = 0, index = 1>} : tensor<4x4xf32>
  %t = stablehlo.add %0, %b {boost.layer = #boost.layer<class = 0, index = 1>} : tensor<4x4xf32>
  boost.phase backward
  %2 = stablehlo.multiply %0, %0 : tensor<4x4xf32>
  return %2, %t : tensor<4x4xf32>, tensor<4x4xf32>
}

// Behind the last layer nothing is recomputed but what is free.
// CHECK-LABEL: func.func @behind_the_layers
// FIRST-LABEL: func.func @behind_the_layers
// FIRST-SAME:    boost.kept_bytes = array<i64: 64, 0, 0>
// CHECK-SAME:    boost.kept_bytes = array<i64: 64, 0, 0>
func.func @behind_the_layers(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = stablehlo.optimization_barrier %x : tensor<4x4xf32>
  %a = stablehlo.tanh %0 {boost.layer = #boost.layer<class = 0, index = 0>} : tensor<4x4xf32>
  %b = stablehlo.tanh %a {boost.layer = #boost.layer<class = 0, index = 1>} : tensor<4x4xf32>
  %h = stablehlo.exponential %b : tensor<4x4xf32>
  %e = stablehlo.negate %h : tensor<4x4xf32>
  boost.phase backward
  %3 = stablehlo.dot_general %h, %h, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %3, %e : tensor<4x4xf32>, tensor<4x4xf32>
}
