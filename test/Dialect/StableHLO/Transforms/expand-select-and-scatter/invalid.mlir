// RUN: boost-opt %s --boost-expand-select-and-scatter -verify-diagnostics
// Places that no memory holds are refused.

func.func @places(%x: tensor<2251799813685248xi8>, %s: tensor<1xi8>, %z: tensor<i8>) {
  // expected-error@+2 {{expects an operand of at most 2^50 elements}}
  // expected-note@+1 {{pool in parts}}
  %0 = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_dimensions = array<i64: 2251799813685248>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %p = stablehlo.compare GE, %a, %b : (tensor<i8>, tensor<i8>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    stablehlo.return %b : tensor<i8>
  }) : (tensor<2251799813685248xi8>, tensor<1xi8>, tensor<i8>) -> tensor<2251799813685248xi8>
  return
}
