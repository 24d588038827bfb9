// RUN: boost-opt %s --convert-kernels-to-gpu --split-input-file --verify-diagnostics

// expected-error @below {{expects written loops, or one linalg.generic and at most one linalg.fill before it; run boostrt-outline-kernels}}
func.func private @empty(%begin: index, %end: index, %x: memref<4xf32>)
    attributes {boost.kernel, boostrt.extent = 4 : i64} {
  return
}

// -----

// expected-error @below {{expects written loops, or one linalg.generic and at most one linalg.fill before it; run boostrt-outline-kernels}}
func.func private @filled_loop(%begin: index, %end: index, %x: memref<4xf32>)
    attributes {boost.kernel, boostrt.extent = 4 : i64} {
  %zero = arith.constant 0.0 : f32
  %c1 = arith.constant 1 : index
  linalg.fill ins(%zero : f32) outs(%x : memref<4xf32>)
  scf.for %i = %begin to %end step %c1 {
    memref.store %zero, %x[%i] : memref<4xf32>
  }
  return
}

// -----

func.func private @indirect(%begin: index, %end: index, %x: memref<4xf32>, %y: memref<8xf32>)
    attributes {boost.kernel, boostrt.extent = 8 : i64} {
  // expected-error @below {{expects linear indexing}}
  linalg.generic {indexing_maps = [affine_map<(i) -> (i floordiv 2)>, affine_map<(i) -> (i)>],
                  iterator_types = ["parallel"]}
      ins(%x : memref<4xf32>) outs(%y : memref<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  return
}

// -----

// Without kernels there is nothing to do.
func.func @plain(%arena: memref<64xi8>) {
  return
}
