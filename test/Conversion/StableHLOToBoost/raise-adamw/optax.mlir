// RUN: boost-opt %s -boost-raise-adamw -split-input-file | FileCheck %s
// The update of optax.adamw as JAX lowers it. Its numbers are constants: 1 - beta is computed in Python, and is not what
// f32 leaves of beta. The second parameter does not decay, and reads the decay of the first.

// CHECK-LABEL: func @constants
// CHECK-SAME:    %[[P:.*]]: tensor<4xf32>, %[[M:.*]]: tensor<4xf32>, %[[V:.*]]: tensor<4xf32>, %[[G:.*]]: tensor<4xf32>, %[[Q:.*]]: tensor<2xf32>, %[[N:.*]]: tensor<2xf32>, %[[W:.*]]: tensor<2xf32>, %[[H:.*]]: tensor<2xf32>, %[[T:.*]]: tensor<f32>
// CHECK:         boost.phase optimizer
// CHECK-DAG:     %[[LR:.*]] = stablehlo.constant dense<2.000000e-03> : tensor<f32>
// CHECK-DAG:     %[[ONE:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<f32>
// CHECK-DAG:     %[[B1:.*]] = stablehlo.constant dense<0.899999976> : tensor<f32>
// CHECK-DAG:     %[[B2:.*]] = stablehlo.constant dense<9.990000e-01> : tensor<f32>
// CHECK-DAG:     %[[S1:.*]] = stablehlo.constant dense<1.000000e-01> : tensor<f32>
// CHECK-DAG:     %[[S2:.*]] = stablehlo.constant dense<1.000000e-03> : tensor<f32>
// CHECK-DAG:     %[[EPS:.*]] = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
// CHECK-DAG:     %[[ROOT:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<f32>
// CHECK-DAG:     %[[DECAY:.*]] = stablehlo.constant dense<3.000000e-03> : tensor<f32>
// CHECK-NOT:     stablehlo.sqrt
// CHECK:         %[[NP:.*]], %[[NM:.*]], %[[NV:.*]] = boost.adamw %[[P]], %[[M]], %[[V]], %[[G]] lr %[[LR]] step %[[T]] scale %[[ONE]] betas %[[B1]], %[[B2]] shares %[[S1]], %[[S2]] eps %[[EPS]], %[[ROOT]] decay %[[DECAY]] {boost.component = "optimizer", decays}
// CHECK:         %[[NQ:.*]], %[[NN:.*]], %[[NW:.*]] = boost.adamw %[[Q]], %[[N]], %[[W]], %[[H]] lr %[[LR]] step %[[T]] scale %[[ONE]] betas %[[B1]], %[[B2]] shares %[[S1]], %[[S2]] eps %[[EPS]], %[[ROOT]] decay %[[DECAY]] {boost.component = "optimizer"}
// CHECK:         return %[[NP]], %[[NM]], %[[NV]], %[[NQ]], %[[NN]], %[[NW]]
func.func @constants(%p: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>, %g: tensor<4xf32>,
                     %q: tensor<2xf32>, %n: tensor<2xf32>, %w: tensor<2xf32>, %h: tensor<2xf32>, %t: tensor<f32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  boost.phase optimizer
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %b1 = stablehlo.constant dense<0.9> : tensor<f32>
  %b2 = stablehlo.constant dense<0.999> : tensor<f32>
  %power1 = stablehlo.power %b1, %t : tensor<f32>
  %power2 = stablehlo.power %b2, %t : tensor<f32>
  %c1 = stablehlo.subtract %one, %power1 : tensor<f32>
  %c2 = stablehlo.subtract %one, %power2 : tensor<f32>
  %B1 = stablehlo.constant dense<0.9> : tensor<4xf32>
  %B2 = stablehlo.constant dense<0.999> : tensor<4xf32>
  %S1 = stablehlo.constant dense<0.1> : tensor<4xf32>
  %S2 = stablehlo.constant dense<0.001> : tensor<4xf32>
  %EPS = stablehlo.constant dense<1.0e-08> : tensor<4xf32>
  %ZERO = stablehlo.constant dense<0.0> : tensor<4xf32>
  %RATE = stablehlo.constant dense<-0.002> : tensor<4xf32>
  %DECAY = stablehlo.constant dense<0.003> : tensor<4xf32>
  %C1 = stablehlo.broadcast_in_dim %c1, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %C2 = stablehlo.broadcast_in_dim %c2, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %0 = stablehlo.multiply %g, %S1 : tensor<4xf32>
  %1 = stablehlo.multiply %m, %B1 : tensor<4xf32>
  %nm = stablehlo.add %0, %1 : tensor<4xf32>
  %2 = stablehlo.multiply %g, %g : tensor<4xf32>
  %3 = stablehlo.multiply %2, %S2 : tensor<4xf32>
  %4 = stablehlo.multiply %v, %B2 : tensor<4xf32>
  %nv = stablehlo.add %3, %4 : tensor<4xf32>
  %5 = stablehlo.divide %nm, %C1 : tensor<4xf32>
  %6 = stablehlo.divide %nv, %C2 : tensor<4xf32>
  %7 = stablehlo.add %6, %ZERO : tensor<4xf32>
  %8 = stablehlo.sqrt %7 : tensor<4xf32>
  %9 = stablehlo.add %8, %EPS : tensor<4xf32>
  %10 = stablehlo.divide %5, %9 : tensor<4xf32>
  %11 = stablehlo.multiply %p, %DECAY : tensor<4xf32>
  %12 = stablehlo.add %10, %11 : tensor<4xf32>
  %13 = stablehlo.multiply %12, %RATE : tensor<4xf32>
  %np = stablehlo.add %p, %13 : tensor<4xf32>

  %b1_2 = stablehlo.constant dense<0.9> : tensor<2xf32>
  %b2_2 = stablehlo.constant dense<0.999> : tensor<2xf32>
  %s1_2 = stablehlo.constant dense<0.1> : tensor<2xf32>
  %s2_2 = stablehlo.constant dense<0.001> : tensor<2xf32>
  %eps_2 = stablehlo.constant dense<1.0e-08> : tensor<2xf32>
  %zero_2 = stablehlo.constant dense<0.0> : tensor<2xf32>
  %rate_2 = stablehlo.constant dense<-0.002> : tensor<2xf32>
  %c1_2 = stablehlo.broadcast_in_dim %c1, dims = [] : (tensor<f32>) -> tensor<2xf32>
  %c2_2 = stablehlo.broadcast_in_dim %c2, dims = [] : (tensor<f32>) -> tensor<2xf32>
  %14 = stablehlo.multiply %h, %s1_2 : tensor<2xf32>
  %15 = stablehlo.multiply %n, %b1_2 : tensor<2xf32>
  %nn = stablehlo.add %14, %15 : tensor<2xf32>
  %16 = stablehlo.multiply %h, %h : tensor<2xf32>
  %17 = stablehlo.multiply %16, %s2_2 : tensor<2xf32>
  %18 = stablehlo.multiply %w, %b2_2 : tensor<2xf32>
  %nw = stablehlo.add %17, %18 : tensor<2xf32>
  %19 = stablehlo.divide %nn, %c1_2 : tensor<2xf32>
  %20 = stablehlo.divide %nw, %c2_2 : tensor<2xf32>
  %21 = stablehlo.add %20, %zero_2 : tensor<2xf32>
  %22 = stablehlo.sqrt %21 : tensor<2xf32>
  %23 = stablehlo.add %22, %eps_2 : tensor<2xf32>
  %24 = stablehlo.divide %19, %23 : tensor<2xf32>
  %25 = stablehlo.multiply %24, %rate_2 : tensor<2xf32>
  %nq = stablehlo.add %q, %25 : tensor<2xf32>
  return %np, %nm, %nv, %nq, %nn, %nw : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// -----

// inject_hyperparams: the numbers are arguments, 1 - beta is computed by the program, and minus the rate is a product.

// CHECK-LABEL: func @injected
// CHECK-SAME:    %[[P:.*]]: tensor<4xf32>, %[[M:.*]]: tensor<4xf32>, %[[V:.*]]: tensor<4xf32>, %[[G:.*]]: tensor<4xf32>, %[[T:.*]]: tensor<f32>, %[[LR:.*]]: tensor<f32>, %[[B1:.*]]: tensor<f32>, %[[B2:.*]]: tensor<f32>, %[[EPS:.*]]: tensor<f32>, %[[ROOT:.*]]: tensor<f32>, %[[DECAY:.*]]: tensor<f32>
// CHECK:         %[[S1:.*]] = stablehlo.subtract %{{.*}}, %[[B1]]
// CHECK:         %[[S2:.*]] = stablehlo.subtract %{{.*}}, %[[B2]]
// CHECK-NOT:     stablehlo.sqrt
// CHECK:         boost.adamw %[[P]], %[[M]], %[[V]], %[[G]] lr %[[LR]] step %[[T]] scale %{{.*}} betas %[[B1]], %[[B2]] shares %[[S1]], %[[S2]] eps %[[EPS]], %[[ROOT]] decay %[[DECAY]] {boost.component = "optimizer", decays}
func.func @injected(%p: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>, %g: tensor<4xf32>, %t: tensor<f32>,
                    %lr: tensor<f32>, %b1: tensor<f32>, %b2: tensor<f32>, %eps: tensor<f32>, %root: tensor<f32>,
                    %decay: tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  boost.phase optimizer
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %minus = stablehlo.constant dense<-1.0> : tensor<f32>
  %rate = stablehlo.multiply %lr, %minus : tensor<f32>
  %s1 = stablehlo.subtract %one, %b1 : tensor<f32>
  %s2 = stablehlo.subtract %one, %b2 : tensor<f32>
  %power1 = stablehlo.power %b1, %t : tensor<f32>
  %power2 = stablehlo.power %b2, %t : tensor<f32>
  %c1 = stablehlo.subtract %one, %power1 : tensor<f32>
  %c2 = stablehlo.subtract %one, %power2 : tensor<f32>
  %RATE = stablehlo.broadcast_in_dim %rate, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %B1 = stablehlo.broadcast_in_dim %b1, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %B2 = stablehlo.broadcast_in_dim %b2, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %S1 = stablehlo.broadcast_in_dim %s1, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %S2 = stablehlo.broadcast_in_dim %s2, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %C1 = stablehlo.broadcast_in_dim %c1, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %C2 = stablehlo.broadcast_in_dim %c2, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %EPS = stablehlo.broadcast_in_dim %eps, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %ROOT = stablehlo.broadcast_in_dim %root, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %DECAY = stablehlo.broadcast_in_dim %decay, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %0 = stablehlo.multiply %S1, %g : tensor<4xf32>
  %1 = stablehlo.multiply %B1, %m : tensor<4xf32>
  %nm = stablehlo.add %0, %1 : tensor<4xf32>
  %2 = stablehlo.multiply %g, %g : tensor<4xf32>
  %3 = stablehlo.multiply %S2, %2 : tensor<4xf32>
  %4 = stablehlo.multiply %B2, %v : tensor<4xf32>
  %nv = stablehlo.add %3, %4 : tensor<4xf32>
  %5 = stablehlo.divide %nm, %C1 : tensor<4xf32>
  %6 = stablehlo.divide %nv, %C2 : tensor<4xf32>
  %7 = stablehlo.add %6, %ROOT : tensor<4xf32>
  %8 = stablehlo.sqrt %7 : tensor<4xf32>
  %9 = stablehlo.add %8, %EPS : tensor<4xf32>
  %10 = stablehlo.divide %5, %9 : tensor<4xf32>
  %11 = stablehlo.multiply %DECAY, %p : tensor<4xf32>
  %12 = stablehlo.add %10, %11 : tensor<4xf32>
  %13 = stablehlo.multiply %RATE, %12 : tensor<4xf32>
  %np = stablehlo.add %p, %13 : tensor<4xf32>
  return %np, %nm, %nv : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// Behind clip_by_global_norm, both updates read one factor.

// CHECK-LABEL: func @clipped
// CHECK-SAME:    %[[P:[^:]*]]: tensor<f32>, %[[Q:[^:]*]]: tensor<f32>, %[[M:[^:]*]]: tensor<f32>, %[[V:[^:]*]]: tensor<f32>, %[[G:[^:]*]]: tensor<f32>, %[[H:[^:]*]]: tensor<f32>, %[[NORM:[^:]*]]: tensor<f32>, %[[BOUND:[^:]*]]: tensor<f32>, %[[T:[^:]*]]: tensor<f32>
// CHECK:         %[[IS_WITHIN:.*]] = stablehlo.compare LT, %[[NORM]], %[[BOUND]]
// CHECK:         %[[RATIO:.*]] = stablehlo.divide %[[BOUND]], %[[NORM]] {boost.component = "optimizer"}
// CHECK:         %[[FACTOR:.*]] = stablehlo.select %[[IS_WITHIN]], %{{.*}}, %[[RATIO]] {boost.component = "optimizer"}
// CHECK:         boost.adamw %[[P]], %[[M]], %[[V]], %[[G]] lr %{{.*}} step %[[T]] scale %[[FACTOR]]
// CHECK:         boost.adamw %[[Q]], %[[M]], %[[V]], %[[H]] lr %{{.*}} step %[[T]] scale %[[FACTOR]]
func.func @clipped(%p: tensor<f32>, %q: tensor<f32>, %m: tensor<f32>, %v: tensor<f32>, %g: tensor<f32>, %h: tensor<f32>,
                   %norm: tensor<f32>, %bound: tensor<f32>, %t: tensor<f32>, %b1: tensor<f32>, %b2: tensor<f32>,
                   %s1: tensor<f32>, %s2: tensor<f32>, %eps: tensor<f32>, %rate: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) {
  boost.phase optimizer
  %isWithin = stablehlo.compare LT, %norm, %bound, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %power1 = stablehlo.power %b1, %t : tensor<f32>
  %power2 = stablehlo.power %b2, %t : tensor<f32>
  %c1 = stablehlo.subtract %one, %power1 : tensor<f32>
  %c2 = stablehlo.subtract %one, %power2 : tensor<f32>
  %quotient_g = stablehlo.divide %g, %norm : tensor<f32>
  %bounded_g = stablehlo.multiply %quotient_g, %bound : tensor<f32>
  %clipped_g = stablehlo.select %isWithin, %g, %bounded_g : tensor<i1>, tensor<f32>
  %m1_g = stablehlo.multiply %s1, %clipped_g : tensor<f32>
  %m2_g = stablehlo.multiply %b1, %m : tensor<f32>
  %nm_g = stablehlo.add %m1_g, %m2_g : tensor<f32>
  %square_g = stablehlo.multiply %clipped_g, %clipped_g : tensor<f32>
  %v1_g = stablehlo.multiply %s2, %square_g : tensor<f32>
  %v2_g = stablehlo.multiply %b2, %v : tensor<f32>
  %nv_g = stablehlo.add %v1_g, %v2_g : tensor<f32>
  %mean_g = stablehlo.divide %nm_g, %c1 : tensor<f32>
  %variance_g = stablehlo.divide %nv_g, %c2 : tensor<f32>
  %root_g = stablehlo.sqrt %variance_g : tensor<f32>
  %below_g = stablehlo.add %root_g, %eps : tensor<f32>
  %ratio_g = stablehlo.divide %mean_g, %below_g : tensor<f32>
  %change_g = stablehlo.multiply %rate, %ratio_g : tensor<f32>
  %np = stablehlo.add %p, %change_g : tensor<f32>
  %quotient_h = stablehlo.divide %h, %norm : tensor<f32>
  %bounded_h = stablehlo.multiply %quotient_h, %bound : tensor<f32>
  %clipped_h = stablehlo.select %isWithin, %h, %bounded_h : tensor<i1>, tensor<f32>
  %m1_h = stablehlo.multiply %s1, %clipped_h : tensor<f32>
  %m2_h = stablehlo.multiply %b1, %m : tensor<f32>
  %nm_h = stablehlo.add %m1_h, %m2_h : tensor<f32>
  %square_h = stablehlo.multiply %clipped_h, %clipped_h : tensor<f32>
  %v1_h = stablehlo.multiply %s2, %square_h : tensor<f32>
  %v2_h = stablehlo.multiply %b2, %v : tensor<f32>
  %nv_h = stablehlo.add %v1_h, %v2_h : tensor<f32>
  %mean_h = stablehlo.divide %nm_h, %c1 : tensor<f32>
  %variance_h = stablehlo.divide %nv_h, %c2 : tensor<f32>
  %root_h = stablehlo.sqrt %variance_h : tensor<f32>
  %below_h = stablehlo.add %root_h, %eps : tensor<f32>
  %ratio_h = stablehlo.divide %mean_h, %below_h : tensor<f32>
  %change_h = stablehlo.multiply %rate, %ratio_h : tensor<f32>
  %nq = stablehlo.add %q, %change_h : tensor<f32>
  return %np, %nq, %nm_g, %nv_g, %nm_h, %nv_h : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
}
