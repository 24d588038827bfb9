// RUN: boost-opt %s -split-input-file -boost-differentiate -verify-diagnostics

// expected-error @below {{expects a function @loss to differentiate, but there is none}}
module {
}

// -----

module {
  func.func @loss(%a: tensor<f32> {boost.tensor = #boost.tensor<param "a">}) -> tensor<f32> {
    return %a : tensor<f32>
  }
  // expected-error @below {{expects no @gradient yet, but it is defined here}}
  func.func @gradient(%a: tensor<f32>) -> tensor<f32> {
    return %a : tensor<f32>
  }
}

// -----

// expected-error @below {{expects one result, or one with the role 'loss', but got 2 results}}
func.func @loss(%a: tensor<f32> {boost.tensor = #boost.tensor<param "a">}) -> (tensor<f32>, tensor<f32>) {
  return %a, %a : tensor<f32>, tensor<f32>
}

// -----

// expected-error @below {{expects a floating-point scalar as loss, but got 'tensor<2xf32>'}}
func.func @loss(%a: tensor<2xf32> {boost.tensor = #boost.tensor<param "a">}) -> tensor<2xf32> {
  return %a : tensor<2xf32>
}

// -----

// expected-error @below {{expects an argument with the role 'param' to differentiate by, but got none}}
func.func @loss(%a: tensor<f32> {boost.tensor = #boost.tensor<batch "a">}) -> tensor<f32> {
  return %a : tensor<f32>
}

// -----

// An operation without a rule, and which parameter is concerned.

// expected-note @below {{parameter 'layers.0.w' reaches the loss through it}}
func.func @loss(%w: tensor<f32> {boost.tensor = #boost.tensor<param "layers.0.w">},
                %v: tensor<f32> {boost.tensor = #boost.tensor<param "layers.0.v">}) -> tensor<f32> {
  %0 = stablehlo.exponential %w : tensor<f32>
  // expected-error @below {{'stablehlo.custom_call' op has no gradient}}
  // expected-note @below {{write the loss without it, or mark what is not to be trained boost.arg = "batch"}}
  %1 = stablehlo.custom_call @erf(%0) : (tensor<f32>) -> tensor<f32>
  %2 = stablehlo.add %1, %v : tensor<f32>
  return %2 : tensor<f32>
}

// -----

// A rule that refuses says why.

// expected-note @below {{parameter 'a' reaches the loss}}
func.func @loss(%a: tensor<4xf32> {boost.tensor = #boost.tensor<param "a">}) -> tensor<f32> {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  // expected-error @below {{'stablehlo.reduce' op has no gradient unless it is the sum, product, maximum or minimum of one tensor}}
  %0 = stablehlo.reduce(%a init: %one) applies stablehlo.atan2 across dimensions = [0]
      : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// expected-note @below {{parameter 'a' reaches the loss}}
func.func @loss(%x: tensor<1xf32> {boost.tensor = #boost.tensor<param "a">},
                %g: tensor<1xf32> {boost.tensor = #boost.tensor<batch "g">}) -> tensor<f32> {
  // expected-error @below {{'boost.layer_norm' op expects boost-decompose-layer-norm before boost-differentiate}}
  %0 = boost.layer_norm %x, %g, %g {eps = 1.0e-6 : f64} : tensor<1xf32>, tensor<1xf32>
  %1 = stablehlo.reshape %0 : (tensor<1xf32>) -> tensor<f32>
  return %1 : tensor<f32>
}

// -----

// expected-note @below {{parameter 'a' reaches the loss}}
func.func @loss(%x: tensor<1xf32> {boost.tensor = #boost.tensor<param "a">},
                %g: tensor<1xf32> {boost.tensor = #boost.tensor<batch "g">}) -> tensor<f32> {
  // expected-error @below {{'boost.rms_norm' op expects boost-decompose-rms-norm before boost-differentiate}}
  %0 = boost.rms_norm %x, %g {eps = 1.0e-6 : f64} : tensor<1xf32>, tensor<1xf32>
  %1 = stablehlo.reshape %0 : (tensor<1xf32>) -> tensor<f32>
  return %1 : tensor<f32>
}

// -----

// expected-note @below {{parameter 'a' reaches the loss}}
func.func @loss(%a: tensor<1x1xf32> {boost.tensor = #boost.tensor<param "a">}) -> tensor<f32> {
  // expected-error @below {{'boost.bottleneck' op expects boost-decompose-bottleneck before boost-differentiate}}
  %0 = boost.bottleneck %a down(%a) up(%a)
      : tensor<1x1xf32> down tensor<1x1xf32> up tensor<1x1xf32> -> tensor<1x1xf32>
  %1 = stablehlo.reshape %0 : (tensor<1x1xf32>) -> tensor<f32>
  return %1 : tensor<f32>
}

// -----

// A loop that import did not unroll.
// expected-note @below {{parameter 'x' reaches the loss through it}}
func.func @loss(%x: tensor<f32> {boost.tensor = #boost.tensor<param "x">}) -> tensor<f32> {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  // expected-error @below {{'stablehlo.while' op has no gradient}}
  // expected-note @below {{write the loss without it, or mark what is not to be trained boost.arg = "batch"}}
  %r:2 = stablehlo.while(%y = %x, %c = %one) : tensor<f32>, tensor<f32>
  cond {
    %0 = stablehlo.compare GT, %y, %c : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  } do {
    %1 = stablehlo.subtract %y, %c : tensor<f32>
    stablehlo.return %1, %c : tensor<f32>, tensor<f32>
  }
  return %r#0 : tensor<f32>
}
