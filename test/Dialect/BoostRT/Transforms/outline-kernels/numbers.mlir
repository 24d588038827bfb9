// RUN: boost-opt %s --boostrt-outline-kernels | FileCheck %s
// Numbers that a kernel reads are constants of its own, each once; what a sum begins from is filled by its kernel, if
// the sum does not read it besides.

// CHECK-LABEL: func.func @constants(
// CHECK:         boostrt.launch @kernel_0[8] (%{{.*}}, %{{.*}} : memref<8xf32>, memref<8xf32>) {num_outputs = 1 : i64}
// CHECK-LABEL: func.func @sum_with_a_number(
// CHECK-SAME:    %[[X:.*]]: memref<4x8xf32>, %[[Y:.*]]: memref<4xf32>)
// CHECK-NOT:     linalg.fill
// CHECK:         boostrt.launch @kernel_1[4] (%[[X]], %[[Y]] : memref<4x8xf32>, memref<4xf32>) {num_outputs = 1 : i64}
// CHECK-LABEL: func.func @sum_of_its_start(
// CHECK-SAME:    %[[X:.*]]: memref<4x8xf32>, %[[Y:.*]]: memref<4xf32>)
// CHECK:         boostrt.launch @kernel_3[4] (%[[Y]] : memref<4xf32>) {boost.component = "block", num_outputs = 1 : i64}
// CHECK-NEXT:    boostrt.launch @kernel_2[4] (%[[X]], %[[Y]] : memref<4x8xf32>, memref<4xf32>) {num_outputs = 1 : i64}
// CHECK-LABEL: func.func @fill(
// CHECK:         boostrt.launch @kernel_3[4] (%{{.*}} : memref<4xf32>) {boost.component = "block", boost.layer = #boost.layer<class = 0, index = 1>, num_outputs = 1 : i64}

// CHECK-LABEL: func.func @captured(
// CHECK:         boostrt.launch @kernel_4[8] (%{{.*}}, %{{.*}}, %{{.*}} : memref<8xf32>, memref<8xf32>, memref<8xf32>)
// CHECK-LABEL: func.func private @kernel_0(
// CHECK-NEXT:    %[[A:.*]] = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:    %[[C:.*]] = arith.constant 3.000000e+00 : f32
// CHECK-NEXT:    linalg.generic
// CHECK-NEXT:    ^bb0(%[[IN:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT:      %[[P:.*]] = arith.mulf %[[IN]], %[[A]] : f32
// CHECK-NEXT:      %[[S:.*]] = arith.addf %[[P]], %[[A]] : f32
// CHECK-NEXT:      arith.subf %[[S]], %[[C]] : f32
// CHECK-LABEL: func.func private @kernel_1(
// CHECK-NEXT:    %[[Z:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:    %[[A:.*]] = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:    linalg.fill ins(%[[Z]] : f32)
// CHECK:           arith.mulf %{{.*}}, %[[A]] : f32
// CHECK-LABEL: func.func private @kernel_2(
// CHECK-NEXT:    linalg.generic {{.*}} ins(%[[X:.*]], %[[Y:.*]] : memref<4x8xf32>, memref<4xf32>) outs(%[[Y]] :
// CHECK-LABEL: func.func private @kernel_4(
// CHECK:           memref.load %{{.*}} : memref<8xf32>

#id = affine_map<(i) -> (i)>
#row = affine_map<(i, j) -> (i)>
#all = affine_map<(i, j) -> (i, j)>
#none = affine_map<(i) -> ()>
#none2 = affine_map<(i, j) -> ()>
func.func @constants(%x: memref<8xf32>, %y: memref<8xf32>) {
  %a = arith.constant 2.0 : f32
  %b = arith.constant 2.0 : f32
  %c = arith.constant 3.0 : f32
  linalg.generic {indexing_maps = [#id, #none, #id], iterator_types = ["parallel"]} ins(%x, %a : memref<8xf32>, f32) outs(%y : memref<8xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %0 = arith.mulf %in, %s : f32
    %1 = arith.addf %0, %b : f32
    %2 = arith.subf %1, %c : f32
    linalg.yield %2 : f32
  }
  return
}
func.func @sum_with_a_number(%x: memref<4x8xf32>, %y: memref<4xf32>) {
  %z = arith.constant 0.0 : f32
  %a = arith.constant 2.0 : f32
  linalg.fill ins(%z : f32) outs(%y : memref<4xf32>)
  linalg.generic {indexing_maps = [#all, #none2, #row], iterator_types = ["parallel", "reduction"]} ins(%x, %a : memref<4x8xf32>, f32) outs(%y : memref<4xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %0 = arith.mulf %in, %s : f32
    %1 = arith.addf %out, %0 : f32
    linalg.yield %1 : f32
  }
  return
}
func.func @sum_of_its_start(%x: memref<4x8xf32>, %y: memref<4xf32>) {
  %z = arith.constant 0.0 : f32
  linalg.fill {boost.component = "block"} ins(%z : f32) outs(%y : memref<4xf32>)
  linalg.generic {indexing_maps = [#all, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x, %y : memref<4x8xf32>, memref<4xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %0 = arith.mulf %in, %s : f32
    %1 = arith.addf %out, %0 : f32
    linalg.yield %1 : f32
  }
  return
}
func.func @fill(%y: memref<4xf32>) {
  %z = arith.constant 0.0 : f32
  linalg.fill {boost.component = "block", boost.layer = #boost.layer<class = 0, index = 1>} ins(%z : f32) outs(%y : memref<4xf32>)
  return
}
// What its body reads elsewhere is an argument.
func.func @captured(%x: memref<8xf32>, %p: memref<8xf32>, %y: memref<8xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : memref<8xf32>) outs(%y : memref<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 0 : index
    %v = memref.load %p[%i] : memref<8xf32>
    %s = arith.addf %in, %v : f32
    linalg.yield %s : f32
  }
  return
}
