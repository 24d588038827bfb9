// RUN: boost-opt %s --boost-unroll-while -o %t
// RUN: FileCheck %s < %t
// RUN: boost-eval --compare --every-function %s %t
// How often a loop runs: every comparison, both directions, and not at all. The counter ends as it would.

// CHECK-LABEL: func @below(
// CHECK-NOT:     stablehlo.while
// CHECK-COUNT-3: stablehlo.sine
// CHECK-NOT:     stablehlo.sine
// CHECK:         return
func.func @below(%x: tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>) {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  %c3 = stablehlo.constant dense<3> : tensor<i32>
  %r:2 = stablehlo.while(%i = %c0, %y = %x) : tensor<i32>, tensor<4xf32>
  cond {
    %0 = stablehlo.compare LT, %i, %c3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %c1 : tensor<i32>
    %2 = stablehlo.sine %y : tensor<4xf32>
    stablehlo.return %1, %2 : tensor<i32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<i32>, tensor<4xf32>
}

// CHECK-LABEL: func @below_by_two(
// CHECK-NOT:     stablehlo.while
// CHECK-COUNT-2: stablehlo.sine
// CHECK-NOT:     stablehlo.sine
// CHECK:         return
func.func @below_by_two(%x: tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>) {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %c1 = stablehlo.constant dense<2> : tensor<i32>
  %c3 = stablehlo.constant dense<3> : tensor<i32>
  %r:2 = stablehlo.while(%i = %c0, %y = %x) : tensor<i32>, tensor<4xf32>
  cond {
    %0 = stablehlo.compare LT, %i, %c3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %c1 : tensor<i32>
    %2 = stablehlo.sine %y : tensor<4xf32>
    stablehlo.return %1, %2 : tensor<i32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<i32>, tensor<4xf32>
}

// CHECK-LABEL: func @at_most(
// CHECK-NOT:     stablehlo.while
// CHECK-COUNT-4: stablehlo.sine
// CHECK-NOT:     stablehlo.sine
// CHECK:         return
func.func @at_most(%x: tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>) {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  %c3 = stablehlo.constant dense<3> : tensor<i32>
  %r:2 = stablehlo.while(%i = %c0, %y = %x) : tensor<i32>, tensor<4xf32>
  cond {
    %0 = stablehlo.compare LE, %i, %c3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %c1 : tensor<i32>
    %2 = stablehlo.sine %y : tensor<4xf32>
    stablehlo.return %1, %2 : tensor<i32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<i32>, tensor<4xf32>
}

// CHECK-LABEL: func @above(
// CHECK-NOT:     stablehlo.while
// CHECK-COUNT-2: stablehlo.sine
// CHECK-NOT:     stablehlo.sine
// CHECK:         return
func.func @above(%x: tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>) {
  %c0 = stablehlo.constant dense<5> : tensor<i32>
  %c1 = stablehlo.constant dense<-1> : tensor<i32>
  %c3 = stablehlo.constant dense<3> : tensor<i32>
  %r:2 = stablehlo.while(%i = %c0, %y = %x) : tensor<i32>, tensor<4xf32>
  cond {
    %0 = stablehlo.compare GT, %i, %c3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %c1 : tensor<i32>
    %2 = stablehlo.sine %y : tensor<4xf32>
    stablehlo.return %1, %2 : tensor<i32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<i32>, tensor<4xf32>
}

// CHECK-LABEL: func @at_least(
// CHECK-NOT:     stablehlo.while
// CHECK-COUNT-3: stablehlo.sine
// CHECK-NOT:     stablehlo.sine
// CHECK:         return
func.func @at_least(%x: tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>) {
  %c0 = stablehlo.constant dense<5> : tensor<i32>
  %c1 = stablehlo.constant dense<-1> : tensor<i32>
  %c3 = stablehlo.constant dense<3> : tensor<i32>
  %r:2 = stablehlo.while(%i = %c0, %y = %x) : tensor<i32>, tensor<4xf32>
  cond {
    %0 = stablehlo.compare GE, %i, %c3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %c1 : tensor<i32>
    %2 = stablehlo.sine %y : tensor<4xf32>
    stablehlo.return %1, %2 : tensor<i32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<i32>, tensor<4xf32>
}

// CHECK-LABEL: func @at_least_by_two(
// CHECK-NOT:     stablehlo.while
// CHECK-COUNT-2: stablehlo.sine
// CHECK-NOT:     stablehlo.sine
// CHECK:         return
func.func @at_least_by_two(%x: tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>) {
  %c0 = stablehlo.constant dense<5> : tensor<i32>
  %c1 = stablehlo.constant dense<-2> : tensor<i32>
  %c3 = stablehlo.constant dense<2> : tensor<i32>
  %r:2 = stablehlo.while(%i = %c0, %y = %x) : tensor<i32>, tensor<4xf32>
  cond {
    %0 = stablehlo.compare GE, %i, %c3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %c1 : tensor<i32>
    %2 = stablehlo.sine %y : tensor<4xf32>
    stablehlo.return %1, %2 : tensor<i32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<i32>, tensor<4xf32>
}

// CHECK-LABEL: func @equal(
// CHECK-NOT:     stablehlo.while
// CHECK-COUNT-1: stablehlo.sine
// CHECK-NOT:     stablehlo.sine
// CHECK:         return
func.func @equal(%x: tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>) {
  %c0 = stablehlo.constant dense<3> : tensor<i32>
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  %c3 = stablehlo.constant dense<3> : tensor<i32>
  %r:2 = stablehlo.while(%i = %c0, %y = %x) : tensor<i32>, tensor<4xf32>
  cond {
    %0 = stablehlo.compare EQ, %i, %c3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %c1 : tensor<i32>
    %2 = stablehlo.sine %y : tensor<4xf32>
    stablehlo.return %1, %2 : tensor<i32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<i32>, tensor<4xf32>
}

// CHECK-LABEL: func @equal_to_begin_with(
// CHECK-NOT:     stablehlo.while
// CHECK-NOT:     stablehlo.sine
// CHECK:         return
func.func @equal_to_begin_with(%x: tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>) {
  %c0 = stablehlo.constant dense<2> : tensor<i32>
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  %c3 = stablehlo.constant dense<3> : tensor<i32>
  %r:2 = stablehlo.while(%i = %c0, %y = %x) : tensor<i32>, tensor<4xf32>
  cond {
    %0 = stablehlo.compare EQ, %i, %c3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %c1 : tensor<i32>
    %2 = stablehlo.sine %y : tensor<4xf32>
    stablehlo.return %1, %2 : tensor<i32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<i32>, tensor<4xf32>
}

// CHECK-LABEL: func @unequal(
// CHECK-NOT:     stablehlo.while
// CHECK-COUNT-3: stablehlo.sine
// CHECK-NOT:     stablehlo.sine
// CHECK:         return
func.func @unequal(%x: tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>) {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  %c3 = stablehlo.constant dense<3> : tensor<i32>
  %r:2 = stablehlo.while(%i = %c0, %y = %x) : tensor<i32>, tensor<4xf32>
  cond {
    %0 = stablehlo.compare NE, %i, %c3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %c1 : tensor<i32>
    %2 = stablehlo.sine %y : tensor<4xf32>
    stablehlo.return %1, %2 : tensor<i32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<i32>, tensor<4xf32>
}

// CHECK-LABEL: func @unequal_downwards(
// CHECK-NOT:     stablehlo.while
// CHECK-COUNT-1: stablehlo.sine
// CHECK-NOT:     stablehlo.sine
// CHECK:         return
func.func @unequal_downwards(%x: tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>) {
  %c0 = stablehlo.constant dense<3> : tensor<i32>
  %c1 = stablehlo.constant dense<-3> : tensor<i32>
  %c3 = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.while(%i = %c0, %y = %x) : tensor<i32>, tensor<4xf32>
  cond {
    %0 = stablehlo.compare NE, %i, %c3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %c1 : tensor<i32>
    %2 = stablehlo.sine %y : tensor<4xf32>
    stablehlo.return %1, %2 : tensor<i32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<i32>, tensor<4xf32>
}

// CHECK-LABEL: func @never(
// CHECK-NOT:     stablehlo.while
// CHECK-NOT:     stablehlo.sine
// CHECK:         return
func.func @never(%x: tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>) {
  %c0 = stablehlo.constant dense<3> : tensor<i32>
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  %c3 = stablehlo.constant dense<3> : tensor<i32>
  %r:2 = stablehlo.while(%i = %c0, %y = %x) : tensor<i32>, tensor<4xf32>
  cond {
    %0 = stablehlo.compare LT, %i, %c3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %c1 : tensor<i32>
    %2 = stablehlo.sine %y : tensor<4xf32>
    stablehlo.return %1, %2 : tensor<i32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<i32>, tensor<4xf32>
}

// CHECK-LABEL: func @never_above(
// CHECK-NOT:     stablehlo.while
// CHECK-NOT:     stablehlo.sine
// CHECK:         return
func.func @never_above(%x: tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>) {
  %c0 = stablehlo.constant dense<3> : tensor<i32>
  %c1 = stablehlo.constant dense<-1> : tensor<i32>
  %c3 = stablehlo.constant dense<3> : tensor<i32>
  %r:2 = stablehlo.while(%i = %c0, %y = %x) : tensor<i32>, tensor<4xf32>
  cond {
    %0 = stablehlo.compare GT, %i, %c3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %c1 : tensor<i32>
    %2 = stablehlo.sine %y : tensor<4xf32>
    stablehlo.return %1, %2 : tensor<i32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<i32>, tensor<4xf32>
}

// CHECK-LABEL: func @of_64_bits(
// CHECK-NOT:     stablehlo.while
// CHECK-COUNT-2: stablehlo.sine
// CHECK-NOT:     stablehlo.sine
// CHECK:         return
func.func @of_64_bits(%x: tensor<4xf32>) -> (tensor<i64>, tensor<4xf32>) {
  %c0 = stablehlo.constant dense<4294967296> : tensor<i64>
  %c1 = stablehlo.constant dense<1> : tensor<i64>
  %c3 = stablehlo.constant dense<4294967298> : tensor<i64>
  %r:2 = stablehlo.while(%i = %c0, %y = %x) : tensor<i64>, tensor<4xf32>
  cond {
    %0 = stablehlo.compare LT, %i, %c3 : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %c1 : tensor<i64>
    %2 = stablehlo.sine %y : tensor<4xf32>
    stablehlo.return %1, %2 : tensor<i64>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<i64>, tensor<4xf32>
}
