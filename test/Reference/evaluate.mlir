// RUN: boost-eval %s --function=arithmetic --inputs random:3 | FileCheck %s --check-prefix=ARITH
// RUN: boost-eval %s --function=product | FileCheck %s --check-prefix=PRODUCT
// RUN: boost-eval %s --function=loss | FileCheck %s --check-prefix=LOSS
// RUN: boost-eval %s --function=ints | FileCheck %s --check-prefix=INTS
// RUN: boost-eval %s --function=tenth --rounding=typed | FileCheck %s --check-prefix=F32
// RUN: boost-eval %s --function=tenth | FileCheck %s --check-prefix=F64
// RUN: boost-eval %s --function=third --rounding=f32 | FileCheck %s --check-prefix=THIRD-F32
// RUN: boost-eval %s --function=third --rounding=bf16 | FileCheck %s --check-prefix=THIRD-BF16
// RUN: boost-eval %s --function=third | FileCheck %s --check-prefix=THIRD-F64
// RUN: boost-eval %s --function=count | FileCheck %s --check-prefix=COUNT
// RUN: not boost-eval %s --function=absent 2>&1 | FileCheck %s --check-prefix=ABSENT
// The evaluator computes what the specification says.

// ARITH: out0 : tensor<2x2xf32> norm 0 [0, 0, 0, 0]
func.func @arithmetic(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.add %x, %x : tensor<2x2xf32>
  %1 = stablehlo.subtract %0, %x : tensor<2x2xf32>
  %2 = stablehlo.subtract %1, %x : tensor<2x2xf32>
  return %2 : tensor<2x2xf32>
}

// [[1, 2], [3, 4]] . [[5, 6], [7, 8]]; the last dimension of its sum by rows.
// PRODUCT: out0 : tensor<2x2xf32> norm {{.*}} [19, 22, 43, 50]
// PRODUCT: out1 : tensor<2xf32> norm {{.*}} [41, 93]
func.func @product() -> (tensor<2x2xf32>, tensor<2xf32>) {
  %a = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %b = stablehlo.constant dense<[[5.0, 6.0], [7.0, 8.0]]> : tensor<2x2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
      : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>
  return %0, %1 : tensor<2x2xf32>, tensor<2xf32>
}

// Equal logits: every label costs log 4.
// LOSS: out0 : tensor<3xf32> norm {{.*}} [1.386294361119890{{.*}}, 1.38629
func.func @loss() -> tensor<3xf32> {
  %logits = stablehlo.constant dense<7.0> : tensor<3x4xf32>
  %labels = stablehlo.constant dense<[0, 1, 3]> : tensor<3xi32>
  %loss, %lse = boost.cross_entropy %logits, %labels
      : (tensor<3x4xf32>, tensor<3xi32>) -> (tensor<3xf32>, tensor<3xf32>)
  return %loss : tensor<3xf32>
}

// Integers wrap at their width; division truncates.
// INTS: out0 : tensor<2xi32> norm {{.*}} [-2147483648, 8]
// INTS: out1 : tensor<2xi32> norm {{.*}} [1073741823, -3]
func.func @ints() -> (tensor<2xi32>, tensor<2xi32>) {
  %a = stablehlo.constant dense<[2147483647, 7]> : tensor<2xi32>
  %one = stablehlo.constant dense<1> : tensor<2xi32>
  %two = stablehlo.constant dense<[2, -2]> : tensor<2xi32>
  %0 = stablehlo.add %a, %one : tensor<2xi32>
  %1 = stablehlo.divide %a, %two : tensor<2xi32>
  return %0, %1 : tensor<2xi32>, tensor<2xi32>
}

// F32: out0 : tensor<f32> norm {{.*}} [0.10000000149011612]
// F64: out0 : tensor<f32> norm {{.*}} [0.10000000000000001]
func.func @tenth() -> tensor<f32> {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %ten = stablehlo.constant dense<10.0> : tensor<f32>
  %0 = stablehlo.divide %one, %ten : tensor<f32>
  return %0 : tensor<f32>
}

// In f64 a conversion to bf16 does not round either: two spellings of a bf16
// program then differ by the rounding of doubles only.
// THIRD-F32: out0 : tensor<bf16> norm {{.*}} [0.333984375]
// THIRD-F32: out1 : tensor<f32> norm {{.*}} [0.3333333432674{{.*}}]
// THIRD-BF16: out1 : tensor<f32> norm {{.*}} [0.333984375]
// THIRD-F64: out0 : tensor<bf16> norm {{.*}} [0.33333333333333331]
func.func @third() -> (tensor<bf16>, tensor<f32>) {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %three = stablehlo.constant dense<3.0> : tensor<f32>
  %0 = stablehlo.divide %one, %three : tensor<f32>
  %1 = stablehlo.convert %0 : (tensor<f32>) -> tensor<bf16>
  return %1, %0 : tensor<bf16>, tensor<f32>
}

// A loop that calls, and reads a value from around it.
// COUNT: out0 : tensor<i32> norm {{.*}} [5]
// COUNT: out1 : tensor<f32> norm {{.*}} [10]
func.func @count() -> (tensor<i32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %two = stablehlo.constant dense<2.0> : tensor<f32>
  %start = stablehlo.constant dense<0.0> : tensor<f32>
  %r:2 = stablehlo.while(%i = %zero, %x = %start) : tensor<i32>, tensor<f32>
  cond {
    %p = stablehlo.compare LT, %i, %five, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %next = func.call @next(%i) : (tensor<i32>) -> tensor<i32>
    %sum = stablehlo.add %x, %two : tensor<f32>
    stablehlo.return %next, %sum : tensor<i32>, tensor<f32>
  }
  return %r#0, %r#1 : tensor<i32>, tensor<f32>
}
func.func private @next(%i: tensor<i32>) -> tensor<i32> {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.add %i, %one : tensor<i32>
  return %0 : tensor<i32>
}

// ABSENT: has no function @absent
