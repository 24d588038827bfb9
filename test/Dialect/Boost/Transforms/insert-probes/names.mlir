// RUN: boost-opt %s --boost-insert-probes | FileCheck %s
// An operation is named after the parameters that it reads, or reads views of,
// not after those that were computed with before.

// CHECK-LABEL: func @verify
// CHECK: boost.probe %{{.*}} as "dot_general a b" site 0
// CHECK: boost.probe %{{.*}} as "tanh a" site 1
// CHECK: boost.probe %{{.*}} as "dot_general" site 2
// CHECK: boost.probe %{{.*}} as "dot_general" site 3
// CHECK-NOT: boost.probe
func.func @gradient(%a: tensor<4x2xf32> {boost.tensor = #boost.tensor<param "a">},
                    %b: tensor<4x2xf32> {boost.tensor = #boost.tensor<param "b">},
                    %x: tensor<4x4xf32> {boost.tensor = #boost.tensor<batch "x">}) -> tensor<4x4xf32> {
  %bt = stablehlo.transpose %b, dims = [1, 0] : (tensor<4x2xf32>) -> tensor<2x4xf32>
  %ab = stablehlo.dot_general %a, %bt, contracting_dims = [1] x [0] : (tensor<4x2xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
  %t = stablehlo.tanh %a : tensor<4x2xf32>
  %tx = stablehlo.dot_general %x, %t, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  // Of two parameters side by side it would be named after the first alone.
  %both = stablehlo.concatenate %a, %b, dim = 1 : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x4xf32>
  %y = stablehlo.dot_general %x, %both, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}
