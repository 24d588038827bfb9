// RUN: boost-opt %s --boost-propagate-shardings --boost-partition --boost-verify-spmd | FileCheck %s
// Probes say how ranks hold what they show, and change nothing.

shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}

// A maximum of ranks' terms is shown once it is complete.
// CHECK-LABEL: func @maximum
func.func @maximum(%x: tensor<8x64xf32> {boost.sharding = #boost.sharding<{"dp"}, {"tp"}>})
    -> (tensor<8xf32> {boost.sharding = #boost.sharding<{"dp"}>}) {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  // CHECK: %[[R:.*]] = stablehlo.reduce
  // CHECK-NEXT: %[[C:.*]] = boost.all_reduce max %[[R]]
  // CHECK-NEXT: boost.probe %[[C]] as "reduce" site 0 sharding <{"dp"}> : tensor<4xf32>
  %0 = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<8x64xf32>, tensor<f32>) -> tensor<8xf32>
  boost.probe %0 as "reduce" site 0 : tensor<8xf32>
  %1 = stablehlo.tanh %0 : tensor<8xf32>
  return %1 : tensor<8xf32>
}

// A sum is completed where it is without the probe, and shown in every form
// that it has.
// CHECK-LABEL: func @waits
func.func @waits(%x: tensor<8x64xf32> {boost.sharding = #boost.sharding<{"dp"}, {"tp"}>},
                 %a: tensor<64x16xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>})
    -> (tensor<8xf32> {boost.sharding = #boost.sharding<{"dp"}>}) {
  // CHECK: %[[P:.*]] = boost.linear
  // CHECK-NEXT: boost.probe %[[P]] as "linear" site 0 sharding <{"dp"}, {}, partial = sum {"tp"}> {boost.phase = "forward"} : tensor<4x16xf32>
  // CHECK-NOT: all_reduce
  %0 = boost.linear %x, %a : (tensor<8x64xf32>, tensor<64x16xf32>) -> tensor<8x16xf32>
  boost.probe %0 as "linear" site 0 {boost.phase = "forward"} : tensor<8x16xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // CHECK: %[[R:.*]] = stablehlo.reduce
  // CHECK-NEXT: boost.probe %[[R]] as "reduce" site 1 sharding <{"dp"}, partial = sum {"tp"}>
  // CHECK-NEXT: %[[C:.*]] = boost.all_reduce sum %[[R]]
  // CHECK-NEXT: boost.probe %[[C]] as "reduce" site 1 sharding <{"dp"}> : tensor<4xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>
  boost.probe %1 as "reduce" site 1 : tensor<8xf32>
  // CHECK-NEXT: stablehlo.tanh %[[C]]
  %2 = stablehlo.tanh %1 : tensor<8xf32>
  return %2 : tensor<8xf32>
}
