// RUN: boost-opt %s -split-input-file -pass-pipeline="builtin.module(func.func(boostrt-lower-kernels,canonicalize,cse))" -verify-diagnostics | FileCheck %s -enable-var-scope
// Kernels become loops in the order of memory; the launch loop runs over the given rows.

#d1 = affine_map<(d0) -> (d0)>
#d2 = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// The innermost reduction is carried in a register and may be reassociated.
// CHECK-LABEL: func private @row_sums
// CHECK-SAME:    (%[[BEGIN:.*]]: index, %[[END:.*]]: index, %[[X:.*]]: memref<32x64xf32>, %[[S:.*]]: memref<32xf32>)
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK:         scf.for %[[I:.*]] = %[[BEGIN]] to %[[END]]
// CHECK:           %[[SUM:.*]] = scf.for %[[J:.*]] = {{.*}} iter_args(%[[ACC:.*]] = %[[ZERO]]) -> (f32)
// CHECK:             %[[V:.*]] = memref.load %[[X]][%[[I]], %[[J]]]
// CHECK:             arith.addf %[[ACC]], %[[V]] fastmath<reassoc> : f32
// CHECK:           memref.store %[[SUM]], %[[S]][%[[I]]]
func.func private @row_sums(%begin: index, %end: index, %x: memref<32x64xf32>, %s: memref<32xf32>)
    attributes {boost.kernel} {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%s : memref<32xf32>)
  linalg.generic {indexing_maps = [#d2, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<32x64xf32>) outs(%s : memref<32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %a = arith.addf %out, %in : f32
    linalg.yield %a : f32
  }
  return
}

// -----

#d2 = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// Columns: the parallel loop is the contiguous one, so rows are added to the output.
// CHECK-LABEL: func private @column_sums
// CHECK-SAME:    (%[[BEGIN:.*]]: index, %[[END:.*]]: index, %[[X:.*]]: memref<64x32xf32, strided<[1, 64]>>, %[[S:.*]]: memref<64xf32>)
// CHECK:         scf.for %[[I:.*]] = %[[BEGIN]] to %[[END]]
// CHECK-NEXT:      memref.store %{{.*}}, %[[S]][%[[I]]]
// CHECK:         scf.for %[[J:.*]] = %{{.*}} to
// CHECK-NEXT:      scf.for %[[I:.*]] = %[[BEGIN]] to %[[END]]
// CHECK:             %[[ACC:.*]] = memref.load %[[S]][%[[I]]]
// CHECK:             %[[V:.*]] = memref.load %[[X]][%[[I]], %[[J]]]
func.func private @column_sums(%begin: index, %end: index,
    %x: memref<64x32xf32, strided<[1, 64]>>, %s: memref<64xf32>) attributes {boost.kernel} {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%s : memref<64xf32>)
  linalg.generic {indexing_maps = [#d2, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<64x32xf32, strided<[1, 64]>>) outs(%s : memref<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %a = arith.addf %out, %in : f32
    linalg.yield %a : f32
  }
  return
}

// -----

#d1 = affine_map<(d0) -> (d0)>

// bf16 is computed in f32 and rounded once, at the store.
// CHECK-LABEL: func private @small_float
// CHECK:         %[[V:.*]] = memref.load %{{.*}} : memref<64xbf16>
// CHECK:         %[[W:.*]] = arith.extf %[[V]] : bf16 to f32
// CHECK:         %[[A:.*]] = arith.mulf %[[W]], %[[W]] : f32
// CHECK:         %[[B:.*]] = arith.addf %[[A]], %[[W]] : f32
// CHECK:         %[[R:.*]] = arith.truncf %[[B]] : f32 to bf16
// CHECK:         memref.store %[[R]]
func.func private @small_float(%begin: index, %end: index, %x: memref<64xbf16>, %y: memref<64xbf16>)
    attributes {boost.kernel} {
  linalg.generic {indexing_maps = [#d1, #d1], iterator_types = ["parallel"]}
      ins(%x : memref<64xbf16>) outs(%y : memref<64xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %a = arith.mulf %in, %in : bf16
    %b = arith.addf %a, %in : bf16
    linalg.yield %b : bf16
  }
  return
}

// -----

#d1 = affine_map<(d0) -> (d0)>

// A value that the program rounds is rounded, also between f32 operations.
// CHECK-LABEL: func private @rounded
// CHECK:         %[[P:.*]] = arith.mulf {{.*}} : f32
// CHECK:         %[[T:.*]] = arith.truncf %[[P]] : f32 to bf16
// CHECK:         %[[W:.*]] = arith.extf %[[T]] : bf16 to f32
// CHECK:         %[[A:.*]] = arith.addf %[[W]], %{{.*}} : f32
// CHECK:         memref.store %[[A]]
func.func private @rounded(%begin: index, %end: index, %x: memref<64xf32>, %y: memref<64xf32>)
    attributes {boost.kernel} {
  linalg.generic {indexing_maps = [#d1, #d1], iterator_types = ["parallel"]}
      ins(%x : memref<64xf32>) outs(%y : memref<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %a = arith.mulf %in, %in : f32
    %b = arith.truncf %a : f32 to bf16
    %c = arith.extf %b : bf16 to f32
    %d = arith.addf %c, %in : f32
    linalg.yield %d : f32
  }
  return
}

// -----

#d1 = affine_map<(d0) -> (d0)>

// Elementary functions become arithmetic that LLVM vectorizes.
// CHECK-LABEL: func private @exponential
// CHECK-NOT:     math.exp
// CHECK:         math.fma
// CHECK-NOT:     math.exp
// CHECK:         return
func.func private @exponential(%begin: index, %end: index, %x: memref<64xf32>) attributes {boost.kernel} {
  linalg.generic {indexing_maps = [#d1, #d1], iterator_types = ["parallel"]}
      ins(%x : memref<64xf32>) outs(%x : memref<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %a = math.exp %in : f32
    linalg.yield %a : f32
  }
  return
}

// -----

#d2 = affine_map<(d0, d1) -> (d0, d1)>

// A transpose runs in square tiles.
// CHECK-LABEL: func private @transpose
// CHECK-SAME:    (%[[BEGIN:.*]]: index, %[[END:.*]]: index,
// CHECK-DAG:     %[[TILE:.*]] = arith.constant 16 : index
// CHECK:         scf.for %{{.*}} = %[[BEGIN]] to %[[END]] step %[[TILE]]
// CHECK:           scf.for %{{.*}} step %[[TILE]]
// CHECK:             scf.for
// CHECK:               scf.for
// CHECK:                 memref.store
func.func private @transpose(%begin: index, %end: index,
    %x: memref<64x32xf32, strided<[1, 64]>>, %y: memref<64x32xf32>) attributes {boost.kernel} {
  linalg.generic {indexing_maps = [#d2, #d2], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<64x32xf32, strided<[1, 64]>>) outs(%y : memref<64x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  return
}

// -----

#d1 = affine_map<(d0) -> (d0)>

// Booleans are bytes in memory, so that LLVM vectorizes their loads and stores.
// CHECK-LABEL: func private @booleans
// CHECK-SAME:    index, %{{.*}}: index, %[[X:.*]]: memref<64xi8>, %[[Y:.*]]: memref<64xi8>)
// CHECK:         %[[V:.*]] = memref.load %[[X]]
// CHECK:         %[[B:.*]] = arith.trunci %[[V]] : i8 to i1
// CHECK:         %[[N:.*]] = arith.xori %[[B]]
// CHECK:         %[[R:.*]] = arith.extui %[[N]] : i1 to i8
// CHECK:         memref.store %[[R]], %[[Y]]
func.func private @booleans(%begin: index, %end: index, %x: memref<64xi1>, %y: memref<64xi1>)
    attributes {boost.kernel} {
  %true = arith.constant true
  linalg.generic {indexing_maps = [#d1, #d1], iterator_types = ["parallel"]}
      ins(%x : memref<64xi1>) outs(%y : memref<64xi1>) {
  ^bb0(%in: i1, %out: i1):
    %a = arith.xori %in, %true : i1
    linalg.yield %a : i1
  }
  return
}

// -----

// expected-error @below {{expects written loops, or one linalg.generic and at most one linalg.fill before it; run boostrt-outline-kernels}}
func.func private @no_kernel(%begin: index, %end: index, %x: memref<4xf32>) attributes {boost.kernel} {
  return
}
