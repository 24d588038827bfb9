// RUN: boost-opt %s --boost-expand-triangular-solve -verify-diagnostics
// A system of many rows would be written out in many operations.

func.func @rows(%a: tensor<16385x16385xf32>, %b: tensor<16385x1xf32>) {
  // expected-error@+2 {{expects a triangular system of at most 16384 rows, but got 16385}}
  // expected-note@+1 {{solve it block by block}}
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true}> : (tensor<16385x16385xf32>, tensor<16385x1xf32>) -> tensor<16385x1xf32>
  return
}
