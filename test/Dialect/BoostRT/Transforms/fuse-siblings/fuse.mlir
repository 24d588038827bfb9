// RUN: boost-opt %s --boostrt-fuse-siblings | FileCheck %s
// Which kernels become one, and where it stands.

#id = affine_map<(i) -> (i)>

// The later one moves to the earlier one, whose result is read in between.
// CHECK-LABEL: func.func @moves_up(
// CHECK:         %[[R:.*]]:2 = linalg.generic {{.*}} ins(%[[D:.*]], %{{.*}}, %{{.*}} :
// CHECK:           arith.mulf
// CHECK:           arith.addf
// CHECK:           linalg.yield %{{.*}}, %{{.*}} : f32, f32
// CHECK:         linalg.fill {{.*}}outs(%[[R]]#0 :
// CHECK:         return %{{.*}}, %[[R]]#1
func.func @moves_up(%x0: tensor<8xf32>, %x1: tensor<8xf32>, %x2: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %p = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a0: f32, %b1: f32, %o: f32):
    %v = arith.mulf %a0, %b1 : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  %z = arith.constant 0.0 : f32
  %c = linalg.fill ins(%z : f32) outs(%p : tensor<8xf32>) -> tensor<8xf32>
  %q = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x0, %x2 : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a0: f32, %b1: f32, %o: f32):
    %v = arith.addf %a0, %b1 : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  return %c, %q : tensor<8xf32>, tensor<8xf32>
}

// The earlier one moves to the later one, which reads what is computed in between.
// CHECK-LABEL: func.func @moves_down(
// CHECK:         %[[F:.*]] = linalg.fill
// CHECK:         %[[R:.*]]:2 = linalg.generic {{.*}} ins(%{{.*}}, %{{.*}}, %[[F]] :
// CHECK:         return %[[R]]#0, %[[R]]#1
func.func @moves_down(%x0: tensor<8xf32>, %x1: tensor<8xf32>, %x2: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %p = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a0: f32, %b1: f32, %o: f32):
    %v = arith.mulf %a0, %b1 : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  %z = arith.constant 0.0 : f32
  %c = linalg.fill ins(%z : f32) outs(%x2 : tensor<8xf32>) -> tensor<8xf32>
  %q = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x0, %c : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a0: f32, %b1: f32, %o: f32):
    %v = arith.addf %a0, %b1 : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  return %p, %q : tensor<8xf32>, tensor<8xf32>
}

// Neither can move: the later one reads what is made of the earlier one.
// CHECK-LABEL: func.func @depends(
// CHECK-COUNT-2: linalg.generic
// CHECK:         return
func.func @depends(%x0: tensor<8xf32>, %x1: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %p = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a0: f32, %b1: f32, %o: f32):
    %v = arith.mulf %a0, %b1 : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  %z = arith.constant 0.0 : f32
  %c = linalg.fill ins(%z : f32) outs(%p : tensor<8xf32>) -> tensor<8xf32>
  %q = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x0, %c : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a0: f32, %b1: f32, %o: f32):
    %v = arith.addf %a0, %b1 : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  return %p, %q : tensor<8xf32>, tensor<8xf32>
}

// Three become one.
// CHECK-LABEL: func.func @three(
// CHECK:         %[[R:.*]]:3 = linalg.generic
// CHECK-NOT:     linalg.generic
// CHECK:         return %[[R]]#0, %[[R]]#1, %[[R]]#2
func.func @three(%x0: tensor<8xf32>, %x1: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %p = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a0: f32, %b1: f32, %o: f32):
    %v = arith.mulf %a0, %b1 : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  %q = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a0: f32, %b1: f32, %o: f32):
    %v = arith.addf %a0, %b1 : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x1 : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %v = math.exp %a0 : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  return %p, %q, %r : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// Nothing is read by both.
// CHECK-LABEL: func.func @strangers(
// CHECK-COUNT-2: linalg.generic
// CHECK:         return
func.func @strangers(%x0: tensor<8xf32>, %x1: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %p = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x0 : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %v = math.exp %a0 : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x1 : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %v = math.exp %a0 : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  return %p, %q : tensor<8xf32>, tensor<8xf32>
}

// What one computes for the other is read by both as well.
// CHECK-LABEL: func.func @readers_of_a_sibling(
// CHECK:         %[[R:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<8xf32>)
// CHECK:         %[[S:.*]]:2 = linalg.generic {{.*}} ins(%[[R]] :
// CHECK:         return %[[S]]#0, %[[S]]#1
func.func @readers_of_a_sibling(%x0: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %p = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x0 : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %v = math.exp %a0 : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%p : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %v = math.sin %a0 : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%p : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %v = arith.negf %a0 : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  return %q, %r : tensor<8xf32>, tensor<8xf32>
}

// Forward and backward stay apart.
// CHECK-LABEL: func.func @phases(
// CHECK:         linalg.generic
// CHECK:         boost.phase
// CHECK:         linalg.generic
// CHECK:         return
func.func @phases(%x0: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %p = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x0 : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %v = math.exp %a0 : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  boost.phase backward
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x0 : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %v = math.sin %a0 : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  return %p, %q : tensor<8xf32>, tensor<8xf32>
}

// So do layers.
// CHECK-LABEL: func.func @layers(
// CHECK-COUNT-2: linalg.generic
// CHECK:         return
func.func @layers(%x0: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %p = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x0 : tensor<8xf32>) outs(%e : tensor<8xf32>) attrs = {boost.layer = #boost.layer<class = 0, index = 0>} {
  ^bb0(%a0: f32, %o: f32):
    %v = math.exp %a0 : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x0 : tensor<8xf32>) outs(%e : tensor<8xf32>) attrs = {boost.layer = #boost.layer<class = 0, index = 1>} {
  ^bb0(%a0: f32, %o: f32):
    %v = math.sin %a0 : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  return %p, %q : tensor<8xf32>, tensor<8xf32>
}

// Loops of other sizes, other places, and rows that are repeated.
// CHECK-LABEL: func.func @unlike(
// CHECK-COUNT-4: linalg.generic
// CHECK:         return
#id2 = affine_map<(i, j) -> (i, j)>
#transposed = affine_map<(i, j) -> (j, i)>
#row = affine_map<(i, j) -> (j)>
func.func @unlike(%x: tensor<8x8xf32>, %r: tensor<8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<8x8xf32>) {
  %e = tensor.empty() : tensor<8x8xf32>
  %f = tensor.empty() : tensor<8xf32>
  %p = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %v = math.exp %a : f32
    linalg.yield %v : f32
  } -> tensor<8x8xf32>
  %q = linalg.generic {indexing_maps = [#transposed, #id2], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %v = math.sin %a : f32
    linalg.yield %v : f32
  } -> tensor<8x8xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%r : tensor<8xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %v = math.exp %a : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  %t = linalg.generic {indexing_maps = [#row, #id2], iterator_types = ["parallel", "parallel"]} ins(%r : tensor<8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %v = math.exp %a : f32
    linalg.yield %v : f32
  } -> tensor<8x8xf32>
  return %p, %q, %s, %t : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<8x8xf32>
}

// Sums along rows are computed together, each from its own start; a sum of columns is not among them.
// CHECK-LABEL: func.func @sums(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<8x4xf32>
// CHECK-COUNT-3: linalg.fill
// CHECK:         %[[A:.*]] = linalg.fill ins(%{{.*}} : f32)
// CHECK:         %[[B:.*]] = linalg.fill ins(%{{.*}} : f32)
// CHECK:         %[[R:.*]]:2 = linalg.generic {{.*}}["parallel", "reduction"]} ins(%[[X]] : tensor<8x4xf32>) outs(%[[A]], %[[B]] : tensor<8xf32>, tensor<8xf32>) {
// CHECK:           math.exp
// CHECK:           linalg.yield %{{.*}}, %{{.*}} : f32, f32
// CHECK:         %[[C:.*]] = linalg.generic {{.*}}["reduction", "parallel"]
// CHECK:         return %[[R]]#0, %[[R]]#1, %[[C]]
#of_row = affine_map<(i, j) -> (i)>
func.func @sums(%x: tensor<8x4xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = tensor.empty() : tensor<4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %o = linalg.fill ins(%one : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %c = linalg.fill ins(%zero : f32) outs(%f : tensor<4xf32>) -> tensor<4xf32>
  %p = linalg.generic {indexing_maps = [#id2, #of_row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x4xf32>) outs(%z : tensor<8xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %w = math.exp %a : f32
    %v = arith.addf %acc, %w : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  %q = linalg.generic {indexing_maps = [#id2, #of_row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x4xf32>) outs(%o : tensor<8xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %v = arith.mulf %acc, %a : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#id2, #row], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<8x4xf32>) outs(%c : tensor<4xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %v = arith.addf %acc, %a : f32
    linalg.yield %v : f32
  } -> tensor<4xf32>
  return %p, %q, %r : tensor<8xf32>, tensor<8xf32>, tensor<4xf32>
}

// The later one reads what a barrier keeps apart, which is there earlier; its phase begins later than that.
// CHECK-LABEL: func.func @behind_a_barrier(
// CHECK:         boost.phase
// CHECK:         %[[B:.*]] = stablehlo.optimization_barrier
// CHECK:         %[[R:.*]]:2 = linalg.generic {{.*}} ins(%{{.*}}, %{{.*}}, %[[B]] :
// CHECK-NEXT:    ^bb0
// CHECK:         %[[C:.*]] = linalg.fill {{.*}}outs(%[[R]]#0 :
// CHECK:         return %[[C]], %[[R]]#1
func.func @behind_a_barrier(%x0: tensor<8xf32>, %x1: tensor<8xf32>, %x2: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%z : f32) outs(%x2 : tensor<8xf32>) -> tensor<8xf32>
  boost.phase backward
  %p = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a0: f32, %b1: f32, %o: f32):
    %v = arith.mulf %a0, %b1 : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  %c = linalg.fill ins(%z : f32) outs(%p : tensor<8xf32>) -> tensor<8xf32>
  %b = stablehlo.optimization_barrier %f : tensor<8xf32>
  %q = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x0, %b : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a0: f32, %b1: f32, %o: f32):
    %v = arith.addf %a0, %b1 : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  return %c, %q : tensor<8xf32>, tensor<8xf32>
}

// The later one also reads what the earlier one computes, which nothing else does: it is not written.
// CHECK-LABEL: func.func @reads_the_sibling(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<8xf32>, %[[Y:[a-z0-9]+]]: tensor<8xf32>)
// CHECK:         %[[R:.*]]:2 = linalg.generic {{.*}} ins(%[[X]], %[[Y]] : tensor<8xf32>, tensor<8xf32>)
// CHECK:         ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32, %{{.*}}: f32, %{{.*}}: f32):
// CHECK:           %[[E:.*]] = math.exp %[[A]]
// CHECK:           %[[M:.*]] = arith.mulf %[[E]], %[[B]]
// CHECK:           %[[S:.*]] = arith.addf %[[E]], %[[B]]
// CHECK:           linalg.yield %[[M]], %[[S]] : f32, f32
// CHECK:         linalg.fill {{.*}}outs(%[[R]]#0 :
// CHECK:         return %{{.*}}, %[[R]]#1
func.func @reads_the_sibling(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %p:2 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]} ins(%x, %y : tensor<8xf32>, tensor<8xf32>) outs(%e, %e : tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32, %o1: f32):
    %u = math.exp %a : f32
    %v = arith.mulf %u, %b : f32
    linalg.yield %u, %v : f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>)
  %c = linalg.fill ins(%z : f32) outs(%p#1 : tensor<8xf32>) -> tensor<8xf32>
  %q = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%p#0, %y : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %v = arith.addf %a, %b : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  return %c, %q : tensor<8xf32>, tensor<8xf32>
}
