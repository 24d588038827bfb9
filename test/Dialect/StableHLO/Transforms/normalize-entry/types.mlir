// RUN: boost-opt %s -split-input-file --boost-normalize-entry -verify-diagnostics | FileCheck %s
// Arguments of every type that programs read and keep, and the nearest that they do not.

// CHECK: func.func @loss(%{{.*}}: tensor<2xf32> {{.*}}, %{{.*}}: tensor<2xf64> {{.*}}, %{{.*}}: tensor<2xbf16> {{.*}}, %{{.*}}: tensor<2xf16> {{.*}}, %{{.*}}: tensor<2xi1> {{.*}}, %{{.*}}: tensor<2xi8> {{.*}}, %{{.*}}: tensor<2xui32> {{.*}}, %{{.*}}: tensor<2xi64> {{.*}}, %{{.*}}: tensor<2xi16> {{.*}}, %{{.*}}: tensor<2xui16>
func.func @main(%a: tensor<2xf32>, %b: tensor<2xf64>, %c: tensor<2xbf16>, %d: tensor<2xf16>, %e: tensor<2xi1>, %f: tensor<2xi8>, %g: tensor<2xui32>, %h: tensor<2xi64>, %i: tensor<2xi16>, %j: tensor<2xui16>) -> tensor<f32> {
  %0 = stablehlo.constant dense<0.0> : tensor<f32>
  return %0 : tensor<f32>
}

// -----

// expected-error@+2 {{of element type f32, f64, bf16, f16, i1 or an integer of 8, 16, 32 or 64 bits, but got 'f8E5M2'}}
// expected-note@+1 {{pass it in a wider type and convert it in the loss}}
func.func @main(%a: tensor<2xf8E5M2>) -> tensor<f32> {
  %0 = stablehlo.constant dense<0.0> : tensor<f32>
  return %0 : tensor<f32>
}

// -----

// expected-error@+2 {{but got 'i4'}}
// expected-note@+1 {{pass it in a wider type}}
func.func @main(%a: tensor<2xi4>) -> tensor<f32> {
  %0 = stablehlo.constant dense<0.0> : tensor<f32>
  return %0 : tensor<f32>
}
