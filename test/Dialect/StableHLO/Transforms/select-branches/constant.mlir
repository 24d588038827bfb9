// RUN: boost-opt %s --boost-select-branches | FileCheck %s
// Of a branch that a constant chooses only this one is left. An index out of
// range chooses the last.

// CHECK-LABEL: func @indices
func.func @indices(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  // CHECK-NOT: select
  // CHECK:     %[[A:.*]] = stablehlo.sine
  // CHECK:     %[[B:.*]] = stablehlo.cosine
  // CHECK:     %[[C:.*]] = stablehlo.cosine
  // CHECK:     return %[[A]], %[[B]], %[[C]]
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %negative = stablehlo.constant dense<-1> : tensor<i32>
  %large = stablehlo.constant dense<7> : tensor<i32>
  %a = "stablehlo.case"(%zero) ({
    %0 = stablehlo.sine %x : tensor<4xf32>
    stablehlo.return %0 : tensor<4xf32>
  }, {
    %0 = stablehlo.cosine %x : tensor<4xf32>
    stablehlo.return %0 : tensor<4xf32>
  }) : (tensor<i32>) -> tensor<4xf32>
  %b = "stablehlo.case"(%negative) ({
    %0 = stablehlo.sine %x : tensor<4xf32>
    stablehlo.return %0 : tensor<4xf32>
  }, {
    %0 = stablehlo.cosine %x : tensor<4xf32>
    stablehlo.return %0 : tensor<4xf32>
  }) : (tensor<i32>) -> tensor<4xf32>
  %c = "stablehlo.case"(%large) ({
    %0 = stablehlo.sine %x : tensor<4xf32>
    stablehlo.return %0 : tensor<4xf32>
  }, {
    %0 = stablehlo.cosine %x : tensor<4xf32>
    stablehlo.return %0 : tensor<4xf32>
  }) : (tensor<i32>) -> tensor<4xf32>
  return %a, %b, %c : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func @predicate
func.func @predicate(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK:      %[[A:.*]] = stablehlo.cosine
  // CHECK-NEXT: return %[[A]]
  %false = stablehlo.constant dense<false> : tensor<i1>
  %a = "stablehlo.if"(%false) ({
    %0 = stablehlo.sine %x : tensor<4xf32>
    stablehlo.return %0 : tensor<4xf32>
  }, {
    %0 = stablehlo.cosine %x : tensor<4xf32>
    stablehlo.return %0 : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  return %a : tensor<4xf32>
}

// CHECK-LABEL: func @single
func.func @single(%i: tensor<i32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: %[[A:.*]] = stablehlo.sine
  // CHECK-NEXT: return %[[A]]
  %a = "stablehlo.case"(%i) ({
    %0 = stablehlo.sine %x : tensor<4xf32>
    stablehlo.return %0 : tensor<4xf32>
  }) : (tensor<i32>) -> tensor<4xf32>
  return %a : tensor<4xf32>
}
