// RUN: boost-opt %s --boost-insert-probes | FileCheck %s
// The function that trains is copied, and the copy shows what it computes.

// The step itself stays as it is.
// CHECK-LABEL: func @step
// CHECK-NOT: boost.probe
// CHECK: return

// CHECK-LABEL: func @verify
func.func @gradient(%w: tensor<64x16xf32> {boost.tensor = #boost.tensor<param "down">},
                    %x: tensor<8x64xf32> {boost.tensor = #boost.tensor<batch "x">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<loss "loss">}, tensor<64x16xf32> {boost.tensor = #boost.tensor<gradient "grad.down", of = "down">}) {
  %h = boost.linear %x, %w : (tensor<8x64xf32>, tensor<64x16xf32>) -> tensor<8x16xf32>
  %t = stablehlo.tanh %h : tensor<8x16xf32>
  %e = stablehlo.exponential %t : tensor<8x16xf32>
  %z = stablehlo.multiply %e, %h : tensor<8x16xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %zt = stablehlo.transpose %z, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
  %loss = stablehlo.reduce(%z init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<f32>
  boost.phase backward
  %gt = stablehlo.dot_general %zt, %x, contracting_dims = [1] x [0] : (tensor<16x8xf32>, tensor<8x64xf32>) -> tensor<16x64xf32>
  %g = stablehlo.transpose %gt, dims = [1, 0] : (tensor<16x64xf32>) -> tensor<64x16xf32>
  return %loss, %g : tensor<f32>, tensor<64x16xf32>
}

func.func @step(%w: tensor<64x16xf32> {boost.tensor = #boost.tensor<param "down">},
                %m: tensor<64x16xf32> {boost.tensor = #boost.tensor<state "adamw.m.down", kind = "m", of = "down">},
                %v: tensor<64x16xf32> {boost.tensor = #boost.tensor<state "adamw.v.down", kind = "v", of = "down">},
                %x: tensor<8x64xf32> {boost.tensor = #boost.tensor<batch "x">},
                %s: tensor<f32> {boost.tensor = #boost.tensor<hyper "lr", kind = "lr">})
    -> (tensor<f32> {boost.tensor = #boost.tensor<loss "loss">}, tensor<64x16xf32> {boost.tensor = #boost.tensor<param "down">}) {
  // A product is named after the parameter that it reads, also through a view.
  // CHECK: %[[H:.*]] = boost.linear
  // CHECK-NEXT: boost.probe %[[H]] as "linear down" site 0 {boost.phase = "forward"} : tensor<8x16xf32>
  %h = boost.linear %x, %w : (tensor<8x64xf32>, tensor<64x16xf32>) -> tensor<8x16xf32>
  // Of a chain of elementwise operations the end is shown.
  // CHECK: %[[T:.*]] = stablehlo.tanh
  // CHECK-NEXT: %[[E:.*]] = stablehlo.exponential %[[T]]
  // CHECK-NEXT: %[[Z:.*]] = stablehlo.multiply %[[E]]
  // CHECK-NEXT: boost.probe %[[Z]] as "multiply" site 1
  %t = stablehlo.tanh %h : tensor<8x16xf32>
  %e = stablehlo.exponential %t : tensor<8x16xf32>
  %z = stablehlo.multiply %e, %h : tensor<8x16xf32>
  // Constants and what moves elements are not.
  // CHECK-NOT: boost.probe
  // CHECK: stablehlo.reduce
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %zt = stablehlo.transpose %z, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
  // A result has its own name.
  // CHECK-NEXT: boost.probe %{{.*}} as "loss" site 2 {boost.phase = "forward"} : tensor<f32>
  %loss = stablehlo.reduce(%z init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<f32>
  boost.phase backward
  // So has a gradient, whatever makes it; integers are not shown.
  // CHECK: boost.probe %{{.*}} as "dot_general" site 3
  // CHECK-NEXT: %[[G:.*]] = stablehlo.transpose
  // CHECK-NEXT: boost.probe %[[G]] as "grad.down" site 4 {boost.phase = "backward"} : tensor<64x16xf32>
  %gt = stablehlo.dot_general %zt, %x, contracting_dims = [1] x [0] : (tensor<16x8xf32>, tensor<8x64xf32>) -> tensor<16x64xf32>
  %g = stablehlo.transpose %gt, dims = [1, 0] : (tensor<16x64xf32>) -> tensor<64x16xf32>
  boost.phase optimizer
  // CHECK: %[[NEW:.*]], %{{.*}}, %{{.*}} = boost.adamw
  // CHECK-DAG: boost.probe %[[NEW]] as "down" site 5 {boost.phase = "optimizer"}
  %new:3 = boost.adamw %w, %m, %v, %g lr %s step %s scale %s
      betas %s, %s shares %s, %s eps %s, %s decay %s {decays}
      : tensor<64x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>
  return %loss, %new#0 : tensor<f32>, tensor<64x16xf32>
}

boost.schedule @train {
  boost.call @step micro_batch 0
}

// CHECK: boost.schedule @probe {
// CHECK-NEXT: boost.call @verify micro_batch 0
// CHECK-NEXT: }
