// RUN: boost-opt %s --boost-insert-probes | FileCheck %s
// Without a step the gradient is verified; probes have the locations of what
// they show.

// CHECK-LABEL: func @verify
// CHECK: %[[G:.*]] = stablehlo.multiply
// CHECK-NEXT: boost.probe %[[G]] as "grad.w" site 0
// CHECK-NEXT: return %[[G]]
func.func @gradient(%w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">})
    -> (tensor<4xf32> {boost.tensor = #boost.tensor<gradient "grad.w", of = "w">}, tensor<4xi32> {boost.tensor = #boost.tensor<output "count">}) {
  %n = stablehlo.constant dense<1> : tensor<4xi32>
  %m = stablehlo.add %n, %n : tensor<4xi32>
  %g = stablehlo.multiply %w, %w : tensor<4xf32>
  return %g, %m : tensor<4xf32>, tensor<4xi32>
}
