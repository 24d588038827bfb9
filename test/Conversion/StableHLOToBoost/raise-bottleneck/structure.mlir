// RUN: boost-opt %s -boost-raise-bottleneck -split-input-file | FileCheck %s
// Two linears with a narrow middle, by structure alone.

// CHECK-LABEL: func @svd
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>, %[[A:.*]]: tensor<8x2xf32>, %[[B:.*]]: tensor<2x6xf32>
func.func @svd(%x: tensor<4x8xf32>, %a: tensor<8x2xf32>, %b: tensor<2x6xf32>) -> tensor<4x6xf32> {
  // CHECK-NEXT: %[[Y:.*]] = boost.bottleneck %[[X]] down(%[[A]]) up(%[[B]]) : tensor<4x8xf32> down tensor<8x2xf32> up tensor<2x6xf32> -> tensor<4x6xf32>
  // CHECK-NEXT: return %[[Y]]
  %h = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %y = boost.linear %h, %b : (tensor<4x2xf32>, tensor<2x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// -----

// CHECK-LABEL: func @silu_logistic
func.func @silu_logistic(%x: tensor<4x8xf32>, %a: tensor<8x2xf32>, %b: tensor<2x6xf32>) -> tensor<4x6xf32> {
  // CHECK-NEXT: boost.bottleneck %{{.*}} activation({{ ?}}silu)
  // CHECK-NEXT: return
  %h = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %g = stablehlo.logistic %h : tensor<4x2xf32>
  %z = stablehlo.multiply %g, %h : tensor<4x2xf32>
  %y = boost.linear %z, %b : (tensor<4x2xf32>, tensor<2x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// -----

// As jax.nn.silu is written: x * (1 / (1 + exp(-x))).
// CHECK-LABEL: func @silu_jax
func.func @silu_jax(%x: tensor<4x8xf32>, %a: tensor<8x2xf32>, %b: tensor<2x6xf32>) -> tensor<4x6xf32> {
  // CHECK-NEXT: boost.bottleneck %{{.*}} activation({{ ?}}silu)
  // CHECK-NEXT: return
  %h = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %0 = stablehlo.negate %h : tensor<4x2xf32>
  %1 = stablehlo.exponential %0 : tensor<4x2xf32>
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
  %3 = stablehlo.add %2, %1 : tensor<4x2xf32>
  %4 = stablehlo.divide %2, %3 : tensor<4x2xf32>
  %5 = stablehlo.multiply %h, %4 : tensor<4x2xf32>
  %y = boost.linear %5, %b : (tensor<4x2xf32>, tensor<2x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// -----

// CHECK-LABEL: func @silu_quotient
func.func @silu_quotient(%x: tensor<4x8xf32>, %a: tensor<8x2xf32>, %b: tensor<2x6xf32>) -> tensor<4x6xf32> {
  // CHECK-NEXT: boost.bottleneck %{{.*}} activation({{ ?}}silu)
  // CHECK-NEXT: return
  %h = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %0 = stablehlo.negate %h : tensor<4x2xf32>
  %1 = stablehlo.exponential %0 : tensor<4x2xf32>
  %2 = stablehlo.constant dense<1.000000e+00> : tensor<4x2xf32>
  %3 = stablehlo.add %1, %2 : tensor<4x2xf32>
  %4 = stablehlo.divide %h, %3 : tensor<4x2xf32>
  %y = boost.linear %4, %b : (tensor<4x2xf32>, tensor<2x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// -----

// LaX: the raw latent of one block is added in the next.
// CHECK-LABEL: func @latent_chain
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>, %[[Y:.*]]: tensor<4x8xf32>, %[[Z:.*]]: tensor<4x8xf32>
func.func @latent_chain(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %z: tensor<4x8xf32>, %a: tensor<8x2xf32>, %b: tensor<2x6xf32>)
    -> (tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>) {
  // CHECK: %{{.*}}, %[[H0:.*]] = boost.bottleneck %[[X]] down(%{{.*}}) up(%{{.*}}) :
  // CHECK: %{{.*}}, %[[H1:.*]] = boost.bottleneck %[[Y]] down(%{{.*}}) up(%{{.*}}) latent(%[[H0]]) :
  // CHECK: %{{.*}} = boost.bottleneck %[[Z]] down(%{{.*}}) up(%{{.*}}) latent(%[[H1]]) activation({{ ?}}silu) :
  // CHECK-NEXT: return
  %h0 = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %y0 = boost.linear %h0, %b : (tensor<4x2xf32>, tensor<2x6xf32>) -> tensor<4x6xf32>
  %h1 = boost.linear %y, %a : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %s1 = stablehlo.add %h1, %h0 : tensor<4x2xf32>
  %y1 = boost.linear %s1, %b : (tensor<4x2xf32>, tensor<2x6xf32>) -> tensor<4x6xf32>
  %h2 = boost.linear %z, %a : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %s2 = stablehlo.add %h1, %h2 : tensor<4x2xf32>
  %g2 = stablehlo.logistic %s2 : tensor<4x2xf32>
  %z2 = stablehlo.multiply %s2, %g2 : tensor<4x2xf32>
  %y2 = boost.linear %z2, %b : (tensor<4x2xf32>, tensor<2x6xf32>) -> tensor<4x6xf32>
  return %y0, %y1, %y2 : tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>
}

// -----

// Weights as PyTorch stores them: columns for what goes in.
// CHECK-LABEL: func @transposed
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>, %[[A:.*]]: tensor<2x8xf32>, %[[B:.*]]: tensor<6x2xf32>
func.func @transposed(%x: tensor<4x8xf32>, %a: tensor<2x8xf32>, %b: tensor<6x2xf32>) -> tensor<4x6xf32> {
  // CHECK-DAG:  %[[AT:.*]] = stablehlo.transpose %[[A]], dims = [1, 0]
  // CHECK-DAG:  %[[BT:.*]] = stablehlo.transpose %[[B]], dims = [1, 0]
  // CHECK:      %[[Y:.*]] = boost.bottleneck %[[X]] down(%[[AT]]) up(%[[BT]]) :
  // CHECK-NEXT: return %[[Y]]
  %h = boost.linear %x, %a transposed : (tensor<4x8xf32>, tensor<2x8xf32>) -> tensor<4x2xf32>
  %y = boost.linear %h, %b transposed : (tensor<4x2xf32>, tensor<6x2xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// -----

// A sum that reads the raw latent before the second factor does.
// CHECK-LABEL: func @sum_before_up
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>, %[[A:.*]]: tensor<8x2xf32>, %[[B:.*]]: tensor<2x6xbf16>
func.func @sum_before_up(%x: tensor<4x8xf32>, %a: tensor<8x2xf32>, %b: tensor<2x6xbf16> {boost.tensor = #boost.tensor<param "b">})
    -> (tensor<4x6xf32>, tensor<4x2xf32>) {
  // CHECK:      %[[H2:.*]] = boost.linear
  // CHECK-NEXT: %[[W:.*]] = stablehlo.convert %[[B]]
  // CHECK-NEXT: %[[Y:.*]], %[[H1:.*]] = boost.bottleneck %[[X]] down(%[[A]]) up(%[[W]])
  // CHECK-NEXT: %[[S:.*]] = stablehlo.add %[[H1]], %[[H2]]
  // CHECK-NEXT: %[[T:.*]] = stablehlo.tanh %[[S]]
  // CHECK-NEXT: return %[[Y]], %[[T]]
  %h1 = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %h2 = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %s = stablehlo.add %h1, %h2 : tensor<4x2xf32>
  %w = stablehlo.convert %b : (tensor<2x6xbf16>) -> tensor<2x6xf32>
  %y = boost.linear %h1, %w : (tensor<4x2xf32>, tensor<2x6xf32>) -> tensor<4x6xf32>
  %t = stablehlo.tanh %s : tensor<4x2xf32>
  return %y, %t : tensor<4x6xf32>, tensor<4x2xf32>
}

// -----

// CHECK-LABEL: func @one_less
// CHECK:         boost.bottleneck
func.func @one_less(%x: tensor<4x6xf32>, %a: tensor<6x5xf32>, %b: tensor<5x6xf32>) -> tensor<4x6xf32> {
  %h = boost.linear %x, %a : (tensor<4x6xf32>, tensor<6x5xf32>) -> tensor<4x5xf32>
  %y = boost.linear %h, %b : (tensor<4x5xf32>, tensor<5x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// -----

// The latent that is added comes from outside, on either side.
// CHECK-LABEL: func @latent_argument
// CHECK:         boost.bottleneck %{{.*}} down(%{{.*}}) up(%{{.*}}) latent(%arg3) :
func.func @latent_argument(%x: tensor<4x8xf32>, %a: tensor<8x2xf32>, %b: tensor<2x6xf32>, %r: tensor<4x2xf32>) -> tensor<4x6xf32> {
  %h = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %z = stablehlo.add %r, %h : tensor<4x2xf32>
  %y = boost.linear %z, %b : (tensor<4x2xf32>, tensor<2x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// -----

// CHECK-LABEL: func @latent_argument_right
// CHECK:         boost.bottleneck %{{.*}} down(%{{.*}}) up(%{{.*}}) latent(%arg3) :
func.func @latent_argument_right(%x: tensor<4x8xf32>, %a: tensor<8x2xf32>, %b: tensor<2x6xf32>, %r: tensor<4x2xf32>) -> tensor<4x6xf32> {
  %h = boost.linear %x, %a : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %z = stablehlo.add %h, %r : tensor<4x2xf32>
  %y = boost.linear %z, %b : (tensor<4x2xf32>, tensor<2x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}
