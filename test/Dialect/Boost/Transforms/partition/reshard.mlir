// RUN: boost-opt %s --boost-propagate-shardings --boost-partition | FileCheck %s
// RUN: boost-opt %s --boost-propagate-shardings --boost-partition --boost-verify-spmd -o %t
// RUN: boost-eval --compare %s %t --function swap | FileCheck %s --check-prefix=EQUAL
// RUN: boost-eval --compare %s %t --function spread | FileCheck %s --check-prefix=EQUAL
// RUN: boost-eval --compare %s %t --function gather_once | FileCheck %s --check-prefix=EQUAL
// RUN: boost-eval --compare %s %t --function whole_dimension | FileCheck %s --check-prefix=EQUAL
// Several steps lead from one form to another; a form once made is reused.

// EQUAL: results equal

shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}

// CHECK-LABEL: func @swap
// CHECK: shard.all_gather {{.*}} : tensor<4x4xf32> -> tensor<8x4xf32>
// CHECK: shard.all_to_all {{.*}} : tensor<8x4xf32> -> tensor<4x8xf32>
// CHECK: shard.all_slice {{.*}} : tensor<4x8xf32> -> tensor<4x4xf32>
// CHECK: return
func.func @swap(%x: tensor<8x8xf32> {boost.split = [["dp"], ["tp"]]})
    -> (tensor<8x8xf32> {boost.split = [["tp"], ["dp"]]}) {
  return %x : tensor<8x8xf32>
}

// CHECK-LABEL: func @spread
// CHECK: shard.all_to_all {{.*}} : tensor<2x8xf32> -> tensor<4x4xf32>
// CHECK-NEXT: return
func.func @spread(%x: tensor<8x8xf32> {boost.split = [["dp", "tp"], []]})
    -> (tensor<8x8xf32> {boost.split = [["dp"], ["tp"]]}) {
  return %x : tensor<8x8xf32>
}

// CHECK-LABEL: func @gather_once
// CHECK: shard.all_gather
// CHECK-NOT: shard.all_gather
// CHECK: return
func.func @gather_once(%x: tensor<8x8xf32> {boost.split = [["tp"], []]})
    -> (tensor<8x8xf32> {boost.split = [[], []]}, tensor<8x8xf32> {boost.split = [[], []]}) {
  return %x, %x : tensor<8x8xf32>, tensor<8x8xf32>
}

// A dimension that is concatenated has to be whole.
// CHECK-LABEL: func @whole_dimension
// CHECK: %[[G:.*]] = shard.all_gather
// CHECK: stablehlo.concatenate %[[G]], %[[G]], dim = 0 : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
func.func @whole_dimension(%x: tensor<8xf32> {boost.split = [["tp"]]})
    -> (tensor<16xf32> {boost.split = [[]]}) {
  %0 = stablehlo.concatenate %x, %x, dim = 0 : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}
