// RUN: boost-opt %s --boost-insert-probes | FileCheck %s
// What updates a master is the gradient of its parameter.

func.func @gradient(%w: tensor<8xbf16> {boost.tensor = #boost.tensor<param "w">})
    -> (tensor<8xbf16> {boost.tensor = #boost.tensor<gradient "grad.w", of = "w">}) {
  boost.phase backward
  %g = stablehlo.multiply %w, %w : tensor<8xbf16>
  return %g : tensor<8xbf16>
}

// CHECK-LABEL: func @verify
// CHECK:         %[[GRAD:.*]] = stablehlo.multiply
// CHECK-NEXT:    boost.probe %[[GRAD]] as "grad.w" site 0 {boost.phase = "backward"}
// CHECK:         %[[NEW:.*]], %{{.*}}, %{{.*}} = boost.adamw
// CHECK-DAG:     boost.probe %[[NEW]] as "master.w"
// CHECK:         %[[ROUNDED:.*]] = stablehlo.convert %[[NEW]]
// CHECK-NEXT:    boost.probe %[[ROUNDED]] as "w"
func.func @step(%w: tensor<8xbf16> {boost.tensor = #boost.tensor<param "w">},
                %master: tensor<8xf32> {boost.tensor = #boost.tensor<state "master.w", kind = "master", of = "w", init = "param">},
                %m: tensor<8xf32> {boost.tensor = #boost.tensor<state "adamw.m.w", kind = "m", of = "w">},
                %v: tensor<8xf32> {boost.tensor = #boost.tensor<state "adamw.v.w", kind = "v", of = "w">},
                %s: tensor<f32> {boost.tensor = #boost.tensor<hyper "lr", kind = "lr">})
    -> (tensor<8xbf16> {boost.tensor = #boost.tensor<param "w">},
        tensor<8xf32> {boost.tensor = #boost.tensor<state "master.w", kind = "master", of = "w", init = "param">}) {
  boost.phase backward
  %g = stablehlo.multiply %w, %w : tensor<8xbf16>
  boost.phase optimizer
  %new:3 = boost.adamw %master, %m, %v, %g lr %s step %s scale %s
      betas %s, %s shares %s, %s eps %s, %s decay %s {decays}
      : tensor<8xf32>, tensor<8xf32>, tensor<8xbf16>
  %rounded = stablehlo.convert %new#0 : (tensor<8xf32>) -> tensor<8xbf16>
  return %rounded, %new#0 : tensor<8xbf16>, tensor<8xf32>
}

boost.schedule @train {
  boost.call @step
}
