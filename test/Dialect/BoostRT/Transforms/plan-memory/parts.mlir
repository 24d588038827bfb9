// RUN: boost-opt %s --boostrt-plan-memory | FileCheck %s
// A packed parameter is listed by its parts: where each begins in a rank's shard, how far apart its elements are, and
// what starts it.

// CHECK: boost.memory = {{{.*}} parameters = 128 : i64, peak = 256 : i64, recomputed = 0 : i64, results = 0 : i64, temporaries = 0 : i64, unused = 0 : i64}
// CHECK-SAME: {bytes = 32 : i64, decay = true, dtype = "f32", init = "normal:0.5", name = "q", offset = 0 : i64, packed = "{q,k}", role = "param", shape = [4, 4], split = {{\[\[}}"tp"], []], strides = [12, 1]}
// CHECK-SAME: {bytes = 64 : i64, decay = true, dtype = "f32", init = "ones", name = "k", offset = 16 : i64, packed = "{q,k}", role = "param", shape = [4, 8], split = {{\[\[}}"tp"], []], strides = [12, 1]}
// CHECK-SAME: {bytes = 32 : i64, {{.*}} kind = "m", name = "m.q", of = "q", offset = 128 : i64, packed = "m.{q,k}", role = "state", shape = [4, 4]
// CHECK-SAME: {bytes = 64 : i64, {{.*}} kind = "m", name = "m.k", of = "k", offset = 144 : i64, packed = "m.{q,k}", role = "state", shape = [4, 8]
module {
  shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}
  func.func @step(
      %p: memref<2x12xf32> {boost.parts = [#boost.part<name = "q", init = "normal:0.5", dim = 1, offset = 0, shape = [4, 4]>,
                                           #boost.part<name = "k", init = "ones", dim = 1, offset = 4, shape = [4, 8]>],
                            boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<param "{q,k}", decay = true>},
      %m: memref<2x12xf32> {boost.parts = [#boost.part<name = "m.q", of = "q", dim = 1, offset = 0, shape = [4, 4]>,
                                           #boost.part<name = "m.k", of = "k", dim = 1, offset = 4, shape = [4, 8]>],
                            boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<state "m.{q,k}", kind = "m", of = "{q,k}">}) {
    boostrt.copy ins(%p : memref<2x12xf32>) outs(%m : memref<2x12xf32>)
    return
  }
}
