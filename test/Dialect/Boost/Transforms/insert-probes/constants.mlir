// RUN: boost-opt %s --boost-insert-probes | FileCheck %s
// Constants and integers are shown by no probe, wherever they are read; a gradient that is one is not, either.

// CHECK-LABEL: func @verify
// CHECK:       stablehlo.constant
// CHECK-NEXT:  stablehlo.constant
// CHECK-NEXT:  stablehlo.dot_general
// CHECK-NEXT:  boost.probe %{{.*}} as "dot_general a" site 0
// CHECK-NEXT:  stablehlo.add %{{.*}} : tensor<4xi32>
// CHECK-NOT:   boost.probe
func.func @gradient(%a: tensor<4x4xf32> {boost.tensor = #boost.tensor<param "a">}, %i: tensor<4xi32> {boost.tensor = #boost.tensor<batch "i">}) -> (tensor<4x4xf32>, tensor<4xi32>, tensor<4x4xf32> {boost.tensor = #boost.tensor<gradient "grad.a", of = "a">}) {
  %c = stablehlo.constant dense<2.0> : tensor<4x4xf32>
  %n = stablehlo.constant dense<1> : tensor<4xi32>
  %0 = stablehlo.dot_general %c, %a, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = stablehlo.add %i, %n : tensor<4xi32>
  return %0, %1, %c : tensor<4x4xf32>, tensor<4xi32>, tensor<4x4xf32>
}
