// RUN: boost-opt %s -boost-raise-rms-norm -o %t
// RUN: FileCheck %s < %t
// RUN: boost-eval --compare %s %t --function=root_in_denominator
// RUN: boost-eval --compare %s %t --function=squared_root
// RUN: boost-eval --compare %s %t --function=power_and_offset
// RUN: boost-eval --compare %s %t --function=gamma_first
// RUN: boost-eval --compare %s %t --function=gamma_times_scale
// RUN: boost-eval --compare %s %t --function=computed_count
// RUN: boost-eval --compare %s %t --function=computed_factor
// RUN: boost-opt %s -boost-raise-rms-norm -o %t.values && boost-eval --compare --every-function --tolerance=1e-5 %s %t.values
// The factors of a norm may stand in any order; the root and the mean have
// several spellings. The numbers stay the same.

// x / sqrt(mean(x * x) + eps) * gamma
// CHECK-LABEL: func @root_in_denominator
// CHECK-SAME:    %[[X:.*]]: tensor<4x16x64xf32>{{.*}}, %[[G:.*]]: tensor<64xf32>
// CHECK-NEXT:    %[[Y:.*]] = boost.rms_norm %[[X]], %[[G]] {eps = 9.9999997473787516E-6 : f64}
// CHECK-NEXT:    return %[[Y]]
func.func @root_in_denominator(%arg0: tensor<4x16x64xf32> {boost.tensor = #boost.tensor<batch "arg0">}, %arg1: tensor<64xf32> {boost.tensor = #boost.tensor<param "arg1">}) -> tensor<4x16x64xf32> {
  %cst = stablehlo.constant dense<9.99999974E-6> : tensor<4x16x1xf32>
  %cst_0 = stablehlo.constant dense<6.400000e+01> : tensor<4x16x1xf32>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.multiply %arg0, %arg0 : tensor<4x16x64xf32>
  %1 = stablehlo.reduce(%0 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<4x16x64xf32>, tensor<f32>) -> tensor<4x16xf32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
  %3 = stablehlo.divide %2, %cst_0 : tensor<4x16x1xf32>
  %4 = stablehlo.add %3, %cst : tensor<4x16x1xf32>
  %5 = stablehlo.sqrt %4 : tensor<4x16x1xf32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x64xf32>
  %7 = stablehlo.divide %arg0, %6 : tensor<4x16x64xf32>
  %8 = stablehlo.broadcast_in_dim %arg1, dims = [2] : (tensor<64xf32>) -> tensor<4x16x64xf32>
  %9 = stablehlo.multiply %7, %8 : tensor<4x16x64xf32>
  return %9 : tensor<4x16x64xf32>
}

// The root of the sum is squared again: jnp.linalg.norm(x) ** 2.
// CHECK-LABEL: func @squared_root
// CHECK-SAME:    %[[X:.*]]: tensor<4x16x64xf32>{{.*}}, %[[G:.*]]: tensor<64xf32>
// CHECK-NEXT:    %[[Y:.*]] = boost.rms_norm %[[X]], %[[G]] {eps = 9.9999999747524271E-7 : f64}
// CHECK-NEXT:    return %[[Y]]
func.func @squared_root(%arg0: tensor<4x16x64xf32> {boost.tensor = #boost.tensor<batch "arg0">}, %arg1: tensor<64xf32> {boost.tensor = #boost.tensor<param "arg1">}) -> tensor<4x16x64xf32> {
  %cst = stablehlo.constant dense<9.99999997E-7> : tensor<4x16xf32>
  %cst_0 = stablehlo.constant dense<6.400000e+01> : tensor<4x16xf32>
  %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %squares = stablehlo.multiply %arg0, %arg0 : tensor<4x16x64xf32>
  %sum = stablehlo.reduce(%squares init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<4x16x64xf32>, tensor<f32>) -> tensor<4x16xf32>
  %root = stablehlo.sqrt %sum : tensor<4x16xf32>
  %0 = stablehlo.multiply %root, %root : tensor<4x16xf32>
  %1 = stablehlo.divide %0, %cst_0 : tensor<4x16xf32>
  %2 = stablehlo.add %1, %cst : tensor<4x16xf32>
  %3 = stablehlo.rsqrt %2 : tensor<4x16xf32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x64xf32>
  %5 = stablehlo.multiply %arg0, %4 : tensor<4x16x64xf32>
  %6 = stablehlo.broadcast_in_dim %arg1, dims = [2] : (tensor<64xf32>) -> tensor<4x16x64xf32>
  %7 = stablehlo.multiply %6, %5 : tensor<4x16x64xf32>
  return %7 : tensor<4x16x64xf32>
}

// (1 + gamma) * x * power(mean + eps, -0.5): gamma is what is multiplied.
// CHECK-LABEL: func @power_and_offset
// CHECK-SAME:    %[[X:.*]]: tensor<4x16x64xf32>{{.*}}, %[[G:.*]]: tensor<64xf32>
// CHECK:         %[[P:.*]] = stablehlo.add
// CHECK:         %[[Y:.*]] = boost.rms_norm %[[X]], %[[P]]
// CHECK-NEXT:    return %[[Y]]
func.func @power_and_offset(%arg0: tensor<4x16x64xf32> {boost.tensor = #boost.tensor<batch "arg0">}, %arg1: tensor<64xf32> {boost.tensor = #boost.tensor<param "arg1">}) -> tensor<4x16x64xf32> {
  %cst = stablehlo.constant dense<-5.000000e-01> : tensor<4x16x1xf32>
  %cst_0 = stablehlo.constant dense<9.99999974E-6> : tensor<4x16x1xf32>
  %cst_1 = stablehlo.constant dense<6.400000e+01> : tensor<4x16x1xf32>
  %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<64xf32>
  %0 = stablehlo.add %arg1, %cst_3 : tensor<64xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [2] : (tensor<64xf32>) -> tensor<4x16x64xf32>
  %2 = stablehlo.multiply %1, %arg0 : tensor<4x16x64xf32>
  %3 = stablehlo.multiply %arg0, %arg0 : tensor<4x16x64xf32>
  %4 = stablehlo.reduce(%3 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<4x16x64xf32>, tensor<f32>) -> tensor<4x16xf32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
  %6 = stablehlo.divide %5, %cst_1 : tensor<4x16x1xf32>
  %7 = stablehlo.add %6, %cst_0 : tensor<4x16x1xf32>
  %8 = stablehlo.power %7, %cst : tensor<4x16x1xf32>
  %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x64xf32>
  %10 = stablehlo.multiply %2, %9 : tensor<4x16x64xf32>
  return %10 : tensor<4x16x64xf32>
}

// x * gamma / sqrt(sum * (1 / d) + eps)
// CHECK-LABEL: func @gamma_first
// CHECK-SAME:    %[[X:.*]]: tensor<4x16x64xf32>{{.*}}, %[[G:.*]]: tensor<64xf32>
// CHECK-NEXT:    %[[Y:.*]] = boost.rms_norm %[[X]], %[[G]] {eps = 9.9999997473787516E-6 : f64}
// CHECK-NEXT:    return %[[Y]]
func.func @gamma_first(%arg0: tensor<4x16x64xf32> {boost.tensor = #boost.tensor<batch "arg0">}, %arg1: tensor<64xf32> {boost.tensor = #boost.tensor<param "arg1">}) -> tensor<4x16x64xf32> {
  %cst = stablehlo.constant dense<9.99999974E-6> : tensor<4x16x1xf32>
  %cst_0 = stablehlo.constant dense<1.562500e-02> : tensor<4x16x1xf32>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %arg1, dims = [2] : (tensor<64xf32>) -> tensor<4x16x64xf32>
  %1 = stablehlo.multiply %arg0, %0 : tensor<4x16x64xf32>
  %2 = stablehlo.multiply %arg0, %arg0 : tensor<4x16x64xf32>
  %3 = stablehlo.reduce(%2 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<4x16x64xf32>, tensor<f32>) -> tensor<4x16xf32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
  %5 = stablehlo.multiply %4, %cst_0 : tensor<4x16x1xf32>
  %6 = stablehlo.add %5, %cst : tensor<4x16x1xf32>
  %7 = stablehlo.sqrt %6 : tensor<4x16x1xf32>
  %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x64xf32>
  %9 = stablehlo.divide %1, %8 : tensor<4x16x64xf32>
  return %9 : tensor<4x16x64xf32>
}

// x * (gamma * rsqrt(..))
// CHECK-LABEL: func @gamma_times_scale
// CHECK-SAME:    %[[X:.*]]: tensor<4x16x64xf32>{{.*}}, %[[G:.*]]: tensor<64xf32>
// CHECK-NEXT:    %[[Y:.*]] = boost.rms_norm %[[X]], %[[G]] {eps = 9.9999997473787516E-6 : f64}
// CHECK-NEXT:    return %[[Y]]
func.func @gamma_times_scale(%arg0: tensor<4x16x64xf32> {boost.tensor = #boost.tensor<batch "arg0">}, %arg1: tensor<64xf32> {boost.tensor = #boost.tensor<param "arg1">}) -> tensor<4x16x64xf32> {
  %cst = stablehlo.constant dense<9.99999974E-6> : tensor<4x16x1xf32>
  %cst_0 = stablehlo.constant dense<6.400000e+01> : tensor<4x16x1xf32>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.multiply %arg0, %arg0 : tensor<4x16x64xf32>
  %1 = stablehlo.reduce(%0 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<4x16x64xf32>, tensor<f32>) -> tensor<4x16xf32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
  %3 = stablehlo.divide %2, %cst_0 : tensor<4x16x1xf32>
  %4 = stablehlo.add %3, %cst : tensor<4x16x1xf32>
  %5 = stablehlo.rsqrt %4 : tensor<4x16x1xf32>
  %6 = stablehlo.broadcast_in_dim %arg1, dims = [2] : (tensor<64xf32>) -> tensor<4x16x64xf32>
  %7 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x64xf32>
  %8 = stablehlo.multiply %6, %7 : tensor<4x16x64xf32>
  %9 = stablehlo.multiply %arg0, %8 : tensor<4x16x64xf32>
  return %9 : tensor<4x16x64xf32>
}

// x * (1 / sqrt(mean + eps)) * gamma
// CHECK-LABEL: func @reciprocal_of_sqrt
// CHECK:         boost.rms_norm
func.func @reciprocal_of_sqrt(%x: tensor<4x8xf32>, %gamma: tensor<8xf32>) -> tensor<4x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.constant dense<8.0> : tensor<4x1xf32>
  %eps = stablehlo.constant dense<1.0e-06> : tensor<4x1xf32>
  %one = stablehlo.constant dense<1.0> : tensor<4x1xf32>
  %squares = stablehlo.multiply %x, %x : tensor<4x8xf32>
  %sum = stablehlo.reduce(%squares init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %sums = stablehlo.broadcast_in_dim %sum, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
  %mean = stablehlo.divide %sums, %size : tensor<4x1xf32>
  %inner = stablehlo.add %mean, %eps : tensor<4x1xf32>
  %root = stablehlo.sqrt %inner : tensor<4x1xf32>
  %inverse = stablehlo.divide %one, %root : tensor<4x1xf32>
  %factors = stablehlo.broadcast_in_dim %inverse, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x8xf32>
  %normed = stablehlo.multiply %x, %factors : tensor<4x8xf32>
  %gammas = stablehlo.broadcast_in_dim %gamma, dims = [1] : (tensor<8xf32>) -> tensor<4x8xf32>
  %y = stablehlo.multiply %normed, %gammas : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// Scalars are computed of scalars.
// CHECK-LABEL: func @computed_count
// CHECK-SAME:    %[[X:.*]]: tensor<4x16x64xf32>{{.*}}, %[[G:.*]]: tensor<64xf32>
// CHECK-NEXT:    %[[Y:.*]] = boost.rms_norm %[[X]], %[[G]] {eps = 9.9999997473787516E-6 : f64}
// CHECK-NEXT:    return %[[Y]]
func.func @computed_count(%arg0: tensor<4x16x64xf32> {boost.tensor = #boost.tensor<batch "arg0">}, %arg1: tensor<64xf32> {boost.tensor = #boost.tensor<param "arg1">}) -> tensor<4x16x64xf32> {
  %cst = stablehlo.constant dense<9.99999974E-6> : tensor<4x16x1xf32>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %m3 = stablehlo.constant dense<-3.0> : tensor<f32>
  %c5 = stablehlo.constant dense<5.0> : tensor<f32>
  %c8 = stablehlo.constant dense<8.0> : tensor<f32>
  %c130 = stablehlo.constant dense<130.0> : tensor<f32>
  %c2 = stablehlo.constant dense<2.0> : tensor<f32>
  %a = stablehlo.negate %m3 : tensor<f32>
  %b = stablehlo.add %a, %c5 : tensor<f32>
  %c = stablehlo.multiply %b, %c8 : tensor<f32>
  %d = stablehlo.subtract %c130, %c2 : tensor<f32>
  %e = stablehlo.divide %d, %c2 : tensor<f32>
  %f = stablehlo.multiply %c, %e : tensor<f32>
  %n = stablehlo.sqrt %f : tensor<f32>
  %0 = stablehlo.multiply %arg0, %arg0 : tensor<4x16x64xf32>
  %1 = stablehlo.reduce(%0 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<4x16x64xf32>, tensor<f32>) -> tensor<4x16xf32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
  %count = stablehlo.broadcast_in_dim %n, dims = [] : (tensor<f32>) -> tensor<4x16x1xf32>
  %3 = stablehlo.divide %2, %count : tensor<4x16x1xf32>
  %4 = stablehlo.add %3, %cst : tensor<4x16x1xf32>
  %5 = stablehlo.sqrt %4 : tensor<4x16x1xf32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x64xf32>
  %7 = stablehlo.divide %arg0, %6 : tensor<4x16x64xf32>
  %8 = stablehlo.broadcast_in_dim %arg1, dims = [2] : (tensor<64xf32>) -> tensor<4x16x64xf32>
  %9 = stablehlo.multiply %7, %8 : tensor<4x16x64xf32>
  return %9 : tensor<4x16x64xf32>
}

// CHECK-LABEL: func @computed_factor
// CHECK-SAME:    %[[X:.*]]: tensor<4x16x64xf32>{{.*}}, %[[G:.*]]: tensor<64xf32>
// CHECK-NEXT:    %[[Y:.*]] = boost.rms_norm %[[X]], %[[G]] {eps = 9.9999997473787516E-6 : f64}
// CHECK-NEXT:    return %[[Y]]
func.func @computed_factor(%arg0: tensor<4x16x64xf32> {boost.tensor = #boost.tensor<batch "arg0">}, %arg1: tensor<64xf32> {boost.tensor = #boost.tensor<param "arg1">}) -> tensor<4x16x64xf32> {
  %cst = stablehlo.constant dense<9.99999974E-6> : tensor<4x16x1xf32>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %m3 = stablehlo.constant dense<-3.0> : tensor<f32>
  %c5 = stablehlo.constant dense<5.0> : tensor<f32>
  %c8 = stablehlo.constant dense<8.0> : tensor<f32>
  %c130 = stablehlo.constant dense<130.0> : tensor<f32>
  %c2 = stablehlo.constant dense<2.0> : tensor<f32>
  %a = stablehlo.negate %m3 : tensor<f32>
  %b = stablehlo.add %a, %c5 : tensor<f32>
  %c = stablehlo.multiply %b, %c8 : tensor<f32>
  %d = stablehlo.subtract %c130, %c2 : tensor<f32>
  %e = stablehlo.divide %d, %c2 : tensor<f32>
  %f = stablehlo.multiply %c, %e : tensor<f32>
  %n = stablehlo.rsqrt %f : tensor<f32>
  %0 = stablehlo.multiply %arg0, %arg0 : tensor<4x16x64xf32>
  %1 = stablehlo.reduce(%0 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<4x16x64xf32>, tensor<f32>) -> tensor<4x16xf32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
  %count = stablehlo.broadcast_in_dim %n, dims = [] : (tensor<f32>) -> tensor<4x16x1xf32>
  %3 = stablehlo.multiply %2, %count : tensor<4x16x1xf32>
  %4 = stablehlo.add %3, %cst : tensor<4x16x1xf32>
  %5 = stablehlo.sqrt %4 : tensor<4x16x1xf32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x64xf32>
  %7 = stablehlo.divide %arg0, %6 : tensor<4x16x64xf32>
  %8 = stablehlo.broadcast_in_dim %arg1, dims = [2] : (tensor<64xf32>) -> tensor<4x16x64xf32>
  %9 = stablehlo.multiply %7, %8 : tensor<4x16x64xf32>
  return %9 : tensor<4x16x64xf32>
}

// CHECK-LABEL: func @scale_twice
// CHECK:         %[[N:.*]] = boost.rms_norm %arg0, %cst
// CHECK:         stablehlo.multiply %[[N]]
func.func @scale_twice(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.constant dense<8.0> : tensor<8xf32>
  %eps = stablehlo.constant dense<1.0e-06> : tensor<8xf32>
  %q = stablehlo.multiply %x, %x : tensor<8x8xf32>
  %t = stablehlo.reduce(%q init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  %m = stablehlo.divide %t, %size : tensor<8xf32>
  %i = stablehlo.add %m, %eps : tensor<8xf32>
  %r = stablehlo.rsqrt %i : tensor<8xf32>
  %u = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>
  %w = stablehlo.multiply %x, %u : tensor<8x8xf32>
  %y = stablehlo.multiply %w, %u : tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// One gamma, one number per column: others stay behind the norm.
// CHECK-LABEL: func @gamma
// CHECK:         boost.rms_norm %arg0, %arg1
// CHECK-NEXT:    return
func.func @gamma(%x: tensor<8x8xf32>, %g: tensor<8xf32>) -> tensor<8x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.constant dense<8.0> : tensor<8xf32>
  %eps = stablehlo.constant dense<1.0e-06> : tensor<8xf32>
  %q = stablehlo.multiply %x, %x : tensor<8x8xf32>
  %t = stablehlo.reduce(%q init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  %m = stablehlo.divide %t, %size : tensor<8xf32>
  %i = stablehlo.add %m, %eps : tensor<8xf32>
  %r = stablehlo.rsqrt %i : tensor<8xf32>
  %u = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>
  %w = stablehlo.multiply %x, %u : tensor<8x8xf32>
  %v = stablehlo.broadcast_in_dim %g, dims = [1] : (tensor<8xf32>) -> tensor<8x8xf32>
  %y = stablehlo.multiply %w, %v : tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// CHECK-LABEL: func @by_gamma
// CHECK:         boost.rms_norm %arg0, %cst
// CHECK:         stablehlo.divide
func.func @by_gamma(%x: tensor<8x8xf32>, %g: tensor<8xf32>) -> tensor<8x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.constant dense<8.0> : tensor<8xf32>
  %eps = stablehlo.constant dense<1.0e-06> : tensor<8xf32>
  %q = stablehlo.multiply %x, %x : tensor<8x8xf32>
  %t = stablehlo.reduce(%q init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  %m = stablehlo.divide %t, %size : tensor<8xf32>
  %i = stablehlo.add %m, %eps : tensor<8xf32>
  %r = stablehlo.rsqrt %i : tensor<8xf32>
  %u = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>
  %w = stablehlo.multiply %x, %u : tensor<8x8xf32>
  %v = stablehlo.broadcast_in_dim %g, dims = [1] : (tensor<8xf32>) -> tensor<8x8xf32>
  %y = stablehlo.divide %w, %v : tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// CHECK-LABEL: func @two_gammas
// CHECK:         boost.rms_norm %arg0, %arg1
// CHECK:         stablehlo.multiply
func.func @two_gammas(%x: tensor<8x8xf32>, %g: tensor<8xf32>) -> tensor<8x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.constant dense<8.0> : tensor<8xf32>
  %eps = stablehlo.constant dense<1.0e-06> : tensor<8xf32>
  %q = stablehlo.multiply %x, %x : tensor<8x8xf32>
  %t = stablehlo.reduce(%q init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  %m = stablehlo.divide %t, %size : tensor<8xf32>
  %i = stablehlo.add %m, %eps : tensor<8xf32>
  %r = stablehlo.rsqrt %i : tensor<8xf32>
  %u = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>
  %w = stablehlo.multiply %x, %u : tensor<8x8xf32>
  %v = stablehlo.broadcast_in_dim %g, dims = [1] : (tensor<8xf32>) -> tensor<8x8xf32>
  %z = stablehlo.multiply %w, %v : tensor<8x8xf32>
  %y = stablehlo.multiply %z, %v : tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// CHECK-LABEL: func @gamma_of_rows
// CHECK:         boost.rms_norm %arg0, %cst
// CHECK:         stablehlo.multiply
func.func @gamma_of_rows(%x: tensor<8x8xf32>, %g: tensor<8xf32>) -> tensor<8x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.constant dense<8.0> : tensor<8xf32>
  %eps = stablehlo.constant dense<1.0e-06> : tensor<8xf32>
  %q = stablehlo.multiply %x, %x : tensor<8x8xf32>
  %t = stablehlo.reduce(%q init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  %m = stablehlo.divide %t, %size : tensor<8xf32>
  %i = stablehlo.add %m, %eps : tensor<8xf32>
  %r = stablehlo.rsqrt %i : tensor<8xf32>
  %u = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>
  %w = stablehlo.multiply %x, %u : tensor<8x8xf32>
  %v = stablehlo.broadcast_in_dim %g, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>
  %y = stablehlo.multiply %w, %v : tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// CHECK-LABEL: func @gamma_of_elements
// CHECK:         boost.rms_norm %arg0, %cst
// CHECK:         stablehlo.multiply
func.func @gamma_of_elements(%x: tensor<8x8xf32>, %o: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.constant dense<8.0> : tensor<8xf32>
  %eps = stablehlo.constant dense<1.0e-06> : tensor<8xf32>
  %q = stablehlo.multiply %x, %x : tensor<8x8xf32>
  %t = stablehlo.reduce(%q init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  %m = stablehlo.divide %t, %size : tensor<8xf32>
  %i = stablehlo.add %m, %eps : tensor<8xf32>
  %r = stablehlo.rsqrt %i : tensor<8xf32>
  %u = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>
  %w = stablehlo.multiply %x, %u : tensor<8x8xf32>
  %y = stablehlo.multiply %w, %o : tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// A mean of squares is at least 0; eps may stand on the left.
// CHECK-LABEL: func @at_least_zero
// CHECK:         boost.rms_norm %{{.*}}, %{{.*}} {eps = 9.9999999747524271E-7 : f64}
func.func @at_least_zero(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.constant dense<8.0> : tensor<8xf32>
  %eps = stablehlo.constant dense<1.0e-06> : tensor<8xf32>
  %none = stablehlo.constant dense<0.0> : tensor<8xf32>
  %q = stablehlo.multiply %x, %x : tensor<8x8xf32>
  %t = stablehlo.reduce(%q init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  %m = stablehlo.divide %t, %size : tensor<8xf32>
  %h = stablehlo.maximum %none, %m : tensor<8xf32>
  %i = stablehlo.add %eps, %h : tensor<8xf32>
  %r = stablehlo.rsqrt %i : tensor<8xf32>
  %u = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>
  %y = stablehlo.multiply %x, %u : tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// CHECK-LABEL: func @power_in_denominator
// CHECK:         boost.rms_norm %{{.*}}, %{{.*}} {eps = 9.9999999747524271E-7 : f64}
func.func @power_in_denominator(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.constant dense<8.0> : tensor<8xf32>
  %eps = stablehlo.constant dense<1.0e-06> : tensor<8xf32>
  %h = stablehlo.constant dense<0.5> : tensor<8xf32>
  %q = stablehlo.multiply %x, %x : tensor<8x8xf32>
  %t = stablehlo.reduce(%q init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  %m = stablehlo.divide %t, %size : tensor<8xf32>
  %i = stablehlo.add %m, %eps : tensor<8xf32>
  %r = stablehlo.power %i, %h : tensor<8xf32>
  %u = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>
  %y = stablehlo.divide %x, %u : tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// CHECK-LABEL: func @squares_by_power
// CHECK:         boost.rms_norm %{{.*}}, %{{.*}} {eps = 9.9999999747524271E-7 : f64}
func.func @squares_by_power(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.constant dense<8.0> : tensor<8xf32>
  %eps = stablehlo.constant dense<1.0e-06> : tensor<8xf32>
  %two = stablehlo.constant dense<2.0> : tensor<8x8xf32>
  %q = stablehlo.power %x, %two : tensor<8x8xf32>
  %t = stablehlo.reduce(%q init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  %m = stablehlo.divide %t, %size : tensor<8xf32>
  %i = stablehlo.add %m, %eps : tensor<8xf32>
  %r = stablehlo.rsqrt %i : tensor<8xf32>
  %u = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>
  %y = stablehlo.multiply %x, %u : tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// Constants are rounded: up to 1e-5 of the number of columns is within that.
// CHECK-LABEL: func @count_within_rounding
// CHECK:         boost.rms_norm %{{.*}}, %{{.*}} {eps = 9.9999999747524271E-7 : f64}
func.func @count_within_rounding(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.constant dense<8.00007> : tensor<8xf32>
  %eps = stablehlo.constant dense<1.0e-06> : tensor<8xf32>
  %q = stablehlo.multiply %x, %x : tensor<8x8xf32>
  %t = stablehlo.reduce(%q init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  %m = stablehlo.divide %t, %size : tensor<8xf32>
  %i = stablehlo.add %m, %eps : tensor<8xf32>
  %r = stablehlo.rsqrt %i : tensor<8xf32>
  %u = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>
  %y = stablehlo.multiply %x, %u : tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// CHECK-LABEL: func @factor_left
// CHECK:         boost.rms_norm %{{.*}}, %{{.*}} {eps = 9.9999999747524271E-7 : f64}
func.func @factor_left(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.constant dense<8.0> : tensor<8xf32>
  %eps = stablehlo.constant dense<1.0e-06> : tensor<8xf32>
  %f = stablehlo.constant dense<0.125> : tensor<8xf32>
  %q = stablehlo.multiply %x, %x : tensor<8x8xf32>
  %t = stablehlo.reduce(%q init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  %m = stablehlo.multiply %f, %t : tensor<8xf32>
  %i = stablehlo.add %m, %eps : tensor<8xf32>
  %r = stablehlo.rsqrt %i : tensor<8xf32>
  %u = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>
  %y = stablehlo.multiply %x, %u : tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}
