// RUN: boost-opt %s --boost-merge-collectives | FileCheck %s
// RUN: boost-opt %s --boost-merge-collectives --boost-verify-spmd -o %t
// RUN: boost-eval --compare --function=projections %s %t
// RUN: boost-eval --compare --function=down_then_up %s %t
// The statistic of a norm and three projections of one input are launched once,
// with operands of different types; a projection that reads the first one's
// result is launched later.

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}

  // CHECK-LABEL: func @projections
  // CHECK-SAME:    (%[[X:.*]]: tensor<4x8xbf16> {{.*}}, %[[A:.*]]: tensor<8x4xbf16> {{.*}}, %[[B:.*]]: tensor<8x2xbf16>
  func.func @projections(%x: tensor<4x8xbf16> {boost.sharding = #boost.sharding<{}, {"tp"}>},
                         %a: tensor<8x4xbf16> {boost.sharding = #boost.sharding<{"tp"}, {}>},
                         %b: tensor<8x2xbf16> {boost.sharding = #boost.sharding<{"tp"}, {}>})
      -> (tensor<4x4xbf16> {boost.sharding = #boost.sharding<{}, {}>}, tensor<4x2xbf16> {boost.sharding = #boost.sharding<{}, {}>},
          tensor<4xf32> {boost.sharding = #boost.sharding<{}>}) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %wide = stablehlo.convert %x : (tensor<4x8xbf16>) -> tensor<4x8xf32>
    %square = stablehlo.multiply %wide, %wide : tensor<4x8xf32>
    // CHECK-NOT: all_reduce
    // CHECK:     %[[S:.*]] = stablehlo.reduce
    // CHECK:     %[[P:.*]] = boost.linear %[[X]], %[[A]]
    // CHECK-NEXT: %[[Q:.*]] = boost.linear %[[X]], %[[B]]
    // CHECK-NEXT: %[[R:.*]]:3 = boost.all_reduce sum %[[S]], %[[P]], %[[Q]] on @mesh axes = [0] {boost.component = "block"}
    // CHECK-SAME:   : tensor<4xf32>, tensor<4x4xbf16>, tensor<4x2xbf16>
    // CHECK-NOT: all_reduce
    // CHECK:     stablehlo.rsqrt %[[R]]#0
    // CHECK-NEXT: stablehlo.tanh %[[R]]#1
    // CHECK-NEXT: return %{{.*}}, %[[R]]#2
    %0 = stablehlo.reduce(%square init: %zero) applies stablehlo.add across dimensions = [1]
        : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
    %s = boost.all_reduce sum %0 on @mesh axes = [0] {boost.component = "block"} : tensor<4xf32>
    %r = stablehlo.rsqrt %s : tensor<4xf32>
    %1 = boost.linear %x, %a : (tensor<4x8xbf16>, tensor<8x4xbf16>) -> tensor<4x4xbf16>
    %p = boost.all_reduce sum %1 on @mesh axes = [0] {boost.component = "block"} : tensor<4x4xbf16>
    %t = stablehlo.tanh %p : tensor<4x4xbf16>
    %2 = boost.linear %x, %b : (tensor<4x8xbf16>, tensor<8x2xbf16>) -> tensor<4x2xbf16>
    %q = boost.all_reduce sum %2 on @mesh axes = [0] {boost.component = "block"} : tensor<4x2xbf16>
    return %t, %q, %r : tensor<4x4xbf16>, tensor<4x2xbf16>, tensor<4xf32>
  }

  // CHECK-LABEL: func @down_then_up
  func.func @down_then_up(%x: tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>},
                          %a: tensor<8x4xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>},
                          %b: tensor<4x8xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>},
                          %c: tensor<8x2xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>})
      -> (tensor<4x2xf32> {boost.sharding = #boost.sharding<{}, {}>}) {
    // CHECK: boost.all_reduce sum %{{[^,]*}} on
    // CHECK: boost.all_reduce sum %{{[^,]*}} on
    %0 = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
    %h = boost.all_reduce sum %0 on @mesh axes = [0] {boost.component = "block"} : tensor<4x4xf32>
    %y = boost.linear %h, %b : (tensor<4x4xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %1 = boost.linear %y, %c : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
    %z = boost.all_reduce sum %1 on @mesh axes = [0] {boost.component = "block"} : tensor<4x2xf32>
    return %z : tensor<4x2xf32>
  }
}
