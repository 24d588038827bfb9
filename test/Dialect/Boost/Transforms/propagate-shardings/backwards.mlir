// RUN: boost-opt %s --boost-propagate-shardings | FileCheck %s
// What is known at the end reaches back, and decides between loops that compete.

shard.grid @mesh(shape = 1x2) {boost.axes = ["dp", "tp"]}

// The gradient of the head: its parameter is sharded along the vocabulary, so the
// hidden dimension gives way although both operands are sharded.
// CHECK-LABEL: func @gradient_of_head
func.func @gradient_of_head(%x: tensor<32x64xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>},
                            %dy: tensor<32x64xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>})
    -> (tensor<64x64xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>}) {
  // CHECK: stablehlo.dot_general {{.*}}boost.shardings = [#boost.sharding<{}, {"tp"}>]
  %0 = stablehlo.dot_general %x, %dy, contracting_dims = [0] x [0] : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<64x64xf32>
  // CHECK: stablehlo.negate {{.*}}boost.shardings = [#boost.sharding<{}, {"tp"}>]
  %1 = stablehlo.negate %0 : tensor<64x64xf32>
  return %1 : tensor<64x64xf32>
}

// An axis of one rank shards nothing.
// CHECK-LABEL: func @one_rank
func.func @one_rank(%x: tensor<32x64xf32> {boost.sharding = #boost.sharding<{"dp"}, {}>})
    -> (tensor<32x64xf32> {boost.sharding = #boost.sharding<{"dp"}, {}>}) {
  // CHECK: stablehlo.negate
  // CHECK-NOT: boost.shardings
  %0 = stablehlo.negate %x : tensor<32x64xf32>
  return %0 : tensor<32x64xf32>
}

// What a placement has said of a value stays, and reaches back: nothing shards
// the arguments.
// CHECK-LABEL: func @annotated
func.func @annotated(%x: tensor<32x64xf32> {boost.sharding = #boost.sharding<{}, {}>},
                     %w: tensor<64x512xf32> {boost.sharding = #boost.sharding<{}, {}>})
    -> (tensor<32x512xf32> {boost.sharding = #boost.sharding<{}, {}>}) {
  // CHECK: stablehlo.negate {{.*}}boost.shardings = [#boost.sharding<{"tp"}, {}>]
  %0 = stablehlo.negate %x : tensor<32x64xf32>
  // CHECK: boost.linear {{.*}}boost.shardings = [#boost.sharding<{"tp"}, {}>]
  %1 = boost.linear %0, %w {boost.shardings = [#boost.sharding<{"tp"}, {}>]}
      : (tensor<32x64xf32>, tensor<64x512xf32>) -> tensor<32x512xf32>
  return %1 : tensor<32x512xf32>
}

// Of loops that compete with tensors of one size the first takes the axis.
// CHECK-LABEL: func @equal
func.func @equal(%x: tensor<64x64xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>},
                 %y: tensor<64x64xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>})
    -> (tensor<64xf32> {boost.sharding = #boost.sharding<{}>}) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // CHECK: stablehlo.add {{.*}}boost.shardings = [#boost.sharding<{"tp"}, {}>]
  %0 = stablehlo.add %x, %y : tensor<64x64xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<64x64xf32>, tensor<f32>) -> tensor<64xf32>
  return %1 : tensor<64xf32>
}
