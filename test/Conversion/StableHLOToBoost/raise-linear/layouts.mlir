// RUN: boost-opt %s -boost-raise-linear | FileCheck %s
// RUN: boost-opt %s -boost-raise-linear -o %t.values && boost-eval --compare --every-function %s %t.values
// A weight may be on either side, in either layout, and of more than two
// dimensions.

// CHECK-LABEL: func @plain
// CHECK-SAME:    %[[X:.*]]: tensor<4x16x8xf32>, %[[W:.*]]: tensor<8x6xf32>
func.func @plain(%x: tensor<4x16x8xf32>, %w: tensor<8x6xf32> {boost.tensor = #boost.tensor<param "w">}) -> tensor<4x16x6xf32> {
  // CHECK: %[[Y:.*]] = boost.linear %[[X]], %[[W]] : (tensor<4x16x8xf32>, tensor<8x6xf32>) -> tensor<4x16x6xf32>
  // CHECK: return %[[Y]]
  %y = stablehlo.dot_general %x, %w, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT]
      : (tensor<4x16x8xf32>, tensor<8x6xf32>) -> tensor<4x16x6xf32>
  return %y : tensor<4x16x6xf32>
}

// CHECK-LABEL: func @transposed
// CHECK-SAME:    %[[X:.*]]: tensor<4x16x8xf32>, %[[W:.*]]: tensor<6x8xf32>
func.func @transposed(%x: tensor<4x16x8xf32>, %w: tensor<6x8xf32> {boost.tensor = #boost.tensor<param "w">})
    -> (tensor<4x16x6xf32>, tensor<4x16x6xf32>) {
  // CHECK: %[[Y:.*]] = boost.linear %[[X]], %[[W]] transposed
  %y = stablehlo.dot_general %x, %w, contracting_dims = [2] x [1] : (tensor<4x16x8xf32>, tensor<6x8xf32>) -> tensor<4x16x6xf32>
  // CHECK: %[[Z:.*]] = boost.linear %[[X]], %[[W]] transposed
  %t = stablehlo.transpose %w, dims = [1, 0] : (tensor<6x8xf32>) -> tensor<8x6xf32>
  %z = stablehlo.dot_general %x, %t, contracting_dims = [2] x [0] : (tensor<4x16x8xf32>, tensor<8x6xf32>) -> tensor<4x16x6xf32>
  // CHECK: return %[[Y]], %[[Z]]
  return %y, %z : tensor<4x16x6xf32>, tensor<4x16x6xf32>
}

// CHECK-LABEL: func @weight_first
func.func @weight_first(%x: tensor<4x16x8xf32>, %w: tensor<8x6xf32> {boost.tensor = #boost.tensor<param "w">}) -> tensor<6x4x16xf32> {
  // CHECK: %[[Y:.*]] = boost.linear
  // CHECK: %[[T:.*]] = stablehlo.transpose %[[Y]], dims = [2, 0, 1]
  // CHECK: return %[[T]]
  %y = stablehlo.dot_general %w, %x, contracting_dims = [0] x [2] : (tensor<8x6xf32>, tensor<4x16x8xf32>) -> tensor<6x4x16xf32>
  return %y : tensor<6x4x16xf32>
}

// CHECK-LABEL: func @stacked
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>, %[[W:.*]]: tensor<3x8x6xf32>
func.func @stacked(%x: tensor<4x8xf32>, %w: tensor<3x8x6xf32> {boost.tensor = #boost.tensor<param "w">}) -> tensor<4x6xf32> {
  // CHECK: %[[S:.*]] = stablehlo.slice %[[W]] [1:2, 0:8, 0:6]
  // CHECK: %[[R:.*]] = stablehlo.reshape %[[S]]
  // CHECK: boost.linear %[[X]], %[[R]]
  %0 = stablehlo.slice %w [1:2, 0:8, 0:6] : (tensor<3x8x6xf32>) -> tensor<1x8x6xf32>
  %1 = stablehlo.reshape %0 : (tensor<1x8x6xf32>) -> tensor<8x6xf32>
  %y = stablehlo.dot_general %x, %1, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// CHECK-LABEL: func @heads_out
// CHECK-SAME:    %[[X:.*]]: tensor<4x16x8xf32>, %[[W:.*]]: tensor<8x2x3xf32>
func.func @heads_out(%x: tensor<4x16x8xf32>, %w: tensor<8x2x3xf32> {boost.tensor = #boost.tensor<param "w">}) -> tensor<4x16x2x3xf32> {
  // CHECK: %[[R:.*]] = stablehlo.reshape %[[W]] : (tensor<8x2x3xf32>) -> tensor<8x6xf32>
  // CHECK: %[[Y:.*]] = boost.linear %[[X]], %[[R]]
  // CHECK: stablehlo.reshape %[[Y]] : (tensor<4x16x6xf32>) -> tensor<4x16x2x3xf32>
  %y = stablehlo.dot_general %x, %w, contracting_dims = [2] x [0] : (tensor<4x16x8xf32>, tensor<8x2x3xf32>) -> tensor<4x16x2x3xf32>
  return %y : tensor<4x16x2x3xf32>
}

// CHECK-LABEL: func @heads_in
// CHECK-SAME:    %[[X:.*]]: tensor<4x16x2x3xf32>, %[[W:.*]]: tensor<2x3x8xf32>
func.func @heads_in(%x: tensor<4x16x2x3xf32>, %w: tensor<2x3x8xf32> {boost.tensor = #boost.tensor<param "w">}) -> tensor<4x16x8xf32> {
  // CHECK-DAG: %[[R:.*]] = stablehlo.reshape %[[W]] : (tensor<2x3x8xf32>) -> tensor<6x8xf32>
  // CHECK-DAG: %[[F:.*]] = stablehlo.reshape %[[X]] : (tensor<4x16x2x3xf32>) -> tensor<4x16x6xf32>
  // CHECK: boost.linear %[[F]], %[[R]]
  %y = stablehlo.dot_general %x, %w, contracting_dims = [2, 3] x [0, 1] : (tensor<4x16x2x3xf32>, tensor<2x3x8xf32>) -> tensor<4x16x8xf32>
  return %y : tensor<4x16x8xf32>
}

// CHECK-LABEL: func @wide_result
func.func @wide_result(%x: tensor<4x8xbf16>, %w: tensor<8x6xbf16> {boost.tensor = #boost.tensor<param "w">}) -> tensor<4x6xf32> {
  // CHECK: boost.linear %{{.*}} : (tensor<4x8xbf16>, tensor<8x6xbf16>) -> tensor<4x6xf32>
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x8xbf16>, tensor<8x6xbf16>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// A transpose that moves nothing is not read through.
// CHECK-LABEL: func @transpose_of_nothing
func.func @transpose_of_nothing(%x: tensor<4x8xf32>, %w: tensor<8x8xf32> {boost.tensor = #boost.tensor<param "w">}) -> tensor<4x8xf32> {
  // CHECK: %[[T:.*]] = stablehlo.transpose %{{.*}}, dims = [0, 1]
  // CHECK: boost.linear %{{.*}}, %[[T]] :
  %t = stablehlo.transpose %w, dims = [0, 1] : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %y = stablehlo.dot_general %x, %t, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// The contracted dimensions are the last ones of what the input transposes,
// over two transposes too.
// CHECK-LABEL: func @transposed_input
// CHECK-SAME:    %[[X:.*]]: tensor<2x4x8xf32>
func.func @transposed_input(%x: tensor<2x4x8xf32>, %w: tensor<8x6xf32> {boost.tensor = #boost.tensor<param "w">}) -> tensor<2x4x6xf32> {
  // CHECK: boost.linear %[[X]], %{{.*}} : (tensor<2x4x8xf32>, tensor<8x6xf32>) -> tensor<2x4x6xf32>
  %s = stablehlo.transpose %x, dims = [1, 0, 2] : (tensor<2x4x8xf32>) -> tensor<4x2x8xf32>
  %t = stablehlo.transpose %s, dims = [2, 1, 0] : (tensor<4x2x8xf32>) -> tensor<8x2x4xf32>
  %y = stablehlo.dot_general %t, %w, contracting_dims = [0] x [0] : (tensor<8x2x4xf32>, tensor<8x6xf32>) -> tensor<2x4x6xf32>
  return %y : tensor<2x4x6xf32>
}
