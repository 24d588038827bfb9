// RUN: boost-eval %s --function=negate | FileCheck %s --check-prefix=NEGATE
// RUN: boost-eval %s --function=smallest | FileCheck %s --check-prefix=SMALLEST
// RUN: boost-eval %s --function=power | FileCheck %s --check-prefix=POWER
// RUN: boost-eval %s --function=square | FileCheck %s --check-prefix=SQUARE
// RUN: boost-eval %s --function=indices | FileCheck %s --check-prefix=INDICES
// RUN: boost-eval %s --function=negate --outputs=%t.safetensors
// RUN: boost-eval %s --function=pass --inputs=%t.safetensors | FileCheck %s --check-prefix=PASS
// RUN: not boost-eval --compare %s %S/Inputs/next-integer.mlir --function=large --tolerance=1e-3 | FileCheck %s --check-prefix=COMPARE
// Integers are exact beyond 2^53, where not every one is a double.

// NEGATE: out0 : tensor<4xui64> norm {{.*}} [0, 18446744073709551615, 1, 9007199254740991]
func.func @negate() -> (tensor<4xui64> {boost.tensor = #boost.tensor<output "out0">}) {
  %0 = stablehlo.constant dense<[0, 1, 18446744073709551615, 18437736874454810625]> : tensor<4xui64>
  %1 = stablehlo.negate %0 : tensor<4xui64>
  return %1 : tensor<4xui64>
}

// PASS: out0 : tensor<4xui64> norm {{.*}} [0, 18446744073709551615, 1, 9007199254740991]
func.func @pass(%x: tensor<4xui64> {boost.tensor = #boost.tensor<batch "out0">}) -> (tensor<4xui64> {boost.tensor = #boost.tensor<output "out0">}) {
  return %x : tensor<4xui64>
}

// SMALLEST: out0 : tensor<3xi64> norm {{.*}} [-9223372036854775807, -9223372036854775807, -9223372036854775808]
// SMALLEST: out1 : tensor<3xi64> norm {{.*}} [-9223372036854775807, -9223372036854775807, -9223372036854775808]
func.func @smallest() -> (tensor<3xi64>, tensor<3xi64>) {
  %x = stablehlo.constant dense<[-9223372036854775807, 9223372036854775806, -9223372036854775808]> : tensor<3xi64>
  %y = stablehlo.constant dense<[9223372036854775807, -9223372036854775807, -9223372036854775807]> : tensor<3xi64>
  %0 = stablehlo.minimum %x, %y : tensor<3xi64>
  %max = stablehlo.constant dense<9223372036854775807> : tensor<i64>
  %1 = "stablehlo.reduce_window"(%x, %max) <{window_dimensions = array<i64: 3>, padding = dense<[[2, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %2 = stablehlo.minimum %a, %b : tensor<i64>
    stablehlo.return %2 : tensor<i64>
  }) : (tensor<3xi64>, tensor<i64>) -> tensor<3xi64>
  return %0, %1 : tensor<3xi64>, tensor<3xi64>
}

// Modulo two to the width; a negative power is 0 but of 1 and -1.
// POWER: out0 : tensor<4xi64> norm {{.*}} [4052555153018976267, -1, 1, 0]
// POWER: out1 : tensor<2xui8> norm {{.*}} [171, 0]
func.func @power() -> (tensor<4xi64>, tensor<2xui8>) {
  %x = stablehlo.constant dense<[3, -1, -1, 2]> : tensor<4xi64>
  %y = stablehlo.constant dense<[39, -9223372036854775807, -9223372036854775808, -1]> : tensor<4xi64>
  %0 = stablehlo.power %x, %y : tensor<4xi64>
  %a = stablehlo.constant dense<[3, 2]> : tensor<2xui8>
  %b = stablehlo.constant dense<[255, 200]> : tensor<2xui8>
  %1 = stablehlo.power %a, %b : tensor<2xui8>
  return %0, %1 : tensor<4xi64>, tensor<2xui8>
}

// SQUARE: out0 : tensor<2xi64> norm {{.*}} [1, 9007199515875289]
func.func @square() -> tensor<2xi64> {
  %x = stablehlo.constant dense<[9223372036854775807, 94906267]> : tensor<2xi64>
  %0 = chlo.square %x : tensor<2xi64> -> tensor<2xi64>
  return %0 : tensor<2xi64>
}

// An unsigned index beyond 2^63 is beyond the end, not before the beginning.
// INDICES: out0 : tensor<1xf32> norm {{.*}} [4]
// INDICES: out1 : tensor<1xf32> norm {{.*}} [1]
func.func @indices() -> (tensor<1xf32>, tensor<1xf32>) {
  %x = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %i = stablehlo.constant dense<18446744073709551615> : tensor<ui64>
  %j = stablehlo.constant dense<-9223372036854775808> : tensor<i64>
  %0 = stablehlo.dynamic_slice %x, %i, sizes = [1] : (tensor<4xf32>, tensor<ui64>) -> tensor<1xf32>
  %1 = stablehlo.dynamic_slice %x, %j, sizes = [1] : (tensor<4xf32>, tensor<i64>) -> tensor<1xf32>
  return %0, %1 : tensor<1xf32>, tensor<1xf32>
}

// Of integers no tolerance forgives a difference.
// COMPARE: y: relative difference {{.*}} at element [1]: 9223372036854775806 against 9223372036854775807
func.func @large() -> (tensor<2xi64> {boost.tensor = #boost.tensor<output "y">}) {
  %x = stablehlo.constant dense<[1, 9223372036854775806]> : tensor<2xi64>
  return %x : tensor<2xi64>
}
