// RUN: boost-opt %s -boost-add-optimizer -boost-build-step -boost-raise-adamw -verify-diagnostics | FileCheck %s
// RUN: boost-opt %s -boost-add-optimizer=master-weights=false -boost-build-step -boost-raise-adamw 2>/dev/null | FileCheck %s --check-prefix=NONE

// Parameters of bf16 and f16 are rounded copies of f32 masters, also where
// several are packed in one. Those of f32 and f64 are updated themselves. Nothing
// is warned of.

// CHECK-LABEL: func @step
// CHECK-SAME:    boost.parts = [#boost.part<name = "master.q", of = "q", init = "param", dim = 1, offset = 0, shape = [2, 2]>,
// CHECK-SAME:      #boost.part<name = "master.k", of = "k", init = "param", dim = 1, offset = 2, shape = [2, 2]>],
// CHECK-SAME:      boost.tensor = #boost.tensor<state "master.{q,k}", kind = "master", of = "{q,k}", init = "param">
// CHECK-SAME:    <state "master.d", kind = "master", of = "d", init = "param">
// CHECK-SAME:    <state "adamw.m.a"
// CHECK:         boost.adamw %arg0, {{.*}} : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
// CHECK:         boost.adamw %arg1, {{.*}} : tensor<2xf64>, tensor<2xf32>, tensor<2xf64>
// CHECK:         %[[C:.*]], %{{.*}}, %{{.*}} = boost.adamw %arg4, {{.*}} : tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xbf16>
// CHECK:         %[[D:.*]], %{{.*}}, %{{.*}} = boost.adamw %arg5, {{.*}} : tensor<2xf32>, tensor<2xf32>, tensor<2xf16>
// CHECK:         stablehlo.convert %[[C]] {{.*}} : (tensor<2x4xf32>) -> tensor<2x4xbf16>
// CHECK:         stablehlo.convert %[[D]] {{.*}} : (tensor<2xf32>) -> tensor<2xf16>

// NONE-NOT:      master.
// NONE:          master_weights = false
// NONE-NOT:      master.
// NONE-LABEL:    func @step
// NONE-NOT:      master.
// NONE:          boost.adamw %arg2, {{.*}} : tensor<2x4xbf16>, tensor<2x4xf32>, tensor<2x4xbf16>
func.func @gradient(
    %x: tensor<f32> {boost.tensor = #boost.tensor<batch "x">},
    %a: tensor<2xf32> {boost.tensor = #boost.tensor<param "a", decay = true>},
    %b: tensor<2xf64> {boost.tensor = #boost.tensor<param "b", decay = true>},
    %c: tensor<2x4xbf16> {boost.parts = [
      #boost.part<name = "q", init = "ones", dim = 1, offset = 0, shape = [2, 2]>,
      #boost.part<name = "k", init = "ones", dim = 1, offset = 2, shape = [2, 2]>], boost.tensor = #boost.tensor<param "{q,k}", decay = true>},
    %d: tensor<2xf16> {boost.tensor = #boost.tensor<param "d", decay = true>})
    -> (tensor<f32> {boost.tensor = #boost.tensor<loss "loss">},
        tensor<2xf32> {boost.tensor = #boost.tensor<gradient "grad.a", of = "a">},
        tensor<2xf64> {boost.tensor = #boost.tensor<gradient "grad.b", of = "b">},
        tensor<2x4xbf16> {boost.tensor = #boost.tensor<gradient "grad.{q,k}", of = "{q,k}">},
        tensor<2xf16> {boost.tensor = #boost.tensor<gradient "grad.d", of = "d">}) {
  boost.phase backward
  return %x, %a, %b, %c, %d : tensor<f32>, tensor<2xf32>, tensor<2xf64>, tensor<2x4xbf16>, tensor<2xf16>
}
