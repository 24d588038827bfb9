// RUN: boost-opt %s -boost-rematerialize -o %t.none
// RUN: boost-opt %s -boost-rematerialize=mode=low-rank -o %t.lowrank
// RUN: boost-opt %s -boost-rematerialize=mode=full-block -o %t.full
// RUN: FileCheck %s --check-prefix=NONE < %t.none
// RUN: FileCheck %s --check-prefix=LOWRANK < %t.lowrank
// RUN: FileCheck %s --check-prefix=FULL < %t.full
// RUN: boost-eval --compare --function=gradient --tolerance=0 %s %t.none
// RUN: boost-eval --compare --function=gradient --tolerance=0 %s %t.lowrank
// RUN: boost-eval --compare --function=gradient --tolerance=0 %s %t.full
// Classes stand in place of those of a mode.
// RUN: boost-opt %s -boost-rematerialize="mode=none recompute=elementwise" -o %t.classes
// RUN: boost-opt %s -boost-rematerialize="mode=full-block recompute=elementwise" | diff %t.classes -
// RUN: boost-opt %t.lowrank -canonicalize -cse | FileCheck %s --check-prefix=LOWRANK
// RUN: boost-opt %t.none -boost-verify-spmd -o /dev/null
// RUN: boost-opt %t.full -boost-verify-spmd -o /dev/null
// A bottleneck on two ranks: x.down is summed to h, silu(h).up is the loss.
// Without a mode the logistic is recomputed where it fuses with what reads it;
// low-rank keeps the latent alone; full-block also sums it again.

// What the backward pass keeps: z (96 bytes) and h (96 bytes).
// NONE:       func.func @gradient
// NONE-SAME:  boost.kept_bytes = array<i64: 0, 192>
// NONE:       %[[H:.*]] = boost.all_reduce
// NONE:       %[[Z:.*]] = stablehlo.multiply %[[H]]
// NONE:       boost.phase backward
// NONE-NOT:   stablehlo.multiply %[[H]], %{{.*}}logistic
// NONE:       stablehlo.dot_general %[[Z]], %{{.*}}
// NONE:       %[[KEPT:.*]] = stablehlo.optimization_barrier %[[H]]
// NONE-NEXT:  stablehlo.logistic %[[KEPT]]

// LOWRANK:       func.func @gradient
// LOWRANK-SAME:  boost.kept_bytes = array<i64: 0, 96>
// LOWRANK:       %[[H:.*]] = boost.all_reduce
// LOWRANK:       boost.phase backward
// LOWRANK:       %[[KEPT:.*]] = stablehlo.optimization_barrier %[[H]]
// LOWRANK-NEXT:  %[[S:.*]] = stablehlo.logistic %[[KEPT]]
// LOWRANK-NEXT:  %[[Z:.*]] = stablehlo.multiply %[[KEPT]], %[[S]]
// LOWRANK:       stablehlo.dot_general %[[Z]], %{{.*}}
// LOWRANK:       boost.all_reduce
// LOWRANK-NOT:   boost.all_reduce
// LOWRANK:       return

// FULL:       func.func @gradient
// FULL-SAME:  boost.kept_bytes = array<i64: 0, 0>
// FULL:       boost.phase backward
// FULL:       %[[X:.*]] = stablehlo.optimization_barrier %arg0
// FULL:       %[[P:.*]] = boost.linear %[[X]]
// FULL-NEXT:  %[[H:.*]] = boost.all_reduce sum %[[P]]
// FULL-NEXT:  stablehlo.logistic %[[H]]

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}
  func.func @gradient(%x: tensor<8x4xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<batch "x">},
                      %a: tensor<4x3xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<param "a">},
                      %b: tensor<3x5xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<param "b">})
      -> (tensor<8x5xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<loss "loss">},
          tensor<4x3xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>, boost.tensor = #boost.tensor<gradient "grad.a", of = "a">},
          tensor<3x5xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<gradient "grad.b", of = "b">}) {
    %ones = stablehlo.constant dense<1.0> : tensor<8x3xf32>
    %dy = stablehlo.constant dense<0.5> : tensor<8x5xf32>
    %p = boost.linear %x, %a : (tensor<8x4xf32>, tensor<4x3xf32>) -> tensor<8x3xf32>
    %h = boost.all_reduce sum %p on @mesh axes = [0] {boost.component = "block"} : tensor<8x3xf32>
    %s = stablehlo.logistic %h : tensor<8x3xf32>
    %z = stablehlo.multiply %h, %s : tensor<8x3xf32>
    %y = boost.linear %z, %b : (tensor<8x3xf32>, tensor<3x5xf32>) -> tensor<8x5xf32>
    boost.phase backward
    %db = stablehlo.dot_general %z, %dy, contracting_dims = [0] x [0] : (tensor<8x3xf32>, tensor<8x5xf32>) -> tensor<3x5xf32>
    %dzp = boost.linear %dy, %b transposed : (tensor<8x5xf32>, tensor<3x5xf32>) -> tensor<8x3xf32>
    %dz = boost.all_reduce sum %dzp on @mesh axes = [0] {boost.component = "block"} : tensor<8x3xf32>
    %0 = stablehlo.subtract %ones, %s : tensor<8x3xf32>
    %1 = stablehlo.multiply %h, %0 : tensor<8x3xf32>
    %2 = stablehlo.add %ones, %1 : tensor<8x3xf32>
    %3 = stablehlo.multiply %s, %2 : tensor<8x3xf32>
    %dh = stablehlo.multiply %dz, %3 : tensor<8x3xf32>
    %da = stablehlo.dot_general %x, %dh, contracting_dims = [0] x [0] : (tensor<8x4xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
    return %y, %da, %db : tensor<8x5xf32>, tensor<4x3xf32>, tensor<3x5xf32>
  }
}
