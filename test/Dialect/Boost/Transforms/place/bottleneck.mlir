// RUN: boost-opt %s -boost-place="mesh=dp=2,tp=2" | FileCheck %s
// RUN: boost-opt %s -boost-place="mesh=dp=2,tp=2 placement=bottleneck" | FileCheck %s
// Bottlenecks are cut along their wide dimensions, the stream along the hidden one.

// CHECK: module attributes {boost.placement = "bottleneck"}
// CHECK: shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}
// CHECK-LABEL: func @loss
// CHECK-SAME: boost.name = "embed"{{[^}]*}}boost.split = {{\[}}[], ["tp"]]
// CHECK-SAME: boost.name = "down"{{[^}]*}}boost.split = {{\[}}["tp"], []]
// CHECK-SAME: boost.name = "up"{{[^}]*}}boost.split = {{\[}}[], ["tp"]]
// CHECK-SAME: boost.name = "norm"{{[^}]*}}boost.split = {{\[}}["tp"]]
// CHECK-SAME: boost.name = "head"{{[^}]*}}boost.split = {{\[}}[], ["tp"]]
// CHECK-SAME: boost.name = "rest"{{[^}]*}}boost.reason = "whole on every rank", boost.split = {{\[}}[]]
// CHECK-SAME: boost.name = "tokens"{{[^}]*}}boost.split = {{\[}}["dp"], []]
// CHECK-SAME: -> (tensor<2x4xf32> {boost.split = {{\[}}[], []]})
func.func @loss(%t: tensor<32x8xf32> {boost.arg = "param", boost.name = "embed"},
                %a: tensor<8x2xf32> {boost.arg = "param", boost.name = "down"},
                %b: tensor<2x8xf32> {boost.arg = "param", boost.name = "up"},
                %g: tensor<8xf32> {boost.arg = "param", boost.name = "norm"},
                %h: tensor<8x32xf32> {boost.arg = "param", boost.name = "head"},
                %r: tensor<3xf32> {boost.arg = "param", boost.name = "rest"},
                %i: tensor<2x4xi32> {boost.arg = "batch", boost.name = "tokens"}) -> tensor<2x4xf32> {
  %x = boost.embedding %t, %i : (tensor<32x8xf32>, tensor<2x4xi32>) -> tensor<2x4x8xf32>
  %y = boost.bottleneck %x down(%a) up(%b) : tensor<2x4x8xf32> down tensor<8x2xf32> up tensor<2x8xf32> -> tensor<2x4x8xf32>
  %n = boost.rms_norm %y, %g {eps = 1.0e-6 : f64} : tensor<2x4x8xf32>, tensor<8xf32>
  %o = boost.linear %n, %h {boost.region = "head"} : (tensor<2x4x8xf32>, tensor<8x32xf32>) -> tensor<2x4x32xf32>
  %e, %s = boost.cross_entropy %o, %i : (tensor<2x4x32xf32>, tensor<2x4xi32>) -> (tensor<2x4xf32>, tensor<2x4xf32>)
  return %e : tensor<2x4xf32>
}
