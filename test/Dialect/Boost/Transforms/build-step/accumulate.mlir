// RUN: boost-opt %s -boost-add-optimizer -boost-build-step=accumulate=4 -boost-raise-adamw | FileCheck %s
// RUN: sed 's/batch "x">/batch "x">, boost.micro_batches = 2 : i64/' %s | boost-opt -boost-add-optimizer -boost-build-step=accumulate=2 -boost-raise-adamw | FileCheck %s
// RUN: sed 's/batch "x">/batch "x">, boost.micro_batches = 4 : i64/' %s | boost-opt -boost-add-optimizer -boost-build-step -boost-raise-adamw | FileCheck %s

// Gradients are added up in f32; the update takes a quarter of the sums through
// one scalar and leaves zeros.

// CHECK-NOT:   func @step
// CHECK-LABEL: func @accumulate
// CHECK-SAME:    %[[P:.*]]: tensor<8xbf16> {boost.tensor = #boost.tensor<param "p", decay = false>}
// CHECK-SAME:    %[[SUM:.*]]: tensor<8xf32> {boost.tensor = #boost.tensor<accumulator "acc.p", of = "p">}
// CHECK-SAME:    -> (tensor<f32> {boost.tensor = #boost.tensor<loss "loss">}, tensor<8xf32> {boost.tensor = #boost.tensor<accumulator "acc.p", of = "p">})
// CHECK:         %[[WIDE:.*]] = stablehlo.convert %[[P]] : (tensor<8xbf16>) -> tensor<8xf32>
// CHECK:         %[[NEXT:.*]] = stablehlo.add %[[SUM]], %[[WIDE]] {boost.component = "gradients"}
// CHECK:         return %{{.*}}, %[[NEXT]]

// CHECK-LABEL: func @update
// CHECK-SAME:    %{{.*}}: tensor<8xbf16> {{{[^%]*}}, %[[P:.*]]: tensor<8xf32> {{{[^%]*}}<state "master.p", {{[^%]*}}, %[[M:.*]]: tensor<8xf32> {{{[^%]*}}, %[[V:.*]]: tensor<8xf32> {{{[^%]*}}, %[[SUM:.*]]: tensor<8xf32> {{{[^%]*}}<accumulator "acc.p", of = "p">}
// CHECK-SAME:    -> (tensor<f32> {boost.tensor = #boost.tensor<metric "grad_norm", kind = "grad_norm">}, tensor<8xbf16> {boost.tensor = #boost.tensor<param "p", decay = false>}
// CHECK-SAME:    tensor<8xf32> {boost.tensor = #boost.tensor<accumulator "acc.p", of = "p">})
// CHECK:         %[[SQUARES:.*]] = boost.sum_of_squares %[[SUM]]
// CHECK:         %[[ROOT:.*]] = stablehlo.sqrt %[[SQUARES]]
// CHECK:         %[[QUARTER:.*]] = stablehlo.constant dense<2.500000e-01>
// CHECK:         %[[NORM:.*]] = stablehlo.multiply %[[ROOT]], %[[QUARTER]]
// CHECK:         %[[CLIP:.*]] = stablehlo.select
// CHECK:         %[[SCALE:.*]] = stablehlo.multiply %[[CLIP]], %{{.*}}
// CHECK:         %[[P1:.*]], %[[M1:.*]], %[[V1:.*]] = boost.adamw %[[P]], %[[M]], %[[V]], %[[SUM]] {{.*}} scale %[[SCALE]]
// CHECK:         %[[ROUNDED:.*]] = stablehlo.convert %[[P1]]
// CHECK:         %[[ZEROS:.*]] = stablehlo.constant dense<0.0{{.*}}> : tensor<8xf32>
// CHECK:         return %[[NORM]], %[[ROUNDED]], %[[P1]], %[[M1]], %[[V1]], %[[ZEROS]]

// CHECK-LABEL: boost.schedule @train micro_batches 4 {
// CHECK-NEXT:    boost.call @accumulate micro_batch 0
// CHECK-NEXT:    boost.call @accumulate micro_batch 1
// CHECK-NEXT:    boost.call @accumulate micro_batch 2
// CHECK-NEXT:    boost.call @accumulate micro_batch 3
// CHECK-NEXT:    boost.call @update
func.func @gradient(%x: tensor<f32> {boost.tensor = #boost.tensor<batch "x">},
                    %p: tensor<8xbf16> {boost.tensor = #boost.tensor<param "p", decay = false>})
    -> (tensor<f32> {boost.tensor = #boost.tensor<loss "loss">}, tensor<8xbf16> {boost.tensor = #boost.tensor<gradient "grad.p", of = "p">}) {
  boost.phase backward
  return %x, %p : tensor<f32>, tensor<8xbf16>
}
