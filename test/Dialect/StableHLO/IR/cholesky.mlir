// RUN: boost-opt %s -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func @forms
func.func @forms(%a: tensor<2x4x4xf32>) {
  // CHECK-NEXT: stablehlo.cholesky %{{.*}}, lower = true : tensor<2x4x4xf32>
  %0 = stablehlo.cholesky %a, lower = true : tensor<2x4x4xf32>
  // CHECK-NEXT: stablehlo.cholesky %{{.*}} : tensor<2x4x4xf32>
  %1 = stablehlo.cholesky %a : tensor<2x4x4xf32>
  // CHECK-NEXT: stablehlo.cholesky %{{.*}}, lower = true : tensor<2x4x4xf32>
  %2 = "stablehlo.cholesky"(%a) {lower = true} : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  return
}

// -----

func.func @square(%a: tensor<4x5xf32>) {
  // expected-error @below {{expects square matrices, but got 'tensor<4x5xf32>'}}
  %0 = stablehlo.cholesky %a, lower = true : tensor<4x5xf32>
  return
}

// -----

func.func @vector(%a: tensor<4xf32>) {
  // expected-error @below {{expects square matrices, but got 'tensor<4xf32>'}}
  %0 = stablehlo.cholesky %a, lower = true : tensor<4xf32>
  return
}
