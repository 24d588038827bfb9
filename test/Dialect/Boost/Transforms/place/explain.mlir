// RUN: boost-opt %s -boost-place="mesh=tp=2 explain" -verify-diagnostics -o /dev/null
// A summary, and of every argument why it is sharded as it is.

// expected-remark@+1 {{placement 'bottleneck' shards 2 of 2 parameters: a rank holds 0.00 MiB of 0.00 MiB}}
func.func @loss(
    // expected-remark@+1 {{'down': first factor: row-parallel, the sum is taken at the rank}}
    %a: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "down">},
    // expected-remark@+1 {{'up': second factor: column-parallel, the latent is replicated}}
    %b: tensor<2x8xf32> {boost.tensor = #boost.tensor<param "up">},
    // expected-remark@+1 {{'x': replicated}}
    %x: tensor<4x8xf32> {boost.tensor = #boost.tensor<batch "x">}) -> tensor<4x8xf32> {
  %y = boost.bottleneck %x down(%a) up(%b) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x8xf32> -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
