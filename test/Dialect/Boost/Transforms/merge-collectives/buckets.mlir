// RUN: boost-opt %s --pass-pipeline="builtin.module(func.func(boost-merge-collectives{bucket-bytes=128}))" | FileCheck %s
// RUN: boost-opt %s --boost-merge-collectives | FileCheck %s --check-prefix=ONE
// RUN: boost-opt %s --pass-pipeline="builtin.module(func.func(boost-merge-collectives{bucket-bytes=128}),boost-verify-spmd)" -o %t
// RUN: boost-eval --compare --function=step %s %t
// Gradients are reduced in the order in which the backward pass makes them, in
// buckets of up to 128 bytes, each where its last one is ready. One that is
// larger travels alone.

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2) {boost.axes = ["dp"]}

  // CHECK-LABEL: func @step
  // CHECK:         boost.phase backward
  // CHECK-NEXT:    %[[C:.*]] = stablehlo.dot_general
  // CHECK-NEXT:    stablehlo.tanh
  // CHECK-NEXT:    %[[B:.*]] = stablehlo.dot_general
  // CHECK-NEXT:    %[[R:.*]]:2 = boost.all_reduce sum %[[C]], %[[B]] on @mesh axes = [0] {boost.component = "gradients"} : tensor<4x4xf32>, tensor<4x4xf32>
  // CHECK-NEXT:    %[[A:.*]] = stablehlo.dot_general
  // CHECK-NEXT:    %[[RA:.*]] = boost.all_reduce sum %[[A]] on
  // CHECK-NEXT:    boost.phase optimizer
  // CHECK-NEXT:    boost.sum_of_squares %[[RA]], %[[R]]#1, %[[R]]#0

  // ONE-LABEL: func @step
  // ONE:         %{{.*}}:3 = boost.all_reduce sum %{{.*}}, %{{.*}}, %{{.*}} on
  // ONE-NEXT:    boost.phase optimizer
  func.func @step(%x: tensor<8x4xf32> {boost.sharding = #boost.sharding<{"dp"}, {}>},
                  %y: tensor<8x12xf32> {boost.sharding = #boost.sharding<{"dp"}, {}>})
      -> (tensor<f32> {boost.sharding = #boost.sharding<>}) {
    boost.phase backward
    %c = stablehlo.dot_general %x, %x, contracting_dims = [0] x [0] : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
    %t = stablehlo.tanh %x : tensor<8x4xf32>
    %b = stablehlo.dot_general %t, %x, contracting_dims = [0] x [0] : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
    %a = stablehlo.dot_general %y, %x, contracting_dims = [0] x [0] : (tensor<8x12xf32>, tensor<8x4xf32>) -> tensor<12x4xf32>
    boost.phase optimizer
    %ra = boost.all_reduce sum %a on @mesh axes = [0] {boost.component = "gradients"} : tensor<12x4xf32>
    %rb = boost.all_reduce sum %b on @mesh axes = [0] {boost.component = "gradients"} : tensor<4x4xf32>
    %rc = boost.all_reduce sum %c on @mesh axes = [0] {boost.component = "gradients"} : tensor<4x4xf32>
    %s = boost.sum_of_squares %ra, %rb, %rc : (tensor<12x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<f32>
    return %s : tensor<f32>
  }
}
