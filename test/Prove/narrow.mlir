// A program of narrow floats is proved twice, in its own types and in double;
// others in double alone.

// RUN: boost-prove %s > %t.txt && sed s/f32/bf16/g %s > %t.mlir && boost-prove %t.mlir >> %t.txt && FileCheck %s < %t.txt
// CHECK: 1 programs, [[#PASSES:]] passes x programs compared {{.*}} 0 mismatches, 0 refused
// CHECK: 1 programs, [[#mul(PASSES,2)]] passes x programs compared {{.*}} 0 mismatches, 0 refused

func.func @main(%x: tensor<4x8xf32> {boost.arg = "param", boost.name = "x"}) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.tanh %x : tensor<4x8xf32>
  %loss = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
  return %loss : tensor<f32>
}
