// RUN: boost-opt %s --boost-canonicalize | FileCheck %s

// The parts of a sum are put together in its layer and component, but not with
// its sharding, which does not divide them.

// CHECK-LABEL: func @joined
// CHECK: %[[PARTS:.*]] = stablehlo.concatenate %{{.*}}, %{{.*}}, dim = 1 {boost.component = "block", boost.layer = #boost.layer<class = 0, index = 1>} : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x2xf32>
// CHECK: stablehlo.pad %[[PARTS]]{{.*}}boost.component = "block", boost.layer = {{.*}}, boost.shardings = [#boost.sharding<{}, {"tp"}>]
func.func @joined(%x: tensor<4x1xf32>, %y: tensor<4x1xf32>) -> tensor<4x3xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %x, %zero, low = [0, 0], high = [0, 2], interior = [0, 0] : (tensor<4x1xf32>, tensor<f32>) -> tensor<4x3xf32>
  %1 = stablehlo.pad %y, %zero, low = [0, 1], high = [0, 1], interior = [0, 0] : (tensor<4x1xf32>, tensor<f32>) -> tensor<4x3xf32>
  %2 = stablehlo.add %0, %1 {boost.component = "block", boost.layer = #boost.layer<class = 0, index = 1>, boost.shardings = [#boost.sharding<{}, {"tp"}>]} : tensor<4x3xf32>
  return %2 : tensor<4x3xf32>
}
