// RUN: boost-opt %s --boost-expand-chlo | FileCheck %s
// Squares are products, functions formulas; those of a half type are computed in
// f32.

// CHECK-LABEL: func @square
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>
// CHECK-NEXT:    %[[S:.*]] = stablehlo.multiply %[[X]], %[[X]] : tensor<4xf32>
// CHECK-NEXT:    return %[[S]]
func.func @square(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = chlo.square %x : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func @erf
// CHECK-SAME:    %[[X:.*]]: tensor<4xbf16>
// CHECK-NEXT:    %[[W:.*]] = stablehlo.convert %[[X]] : (tensor<4xbf16>) -> tensor<4xf32>
// CHECK:         stablehlo.clamp %{{.*}}, %[[W]], %{{.*}} : tensor<4xf32>
// CHECK:         %[[D:.*]] = stablehlo.divide %{{.*}}, %{{.*}} : tensor<4xf32>
// CHECK-NEXT:    %[[N:.*]] = stablehlo.convert %[[D]] : (tensor<4xf32>) -> tensor<4xbf16>
// CHECK-NEXT:    return %[[N]]
func.func @erf(%x: tensor<4xbf16>) -> tensor<4xbf16> {
  %0 = chlo.erf %x : tensor<4xbf16> -> tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// Beyond 1 it is no difference of two numbers near 1.
// CHECK-LABEL: func @erfc
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>
// CHECK:         %[[A:.*]] = stablehlo.abs %[[X]]
// CHECK:         %[[NEAR:.*]] = stablehlo.subtract
// CHECK:         %[[T:.*]] = stablehlo.clamp %{{.*}}, %[[A]], %{{.*}}
// CHECK:         stablehlo.exponential
// CHECK:         %[[FAR:.*]] = stablehlo.select
// CHECK:         %[[ISFAR:.*]] = stablehlo.compare GT, %[[A]]
// CHECK-NEXT:    %[[S:.*]] = stablehlo.select %[[ISFAR]], %[[FAR]], %[[NEAR]]
// CHECK-NEXT:    return %[[S]]
func.func @erfc(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = chlo.erfc %x : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func @keeps_stablehlo
// CHECK-NEXT:    stablehlo.negate
// CHECK-NEXT:    return
func.func @keeps_stablehlo(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.negate %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// The largest elements are the first of a stable sort in decreasing total order.
// CHECK-LABEL: func @top_k
// CHECK-SAME:    %[[X:.*]]: tensor<3x8xf32>
// CHECK-NEXT:    %[[I:.*]] = stablehlo.iota dim = 1 : tensor<3x8xi32>
// CHECK-NEXT:    %[[S:.*]]:2 = "stablehlo.sort"(%[[X]], %[[I]]) <{dimension = 1 : i64, is_stable = true}>
// CHECK:           stablehlo.compare GT, %{{.*}}, %{{.*}}, TOTALORDER
// CHECK:         %[[V:.*]] = stablehlo.slice %[[S]]#0 [0:3, 0:2]
// CHECK-NEXT:    %[[P:.*]] = stablehlo.slice %[[S]]#1 [0:3, 0:2]
// CHECK-NEXT:    return %[[V]], %[[P]]
func.func @top_k(%x: tensor<3x8xf32>) -> (tensor<3x2xf32>, tensor<3x2xi32>) {
  %0:2 = chlo.top_k(%x, k = 2) : tensor<3x8xf32> -> (tensor<3x2xf32>, tensor<3x2xi32>)
  return %0#0, %0#1 : tensor<3x2xf32>, tensor<3x2xi32>
}

// True before false.
// CHECK-LABEL: func @top_k_booleans
// CHECK:         "stablehlo.sort"(%{{.*}}, %{{.*}}) <{dimension = 0 : i64, is_stable = true}>
// CHECK:           stablehlo.compare GT, %{{.*}}, %{{.*}} : (tensor<i1>, tensor<i1>) -> tensor<i1>
func.func @top_k_booleans(%x: tensor<8xi1>) -> (tensor<2xi1>, tensor<2xi32>) {
  %0:2 = chlo.top_k(%x, k = 2) : tensor<8xi1> -> (tensor<2xi1>, tensor<2xi32>)
  return %0#0, %0#1 : tensor<2xi1>, tensor<2xi32>
}

// CHECK-LABEL: func @tan
// CHECK-SAME:    %[[X:.*]]: tensor<4xbf16>
// CHECK-NEXT:    %[[T:.*]] = stablehlo.tan %[[X]] : tensor<4xbf16>
// CHECK-NEXT:    return %[[T]]
func.func @tan(%x: tensor<4xbf16>) -> tensor<4xbf16> {
  %0 = chlo.tan %x : tensor<4xbf16> -> tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// Functions of f64 stay in f64 where their formula is exact enough.
// CHECK-LABEL: func @sinh
// CHECK:         stablehlo.exponential_minus_one %{{.*}} : tensor<4xf64>
// CHECK-NOT:     f32
// CHECK:         return
func.func @sinh(%x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = chlo.sinh %x : tensor<4xf64> -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

// The derivative of Lanczos's approximation, reflected to the left of 1/2.
// CHECK-LABEL: func @digamma
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>
// CHECK:         stablehlo.log_plus_one
// CHECK:         %[[N:.*]] = stablehlo.round_nearest_even %[[X]]
// CHECK:         stablehlo.subtract %[[X]], %[[N]]
// CHECK:         stablehlo.tan
// CHECK-NOT:     chlo
func.func @digamma(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = chlo.digamma %x : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
