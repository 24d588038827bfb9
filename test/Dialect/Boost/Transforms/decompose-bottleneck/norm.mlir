// RUN: boost-opt %s -boost-decompose-bottleneck -o %t
// RUN: FileCheck %s < %t
// RUN: boost-eval --compare %s %t --function=norm_and_branches
// The norm is applied to the product (its eps is exact in f32); every branch reads its columns of it.

// CHECK-LABEL: func @norm_and_branches
// CHECK-SAME:    %[[X:.*]]: tensor<2x4x8xf32>, %[[GAMMA:.*]]: tensor<8xf32>, %[[A:.*]]: tensor<8x5xf32>, %[[B:.*]]: tensor<2x8xf32>, %[[C:.*]]: tensor<3x4xf32>
func.func @norm_and_branches(%x: tensor<2x4x8xf32>, %g: tensor<8xf32>, %a: tensor<8x5xf32>, %b: tensor<2x8xf32>,
                             %c: tensor<3x4xf32>) -> (tensor<2x4x8xf32>, tensor<2x4x4xf32>) {
  // CHECK: %[[GB:.*]] = stablehlo.broadcast_in_dim %[[GAMMA]], dims = [2]
  // CHECK: %[[XG:.*]] = stablehlo.multiply %[[X]], %[[GB]]
  // CHECK: %[[P:.*]] = boost.linear %[[XG]], %[[A]]
  // CHECK: stablehlo.multiply %[[X]], %[[X]]
  // CHECK: stablehlo.reduce
  // CHECK: %[[R:.*]] = stablehlo.rsqrt %{{.*}} : tensor<2x4xf32>
  // CHECK: %[[RB:.*]] = stablehlo.broadcast_in_dim %[[R]], dims = [0, 1] : (tensor<2x4xf32>) -> tensor<2x4x5xf32>
  // CHECK: %[[H:.*]] = stablehlo.multiply %[[P]], %[[RB]]
  // CHECK: %[[H0:.*]] = stablehlo.slice %[[H]] [0:2, 0:4, 0:2]
  // CHECK: %[[Y0:.*]] = boost.linear %[[H0]], %[[B]]
  // CHECK: %[[H1:.*]] = stablehlo.slice %[[H]] [0:2, 0:4, 2:5]
  // CHECK: %[[Y1:.*]] = boost.linear %[[H1]], %[[C]]
  // CHECK: return %[[Y0]], %[[Y1]]
  %y:2 = boost.bottleneck %x norm(%g, 0.0009765625) down(%a) up(%b, %c)
      : tensor<2x4x8xf32> norm tensor<8xf32> down tensor<8x5xf32> up tensor<2x8xf32>, tensor<3x4xf32>
      -> tensor<2x4x8xf32>, tensor<2x4x4xf32>
  return %y#0, %y#1 : tensor<2x4x8xf32>, tensor<2x4x4xf32>
}
