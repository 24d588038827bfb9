// RUN: boost-opt %s -boost-raise-bottleneck | FileCheck %s
// Linears around any function of a latent are marked as its factors.

// CHECK-LABEL: func @tanh
// CHECK: boost.linear %{{.*}}, %arg1 {boost.factor = "first"}
// CHECK: boost.linear %{{.*}}, %arg2 {boost.factor = "second"}
func.func @tanh(%x: tensor<4x8xf32>, %a: tensor<8x2xf32>, %b: tensor<2x6xf32>) -> tensor<4x6xf32> {
  %h = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %z = stablehlo.tanh %h : tensor<4x2xf32>
  %y = boost.linear %z, %b : (tensor<4x2xf32>, tensor<2x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// Two latents meet, with a learned scale, in a norm that two second factors
// read.
// CHECK-LABEL: func @gate_and_norm
// CHECK: boost.linear %arg0, %arg1 {boost.factor = "first"}
// CHECK: boost.linear %arg0, %arg2 {boost.factor = "first"}
// CHECK: boost.linear %{{.*}}, %arg3 {boost.factor = "second"}
// CHECK: boost.linear %{{.*}}, %arg4 {boost.factor = "second"}
func.func @gate_and_norm(%x: tensor<4x8xf32>, %a: tensor<8x2xf32>, %c: tensor<8x2xf32>, %b: tensor<2x6xf32>,
                         %d: tensor<2x2xf32>, %s: tensor<4x2xf32>, %g: tensor<2xf32>)
    -> (tensor<4x6xf32>, tensor<4x2xf32>) {
  %h = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %k = boost.linear %x, %c : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %m = stablehlo.multiply %h, %k : tensor<4x2xf32>
  %z = stablehlo.multiply %m, %s : tensor<4x2xf32>
  %n = boost.rms_norm %z, %g {eps = 1.0e-6 : f64} : tensor<4x2xf32>, tensor<2xf32>
  %y = boost.linear %n, %b : (tensor<4x2xf32>, tensor<2x6xf32>) -> tensor<4x6xf32>
  %w = boost.linear %n, %d : (tensor<4x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
  return %y, %w : tensor<4x6xf32>, tensor<4x2xf32>
}

// A linear between, even to a wider latent.
// CHECK-LABEL: func @middle
// CHECK: boost.linear %arg0, %arg1 {boost.factor = "first"}
// CHECK: boost.linear %{{.*}}, %arg2 {boost.factor = "middle"}
// CHECK: boost.linear %{{.*}}, %arg3 {boost.factor = "second"}
func.func @middle(%x: tensor<4x8xf32>, %a: tensor<8x2xf32>, %c: tensor<2x3xf32>, %b: tensor<3x8xf32>) -> tensor<4x8xf32> {
  %h = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %t = stablehlo.tanh %h : tensor<4x2xf32>
  %k = boost.linear %t, %c : (tensor<4x2xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %z = stablehlo.tanh %k : tensor<4x3xf32>
  %y = boost.linear %z, %b : (tensor<4x3xf32>, tensor<3x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// A latent of wide features is narrower than these, and wider than the model.
// CHECK-LABEL: func @down
// CHECK: boost.linear %arg0, %arg1 {boost.factor = "first"}
// CHECK: boost.linear %{{.*}}, %arg2 {boost.factor = "second"}
func.func @down(%x: tensor<4x16xf32>, %a: tensor<16x2xf32>, %b: tensor<2x8xf32>, %e: tensor<5x8xf32>, %i: tensor<4xi32>)
    -> tensor<4x8xf32> {
  %stream = boost.embedding %e, %i : (tensor<5x8xf32>, tensor<4xi32>) -> tensor<4x8xf32>
  %h = boost.linear %x, %a : (tensor<4x16xf32>, tensor<16x2xf32>) -> tensor<4x2xf32>
  %z = stablehlo.tanh %h : tensor<4x2xf32>
  %y = boost.linear %z, %b : (tensor<4x2xf32>, tensor<2x8xf32>) -> tensor<4x8xf32>
  %sum = stablehlo.add %stream, %y : tensor<4x8xf32>
  return %sum : tensor<4x8xf32>
}

// CHECK-LABEL: func @no_latents
// CHECK-NOT: boost.factor
// CHECK: return
// What is returned, or meets an activation, or leads to nothing wider.
func.func @no_latents(%x: tensor<4x8xf32>, %a: tensor<8x2xf32>, %b: tensor<2x6xf32>, %c: tensor<2x2xf32>,
                      %e: tensor<5x2xf32>, %i: tensor<4xi32>)
    -> (tensor<4x6xf32>, tensor<4x2xf32>, tensor<4x6xf32>, tensor<4x2xf32>) {
  %h = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %t = stablehlo.tanh %h : tensor<4x2xf32>
  %y = boost.linear %t, %b : (tensor<4x2xf32>, tensor<2x6xf32>) -> tensor<4x6xf32>
  %stream = boost.embedding %e, %i : (tensor<5x2xf32>, tensor<4xi32>) -> tensor<4x2xf32>
  %k = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %m = stablehlo.multiply %k, %stream : tensor<4x2xf32>
  %z = boost.linear %m, %b : (tensor<4x2xf32>, tensor<2x6xf32>) -> tensor<4x6xf32>
  %l = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %u = stablehlo.tanh %l : tensor<4x2xf32>
  %v = boost.linear %u, %c : (tensor<4x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
  %w = stablehlo.add %v, %stream : tensor<4x2xf32>
  return %y, %t, %z, %w : tensor<4x6xf32>, tensor<4x2xf32>, tensor<4x6xf32>, tensor<4x2xf32>
}

// Rows of a table are latents too, if only a linear that widens them reads
// them in the end.
// CHECK-LABEL: func @embedding
// CHECK: boost.embedding %arg0, %arg2 {boost.factor = "first"}
// CHECK: boost.linear %{{.*}}, %arg1 {boost.factor = "second"}
func.func @embedding(%t: tensor<32x2xf32>, %p: tensor<2x8xf32>, %i: tensor<4xi32>) -> tensor<4x8xf32> {
  %e = boost.embedding %t, %i : (tensor<32x2xf32>, tensor<4xi32>) -> tensor<4x2xf32>
  %z = stablehlo.tanh %e : tensor<4x2xf32>
  %y = boost.linear %z, %p : (tensor<4x2xf32>, tensor<2x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// Something else reads these: they are the residual stream.
// CHECK-LABEL: func @stream
// CHECK: boost.embedding %arg0, %arg2 :
// CHECK: boost.linear %{{.*}}, %arg1 :
func.func @stream(%t: tensor<32x2xf32>, %p: tensor<2x8xf32>, %i: tensor<4xi32>)
    -> (tensor<4x2xf32>, tensor<4x8xf32>) {
  %e = boost.embedding %t, %i : (tensor<32x2xf32>, tensor<4xi32>) -> tensor<4x2xf32>
  %y = boost.linear %e, %p : (tensor<4x2xf32>, tensor<2x8xf32>) -> tensor<4x8xf32>
  return %e, %y : tensor<4x2xf32>, tensor<4x8xf32>
}

// A part of a latent that all heads share is repeated for each of them, which is
// a product with ones. An embedding before it is no latent.
// CHECK-LABEL: func @repeated_part
// CHECK: boost.embedding %arg0, %arg3 :
// CHECK: boost.linear %{{.*}}, %arg1 {boost.factor = "first"}
// CHECK: boost.linear %{{.*}}, %arg2 {boost.factor = "second"}
func.func @repeated_part(%t: tensor<64x16xf32>, %a: tensor<16x3xf32>, %b: tensor<2x16xf32>, %i: tensor<4xi32>)
    -> (tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x8x1xf32>) {
  %e = boost.embedding %t, %i : (tensor<64x16xf32>, tensor<4xi32>) -> tensor<4x16xf32>
  %h = boost.linear %e, %a : (tensor<4x16xf32>, tensor<16x3xf32>) -> tensor<4x3xf32>
  %l = stablehlo.slice %h [0:4, 0:2] : (tensor<4x3xf32>) -> tensor<4x2xf32>
  %y = boost.linear %l, %b : (tensor<4x2xf32>, tensor<2x16xf32>) -> tensor<4x16xf32>
  %s = stablehlo.slice %h [0:4, 2:3] : (tensor<4x3xf32>) -> tensor<4x1xf32>
  %r = stablehlo.tanh %s : tensor<4x1xf32>
  %k = stablehlo.broadcast_in_dim %r, dims = [0, 2] : (tensor<4x1xf32>) -> tensor<4x8x1xf32>
  return %e, %y, %k : tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x8x1xf32>
}
