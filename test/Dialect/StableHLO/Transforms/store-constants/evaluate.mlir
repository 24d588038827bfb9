// RUN: boost-opt %s --boost-store-constants="min-bytes=8" -o %t
// RUN: FileCheck %s < %t
// RUN: boost-eval --compare --every-function %s %t

// The evaluator takes the values from the module, and asks nobody for them.
// CHECK: #boost.tensor<frozen "constant.0", init = "stored">
func.func @loss(%x: tensor<4xf32> {boost.tensor = #boost.tensor<param "x">}, %k: tensor<4xi8> {boost.tensor = #boost.tensor<batch "k">})
    -> (tensor<4xf32>, tensor<4xbf16>, tensor<8xi1>) {
  %c = stablehlo.constant dense<[1.0, -2.5, 3.0, 4.0]> : tensor<4xf32>
  %y = stablehlo.multiply %x, %c : tensor<4xf32>
  %b = stablehlo.constant dense<[1.0, -2.5, 3.0, 4.0]> : tensor<4xbf16>
  %h = stablehlo.add %b, %b : tensor<4xbf16>
  %i = stablehlo.constant dense<[1, 2, 3, 4, 5, 6, 7, 255]> : tensor<8xui8>
  %z = stablehlo.compare GT, %i, %i, UNSIGNED : (tensor<8xui8>, tensor<8xui8>) -> tensor<8xi1>
  return %y, %h, %z : tensor<4xf32>, tensor<4xbf16>, tensor<8xi1>
}
