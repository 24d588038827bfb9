// RUN: boost-opt %s --boost-expand-triangular-solve | FileCheck %s --implicit-check-not=triangular_solve --implicit-check-not=custom_call
// RUN: boost-opt %s -boost-expand-triangular-solve -o %t.values && boost-eval --compare --every-function %s %t.values
// Triangular systems become products, as many as the logarithm of a block.

// A diagonal that is known is not read: there is no division.
// CHECK-LABEL: func @unit
// CHECK-SAME:    %[[A:.*]]: tensor<4x4xf32>, %[[B:.*]]: tensor<4x3xf32>
// CHECK:         %[[BELOW:.*]] = stablehlo.compare GT
// CHECK-NEXT:    %[[N:.*]] = stablehlo.select %[[BELOW]], %[[A]], %{{.*}}
// CHECK-NOT:     stablehlo.divide
// CHECK-COUNT-3: stablehlo.dot_general
// CHECK-NOT:     stablehlo.dot_general
// CHECK:         return
func.func @unit(%a: tensor<4x4xf32>, %b: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true}> : (tensor<4x4xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// An upper one is read backwards; on the right everything is transposed.
// CHECK-LABEL: func @upper
// CHECK-SAME:    %[[A:.*]]: tensor<5x5xf32>, %[[B:.*]]: tensor<5x3xf32>, %[[C:.*]]: tensor<3x5xf32>
// CHECK:         stablehlo.reverse %[[A]], dims = [0, 1]
// CHECK-NEXT:    stablehlo.reverse %[[B]], dims = [0]
// CHECK:         stablehlo.reverse %{{.*}}, dims = [0] : tensor<5x3xf32>
// CHECK:         stablehlo.transpose %[[C]], dims = [1, 0]
// CHECK-NEXT:    stablehlo.transpose %[[A]], dims = [1, 0]
// CHECK-NOT:     stablehlo.reverse
// CHECK:         stablehlo.transpose %{{.*}}, dims = [1, 0] : (tensor<5x3xf32>) -> tensor<3x5xf32>
func.func @upper(%a: tensor<5x5xf32>, %b: tensor<5x3xf32>, %c: tensor<3x5xf32>) -> (tensor<5x3xf32>, tensor<3x5xf32>) {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<5x5xf32>, tensor<5x3xf32>) -> tensor<5x3xf32>
  %1 = "stablehlo.triangular_solve"(%a, %c) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<5x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
  return %0, %1 : tensor<5x3xf32>, tensor<3x5xf32>
}

// The inverses of all blocks at once, then block after block.
// CHECK-LABEL: func @blocks
// CHECK:         stablehlo.concatenate {{.*}} -> tensor<3x32x32xf32>
// CHECK-COUNT-8: stablehlo.dot_general {{.*}} -> tensor<3x32x32xf32>
// CHECK-COUNT-5: stablehlo.dot_general {{.*}} -> tensor<32x2xf32>
// CHECK-NOT:     stablehlo.dot_general
// CHECK:         stablehlo.slice {{.*}} -> tensor<70x2xf32>
func.func @blocks(%a: tensor<70x70xf32>, %b: tensor<70x2xf32>) -> tensor<70x2xf32> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true}> : (tensor<70x70xf32>, tensor<70x2xf32>) -> tensor<70x2xf32>
  return %0 : tensor<70x2xf32>
}

// Short floats are computed in f32.
// CHECK-LABEL: func @short
// CHECK-NEXT:    stablehlo.convert %{{.*}} : (tensor<2x2xbf16>) -> tensor<2x2xf32>
// CHECK:         stablehlo.convert %{{.*}} : (tensor<2x1xf32>) -> tensor<2x1xbf16>
// CHECK-NEXT:    return
func.func @short(%a: tensor<2x2xbf16>, %b: tensor<2x1xbf16>) -> tensor<2x1xbf16> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x2xbf16>, tensor<2x1xbf16>) -> tensor<2x1xbf16>
  return %0 : tensor<2x1xbf16>
}

// What JAX makes of it for CPUs, here on the right, upper, transposed.
// CHECK-LABEL: func @lapack
// CHECK:         stablehlo.dot_general
func.func @lapack(%a: tensor<4x4xf64>, %b: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %0 = stablehlo.custom_call @lapack_dtrsm_ffi(%a, %b) {backend_config = "", mhlo.backend_config = {diag = 78 : ui8, side = 82 : ui8, trans_x = 84 : ui8, uplo = 85 : ui8}} : (tensor<4x4xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
  return %0 : tensor<3x4xf64>
}

// CHECK-LABEL: func @nothing
// CHECK-SAME:    %{{.*}}: tensor<4x4xf32>, %[[B:.*]]: tensor<4x0xf32>
// CHECK-NEXT:    return %[[B]]
func.func @nothing(%a: tensor<4x4xf32>, %b: tensor<4x0xf32>) -> tensor<4x0xf32> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<4x4xf32>, tensor<4x0xf32>) -> tensor<4x0xf32>
  return %0 : tensor<4x0xf32>
}
