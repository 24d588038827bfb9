// RUN: boost-opt %s --pass-pipeline="builtin.module(func.func(boost-merge-collectives{bucket-bytes=128}))" | FileCheck %s
// RUN: boost-opt %s --boost-merge-collectives | FileCheck %s --check-prefix=ONE
// RUN: boost-opt %s --pass-pipeline="builtin.module(func.func(boost-merge-collectives{bucket-bytes=0}))" | FileCheck %s --check-prefix=NONE
// RUN: boost-opt %s --pass-pipeline="builtin.module(func.func(boost-merge-collectives{bucket-bytes=128}),boost-verify-spmd)" -o %t
// RUN: boost-eval --compare --function=step %s %t
// The state is sharded over dp: gradients are scattered and parameters gathered
// in buckets of up to 128 bytes. What counts is the full tensor, of a scatter
// its operand and of a gather its result; types and dimensions may differ.

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2) {boost.axes = ["dp"]}

  // CHECK-LABEL: func @step
  // CHECK:         boost.phase backward
  // CHECK-NEXT:    %[[C:.*]] = stablehlo.dot_general
  // CHECK-NEXT:    %[[B:.*]] = stablehlo.dot_general
  // CHECK-NEXT:    %[[P:.*]]:2 = boost.reduce_scatter sum %[[C]], %[[B]] dims = [1, 0] on @mesh axes = [0] {boost.component = "gradients"}
  // CHECK-SAME:        : (tensor<4x8xbf16>, tensor<4x4xf32>) -> (tensor<4x4xbf16>, tensor<2x4xf32>)
  // CHECK-NEXT:    %[[A:.*]] = stablehlo.dot_general
  // CHECK-NEXT:    %[[PA:.*]] = boost.reduce_scatter sum %[[A]] dims = [0]
  // CHECK-NEXT:    boost.phase optimizer
  // CHECK:         %[[NA:.*]] = stablehlo.add %[[PA]]
  // CHECK-NEXT:    %[[GA:.*]] = boost.all_gather %[[NA]] dims = [0]
  // CHECK:         %[[NB:.*]] = stablehlo.add %[[P]]#1
  // CHECK:         %[[NC:.*]] = stablehlo.add %[[P]]#0
  // CHECK-NEXT:    %[[G:.*]]:2 = boost.all_gather %[[NB]], %[[NC]] dims = [0, 1] on @mesh axes = [0] {boost.component = "optimizer"}
  // CHECK-SAME:        : (tensor<2x4xf32>, tensor<4x4xbf16>) -> (tensor<4x4xf32>, tensor<4x8xbf16>)
  // CHECK-NEXT:    return %[[GA]], %[[G]]#0, %[[G]]#1

  // ONE-LABEL: func @step
  // ONE:         %{{.*}}:3 = boost.reduce_scatter sum
  // ONE-NEXT:    boost.phase optimizer
  // ONE-NOT:     boost.all_gather
  // ONE:         %{{.*}}:3 = boost.all_gather
  // ONE-NEXT:    return

  // NONE-LABEL:    func @step
  // NONE-COUNT-3:  = boost.reduce_scatter sum %{{[^,]*}} dims
  // NONE-COUNT-3:  = boost.all_gather %{{[^,]*}} dims
  func.func @step(%x: tensor<8x4xf32> {boost.sharding = #boost.sharding<{"dp"}, {}>},
                  %y: tensor<8x12xf32> {boost.sharding = #boost.sharding<{"dp"}, {}>},
                  %u: tensor<8x4xbf16> {boost.sharding = #boost.sharding<{"dp"}, {}>},
                  %z: tensor<8x8xbf16> {boost.sharding = #boost.sharding<{"dp"}, {}>},
                  %ma: tensor<6x4xf32> {boost.sharding = #boost.sharding<{"dp"}, {}>},
                  %mb: tensor<2x4xf32> {boost.sharding = #boost.sharding<{"dp"}, {}>},
                  %mc: tensor<4x4xbf16> {boost.sharding = #boost.sharding<{}, {"dp"}>})
      -> (tensor<12x4xf32> {boost.sharding = #boost.sharding<{}, {}>}, tensor<4x4xf32> {boost.sharding = #boost.sharding<{}, {}>},
          tensor<4x8xbf16> {boost.sharding = #boost.sharding<{}, {}>}) {
    boost.phase backward
    %c = stablehlo.dot_general %u, %z, contracting_dims = [0] x [0] : (tensor<8x4xbf16>, tensor<8x8xbf16>) -> tensor<4x8xbf16>
    %b = stablehlo.dot_general %x, %x, contracting_dims = [0] x [0] : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
    %a = stablehlo.dot_general %y, %x, contracting_dims = [0] x [0] : (tensor<8x12xf32>, tensor<8x4xf32>) -> tensor<12x4xf32>
    boost.phase optimizer
    %pa = boost.reduce_scatter sum %a dims = [0] on @mesh axes = [0] {boost.component = "gradients"} : (tensor<12x4xf32>) -> tensor<6x4xf32>
    %na = stablehlo.add %pa, %ma : tensor<6x4xf32>
    %ga = boost.all_gather %na dims = [0] on @mesh axes = [0] {boost.component = "optimizer"} : (tensor<6x4xf32>) -> tensor<12x4xf32>
    %pb = boost.reduce_scatter sum %b dims = [0] on @mesh axes = [0] {boost.component = "gradients"} : (tensor<4x4xf32>) -> tensor<2x4xf32>
    %nb = stablehlo.add %pb, %mb : tensor<2x4xf32>
    %gb = boost.all_gather %nb dims = [0] on @mesh axes = [0] {boost.component = "optimizer"} : (tensor<2x4xf32>) -> tensor<4x4xf32>
    %pc = boost.reduce_scatter sum %c dims = [1] on @mesh axes = [0] {boost.component = "gradients"} : (tensor<4x8xbf16>) -> tensor<4x4xbf16>
    %nc = stablehlo.add %pc, %mc : tensor<4x4xbf16>
    %gc = boost.all_gather %nc dims = [1] on @mesh axes = [0] {boost.component = "optimizer"} : (tensor<4x4xbf16>) -> tensor<4x8xbf16>
    return %ga, %gb, %gc : tensor<12x4xf32>, tensor<4x4xf32>, tensor<4x8xbf16>
  }
}
