// RUN: boost-eval %s --function=main --inputs=random:1 | FileCheck %s
// Random ids are below boost.id_limit, also where it leaves only one. Integers
// without a limit are 0 and 1.

// CHECK: out0 : tensor<i32> norm 0 [0]
// CHECK: out1 : tensor<i32> norm 1 [1]
// CHECK: out2 : tensor<i32> norm 2 [2]
func.func @main(%one: tensor<64xi32> {boost.arg = "batch", boost.name = "one", boost.id_limit = 1 : i64},
                %none: tensor<64xi32> {boost.arg = "batch", boost.name = "none"},
                %three: tensor<64xi32> {boost.arg = "batch", boost.name = "three", boost.id_limit = 3 : i64})
    -> (tensor<i32>, tensor<i32>, tensor<i32>) {
  %least = stablehlo.constant dense<-2147483648> : tensor<i32>
  %0 = stablehlo.reduce(%one init: %least) applies stablehlo.maximum across dimensions = [0] : (tensor<64xi32>, tensor<i32>) -> tensor<i32>
  %1 = stablehlo.reduce(%none init: %least) applies stablehlo.maximum across dimensions = [0] : (tensor<64xi32>, tensor<i32>) -> tensor<i32>
  %2 = stablehlo.reduce(%three init: %least) applies stablehlo.maximum across dimensions = [0] : (tensor<64xi32>, tensor<i32>) -> tensor<i32>
  return %0, %1, %2 : tensor<i32>, tensor<i32>, tensor<i32>
}
