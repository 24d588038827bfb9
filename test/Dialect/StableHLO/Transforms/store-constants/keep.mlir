// RUN: boost-opt %s -split-input-file --boost-store-constants="min-bytes=16" | FileCheck %s --implicit-check-not=boost.constants --implicit-check-not=frozen
// RUN: boost-opt %s -split-input-file --boost-store-constants | FileCheck %s --implicit-check-not=boost.constants --implicit-check-not=frozen
// RUN: boost-opt %s -split-input-file --boost-store-constants="min-bytes=4 masks" | FileCheck %s --check-prefix=MASKS

// Small ones, those of one value, masks, and those that nothing reads.
// CHECK-LABEL: func.func @loss
// CHECK:         stablehlo.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// CHECK:         stablehlo.constant dense<1.000000e+00> : tensor<400000xf32>
// CHECK:         stablehlo.constant dense<{{.*}}> : tensor<20xi1>
// CHECK:         stablehlo.constant dense<{{.*}}> : tensor<1x3x3xf32>
// MASKS:    constant.1 = dense<[true, false, true,
// MASKS-SAME: constant.2 = dense<{{.*}}> : tensor<1x3x3xf32>
func.func @loss(%x: tensor<f32>) -> (tensor<2xf32>, tensor<400000xf32>, tensor<20xi1>, tensor<1x3x3xf32>) {
  %small = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %splat = stablehlo.constant dense<1.0> : tensor<400000xf32>
  %mask = stablehlo.constant dense<[true, false, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true]> : tensor<20xi1>
  %dead = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %triangle = stablehlo.constant dense<[[[0.0, -1.0, -1.0], [0.0, 0.0, -1.0], [0.0, 0.0, 0.0]]]> : tensor<1x3x3xf32>
  return %small, %splat, %mask, %triangle : tensor<2xf32>, tensor<400000xf32>, tensor<20xi1>, tensor<1x3x3xf32>
}

// -----

// Other functions than the loss.
// CHECK-LABEL: func.func @update
// CHECK:         stablehlo.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]>
func.func @update(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %y = stablehlo.multiply %x, %c : tensor<4xf32>
  return %y : tensor<4xf32>
}
