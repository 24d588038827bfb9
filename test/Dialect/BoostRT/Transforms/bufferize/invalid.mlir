// RUN: boost-opt %s --boostrt-bufferize -split-input-file -verify-diagnostics
// Straight-line code on tensors of static shape becomes calls on memrefs, and nothing else.

// expected-error @below {{expects one block of straight-line code}}
func.func @blocks(%x: tensor<4xf32> {boost.tensor = #boost.tensor<batch "x">}) {
  cf.br ^next
^next:
  return
}

// -----

// expected-error @below {{expects statically shaped tensors as arguments and results, but got 'tensor<?xf32>'}}
func.func @dynamic(%x: tensor<?xf32> {boost.tensor = #boost.tensor<batch "x">}) {
  return
}

// -----

// expected-error @below {{expects statically shaped tensors as arguments and results, but got 'f32'}}
func.func @scalar(%x: f32) {
  return
}

// -----

func.func @not_lowered(%x: tensor<4xf32> {boost.tensor = #boost.tensor<batch "x">})
    -> (tensor<4xf32> {boost.tensor = #boost.tensor<output "y">}) {
  // expected-error @below {{is not a runtime operation on tensors; expects linalg, boostrt, tensor.empty, reshapes and slices}}
  %0 = stablehlo.tanh %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Arguments are looked at first.
// expected-error @below {{expects statically shaped tensors as arguments and results, but got 'f32'}}
func.func @scalar_to_dynamic(%x: f32) -> tensor<?xf32> {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = tensor.cast %0 : tensor<4xf32> to tensor<?xf32>
  return %1 : tensor<?xf32>
}
