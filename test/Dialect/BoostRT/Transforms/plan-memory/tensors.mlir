// RUN: boost-opt %s --boostrt-plan-memory | FileCheck %s
// What users know by name lies in the arena by its role: parameters, masters, what else the optimizer keeps, the batch
// with other numbers of the caller, results. Each is listed with its contract, how ranks hold it, and where it is.

// CHECK: module attributes {boost.arena_bytes = 704 : i64,
// CHECK-SAME: boost.memory = {batch = 128 : i64, {{.*}} masters = 128 : i64, optimizer = 256 : i64, parameters = 128 : i64,
// CHECK-SAME:   peak = 704 : i64, recomputed = 0 : i64, results = 64 : i64, temporaries = 0 : i64, unused = 0 : i64}
// CHECK-SAME: boost.tensors = [
// CHECK-SAME: {bytes = 4 : i64, dtype = "f32", kind = "lr", name = "hyper.lr", offset = 576 : i64, role = "hyper", sample = 1.000000e-03 : f64, shape = [], split = []}
// CHECK-SAME: {bytes = 64 : i64, dtype = "i32", feed = "tokens", limit = 50 : i64, name = "ids", offset = 512 : i64, role = "batch", shape = [4, 8], split = {{\[\[}}"dp"], []]}
// CHECK-SAME: {bytes = 128 : i64, dtype = "f32", name = "acc.w", of = "w", offset = 256 : i64, partial = ["dp"], role = "accumulator", shape = [8, 8], split = {{\[\[}}"tp"], []]}
// CHECK-SAME: {bytes = 68 : i64, dtype = "f32", init = "zeros", kind = "m", name = "m.w", of = "w", offset = 384 : i64, role = "state", sample = 5.000000e-01 : f64, shape = [17], split = {{\[\[}}]]}
// CHECK-SAME: {bytes = 128 : i64, dtype = "f32", kind = "master", name = "master.w", of = "w", offset = 128 : i64, role = "state", shape = [8, 8], split = {{\[\[}}"tp"], []]}
// CHECK-SAME: {bytes = 128 : i64, decay = true, dtype = "f32", init = "ones", name = "w", offset = 0 : i64, role = "param", shape = [8, 8], split = {{\[\[}}"tp"], []]}
// CHECK-SAME: {bytes = 16 : i64, dtype = "f32", name = "sums", offset = 640 : i64, partial = ["dp", "tp"], role = "output", shape = [4], split = {{\[\[}}]]}]
module {
  shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}
  // CHECK: boostrt.arguments = array<i64: 0, 1, 2, 3, 4, 5>
  // CHECK-SAME: boostrt.buffers = [array<i64: 576, 4>, array<i64: 512, 64>, array<i64: 256, 128>, array<i64: 384, 68>, array<i64: 128, 128>, array<i64: 0, 128>, array<i64: 640, 16>]
  func.func @step(
      %lr: memref<f32> {boost.tensor = #boost.tensor<hyper "hyper.lr", kind = "lr", sample = 1.0e-3 : f64>},
      %ids: memref<2x8xi32> {boost.id_limit = 50 : i64, boost.sharding = #boost.sharding<{"dp"}, {}>,
                             boost.tensor = #boost.tensor<batch "ids", feed = tokens>},
      %acc: memref<4x8xf32> {boost.sharding = #boost.sharding<{"tp"}, {}, partial = sum {"dp"}>,
                             boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">},
      %m: memref<17xf32> {boost.tensor = #boost.tensor<state "m.w", kind = "m", of = "w", init = "zeros", sample = 0.5 : f64>},
      %master: memref<4x8xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>,
                                boost.tensor = #boost.tensor<state "master.w", kind = "master", of = "w">},
      %w: memref<4x8xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>,
                           boost.tensor = #boost.tensor<param "w", init = "ones", decay = true>},
      %sums: memref<4xf32> {boost.sharding = #boost.sharding<{}, partial = sum {"dp", "tp"}>,
                            boost.tensor = #boost.tensor<output "sums">}) {
    return
  }
}
