// RUN: boost-eval %s --function=main --inputs=random:1 | FileCheck %s
// RUN: boost-eval %s --function=main --inputs=random:2 | FileCheck %s
// RUN: boost-eval %s --function=seeds --inputs=random:1 | FileCheck %s --check-prefix=SEEDS
// Random floats have mean 0 and standard deviation 1/2, are at most 3, and differ by name. What is positive, a state or
// a number, is at least 1/2. What has a sample lies between it and a part of it.

// The mean to 0.02, the mean square to 0.02, and the largest magnitude.
// CHECK: out0 {{.*}} [1]
// CHECK: out1 {{.*}} [1]
// CHECK: out2 {{.*}} [1]
// A state: at least 1/2, and not always 1/2.
// CHECK: out3 {{.*}} [1]
// CHECK: out4 {{.*}} [1]
// A number and a decay rate.
// CHECK: out5 {{.*}} [1]
// CHECK: out6 {{.*}} [1]
func.func @main(%x: tensor<10000xf32> {boost.tensor = #boost.tensor<param "x">},
                %s: tensor<1000xf32> {boost.tensor = #boost.tensor<state "s", kind = "v", of = "x">},
                %n: tensor<f32> {boost.arg = "batch", boost.name = "n"},
                %rate: tensor<f32> {boost.tensor = #boost.tensor<hyper "rate", kind = "beta1", sample = 0.75 : f64>})
    -> (tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %count = stablehlo.constant dense<1.0e4> : tensor<f32>
  %near = stablehlo.constant dense<0.02> : tensor<f32>
  %half = stablehlo.constant dense<0.5> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %quarter = stablehlo.constant dense<0.25> : tensor<f32>
  %three = stablehlo.constant dense<3.0> : tensor<f32>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<10000xf32>, tensor<f32>) -> tensor<f32>
  %mean = stablehlo.divide %sum, %count : tensor<f32>
  %0 = stablehlo.abs %mean : tensor<f32>
  %is_centered = stablehlo.compare LT, %0, %near : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %squares = stablehlo.multiply %x, %x : tensor<10000xf32>
  %square = stablehlo.reduce(%squares init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<10000xf32>, tensor<f32>) -> tensor<f32>
  %variance = stablehlo.divide %square, %count : tensor<f32>
  %off = stablehlo.subtract %variance, %quarter : tensor<f32>
  %1 = stablehlo.abs %off : tensor<f32>
  %is_wide = stablehlo.compare LT, %1, %near : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %2 = stablehlo.abs %x : tensor<10000xf32>
  %largest = stablehlo.reduce(%2 init: %zero) applies stablehlo.maximum across dimensions = [0] : (tensor<10000xf32>, tensor<f32>) -> tensor<f32>
  %is_small = stablehlo.compare LE, %largest, %three : (tensor<f32>, tensor<f32>) -> tensor<i1>

  %least = stablehlo.reduce(%s init: %three) applies stablehlo.minimum across dimensions = [0] : (tensor<1000xf32>, tensor<f32>) -> tensor<f32>
  %is_positive = stablehlo.compare GE, %least, %half : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %greatest = stablehlo.reduce(%s init: %zero) applies stablehlo.maximum across dimensions = [0] : (tensor<1000xf32>, tensor<f32>) -> tensor<f32>
  %varies = stablehlo.compare GT, %greatest, %one : (tensor<f32>, tensor<f32>) -> tensor<i1>

  %3 = stablehlo.compare GE, %n, %half : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %limit = stablehlo.constant dense<0.75> : tensor<f32>
  %4 = stablehlo.compare LE, %rate, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %lower = stablehlo.constant dense<0.1875> : tensor<f32>
  %5 = stablehlo.compare GE, %rate, %lower : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %6 = stablehlo.and %4, %5 : tensor<i1>
  return %is_centered, %is_wide, %is_small, %is_positive, %varies, %3, %6
      : tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>
}

// No element of one tensor is that of the other.
// SEEDS: out0 {{.*}} [0]
func.func @seeds(%x: tensor<100xf32> {boost.tensor = #boost.tensor<param "x">},
                 %y: tensor<100xf32> {boost.tensor = #boost.tensor<param "y">}) -> tensor<i1> {
  %no = stablehlo.constant dense<false> : tensor<i1>
  %0 = stablehlo.compare EQ, %x, %y : (tensor<100xf32>, tensor<100xf32>) -> tensor<100xi1>
  %1 = stablehlo.reduce(%0 init: %no) applies stablehlo.or across dimensions = [0] : (tensor<100xi1>, tensor<i1>) -> tensor<i1>
  return %1 : tensor<i1>
}
