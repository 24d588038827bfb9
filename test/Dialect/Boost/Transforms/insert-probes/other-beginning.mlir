// RUN: boost-opt %s --boost-insert-probes --verify-diagnostics
// A step that does not begin with its gradient has no gradients to show.

func.func @gradient(%w: tensor<8xf32> {boost.tensor = #boost.tensor<param "w">})
    -> (tensor<8xf32> {boost.tensor = #boost.tensor<gradient "grad.w", of = "w">}) {
  // expected-error @+1 {{expects @verify to begin with what @gradient computes, but it lacks this}}
  %g = stablehlo.multiply %w, %w : tensor<8xf32>
  return %g : tensor<8xf32>
}
func.func @step(%w: tensor<8xf32> {boost.tensor = #boost.tensor<param "w">})
    -> (tensor<8xf32> {boost.tensor = #boost.tensor<param "w">}) {
  %g = stablehlo.add %w, %w : tensor<8xf32>
  return %g : tensor<8xf32>
}
boost.schedule @train {
  boost.call @step
}
