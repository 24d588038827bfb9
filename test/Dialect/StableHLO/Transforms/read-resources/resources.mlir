// RUN: boost-opt %s --boost-import-check --boost-read-resources | FileCheck %s
// Values at the end of a file become those of the constants.

// CHECK-LABEL: func @numbers
func.func @numbers() -> (tensor<2xf32>, tensor<2xui16>, tensor<0xf32>, tensor<1xi8>) {
  // CHECK-NEXT: dense<[1.000000e+00, -2.000000e+00]> : tensor<2xf32>
  %0 = stablehlo.constant dense_resource<floats> : tensor<2xf32>
  // CHECK-NEXT: dense<[65535, 1]> : tensor<2xui16>
  %1 = stablehlo.constant dense_resource<halves> : tensor<2xui16>
  // CHECK-NEXT: dense<> : tensor<0xf32>
  %2 = stablehlo.constant dense_resource<nothing> : tensor<0xf32>
  // CHECK-NEXT: dense<-1> : tensor<1xi8>
  %3 = stablehlo.constant dense_resource<one> : tensor<1xi8>
  return %0, %1, %2, %3 : tensor<2xf32>, tensor<2xui16>, tensor<0xf32>, tensor<1xi8>
}

// A boolean has a byte, in which anything but 0 is true, or a bit.
// CHECK-LABEL: func @booleans
func.func @booleans() -> (tensor<9xi1>, tensor<9xi1>, tensor<1xi1>) {
  // CHECK-NEXT: dense<[true, false, false, true, false, false, false, false, true]>
  %0 = stablehlo.constant dense_resource<bytes> : tensor<9xi1>
  // CHECK-NEXT: dense<[true, false, false, true, false, false, false, false, true]>
  %1 = stablehlo.constant dense_resource<bits> : tensor<9xi1>
  // CHECK-NEXT: dense<true>
  %2 = stablehlo.constant dense_resource<one> : tensor<1xi1>
  return %0, %1, %2 : tensor<9xi1>, tensor<9xi1>, tensor<1xi1>
}

{-#
  dialect_resources: {
    builtin: {
      floats: "0x040000000000803F000000C0",
      halves: "0x02000000FFFF0100",
      nothing: "0x04000000",
      one: "0x01000000FF",
      bytes: "0x01000000010000FF0000000001",
      bits: "0x010000000901"
    }
  }
#-}
