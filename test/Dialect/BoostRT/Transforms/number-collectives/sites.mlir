// RUN: boost-opt %s --boostrt-number-collectives | FileCheck %s

// Sites run over all functions in order; local operations get none.

// CHECK: module attributes {boostrt.sites = 4 : i64}
// CHECK-LABEL: func.func @loss
func.func @loss(%x: tensor<4xf32>, %e: tensor<8xf32>, %f: tensor<4xf32>) {
  // CHECK: boostrt.all_reduce sum group 2 site 0
  %0 = boostrt.all_reduce sum group 2 outs(%x : tensor<4xf32>) -> tensor<4xf32>
  // CHECK: boostrt.all_gather dims [0] group 2 site 1
  %1 = boostrt.all_gather dims [0] group 2 ins(%0 : tensor<4xf32>) outs(%e : tensor<8xf32>)
      -> tensor<8xf32>
  // CHECK: boostrt.all_slice dim 0 group 2 ins
  %2 = boostrt.all_slice dim 0 group 2 ins(%1 : tensor<8xf32>) outs(%f : tensor<4xf32>)
      -> tensor<4xf32>
  return
}

// CHECK-LABEL: func.func @step
func.func @step(%x: tensor<8xf32>, %e: tensor<4xf32>) {
  // A number from an earlier run is replaced.
  // CHECK: boostrt.reduce_scatter sum dims [0] group 1 site 2
  %0 = boostrt.reduce_scatter sum dims [0] group 1 site 7 ins(%x : tensor<8xf32>)
      outs(%e : tensor<4xf32>) -> tensor<4xf32>
  // CHECK: boostrt.broadcast root 1 group 1 site 3
  %1 = boostrt.broadcast root 1 group 1 outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  return
}
