// What is compared, and counted, is what passes with a flag leave, not the
// adaptors that run them on every function.

// RUN: boost-prove %s "--pipeline=cse,func.func(canonicalize,cse)" | FileCheck %s
// CHECK: 1 programs, 3 passes x programs compared (1 changed the program), 0 mismatches, 0 refused

func.func @main(%x: tensor<4x8xf32> {boost.arg = "param", boost.name = "x"}) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
  return %loss : tensor<f32>
}
