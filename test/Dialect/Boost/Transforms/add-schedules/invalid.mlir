// RUN: boost-opt %s -verify-diagnostics -boost-add-schedules
// Without a gradient there is nothing to call.

// expected-error @+1 {{expects a function @gradient to call, but there is none: run boost-differentiate first}}
module {
  func.func @loss(%x: tensor<f32> {boost.tensor = #boost.tensor<batch "x">}) -> tensor<f32> {
    return %x : tensor<f32>
  }
}
