// RUN: boost-opt %s --boostrt-fuse-elementwise | FileCheck %s
// What is computed again for each of several readers, and what moves into its only one.

#id = affine_map<(i) -> (i)>
#number = affine_map<(i) -> ()>
#id2 = affine_map<(i, j) -> (i, j)>
#rows = affine_map<(i, j) -> (i)>
#transposed = affine_map<(i, j) -> (j, i)>

// A scalar operand is no tensor of several elements.
// CHECK-LABEL: func.func @of_a_scalar(
// CHECK-COUNT-2: arith.negf
// CHECK-NOT:     arith.negf
// CHECK:         return
func.func @of_a_scalar(%x: tensor<8xf32>, %s: f32) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %m = linalg.generic {indexing_maps = [#number, #id], iterator_types = ["parallel"]} ins(%s : f32) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %v = arith.negf %a : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  %b = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %m : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%c: f32, %d: f32, %o: f32):
    %v = arith.addf %c, %d : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  %f = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %m : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%c: f32, %d: f32, %o: f32):
    %v = arith.mulf %c, %d : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  return %b, %f : tensor<8xf32>, tensor<8xf32>
}

// Costly arithmetic is done once, also on one number.
// CHECK-LABEL: func.func @costly_of_one_number(
// CHECK-COUNT-1: math.exp
// CHECK-NOT:     math.exp
// CHECK:         return
func.func @costly_of_one_number(%x: tensor<8xf32>, %s: tensor<f32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %m = linalg.generic {indexing_maps = [#number, #id], iterator_types = ["parallel"]} ins(%s : tensor<f32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %v = math.exp %a : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  %b = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %m : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%c: f32, %d: f32, %o: f32):
    %v = arith.addf %c, %d : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  %f = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %m : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%c: f32, %d: f32, %o: f32):
    %v = arith.mulf %c, %d : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  return %b, %f : tensor<8xf32>, tensor<8xf32>
}

// A broadcast and a transpose move into both readers.
// CHECK-LABEL: func.func @moved_twice(
// CHECK-SAME:    %[[R:[a-z0-9]+]]: tensor<4xf32>, %[[T:[a-z0-9]+]]: tensor<4x4xf32>)
// CHECK:         linalg.generic {{.*}} ins(%[[R]], %[[T]] :
// CHECK:         linalg.generic {{.*}} ins(%[[R]], %[[T]] :
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @moved_twice(%r: tensor<4xf32>, %t: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %e = tensor.empty() : tensor<4x4xf32>
  %m = linalg.generic {indexing_maps = [#rows, #id2], iterator_types = ["parallel", "parallel"]} ins(%r : tensor<4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<4x4xf32>
  %n = linalg.generic {indexing_maps = [#transposed, #id2], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<4x4xf32>
  %b = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%m, %n : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%c: f32, %d: f32, %o: f32):
    %v = arith.addf %c, %d : f32
    linalg.yield %v : f32
  } -> tensor<4x4xf32>
  %f = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%m, %n : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%c: f32, %d: f32, %o: f32):
    %v = arith.mulf %c, %d : f32
    linalg.yield %v : f32
  } -> tensor<4x4xf32>
  return %b, %f : tensor<4x4xf32>, tensor<4x4xf32>
}

// Cheap arithmetic is repeated for every column.
// CHECK-LABEL: func.func @cheap_for_columns(
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @cheap_for_columns(%r: tensor<4xf32>, %t: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %m = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%r : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %v = arith.negf %a : f32
    linalg.yield %v : f32
  } -> tensor<4xf32>
  %f = tensor.empty() : tensor<4x4xf32>
  %b = linalg.generic {indexing_maps = [#rows, #id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%m, %t : tensor<4xf32>, tensor<4x4xf32>) outs(%f : tensor<4x4xf32>) {
  ^bb0(%c: f32, %d: f32, %o: f32):
    %v = arith.addf %c, %d : f32
    linalg.yield %v : f32
  } -> tensor<4x4xf32>
  return %b : tensor<4x4xf32>
}

// A sum computes the exponentials that only it reads.
// CHECK-LABEL: func.func @costly_in_a_sum(
// CHECK:         linalg.generic {{.*}}"reduction"
// CHECK-NEXT:    ^bb0
// CHECK-NEXT:      math.exp
// CHECK-NEXT:      arith.addf
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @costly_in_a_sum(%t: tensor<4x4xf32>, %i: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  %m = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %v = math.exp %a : f32
    linalg.yield %v : f32
  } -> tensor<4x4xf32>
  %b = linalg.generic {indexing_maps = [#id2, #rows], iterator_types = ["parallel", "reduction"]} ins(%m : tensor<4x4xf32>) outs(%i : tensor<4xf32>) {
  ^bb0(%c: f32, %o: f32):
    %v = arith.addf %c, %o : f32
    linalg.yield %v : f32
  } -> tensor<4xf32>
  return %b : tensor<4xf32>
}

// Exponentials with another reader are in memory before they are summed.
// CHECK-LABEL: func.func @sum_of_kept(
// CHECK:         %[[M:.*]] = linalg.generic {{.*}}["parallel", "parallel"]
// CHECK:           math.exp
// CHECK:         linalg.generic {{.*}}"reduction"]} ins(%[[M]] :
// CHECK:         return %[[M]],
func.func @sum_of_kept(%t: tensor<4x4xf32>, %i: tensor<4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4x4xf32>
  %m = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %v = math.exp %a : f32
    linalg.yield %v : f32
  } -> tensor<4x4xf32>
  %b = linalg.generic {indexing_maps = [#id2, #rows], iterator_types = ["parallel", "reduction"]} ins(%m : tensor<4x4xf32>) outs(%i : tensor<4xf32>) {
  ^bb0(%c: f32, %o: f32):
    %v = arith.addf %c, %o : f32
    linalg.yield %v : f32
  } -> tensor<4xf32>
  return %m, %b : tensor<4x4xf32>, tensor<4xf32>
}

// Two operands of the first reader are the same value.
// CHECK-LABEL: func.func @read_as_both_operands(
// CHECK:         %[[R:.*]]:2 = linalg.generic {{.*}}
// CHECK:           math.exp
// CHECK-NOT:     math.exp
// CHECK-NOT:     linalg.generic
// CHECK:         return %[[R]]#0, %[[R]]#1
func.func @read_as_both_operands(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %m = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %v = math.exp %a : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  %b = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%m, %m : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%c: f32, %d: f32, %o: f32):
    %v = arith.mulf %c, %d : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  return %m, %b : tensor<8xf32>, tensor<8xf32>
}

// So are both results of what computes two values.
// CHECK-LABEL: func.func @two_results(
// CHECK-COUNT-1: linalg.generic
// CHECK:           math.exp
// CHECK:           math.sin
// CHECK:           arith.mulf
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @two_results(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %m:2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e, %e : tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32, %p: f32):
    %v = math.exp %a : f32
    %w = math.sin %a : f32
    linalg.yield %v, %w : f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>)
  %b = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%m#0, %m#1 : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%c: f32, %d: f32, %o: f32):
    %v = arith.mulf %c, %d : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  return %m#0, %m#1, %b : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// A constant is in no memory, whoever reads it.
// CHECK-LABEL: func.func @constant(
// CHECK-COUNT-2: linalg.generic
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @constant(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %two = arith.constant 2.0 : f32
  %m = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<8xf32>) {
  ^bb0(%o: f32):
    linalg.yield %two : f32
  } -> tensor<8xf32>
  %b = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %m : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%c: f32, %d: f32, %o: f32):
    %v = arith.addf %c, %d : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  %f = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %m : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%c: f32, %d: f32, %o: f32):
    %v = arith.mulf %c, %d : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  return %b, %f : tensor<8xf32>, tensor<8xf32>
}

// A loop does not compute again what it reads twice.
// CHECK-LABEL: func.func @before_a_loop(
// CHECK:         math.exp
// CHECK:         scf.for
// CHECK-NOT:     math.exp
// CHECK:         return
func.func @before_a_loop(%x: tensor<8xf32>, %from: index, %to: index, %step: index) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %m = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %v = math.exp %a : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  %r:2 = scf.for %i = %from to %to step %step iter_args(%s = %x, %t = %x) -> (tensor<8xf32>, tensor<8xf32>) {
    %b = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%s, %m : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%c: f32, %d: f32, %o: f32):
      %v = arith.divf %c, %d : f32
      linalg.yield %v : f32
    } -> tensor<8xf32>
    %f = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%t, %m : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%c: f32, %d: f32, %o: f32):
      %v = arith.mulf %c, %d : f32
      linalg.yield %v : f32
    } -> tensor<8xf32>
    scf.yield %b, %f : tensor<8xf32>, tensor<8xf32>
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}
