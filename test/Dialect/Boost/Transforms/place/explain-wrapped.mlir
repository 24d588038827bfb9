// RUN: boost-opt %s -boost-place="mesh=tp=2 explain" -o /dev/null 2>&1 | FileCheck %s --strict-whitespace --match-full-lines
// A reason that does not fit into 120 columns goes on in its own column.

//      CHECK:outside of the layers:
// CHECK-NEXT:  down                                      8/tp x 2                               first factor: row-parallel, the sum
// CHECK-NEXT:                                                                                   is taken at the rank
// CHECK-NEXT:  up                                        2 x 8/tp                               second factor: column-parallel, the
// CHECK-NEXT:                                                                                   latent is replicated

func.func @loss(
    %a: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "down">},
    %b: tensor<2x8xf32> {boost.tensor = #boost.tensor<param "up">},
    %x: tensor<1x1x1x1x1x1x1x1x4x8xf32> {boost.tensor = #boost.tensor<batch "a.name.of.more.than.forty.characters.such.as.this.one">}) -> tensor<1x1x1x1x1x1x1x1x4x8xf32> {
  %y = boost.bottleneck %x down(%a) up(%b) : tensor<1x1x1x1x1x1x1x1x4x8xf32> down tensor<8x2xf32> up tensor<2x8xf32> -> tensor<1x1x1x1x1x1x1x1x4x8xf32>
  return %y : tensor<1x1x1x1x1x1x1x1x4x8xf32>
}
