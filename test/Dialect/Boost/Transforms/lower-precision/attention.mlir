// RUN: boost-opt %s -boost-lower-precision=precision=bf16 | FileCheck %s

// Angles of positions are computed in f32, also by a product, and what they turn
// is rounded once, before attention. The bias of scores and their statistic stay
// f32.

// CHECK-LABEL: func @loss
// CHECK-SAME:    %[[Q:[a-z0-9]*]]: tensor<1x4x1x4xbf16>
// CHECK-SAME:    %[[K:[a-z0-9]*]]: tensor<1x4x1x4xbf16>
// CHECK-SAME:    %[[BIAS:[a-z0-9]*]]: tensor<1x1x4x4xbf16>
// CHECK-DAG:     %[[QW:.*]] = stablehlo.convert %[[Q]] :
// CHECK-DAG:     %[[BW:.*]] = stablehlo.convert %[[BIAS]] :
// CHECK:         %[[ANGLES:.*]] = stablehlo.dot_general {{.*}} -> tensor<4x4xf32>
// CHECK:         %[[COS:.*]] = stablehlo.cosine %[[ANGLES]] : tensor<4x4xf32>
// CHECK:         %[[TURNED:.*]] = stablehlo.multiply %[[QW]], %{{.*}} : tensor<1x4x1x4xf32>
// CHECK:         %[[QL:.*]] = stablehlo.convert %[[TURNED]] : (tensor<1x4x1x4xf32>) -> tensor<1x4x1x4xbf16>
// CHECK:         boost.attention %[[QL]], %[[K]], %[[K]] bias %[[BW]] {{.*}} -> (tensor<1x4x1x4xbf16>, tensor<1x1x4xf32>)
func.func @loss(
    %q: tensor<1x4x1x4xf32> {boost.tensor = #boost.tensor<param "q">},
    %k: tensor<1x4x1x4xf32> {boost.tensor = #boost.tensor<param "k">},
    %bias: tensor<1x1x4x4xf32> {boost.tensor = #boost.tensor<param "bias">}) -> tensor<1x4x1x4xf32> {
  %f = stablehlo.constant dense<[[1.0, 0.5, 0.25, 0.125]]> : tensor<1x4xf32>
  %i = stablehlo.iota dim = 0 : tensor<4x1xf32>
  %angles = stablehlo.dot_general %i, %f, contracting_dims = [1] x [0] : (tensor<4x1xf32>, tensor<1x4xf32>) -> tensor<4x4xf32>
  %cos = stablehlo.cosine %angles : tensor<4x4xf32>
  %c = stablehlo.broadcast_in_dim %cos, dims = [1, 3] : (tensor<4x4xf32>) -> tensor<1x4x1x4xf32>
  %turned = stablehlo.multiply %q, %c : tensor<1x4x1x4xf32>
  %o, %lse = boost.attention %turned, %k, %k bias %bias causal {scale = 0.5 : f64}
      : (tensor<1x4x1x4xf32>, tensor<1x4x1x4xf32>, tensor<1x4x1x4xf32>, tensor<1x1x4x4xf32>)
      -> (tensor<1x4x1x4xf32>, tensor<1x1x4xf32>)
  return %o : tensor<1x4x1x4xf32>
}
