// RUN: boost-opt %s -boost-place="mesh=tp=2 placement=bottleneck" | FileCheck %s
// RUN: boost-opt %s -boost-place="mesh=tp=2 placement=megatron" | FileCheck %s
// RUN: not boost-opt %s -boost-place="mesh=tp=3 placement=megatron" 2>&1 | FileCheck %s --check-prefix=WIDE
// A gate of one column and a router of three are sharded along their input width. A
// wide linear that does not divide is refused: its sums would cost more.

// CHECK-LABEL: func @loss
// CHECK-SAME: boost.reason = "linear of few columns: row-parallel, partial sums are added", boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<{{param|batch}} "gate"
// CHECK-SAME: boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<{{param|batch}} "router"
// CHECK-SAME: boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<{{param|batch}} "up"
// WIDE: error: expects a linear output width that tp = 3 divides, but got 32 in 'up'
func.func @loss(%x: tensor<4x12xf32> {boost.tensor = #boost.tensor<batch "x">},
                %gate: tensor<12x1xf32> {boost.tensor = #boost.tensor<param "gate">},
                %router: tensor<12x3xf32> {boost.tensor = #boost.tensor<param "router">},
                %up: tensor<12x32xf32> {boost.tensor = #boost.tensor<param "up">})
    -> (tensor<4x1xf32>, tensor<4x3xf32>, tensor<4x32xf32>) {
  %0 = boost.linear %x, %gate : (tensor<4x12xf32>, tensor<12x1xf32>) -> tensor<4x1xf32>
  %1 = boost.linear %x, %router : (tensor<4x12xf32>, tensor<12x3xf32>) -> tensor<4x3xf32>
  %2 = boost.linear %x, %up : (tensor<4x12xf32>, tensor<12x32xf32>) -> tensor<4x32xf32>
  return %0, %1, %2 : tensor<4x1xf32>, tensor<4x3xf32>, tensor<4x32xf32>
}
