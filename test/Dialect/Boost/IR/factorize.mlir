// RUN: boost-opt %s | boost-opt | FileCheck %s
// Every kind of factorization, of matrices that are square, tall and wide.

// CHECK-LABEL: func @kinds
func.func @kinds(%s: tensor<3x4x4xf32>, %t: tensor<6x4xf64>, %w: tensor<2x5x4x6xf32>, %c: tensor<3xf64>) {
  // CHECK-NEXT: boost.factorize cholesky %{{.*}} : (tensor<3x4x4xf32>) -> tensor<3x4x4xf32>
  %0 = boost.factorize cholesky %s : (tensor<3x4x4xf32>) -> tensor<3x4x4xf32>
  // CHECK-NEXT: boost.factorize qr %{{.*}} : (tensor<2x5x4x6xf32>) -> (tensor<2x5x4x6xf32>, tensor<2x5x4xf32>)
  %1:2 = boost.factorize qr %w : (tensor<2x5x4x6xf32>) -> (tensor<2x5x4x6xf32>, tensor<2x5x4xf32>)
  // CHECK-NEXT: boost.factorize qr_basis %{{.*}}, %{{.*}} : (tensor<6x4xf64>, tensor<3xf64>) -> tensor<6x4xf64>
  %2 = boost.factorize qr_basis %t, %c : (tensor<6x4xf64>, tensor<3xf64>) -> tensor<6x4xf64>
  // CHECK-NEXT: boost.factorize eigh %{{.*}} : (tensor<3x4x4xf32>) -> (tensor<3x4x4xf32>, tensor<3x4xf32>)
  %3:2 = boost.factorize eigh %s : (tensor<3x4x4xf32>) -> (tensor<3x4x4xf32>, tensor<3x4xf32>)
  // CHECK-NEXT: boost.factorize svd %{{.*}} : (tensor<6x4xf64>) -> (tensor<4xf64>, tensor<6x4xf64>, tensor<4x4xf64>)
  %4:3 = boost.factorize svd %t : (tensor<6x4xf64>) -> (tensor<4xf64>, tensor<6x4xf64>, tensor<4x4xf64>)
  // CHECK-NEXT: boost.factorize full_svd %{{.*}} : (tensor<6x4xf64>) -> (tensor<4xf64>, tensor<6x6xf64>, tensor<4x4xf64>)
  %5:3 = boost.factorize full_svd %t : (tensor<6x4xf64>) -> (tensor<4xf64>, tensor<6x6xf64>, tensor<4x4xf64>)
  // CHECK-NEXT: boost.factorize singular_values %{{.*}} : (tensor<2x5x4x6xf32>) -> tensor<2x5x4xf32>
  %6 = boost.factorize singular_values %w : (tensor<2x5x4x6xf32>) -> tensor<2x5x4xf32>
  return
}
