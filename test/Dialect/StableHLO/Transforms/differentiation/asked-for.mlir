// RUN: boost-opt %s -split-input-file -boost-differentiate \
// RUN:   | FileCheck %s --implicit-check-not=stablehlo.negate --implicit-check-not=stablehlo.log --implicit-check-not=stablehlo.compare
// Of operands that no parameter stands behind nothing is computed.

// The left one is asked for.

// CHECK-LABEL: func @gradient
// CHECK-SAME:    %{{.*}}: tensor<f32> {{{[^%]*}}, %[[B:.*]]: tensor<f32> {{{[^%]*}}, %[[P:.*]]: tensor<i1> {
// CHECK:         boost.phase backward
// CHECK:         %[[S:.*]] = stablehlo.select %[[P]], %{{.*}}, %{{.*}}
// CHECK-NEXT:    %[[HALF:.*]] = stablehlo.constant dense<5.0
// CHECK-NEXT:    stablehlo.multiply %[[S]], %[[HALF]]
// CHECK:         stablehlo.compare EQ
// CHECK:         stablehlo.compare GT
// CHECK:         stablehlo.compare EQ, %[[B]], %{{.*}}
// CHECK:         stablehlo.power
// CHECK:         %[[SHARE:.*]] = stablehlo.divide
// CHECK-NEXT:    %[[L:.*]] = stablehlo.multiply %[[SHARE]], %[[B]]
// CHECK-NEXT:    %[[Q:.*]] = stablehlo.divide %[[L]], %[[B]]
// CHECK-NEXT:    %[[GA:.*]] = stablehlo.multiply %[[Q]], %[[B]]
// CHECK-NEXT:    return %{{.*}}, %[[GA]]
func.func @loss(%a: tensor<f32> {boost.tensor = #boost.tensor<param "a">}, %b: tensor<f32> {boost.tensor = #boost.tensor<batch "b">}, %p: tensor<i1> {boost.tensor = #boost.tensor<batch "p">}) -> tensor<f32> {
  %0 = stablehlo.subtract %a, %b : tensor<f32>
  %1 = stablehlo.multiply %0, %b : tensor<f32>
  %2 = stablehlo.divide %1, %b : tensor<f32>
  %3 = stablehlo.atan2 %2, %b : tensor<f32>
  %4 = stablehlo.remainder %3, %b : tensor<f32>
  %5 = stablehlo.power %4, %b : tensor<f32>
  %6 = stablehlo.maximum %5, %b : tensor<f32>
  %7 = stablehlo.select %p, %6, %b : tensor<i1>, tensor<f32>
  return %7 : tensor<f32>
}

// -----

// The right one.

// CHECK-LABEL: func @gradient
// CHECK-SAME:    %{{.*}}: tensor<f32> {{{[^%]*}}, %[[B:.*]]: tensor<f32> {{{[^%]*}}, %[[P:.*]]: tensor<i1> {
// CHECK:         %[[POWER:.*]] = stablehlo.power
// CHECK:         boost.phase backward
// CHECK:         %[[S:.*]] = stablehlo.select %[[P]], %{{.*}}, %{{.*}}
// CHECK-NEXT:    %[[HALF:.*]] = stablehlo.constant dense<5.0
// CHECK-NEXT:    stablehlo.multiply %[[S]], %[[HALF]]
// CHECK:         stablehlo.compare EQ
// CHECK:         stablehlo.compare LT, %[[POWER]], %[[B]]
// CHECK:         stablehlo.compare EQ, %[[B]], %{{.*}}
// CHECK-NOT:     stablehlo.power
// CHECK:         stablehlo.log
// CHECK:         %[[SHARE:.*]] = stablehlo.divide
// CHECK-NEXT:    %[[R:.*]] = stablehlo.multiply %[[SHARE]], %[[B]]
// CHECK-NEXT:    %[[N:.*]] = stablehlo.negate %[[R]]
// CHECK-NEXT:    %[[M:.*]] = stablehlo.multiply %[[N]], %[[B]]
// CHECK-NEXT:    %[[GA:.*]] = stablehlo.negate %[[M]]
// CHECK-NEXT:    return %{{.*}}, %[[GA]]
func.func @loss(%a: tensor<f32> {boost.tensor = #boost.tensor<param "a">}, %b: tensor<f32> {boost.tensor = #boost.tensor<batch "b">}, %p: tensor<i1> {boost.tensor = #boost.tensor<batch "p">}) -> tensor<f32> {
  %0 = stablehlo.subtract %b, %a : tensor<f32>
  %1 = stablehlo.multiply %b, %0 : tensor<f32>
  %3 = stablehlo.atan2 %b, %1 : tensor<f32>
  %5 = stablehlo.power %b, %3 : tensor<f32>
  %6 = stablehlo.minimum %b, %5 : tensor<f32>
  %7 = stablehlo.select %p, %b, %6 : tensor<i1>, tensor<f32>
  return %7 : tensor<f32>
}
