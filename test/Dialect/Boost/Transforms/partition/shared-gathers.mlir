// RUN: boost-opt %s --boost-propagate-shardings --boost-partition | FileCheck %s
// RUN: boost-opt %s --boost-propagate-shardings --boost-partition --boost-verify-spmd -o %t
// RUN: boost-eval --compare %s %t --function weighed | FileCheck %s --check-prefix=EQUAL
// RUN: boost-eval --compare %s %t --function widened | FileCheck %s --check-prefix=EQUAL
// RUN: boost-eval --compare %s %t --function once | FileCheck %s --check-prefix=EQUAL
// RUN: boost-eval --compare %s %t --function two_factors | FileCheck %s --check-prefix=EQUAL
// A value from which several are computed that products need whole is gathered once.

// EQUAL: results equal

shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}

// CHECK-LABEL: func @weighed
// CHECK: %[[X:.*]] = boost.all_gather %arg0
// CHECK: stablehlo.multiply %[[X]], {{.*}} : tensor<8x16xf32>
// CHECK: stablehlo.multiply %[[X]], {{.*}} : tensor<8x16xf32>
// CHECK-NOT: gather
// CHECK: return
func.func @weighed(%x: tensor<8x16xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>},
                   %a: tensor<16x64xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>},
                   %b: tensor<16x64xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>},
                   %g: tensor<8xf32> {boost.sharding = #boost.sharding<{}>},
                   %h: tensor<8xf32> {boost.sharding = #boost.sharding<{}>})
    -> (tensor<8x64xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>}) {
  %0 = stablehlo.broadcast_in_dim %g, dims = [0] : (tensor<8xf32>) -> tensor<8x16xf32>
  %1 = stablehlo.multiply %x, %0 : tensor<8x16xf32>
  %2 = boost.linear %1, %a : (tensor<8x16xf32>, tensor<16x64xf32>) -> tensor<8x64xf32>
  %3 = stablehlo.broadcast_in_dim %h, dims = [0] : (tensor<8xf32>) -> tensor<8x16xf32>
  %4 = stablehlo.multiply %x, %3 : tensor<8x16xf32>
  %5 = boost.linear %4, %b : (tensor<8x16xf32>, tensor<16x64xf32>) -> tensor<8x64xf32>
  %6 = stablehlo.add %2, %5 : tensor<8x64xf32>
  return %6 : tensor<8x64xf32>
}

// Half as many bytes are gathered before a conversion.
// CHECK-LABEL: func @widened
// CHECK: %[[X:.*]] = boost.all_gather %arg0 {{.*}}xbf16>
// CHECK: stablehlo.convert %[[X]]
// CHECK-NOT: gather
// CHECK: return
func.func @widened(%x: tensor<8x16xbf16> {boost.sharding = #boost.sharding<{}, {"tp"}>},
                   %a: tensor<16x64xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>})
    -> (tensor<8x64xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>}) {
  %0 = stablehlo.convert %x : (tensor<8x16xbf16>) -> tensor<8x16xf32>
  %1 = boost.linear %0, %a : (tensor<8x16xf32>, tensor<16x64xf32>) -> tensor<8x64xf32>
  return %1 : tensor<8x64xf32>
}

// What one product reads is computed in shards, and gathered.
// CHECK-LABEL: func @once
// CHECK: %[[Y:.*]] = stablehlo.tanh %arg0 : tensor<8x8xf32>
// CHECK: boost.all_gather %[[Y]]
func.func @once(%x: tensor<8x16xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>},
                %a: tensor<16x64xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>})
    -> (tensor<8x64xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>}) {
  %0 = stablehlo.tanh %x : tensor<8x16xf32>
  %1 = boost.linear %0, %a : (tensor<8x16xf32>, tensor<16x64xf32>) -> tensor<8x64xf32>
  return %1 : tensor<8x64xf32>
}

// Two factors in shards are multiplied there.
// CHECK-LABEL: func @two_factors
// CHECK: %[[Y:.*]] = stablehlo.multiply %arg0, %arg2 : tensor<8x8xf32>
// CHECK: boost.all_gather %[[Y]]
// CHECK-NOT: gather
// CHECK: return
func.func @two_factors(%x: tensor<8x16xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>},
                       %a: tensor<16x64xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>},
                       %g: tensor<8x16xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>})
    -> (tensor<8x64xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>}) {
  %0 = stablehlo.multiply %x, %g : tensor<8x16xf32>
  %1 = boost.linear %0, %a : (tensor<8x16xf32>, tensor<16x64xf32>) -> tensor<8x64xf32>
  return %1 : tensor<8x64xf32>
}
