// RUN: boost-opt %s -split-input-file -verify-diagnostics

func.func @square(%a: tensor<4x5xf32>, %o: tensor<4x4xf32>) {
  // expected-error @below {{expects square matrices, but got 'tensor<4x5xf32>'}}
  %0 = boostrt.factorize cholesky ins(%a : tensor<4x5xf32>) outs(%o : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @narrow(%a: tensor<4x4xbf16>, %o: tensor<4x4xbf16>) {
  // expected-error @below {{expects matrices of f32 or f64, but got 'tensor<4x4xbf16>'}}
  %0 = boostrt.factorize cholesky ins(%a : tensor<4x4xbf16>) outs(%o : tensor<4x4xbf16>) -> tensor<4x4xbf16>
  return
}

// -----

func.func @outs(%a: memref<4x4xf32>, %v: memref<4x4xf32>) {
  // expected-error @below {{expects 2 results, but got 1}}
  boostrt.factorize eigh ins(%a : memref<4x4xf32>) outs(%v : memref<4x4xf32>)
  return
}

// -----

func.func @in_place(%a: memref<4x4xf32>) {
  // expected-error @below {{expects outs that share no memory with other operands, but operands 0 and 1 are one buffer}}
  boostrt.factorize cholesky ins(%a : memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  return
}
