// RUN: boost-opt %s -boost-raise-adamw | FileCheck %s
// Factors and terms come in any order.

// CHECK-LABEL: func @step
// CHECK-SAME:    %[[P:.*]]: tensor<4xf32>, %[[M:.*]]: tensor<4xf32>, %[[V:.*]]: tensor<4xf32>, %[[G:.*]]: tensor<4xbf16>, %[[LR:.*]]: tensor<f32>, %[[T:.*]]: tensor<f32>, %[[S:.*]]: tensor<f32>, %[[B1:.*]]: tensor<f32>, %[[B2:.*]]: tensor<f32>, %[[EPS:.*]]: tensor<f32>
// CHECK:         boost.phase optimizer
// CHECK-NOT:     stablehlo.sqrt
// CHECK:         %[[ZERO:.*]] = stablehlo.constant dense<0.0
// CHECK:         %[[C1:.*]] = stablehlo.subtract %{{.*}}, %[[B1]]
// CHECK:         %[[C2:.*]] = stablehlo.subtract %{{.*}}, %[[B2]]
// CHECK:         %[[NP:.*]], %[[NM:.*]], %[[NV:.*]] = boost.adamw %[[P]], %[[M]], %[[V]], %[[G]] lr %[[LR]] step %[[T]] scale %[[S]] betas %[[B1]], %[[B2]] shares %[[C1]], %[[C2]] eps %[[EPS]], %[[ZERO]] decay %[[ZERO]] {boost.component = "optimizer"}
// CHECK:         return %[[NP]], %[[NM]], %[[NV]]
func.func @step(%p: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>, %g: tensor<4xbf16>, %lr: tensor<f32>,
                %t: tensor<f32>, %s: tensor<f32>, %b1: tensor<f32>, %b2: tensor<f32>, %eps: tensor<f32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  boost.phase optimizer
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %c1 = stablehlo.subtract %one, %b1 : tensor<f32>
  %c2 = stablehlo.subtract %one, %b2 : tensor<f32>
  %t1 = stablehlo.power %b1, %t : tensor<f32>
  %t2 = stablehlo.power %b2, %t : tensor<f32>
  %u1 = stablehlo.subtract %one, %t1 : tensor<f32>
  %u2 = stablehlo.subtract %one, %t2 : tensor<f32>
  %k1 = stablehlo.divide %one, %u1 : tensor<f32>
  %k2 = stablehlo.divide %one, %u2 : tensor<f32>
  %S = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %B1 = stablehlo.broadcast_in_dim %b1, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %B2 = stablehlo.broadcast_in_dim %b2, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %C1 = stablehlo.broadcast_in_dim %c1, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %C2 = stablehlo.broadcast_in_dim %c2, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %K1 = stablehlo.broadcast_in_dim %k1, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %K2 = stablehlo.broadcast_in_dim %k2, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %LR = stablehlo.broadcast_in_dim %lr, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %EPS = stablehlo.broadcast_in_dim %eps, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %wide = stablehlo.convert %g : (tensor<4xbf16>) -> tensor<4xf32>
  %x = stablehlo.multiply %wide, %S : tensor<4xf32>
  %0 = stablehlo.multiply %m, %B1 : tensor<4xf32>
  %1 = stablehlo.multiply %C1, %x : tensor<4xf32>
  %nm = stablehlo.add %1, %0 : tensor<4xf32>
  %2 = stablehlo.multiply %v, %B2 : tensor<4xf32>
  %3 = stablehlo.multiply %x, %C2 : tensor<4xf32>
  %4 = stablehlo.multiply %x, %3 : tensor<4xf32>
  %nv = stablehlo.add %2, %4 : tensor<4xf32>
  %5 = stablehlo.multiply %nv, %K2 : tensor<4xf32>
  %6 = stablehlo.sqrt %5 : tensor<4xf32>
  %7 = stablehlo.add %EPS, %6 : tensor<4xf32>
  %8 = stablehlo.multiply %nm, %K1 : tensor<4xf32>
  %9 = stablehlo.divide %8, %7 : tensor<4xf32>
  %10 = stablehlo.multiply %9, %LR : tensor<4xf32>
  %np = stablehlo.subtract %p, %10 : tensor<4xf32>
  return %np, %nm, %nv : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// The second moment is of another gradient.
// CHECK-LABEL: func @other_gradient
// CHECK-NOT:     boost.adamw
// CHECK:         return

// Squares before the optimizer, and such of which a part is read, stay.
// CHECK-LABEL: func @squares
// CHECK:         stablehlo.reduce
// CHECK:         boost.phase optimizer
// CHECK:         stablehlo.reduce
// CHECK-NOT:     boost.sum_of_squares
// CHECK:         return
func.func @other_gradient(%p: tensor<f32>, %m: tensor<f32>, %v: tensor<f32>, %g: tensor<f32>, %h: tensor<f32>, %lr: tensor<f32>,
                %t: tensor<f32>, %s: tensor<f32>, %b1: tensor<f32>, %b2: tensor<f32>, %eps: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  boost.phase optimizer
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %c1 = stablehlo.subtract %one, %b1 : tensor<f32>
  %c2 = stablehlo.subtract %one, %b2 : tensor<f32>
  %t1 = stablehlo.power %b1, %t : tensor<f32>
  %t2 = stablehlo.power %b2, %t : tensor<f32>
  %u1 = stablehlo.subtract %one, %t1 : tensor<f32>
  %u2 = stablehlo.subtract %one, %t2 : tensor<f32>
  %k1 = stablehlo.divide %one, %u1 : tensor<f32>
  %k2 = stablehlo.divide %one, %u2 : tensor<f32>
  %x = stablehlo.multiply %s, %g : tensor<f32>
  %y = stablehlo.multiply %s, %h : tensor<f32>
  %0 = stablehlo.multiply %b1, %m : tensor<f32>
  %1 = stablehlo.multiply %c1, %x : tensor<f32>
  %nm = stablehlo.add %0, %1 : tensor<f32>
  %2 = stablehlo.multiply %b2, %v : tensor<f32>
  %3 = stablehlo.multiply %c2, %y : tensor<f32>
  %4 = stablehlo.multiply %3, %y : tensor<f32>
  %nv = stablehlo.add %2, %4 : tensor<f32>
  %5 = stablehlo.multiply %k2, %nv : tensor<f32>
  %6 = stablehlo.sqrt %5 : tensor<f32>
  %7 = stablehlo.add %6, %eps : tensor<f32>
  %8 = stablehlo.multiply %k1, %nm : tensor<f32>
  %9 = stablehlo.divide %8, %7 : tensor<f32>
  %10 = stablehlo.multiply %lr, %9 : tensor<f32>
  %np = stablehlo.subtract %p, %10 : tensor<f32>
  return %np, %nm, %nv : tensor<f32>, tensor<f32>, tensor<f32>
}

func.func @squares(%a: tensor<4xf32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.multiply %a, %a : tensor<4xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %2 = stablehlo.sqrt %1 : tensor<f32>
  boost.phase optimizer
  %b = stablehlo.add %a, %a : tensor<4xf32>
  %3 = stablehlo.multiply %b, %b : tensor<4xf32>
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %5 = stablehlo.sqrt %4 : tensor<f32>
  return %2, %5, %4 : tensor<f32>, tensor<f32>, tensor<f32>
}
