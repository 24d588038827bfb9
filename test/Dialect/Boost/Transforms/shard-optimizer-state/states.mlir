// RUN: boost-opt %s -split-input-file -boost-shard-optimizer-state="zero=1" | FileCheck %s
// RUN: boost-opt %s -split-input-file -boost-shard-optimizer-state | FileCheck %s --check-prefix=OFF

// OFF-NOT: {"dp"}
// OFF-NOT: "tp", "dp"

// The first dimension whose parts dp = 2 divides; behind the axes that it has.
// CHECK-LABEL: func @step
// CHECK-SAME: %arg0: tensor<8x4xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<param "w">}
// CHECK-SAME: %arg1: tensor<8x4xf32> {boost.sharding = #boost.sharding<{"tp", "dp"}, {}>
// CHECK-SAME: %arg2: tensor<6x4xf32> {boost.sharding = #boost.sharding<{"tp"}, {"dp"}>
// CHECK-SAME: %arg3: tensor<3x5xf32> {boost.sharding = #boost.sharding<{}, {}>
// CHECK-SAME: %arg4: tensor<8x4xf32> {boost.parts = [{{.*}}], boost.sharding = #boost.sharding<{}, {"dp"}>
// A state of no parameter, and a batch.
// CHECK-SAME: %arg5: tensor<4xf32> {boost.sharding = #boost.sharding<{}>, boost.tensor = #boost.tensor<state "rng", kind = "rng">}
// CHECK-SAME: %arg6: tensor<4xf32> {boost.sharding = #boost.sharding<{}>
// CHECK-SAME: -> (tensor<8x4xf32> {boost.sharding = #boost.sharding<{"tp", "dp"}, {}>
shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}
func.func @step(
    %w: tensor<8x4xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<param "w">},
    %m: tensor<8x4xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<state "m.w", kind = "m", of = "w">},
    %n: tensor<6x4xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<state "m.n", kind = "m", of = "n">},
    %o: tensor<3x5xf32> {boost.sharding = #boost.sharding<{}, {}>, boost.tensor = #boost.tensor<state "m.o", kind = "m", of = "o">},
    %p: tensor<8x4xf32> {boost.sharding = #boost.sharding<{}, {}>, boost.tensor = #boost.tensor<state "m.p", kind = "m", of = "p">,
                         boost.parts = [#boost.part<name = "m.q", of = "q", dim = 0, offset = 0, shape = [4, 4]>,
                                        #boost.part<name = "m.r", of = "r", dim = 0, offset = 4, shape = [4, 4]>]},
    %k: tensor<4xf32> {boost.sharding = #boost.sharding<{}>, boost.tensor = #boost.tensor<state "rng", kind = "rng">},
    %x: tensor<4xf32> {boost.sharding = #boost.sharding<{}>, boost.tensor = #boost.tensor<batch "x">})
    -> (tensor<8x4xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<state "m.w", kind = "m", of = "w">}) {
  return %m : tensor<8x4xf32>
}

// -----

// Without an axis dp, or with one rank along it.
// CHECK-LABEL: func @one_rank
// CHECK-SAME: tensor<8xf32> {boost.sharding = #boost.sharding<{}>
shard.grid @mesh(shape = 1x2) {boost.axes = ["dp", "tp"]}
func.func @one_rank(%m: tensor<8xf32> {boost.sharding = #boost.sharding<{}>, boost.tensor = #boost.tensor<state "m.w", kind = "m", of = "w">}) {
  return
}
