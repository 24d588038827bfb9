// RUN: boost-opt %s -boost-annotate-components | FileCheck %s
// Each round doubles the paths from the logits to the head; each operation is
// visited once.

// CHECK-LABEL: func @model
// CHECK:         boost.linear {{.*}} {boost.component = "head"}
// CHECK-COUNT-40: stablehlo.add {{.*}} {boost.component = "head"}
// CHECK:         boost.cross_entropy
func.func @model(%x: tensor<2x8xf32>, %h: tensor<8x32xf32>, %l: tensor<2xi32>) -> tensor<2xf32> {
  %a0 = boost.linear %x, %h : (tensor<2x8xf32>, tensor<8x32xf32>) -> tensor<2x32xf32>
  %t0 = stablehlo.tanh %a0 : tensor<2x32xf32>
  %a1 = stablehlo.add %a0, %t0 : tensor<2x32xf32>
  %t1 = stablehlo.tanh %a1 : tensor<2x32xf32>
  %a2 = stablehlo.add %a1, %t1 : tensor<2x32xf32>
  %t2 = stablehlo.tanh %a2 : tensor<2x32xf32>
  %a3 = stablehlo.add %a2, %t2 : tensor<2x32xf32>
  %t3 = stablehlo.tanh %a3 : tensor<2x32xf32>
  %a4 = stablehlo.add %a3, %t3 : tensor<2x32xf32>
  %t4 = stablehlo.tanh %a4 : tensor<2x32xf32>
  %a5 = stablehlo.add %a4, %t4 : tensor<2x32xf32>
  %t5 = stablehlo.tanh %a5 : tensor<2x32xf32>
  %a6 = stablehlo.add %a5, %t5 : tensor<2x32xf32>
  %t6 = stablehlo.tanh %a6 : tensor<2x32xf32>
  %a7 = stablehlo.add %a6, %t6 : tensor<2x32xf32>
  %t7 = stablehlo.tanh %a7 : tensor<2x32xf32>
  %a8 = stablehlo.add %a7, %t7 : tensor<2x32xf32>
  %t8 = stablehlo.tanh %a8 : tensor<2x32xf32>
  %a9 = stablehlo.add %a8, %t8 : tensor<2x32xf32>
  %t9 = stablehlo.tanh %a9 : tensor<2x32xf32>
  %a10 = stablehlo.add %a9, %t9 : tensor<2x32xf32>
  %t10 = stablehlo.tanh %a10 : tensor<2x32xf32>
  %a11 = stablehlo.add %a10, %t10 : tensor<2x32xf32>
  %t11 = stablehlo.tanh %a11 : tensor<2x32xf32>
  %a12 = stablehlo.add %a11, %t11 : tensor<2x32xf32>
  %t12 = stablehlo.tanh %a12 : tensor<2x32xf32>
  %a13 = stablehlo.add %a12, %t12 : tensor<2x32xf32>
  %t13 = stablehlo.tanh %a13 : tensor<2x32xf32>
  %a14 = stablehlo.add %a13, %t13 : tensor<2x32xf32>
  %t14 = stablehlo.tanh %a14 : tensor<2x32xf32>
  %a15 = stablehlo.add %a14, %t14 : tensor<2x32xf32>
  %t15 = stablehlo.tanh %a15 : tensor<2x32xf32>
  %a16 = stablehlo.add %a15, %t15 : tensor<2x32xf32>
  %t16 = stablehlo.tanh %a16 : tensor<2x32xf32>
  %a17 = stablehlo.add %a16, %t16 : tensor<2x32xf32>
  %t17 = stablehlo.tanh %a17 : tensor<2x32xf32>
  %a18 = stablehlo.add %a17, %t17 : tensor<2x32xf32>
  %t18 = stablehlo.tanh %a18 : tensor<2x32xf32>
  %a19 = stablehlo.add %a18, %t18 : tensor<2x32xf32>
  %t19 = stablehlo.tanh %a19 : tensor<2x32xf32>
  %a20 = stablehlo.add %a19, %t19 : tensor<2x32xf32>
  %t20 = stablehlo.tanh %a20 : tensor<2x32xf32>
  %a21 = stablehlo.add %a20, %t20 : tensor<2x32xf32>
  %t21 = stablehlo.tanh %a21 : tensor<2x32xf32>
  %a22 = stablehlo.add %a21, %t21 : tensor<2x32xf32>
  %t22 = stablehlo.tanh %a22 : tensor<2x32xf32>
  %a23 = stablehlo.add %a22, %t22 : tensor<2x32xf32>
  %t23 = stablehlo.tanh %a23 : tensor<2x32xf32>
  %a24 = stablehlo.add %a23, %t23 : tensor<2x32xf32>
  %t24 = stablehlo.tanh %a24 : tensor<2x32xf32>
  %a25 = stablehlo.add %a24, %t24 : tensor<2x32xf32>
  %t25 = stablehlo.tanh %a25 : tensor<2x32xf32>
  %a26 = stablehlo.add %a25, %t25 : tensor<2x32xf32>
  %t26 = stablehlo.tanh %a26 : tensor<2x32xf32>
  %a27 = stablehlo.add %a26, %t26 : tensor<2x32xf32>
  %t27 = stablehlo.tanh %a27 : tensor<2x32xf32>
  %a28 = stablehlo.add %a27, %t27 : tensor<2x32xf32>
  %t28 = stablehlo.tanh %a28 : tensor<2x32xf32>
  %a29 = stablehlo.add %a28, %t28 : tensor<2x32xf32>
  %t29 = stablehlo.tanh %a29 : tensor<2x32xf32>
  %a30 = stablehlo.add %a29, %t29 : tensor<2x32xf32>
  %t30 = stablehlo.tanh %a30 : tensor<2x32xf32>
  %a31 = stablehlo.add %a30, %t30 : tensor<2x32xf32>
  %t31 = stablehlo.tanh %a31 : tensor<2x32xf32>
  %a32 = stablehlo.add %a31, %t31 : tensor<2x32xf32>
  %t32 = stablehlo.tanh %a32 : tensor<2x32xf32>
  %a33 = stablehlo.add %a32, %t32 : tensor<2x32xf32>
  %t33 = stablehlo.tanh %a33 : tensor<2x32xf32>
  %a34 = stablehlo.add %a33, %t33 : tensor<2x32xf32>
  %t34 = stablehlo.tanh %a34 : tensor<2x32xf32>
  %a35 = stablehlo.add %a34, %t34 : tensor<2x32xf32>
  %t35 = stablehlo.tanh %a35 : tensor<2x32xf32>
  %a36 = stablehlo.add %a35, %t35 : tensor<2x32xf32>
  %t36 = stablehlo.tanh %a36 : tensor<2x32xf32>
  %a37 = stablehlo.add %a36, %t36 : tensor<2x32xf32>
  %t37 = stablehlo.tanh %a37 : tensor<2x32xf32>
  %a38 = stablehlo.add %a37, %t37 : tensor<2x32xf32>
  %t38 = stablehlo.tanh %a38 : tensor<2x32xf32>
  %a39 = stablehlo.add %a38, %t38 : tensor<2x32xf32>
  %t39 = stablehlo.tanh %a39 : tensor<2x32xf32>
  %a40 = stablehlo.add %a39, %t39 : tensor<2x32xf32>
  %e, %s = boost.cross_entropy %a40, %l : (tensor<2x32xf32>, tensor<2xi32>) -> (tensor<2xf32>, tensor<2xf32>)
  return %e : tensor<2xf32>
}
