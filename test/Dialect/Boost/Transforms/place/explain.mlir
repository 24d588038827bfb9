// RUN: boost-opt %s -boost-place="mesh=tp=2 explain" -o /dev/null 2>&1 | FileCheck %s --strict-whitespace --match-full-lines
// One remark: a summary, and of every argument its shape with the axes over which a dimension is
// sharded, and why it is sharded as it is. A name that is too long for its
// column stands above the rest.

//      CHECK:{{.*}}explain.mlir:15:1: remark: placement 'bottleneck' shards 2 of 2 parameters
// CHECK-NEXT:a rank holds 0.00 MiB of 0.00 MiB
// CHECK-NEXT:outside of the layers:
// CHECK-NEXT:  down                                      8/tp x 2  first factor: row-parallel, the sum is taken at the rank
// CHECK-NEXT:  up                                        2 x 8/tp  second factor: column-parallel, the latent is replicated
// CHECK-NEXT:  a.name.of.more.than.forty.characters.such.as.this.one
// CHECK-NEXT:                                            4 x 8     replicated
//  CHECK-NOT:remark:

func.func @loss(
    %a: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "down">},
    %b: tensor<2x8xf32> {boost.tensor = #boost.tensor<param "up">},
    %x: tensor<4x8xf32> {boost.tensor = #boost.tensor<batch "a.name.of.more.than.forty.characters.such.as.this.one">}) -> tensor<4x8xf32> {
  %y = boost.bottleneck %x down(%a) up(%b) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x8xf32> -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
