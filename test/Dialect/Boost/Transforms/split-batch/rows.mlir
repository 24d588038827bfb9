// RUN: boost-opt %s -split-input-file -boost-split-batch="micro-batches=2" | FileCheck %s

// The mean over four sequences is the mean of two means over two of them. What
// is the same in every micro-batch stays as it is.
// CHECK-LABEL: func @loss(
// CHECK-SAME: %[[E:.+]]: tensor<16x8xf32> {{.*}}, %[[G:.+]]: tensor<8xf32> {{.*}}, %[[A:.+]]: tensor<8x2xf32> {{.*}}, %[[B:.+]]: tensor<2x8xf32> {{.*}}, %[[IDS:.+]]: tensor<2x3xi32> {boost.micro_batches = 2 : i64, boost.tensor
// CHECK: %[[X:.+]] = boost.embedding %[[E]], %[[IDS]] : (tensor<16x8xf32>, tensor<2x3xi32>) -> tensor<2x3x8xf32>
// CHECK: %[[N:.+]] = boost.rms_norm %[[X]], %[[G]] {{.*}} : tensor<2x3x8xf32>
// CHECK: %[[Y:.+]] = boost.bottleneck %[[N]] {{.*}} : tensor<2x3x8xf32> {{.*}} -> tensor<2x3x8xf32>
// CHECK: %[[BIAS:.+]] = stablehlo.broadcast_in_dim %[[G]], dims = [2] : (tensor<8xf32>) -> tensor<2x3x8xf32>
// CHECK: %[[Z:.+]] = stablehlo.add %[[Y]], %[[BIAS]]
// CHECK: %[[FLAT:.+]] = stablehlo.reshape %[[Z]] : (tensor<2x3x8xf32>) -> tensor<6x8xf32>
// CHECK: %[[SUM:.+]] = stablehlo.reduce(%[[FLAT]]
// CHECK: %[[TWO:.+]] = stablehlo.constant dense<2.000000e+00>
// CHECK: %[[TOTAL:.+]] = stablehlo.multiply %[[SUM]], %[[TWO]]
// CHECK: %[[MEAN:.+]] = stablehlo.divide %[[TOTAL]], %{{.+}}
// CHECK: %[[SCALE:.+]] = stablehlo.reduce(%[[G]]
// CHECK: %[[LOSS:.+]] = stablehlo.add %[[MEAN]], %[[SCALE]]
// CHECK: return %[[LOSS]]
func.func @loss(%e: tensor<16x8xf32> {boost.tensor = #boost.tensor<param "e">},
                %g: tensor<8xf32> {boost.tensor = #boost.tensor<param "g">},
                %a: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "a">},
                %b: tensor<2x8xf32> {boost.tensor = #boost.tensor<param "b">},
                %ids: tensor<4x3xi32> {boost.tensor = #boost.tensor<batch "ids">}) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %count = stablehlo.constant dense<96.0> : tensor<f32>
  %x = boost.embedding %e, %ids : (tensor<16x8xf32>, tensor<4x3xi32>) -> tensor<4x3x8xf32>
  %n = boost.rms_norm %x, %g {eps = 1.0e-5 : f64} : tensor<4x3x8xf32>, tensor<8xf32>
  %y = boost.bottleneck %n down(%a) up(%b) : tensor<4x3x8xf32> down tensor<8x2xf32> up tensor<2x8xf32> -> tensor<4x3x8xf32>
  %bias = stablehlo.broadcast_in_dim %g, dims = [2] : (tensor<8xf32>) -> tensor<4x3x8xf32>
  %z = stablehlo.add %y, %bias : tensor<4x3x8xf32>
  %flat = stablehlo.reshape %z : (tensor<4x3x8xf32>) -> tensor<12x8xf32>
  %sum = stablehlo.reduce(%flat init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<12x8xf32>, tensor<f32>) -> tensor<f32>
  %mean = stablehlo.divide %sum, %count : tensor<f32>
  %scale = stablehlo.reduce(%g init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  %loss = stablehlo.add %mean, %scale : tensor<f32>
  return %loss : tensor<f32>
}

// -----

// Positions that all sequences share are no rows of the batch; a mask that is
// made of constants is made for the rows of a micro-batch.
// CHECK-LABEL: func @loss(
// CHECK-SAME: %{{.+}}: tensor<2x3xf32> {boost.micro_batches = 2 : i64, {{.*}}, %[[POS:.+]]: tensor<3xf32> {boost.tensor
// CHECK: stablehlo.constant dense<5.000000e-01> : tensor<2x3xf32>
// CHECK: stablehlo.broadcast_in_dim %[[POS]], dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NOT: tensor<4x
func.func @loss(%x: tensor<4x3xf32> {boost.tensor = #boost.tensor<batch "x">},
                %pos: tensor<3xf32> {boost.tensor = #boost.tensor<batch "positions">}) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %mask = stablehlo.constant dense<0.5> : tensor<4x3xf32>
  %p = stablehlo.broadcast_in_dim %pos, dims = [1] : (tensor<3xf32>) -> tensor<4x3xf32>
  %y = stablehlo.multiply %x, %p : tensor<4x3xf32>
  %z = stablehlo.multiply %y, %mask : tensor<4x3xf32>
  %sum = stablehlo.reduce(%z init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x3xf32>, tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
}

// -----

// The words of a key are no rows, though there are as many of them.
// CHECK-LABEL: func @loss(
// CHECK-SAME: %[[KEY:.+]]: tensor<2xui32> {{.*}}, %{{.+}}: tensor<1x3xf32>
// CHECK: stablehlo.slice %[[KEY]]
func.func @loss(%key: tensor<2xui32> {boost.tensor = #boost.tensor<batch "key", feed = key>},
                %x: tensor<2x3xf32> {boost.tensor = #boost.tensor<batch "x">}) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %word = stablehlo.slice %key [0:1] : (tensor<2xui32>) -> tensor<1xui32>
  %scalar = stablehlo.reshape %word : (tensor<1xui32>) -> tensor<ui32>
  %scale = stablehlo.convert %scalar : (tensor<ui32>) -> tensor<f32>
  %s = stablehlo.broadcast_in_dim %scale, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
  %y = stablehlo.multiply %x, %s : tensor<2x3xf32>
  %sum = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
}

// -----

// A table made of a parameter is read for the rows of a micro-batch, twice, and
// as it stands.
// CHECK-LABEL: func @loss(
// CHECK-SAME: %[[X:.+]]: tensor<2x3xf32> {{.*}}, %[[P:.+]]: tensor<3xf32>
// CHECK-DAG: %[[PART:.+]] = stablehlo.broadcast_in_dim %[[P]], dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-DAG: %[[TABLE:.+]] = stablehlo.broadcast_in_dim %[[P]], dims = [1] : (tensor<3xf32>) -> tensor<4x3xf32>
// CHECK-NOT: stablehlo.broadcast_in_dim %[[P]]
// CHECK: %[[Y:.+]] = stablehlo.multiply %[[X]], %[[PART]]
// CHECK: %[[Z:.+]] = stablehlo.add %[[Y]], %[[PART]]
// CHECK: stablehlo.reduce(%[[Z]]
// CHECK: stablehlo.reduce(%[[TABLE]] {{.*}} : (tensor<4x3xf32>, tensor<f32>) -> tensor<f32>
func.func @loss(%x: tensor<4x3xf32> {boost.tensor = #boost.tensor<batch "x">},
                %p: tensor<3xf32> {boost.tensor = #boost.tensor<param "p">}) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %table = stablehlo.broadcast_in_dim %p, dims = [1] : (tensor<3xf32>) -> tensor<4x3xf32>
  %y = stablehlo.multiply %x, %table : tensor<4x3xf32>
  %z = stablehlo.add %y, %table : tensor<4x3xf32>
  %sum = stablehlo.reduce(%z init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x3xf32>, tensor<f32>) -> tensor<f32>
  %size = stablehlo.reduce(%table init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x3xf32>, tensor<f32>) -> tensor<f32>
  %loss = stablehlo.add %sum, %size : tensor<f32>
  return %loss : tensor<f32>
}

// -----

// A declaration has no operations to split.
// CHECK-LABEL: func private @loss(tensor<4xf32>) -> tensor<f32>
func.func private @loss(tensor<4xf32>) -> tensor<f32>

// -----

// A table with a row for each sequence, and a column for each.
// CHECK-LABEL: func @loss(
// CHECK-SAME: %[[X:.+]]: tensor<2x4xf32>
// CHECK-DAG: %[[ROWS:.+]] = stablehlo.broadcast_in_dim %{{.+}}, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
// CHECK-DAG: %[[COLUMNS:.+]] = stablehlo.broadcast_in_dim %{{.+}}, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
// CHECK: stablehlo.multiply %[[X]], %[[ROWS]] : tensor<2x4xf32>
// CHECK: %[[T:.+]] = stablehlo.transpose %{{.+}} : (tensor<2x4xf32>) -> tensor<4x2xf32>
// CHECK: stablehlo.multiply %[[T]], %[[COLUMNS]] : tensor<4x2xf32>
func.func @loss(%x: tensor<4x4xf32> {boost.tensor = #boost.tensor<batch "x">},
                %p: tensor<f32> {boost.tensor = #boost.tensor<param "p">}) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %table = stablehlo.broadcast_in_dim %p, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
  %y = stablehlo.multiply %x, %table : tensor<4x4xf32>
  %t = stablehlo.transpose %y, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %z = stablehlo.multiply %t, %table : tensor<4x4xf32>
  %sum = stablehlo.reduce(%z init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
}

// -----

// Both results of a bottleneck are read: it is computed once.
// CHECK-LABEL: func @loss(
// CHECK: %[[Y:.+]], %[[L:.+]] = boost.bottleneck {{.*}} -> tensor<2x8xf32> latent tensor<2x2xf32>
// CHECK-NOT: boost.bottleneck
// CHECK-DAG: stablehlo.reduce(%[[Y]]
// CHECK-DAG: stablehlo.reduce(%[[L]]
func.func @loss(%x: tensor<4x8xf32> {boost.tensor = #boost.tensor<batch "x">},
                %a: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "a">},
                %b: tensor<2x8xf32> {boost.tensor = #boost.tensor<param "b">}) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %y, %l = boost.bottleneck %x down(%a) up(%b) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x8xf32> -> tensor<4x8xf32> latent tensor<4x2xf32>
  %0 = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
  %1 = stablehlo.reduce(%l init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<f32>
  %sum = stablehlo.add %0, %1 : tensor<f32>
  return %sum : tensor<f32>
}
