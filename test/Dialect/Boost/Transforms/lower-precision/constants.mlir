// RUN: boost-opt %s -boost-lower-precision=precision=bf16 | FileCheck %s

// A constant that products with trained values alone read is stored in bf16. A
// table that is added keeps its precision, as does one that a product with the
// batch reads.
// CHECK-LABEL: func @loss(
// CHECK-SAME:    %[[W:[a-z0-9]+]]: tensor<8x8xbf16> {boost.tensor = #boost.tensor<param "w">}
// CHECK-SAME:    %[[C:[a-z0-9]+]]: tensor<8x8xbf16> {boost.tensor = #boost.tensor<frozen "weights", init = "stored">}
// CHECK-SAME:    %{{.+}}: tensor<4x8xf32> {boost.tensor = #boost.tensor<frozen "table", init = "stored">}
// CHECK-SAME:    %[[R:[a-z0-9]+]]: tensor<8x8xf32> {boost.tensor = #boost.tensor<frozen "features", init = "stored">}
// CHECK:         boost.linear %{{.+}}, %[[R]] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
// CHECK:         %[[Y:.+]] = boost.linear %{{.+}}, %[[W]] {{.*}} -> tensor<4x8xbf16>
// CHECK:         boost.linear %{{.+}}, %[[C]] {{.*}} -> tensor<4x8xbf16>
func.func @loss(
    %w: tensor<8x8xf32> {boost.tensor = #boost.tensor<param "w">},
    %c: tensor<8x8xf32> {boost.tensor = #boost.tensor<frozen "weights", init = "stored">},
    %t: tensor<4x8xf32> {boost.tensor = #boost.tensor<frozen "table", init = "stored">},
    %r: tensor<8x8xf32> {boost.tensor = #boost.tensor<frozen "features", init = "stored">},
    %x: tensor<4x8xf32> {boost.tensor = #boost.tensor<batch "x">}) -> tensor<4x8xf32> {
  %features = boost.linear %x, %r : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %y = boost.linear %features, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %z = boost.linear %y, %c : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %s = stablehlo.add %z, %t : tensor<4x8xf32>
  return %s : tensor<4x8xf32>
}
