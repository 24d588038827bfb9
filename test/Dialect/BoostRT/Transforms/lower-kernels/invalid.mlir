// RUN: boost-opt %s -split-input-file -verify-diagnostics -boostrt-lower-kernels
// A kernel is written loops, or one computation with what it begins from.

#id = affine_map<(i) -> (i)>

// expected-error@+1 {{expects written loops, or one linalg.generic and at most one linalg.fill before it; run boostrt-outline-kernels}}
func.func private @two_computations(%begin: index, %end: index, %x: memref<4xf32>, %y: memref<4xf32>) attributes {boost.kernel} {
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %e = math.exp %in : f32
    linalg.yield %e : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %e = math.exp %in : f32
    linalg.yield %e : f32
  }
  return
}

// -----

#id = affine_map<(i) -> (i)>

// expected-error@+1 {{expects written loops, or one linalg.generic and at most one linalg.fill before it; run boostrt-outline-kernels}}
func.func private @two_fills(%begin: index, %end: index, %x: memref<4xf32>, %y: memref<4xf32>) attributes {boost.kernel} {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<4xf32>)
  linalg.fill ins(%zero : f32) outs(%y : memref<4xf32>)
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %e = math.exp %in : f32
    linalg.yield %e : f32
  }
  return
}

// -----

#id = affine_map<(i) -> (i)>

// expected-error@+1 {{expects written loops, or one linalg.generic and at most one linalg.fill before it; run boostrt-outline-kernels}}
func.func private @a_fill_alone(%begin: index, %end: index, %x: memref<4xf32>, %y: memref<4xf32>) attributes {boost.kernel} {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<4xf32>)
  return
}

// -----

#id = affine_map<(i) -> (i)>

// expected-error@+1 {{expects written loops, or one linalg.generic and at most one linalg.fill before it; run boostrt-outline-kernels}}
func.func private @loops_and_a_fill(%begin: index, %end: index, %x: memref<4xf32>, %y: memref<4xf32>) attributes {boost.kernel} {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<4xf32>)
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    memref.store %zero, %y[%i] : memref<4xf32>
  }
  return
}

// -----

#id = affine_map<(i) -> (i)>

// expected-error@+1 {{expects written loops, or one linalg.generic and at most one linalg.fill before it; run boostrt-outline-kernels}}
func.func private @loops_and_two_computations(%begin: index, %end: index, %x: memref<4xf32>, %y: memref<4xf32>) attributes {boost.kernel} {
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %e = math.exp %in : f32
    linalg.yield %e : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %e = math.exp %in : f32
    linalg.yield %e : f32
  }
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    memref.store %zero, %y[%i] : memref<4xf32>
  }
  return
}

// -----

#id = affine_map<(i) -> (i)>

// expected-error@+1 {{expects written loops, or one linalg.generic and at most one linalg.fill before it; run boostrt-outline-kernels}}
func.func private @nothing(%begin: index, %end: index, %x: memref<4xf32>, %y: memref<4xf32>) attributes {boost.kernel} {
  %zero = arith.constant 0.0 : f32
  return
}
