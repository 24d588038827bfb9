// RUN: boost-opt %s --boost-propagate-shardings --boost-partition | FileCheck %s
// RUN: boost-opt %s --boost-propagate-shardings --boost-partition --boost-verify-spmd -o %t
// RUN: boost-eval --compare %s %t --function added | FileCheck %s --check-prefix=EQUAL
// RUN: boost-eval --compare %s %t --function joined | FileCheck %s --check-prefix=EQUAL
// RUN: boost-eval --compare %s %t --function two_users | FileCheck %s --check-prefix=EQUAL
// RUN: boost-eval --compare %s %t --function shrinks | FileCheck %s --check-prefix=EQUAL
// RUN: boost-eval --compare %s %t --function scatters | FileCheck %s --check-prefix=EQUAL
// RUN: boost-eval --compare %s %t --function narrows | FileCheck %s --check-prefix=EQUAL
// RUN: boost-eval --compare %s %t --function transposed | FileCheck %s --check-prefix=EQUAL
// RUN: boost-eval --compare %s %t --function multiplied | FileCheck %s --check-prefix=EQUAL
// RUN: boost-eval --compare %s %t --function selected | FileCheck %s --check-prefix=EQUAL
// RUN: boost-eval --compare %s %t --function onto_zeros | FileCheck %s --check-prefix=EQUAL
// RUN: boost-eval --compare %s %t --function maxima | FileCheck %s --check-prefix=EQUAL
// Partial sums are completed once, where they are smallest.

// EQUAL: results equal

shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}

// Two products are added before their sum is completed.
// CHECK-LABEL: func @added
// CHECK: %[[P:.*]] = boost.linear
// CHECK: %[[Q:.*]] = boost.linear
// CHECK: %[[S:.*]] = stablehlo.add %[[P]], %[[Q]]
// CHECK: boost.all_reduce sum %[[S]]
// CHECK-NOT: all_reduce
func.func @added(%x: tensor<8x64xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>},
                 %a: tensor<64x16xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>},
                 %b: tensor<64x16xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>})
    -> (tensor<8x16xf32> {boost.sharding = #boost.sharding<{}, {}>}) {
  %0 = boost.linear %x, %a : (tensor<8x64xf32>, tensor<64x16xf32>) -> tensor<8x16xf32>
  %1 = boost.linear %x, %b : (tensor<8x64xf32>, tensor<64x16xf32>) -> tensor<8x16xf32>
  %2 = stablehlo.add %0, %1 : tensor<8x16xf32>
  %3 = stablehlo.tanh %2 : tensor<8x16xf32>
  return %3 : tensor<8x16xf32>
}

// Two products are joined before their sum is completed: one message in place
// of two.
// CHECK-LABEL: func @joined
// CHECK: %[[P:.*]] = boost.linear
// CHECK: %[[Q:.*]] = boost.linear
// CHECK: %[[S:.*]] = stablehlo.concatenate %[[P]], %[[Q]]
// CHECK: boost.all_reduce sum %[[S]]
// CHECK-NOT: all_reduce
func.func @joined(%x: tensor<8x64xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>},
                  %a: tensor<64x16xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>},
                  %b: tensor<64x32xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>})
    -> (tensor<8x48xf32> {boost.sharding = #boost.sharding<{}, {}>}) {
  %0 = boost.linear %x, %a : (tensor<8x64xf32>, tensor<64x16xf32>) -> tensor<8x16xf32>
  %1 = boost.linear %x, %b : (tensor<8x64xf32>, tensor<64x32xf32>) -> tensor<8x32xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<8x16xf32>, tensor<8x32xf32>) -> tensor<8x48xf32>
  %3 = stablehlo.tanh %2 : tensor<8x48xf32>
  return %3 : tensor<8x48xf32>
}

// Of two users one needs the sum: it is completed once for both.
// CHECK-LABEL: func @two_users
// CHECK: %[[P:.*]] = boost.linear
// CHECK: %[[H:.*]] = boost.all_reduce sum %[[P]]
// CHECK: stablehlo.negate %[[H]]
// CHECK: stablehlo.tanh %[[H]]
// CHECK-NOT: all_reduce
func.func @two_users(%x: tensor<8x64xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>},
                     %a: tensor<64x16xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>})
    -> (tensor<8x16xf32> {boost.sharding = #boost.sharding<{}, {}>}, tensor<8x16xf32> {boost.sharding = #boost.sharding<{}, {}>}) {
  %0 = boost.linear %x, %a : (tensor<8x64xf32>, tensor<64x16xf32>) -> tensor<8x16xf32>
  %1 = stablehlo.negate %0 : tensor<8x16xf32>
  %2 = stablehlo.tanh %0 : tensor<8x16xf32>
  return %1, %2 : tensor<8x16xf32>, tensor<8x16xf32>
}

// A reduction makes the sum smaller first.
// CHECK-LABEL: func @shrinks
// CHECK: boost.linear
// CHECK: %[[R:.*]] = stablehlo.reduce
// CHECK: boost.all_reduce sum %[[R]] {{.*}} : tensor<8xf32>
// CHECK-NOT: all_reduce
func.func @shrinks(%x: tensor<8x64xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>},
                   %a: tensor<64x16xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>})
    -> (tensor<8xf32> {boost.sharding = #boost.sharding<{}>}) {
  %0 = boost.linear %x, %a : (tensor<8x64xf32>, tensor<64x16xf32>) -> tensor<8x16xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>
  %2 = stablehlo.tanh %1 : tensor<8xf32>
  return %2 : tensor<8xf32>
}

// Where only a part is wanted, a reduce-scatter does.
// CHECK-LABEL: func @scatters
// CHECK: %[[P:.*]] = boost.linear
// CHECK: boost.reduce_scatter sum %[[P]] dims = [1] on @mesh axes = [0] {{.*}} : (tensor<8x16xf32>) -> tensor<8x8xf32>
// CHECK: stablehlo.multiply {{.*}} : tensor<8x8xf32>
func.func @scatters(%x: tensor<8x64xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>},
                    %a: tensor<64x16xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>},
                    %g: tensor<8x16xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>})
    -> (tensor<8x16xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>}) {
  %0 = boost.linear %x, %a : (tensor<8x64xf32>, tensor<64x16xf32>) -> tensor<8x16xf32>
  %1 = stablehlo.tanh %0 : tensor<8x16xf32>
  %2 = stablehlo.multiply %1, %g : tensor<8x16xf32>
  return %2 : tensor<8x16xf32>
}

// Rounding a sum is not the sum of the rounded.
// CHECK-LABEL: func @narrows
// CHECK: %[[P:.*]] = boost.linear
// CHECK: %[[H:.*]] = boost.all_reduce sum %[[P]] {{.*}} : tensor<8x16xf32>
// CHECK: stablehlo.convert %[[H]]
func.func @narrows(%x: tensor<8x64xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>},
                   %a: tensor<64x16xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>})
    -> (tensor<8x16xbf16> {boost.sharding = #boost.sharding<{}, {}>}) {
  %0 = boost.linear %x, %a : (tensor<8x64xf32>, tensor<64x16xf32>) -> tensor<8x16xf32>
  %1 = stablehlo.convert %0 : (tensor<8x16xf32>) -> tensor<8x16xbf16>
  return %1 : tensor<8x16xbf16>
}

// A transpose belongs to the product that writes it: the sum comes behind both.
// CHECK-LABEL: func @transposed
// CHECK: %[[P:.*]] = boost.linear
// CHECK: %[[T:.*]] = stablehlo.transpose %[[P]]
// CHECK: boost.all_reduce sum %[[T]]
// CHECK-NOT: all_reduce
func.func @transposed(%x: tensor<8x64xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>},
                      %a: tensor<64x16xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>})
    -> (tensor<16x8xf32> {boost.sharding = #boost.sharding<{}, {}>}) {
  %0 = boost.linear %x, %a : (tensor<8x64xf32>, tensor<64x16xf32>) -> tensor<8x16xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
  %2 = stablehlo.tanh %1 : tensor<16x8xf32>
  return %2 : tensor<16x8xf32>
}

// The product of two sums is not the sum of the ranks' products.
// CHECK-LABEL: func @multiplied
// CHECK: %[[P:.*]] = boost.linear
// CHECK: %[[Q:.*]] = boost.linear
// CHECK-DAG: %[[PS:.*]] = boost.all_reduce sum %[[P]]
// CHECK-DAG: %[[QS:.*]] = boost.all_reduce sum %[[Q]]
// CHECK: stablehlo.multiply %[[PS]], %[[QS]]
// CHECK-NOT: all_reduce
func.func @multiplied(%x: tensor<8x64xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>},
                      %a: tensor<64x16xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>},
                      %b: tensor<64x16xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>})
    -> (tensor<8x16xf32> {boost.sharding = #boost.sharding<{}, {}>}) {
  boost.phase backward
  %0 = boost.linear %x, %a : (tensor<8x64xf32>, tensor<64x16xf32>) -> tensor<8x16xf32>
  %1 = boost.linear %x, %b : (tensor<8x64xf32>, tensor<64x16xf32>) -> tensor<8x16xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<8x16xf32>
  return %2 : tensor<8x16xf32>
}

// A value that every rank has would be added up: the sum beside it is completed
// before the choice.
// CHECK-LABEL: func @selected
// CHECK: %[[P:.*]] = boost.linear
// CHECK: %[[H:.*]] = boost.all_reduce sum %[[P]]
// CHECK: stablehlo.select %{{.*}}, %[[H]], %{{.*}}
// CHECK-NOT: all_reduce
func.func @selected(%x: tensor<8x64xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>},
                    %a: tensor<64x16xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>},
                    %p: tensor<8x16xi1> {boost.sharding = #boost.sharding<{}, {}>},
                    %b: tensor<8x16xf32> {boost.sharding = #boost.sharding<{}, {}>})
    -> (tensor<8x16xf32> {boost.sharding = #boost.sharding<{}, {}>}) {
  boost.phase backward
  %0 = boost.linear %x, %a : (tensor<8x64xf32>, tensor<64x16xf32>) -> tensor<8x16xf32>
  %1 = stablehlo.select %p, %0, %b : tensor<8x16xi1>, tensor<8x16xf32>
  return %1 : tensor<8x16xf32>
}

// Zeros on every rank add up to zeros: the ranks choose, and what they reduce
// to is completed.
// CHECK-LABEL: func @onto_zeros
// CHECK: %[[P:.*]] = boost.linear
// CHECK: %[[S:.*]] = stablehlo.select %{{.*}}, %[[P]], %{{.*}}
// CHECK: %[[R:.*]] = stablehlo.reduce(%[[S]]
// CHECK: boost.all_reduce sum %[[R]] {{.*}} : tensor<8xf32>
// CHECK-NOT: all_reduce
func.func @onto_zeros(%x: tensor<8x64xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>},
                      %a: tensor<64x16xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>},
                      %p: tensor<8x16xi1> {boost.sharding = #boost.sharding<{}, {}>})
    -> (tensor<8xf32> {boost.sharding = #boost.sharding<{}>}) {
  %0 = boost.linear %x, %a : (tensor<8x64xf32>, tensor<64x16xf32>) -> tensor<8x16xf32>
  %zeros = stablehlo.constant dense<0.0> : tensor<8x16xf32>
  %1 = stablehlo.select %p, %0, %zeros : tensor<8x16xi1>, tensor<8x16xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}

// Maxima are completed at once: the negative of a maximum is none.
// CHECK-LABEL: func @maxima
// CHECK: %[[P:.*]] = stablehlo.reduce
// CHECK: %[[H:.*]] = boost.all_reduce max %[[P]]
// CHECK: stablehlo.negate %[[H]]
// CHECK-NOT: all_reduce
func.func @maxima(%x: tensor<7x64xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>})
    -> (tensor<7xf32> {boost.sharding = #boost.sharding<{}>}) {
  boost.phase backward
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %least) applies stablehlo.maximum across dimensions = [1] : (tensor<7x64xf32>, tensor<f32>) -> tensor<7xf32>
  %1 = stablehlo.negate %0 : tensor<7xf32>
  return %1 : tensor<7xf32>
}
