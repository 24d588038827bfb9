// RUN: boost-opt %s --boostrt-number-collectives | FileCheck %s
// A program that sends nothing has no sites.

// CHECK: module attributes {boostrt.sites = 0 : i64}
// CHECK-LABEL: func.func @loss
// CHECK-NEXT:    boostrt.process_index group 2 outs
// CHECK-NEXT:    return
func.func @loss(%e: tensor<i32>) {
  %0 = boostrt.process_index group 2 outs(%e : tensor<i32>) -> tensor<i32>
  return
}
