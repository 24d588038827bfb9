// RUN: boost-opt %s --boostrt-round-updates --boostrt-merge-updates | FileCheck %s
// RUN: boost-opt %s --boostrt-round-updates --boostrt-merge-updates --boostrt-bufferize | FileCheck %s --check-prefix=MEMORY
// Which rounded parameters AdamW writes itself.

#id = affine_map<(i) -> (i)>

// Two updates that round become one, and write where the results go; old parameters that nothing reads are written over.
// CHECK-LABEL: func.func @two(
// CHECK:         %[[A:.*]]:8 = boostrt.adamw grads(%{{.*}}, %{{.*}} : tensor<4xbf16>, tensor<2xbf16>)
// CHECK-SAME:        tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xbf16>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xbf16>)
// CHECK-NOT:     linalg.generic
// CHECK:         return %[[A]]#3, %[[A]]#7, %[[A]]#0, %[[A]]#1, %[[A]]#2, %[[A]]#4, %[[A]]#5, %[[A]]#6
// MEMORY-LABEL: func.func @two(
// MEMORY-SAME:    %[[W:[a-z0-9]+]]: memref<4xbf16> {boost.tensor = #boost.tensor<param "w">}, %[[U:[a-z0-9]+]]: memref<2xbf16> {boost.tensor = #boost.tensor<param "u">}
// MEMORY-NOT:     boostrt.copy
// MEMORY:         boostrt.adamw {{.*}} outs(%{{.*}}, %{{.*}}, %{{.*}}, %[[W]], %{{.*}}, %{{.*}}, %{{.*}}, %[[U]] :
// MEMORY-NOT:     boostrt.copy
// MEMORY:         return
func.func @two(%w: tensor<4xbf16> {boost.tensor = #boost.tensor<param "w">}, %u: tensor<2xbf16> {boost.tensor = #boost.tensor<param "u">}, %p: tensor<4xf32> {boost.tensor = #boost.tensor<state "master.w", kind = "master", of = "w", init = "param">}, %m: tensor<4xf32> {boost.tensor = #boost.tensor<state "adamw.m.w", kind = "m", of = "w", init = "zeros">}, %v: tensor<4xf32> {boost.tensor = #boost.tensor<state "adamw.v.w", kind = "v", of = "w", init = "zeros">}, %q: tensor<2xf32> {boost.tensor = #boost.tensor<state "master.u", kind = "master", of = "u", init = "param">}, %n: tensor<2xf32> {boost.tensor = #boost.tensor<state "adamw.m.u", kind = "m", of = "u", init = "zeros">}, %o: tensor<2xf32> {boost.tensor = #boost.tensor<state "adamw.v.u", kind = "v", of = "u", init = "zeros">}, %s: tensor<f32> {boost.tensor = #boost.tensor<hyper "hyper.lr", kind = "lr", sample = 1.0e-3 : f64>}) -> (tensor<4xbf16> {boost.tensor = #boost.tensor<param "w">}, tensor<2xbf16> {boost.tensor = #boost.tensor<param "u">}, tensor<4xf32> {boost.tensor = #boost.tensor<state "master.w", kind = "master", of = "w", init = "param">}, tensor<4xf32> {boost.tensor = #boost.tensor<state "adamw.m.w", kind = "m", of = "w", init = "zeros">}, tensor<4xf32> {boost.tensor = #boost.tensor<state "adamw.v.w", kind = "v", of = "w", init = "zeros">}, tensor<2xf32> {boost.tensor = #boost.tensor<state "master.u", kind = "master", of = "u", init = "param">}, tensor<2xf32> {boost.tensor = #boost.tensor<state "adamw.m.u", kind = "m", of = "u", init = "zeros">}, tensor<2xf32> {boost.tensor = #boost.tensor<state "adamw.v.u", kind = "v", of = "u", init = "zeros">}) {
  %e = tensor.empty() : tensor<4xbf16>
  %f = tensor.empty() : tensor<2xbf16>
  %g = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%w : tensor<4xbf16>) outs(%e : tensor<4xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %t = arith.negf %in : bf16
    linalg.yield %t : bf16
  } -> tensor<4xbf16>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%u : tensor<2xbf16>) outs(%f : tensor<2xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %t = arith.negf %in : bf16
    linalg.yield %t : bf16
  } -> tensor<2xbf16>
  %a:3 = boostrt.adamw grads(%g : tensor<4xbf16>) ins(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) outs(%p, %m, %v : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {decays = array<i1: true>} -> tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a#0 : tensor<4xf32>) outs(%e : tensor<4xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %t = arith.truncf %in : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<4xbf16>
  %b:3 = boostrt.adamw grads(%h : tensor<2xbf16>) ins(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) outs(%q, %n, %o : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {decays = array<i1: true>} -> tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
  %c = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%b#0 : tensor<2xf32>) outs(%f : tensor<2xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %t = arith.truncf %in : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<2xbf16>
  return %r, %c, %a#0, %a#1, %a#2, %b#0, %b#1, %b#2 : tensor<4xbf16>, tensor<2xbf16>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}
