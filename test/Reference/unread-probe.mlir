// RUN: boost-eval %s --function=main | FileCheck %s
// A probe that nothing reads is passed over.

// CHECK: out0 {{.*}} [3]
func.func @main() -> tensor<f32> {
  %0 = stablehlo.constant dense<3.0> : tensor<f32>
  boost.probe %0 as "constant" site 0 : tensor<f32>
  return %0 : tensor<f32>
}
