// A stage of a pipeline needs the memory of its own layers: what fits on each
// stage does not fit on one rank.
// RUN: boost-opt %s '--boost-rematerialize-to-budget=budget=6000 machine="'%boost_src/machines/host.json'"' --boost-schedule-pipeline --boost-lower-pipeline | FileCheck %s
// RUN: sed 's/shape = 2/shape = 1/' %s > %t.mlir
// RUN: not boost-opt %t.mlir '--boost-rematerialize-to-budget=budget=6000 machine="'%boost_src/machines/host.json'"' 2>&1 | FileCheck %s --check-prefix=ONE

// CHECK: boost.arena_bytes = 4160 : i64
// ONE: error: {{.*}}6000

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2) {boost.axes = ["pp"]}
  func.func @loss(%x: tensor<16xf32> {boost.sharding = #boost.sharding<{}>, boost.tensor = #boost.tensor<batch "x">},
                  %w: tensor<1000xf32> {boost.sharding = #boost.sharding<{}>, boost.tensor = #boost.tensor<param "w">},
                  %v: tensor<1000xf32> {boost.sharding = #boost.sharding<{}>, boost.tensor = #boost.tensor<param "v">})
      -> (tensor<16xf32> {boost.sharding = #boost.sharding<{}>, boost.tensor = #boost.tensor<output "y">}) {
    %a = stablehlo.slice %w [0:16] {boost.layer = #boost.layer<class = 0, index = 0>} : (tensor<1000xf32>) -> tensor<16xf32>
    %0 = stablehlo.multiply %x, %a {boost.layer = #boost.layer<class = 0, index = 0>} : tensor<16xf32>
    %b = stablehlo.slice %v [0:16] {boost.layer = #boost.layer<class = 0, index = 1>} : (tensor<1000xf32>) -> tensor<16xf32>
    %1 = stablehlo.multiply %0, %b {boost.layer = #boost.layer<class = 0, index = 1>} : tensor<16xf32>
    return %1 : tensor<16xf32>
  }
  boost.schedule @evaluate {
    boost.call @loss micro_batch 0
  }
}
