// RUN: boost-opt %s --convert-boost-to-runtime | FileCheck %s --implicit-check-not='= boost.'

// CHECK-LABEL: func.func @factorize
// CHECK-SAME: (%[[A:.*]]: tensor<3x6x4xf32>)
func.func @factorize(%a: tensor<3x6x4xf32>) -> (tensor<3x4xf32>, tensor<3x6x4xf32>) {
  // CHECK-DAG: %[[V:.*]] = tensor.empty() : tensor<3x4xf32>
  // CHECK-DAG: %[[U:.*]] = tensor.empty() : tensor<3x6x4xf32>
  // CHECK-DAG: %[[W:.*]] = tensor.empty() : tensor<3x4x4xf32>
  // CHECK: %[[R:.*]]:3 = boostrt.factorize svd ins(%[[A]] : tensor<3x6x4xf32>) outs(%[[V]], %[[U]], %[[W]] : tensor<3x4xf32>, tensor<3x6x4xf32>, tensor<3x4x4xf32>) {{.*}}-> tensor<3x4xf32>, tensor<3x6x4xf32>, tensor<3x4x4xf32>
  // CHECK: return %[[R]]#0, %[[R]]#1
  %0:3 = boost.factorize svd %a : (tensor<3x6x4xf32>) -> (tensor<3x4xf32>, tensor<3x6x4xf32>, tensor<3x4x4xf32>)
  return %0#0, %0#1 : tensor<3x4xf32>, tensor<3x6x4xf32>
}
