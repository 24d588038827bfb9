// RUN: boost-opt %s -boost-raise-rms-norm | FileCheck %s
// A product has as many factors as there are paths through it, here 2^64. The
// norm at its end is found all the same.

// CHECK-LABEL: func @squares
// CHECK:         %[[Y:.*]] = stablehlo.multiply
// CHECK-NOT:     stablehlo.rsqrt
// CHECK:         boost.rms_norm
func.func @squares(%0: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %eps = stablehlo.constant dense<9.99999974E-6> : tensor<4x1xf32>
  %size = stablehlo.constant dense<8.000000e+00> : tensor<4x1xf32>
  %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %1 = stablehlo.multiply %0, %0 : tensor<4x8xf32>
  %2 = stablehlo.multiply %1, %1 : tensor<4x8xf32>
  %3 = stablehlo.multiply %2, %2 : tensor<4x8xf32>
  %4 = stablehlo.multiply %3, %3 : tensor<4x8xf32>
  %5 = stablehlo.multiply %4, %4 : tensor<4x8xf32>
  %6 = stablehlo.multiply %5, %5 : tensor<4x8xf32>
  %7 = stablehlo.multiply %6, %6 : tensor<4x8xf32>
  %8 = stablehlo.multiply %7, %7 : tensor<4x8xf32>
  %9 = stablehlo.multiply %8, %8 : tensor<4x8xf32>
  %10 = stablehlo.multiply %9, %9 : tensor<4x8xf32>
  %11 = stablehlo.multiply %10, %10 : tensor<4x8xf32>
  %12 = stablehlo.multiply %11, %11 : tensor<4x8xf32>
  %13 = stablehlo.multiply %12, %12 : tensor<4x8xf32>
  %14 = stablehlo.multiply %13, %13 : tensor<4x8xf32>
  %15 = stablehlo.multiply %14, %14 : tensor<4x8xf32>
  %16 = stablehlo.multiply %15, %15 : tensor<4x8xf32>
  %17 = stablehlo.multiply %16, %16 : tensor<4x8xf32>
  %18 = stablehlo.multiply %17, %17 : tensor<4x8xf32>
  %19 = stablehlo.multiply %18, %18 : tensor<4x8xf32>
  %20 = stablehlo.multiply %19, %19 : tensor<4x8xf32>
  %21 = stablehlo.multiply %20, %20 : tensor<4x8xf32>
  %22 = stablehlo.multiply %21, %21 : tensor<4x8xf32>
  %23 = stablehlo.multiply %22, %22 : tensor<4x8xf32>
  %24 = stablehlo.multiply %23, %23 : tensor<4x8xf32>
  %25 = stablehlo.multiply %24, %24 : tensor<4x8xf32>
  %26 = stablehlo.multiply %25, %25 : tensor<4x8xf32>
  %27 = stablehlo.multiply %26, %26 : tensor<4x8xf32>
  %28 = stablehlo.multiply %27, %27 : tensor<4x8xf32>
  %29 = stablehlo.multiply %28, %28 : tensor<4x8xf32>
  %30 = stablehlo.multiply %29, %29 : tensor<4x8xf32>
  %31 = stablehlo.multiply %30, %30 : tensor<4x8xf32>
  %32 = stablehlo.multiply %31, %31 : tensor<4x8xf32>
  %33 = stablehlo.multiply %32, %32 : tensor<4x8xf32>
  %34 = stablehlo.multiply %33, %33 : tensor<4x8xf32>
  %35 = stablehlo.multiply %34, %34 : tensor<4x8xf32>
  %36 = stablehlo.multiply %35, %35 : tensor<4x8xf32>
  %37 = stablehlo.multiply %36, %36 : tensor<4x8xf32>
  %38 = stablehlo.multiply %37, %37 : tensor<4x8xf32>
  %39 = stablehlo.multiply %38, %38 : tensor<4x8xf32>
  %40 = stablehlo.multiply %39, %39 : tensor<4x8xf32>
  %41 = stablehlo.multiply %40, %40 : tensor<4x8xf32>
  %42 = stablehlo.multiply %41, %41 : tensor<4x8xf32>
  %43 = stablehlo.multiply %42, %42 : tensor<4x8xf32>
  %44 = stablehlo.multiply %43, %43 : tensor<4x8xf32>
  %45 = stablehlo.multiply %44, %44 : tensor<4x8xf32>
  %46 = stablehlo.multiply %45, %45 : tensor<4x8xf32>
  %47 = stablehlo.multiply %46, %46 : tensor<4x8xf32>
  %48 = stablehlo.multiply %47, %47 : tensor<4x8xf32>
  %49 = stablehlo.multiply %48, %48 : tensor<4x8xf32>
  %50 = stablehlo.multiply %49, %49 : tensor<4x8xf32>
  %51 = stablehlo.multiply %50, %50 : tensor<4x8xf32>
  %52 = stablehlo.multiply %51, %51 : tensor<4x8xf32>
  %53 = stablehlo.multiply %52, %52 : tensor<4x8xf32>
  %54 = stablehlo.multiply %53, %53 : tensor<4x8xf32>
  %55 = stablehlo.multiply %54, %54 : tensor<4x8xf32>
  %56 = stablehlo.multiply %55, %55 : tensor<4x8xf32>
  %57 = stablehlo.multiply %56, %56 : tensor<4x8xf32>
  %58 = stablehlo.multiply %57, %57 : tensor<4x8xf32>
  %59 = stablehlo.multiply %58, %58 : tensor<4x8xf32>
  %60 = stablehlo.multiply %59, %59 : tensor<4x8xf32>
  %61 = stablehlo.multiply %60, %60 : tensor<4x8xf32>
  %62 = stablehlo.multiply %61, %61 : tensor<4x8xf32>
  %63 = stablehlo.multiply %62, %62 : tensor<4x8xf32>
  %64 = stablehlo.multiply %63, %63 : tensor<4x8xf32>
  %square = stablehlo.multiply %64, %64 : tensor<4x8xf32>
  %sum = stablehlo.reduce(%square init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %column = stablehlo.broadcast_in_dim %sum, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
  %mean = stablehlo.divide %column, %size : tensor<4x1xf32>
  %shifted = stablehlo.add %mean, %eps : tensor<4x1xf32>
  %root = stablehlo.rsqrt %shifted : tensor<4x1xf32>
  %scale = stablehlo.broadcast_in_dim %root, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x8xf32>
  %norm = stablehlo.multiply %64, %scale : tensor<4x8xf32>
  return %norm : tensor<4x8xf32>
}
