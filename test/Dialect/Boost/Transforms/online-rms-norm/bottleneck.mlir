// RUN: boost-opt %s -boost-online-rms-norm -o %t
// RUN: FileCheck %s < %t
// RUN: boost-eval --compare --every-function %s %t
// RUN: boost-opt %t -boost-decompose-pipeline -o %t.decomposed
// RUN: FileCheck %s --check-prefix=ONCE < %t.decomposed
// RUN: boost-eval --compare %s %t.decomposed --function=two_users
// RUN: boost-eval --compare %s %t.decomposed --function=other_user
// RUN: boost-eval --compare %s %t.decomposed --function=norm_of_a_norm
// Bottlenecks take over the norm that they read.

// CHECK-LABEL: func @two_users
// CHECK-SAME:    %[[X:.*]]: tensor<2x4x8xf32>, %[[G:.*]]: tensor<8xf32>, %[[A:.*]]: tensor<8x2xf32>, %[[B:.*]]: tensor<2x8xf32>, %[[C:.*]]: tensor<8x3xf32>, %[[D:.*]]: tensor<3x8xf32>
// CHECK-NEXT:    boost.bottleneck %[[X]] norm(%[[G]], 9.765625E-4) down(%[[A]]) up(%[[B]]) activation({{ ?}}silu)
// CHECK-NEXT:    boost.bottleneck %[[X]] norm(%[[G]], 9.765625E-4) down(%[[C]]) up(%[[D]])
// CHECK-NEXT:    return
// Decomposed, both read one product with gamma and one statistic.
// ONCE-LABEL:  func @two_users
// ONCE-SAME:     %[[X:.*]]: tensor<2x4x8xf32>, %[[G:.*]]: tensor<8xf32>
// ONCE:          %[[GB:.*]] = stablehlo.broadcast_in_dim %[[G]]
// ONCE-NEXT:     %[[XG:.*]] = stablehlo.multiply %[[X]], %[[GB]]
// ONCE-NEXT:     boost.linear %[[XG]]
// ONCE:          stablehlo.reduce
// ONCE:          stablehlo.rsqrt
// ONCE-NOT:      stablehlo.reduce
// ONCE-NOT:      stablehlo.rsqrt
// ONCE:          boost.linear %[[XG]]
// ONCE-NOT:      stablehlo.rsqrt
// ONCE:          return
func.func @two_users(%x: tensor<2x4x8xf32>, %g: tensor<8xf32>, %a: tensor<8x2xf32>, %b: tensor<2x8xf32>,
                     %c: tensor<8x3xf32>, %d: tensor<3x8xf32>) -> (tensor<2x4x8xf32>, tensor<2x4x8xf32>) {
  %n = boost.rms_norm %x, %g {eps = 0.0009765625 : f64} : tensor<2x4x8xf32>, tensor<8xf32>
  %y = boost.bottleneck %n down(%a) up(%b) activation(silu)
      : tensor<2x4x8xf32> down tensor<8x2xf32> up tensor<2x8xf32> -> tensor<2x4x8xf32>
  %z = boost.bottleneck %n down(%c) up(%d)
      : tensor<2x4x8xf32> down tensor<8x3xf32> up tensor<3x8xf32> -> tensor<2x4x8xf32>
  return %y, %z : tensor<2x4x8xf32>, tensor<2x4x8xf32>
}

// What else reads the norm keeps it; the statistic is shared.
// CHECK-LABEL: func @other_user
// CHECK-SAME:    %[[X:.*]]: tensor<2x4x8xf32>, %[[G:[^:]*]]: tensor<8xf32>
// CHECK-NEXT:    %[[N:.*]] = boost.rms_norm %[[X]], %[[G]]
// CHECK-NEXT:    %[[Y:.*]] = boost.bottleneck %[[X]] norm(%[[G]], 9.765625E-4)
// CHECK-NEXT:    stablehlo.add %[[N]], %[[Y]]
// ONCE-LABEL:  func @other_user
// ONCE:          stablehlo.rsqrt
// ONCE-NOT:      stablehlo.rsqrt
// ONCE:          return
func.func @other_user(%x: tensor<2x4x8xf32>, %g: tensor<8xf32>, %a: tensor<8x2xf32>, %b: tensor<2x8xf32>)
    -> tensor<2x4x8xf32> {
  %n = boost.rms_norm %x, %g {eps = 0.0009765625 : f64} : tensor<2x4x8xf32>, tensor<8xf32>
  %y = boost.bottleneck %n down(%a) up(%b) activation(silu)
      : tensor<2x4x8xf32> down tensor<8x2xf32> up tensor<2x8xf32> -> tensor<2x4x8xf32>
  %s = stablehlo.add %n, %y : tensor<2x4x8xf32>
  return %s : tensor<2x4x8xf32>
}

// Of a norm of a norm the bottleneck takes over the second; the first stays.
// CHECK-LABEL: func @norm_of_a_norm
// CHECK-SAME:    %[[X:.*]]: tensor<2x4x8xf32>, %[[G:[^:]*]]: tensor<8xf32>, %[[H:[^:]*]]: tensor<8xf32>
// CHECK-NEXT:    %[[N:.*]] = boost.rms_norm %[[X]], %[[G]]
// CHECK-NEXT:    boost.bottleneck %[[N]] norm(%[[H]], 9.765625E-4)
// CHECK-NEXT:    return
func.func @norm_of_a_norm(%x: tensor<2x4x8xf32>, %g: tensor<8xf32>, %h: tensor<8xf32>,
                          %a: tensor<8x2xf32>, %b: tensor<2x8xf32>) -> tensor<2x4x8xf32> {
  %n = boost.rms_norm %x, %g {eps = 0.0009765625 : f64} : tensor<2x4x8xf32>, tensor<8xf32>
  %m = boost.rms_norm %n, %h {eps = 0.0009765625 : f64} : tensor<2x4x8xf32>, tensor<8xf32>
  %y = boost.bottleneck %m down(%a) up(%b)
      : tensor<2x4x8xf32> down tensor<8x2xf32> up tensor<2x8xf32> -> tensor<2x4x8xf32>
  return %y : tensor<2x4x8xf32>
}
