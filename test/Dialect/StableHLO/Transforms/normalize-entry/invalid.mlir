// RUN: boost-opt %s -split-input-file --boost-normalize-entry -verify-diagnostics
// What cannot be a loss is refused with what came instead.

// expected-error@+1 {{expects exactly one public function, the loss, but got 2}}
module {
  // expected-note@+1 {{'a' is public}}
  func.func @a(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }
  // expected-note@+1 {{'b' is public}}
  func.func @b(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }
}

// -----

// expected-error@+2 {{expects the loss to return exactly one scalar float, but its results are ('tensor<4xf32>')}}
// expected-note@+1 {{export a function that returns the mean loss alone}}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error@+1 {{expects parameter 0 to be a float tensor, but got 'tensor<i32>'}}
func.func @main(%x: tensor<i32> {boost.arg = "param"}, %y: tensor<f32>) -> tensor<f32> {
  return %y : tensor<f32>
}

// -----

// expected-error@+2 {{expects unique names, but a param and a param are both called "w"}}
// expected-note@+1 {{the other argument is here}}
func.func @main(%x: tensor<f32> {boost.name = "w"}, %y: tensor<f32> {boost.name = "w"}) -> tensor<f32> {
  return %y : tensor<f32>
}

// -----

// expected-error@+2 {{expects unique names, but a param and a loss are both called "loss"}}
// expected-note@+1 {{rename the argument: training uses this name itself}}
func.func @main(%x: tensor<f32> {boost.name = "loss"}) -> tensor<f32> {
  return %x : tensor<f32>
}

// -----

// expected-error@+1 {{expects another name for argument 0: "__metadata__" is what files of tensors call their own notes}}
func.func @main(%x: tensor<f32> {boost.name = "__metadata__"}) -> tensor<f32> {
  return %x : tensor<f32>
}

// -----

// expected-error@+1 {{expects 'init' of the param "a" to be "ones", "zeros", "constant:VALUE" or "normal:STD", but got "normal:-1"}}
func.func @main(%x: tensor<f32> {boost.init = "normal:-1", boost.name = "a"}) -> tensor<f32> {
  return %x : tensor<f32>
}

// -----

// expected-error@+1 {{expects no 'decay' of the batch "x", but got true}}
func.func @main(%x: tensor<f32> {boost.arg = "batch", boost.decay = true, boost.name = "x"}) -> tensor<f32> {
  return %x : tensor<f32>
}

// -----

// expected-error@+1 {{expects no boost.init beside boost.tensor of argument 0, but got "ones"}}
func.func @main(%x: tensor<f32> {boost.init = "ones", boost.tensor = #boost.tensor<param "x">}) -> tensor<f32> {
  return %x : tensor<f32>
}

// -----

// expected-error@+1 {{expects argument 0 to be a parameter or batch, but got a hyper}}
func.func @main(%x: tensor<f32> {boost.tensor = #boost.tensor<hyper "lr", kind = "lr">}) -> tensor<f32> {
  return %x : tensor<f32>
}

// -----

// expected-error@+2 {{expects argument "arg1" of element type f32, f64, bf16, f16, i1 or an integer of 8, 16, 32 or 64 bits, but got 'ui4'}}
// expected-note@+1 {{pass it in a wider type and convert it in the loss}}
func.func @main(%w: tensor<4xf32> {boost.arg = "param"}, %x: tensor<4xui4>) -> tensor<f32> {
  %0 = stablehlo.constant dense<0.0> : tensor<f32>
  return %0 : tensor<f32>
}

// -----

// A program that JAX exported for several platforms.
// expected-error@+2 {{expects the arguments of the loss, but argument 0 is "_platform_index", which JAX passes}}
// expected-note@+1 {{python -m boost_mlir.import_artifact chooses one from an artifact of several}}
func.func @main(%p: tensor<i32> {jax.global_constant = "_platform_index"}, %w: tensor<f32>) -> tensor<f32> {
  return %w : tensor<f32>
}
