// RUN: boost-eval %s --inputs=random:3 --save-inputs=%t.in --outputs=%t.out > %t.random
// RUN: boost-eval %s --inputs=%t.in | diff - %t.random
// RUN: FileCheck %s --input-file=%t.random
// RUN: FileCheck %s --input-file=%t.out --check-prefix=FILE
// RUN: not boost-eval %s --inputs=%t.out 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not boost-eval %s --inputs=%s 2>&1 | FileCheck %s --check-prefix=FORMAT
// RUN: not boost-eval %s --inputs=random:x 2>&1 | FileCheck %s --check-prefix=SEED
// RUN: not boost-eval %s --inputs=%t.in --function=wider 2>&1 | FileCheck %s --check-prefix=SHAPE
// RUN: boost-eval %s --function=integers --outputs=%t.integers
// RUN: FileCheck %s --input-file=%t.integers --check-prefix=INTEGERS
// RUN: boost-eval %s --inputs=%t.integers --function=again | FileCheck %s --check-prefix=AGAIN
// Inputs are drawn or read, results written; what does not fit is named.

// Ids stay below their limit. What is read back gives the same results.
// CHECK: y : tensor<2x2xf32> norm
// CHECK: n : tensor<2xi32> norm {{.*}} [{{[01]}}, {{[01]}}]
// FILE: "n":{"data_offsets":[32,40],"dtype":"I32","shape":[2]},"y":{"data_offsets":[0,32],"dtype":"F64","shape":[2,2]}}
// MISSING: files.mlir.tmp.out has no tensor 'x'
// FORMAT: is not a safetensors file
// SEED: expects --inputs of random:SEED or a safetensors file, but got 'random:x'
// SHAPE: files.mlir.tmp.in: expects 'x' of type tensor<2x3xf32>, but got F64[2, 2]

func.func @loss(%x: tensor<2x2xf32> {boost.tensor = #boost.tensor<param "x">}, %n: tensor<2xi32> {boost.id_limit = 2 : i64, boost.tensor = #boost.tensor<batch "n">})
    -> (tensor<2x2xf32> {boost.tensor = #boost.tensor<output "y">}, tensor<2xi32> {boost.tensor = #boost.tensor<output "n">}) {
  %0 = stablehlo.exponential %x : tensor<2x2xf32>
  return %0, %n : tensor<2x2xf32>, tensor<2xi32>
}

func.func @wider(%x: tensor<2x3xf32> {boost.tensor = #boost.tensor<param "x">}) -> tensor<2x3xf32> {
  return %x : tensor<2x3xf32>
}

// Integers are written in their own width, and keep their sign.
// INTEGERS: "a":{"data_offsets":[{{[0-9]+}},{{[0-9]+}}],"dtype":"BOOL","shape":[3]}
// INTEGERS-SAME: "b":{"data_offsets":[{{[0-9]+}},{{[0-9]+}}],"dtype":"I8","shape":[3]}
// INTEGERS-SAME: "c":{"data_offsets":[{{[0-9]+}},{{[0-9]+}}],"dtype":"I32","shape":[3]}
// INTEGERS-SAME: "d":{"data_offsets":[{{[0-9]+}},{{[0-9]+}}],"dtype":"I64","shape":[3]}
// AGAIN: a : tensor<3xi1> {{.*}} [1, 0, 1]
// AGAIN: b : tensor<3xi8> {{.*}} [-128, 5, 127]
// AGAIN: c : tensor<3xi32> {{.*}} [-2147483648, 6, 2147483647]
// AGAIN: d : tensor<3xi64> {{.*}} [-4294967297, 7, 4294967297]
func.func @integers()
    -> (tensor<3xi1> {boost.tensor = #boost.tensor<output "a">}, tensor<3xi8> {boost.tensor = #boost.tensor<output "b">},
        tensor<3xi32> {boost.tensor = #boost.tensor<output "c">}, tensor<3xi64> {boost.tensor = #boost.tensor<output "d">}) {
  %a = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %b = stablehlo.constant dense<[-128, 5, 127]> : tensor<3xi8>
  %c = stablehlo.constant dense<[-2147483648, 6, 2147483647]> : tensor<3xi32>
  %d = stablehlo.constant dense<[-4294967297, 7, 4294967297]> : tensor<3xi64>
  return %a, %b, %c, %d : tensor<3xi1>, tensor<3xi8>, tensor<3xi32>, tensor<3xi64>
}

func.func @again(%a: tensor<3xi1> {boost.tensor = #boost.tensor<batch "a">}, %b: tensor<3xi8> {boost.tensor = #boost.tensor<batch "b">},
                 %c: tensor<3xi32> {boost.tensor = #boost.tensor<batch "c">}, %d: tensor<3xi64> {boost.tensor = #boost.tensor<batch "d">})
    -> (tensor<3xi1> {boost.tensor = #boost.tensor<output "a">}, tensor<3xi8> {boost.tensor = #boost.tensor<output "b">},
        tensor<3xi32> {boost.tensor = #boost.tensor<output "c">}, tensor<3xi64> {boost.tensor = #boost.tensor<output "d">}) {
  return %a, %b, %c, %d : tensor<3xi1>, tensor<3xi8>, tensor<3xi32>, tensor<3xi64>
}
