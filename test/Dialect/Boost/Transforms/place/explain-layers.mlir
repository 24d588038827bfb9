// RUN: boost-opt %s -boost-place="mesh=tp=2 explain" -o /dev/null 2>&1 | FileCheck %s
// What holds of an argument of several equal layers is said once: the part of the name that differs is an asterisk,
// and where names have no such part, the first stands for all. The last layer is of a class of its own.

// CHECK:      remark: placement 'bottleneck' shards 8 of 8 parameters
// CHECK-NEXT: a rank holds 0.50 MiB of 1.00 MiB
// CHECK-NEXT: outside of the layers:
// CHECK-NEXT:   x  4 x 2048  replicated
// CHECK-NEXT: each of 3 equal layers:
// CHECK-NEXT:   layers.*.down  2048/tp x 16  first factor: row-parallel, the sum is taken at the rank
// CHECK-NEXT:   b0             16 x 2048/tp  second factor: column-parallel, the latent is replicated
// CHECK-NEXT: one layer:
// CHECK-NEXT:   layers.3.down  2048/tp x 16  first factor: row-parallel, the sum is taken at the rank
// CHECK-NEXT:   b3             16 x 2048/tp  second factor: column-parallel, the latent is replicated
// CHECK-NOT:  layers
func.func @loss(
    %a0: tensor<2048x16xf32> {boost.tensor = #boost.tensor<param "layers.0.down">},
    %b0: tensor<16x2048xf32> {boost.tensor = #boost.tensor<param "b0">},
    %a1: tensor<2048x16xf32> {boost.tensor = #boost.tensor<param "layers.1.down">},
    %b1: tensor<16x2048xf32> {boost.tensor = #boost.tensor<param "b1">},
    %a2: tensor<2048x16xf32> {boost.tensor = #boost.tensor<param "layers.2.down">},
    %b2: tensor<16x2048xf32> {boost.tensor = #boost.tensor<param "b2">},
    %a3: tensor<2048x16xf32> {boost.tensor = #boost.tensor<param "layers.3.down">},
    %b3: tensor<16x2048xf32> {boost.tensor = #boost.tensor<param "b3">},
    %x: tensor<4x2048xf32> {boost.tensor = #boost.tensor<batch "x">}) -> tensor<4x2048xf32> {
  %y0 = boost.bottleneck %x down(%a0) up(%b0) {boost.layer = #boost.layer<class = 0, index = 0>} : tensor<4x2048xf32> down tensor<2048x16xf32> up tensor<16x2048xf32> -> tensor<4x2048xf32>
  %y1 = boost.bottleneck %y0 down(%a1) up(%b1) {boost.layer = #boost.layer<class = 0, index = 1>} : tensor<4x2048xf32> down tensor<2048x16xf32> up tensor<16x2048xf32> -> tensor<4x2048xf32>
  %y2 = boost.bottleneck %y1 down(%a2) up(%b2) {boost.layer = #boost.layer<class = 0, index = 2>} : tensor<4x2048xf32> down tensor<2048x16xf32> up tensor<16x2048xf32> -> tensor<4x2048xf32>
  %y3 = boost.bottleneck %y2 down(%a3) up(%b3) {boost.layer = #boost.layer<class = 1, index = 3>} : tensor<4x2048xf32> down tensor<2048x16xf32> up tensor<16x2048xf32> -> tensor<4x2048xf32>
  return %y3 : tensor<4x2048xf32>
}
