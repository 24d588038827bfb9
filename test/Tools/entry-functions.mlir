// RUN: boost-compile %s --emit=llvm -o - | FileCheck %s

// Functions that only call kernels are left as they were emitted: an optimized
// one would have no offset of 0, and code generation would be quadratic in it.

// CHECK-LABEL: define void @boost_fn_loss(ptr %0, ptr %1, ptr %2)
// CHECK:         getelementptr i8, ptr %1, i64 0
// CHECK:         call void @boost_rt_launch(
// CHECK-LABEL: define internal void @kernel_0(
// CHECK-NOT:     i64 0{{$}}
// CHECK:         ret void
func.func @main(%x: tensor<4xf32>) -> tensor<f32> {
  %y = stablehlo.sine %x : tensor<4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
}
