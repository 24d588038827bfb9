// RUN: boost-opt %s -boost-raise-adamw -split-input-file | FileCheck %s
// Updates that differ from AdamW in one place stay. Only the first one is AdamW.

// CHECK-LABEL: func @raised
// CHECK:         boost.adamw
func.func @raised(%p: tensor<f32>, %m: tensor<f32>, %v: tensor<f32>, %g: tensor<f32>, %t: tensor<f32>, %rate: tensor<f32>,
    %b1: tensor<f32>, %b2: tensor<f32>, %s1: tensor<f32>, %s2: tensor<f32>, %eps: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  boost.phase optimizer
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %power1 = stablehlo.power %b1, %t : tensor<f32>
  %power2 = stablehlo.power %b2, %t : tensor<f32>
  %c1 = stablehlo.subtract %one, %power1 : tensor<f32>
  %c2 = stablehlo.subtract %one, %power2 : tensor<f32>
  %0 = stablehlo.multiply %s1, %g : tensor<f32>
  %1 = stablehlo.multiply %b1, %m : tensor<f32>
  %nm = stablehlo.add %0, %1 : tensor<f32>
  %2 = stablehlo.multiply %g, %g : tensor<f32>
  %3 = stablehlo.multiply %s2, %2 : tensor<f32>
  %4 = stablehlo.multiply %b2, %v : tensor<f32>
  %nv = stablehlo.add %3, %4 : tensor<f32>
  %5 = stablehlo.divide %nm, %c1 : tensor<f32>
  %6 = stablehlo.divide %nv, %c2 : tensor<f32>
  %7 = stablehlo.sqrt %6 : tensor<f32>
  %8 = stablehlo.add %7, %eps : tensor<f32>
  %9 = stablehlo.divide %5, %8 : tensor<f32>
  %10 = stablehlo.multiply %rate, %9 : tensor<f32>
  %np = stablehlo.add %p, %10 : tensor<f32>
  return %np, %nm, %nv : tensor<f32>, tensor<f32>, tensor<f32>
}

// -----

// The mean forgets by another beta than its correction.

// CHECK-LABEL: func @another_beta
// CHECK-NOT:     boost.adamw
// CHECK:         return
func.func @another_beta(%p: tensor<f32>, %m: tensor<f32>, %v: tensor<f32>, %g: tensor<f32>, %t: tensor<f32>, %rate: tensor<f32>,
    %b1: tensor<f32>, %b2: tensor<f32>, %s1: tensor<f32>, %s2: tensor<f32>, %eps: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  boost.phase optimizer
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %power1 = stablehlo.power %b2, %t : tensor<f32>
  %power2 = stablehlo.power %b2, %t : tensor<f32>
  %c1 = stablehlo.subtract %one, %power1 : tensor<f32>
  %c2 = stablehlo.subtract %one, %power2 : tensor<f32>
  %0 = stablehlo.multiply %s1, %g : tensor<f32>
  %1 = stablehlo.multiply %b1, %m : tensor<f32>
  %nm = stablehlo.add %0, %1 : tensor<f32>
  %2 = stablehlo.multiply %g, %g : tensor<f32>
  %3 = stablehlo.multiply %s2, %2 : tensor<f32>
  %4 = stablehlo.multiply %b2, %v : tensor<f32>
  %nv = stablehlo.add %3, %4 : tensor<f32>
  %5 = stablehlo.divide %nm, %c1 : tensor<f32>
  %6 = stablehlo.divide %nv, %c2 : tensor<f32>
  %7 = stablehlo.sqrt %6 : tensor<f32>
  %8 = stablehlo.add %7, %eps : tensor<f32>
  %9 = stablehlo.divide %5, %8 : tensor<f32>
  %10 = stablehlo.multiply %rate, %9 : tensor<f32>
  %np = stablehlo.add %p, %10 : tensor<f32>
  return %np, %nm, %nv : tensor<f32>, tensor<f32>, tensor<f32>
}

// -----

// The corrections count different steps.

// CHECK-LABEL: func @another_step
// CHECK-NOT:     boost.adamw
// CHECK:         return
func.func @another_step(%p: tensor<f32>, %m: tensor<f32>, %v: tensor<f32>, %g: tensor<f32>, %t: tensor<f32>, %rate: tensor<f32>,
    %b1: tensor<f32>, %b2: tensor<f32>, %s1: tensor<f32>, %s2: tensor<f32>, %eps: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  boost.phase optimizer
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %power1 = stablehlo.power %b1, %t : tensor<f32>
  %power2 = stablehlo.power %b2, %rate : tensor<f32>
  %c1 = stablehlo.subtract %one, %power1 : tensor<f32>
  %c2 = stablehlo.subtract %one, %power2 : tensor<f32>
  %0 = stablehlo.multiply %s1, %g : tensor<f32>
  %1 = stablehlo.multiply %b1, %m : tensor<f32>
  %nm = stablehlo.add %0, %1 : tensor<f32>
  %2 = stablehlo.multiply %g, %g : tensor<f32>
  %3 = stablehlo.multiply %s2, %2 : tensor<f32>
  %4 = stablehlo.multiply %b2, %v : tensor<f32>
  %nv = stablehlo.add %3, %4 : tensor<f32>
  %5 = stablehlo.divide %nm, %c1 : tensor<f32>
  %6 = stablehlo.divide %nv, %c2 : tensor<f32>
  %7 = stablehlo.sqrt %6 : tensor<f32>
  %8 = stablehlo.add %7, %eps : tensor<f32>
  %9 = stablehlo.divide %5, %8 : tensor<f32>
  %10 = stablehlo.multiply %rate, %9 : tensor<f32>
  %np = stablehlo.add %p, %10 : tensor<f32>
  return %np, %nm, %nv : tensor<f32>, tensor<f32>, tensor<f32>
}

// -----

// nadamw and Nesterov's variant: the mean of the step is another one than the state.

// CHECK-LABEL: func @nesterov
// CHECK-NOT:     boost.adamw
// CHECK:         return
func.func @nesterov(%p: tensor<f32>, %m: tensor<f32>, %v: tensor<f32>, %g: tensor<f32>, %t: tensor<f32>, %rate: tensor<f32>,
    %b1: tensor<f32>, %b2: tensor<f32>, %s1: tensor<f32>, %s2: tensor<f32>, %eps: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  boost.phase optimizer
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %power1 = stablehlo.power %b1, %t : tensor<f32>
  %power2 = stablehlo.power %b2, %t : tensor<f32>
  %c1 = stablehlo.subtract %one, %power1 : tensor<f32>
  %c2 = stablehlo.subtract %one, %power2 : tensor<f32>
  %0 = stablehlo.multiply %s1, %g : tensor<f32>
  %1 = stablehlo.multiply %b1, %m : tensor<f32>
  %nm = stablehlo.add %0, %1 : tensor<f32>
  %2 = stablehlo.multiply %g, %g : tensor<f32>
  %3 = stablehlo.multiply %s2, %2 : tensor<f32>
  %4 = stablehlo.multiply %b2, %v : tensor<f32>
  %nv = stablehlo.add %3, %4 : tensor<f32>
  %a = stablehlo.multiply %b1, %nm : tensor<f32>
  %b = stablehlo.add %a, %0 : tensor<f32>
  %5 = stablehlo.divide %b, %c1 : tensor<f32>
  %6 = stablehlo.divide %nv, %c2 : tensor<f32>
  %7 = stablehlo.sqrt %6 : tensor<f32>
  %8 = stablehlo.add %7, %eps : tensor<f32>
  %9 = stablehlo.divide %5, %8 : tensor<f32>
  %10 = stablehlo.multiply %rate, %9 : tensor<f32>
  %np = stablehlo.add %p, %10 : tensor<f32>
  return %np, %nm, %nv : tensor<f32>, tensor<f32>, tensor<f32>
}

// -----

// amsgrad: the root is of a maximum.

// CHECK-LABEL: func @maximum
// CHECK-NOT:     boost.adamw
// CHECK:         return
func.func @maximum(%p: tensor<f32>, %m: tensor<f32>, %v: tensor<f32>, %g: tensor<f32>, %t: tensor<f32>, %rate: tensor<f32>,
    %b1: tensor<f32>, %b2: tensor<f32>, %s1: tensor<f32>, %s2: tensor<f32>, %eps: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  boost.phase optimizer
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %power1 = stablehlo.power %b1, %t : tensor<f32>
  %power2 = stablehlo.power %b2, %t : tensor<f32>
  %c1 = stablehlo.subtract %one, %power1 : tensor<f32>
  %c2 = stablehlo.subtract %one, %power2 : tensor<f32>
  %0 = stablehlo.multiply %s1, %g : tensor<f32>
  %1 = stablehlo.multiply %b1, %m : tensor<f32>
  %nm = stablehlo.add %0, %1 : tensor<f32>
  %2 = stablehlo.multiply %g, %g : tensor<f32>
  %3 = stablehlo.multiply %s2, %2 : tensor<f32>
  %4 = stablehlo.multiply %b2, %v : tensor<f32>
  %nv = stablehlo.add %3, %4 : tensor<f32>
  %5 = stablehlo.divide %nm, %c1 : tensor<f32>
  %6 = stablehlo.divide %nv, %c2 : tensor<f32>
  %max = stablehlo.maximum %6, %v : tensor<f32>
  %7 = stablehlo.sqrt %max : tensor<f32>
  %8 = stablehlo.add %7, %eps : tensor<f32>
  %9 = stablehlo.divide %5, %8 : tensor<f32>
  %10 = stablehlo.multiply %rate, %9 : tensor<f32>
  %np = stablehlo.add %p, %10 : tensor<f32>
  return %np, %nm, %nv : tensor<f32>, tensor<f32>, tensor<f32>
}

// -----

// The second moment is not corrected.

// CHECK-LABEL: func @not_corrected
// CHECK-NOT:     boost.adamw
// CHECK:         return
func.func @not_corrected(%p: tensor<f32>, %m: tensor<f32>, %v: tensor<f32>, %g: tensor<f32>, %t: tensor<f32>, %rate: tensor<f32>,
    %b1: tensor<f32>, %b2: tensor<f32>, %s1: tensor<f32>, %s2: tensor<f32>, %eps: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  boost.phase optimizer
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %power1 = stablehlo.power %b1, %t : tensor<f32>
  %power2 = stablehlo.power %b2, %t : tensor<f32>
  %c1 = stablehlo.subtract %one, %power1 : tensor<f32>
  %c2 = stablehlo.subtract %one, %power2 : tensor<f32>
  %0 = stablehlo.multiply %s1, %g : tensor<f32>
  %1 = stablehlo.multiply %b1, %m : tensor<f32>
  %nm = stablehlo.add %0, %1 : tensor<f32>
  %2 = stablehlo.multiply %g, %g : tensor<f32>
  %3 = stablehlo.multiply %s2, %2 : tensor<f32>
  %4 = stablehlo.multiply %b2, %v : tensor<f32>
  %nv = stablehlo.add %3, %4 : tensor<f32>
  %5 = stablehlo.divide %nm, %c1 : tensor<f32>
  %6 = stablehlo.divide %nv, %c2 : tensor<f32>
  %7 = stablehlo.sqrt %nv : tensor<f32>
  %8 = stablehlo.add %7, %eps : tensor<f32>
  %9 = stablehlo.divide %5, %8 : tensor<f32>
  %10 = stablehlo.multiply %rate, %9 : tensor<f32>
  %np = stablehlo.add %p, %10 : tensor<f32>
  return %np, %nm, %nv : tensor<f32>, tensor<f32>, tensor<f32>
}

// -----

// The root is scaled together with eps.

// CHECK-LABEL: func @eps_inside_product
// CHECK-NOT:     boost.adamw
// CHECK:         return
func.func @eps_inside_product(%p: tensor<f32>, %m: tensor<f32>, %v: tensor<f32>, %g: tensor<f32>, %t: tensor<f32>, %rate: tensor<f32>,
    %b1: tensor<f32>, %b2: tensor<f32>, %s1: tensor<f32>, %s2: tensor<f32>, %eps: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  boost.phase optimizer
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %power1 = stablehlo.power %b1, %t : tensor<f32>
  %power2 = stablehlo.power %b2, %t : tensor<f32>
  %c1 = stablehlo.subtract %one, %power1 : tensor<f32>
  %c2 = stablehlo.subtract %one, %power2 : tensor<f32>
  %0 = stablehlo.multiply %s1, %g : tensor<f32>
  %1 = stablehlo.multiply %b1, %m : tensor<f32>
  %nm = stablehlo.add %0, %1 : tensor<f32>
  %2 = stablehlo.multiply %g, %g : tensor<f32>
  %3 = stablehlo.multiply %s2, %2 : tensor<f32>
  %4 = stablehlo.multiply %b2, %v : tensor<f32>
  %nv = stablehlo.add %3, %4 : tensor<f32>
  %5 = stablehlo.divide %nm, %c1 : tensor<f32>
  %6 = stablehlo.divide %nv, %c2 : tensor<f32>
  %7 = stablehlo.sqrt %6 : tensor<f32>
  %8 = stablehlo.add %7, %eps : tensor<f32>
  %scaled = stablehlo.multiply %8, %s1 : tensor<f32>
  %9 = stablehlo.divide %5, %scaled : tensor<f32>
  %10 = stablehlo.multiply %rate, %9 : tensor<f32>
  %np = stablehlo.add %p, %10 : tensor<f32>
  return %np, %nm, %nv : tensor<f32>, tensor<f32>, tensor<f32>
}

// -----

// Another value than the parameter decays.

// CHECK-LABEL: func @decays_another
// CHECK-NOT:     boost.adamw
// CHECK:         return
func.func @decays_another(%p: tensor<f32>, %m: tensor<f32>, %v: tensor<f32>, %g: tensor<f32>, %t: tensor<f32>, %rate: tensor<f32>,
    %b1: tensor<f32>, %b2: tensor<f32>, %s1: tensor<f32>, %s2: tensor<f32>, %eps: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  boost.phase optimizer
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %power1 = stablehlo.power %b1, %t : tensor<f32>
  %power2 = stablehlo.power %b2, %t : tensor<f32>
  %c1 = stablehlo.subtract %one, %power1 : tensor<f32>
  %c2 = stablehlo.subtract %one, %power2 : tensor<f32>
  %0 = stablehlo.multiply %s1, %g : tensor<f32>
  %1 = stablehlo.multiply %b1, %m : tensor<f32>
  %nm = stablehlo.add %0, %1 : tensor<f32>
  %2 = stablehlo.multiply %g, %g : tensor<f32>
  %3 = stablehlo.multiply %s2, %2 : tensor<f32>
  %4 = stablehlo.multiply %b2, %v : tensor<f32>
  %nv = stablehlo.add %3, %4 : tensor<f32>
  %5 = stablehlo.divide %nm, %c1 : tensor<f32>
  %6 = stablehlo.divide %nv, %c2 : tensor<f32>
  %7 = stablehlo.sqrt %6 : tensor<f32>
  %8 = stablehlo.add %7, %eps : tensor<f32>
  %9 = stablehlo.divide %5, %8 : tensor<f32>
  %d = stablehlo.multiply %s1, %m : tensor<f32>
  %e = stablehlo.add %9, %d : tensor<f32>
  %10 = stablehlo.multiply %rate, %e : tensor<f32>
  %np = stablehlo.add %p, %10 : tensor<f32>
  return %np, %nm, %nv : tensor<f32>, tensor<f32>, tensor<f32>
}
