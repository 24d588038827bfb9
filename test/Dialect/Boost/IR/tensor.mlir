// RUN: boost-opt %s | boost-opt | FileCheck %s
// Every role with the fields that it may have.

// CHECK:      func.func @step(
// CHECK-SAME:   tensor<8x8xf32> {boost.tensor = #boost.tensor<param "w", init = "normal:0.02", decay = true>}
// CHECK-SAME:   tensor<8x8xf32> {boost.tensor = #boost.tensor<state "adamw.m.w", kind = "m", of = "w", init = "zeros", sample = 5.000000e-02 : f64>}
// CHECK-SAME:   tensor<8x8xf32> {boost.tensor = #boost.tensor<state "master.w", kind = "master", of = "w", init = "param">}
// CHECK-SAME:   tensor<i32> {boost.tensor = #boost.tensor<state "count", kind = "count">}
// CHECK-SAME:   tensor<8x8xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">}
// CHECK-SAME:   tensor<4xi32> {boost.tensor = #boost.tensor<batch "ids", feed = tokens>}
// CHECK-SAME:   tensor<f32> {boost.tensor = #boost.tensor<hyper "lr", kind = "lr", sample = 1.000000e+00 : f64>}
// CHECK-SAME:   -> (tensor<f32> {boost.tensor = #boost.tensor<loss "loss">},
// CHECK-SAME:   tensor<f32> {boost.tensor = #boost.tensor<metric "grad_norm", kind = "grad_norm">},
// CHECK-SAME:   tensor<8x8xf32> {boost.tensor = #boost.tensor<gradient "grad.w", of = "w">},
// CHECK-SAME:   tensor<4xi32> {boost.tensor = #boost.tensor<output "out0">},
// CHECK-SAME:   tensor<8x8xf32> {boost.tensor = #boost.tensor<param "w", init = "normal:0.02", decay = true>})
func.func @step(
    %w: tensor<8x8xf32> {boost.tensor = #boost.tensor<param "w", decay = true, init = "normal:0.02">},
    %m: tensor<8x8xf32> {boost.tensor = #boost.tensor<state "adamw.m.w", kind = "m", of = "w", init = "zeros", sample = 5.0e-02 : f64>},
    %master: tensor<8x8xf32> {boost.tensor = #boost.tensor<state "master.w", kind = "master", of = "w", init = "param">},
    %count: tensor<i32> {boost.tensor = #boost.tensor<state "count", kind = "count">},
    %sum: tensor<8x8xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">},
    %ids: tensor<4xi32> {boost.tensor = #boost.tensor<batch "ids", feed = tokens>},
    %lr: tensor<f32> {boost.tensor = #boost.tensor<hyper "lr", kind = "lr", sample = 1.0 : f64>})
    -> (tensor<f32> {boost.tensor = #boost.tensor<loss "loss">},
        tensor<f32> {boost.tensor = #boost.tensor<metric "grad_norm", kind = "grad_norm">},
        tensor<8x8xf32> {boost.tensor = #boost.tensor<gradient "grad.w", of = "w">},
        tensor<4xi32> {boost.tensor = #boost.tensor<output "out0">},
        tensor<8x8xf32> {boost.tensor = #boost.tensor<param "w", decay = true, init = "normal:0.02">}) {
  return %lr, %lr, %w, %ids, %w : tensor<f32>, tensor<f32>, tensor<8x8xf32>, tensor<4xi32>, tensor<8x8xf32>
}

// Memrefs stand for arguments and results.
// CHECK: func.func @buffers(%{{.*}}: memref<f32> {boost.tensor = #boost.tensor<loss "loss">})
func.func @buffers(%loss: memref<f32> {boost.tensor = #boost.tensor<loss "loss">}) {
  return
}
