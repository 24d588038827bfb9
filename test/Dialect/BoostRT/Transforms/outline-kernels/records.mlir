// RUN: boost-opt %s --boostrt-bufferize --boostrt-plan-memory --boostrt-outline-kernels | FileCheck %s
// A launch reads and writes what the operation did: the values of two outs, 1
// and 2, are those of two results.

// CHECK-LABEL: func.func @f(
// CHECK: boostrt.launch @kernel_0[4]
// CHECK-SAME: boostrt.reads = [array<i64: 0>, array<i64>, array<i64>]
// CHECK-SAME: boostrt.writes = [array<i64: 1>, array<i64: 2>]
// CHECK-SAME: num_outputs = 2
func.func @f(%x: tensor<4xf32> {boost.tensor = #boost.tensor<param "x">})
    -> (tensor<4xf32> {boost.tensor = #boost.tensor<output "y">}, tensor<4xf32> {boost.tensor = #boost.tensor<output "z">}) {
  %e = tensor.empty() : tensor<4xf32>
  %y, %z = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%e, %e : tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%in: f32, %a: f32, %b: f32):
    %n = arith.negf %in : f32
    %s = arith.mulf %in, %in : f32
    linalg.yield %n, %s : f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>)
  return %y, %z : tensor<4xf32>, tensor<4xf32>
}

// Halves that lie between each other share no element: their kernel may take it for granted.
// CHECK-LABEL: func.func @halves(
// CHECK:         boostrt.launch @[[K:kernel_[0-9]+]][4]
// CHECK:       func private @[[K]](%{{.*}}: memref<4x2xf32, strided<[4, 1]>> {llvm.noalias, llvm.readonly}, %{{.*}}: memref<4x2xf32, strided<[4, 1]>> {llvm.noalias}, %{{.*}}: memref<4x2xf32, strided<[4, 1]>> {llvm.noalias})
#id = affine_map<(i, j) -> (i, j)>
func.func @halves(%x: tensor<4x4xf32> {boost.tensor = #boost.tensor<param "both">})
    -> (tensor<4x4xf32> {boost.tensor = #boost.tensor<output "joined">}) {
  %s = tensor.extract_slice %x[0, 2] [4, 2] [1, 1] : tensor<4x4xf32> to tensor<4x2xf32>
  %e = tensor.empty() : tensor<4x2xf32>
  %w = tensor.empty() : tensor<4x4xf32>
  %y, %z = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<4x2xf32>) outs(%e, %e : tensor<4x2xf32>, tensor<4x2xf32>) {
  ^bb0(%in: f32, %a: f32, %b: f32):
    %n = arith.negf %in : f32
    %p = arith.mulf %in, %in : f32
    linalg.yield %n, %p : f32, f32
  } -> (tensor<4x2xf32>, tensor<4x2xf32>)
  %i = tensor.insert_slice %y into %w[0, 0] [4, 2] [1, 1] : tensor<4x2xf32> into tensor<4x4xf32>
  %j = tensor.insert_slice %z into %i[0, 2] [4, 2] [1, 1] : tensor<4x2xf32> into tensor<4x4xf32>
  return %j : tensor<4x4xf32>
}
