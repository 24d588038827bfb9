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

// A product of weights is none of an activation: nothing is added to the stream but passes over it.
// CHECK-LABEL: func @products_of_weights(
// CHECK-NOT: boost.layer
// CHECK: return
func.func @products_of_weights(%x: tensor<4x8xf32>, %a: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %x0 = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %t0 = stablehlo.tanh %x0 : tensor<4x8xf32>
  %w0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %x1 = stablehlo.add %x0, %t0 : tensor<4x8xf32>
  %t1 = stablehlo.tanh %x1 : tensor<4x8xf32>
  %w1 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %x2 = stablehlo.add %x1, %t1 : tensor<4x8xf32>
  %y = boost.linear %x2, %w0 : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %z = boost.linear %y, %w1 : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  return %z : tensor<4x8xf32>
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
