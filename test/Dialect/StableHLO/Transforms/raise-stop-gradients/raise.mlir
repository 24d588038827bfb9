// RUN: boost-opt %s --boost-raise-stop-gradients | FileCheck %s

// Calls in bodies of loops and in called functions as well.

// CHECK-LABEL: func.func @calls(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>
// CHECK: %[[STOPPED:.*]] = boost.stop_gradient %[[X]] : tensor<4xf32>
// CHECK: %[[SUM:.*]] = stablehlo.add %[[STOPPED]], %[[X]]
// CHECK: return %[[SUM]]
func.func @calls(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @boost.stop_gradient(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.add %0, %x : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @loop(
// CHECK: stablehlo.while
// CHECK: boost.stop_gradient %{{.*}} : tensor<bf16>
// CHECK-NOT: custom_call
func.func @loop(%x: tensor<bf16>) -> tensor<bf16> {
  %0 = stablehlo.while(%a = %x) : tensor<bf16>
  cond {
    %1 = stablehlo.compare LT, %a, %x : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %2 = stablehlo.custom_call @boost.stop_gradient(%a) : (tensor<bf16>) -> tensor<bf16>
    stablehlo.return %2 : tensor<bf16>
  }
  return %0 : tensor<bf16>
}
