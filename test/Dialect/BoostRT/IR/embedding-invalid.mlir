// RUN: boost-opt %s -split-input-file -verify-diagnostics
// Tables, ids and rows.

func.func @rank(%t: tensor<1600xf32>, %i: tensor<2x8xi32>, %o: tensor<2x8x16xf32>) {
  // expected-error @below {{expects a table of rank 2, but got}}
  %0 = boostrt.embedding ins(%t, %i : tensor<1600xf32>, tensor<2x8xi32>) outs(%o : tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  return
}

// -----

func.func @table_type(%t: tensor<100x16xi32>, %i: tensor<2x8xi32>, %o: tensor<2x8x16xf32>) {
  // expected-error @below {{expects a table of f32, bf16, f16 or f64, but got}}
  %0 = boostrt.embedding ins(%t, %i : tensor<100x16xi32>, tensor<2x8xi32>) outs(%o : tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  return
}

// -----

func.func @ids(%t: tensor<100x16xf32>, %i: tensor<2x8xi64>, %o: tensor<2x8x16xf32>) {
  // expected-error @below {{expects ids of element type 'i32', but got}}
  %0 = boostrt.embedding ins(%t, %i : tensor<100x16xf32>, tensor<2x8xi64>) outs(%o : tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  return
}

// -----

func.func @result(%t: tensor<100x16xf32>, %i: tensor<2x8xi32>, %o: tensor<2x8x8xf32>) {
  // expected-error @below {{expects a result of shape [2, 8, 16], but got}}
  %0 = boostrt.embedding ins(%t, %i : tensor<100x16xf32>, tensor<2x8xi32>) outs(%o : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  return
}

// -----

func.func @result_type(%t: tensor<100x16xf32>, %i: tensor<2x8xi32>, %o: tensor<2x8x16xbf16>) {
  // expected-error @below {{expects a result of element type 'f32', but got}}
  %0 = boostrt.embedding ins(%t, %i : tensor<100x16xf32>, tensor<2x8xi32>) outs(%o : tensor<2x8x16xbf16>) -> tensor<2x8x16xbf16>
  return
}

// -----

func.func @gradient(%i: tensor<2x8xi32>, %g: tensor<2x4x16xf32>, %t: tensor<100x16xf32>) {
  // expected-error @below {{expects a gradient of shape [2, 8, 16], but got 'tensor<2x4x16xf32>'}}
  %0 = boostrt.embedding_grad ins(%i, %g : tensor<2x8xi32>, tensor<2x4x16xf32>)
      outs(%t : tensor<100x16xf32>) -> tensor<100x16xf32>
  return
}

// -----

func.func @gradient_table(%i: tensor<2x8xi32>, %g: tensor<2x8x16xf32>, %t: tensor<1600xf32>) {
  // expected-error @below {{expects a table of rank 2, but got 'tensor<1600xf32>'}}
  %0 = boostrt.embedding_grad ins(%i, %g : tensor<2x8xi32>, tensor<2x8x16xf32>)
      outs(%t : tensor<1600xf32>) -> tensor<1600xf32>
  return
}

// -----

func.func @style(%t: tensor<100x16xf32>, %i: memref<2x8xi32>, %o: tensor<2x8x16xf32>) {
  // expected-error @below {{expects either tensors or memrefs, but got both}}
  %0 = boostrt.embedding ins(%t, %i : tensor<100x16xf32>, memref<2x8xi32>) outs(%o : tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  return
}
