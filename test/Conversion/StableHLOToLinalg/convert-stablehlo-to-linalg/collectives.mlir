// RUN: boost-opt %s --convert-stablehlo-to-linalg | FileCheck %s
// Collectives that move unsigned integers lose the sign with what they read and write; others stay.

// CHECK-LABEL: func.func @moved(
// CHECK-SAME: %[[X:.*]]: tensor<1xi32>, %[[Y:.*]]: tensor<1xf32>) -> (tensor<2xi32>, tensor<2xf32>)
// CHECK: %[[E:.*]] = tensor.empty() : tensor<2xi32>
// CHECK: %[[G:.*]] = boostrt.all_gather dims [0] group 1 ins(%[[X]] : tensor<1xi32>) outs(%[[E]] : tensor<2xi32>) {boostrt.axes = ["dp"]} -> tensor<2xi32>
// CHECK: %[[H:.*]] = boostrt.all_gather dims [0] group 1 ins(%[[Y]] : tensor<1xf32>)
// CHECK: return %[[G]], %[[H]]
func.func @moved(%x: tensor<1xui32>, %y: tensor<1xf32>) -> (tensor<2xui32>, tensor<2xf32>) {
  %e = tensor.empty() : tensor<2xui32>
  %0 = boostrt.all_gather dims [0] group 1 ins(%x : tensor<1xui32>) outs(%e : tensor<2xui32>) {boostrt.axes = ["dp"]} -> tensor<2xui32>
  %f = tensor.empty() : tensor<2xf32>
  %1 = boostrt.all_gather dims [0] group 1 ins(%y : tensor<1xf32>) outs(%f : tensor<2xf32>) {boostrt.axes = ["dp"]} -> tensor<2xf32>
  return %0, %1 : tensor<2xui32>, tensor<2xf32>
}
