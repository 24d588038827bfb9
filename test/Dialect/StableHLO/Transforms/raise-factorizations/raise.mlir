// RUN: boost-opt %s --boost-raise-factorizations | FileCheck %s

// CHECK-LABEL: func @upper
func.func @upper(%a: tensor<4x4xbf16>) -> tensor<4x4xbf16> {
  // CHECK-NEXT: %[[C:.*]] = stablehlo.convert %{{.*}} : (tensor<4x4xbf16>) -> tensor<4x4xf32>
  // CHECK-NEXT: %[[T:.*]] = stablehlo.transpose %[[C]], dims = [1, 0]
  // CHECK-NEXT: %[[L:.*]] = boost.factorize cholesky %[[T]] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK-NEXT: %[[U:.*]] = stablehlo.transpose %[[L]], dims = [1, 0]
  // CHECK-NEXT: %[[R:.*]] = stablehlo.convert %[[U]] : (tensor<4x4xf32>) -> tensor<4x4xbf16>
  // CHECK-NEXT: return %[[R]]
  %0 = stablehlo.cholesky %a : tensor<4x4xbf16>
  return %0 : tensor<4x4xbf16>
}

// CHECK-LABEL: func @lower
// CHECK-NEXT: %[[L:.*]] = boost.factorize cholesky %{{.*}} : (tensor<2x4x4xf64>) -> tensor<2x4x4xf64>
// CHECK-NEXT: return %[[L]]
func.func @lower(%a: tensor<2x4x4xf64>) -> tensor<2x4x4xf64> {
  %0 = stablehlo.cholesky %a, lower = true : tensor<2x4x4xf64>
  return %0 : tensor<2x4x4xf64>
}

// Nothing is in nothing.
// CHECK-LABEL: func @empty
// CHECK-NEXT: return %{{.*}} : tensor<0x0xf32>
func.func @empty(%a: tensor<0x0xf32>) -> tensor<0x0xf32> {
  %0 = stablehlo.cholesky %a, lower = true : tensor<0x0xf32>
  return %0 : tensor<0x0xf32>
}

// CHECK-LABEL: func @eigh
func.func @eigh(%a: tensor<3x4x4xf32>) -> (tensor<3x4xf32>, tensor<3x4x4xf32>, tensor<3xi32>) {
  // CHECK-NEXT: %[[E:.*]]:2 = boost.factorize eigh %{{.*}}
  // CHECK-NEXT: %[[F:.*]] = stablehlo.slice %[[E]]#0 [0:3, 0:1, 0:1]
  // CHECK-NEXT: %[[V:.*]] = stablehlo.reshape %[[F]] : (tensor<3x1x1xf32>) -> tensor<3xf32>
  // CHECK-NEXT: %[[N:.*]] = stablehlo.compare NE, %[[V]], %[[V]]
  // CHECK-NEXT: %[[S:.*]] = stablehlo.convert %[[N]] : (tensor<3xi1>) -> tensor<3xi32>
  // CHECK-NEXT: return %[[E]]#1, %[[E]]#0, %[[S]]
  %0:3 = stablehlo.custom_call @lapack_ssyevd_ffi(%a) {backend_config = "", mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i]) {i=3, j=4, k=4, l=4, m=4, n=4}, custom>} : (tensor<3x4x4xf32>) -> (tensor<3x4x4xf32>, tensor<3x4xf32>, tensor<3xi32>)
  return %0#1, %0#0, %0#2 : tensor<3x4xf32>, tensor<3x4x4xf32>, tensor<3xi32>
}

// CHECK-LABEL: func @qr
func.func @qr(%a: tensor<6x4xf64>) -> (tensor<6x4xf64>, tensor<6x4xf64>) {
  // CHECK-NEXT: %[[Q:.*]]:2 = boost.factorize qr %{{.*}} : (tensor<6x4xf64>) -> (tensor<6x4xf64>, tensor<4xf64>)
  // CHECK-NEXT: %[[B:.*]] = boost.factorize qr_basis %[[Q]]#0, %[[Q]]#1
  // CHECK-NEXT: return %[[Q]]#0, %[[B]]
  %0:2 = stablehlo.custom_call @lapack_dgeqrf_ffi(%a) {mhlo.backend_config = {}} : (tensor<6x4xf64>) -> (tensor<6x4xf64>, tensor<4xf64>)
  %1 = stablehlo.custom_call @lapack_dorgqr_ffi(%0#0, %0#1) {mhlo.backend_config = {}} : (tensor<6x4xf64>, tensor<4xf64>) -> tensor<6x4xf64>
  return %0#0, %1 : tensor<6x4xf64>, tensor<6x4xf64>
}

// The mode says which vectors there are.
// CHECK-LABEL: func @svd
// CHECK-NEXT: %[[T:.*]]:3 = boost.factorize svd %{{.*}} : (tensor<4x6xf32>) -> (tensor<4xf32>, tensor<4x4xf32>, tensor<4x6xf32>)
// CHECK-NEXT: %[[F:.*]]:3 = boost.factorize full_svd %{{.*}} : (tensor<4x6xf32>) -> (tensor<4xf32>, tensor<4x4xf32>, tensor<6x6xf32>)
// CHECK-NEXT: %[[S:.*]] = boost.factorize singular_values %{{.*}} : (tensor<4x6xf32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[T]]#2, %[[F]]#2, %[[S]]
func.func @svd(%a: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<6x6xf32>, tensor<4xf32>) {
  %0:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%a) {mhlo.backend_config = {mode = 83 : ui8}} : (tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4x6xf32>, tensor<i32>)
  %1:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%a) {mhlo.backend_config = {mode = 65 : ui8}} : (tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<6x6xf32>, tensor<i32>)
  %2:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%a) {mhlo.backend_config = {mode = 78 : ui8}} : (tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<6x6xf32>, tensor<i32>)
  return %0#3, %1#3, %2#1 : tensor<4x6xf32>, tensor<6x6xf32>, tensor<4xf32>
}
