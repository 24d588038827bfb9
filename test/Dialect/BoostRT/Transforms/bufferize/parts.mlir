// RUN: boost-opt %s --boostrt-bufferize --split-input-file | FileCheck %s
// Parts: of packed parameters, of an operand of a product, and constants that are one.

// CHECK-LABEL: func.func @packed(
// CHECK-SAME:    boost.inputs = ["q", "k", "x"], boost.outputs = ["q", "k", "y"]
func.func @packed(%p: tensor<4x12xf32> {boost.parts = [#boost.part<name = "q", dim = 1, offset = 0, shape = [4, 4]>,
                                                       #boost.part<name = "k", dim = 1, offset = 4, shape = [4, 8]>],
                                        boost.tensor = #boost.tensor<param "{q,k}">},
                  %x: tensor<4xf32> {boost.tensor = #boost.tensor<batch "x">})
    -> (tensor<4x12xf32> {boost.parts = [#boost.part<name = "q", dim = 1, offset = 0, shape = [4, 4]>,
                                         #boost.part<name = "k", dim = 1, offset = 4, shape = [4, 8]>],
                          boost.tensor = #boost.tensor<param "{q,k}">}, tensor<4xf32> {boost.tensor = #boost.tensor<output "y">}) {
  return %p, %x : tensor<4x12xf32>, tensor<4xf32>
}

// -----

// From the first element of a part to its last: of rows, of matrices, and of nothing.
// CHECK-LABEL: func.func @product_inputs(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<4x24xf32>, %[[Y:[a-z0-9]+]]: memref<3x4x8xf32>
// CHECK:         %[[A:.*]] = memref.reinterpret_cast %[[X]] to offset: [8], sizes: [80], strides: [1]
// CHECK:         boostrt.gemm ins(%[[A]], {{.*}} layout_a = array<i64: 0, 96, 24>
// CHECK:         %[[B:.*]] = memref.reinterpret_cast %[[Y]] to offset: [32], sizes: [44], strides: [1]
// CHECK:         boostrt.gemm ins(%[[B]], {{.*}} layout_a = array<i64: 0, 32, 8>
func.func @product_inputs(%x: tensor<4x24xf32>, %y: tensor<3x4x8xf32>, %w: tensor<8x16xf32>, %v: tensor<2x4x16xf32>) -> (tensor<4x16xf32>, tensor<2x2x16xf32>) {
  %e = tensor.empty() : tensor<4x16xf32>
  %0 = boostrt.gemm ins(%x, %w : tensor<4x24xf32>, tensor<8x16xf32>) outs(%e : tensor<4x16xf32>) {batch = 1, m = 4, n = 16, k = 8, layout_a = array<i64: 8, 96, 24>} -> tensor<4x16xf32>
  %f = tensor.empty() : tensor<2x2x16xf32>
  %1 = boostrt.gemm ins(%y, %v : tensor<3x4x8xf32>, tensor<2x4x16xf32>) outs(%f : tensor<2x2x16xf32>) {batch = 2, m = 2, n = 16, k = 4, layout_a = array<i64: 32, 32, 8>} -> tensor<2x2x16xf32>
  return %0, %1 : tensor<4x16xf32>, tensor<2x2x16xf32>
}

// -----

// CHECK-COUNT-2: memref.global "private" constant
// CHECK-NOT:     memref.global
// CHECK-LABEL:   func.func @first(
// CHECK:         memref.get_global @[[$C:[a-z_0-9]*]] : memref<3xf32>
// CHECK-LABEL:   func.func @second(
// CHECK:         memref.get_global @[[$C]] : memref<3xf32>
func.func @first() -> (tensor<3xf32>, tensor<2xf32>) {
  %0 = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %1 = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  return %0, %1 : tensor<3xf32>, tensor<2xf32>
}
func.func @second() -> tensor<3xf32> {
  %0 = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// A result that is one number everywhere is filled, without a constant of its size; what is undefined is not copied.
// CHECK-LABEL: func.func @numbers(
// CHECK-SAME:    %[[R:[a-z0-9]+]]: memref<512xf32>)
// CHECK-NEXT:    %[[N:.*]] = arith.constant 5.000000e-01 : f32
// CHECK-NEXT:    linalg.fill {boostrt.reads = [array<i64>, array<i64>], boostrt.writes = [array<i64: 0>]} ins(%[[N]] : f32) outs(%[[R]] : memref<512xf32>)
// CHECK-NEXT:    return
func.func @numbers() -> tensor<512xf32> {
  %0 = arith.constant dense<0.5> : tensor<512xf32>
  return %0 : tensor<512xf32>
}

// CHECK-LABEL: func.func @undefined(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<4xf32>, %[[U:[a-z0-9]+]]: memref<4xf32>, %[[R:[a-z0-9]+]]: memref<8xf32>) attributes {{{.*}} boostrt.results = [array<i64: 1>, array<i64: 2, 0>]}
// CHECK-NEXT:    %[[P:.*]] = memref.reinterpret_cast %[[R]]
// CHECK-NEXT:    boostrt.copy ins(%[[X]] : memref<4xf32>) outs(%[[P]] : memref<4xf32>) {boostrt.reads = [array<i64: 0>, array<i64>], boostrt.writes = [array<i64: 0>]}
// CHECK-NEXT:    return
func.func @undefined(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<8xf32>) {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = tensor.empty() : tensor<8xf32>
  %2 = tensor.insert_slice %x into %1[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %0, %2 : tensor<4xf32>, tensor<8xf32>
}
