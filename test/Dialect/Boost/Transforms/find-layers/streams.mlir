// RUN: boost-opt %s -split-input-file -boost-find-layers | FileCheck %s
// What is a residual stream, and where its layers end.

// The stream may be either operand of an addition.
// CHECK-LABEL: func @skip_on_the_right(
// CHECK: stablehlo.tanh %{{.*}} {boost.layer = #boost.layer<class = 0, index = 0>}
// CHECK: stablehlo.add %{{.*}} {boost.layer = #boost.layer<class = 0, index = 0>}
// CHECK: stablehlo.tanh %{{.*}} {boost.layer = #boost.layer<class = 0, index = 1>}
// CHECK: stablehlo.add %{{.*}} {boost.layer = #boost.layer<class = 0, index = 1>}
func.func @skip_on_the_right(%x: tensor<4x8xf32>, %a: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %x0 = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %h0 = boost.linear %x0, %a : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %t0 = stablehlo.tanh %h0 : tensor<4x8xf32>
  %x1 = stablehlo.add %t0, %x0 : tensor<4x8xf32>
  %h1 = boost.linear %x1, %a : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %t1 = stablehlo.tanh %h1 : tensor<4x8xf32>
  %x2 = stablehlo.add %t1, %x1 : tensor<4x8xf32>
  return %x2 : tensor<4x8xf32>
}

// What is added was not made of the stream, which is read behind it only.
// CHECK-LABEL: func @read_too_late(
// CHECK-NOT: boost.layer
// CHECK: return
func.func @read_too_late(%x: tensor<4x8xf32>, %a: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %x0 = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %h0 = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %r0 = boost.linear %x0, %a : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %x1 = stablehlo.add %x0, %h0 : tensor<4x8xf32>
  %h1 = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %r1 = boost.linear %x1, %a : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %x2 = stablehlo.add %x1, %h1 : tensor<4x8xf32>
  %s = stablehlo.add %r0, %r1 : tensor<4x8xf32>
  %y = stablehlo.add %x2, %s : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// A value that is read behind the addition ends the layer there.
// CHECK-LABEL: func @alone_one_later(
// CHECK: stablehlo.add %{{.*}} {boost.layer = #boost.layer<class = 0, index = 0>}
// CHECK-NEXT: stablehlo.multiply %{{.*}} {boost.layer = #boost.layer<class = 0, index = 0>}
// CHECK-NEXT: boost.linear %{{.*}} {boost.layer = #boost.layer<class = 0, index = 1>}
// CHECK-NEXT: stablehlo.add %{{.*}} {boost.layer = #boost.layer<class = 0, index = 1>}
// CHECK-NEXT: stablehlo.multiply %{{.*}} {boost.layer = #boost.layer<class = 0, index = 1>}
func.func @alone_one_later(%x: tensor<4x8xf32>, %a: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %x0 = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %h0 = boost.linear %x0, %a : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %x1 = stablehlo.add %x0, %h0 : tensor<4x8xf32>
  %n1 = stablehlo.multiply %x1, %x0 : tensor<4x8xf32>
  %h1 = boost.linear %n1, %a : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %x2 = stablehlo.add %n1, %h1 : tensor<4x8xf32>
  %n2 = stablehlo.multiply %x2, %n1 : tensor<4x8xf32>
  return %n2 : tensor<4x8xf32>
}

// What one layer has behind the usual end of a layer is in none.
// CHECK-LABEL: func @usual_end(
// CHECK: stablehlo.tanh %{{.*}} {boost.layer = #boost.layer<class = 0, index = 0>}
// CHECK: stablehlo.tanh %{{.*}} {boost.layer = #boost.layer<class = 0, index = 1>}
// CHECK: stablehlo.tanh %{{.*}} {boost.layer = #boost.layer<class = 0, index = 2>}
// CHECK-NOT: boost.layer
// CHECK: stablehlo.exponential
// CHECK: return
func.func @usual_end(%x: tensor<4x8xf32>, %a: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %x0 = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %h0 = boost.linear %x0, %a : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %s0 = stablehlo.add %x0, %h0 : tensor<4x8xf32>
  %y0 = stablehlo.tanh %s0 : tensor<4x8xf32>
  %h1 = boost.linear %y0, %a : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %s1 = stablehlo.add %y0, %h1 : tensor<4x8xf32>
  %y1 = stablehlo.tanh %s1 : tensor<4x8xf32>
  %h2 = boost.linear %y1, %a : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %s2 = stablehlo.add %y1, %h2 : tensor<4x8xf32>
  %y2 = stablehlo.tanh %s2 : tensor<4x8xf32>
  %e = stablehlo.exponential %y2 : tensor<4x8xf32>
  %z = boost.linear %e, %a : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  return %z : tensor<4x8xf32>
}

// Of two streams of as many layers that of the larger values is taken.
// CHECK-LABEL: func @larger_stream(
// CHECK: stablehlo.add %{{[^{]*}} : tensor<4x8xf32>
// CHECK: stablehlo.add %{{.*}} {boost.layer = #boost.layer<class = 0, index = 0>} : tensor<4x16xf32>
// CHECK: stablehlo.add %{{.*}} {boost.layer = #boost.layer<class = 0, index = 1>} : tensor<4x16xf32>
func.func @larger_stream(%x: tensor<4x8xf32>, %a: tensor<8x8xf32>, %b: tensor<8x16xf32>, %c: tensor<16x16xf32>) -> tensor<4x16xf32> {
  %x0 = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %h0 = boost.linear %x0, %a : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %x1 = stablehlo.add %x0, %h0 : tensor<4x8xf32>
  %h1 = boost.linear %x1, %a : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %x2 = stablehlo.add %x1, %h1 : tensor<4x8xf32>
  %u0 = boost.linear %x2, %b : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %g0 = boost.linear %u0, %c : (tensor<4x16xf32>, tensor<16x16xf32>) -> tensor<4x16xf32>
  %u1 = stablehlo.add %u0, %g0 : tensor<4x16xf32>
  %g1 = boost.linear %u1, %c : (tensor<4x16xf32>, tensor<16x16xf32>) -> tensor<4x16xf32>
  %u2 = stablehlo.add %u1, %g1 : tensor<4x16xf32>
  return %u2 : tensor<4x16xf32>
}

// Latents are handed on beside the stream, whichever operand that is: a layer ends with the stream.
// CHECK-LABEL: func @handed_on(
// CHECK: stablehlo.add %{{.*}} {boost.layer = #boost.layer<class = 0, index = 0>} : tensor<4x8xf32>
// CHECK: stablehlo.add %{{.*}} : tensor<4x8xf32>
// CHECK: stablehlo.add %{{.*}} : tensor<4x8xf32>
func.func @handed_on(%x: tensor<4x8xf32>, %a: tensor<8x8xf32>, %b: tensor<8x2xf32>, %c: tensor<2x8xf32>) -> tensor<4x8xf32> {
  %x0 = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %l0 = boost.linear %x0, %b : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %t0 = boost.linear %l0, %c : (tensor<4x2xf32>, tensor<2x8xf32>) -> tensor<4x8xf32>
  %x1 = stablehlo.add %t0, %x0 : tensor<4x8xf32>
  %l1 = boost.linear %x1, %b : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %m1 = stablehlo.add %l1, %l0 : tensor<4x2xf32>
  %t1 = boost.linear %m1, %c : (tensor<4x2xf32>, tensor<2x8xf32>) -> tensor<4x8xf32>
  %x2 = stablehlo.add %t1, %x1 : tensor<4x8xf32>
  %l2 = boost.linear %x2, %b : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %m2 = stablehlo.add %l2, %m1 : tensor<4x2xf32>
  %t2 = boost.linear %m2, %c : (tensor<4x2xf32>, tensor<2x8xf32>) -> tensor<4x8xf32>
  %x3 = stablehlo.add %t2, %x2 : tensor<4x8xf32>
  return %x3 : tensor<4x8xf32>
}

// Latents are handed on beside the stream, whichever operand that is: a layer ends with the stream.
// CHECK-LABEL: func @handed_on_skip_first(
// CHECK: stablehlo.add %{{.*}} {boost.layer = #boost.layer<class = 0, index = 0>} : tensor<4x8xf32>
// CHECK: stablehlo.add %{{.*}} : tensor<4x8xf32>
// CHECK: stablehlo.add %{{.*}} : tensor<4x8xf32>
func.func @handed_on_skip_first(%x: tensor<4x8xf32>, %a: tensor<8x8xf32>, %b: tensor<8x2xf32>, %c: tensor<2x8xf32>) -> tensor<4x8xf32> {
  %x0 = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %l0 = boost.linear %x0, %b : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %t0 = boost.linear %l0, %c : (tensor<4x2xf32>, tensor<2x8xf32>) -> tensor<4x8xf32>
  %x1 = stablehlo.add %x0, %t0 : tensor<4x8xf32>
  %l1 = boost.linear %x1, %b : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %m1 = stablehlo.add %l1, %l0 : tensor<4x2xf32>
  %t1 = boost.linear %m1, %c : (tensor<4x2xf32>, tensor<2x8xf32>) -> tensor<4x8xf32>
  %x2 = stablehlo.add %x1, %t1 : tensor<4x8xf32>
  %l2 = boost.linear %x2, %b : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %m2 = stablehlo.add %l2, %m1 : tensor<4x2xf32>
  %t2 = boost.linear %m2, %c : (tensor<4x2xf32>, tensor<2x8xf32>) -> tensor<4x8xf32>
  %x3 = stablehlo.add %x2, %t2 : tensor<4x8xf32>
  return %x3 : tensor<4x8xf32>
}

// Nor is what stands between two layers.
// CHECK-LABEL: func @between_layers(
// CHECK: stablehlo.tanh %{{.*}} {boost.layer = #boost.layer<class = 0, index = 0>}
// CHECK: stablehlo.tanh %{{.*}} {boost.layer = #boost.layer<class = 0, index = 1>}
// CHECK-NEXT: stablehlo.exponential %{{[0-9a-z]+}} :
// CHECK-NEXT: boost.linear %{{.*}} {boost.layer = #boost.layer<class = 0, index = 2>}
// CHECK: stablehlo.tanh %{{.*}} {boost.layer = #boost.layer<class = 0, index = 2>}
// CHECK: stablehlo.tanh %{{.*}} {boost.layer = #boost.layer<class = 0, index = 3>}
func.func @between_layers(%x: tensor<4x8xf32>, %a: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %x0 = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %h0 = boost.linear %x0, %a : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %s0 = stablehlo.add %x0, %h0 : tensor<4x8xf32>
  %y0 = stablehlo.tanh %s0 : tensor<4x8xf32>
  %h1 = boost.linear %y0, %a : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %s1 = stablehlo.add %y0, %h1 : tensor<4x8xf32>
  %y1 = stablehlo.tanh %s1 : tensor<4x8xf32>
  %e = stablehlo.exponential %y1 : tensor<4x8xf32>
  %h2 = boost.linear %e, %a : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %s2 = stablehlo.add %e, %h2 : tensor<4x8xf32>
  %y2 = stablehlo.tanh %s2 : tensor<4x8xf32>
  %h3 = boost.linear %y2, %a : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %s3 = stablehlo.add %y2, %h3 : tensor<4x8xf32>
  %y3 = stablehlo.tanh %s3 : tensor<4x8xf32>
  return %y3 : tensor<4x8xf32>
}
