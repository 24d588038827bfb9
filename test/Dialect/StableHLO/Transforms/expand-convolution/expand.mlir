// RUN: boost-opt %s --boost-expand-convolution | FileCheck %s --implicit-check-not=stablehlo.convolution
// RUN: boost-opt %s -boost-expand-convolution -o %t.values && boost-eval --compare --every-function %s %t.values
// Channels apart are shifted products, other windows meet the kernel in one.

// CHECK-LABEL: func @causal
// CHECK-SAME:    %[[X:.*]]: tensor<2x16x8xf32>, %[[W:.*]]: tensor<2x1x8xf32>
// CHECK:         %[[P:.*]] = stablehlo.pad %[[X]], %{{.*}}, low = [0, 1, 0], high = [0, 0, 0]
// CHECK-DAG:     %[[X0:.*]] = stablehlo.slice %[[P]] [0:2, 0:16, 0:8]
// CHECK-DAG:     %[[X1:.*]] = stablehlo.slice %[[P]] [0:2, 1:17, 0:8]
// CHECK-DAG:     %[[T0:.*]] = stablehlo.multiply %[[X0]], %{{.*}} : tensor<2x16x8xf32>
// CHECK-DAG:     %[[T1:.*]] = stablehlo.multiply %[[X1]], %{{.*}} : tensor<2x16x8xf32>
// CHECK:         %[[S:.*]] = stablehlo.add %[[T0]], %[[T1]]
// CHECK-NEXT:    return %[[S]]
func.func @causal(%x: tensor<2x16x8xf32>, %w: tensor<2x1x8xf32>) -> tensor<2x16x8xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 0]]} {batch_group_count = 1 : i64, feature_group_count = 8 : i64} : (tensor<2x16x8xf32>, tensor<2x1x8xf32>) -> tensor<2x16x8xf32>
  return %0 : tensor<2x16x8xf32>
}

// Short floats are summed in f32.
// CHECK-LABEL: func @causal_bf16
// CHECK:         %[[S:.*]] = stablehlo.add %{{.*}}, %{{.*}} : tensor<2x15x8xf32>
// CHECK-NEXT:    %[[R:.*]] = stablehlo.convert %[[S]] : (tensor<2x15x8xf32>) -> tensor<2x15x8xbf16>
// CHECK-NEXT:    return %[[R]]
func.func @causal_bf16(%x: tensor<2x16x8xbf16>, %w: tensor<2x1x8xbf16>) -> tensor<2x15x8xbf16> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 8 : i64} : (tensor<2x16x8xbf16>, tensor<2x1x8xbf16>) -> tensor<2x15x8xbf16>
  return %0 : tensor<2x15x8xbf16>
}

// Windows that move by their own size are a reshape.
// CHECK-LABEL: func @patches
// CHECK-SAME:    %[[X:.*]]: tensor<2x6x4x3xf32>, %[[W:.*]]: tensor<3x2x3x5xf32>
// CHECK-NEXT:    %[[R:.*]] = stablehlo.reshape %[[X]] : (tensor<2x6x4x3xf32>) -> tensor<2x2x3x4x3xf32>
// CHECK-NEXT:    %[[Q:.*]] = stablehlo.reshape %[[R]] : (tensor<2x2x3x4x3xf32>) -> tensor<2x2x3x2x2x3xf32>
// CHECK-NEXT:    %[[T:.*]] = stablehlo.transpose %[[Q]], dims = [0, 1, 3, 5, 2, 4]
// CHECK-NEXT:    %[[V:.*]] = stablehlo.transpose %[[W]], dims = [2, 0, 1, 3]
// CHECK-NEXT:    %[[D:.*]] = stablehlo.dot_general %[[T]], %[[V]], contracting_dims = [3, 4, 5] x [0, 1, 2], precision = [HIGHEST, HIGHEST]
// CHECK-NEXT:    return %[[D]]
func.func @patches(%x: tensor<2x6x4x3xf32>, %w: tensor<3x2x3x5xf32>) -> tensor<2x2x2x5xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [3, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]} : (tensor<2x6x4x3xf32>, tensor<3x2x3x5xf32>) -> tensor<2x2x2x5xf32>
  return %0 : tensor<2x2x2x5xf32>
}

// As many slices as the window has elements, or as there are windows.
// CHECK-LABEL: func @windows
// CHECK-COUNT-3: stablehlo.slice
// CHECK-NOT:     stablehlo.slice
// CHECK:         stablehlo.concatenate {{.*}} dim = 2 : {{.*}} -> tensor<2x14x3x6xf32>
// CHECK:         stablehlo.dot_general
// CHECK:         stablehlo.slice %{{.*}} [0:2, 0:15, 0:6]
// CHECK-NEXT:    stablehlo.reshape
// CHECK-NEXT:    stablehlo.slice %{{.*}} [0:2, 1:16, 0:6]
// CHECK-NEXT:    stablehlo.reshape
// CHECK-NEXT:    stablehlo.concatenate {{.*}} dim = 1 : {{.*}} -> tensor<2x2x15x6xf32>
// CHECK:         stablehlo.dot_general
func.func @windows(%x: tensor<2x16x6xf32>, %w: tensor<3x6x4xf32>, %v: tensor<15x6x4xf32>) -> (tensor<2x14x4xf32>, tensor<2x2x4xf32>) {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x16x6xf32>, tensor<3x6x4xf32>) -> tensor<2x14x4xf32>
  %1 = stablehlo.convolution(%x, %v) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x16x6xf32>, tensor<15x6x4xf32>) -> tensor<2x2x4xf32>
  return %0, %1 : tensor<2x14x4xf32>, tensor<2x2x4xf32>
}

// Many long windows are gathered.
// CHECK-LABEL: func @long
// CHECK-NOT:     stablehlo.slice
// CHECK:         "stablehlo.gather"
// CHECK-SAME:      -> tensor<2x65x65x6xf32>
// CHECK:         stablehlo.dot_general
func.func @long(%x: tensor<2x129x6xf32>, %w: tensor<65x6x4xf32>) -> tensor<2x65x4xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x129x6xf32>, tensor<65x6x4xf32>) -> tensor<2x65x4xf32>
  return %0 : tensor<2x65x4xf32>
}

// Groups are a batch of products.
// CHECK-LABEL: func @groups
// CHECK:         %[[D:.*]] = stablehlo.dot_general {{.*}} batching_dims = [2] x [1], contracting_dims = [3] x [0] : (tensor<2x16x2x3xf32>, tensor<3x2x5xf32>) -> tensor<2x2x16x5xf32>
// CHECK-NEXT:    %[[T:.*]] = stablehlo.transpose %[[D]], dims = [1, 2, 0, 3]
// CHECK-NEXT:    stablehlo.reshape %[[T]] : (tensor<2x16x2x5xf32>) -> tensor<2x16x10xf32>
func.func @groups(%x: tensor<2x16x6xf32>, %w: tensor<1x3x10xf32>) -> tensor<2x16x10xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<2x16x6xf32>, tensor<1x3x10xf32>) -> tensor<2x16x10xf32>
  return %0 : tensor<2x16x10xf32>
}

// CHECK-LABEL: func @nothing_to_sum
// CHECK-NEXT:    %[[Z:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<2x16x4xf32>
// CHECK-NEXT:    return %[[Z]]
func.func @nothing_to_sum(%x: tensor<2x16x0xf32>, %w: tensor<1x0x4xf32>) -> tensor<2x16x4xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x16x0xf32>, tensor<1x0x4xf32>) -> tensor<2x16x4xf32>
  return %0 : tensor<2x16x4xf32>
}

// CHECK-LABEL: func @keeps_products
// CHECK-NEXT:    stablehlo.dot_general
// CHECK-NEXT:    return
func.func @keeps_products(%x: tensor<4x3xf32>, %w: tensor<3x5xf32>) -> tensor<4x5xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x3xf32>, tensor<3x5xf32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}
