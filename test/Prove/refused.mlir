// A program that cannot be evaluated is refused with the reason; nothing is said
// to be proved.

// RUN: sh -c '"$@"; test $? = 3' -- boost-prove %s 2>&1 | FileCheck %s
// CHECK:      error: {{.*}}refused.mlir on mesh tp=1: refused: 'func.func' op needs 8388608.0 GiB to evaluate
// CHECK:      1 programs, 0 passes x programs compared (0 changed the program), 0 mismatches, 1 refused

func.func @main(%x: tensor<1048576x1073741824xf32> {boost.arg = "param", boost.name = "x"}) -> tensor<f32> {
  %0 = stablehlo.constant dense<0.0> : tensor<f32>
  return %0 : tensor<f32>
}
