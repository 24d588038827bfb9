// RUN: boost-opt %s --boost-propagate-shardings --boost-partition | FileCheck %s
// RUN: boost-opt %s --boost-propagate-shardings --boost-partition --boost-verify-spmd -o %t
// RUN: boost-eval --compare %s %t --function batch | FileCheck %s --check-prefix=EQUAL
// RUN: boost-eval --compare %s %t --function rows | FileCheck %s --check-prefix=EQUAL
// RUN: boost-eval --compare %s %t --function gram | FileCheck %s --check-prefix=EQUAL

// EQUAL: results equal

shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}

// Ranks factorize other matrices of a batch.
// CHECK-LABEL: func @batch
// CHECK-NOT: all_gather
// CHECK: boost.factorize qr %{{.*}} : (tensor<2x6x3xf32>) -> (tensor<2x6x3xf32>, tensor<2x3xf32>)
// CHECK: boost.factorize qr_basis %{{.*}} : (tensor<2x6x3xf32>, tensor<2x3xf32>) -> tensor<2x6x3xf32>
func.func @batch(%a: tensor<4x6x3xf32> {boost.sharding = #boost.sharding<{"tp"}, {}, {}>, boost.tensor = #boost.tensor<param "a">})
    -> (tensor<4x6x3xf32> {boost.sharding = #boost.sharding<{"tp"}, {}, {}>}) {
  %0:2 = boost.factorize qr %a : (tensor<4x6x3xf32>) -> (tensor<4x6x3xf32>, tensor<4x3xf32>)
  %1 = boost.factorize qr_basis %0#0, %0#1 : (tensor<4x6x3xf32>, tensor<4x3xf32>) -> tensor<4x6x3xf32>
  return %1 : tensor<4x6x3xf32>
}

// Of one matrix a rank needs everything.
// CHECK-LABEL: func @rows
// CHECK: %[[A:.*]] = boost.all_gather
// CHECK: boost.factorize singular_values %[[A]] : (tensor<6x3xf32>) -> tensor<3xf32>
func.func @rows(%a: tensor<6x3xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<param "a">})
    -> (tensor<3xf32> {boost.sharding = #boost.sharding<{}>}) {
  %0 = boost.factorize singular_values %a : (tensor<6x3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// A sum over ranks is complete before it is factorized.
// CHECK-LABEL: func @gram
// CHECK-NOT: all_gather
// CHECK: %[[G:.*]] = boost.all_reduce sum %{{.*}} : {{.*}}tensor<3x3xf32>
// CHECK: boost.factorize cholesky %[[G]] : (tensor<3x3xf32>) -> tensor<3x3xf32>
func.func @gram(%a: tensor<6x3xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<param "a">})
    -> (tensor<3x3xf32> {boost.sharding = #boost.sharding<{}, {}>}) {
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [0] x [0] : (tensor<6x3xf32>, tensor<6x3xf32>) -> tensor<3x3xf32>
  %1 = boost.factorize cholesky %0 : (tensor<3x3xf32>) -> tensor<3x3xf32>
  return %1 : tensor<3x3xf32>
}
