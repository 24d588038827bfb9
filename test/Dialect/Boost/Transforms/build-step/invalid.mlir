// RUN: boost-opt %s -split-input-file -boost-build-step -verify-diagnostics
// RUN: not boost-opt %s -boost-build-step=accumulate=0 -split-input-file 2>&1 | FileCheck %s
// CHECK: boost-build-step expects accumulate of 1 or more, but got 0

#loss = #boost.tensor<loss "loss">
#w = #boost.tensor<param "w">
#dw = #boost.tensor<gradient "grad.w", of = "w">
// expected-error @below {{expects functions @gradient and @update, but there is no update: run boost-differentiate and boost-add-optimizer first}}
module {
  func.func @gradient(%w: tensor<2xf32> {boost.tensor = #w}, %l: tensor<f32> {boost.tensor = #boost.tensor<batch "l">})
      -> (tensor<f32> {boost.tensor = #loss}, tensor<2xf32> {boost.tensor = #dw}) {
    return %l, %w : tensor<f32>, tensor<2xf32>
  }
}

// -----

// The update has to fit the loss.
#loss = #boost.tensor<loss "loss">
#w = #boost.tensor<param "w">
#dw = #boost.tensor<gradient "grad.w", of = "w">
func.func @gradient(%w: tensor<2xf32> {boost.tensor = #w}, %l: tensor<f32> {boost.tensor = #boost.tensor<batch "l">})
    -> (tensor<f32> {boost.tensor = #loss}, tensor<2xf32> {boost.tensor = #dw}) {
  return %l, %w : tensor<f32>, tensor<2xf32>
}
func.func @update(
    // expected-error @below {{expects the loss to have a parameter "v", but it has none}}
    %v: tensor<2xf32> {boost.tensor = #boost.tensor<param "v">}, %g: tensor<2xf32> {boost.tensor = #dw})
    -> (tensor<2xf32> {boost.tensor = #boost.tensor<param "v">}) {
  return %v : tensor<2xf32>
}

// -----

#loss = #boost.tensor<loss "loss">
#w = #boost.tensor<param "w">
#dw = #boost.tensor<gradient "grad.w", of = "w">
func.func @gradient(%w: tensor<2xf32> {boost.tensor = #w}, %l: tensor<f32> {boost.tensor = #boost.tensor<batch "l">})
    -> (tensor<f32> {boost.tensor = #loss}, tensor<2xf32> {boost.tensor = #dw}) {
  return %l, %w : tensor<f32>, tensor<2xf32>
}
func.func @update(%w: tensor<2xf32> {boost.tensor = #w},
    // expected-error @below {{expects the gradient of "w" to be of type 'tensor<2xf32>', as the loss takes it, but got 'tensor<3xf32>'}}
    %g: tensor<3xf32> {boost.tensor = #dw})
    -> (tensor<2xf32> {boost.tensor = #w}) {
  return %w : tensor<2xf32>
}

// -----

#loss = #boost.tensor<loss "loss">
#w = #boost.tensor<param "w">
#dw = #boost.tensor<gradient "grad.w", of = "w">
func.func @gradient(%w: tensor<2xf32> {boost.tensor = #w}, %l: tensor<f32> {boost.tensor = #boost.tensor<batch "l">})
    -> (tensor<f32> {boost.tensor = #loss}, tensor<2xf32> {boost.tensor = #dw}) {
  return %l, %w : tensor<f32>, tensor<2xf32>
}
// expected-error @below {{expects the update to return a new value of the parameter "w", but it returns none}}
func.func @update(%w: tensor<2xf32> {boost.tensor = #w}, %g: tensor<2xf32> {boost.tensor = #dw}) {
  return
}

// -----

#loss = #boost.tensor<loss "loss">
#w = #boost.tensor<param "w">
#dw = #boost.tensor<gradient "grad.w", of = "w">
func.func @gradient(%w: tensor<2xf32> {boost.tensor = #w}, %l: tensor<f32> {boost.tensor = #boost.tensor<batch "l">})
    -> (tensor<f32> {boost.tensor = #loss}, tensor<2xf32> {boost.tensor = #dw}) {
  return %l, %w : tensor<f32>, tensor<2xf32>
}
// expected-error @below {{expects result 1 of the update to replace an argument "m" of type 'tensor<2xf32>', but there is none}}
func.func @update(%w: tensor<2xf32> {boost.tensor = #w}, %g: tensor<2xf32> {boost.tensor = #dw})
    -> (tensor<2xf32> {boost.tensor = #w}, tensor<2xf32> {boost.tensor = #boost.tensor<state "m", kind = "m", of = "w">}) {
  return %w, %g : tensor<2xf32>, tensor<2xf32>
}

// -----

#loss = #boost.tensor<loss "loss">
#w = #boost.tensor<param "w">
#dw = #boost.tensor<gradient "grad.w", of = "w">
func.func @gradient(%w: tensor<2xf32> {boost.tensor = #w}, %l: tensor<f32> {boost.tensor = #boost.tensor<batch "l">})
    -> (tensor<f32> {boost.tensor = #loss}, tensor<2xf32> {boost.tensor = #dw}) {
  return %l, %w : tensor<f32>, tensor<2xf32>
}
func.func @update(%w: tensor<2xf32> {boost.tensor = #w}, %g: tensor<2xf32> {boost.tensor = #dw},
    // expected-error @below {{expects a parameter, a gradient, a state or a hyper-parameter in the update, but "x" is a batch}}
    %x: tensor<2xf32> {boost.tensor = #boost.tensor<batch "x">})
    -> (tensor<2xf32> {boost.tensor = #w}) {
  return %w : tensor<2xf32>
}

// -----

#loss = #boost.tensor<loss "loss">
#w = #boost.tensor<param "w">
#dw = #boost.tensor<gradient "grad.w", of = "w">
func.func @gradient(%w: tensor<2xf32> {boost.tensor = #w}, %l: tensor<f32> {boost.tensor = #boost.tensor<batch "l">})
    -> (tensor<f32> {boost.tensor = #loss}, tensor<2xf32> {boost.tensor = #dw}) {
  return %l, %w : tensor<f32>, tensor<2xf32>
}
func.func @update(%w: tensor<2xf32> {boost.tensor = #w}, %g: tensor<2xf32> {boost.tensor = #dw},
    // expected-error @below {{expects the loss to have a parameter "v", which "s" belongs to, but it has none}}
    %s: tensor<2xf32> {boost.tensor = #boost.tensor<state "s", kind = "s", of = ["w", "v"]>})
    -> (tensor<2xf32> {boost.tensor = #w}) {
  return %w : tensor<2xf32>
}
