// RUN: boost-opt %s -split-input-file -verify-diagnostics
// The region of a boostrt.rows takes the row and a dense memref per operand.

func.func @count(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expects a region that takes an index and 2 memrefs, but got 2 arguments}}
  %0 = boostrt.rows 4 ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) {
  ^bb0(%row: index, %in: memref<4xf32>):
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @type(%y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expects a region that takes 'memref<4xf32>' for an operand of type 'tensor<4xf32>', but got 'memref<4xf64>'}}
  %0 = boostrt.rows 4 outs(%y : tensor<4xf32>) {
  ^bb0(%row: index, %out: memref<4xf64>):
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @extent(%y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expects an extent of at least 0, but got -1}}
  %0 = boostrt.rows -1 outs(%y : tensor<4xf32>) {
  ^bb0(%row: index, %out: memref<4xf32>):
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @row(%y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expects a region that takes an index and 1 memrefs, but got 2 arguments}}
  %0 = boostrt.rows 4 outs(%y : tensor<4xf32>) {
  ^bb0(%row: i64, %out: memref<4xf32>):
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @style(%x: tensor<4xf32>, %y: memref<4xf32>) {
  // expected-error@+1 {{expects either tensors or memrefs, but got both}}
  boostrt.rows 4 ins(%x : tensor<4xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%row: index, %in: memref<4xf32>, %out: memref<4xf32>):
  }
  return
}
