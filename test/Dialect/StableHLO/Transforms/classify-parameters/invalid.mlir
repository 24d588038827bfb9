// RUN: boost-opt %s -split-input-file -boost-classify-parameters -verify-diagnostics

// expected-error @below {{expects boost.init of parameter "a" to be "ones", "zeros" or "normal:STD", but got "uniform"}}
func.func @loss(%a: tensor<f32> {boost.arg = "param", boost.init = "uniform", boost.name = "a"}) -> tensor<f32> {
  return %a : tensor<f32>
}

// -----

// expected-error @below {{expects boost.init of parameter "a" to be "ones", "zeros" or "normal:STD", but got "normal:-1"}}
func.func @loss(%a: tensor<f32> {boost.arg = "param", boost.init = "normal:-1", boost.name = "a"}) -> tensor<f32> {
  return %a : tensor<f32>
}

// -----

// expected-error @below {{expects boost.init of parameter "a" to be "ones", "zeros" or "normal:STD", but got 1 : i64}}
func.func @loss(%a: tensor<f32> {boost.arg = "param", boost.init = 1, boost.name = "a"}) -> tensor<f32> {
  return %a : tensor<f32>
}

// -----

// expected-error @below {{expects boost.decay of parameter "a" to be true or false, but got "no"}}
func.func @loss(%a: tensor<f32> {boost.arg = "param", boost.decay = "no", boost.name = "a"}) -> tensor<f32> {
  return %a : tensor<f32>
}
