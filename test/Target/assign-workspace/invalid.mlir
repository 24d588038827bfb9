// RUN: boost-opt %s --boost-assign-workspace="target=cuda" -verify-diagnostics
// RUN: boost-opt %s --boost-assign-workspace="target=cpu" -o %t

func.func @factorize(%a: memref<2x4x4xf32>, %v: memref<2x4x4xf32>, %w: memref<2x4xf32>) {
  // expected-error @below {{factorization 'eigh' is not supported on GPUs}}
  // expected-note @below {{compile the program with --target=cpu, or leave out the factorization}}
  boostrt.factorize eigh ins(%a : memref<2x4x4xf32>) outs(%v, %w : memref<2x4x4xf32>, memref<2x4xf32>)
  return
}
