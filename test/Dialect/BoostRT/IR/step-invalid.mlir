// RUN: boost-opt %s -split-input-file -verify-diagnostics
// The optimizer, norms of gradients and copies.

func.func @outs(%g: tensor<4xf32>, %lr: tensor<f32>, %s: tensor<f32>, %p: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>) {
  // expected-error @below {{expects 3 outs, but got 2}}
  %0:2 = boostrt.adamw grads(%g : tensor<4xf32>) ins(%lr, %s, %s, %s, %s, %s, %s, %s, %s, %s : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>)
      outs(%p, %m : tensor<4xf32>, tensor<4xf32>)
      {decays = array<i1: false>} -> tensor<4xf32>, tensor<4xf32>
  return
}

// -----

func.func @parameter(%g: tensor<4xf32>, %lr: tensor<f32>, %s: tensor<f32>, %p: tensor<4xi32>, %m: tensor<4xf32>, %v: tensor<4xf32>) {
  // expected-error @below {{expects a parameter of f32, bf16, f16 or f64, but got}}
  %0:3 = boostrt.adamw grads(%g : tensor<4xf32>) ins(%lr, %s, %s, %s, %s, %s, %s, %s, %s, %s : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>)
      outs(%p, %m, %v : tensor<4xi32>, tensor<4xf32>, tensor<4xf32>)
      {decays = array<i1: false>} -> tensor<4xi32>, tensor<4xf32>, tensor<4xf32>
  return
}

// -----

func.func @moment(%g: tensor<4xf32>, %lr: tensor<f32>, %s: tensor<f32>, %p: tensor<4xf32>, %m: tensor<5xf32>, %v: tensor<4xf32>) {
  // expected-error @below {{expects a first moment of shape [4], but got}}
  %0:3 = boostrt.adamw grads(%g : tensor<4xf32>) ins(%lr, %s, %s, %s, %s, %s, %s, %s, %s, %s : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>)
      outs(%p, %m, %v : tensor<4xf32>, tensor<5xf32>, tensor<4xf32>)
      {decays = array<i1: false>} -> tensor<4xf32>, tensor<5xf32>, tensor<4xf32>
  return
}

// -----

func.func @moment_type(%g: tensor<4xf32>, %lr: tensor<f32>, %s: tensor<f32>, %p: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xbf16>) {
  // expected-error @below {{expects a second moment of element type 'f32', but got}}
  %0:3 = boostrt.adamw grads(%g : tensor<4xf32>) ins(%lr, %s, %s, %s, %s, %s, %s, %s, %s, %s : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>)
      outs(%p, %m, %v : tensor<4xf32>, tensor<4xf32>, tensor<4xbf16>)
      {decays = array<i1: false>} -> tensor<4xf32>, tensor<4xf32>, tensor<4xbf16>
  return
}

// -----

func.func @gradient(%g: tensor<5xf32>, %lr: tensor<f32>, %s: tensor<f32>, %p: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>) {
  // expected-error @below {{expects a gradient of shape [4], but got}}
  %0:3 = boostrt.adamw grads(%g : tensor<5xf32>) ins(%lr, %s, %s, %s, %s, %s, %s, %s, %s, %s : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>)
      outs(%p, %m, %v : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
      {decays = array<i1: false>} -> tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return
}

// -----

func.func @gradient_type(%g: tensor<4xf16>, %lr: tensor<f32>, %s: tensor<f32>, %p: tensor<4xbf16>, %m: tensor<4xf32>, %v: tensor<4xf32>) {
  // expected-error @below {{expects gradients of element type 'bf16' or 'f32', but got 'tensor<4xf16>'}}
  %0:3 = boostrt.adamw grads(%g : tensor<4xf16>) ins(%lr, %s, %s, %s, %s, %s, %s, %s, %s, %s : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>)
      outs(%p, %m, %v : tensor<4xbf16>, tensor<4xf32>, tensor<4xf32>)
      {decays = array<i1: false>} -> tensor<4xbf16>, tensor<4xf32>, tensor<4xf32>
  return
}

// -----

func.func @gradient_of_f32(%g: tensor<4xf64>, %lr: tensor<f32>, %s: tensor<f32>, %p: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>) {
  // expected-error @below {{expects gradients of element type 'f32', bf16 or f16, but got 'tensor<4xf64>'}}
  %0:3 = boostrt.adamw grads(%g : tensor<4xf64>) ins(%lr, %s, %s, %s, %s, %s, %s, %s, %s, %s : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>)
      outs(%p, %m, %v : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
      {decays = array<i1: false>} -> tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return
}

// -----

func.func @second_gradient_type(%g: tensor<4xf32>, %h: tensor<4xbf16>, %s: tensor<f32>, %p: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>) {
  // expected-error @below {{expects a gradient of element type 'f32', but got 'tensor<4xbf16>'}}
  %0:6 = boostrt.adamw grads(%g, %h : tensor<4xf32>, tensor<4xbf16>) ins(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>)
      outs(%p, %m, %v, %p, %m, %v : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
      {decays = array<i1: false, false>}
      -> tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return
}

// -----

func.func @decays(%g: tensor<4xf32>, %s: tensor<f32>, %p: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>) {
  // expected-error @below {{expects 1 flags of decay, but got 2}}
  %0:3 = boostrt.adamw grads(%g : tensor<4xf32>) ins(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>)
      outs(%p, %m, %v : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
      {decays = array<i1: false, false>} -> tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return
}

// -----

func.func @no_gradient(%s: tensor<f32>) {
  // expected-error @below {{expects 1 to 64 gradients, but got 0}}
  "boostrt.adamw"(%s, %s, %s, %s, %s, %s, %s) {decays = array<i1>, operandSegmentSizes = array<i32: 0, 7, 0>}
      : (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> ()
  return
}

// -----

func.func @numbers(%g: tensor<4xf32>, %s: tensor<f32>, %p: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>) {
  // expected-error @below {{expects 10 numbers, but got 2}}
  %0:3 = boostrt.adamw grads(%g : tensor<4xf32>) ins(%s, %s : tensor<f32>, tensor<f32>)
      outs(%p, %m, %v : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {decays = array<i1: true>} -> tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return
}

// -----

func.func @rate(%g: tensor<4xf32>, %lr: tensor<1xf32>, %s: tensor<f32>, %p: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>) {
  // expected-error @below {{expects a learning rate of shape [], but got}}
  %0:3 = boostrt.adamw grads(%g : tensor<4xf32>) ins(%lr, %s, %s, %s, %s, %s, %s, %s, %s, %s : tensor<1xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>)
      outs(%p, %m, %v : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
      {decays = array<i1: false>} -> tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return
}

// -----

func.func @rate_type(%g: tensor<4xf32>, %lr: tensor<f64>, %s: tensor<f32>, %p: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>) {
  // expected-error @below {{expects a learning rate of element type 'f32', but got}}
  %0:3 = boostrt.adamw grads(%g : tensor<4xf32>) ins(%lr, %s, %s, %s, %s, %s, %s, %s, %s, %s : tensor<f64>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>)
      outs(%p, %m, %v : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
      {decays = array<i1: false>} -> tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return
}

// -----

func.func @beta_type(%g: tensor<4xf32>, %b: tensor<f64>, %s: tensor<f32>, %p: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>) {
  // expected-error @below {{expects beta2 of element type 'f32', but got}}
  %0:3 = boostrt.adamw grads(%g : tensor<4xf32>) ins(%s, %s, %s, %s, %b, %s, %s, %s, %s, %s : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f64>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>)
      outs(%p, %m, %v : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
      {decays = array<i1: false>} -> tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return
}

// -----

func.func @one_moment(%g: memref<4xf32>, %s: memref<f32>, %p: memref<4xf32>, %m: memref<4xf32>) {
  // expected-error @below {{expects outs that share no memory with other operands, but operands 12 and 13 are one buffer}}
  boostrt.adamw grads(%g : memref<4xf32>) ins(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s : memref<f32>, memref<f32>, memref<f32>, memref<f32>, memref<f32>, memref<f32>, memref<f32>, memref<f32>, memref<f32>, memref<f32>)
      outs(%p, %m, %m : memref<4xf32>, memref<4xf32>, memref<4xf32>) {decays = array<i1: false>}
  return
}

// -----

func.func @sum_of_nothing(%o: tensor<f32>) {
  // expected-error @below {{expects one input or more, but got none}}
  %0 = "boostrt.sum_of_squares"(%o) : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @sum_of_integers(%x: tensor<4xi32>, %o: tensor<f32>) {
  // expected-error @below {{expects an input of f32, bf16, f16 or f64, but got 'tensor<4xi32>'}}
  %0 = boostrt.sum_of_squares ins(%x : tensor<4xi32>) outs(%o : tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @sum_type(%x: tensor<4xf64>, %o: tensor<f64>) {
  // expected-error @below {{expects an out of element type 'f32', but got 'tensor<f64>'}}
  %0 = boostrt.sum_of_squares ins(%x : tensor<4xf64>) outs(%o : tensor<f64>) -> tensor<f64>
  return
}

// -----

func.func @sum_shape(%x: tensor<4xf32>, %o: tensor<1xf32>) {
  // expected-error @below {{expects an out of shape [], but got 'tensor<1xf32>'}}
  %0 = boostrt.sum_of_squares ins(%x : tensor<4xf32>) outs(%o : tensor<1xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @copy_count(%x: tensor<4xf32>, %o: tensor<5xf32>) {
  // expected-error @below {{expects an out of 4 elements of type 'f32', but got 'tensor<5xf32>'}}
  %0 = boostrt.copy ins(%x : tensor<4xf32>) outs(%o : tensor<5xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @copy_type(%x: tensor<4xf32>, %o: tensor<4xi32>) {
  // expected-error @below {{expects an out of 4 elements of type 'f32', but got 'tensor<4xi32>'}}
  %0 = boostrt.copy ins(%x : tensor<4xf32>) outs(%o : tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @probe_site(%x: tensor<4xf32>) {
  // expected-error @below {{expects a site of at least 0, but got -1}}
  boostrt.probe %x as "x" site -1 sharding <{}> : tensor<4xf32>
  return
}

// -----

func.func @probe_rows(%x: tensor<4xf32>) {
  // expected-error @below {{expects rows of a tensor with at least as many, but got [-1, 4] for 'tensor<4xf32>'}}
  boostrt.probe %x as "x" site 0 sharding <{}> rows [-1, 4] : tensor<4xf32>
  return
}

// -----

func.func @probe_sharding(%x: tensor<4xf32>) {
  // expected-error @below {{expects 1 dimensions in sharding, but got 0}}
  boostrt.probe %x as "x" site 0 sharding <> : tensor<4xf32>
  return
}

// -----

func.func @too_many_updates(%g: tensor<4xf32>, %s: tensor<f32>, %p: tensor<4xf32>, %m: tensor<4xf32>) {
  // expected-error @below {{expects 1 to 64 gradients, but got 65}}
  %0:195 = boostrt.adamw grads(%g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g, %g : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) ins(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>)
      outs(%p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %p, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m, %m : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
      {decays = array<i1: true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true>} -> tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return
}

// -----

func.func @sum_style(%x: tensor<4xf32>, %o: memref<f32>) {
  // expected-error @below {{expects either tensors or memrefs, but got both}}
  boostrt.sum_of_squares ins(%x : tensor<4xf32>) outs(%o : memref<f32>)
  return
}

// -----

func.func @rounded_of_bf16(%p: tensor<4xbf16>, %m: tensor<4xf32>, %g: tensor<4xbf16>, %r: tensor<4xf16>, %s: tensor<f32>) {
  // expected-error@+1 {{expects rounded parameters of bf16 or f16 beside those of f32, but got 'f16' beside 'bf16'}}
  %0:4 = boostrt.adamw grads(%g : tensor<4xbf16>) ins(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) outs(%p, %m, %m, %r : tensor<4xbf16>, tensor<4xf32>, tensor<4xf32>, tensor<4xf16>) {decays = array<i1: true>} -> tensor<4xbf16>, tensor<4xf32>, tensor<4xf32>, tensor<4xf16>
  return
}

// -----

func.func @rounded_to_f64(%p: tensor<4xf32>, %m: tensor<4xf32>, %g: tensor<4xbf16>, %r: tensor<4xf64>, %s: tensor<f32>) {
  // expected-error@+1 {{expects rounded parameters of bf16 or f16 beside those of f32, but got 'f64' beside 'f32'}}
  %0:4 = boostrt.adamw grads(%g : tensor<4xbf16>) ins(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) outs(%p, %m, %m, %r : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf64>) {decays = array<i1: true>} -> tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf64>
  return
}

// -----

func.func @rounded_shape(%p: tensor<4xf32>, %m: tensor<4xf32>, %g: tensor<4xbf16>, %r: tensor<5xbf16>, %s: tensor<f32>) {
  // expected-error@+1 {{expects a rounded parameter of shape [4], but got 'tensor<5xbf16>'}}
  %0:4 = boostrt.adamw grads(%g : tensor<4xbf16>) ins(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) outs(%p, %m, %m, %r : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<5xbf16>) {decays = array<i1: true>} -> tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<5xbf16>
  return
}
