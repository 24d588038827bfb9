// RUN: boost-opt %s -split-input-file -verify-diagnostics
// Which fields a role has, and where a role may stand.

// expected-error @+1 {{expects a name for the param, but got none}}
func.func @f(%x: tensor<f32> {boost.tensor = #boost.tensor<param "">}) -> tensor<f32> {
  return %x : tensor<f32>
}

// -----

// expected-error @+1 {{expects no 'kind' of the param "w", but got "m"}}
func.func @f(%x: tensor<f32> {boost.tensor = #boost.tensor<param "w", kind = "m">}) -> tensor<f32> {
  return %x : tensor<f32>
}

// -----

// expected-error @+1 {{expects 'kind' of the state "m", but got none}}
func.func @f(%x: tensor<f32> {boost.tensor = #boost.tensor<state "m">}) -> tensor<f32> {
  return %x : tensor<f32>
}

// -----

// expected-error @+1 {{expects 'kind' of the hyper "lr", but got none}}
func.func @f(%x: tensor<f32> {boost.tensor = #boost.tensor<hyper "lr">}) -> tensor<f32> {
  return %x : tensor<f32>
}

// -----

// expected-error @+1 {{expects 'kind' of the metric "norm", but got none}}
func.func @f(%x: tensor<f32>) -> (tensor<f32> {boost.tensor = #boost.tensor<metric "norm">}) {
  return %x : tensor<f32>
}

// -----

// expected-error @+1 {{expects no 'of' of the batch "x", but got "w"}}
func.func @f(%x: tensor<f32> {boost.tensor = #boost.tensor<batch "x", of = "w">}) -> tensor<f32> {
  return %x : tensor<f32>
}

// -----

// expected-error @+1 {{expects 'of' of the accumulator "sum", but got none}}
func.func @f(%x: tensor<f32> {boost.tensor = #boost.tensor<accumulator "sum">}) -> tensor<f32> {
  return %x : tensor<f32>
}

// -----

// expected-error @+1 {{expects 'of' of the gradient "g", but got none}}
func.func @f(%x: tensor<f32>) -> (tensor<f32> {boost.tensor = #boost.tensor<gradient "g">}) {
  return %x : tensor<f32>
}

// -----

// expected-error @+1 {{expects no 'init' of the hyper "lr", but got "ones"}}
func.func @f(%x: tensor<f32> {boost.tensor = #boost.tensor<hyper "lr", kind = "lr", init = "ones">}) -> tensor<f32> {
  return %x : tensor<f32>
}

// -----

// expected-error @+1 {{expects 'init' of the param "w" to be "ones", "zeros", "constant:VALUE" or "normal:STD", but got "param"}}
func.func @f(%x: tensor<f32> {boost.tensor = #boost.tensor<param "w", init = "param">}) -> tensor<f32> {
  return %x : tensor<f32>
}

// -----

// expected-error @+1 {{expects 'init' of the state "s" to be "ones", "zeros", "constant:VALUE" or "normal:STD", "array", or "param" where 'of' names one, but got "param"}}
func.func @f(%x: tensor<f32> {boost.tensor = #boost.tensor<state "s", kind = "s", init = "param">}) -> tensor<f32> {
  return %x : tensor<f32>
}

// -----

// expected-error @+1 {{expects 'init' of the param "w" to be "ones", "zeros", "constant:VALUE" or "normal:STD", but got "stored"}}
func.func @f(%x: tensor<f32> {boost.tensor = #boost.tensor<param "w", init = "stored">}) -> tensor<f32> {
  return %x : tensor<f32>
}

// -----

// expected-error @+1 {{expects 'init' of the frozen "w" to be "ones", "zeros", "constant:VALUE" or "normal:STD", or "stored", but got "array"}}
func.func @f(%x: tensor<f32> {boost.tensor = #boost.tensor<frozen "w", init = "array">}) -> tensor<f32> {
  return %x : tensor<f32>
}

// -----

// expected-error @+1 {{expects 'init' of the param "w" to be "ones", "zeros", "constant:VALUE" or "normal:STD", but got "normal:inf"}}
func.func @f(%x: tensor<f32> {boost.tensor = #boost.tensor<param "w", init = "normal:inf">}) -> tensor<f32> {
  return %x : tensor<f32>
}

// -----

// expected-error @+1 {{expects no 'decay' of the state "m", but got false}}
func.func @f(%x: tensor<f32> {boost.tensor = #boost.tensor<state "m", kind = "m", decay = false>}) -> tensor<f32> {
  return %x : tensor<f32>
}

// -----

// expected-error @+1 {{expects no 'feed' of the param "w", but got #boost<feed tokens>}}
func.func @f(%x: tensor<f32> {boost.tensor = #boost.tensor<param "w", feed = tokens>}) -> tensor<f32> {
  return %x : tensor<f32>
}

// -----

// expected-error @+1 {{expects no 'sample' of the param "w", but got 1.000000e+00}}
func.func @f(%x: tensor<f32> {boost.tensor = #boost.tensor<param "w", sample = 1.0 : f64>}) -> tensor<f32> {
  return %x : tensor<f32>
}

// -----

// expected-error @+1 {{expects 'boost.tensor' of argument 0 to have a role of arguments, but got 'loss'}}
func.func @f(%x: tensor<f32> {boost.tensor = #boost.tensor<loss "loss">}) -> tensor<f32> {
  return %x : tensor<f32>
}

// -----

// expected-error @+1 {{expects 'boost.tensor' of result 0 to have a role of results, but got 'batch'}}
func.func @f(%x: tensor<f32>) -> (tensor<f32> {boost.tensor = #boost.tensor<batch "x">}) {
  return %x : tensor<f32>
}

// -----

// expected-error @+1 {{expects 'boost.tensor' of argument 0 to be of floats as a parameter is, but got 'tensor<i32>'}}
func.func @f(%x: tensor<i32> {boost.tensor = #boost.tensor<param "w">}) -> tensor<i32> {
  return %x : tensor<i32>
}

// -----

// expected-error @+1 {{expects 'boost.tensor' of argument 0 to be a #boost.tensor, but got "param"}}
func.func @f(%x: tensor<f32> {boost.tensor = "param"}) -> tensor<f32> {
  return %x : tensor<f32>
}

// -----

// expected-error @+1 {{expects 'init' of the param "w" to be "ones", "zeros", "constant:VALUE" or "normal:STD", but got "normal:-1"}}
func.func private @f(tensor<f32> {boost.tensor = #boost.tensor<param "w", init = "normal:-1">})

// -----

// expected-error @+1 {{expects 'init' of the param "w" to be "ones", "zeros", "constant:VALUE" or "normal:STD", but got "normal:x"}}
func.func private @f(tensor<f32> {boost.tensor = #boost.tensor<param "w", init = "normal:x">})

// -----

// expected-error @+1 {{expects 'init' of the state "s" to be "ones", "zeros", "constant:VALUE" or "normal:STD", "array", or "param" where 'of' names one, but got "w"}}
func.func private @f(tensor<f32> {boost.tensor = #boost.tensor<state "s", kind = "s", of = "w", init = "w">})

// -----

// expected-error @+1 {{expects no 'init' of the accumulator "a", but got "param"}}
func.func private @f(tensor<f32> {boost.tensor = #boost.tensor<accumulator "a", of = "w", init = "param">})

// -----

// expected-error @+1 {{expects a default that the option takes, but got 1.000000e+00}}
func.func private @f() attributes {option = #boost.option<"Help", default = 1.0 : f64, below = 1.0 : f64>}

// -----

// expected-error @+1 {{expects 'min' or 'above', but got both}}
func.func private @f() attributes {option = #boost.option<"Help", default = 1.0 : f64, min = 0.0 : f64, above = 0.0 : f64>}

// -----

// expected-error @+1 {{expects no 'next_sample' of the param "w", but got 1.000000e+00}}
func.func @f(%x: tensor<f32> {boost.tensor = #boost.tensor<param "w", next_sample = 1.0 : f64>}) {
  return
}

// -----

// expected-error @+1 {{but got "constant:nan"}}
func.func @f(%x: tensor<f32> {boost.tensor = #boost.tensor<state "s", kind = "s", init = "constant:nan">}) -> tensor<f32> {
  return %x : tensor<f32>
}

// -----

// expected-error @+1 {{or "param" where 'of' names one, but got "param"}}
func.func @f(%x: tensor<f32> {boost.tensor = #boost.tensor<state "s", kind = "s", of = ["v", "w"], init = "param">}) -> tensor<f32> {
  return %x : tensor<f32>
}

// -----

// expected-error @+1 {{expects 'of' of the state "s" to be the name of a parameter, or a list of several, but got ["w"]}}
func.func @f(%x: tensor<f32> {boost.tensor = #boost.tensor<state "s", kind = "s", of = ["w"]>}) -> tensor<f32> {
  return %x : tensor<f32>
}

// -----

// expected-error @+1 {{expects 'of' of the state "s" to be the name of a parameter, or a list of several, but got 1 : i64}}
func.func @f(%x: tensor<f32> {boost.tensor = #boost.tensor<state "s", kind = "s", of = 1>}) -> tensor<f32> {
  return %x : tensor<f32>
}

// -----

// expected-error @+1 {{expects 'of' of the state "s" to be a list of different names, but got ["w", "w"]}}
func.func @f(%x: tensor<f32> {boost.tensor = #boost.tensor<state "s", kind = "s", of = ["w", "w"]>}) -> tensor<f32> {
  return %x : tensor<f32>
}

// -----

// expected-error @+1 {{expects 'of' of the accumulator "s" to be the name of a parameter, but got ["v", "w"]}}
func.func @f(%x: tensor<f32> {boost.tensor = #boost.tensor<accumulator "s", of = ["v", "w"]>}) -> tensor<f32> {
  return %x : tensor<f32>
}
