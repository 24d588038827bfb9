// RUN: boost-opt %s -boost-place="mesh=tp=2 explain" -verify-diagnostics -o /dev/null
// What holds of an argument of several equal layers is said once, with their
// number. The last layer is of a class of its own.

// expected-remark@+1 {{placement 'bottleneck' shards 8 of 8 parameters: a rank holds 0.50 MiB of 1.00 MiB}}
func.func @loss(
    // expected-remark@+1 {{'a0' (the first of 3 equal layers): first factor: row-parallel, the sum is taken at the rank}}
    %a0: tensor<2048x16xf32> {boost.tensor = #boost.tensor<param "a0">},
    // expected-remark@+1 {{'b0' (the first of 3 equal layers): second factor: column-parallel, the latent is replicated}}
    %b0: tensor<16x2048xf32> {boost.tensor = #boost.tensor<param "b0">},
    %a1: tensor<2048x16xf32> {boost.tensor = #boost.tensor<param "a1">},
    %b1: tensor<16x2048xf32> {boost.tensor = #boost.tensor<param "b1">},
    %a2: tensor<2048x16xf32> {boost.tensor = #boost.tensor<param "a2">},
    %b2: tensor<16x2048xf32> {boost.tensor = #boost.tensor<param "b2">},
    // expected-remark@+1 {{'a3': first factor: row-parallel, the sum is taken at the rank}}
    %a3: tensor<2048x16xf32> {boost.tensor = #boost.tensor<param "a3">},
    // expected-remark@+1 {{'b3': second factor: column-parallel, the latent is replicated}}
    %b3: tensor<16x2048xf32> {boost.tensor = #boost.tensor<param "b3">},
    // expected-remark@+1 {{'x': replicated}}
    %x: tensor<4x2048xf32> {boost.tensor = #boost.tensor<batch "x">}) -> tensor<4x2048xf32> {
  %y0 = boost.bottleneck %x down(%a0) up(%b0) {boost.layer = #boost.layer<class = 0, index = 0>} : tensor<4x2048xf32> down tensor<2048x16xf32> up tensor<16x2048xf32> -> tensor<4x2048xf32>
  %y1 = boost.bottleneck %y0 down(%a1) up(%b1) {boost.layer = #boost.layer<class = 0, index = 1>} : tensor<4x2048xf32> down tensor<2048x16xf32> up tensor<16x2048xf32> -> tensor<4x2048xf32>
  %y2 = boost.bottleneck %y1 down(%a2) up(%b2) {boost.layer = #boost.layer<class = 0, index = 2>} : tensor<4x2048xf32> down tensor<2048x16xf32> up tensor<16x2048xf32> -> tensor<4x2048xf32>
  %y3 = boost.bottleneck %y2 down(%a3) up(%b3) {boost.layer = #boost.layer<class = 1, index = 3>} : tensor<4x2048xf32> down tensor<2048x16xf32> up tensor<16x2048xf32> -> tensor<4x2048xf32>
  return %y3 : tensor<4x2048xf32>
}
