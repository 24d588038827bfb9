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

// expected-error@+1 {{expects boost.arg of argument 0 to be "param" or "batch", but got "weight"}}
func.func @main(%x: tensor<f32> {boost.arg = "weight"}) -> tensor<f32> {
  return %x : tensor<f32>
}

// -----

// expected-error@+1 {{expects parameter 0 to be a float tensor, but got 'tensor<i32>'}}
func.func @main(%x: tensor<i32> {boost.arg = "param"}, %y: tensor<f32>) -> tensor<f32> {
  return %y : tensor<f32>
}

// -----

// expected-error@+2 {{expects unique names, but arguments 0 and 1 are both called "w"}}
// expected-note@+1 {{the other argument is here}}
func.func @main(%x: tensor<f32> {boost.name = "w"}, %y: tensor<f32> {boost.name = "w"}) -> tensor<f32> {
  return %y : tensor<f32>
}

// -----

// A scalar parameter of this name would share its memory with the rate.
// expected-error@+2 {{expects another name for argument 0: "lr" is what the training step, or a file of tensors, calls something of its own}}
// expected-note@+1 {{reserved are loss, outN, grad_norm, lr, step, clip_norm, __metadata__, and what begins with grad., adamw. or acc.}}
func.func @main(%x: tensor<f32> {boost.name = "lr"}) -> tensor<f32> {
  return %x : tensor<f32>
}

// -----

// expected-error@+1 {{expects boost.name of argument 0 to be UTF-8, but got}}
func.func @main(%x: tensor<f32> {boost.name = "\FF"}) -> tensor<f32> {
  return %x : tensor<f32>
}

// -----

// expected-error@+2 {{expects argument "arg1" of element type f32, f64, bf16, f16, i1 or an integer of 8, 32 or 64 bits, but got 'ui16'}}
// expected-note@+1 {{pass it in a wider type and convert it in the loss}}
func.func @main(%w: tensor<4xf32> {boost.arg = "param"}, %x: tensor<4xui16>) -> tensor<f32> {
  %0 = stablehlo.constant dense<0.0> : tensor<f32>
  return %0 : tensor<f32>
}
