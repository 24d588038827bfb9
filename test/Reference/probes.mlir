// RUN: boost-eval %s --inputs=random:3 --probes=%t --samples=4
// RUN: FileCheck %s --input-file=%t
// RUN: not boost-eval %s --probes=%t --samples=3 2>&1 | FileCheck %s --check-prefix=ODD
// RUN: not boost-eval --compare %s %s --probes=%t 2>&1 | FileCheck %s --check-prefix=COMPARE
// RUN: not boost-eval %s --then=loss 2>&1 | FileCheck %s --check-prefix=THEN
// RUN: not boost-eval %s --probes=%t --then=missing 2>&1 | FileCheck %s --check-prefix=MISSING
// What probes show and results are written in double, with a bound each.

// CHECK: "bound.0.probe.0":{{[{][^}]*}}"dtype":"F64","shape":[]}
// CHECK-SAME: "bound.0.probe.7":{{[{][^}]*}}"dtype":"F64","shape":[]}
// CHECK-SAME: "bound.0.result.out0":{{[{][^}]*}}"dtype":"F64","shape":[]}
// CHECK-SAME: "value.0.probe.0":{{[{][^}]*}}"dtype":"F64","shape":[4]}
// CHECK-SAME: "value.0.probe.7":{{[{][^}]*}}"dtype":"F64","shape":[]}
// CHECK-SAME: "value.0.result.out0":{{[{][^}]*}}"dtype":"F64","shape":[]}
// ODD: --samples expects an even number of 2 or more
// THEN: --then expects --probes
// MISSING: 'missing'
// COMPARE: --probes is of one program, without --compare

func.func @loss(%x: tensor<4xf32> {boost.tensor = #boost.tensor<param "x">}) -> tensor<f32> {
  %0 = stablehlo.exponential %x : tensor<4xf32>
  boost.probe %0 as "exponential" site 0 : tensor<4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  boost.probe %1 as "sum" site 7 : tensor<f32>
  return %1 : tensor<f32>
}
