// RUN: boost-opt %s --boost-propagate-shardings | FileCheck %s
// RUN: not boost-opt %s --boost-propagate-shardings --boost-partition 2>&1 | FileCheck %s --check-prefix=PARTITION
// Values that are no tensors have no shardings; the partitioner names them.

shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}

// CHECK-LABEL: func @number
func.func @number(%x: tensor<4xf32> {boost.sharding = #boost.sharding<{"tp"}>})
    -> (tensor<4xf32> {boost.sharding = #boost.sharding<{"tp"}>}) {
  // CHECK: unrealized_conversion_cast %{{.*}} : tensor<4xf32> to i32
  // PARTITION: no-tensors.mlir:[[@LINE+1]]:{{[0-9]+}}: error: 'builtin.unrealized_conversion_cast' op expects tensors of static shape, but got 'i32'
  %n = builtin.unrealized_conversion_cast %x : tensor<4xf32> to i32
  // CHECK: unrealized_conversion_cast %{{.*}} : i32 to tensor<4xf32>
  %y = builtin.unrealized_conversion_cast %n : i32 to tensor<4xf32>
  // CHECK: stablehlo.tanh %{{.*}} {boost.shardings = [#boost.sharding<{"tp"}>]}
  %0 = stablehlo.tanh %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
