// RUN: boost-opt %s --boost-expand-chlo -verify-diagnostics
// The approximation of the error function is not good enough for f64.

func.func @erf(%x: tensor<4xf64>) -> tensor<4xf64> {
  // expected-error@+1 {{the error function of f64 is not supported; compute it in f32}}
  %0 = chlo.erf %x : tensor<4xf64> -> tensor<4xf64>
  return %0 : tensor<4xf64>
}
