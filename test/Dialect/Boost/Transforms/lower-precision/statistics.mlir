// RUN: boost-opt %s -boost-lower-precision=precision=bf16 | FileCheck %s

// A layer norm that was not raised: what is summed is f32, and so is what is
// computed for the sum alone.

// CHECK-LABEL: func @layer_norm
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xbf16>
// CHECK-SAME:    %[[G:.*]]: tensor<8x2xbf16>
// CHECK:         %[[WIDE:.*]] = stablehlo.convert %[[X]]
// CHECK:         %[[S:.*]] = stablehlo.reduce(%[[WIDE]] init
// CHECK:         %[[D:.*]] = stablehlo.subtract %[[WIDE]], %{{.*}} : tensor<4x8xf32>
// CHECK:         %[[SQ:.*]] = stablehlo.multiply %[[D]], %[[D]] : tensor<4x8xf32>
// CHECK:         stablehlo.reduce(%[[SQ]] init
// CHECK:         %[[N:.*]] = stablehlo.multiply %[[D]], %{{.*}} : tensor<4x8xf32>
// CHECK:         %[[LOW:.*]] = stablehlo.convert %[[N]] : (tensor<4x8xf32>) -> tensor<4x8xbf16>
// CHECK:         boost.linear %[[LOW]], %{{.*}} -> tensor<4x2xbf16>
func.func @layer_norm(
    %x: tensor<4x8xf32> {boost.tensor = #boost.tensor<param "x">},
    %g: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "g">}) -> tensor<4x2xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %mean = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<4xf32>) -> tensor<4x8xf32>
  %d = stablehlo.subtract %x, %mean : tensor<4x8xf32>
  %sq = stablehlo.multiply %d, %d : tensor<4x8xf32>
  %v = stablehlo.reduce(%sq init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %r = stablehlo.rsqrt %v : tensor<4xf32>
  %rb = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<4xf32>) -> tensor<4x8xf32>
  %n = stablehlo.multiply %d, %rb : tensor<4x8xf32>
  %y = boost.linear %n, %g : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}

// Squares that a sum alone reads are f32, though their operands are bf16.
// CHECK-LABEL: func @squares
// CHECK:         stablehlo.multiply %{{.*}} : tensor<8xf32>
func.func @squares(%x: tensor<8xf32> {boost.tensor = #boost.tensor<param "x">}) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sq = stablehlo.multiply %x, %x : tensor<8xf32>
  %s = stablehlo.reduce(%sq init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  return %s : tensor<f32>
}

// A region reads what it read before.
// CHECK-LABEL: func @captured
// CHECK:         %[[WIDE:.*]] = stablehlo.convert %{{.*}} : (tensor<2xbf16>) -> tensor<2xf32>
// CHECK:         stablehlo.if
// CHECK:           stablehlo.add %[[WIDE]], %[[WIDE]] : tensor<2xf32>
func.func @captured(%x: tensor<2xf32> {boost.tensor = #boost.tensor<param "x">},
                    %p: tensor<i1> {boost.tensor = #boost.tensor<batch "p">}) -> tensor<2xf32> {
  %y = "stablehlo.if"(%p) ({
    %0 = stablehlo.add %x, %x : tensor<2xf32>
    stablehlo.return %0 : tensor<2xf32>
  }, {
    stablehlo.return %x : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}
