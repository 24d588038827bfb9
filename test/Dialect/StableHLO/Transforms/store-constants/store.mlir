// RUN: boost-opt %s -split-input-file --boost-store-constants="min-bytes=16" --mlir-print-local-scope -o %t
// RUN: FileCheck %s --enable-var-scope --implicit-check-not=init < %t

// Equal constants are one argument. The names that the loss has are not given
// again.
// CHECK:       module attributes {boost.constants = {constant.1 = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>,
// CHECK-SAME:    constant.3 = dense<[4, 3, 2, 1]> : tensor<4xi32>}}
// CHECK-LABEL: func.func @loss(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<4xf32>
// CHECK-SAME:    %[[C:[a-z0-9]+]]: tensor<4xf32> {boost.tensor = #boost.tensor<frozen "constant.1", init = "stored">}
// CHECK-SAME:    %[[I:[a-z0-9]+]]: tensor<4xi32> {boost.tensor = #boost.tensor<frozen "constant.3", init = "stored">}
// CHECK-NEXT:    %[[Y:.+]] = stablehlo.multiply %[[X]], %[[C]]
// CHECK-NEXT:    %[[Z:.+]] = stablehlo.add %[[Y]], %[[C]]
// CHECK-NEXT:    %[[J:.+]] = stablehlo.add %[[I]], %[[I]]
// CHECK-NEXT:    return %[[Z]], %[[J]]
func.func @loss(%x: tensor<4xf32> {boost.tensor = #boost.tensor<param "constant.0">})
    -> (tensor<4xf32>, tensor<4xi32> {boost.tensor = #boost.tensor<output "constant.2">}) {
  %c = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %y = stablehlo.multiply %x, %c : tensor<4xf32>
  %d = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %z = stablehlo.add %y, %d : tensor<4xf32>
  %i = stablehlo.constant dense<[4, 3, 2, 1]> : tensor<4xi32>
  %j = stablehlo.add %i, %i : tensor<4xi32>
  return %z, %j : tensor<4xf32>, tensor<4xi32>
}

// -----

// Constants that are stored already keep their values beside new ones.
// CHECK:       module attributes {boost.constants = {constant.0 = dense<[5.000000e+00, 6.000000e+00]> : tensor<2xf32>,
// CHECK-SAME:    constant.1 = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>}}
// CHECK-LABEL: func.func @loss(
// CHECK-SAME:    #boost.tensor<frozen "constant.0", init = "stored">
// CHECK-SAME:    #boost.tensor<frozen "constant.1", init = "stored">
module attributes {boost.constants = {constant.0 = dense<[5.0, 6.0]> : tensor<2xf32>}} {
  func.func @loss(%c: tensor<2xf32> {boost.tensor = #boost.tensor<frozen "constant.0", init = "stored">})
      -> (tensor<2xf32>, tensor<4xf32>) {
    %d = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
    %z = stablehlo.add %d, %d : tensor<4xf32>
    return %c, %z : tensor<2xf32>, tensor<4xf32>
  }
}
