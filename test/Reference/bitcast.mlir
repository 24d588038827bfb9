// RUN: boost-eval %s --inputs random:1 | FileCheck %s
// Of elements of another width the lowest bits come first, both ways.

// 0x04030201 and -2.
// CHECK: same {{.*}}[67305985, -2]
// CHECK: bytes {{.*}}[1, 2, 3, 4]
// CHECK: rest {{.*}}[254, 255, 255, 255]
// CHECK: words {{.*}}[1027, 772, 513, 258]
// 1.5 is 0x3fc00000, -2.25 is 0xc0100000.
// CHECK: halves {{.*}}[0, 1.5, 0, -2.25]
// CHECK: floats {{.*}}[1.5, -2.25]
func.func @loss() -> (tensor<2xi32> {boost.tensor = #boost.tensor<output "same">},
                      tensor<1x4xui8> {boost.tensor = #boost.tensor<output "bytes">},
                      tensor<1x4xui8> {boost.tensor = #boost.tensor<output "rest">},
                      tensor<4xi16> {boost.tensor = #boost.tensor<output "words">},
                      tensor<2x2xbf16> {boost.tensor = #boost.tensor<output "halves">},
                      tensor<2xf32> {boost.tensor = #boost.tensor<output "floats">}) {
  %integers = stablehlo.constant dense<[0x04030201, -2]> : tensor<2xi32>
  %f = stablehlo.bitcast_convert %integers : (tensor<2xi32>) -> tensor<2xf32>
  %same = stablehlo.bitcast_convert %f : (tensor<2xf32>) -> tensor<2xi32>
  %all = stablehlo.bitcast_convert %integers : (tensor<2xi32>) -> tensor<2x4xui8>
  %bytes = stablehlo.slice %all [0:1, 0:4] : (tensor<2x4xui8>) -> tensor<1x4xui8>
  %rest = stablehlo.slice %all [1:2, 0:4] : (tensor<2x4xui8>) -> tensor<1x4xui8>
  %pairs = stablehlo.constant dense<[[3, 4], [4, 3], [1, 2], [2, 1]]> : tensor<4x2xi8>
  %words = stablehlo.bitcast_convert %pairs : (tensor<4x2xi8>) -> tensor<4xi16>
  %numbers = stablehlo.constant dense<[1.5, -2.25]> : tensor<2xf32>
  %halves = stablehlo.bitcast_convert %numbers : (tensor<2xf32>) -> tensor<2x2xbf16>
  %floats = stablehlo.bitcast_convert %halves : (tensor<2x2xbf16>) -> tensor<2xf32>
  return %same, %bytes, %rest, %words, %halves, %floats : tensor<2xi32>, tensor<1x4xui8>, tensor<1x4xui8>, tensor<4xi16>, tensor<2x2xbf16>, tensor<2xf32>
}
