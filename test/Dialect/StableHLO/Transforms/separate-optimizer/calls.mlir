// RUN: boost-opt %s -boost-separate-optimizer | FileCheck %s
// RUN: boost-opt %s -boost-import-pipeline | FileCheck %s --check-prefix=IMPORT
// An update takes along what it calls, also where the loss calls it too, and
// import makes it straight-line.

// CHECK: func.func public @main
// CHECK: func.func private @half
// CHECK: func.func private @quarter
// CHECK-LABEL: module @optimizer
// CHECK:       func.func public @sgd
// CHECK:         call @quarter
// CHECK:       func.func private @quarter
// CHECK:         call @half
// CHECK:       func.func private @half

// IMPORT-LABEL: module @optimizer
// IMPORT:       func.func public @sgd
// IMPORT-NOT:     call
// IMPORT:         stablehlo.multiply
// IMPORT:         stablehlo.multiply
// IMPORT-NOT:   func.func
func.func public @main(%w: tensor<4xf32> {boost.arg = "param", boost.name = "w"}, %x: tensor<4xi32>)
    -> tensor<f32> {
  %c = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = call @half(%c) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func private @half(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<0.5> : tensor<f32>
  %0 = stablehlo.multiply %x, %c : tensor<f32>
  return %0 : tensor<f32>
}
func.func private @quarter(%x: tensor<f32>) -> tensor<f32> {
  %0 = call @half(%x) : (tensor<f32>) -> tensor<f32>
  %1 = call @half(%0) : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
func.func public @sgd(%w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">},
                      %g: tensor<4xf32> {boost.tensor = #boost.tensor<gradient "grad.w", of = "w">},
                      %lr: tensor<f32> {boost.tensor = #boost.tensor<hyper "lr", kind = "lr">})
    -> (tensor<4xf32> {boost.tensor = #boost.tensor<param "w">}) {
  %0 = call @quarter(%lr) : (tensor<f32>) -> tensor<f32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %2 = stablehlo.multiply %1, %g : tensor<4xf32>
  %3 = stablehlo.subtract %w, %2 : tensor<4xf32>
  return %3 : tensor<4xf32>
}
