// RUN: boost-opt %s -split-input-file -boost-add-optimizer -boost-build-step=accumulate=4 | FileCheck %s

// A gradient that is rounded only to be returned is added before it is rounded:
// nothing is lost, and its parts on several ranks can be added up later.

// CHECK-LABEL: func @accumulate
// CHECK-SAME:    %[[SUM:[^:]*]]: tensor<8xf32> {boost.tensor = #boost.tensor<accumulator
// CHECK-SAME:    %[[G:[^:]*]]: tensor<8xf32> {boost.tensor = #boost.tensor<batch "g"
// CHECK-NOT:     stablehlo.convert
// CHECK:         stablehlo.add %[[SUM]], %[[G]]
// CHECK-NOT:     stablehlo.convert
// CHECK:         return
func.func @gradient(%g: tensor<8xf32> {boost.tensor = #boost.tensor<batch "g">},
                    %loss: tensor<f32> {boost.tensor = #boost.tensor<batch "l">},
                    %p: tensor<8xbf16> {boost.tensor = #boost.tensor<param "p", decay = false>})
    -> (tensor<f32> {boost.tensor = #boost.tensor<loss "loss">}, tensor<8xbf16> {boost.tensor = #boost.tensor<gradient "grad.p", of = "p">}) {
  boost.phase backward
  %0 = stablehlo.convert %g : (tensor<8xf32>) -> tensor<8xbf16>
  return %loss, %0 : tensor<f32>, tensor<8xbf16>
}

// -----

// Two parameters share a gradient; another one is read by the loss as well: its
// rounding stays.

// CHECK-LABEL: func @accumulate
// CHECK-SAME:    %[[P:[^:]*]]: tensor<bf16> {{{[^%]*}}, %[[Q:[^:]*]]: tensor<bf16> {{{[^%]*}}, %[[R:[^:]*]]: tensor<bf16> {{{[^%]*}}, %[[SP:[^:]*]]: tensor<f32> {{{[^%]*}}, %[[SQ:[^:]*]]: tensor<f32> {{{[^%]*}}, %[[SR:[^:]*]]: tensor<f32> {{{[^%]*}}, %[[G:[^:]*]]: tensor<f32> {{{[^%]*}}, %[[H:[^:]*]]: tensor<f32> {
// CHECK:         %[[ROUNDED:.*]] = stablehlo.convert %[[H]]
// CHECK-NOT:     stablehlo.convert
// CHECK:         %[[LOSS:.*]] = stablehlo.negate %[[ROUNDED]]
// CHECK-NEXT:    %[[NP:.*]] = stablehlo.add %[[SP]], %[[G]]
// CHECK-NEXT:    %[[NQ:.*]] = stablehlo.add %[[SQ]], %[[G]]
// CHECK-NEXT:    %[[NR:.*]] = stablehlo.add %[[SR]], %[[H]]
// CHECK-NEXT:    return %[[LOSS]], %[[NP]], %[[NQ]], %[[NR]]
func.func @gradient(%g: tensor<f32> {boost.tensor = #boost.tensor<batch "g">},
                    %h: tensor<f32> {boost.tensor = #boost.tensor<batch "h">},
                    %p: tensor<bf16> {boost.tensor = #boost.tensor<param "p", decay = false>},
                    %q: tensor<bf16> {boost.tensor = #boost.tensor<param "q", decay = false>},
                    %r: tensor<bf16> {boost.tensor = #boost.tensor<param "r", decay = false>})
    -> (tensor<bf16> {boost.tensor = #boost.tensor<loss "loss">}, tensor<bf16> {boost.tensor = #boost.tensor<gradient "grad.p", of = "p">},
        tensor<bf16> {boost.tensor = #boost.tensor<gradient "grad.q", of = "q">}, tensor<bf16> {boost.tensor = #boost.tensor<gradient "grad.r", of = "r">}) {
  boost.phase backward
  %0 = stablehlo.convert %g : (tensor<f32>) -> tensor<bf16>
  %1 = stablehlo.convert %h : (tensor<f32>) -> tensor<bf16>
  %2 = stablehlo.negate %1 : tensor<bf16>
  return %2, %0, %0, %1 : tensor<bf16>, tensor<bf16>, tensor<bf16>, tensor<bf16>
}

// -----

// What was rounded from f64 is not what f32 would have been.

// CHECK-LABEL: func @accumulate
// CHECK-SAME:    %[[SUM:[^:]*]]: tensor<f32> {boost.tensor = #boost.tensor<accumulator
// CHECK-SAME:    %[[G:[^:]*]]: tensor<f64> {boost.tensor = #boost.tensor<batch "g"
// CHECK:         %[[ROUNDED:.*]] = stablehlo.convert %[[G]] : (tensor<f64>) -> tensor<bf16>
// CHECK:         %[[WIDE:.*]] = stablehlo.convert %[[ROUNDED]] : (tensor<bf16>) -> tensor<f32>
// CHECK:         stablehlo.add %[[SUM]], %[[WIDE]]
func.func @gradient(%g: tensor<f64> {boost.tensor = #boost.tensor<batch "g">},
                    %loss: tensor<f32> {boost.tensor = #boost.tensor<batch "l">},
                    %p: tensor<bf16> {boost.tensor = #boost.tensor<param "p", decay = false>})
    -> (tensor<f32> {boost.tensor = #boost.tensor<loss "loss">}, tensor<bf16> {boost.tensor = #boost.tensor<gradient "grad.p", of = "p">}) {
  boost.phase backward
  %0 = stablehlo.convert %g : (tensor<f64>) -> tensor<bf16>
  return %loss, %0 : tensor<f32>, tensor<bf16>
}
