// RUN: boost-opt %s -split-input-file -boostrt-outline-kernels | FileCheck %s -enable-var-scope
// A fill goes into the kernel of the reduction that begins from it if nothing in between may touch the output and the
// two are of the same elements.

// This sum begins from a copy.
// CHECK-LABEL: func @begins_from_a_copy
// CHECK-SAME:    %[[X:.*]]: memref<4x8xf32>, %[[B:.*]]: memref<4xf32>, %[[Y:.*]]: memref<4xf32>)
// CHECK-NEXT:    boostrt.copy ins(%[[B]] : memref<4xf32>) outs(%[[Y]] : memref<4xf32>)
// CHECK-NEXT:    boostrt.launch @[[SUM:.*]][4] (%[[X]], %[[Y]] :
// CHECK:       func private @[[SUM]](
// CHECK-NOT:     linalg.fill
// CHECK:         return
func.func @begins_from_a_copy(%x: memref<4x8xf32>, %b: memref<4xf32>, %y: memref<4xf32>) {
  boostrt.copy ins(%b : memref<4xf32>) outs(%y : memref<4xf32>)
  linalg.reduce { arith.addf } ins(%x : memref<4x8xf32>) outs(%y : memref<4xf32>) dimensions = [1]
  return
}

// -----

// This one begins from what a function writes, which takes numbers as a fill does.
// CHECK-LABEL: func @begins_from_a_call
// CHECK:         call @write
// CHECK-NEXT:    boostrt.launch @[[SUM:.*]][4]
// CHECK-NEXT:    return
// CHECK:       func private @[[SUM]](
// CHECK-NOT:     linalg.fill
// CHECK:         return
func.func private @write(f32, f32, memref<4xf32>)
func.func @begins_from_a_call(%x: memref<4x8xf32>, %y: memref<4xf32>) {
  %zero = arith.constant 0.0 : f32
  func.call @write(%zero, %zero, %y) : (f32, f32, memref<4xf32>) -> ()
  linalg.reduce { arith.addf } ins(%x : memref<4x8xf32>) outs(%y : memref<4xf32>) dimensions = [1]
  return
}

// -----

// Views and calls on other memory, even next to the output, may stand in between.
// CHECK-LABEL: func @beside
// CHECK:         boostrt.copy
// CHECK-NEXT:    boostrt.copy
// CHECK-NEXT:    boostrt.launch @[[SUM:.*]][4]
// CHECK-NOT:     boostrt.launch
// CHECK:       func private @[[SUM]](
// CHECK:         linalg.fill
func.func @beside(%arena: memref<256xi8>) {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %c144 = arith.constant 144 : index
  %c160 = arith.constant 160 : index
  %zero = arith.constant 0.0 : f32
  %before = memref.view %arena[%c128][] : memref<256xi8> to memref<4xf32>
  %y = memref.view %arena[%c144][] : memref<256xi8> to memref<4xf32>
  linalg.fill ins(%zero : f32) outs(%y : memref<4xf32>)
  %x = memref.view %arena[%c0][] : memref<256xi8> to memref<4x8xf32>
  %behind = memref.view %arena[%c160][] : memref<256xi8> to memref<4xf32>
  boostrt.copy ins(%before : memref<4xf32>) outs(%behind : memref<4xf32>)
  boostrt.copy ins(%behind : memref<4xf32>) outs(%before : memref<4xf32>)
  linalg.reduce { arith.addf } ins(%x : memref<4x8xf32>) outs(%y : memref<4xf32>) dimensions = [1]
  return
}

// -----

// The call in between writes the last element.
// CHECK-LABEL: func @written_in_between
// CHECK:         boostrt.launch
// CHECK-NEXT:    boostrt.copy
// CHECK-NEXT:    boostrt.launch
func.func @written_in_between(%x: memref<4x8xf32>, %b: memref<1xf32>, %y: memref<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %last = memref.subview %y[3][1][1] : memref<4xf32> to memref<1xf32, strided<[1], offset: 3>>
  linalg.fill ins(%zero : f32) outs(%y : memref<4xf32>)
  boostrt.copy ins(%b : memref<1xf32>) outs(%last : memref<1xf32, strided<[1], offset: 3>>)
  linalg.reduce { arith.addf } ins(%x : memref<4x8xf32>) outs(%y : memref<4xf32>) dimensions = [1]
  return
}

// -----

// What is called in between writes at a place that is not known.
// CHECK-LABEL: func @unknown_place
// CHECK:         boostrt.launch
// CHECK-NEXT:    call @write
// CHECK-NEXT:    boostrt.launch
// CHECK-NEXT:    return
func.func private @write(memref<1xf32, strided<[1], offset: ?>>)
func.func @unknown_place(%x: memref<4x8xf32>, %y: memref<4xf32>, %i: index) {
  %zero = arith.constant 0.0 : f32
  %some = memref.subview %y[%i][1][1] : memref<4xf32> to memref<1xf32, strided<[1], offset: ?>>
  linalg.fill ins(%zero : f32) outs(%y : memref<4xf32>)
  func.call @write(%some) : (memref<1xf32, strided<[1], offset: ?>>) -> ()
  linalg.reduce { arith.addf } ins(%x : memref<4x8xf32>) outs(%y : memref<4xf32>) dimensions = [1]
  return
}

// -----

// It is not known where this view ends.
// CHECK-LABEL: func @unknown_size
// CHECK:         boostrt.launch
// CHECK-NEXT:    call @write
// CHECK-NEXT:    boostrt.launch
// CHECK-NEXT:    return
func.func private @write(memref<?xf32>)
func.func @unknown_size(%x: memref<4x8xf32>, %y: memref<4xf32>, %other: memref<?xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<4xf32>)
  func.call @write(%other) : (memref<?xf32>) -> ()
  linalg.reduce { arith.addf } ins(%x : memref<4x8xf32>) outs(%y : memref<4xf32>) dimensions = [1]
  return
}

// -----

// A fill of the same elements by another shape.
// CHECK-LABEL: func @other_shape
// CHECK-NOT:     boostrt.launch
// CHECK:         boostrt.launch @[[SUM:.*]][4]
// CHECK-NOT:     boostrt.launch
// CHECK:       func private @[[SUM]](
// CHECK:         linalg.fill
func.func @other_shape(%arena: memref<256xi8>) {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f32
  %x = memref.view %arena[%c0][] : memref<256xi8> to memref<4x8xf32>
  %filled = memref.view %arena[%c128][] : memref<256xi8> to memref<2x2xf32>
  %y = memref.view %arena[%c128][] : memref<256xi8> to memref<4xf32>
  linalg.fill ins(%zero : f32) outs(%filled : memref<2x2xf32>)
  linalg.reduce { arith.addf } ins(%x : memref<4x8xf32>) outs(%y : memref<4xf32>) dimensions = [1]
  return
}

// -----

// A fill that begins before the output.
// CHECK-LABEL: func @begins_before
// CHECK:         boostrt.launch @{{.*}}[5]
// CHECK-NEXT:    boostrt.launch @{{.*}}[4]
func.func @begins_before(%x: memref<4x8xf32>, %z: memref<5xf32>) {
  %zero = arith.constant 0.0 : f32
  %y = memref.subview %z[1][4][1] : memref<5xf32> to memref<4xf32, strided<[1], offset: 1>>
  linalg.fill ins(%zero : f32) outs(%z : memref<5xf32>)
  linalg.reduce { arith.addf } ins(%x : memref<4x8xf32>) outs(%y : memref<4xf32, strided<[1], offset: 1>>) dimensions = [1]
  return
}

// -----

// A fill that ends behind the output.
// CHECK-LABEL: func @ends_behind
// CHECK:         boostrt.launch @{{.*}}[5]
// CHECK-NEXT:    boostrt.launch @{{.*}}[4]
func.func @ends_behind(%x: memref<4x8xf32>, %z: memref<5xf32>) {
  %zero = arith.constant 0.0 : f32
  %y = memref.subview %z[0][4][1] : memref<5xf32> to memref<4xf32, strided<[1]>>
  linalg.fill ins(%zero : f32) outs(%z : memref<5xf32>)
  linalg.reduce { arith.addf } ins(%x : memref<4x8xf32>) outs(%y : memref<4xf32, strided<[1]>>) dimensions = [1]
  return
}

// -----

// A fill of every third element, which begins and ends where the output does.
// CHECK-LABEL: func @gaps
// CHECK:         boostrt.launch @{{.*}}[4]
// CHECK-NEXT:    boostrt.launch @{{.*}}[10]
func.func @gaps(%x: memref<10x3xf32>, %y: memref<10xf32>) {
  %zero = arith.constant 0.0 : f32
  %third = memref.reinterpret_cast %y to offset: [0], sizes: [4], strides: [3] : memref<10xf32> to memref<4xf32, strided<[3]>>
  linalg.fill ins(%zero : f32) outs(%third : memref<4xf32, strided<[3]>>)
  linalg.reduce { arith.addf } ins(%x : memref<10x3xf32>) outs(%y : memref<10xf32>) dimensions = [1]
  return
}

// -----

// A fill with numbers of another type.
// CHECK-LABEL: func @other_type
// CHECK:         boostrt.launch @{{.*}}[4] (%{{.*}} : memref<4xi32>)
// CHECK-NEXT:    boostrt.launch @{{.*}}[4] (%{{.*}}, %{{.*}} : memref<4x8xf32>, memref<4xf32>)
func.func @other_type(%arena: memref<256xi8>) {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0 : i32
  %x = memref.view %arena[%c0][] : memref<256xi8> to memref<4x8xf32>
  %filled = memref.view %arena[%c128][] : memref<256xi8> to memref<4xi32>
  %y = memref.view %arena[%c128][] : memref<256xi8> to memref<4xf32>
  linalg.fill ins(%zero : i32) outs(%filled : memref<4xi32>)
  linalg.reduce { arith.addf } ins(%x : memref<4x8xf32>) outs(%y : memref<4xf32>) dimensions = [1]
  return
}

// -----

// A kernel of two sums begins from fills that stand alone.
// CHECK-LABEL: func @two_sums
// CHECK-SAME:    %[[X:.*]]: memref<4x8xf32>, %[[Y:.*]]: memref<4xf32>, %[[Z:.*]]: memref<4xf32>)
// CHECK:         boostrt.launch @[[FILL:.*]][4] (%[[Y]] : memref<4xf32>)
// CHECK-NEXT:    boostrt.launch @[[FILL]][4] (%[[Z]] : memref<4xf32>)
// CHECK-NEXT:    boostrt.launch @{{.*}}[4] (%[[X]], %[[Y]], %[[Z]] : {{.*}}) {num_outputs = 2 : i64}
#all = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @two_sums(%x: memref<4x8xf32>, %y: memref<4xf32>, %z: memref<4xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<4xf32>)
  linalg.fill ins(%zero : f32) outs(%z : memref<4xf32>)
  linalg.generic {indexing_maps = [#all, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<4x8xf32>) outs(%y, %z : memref<4xf32>, memref<4xf32>) {
  ^bb0(%in: f32, %a: f32, %b: f32):
    %square = arith.mulf %in, %in : f32
    %0 = arith.addf %a, %in : f32
    %1 = arith.addf %b, %square : f32
    linalg.yield %0, %1 : f32, f32
  }
  return
}

// -----

// An elementwise operation that updates its output has no fill of its own.
// CHECK-LABEL: func @elementwise
// CHECK:         boostrt.launch @{{.*}}[4] (%{{.*}} : memref<4xf32>)
// CHECK-NEXT:    boostrt.launch @{{.*}}[4] (%{{.*}}, %{{.*}} : memref<4xf32>, memref<4xf32>)
#id = affine_map<(i) -> (i)>
func.func @elementwise(%x: memref<4xf32>, %y: memref<4xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<4xf32>)
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// The fill is looked for among the last 32 operations only.
// CHECK-LABEL: func @last_of_32
// CHECK-COUNT-1: boostrt.launch
// CHECK-NOT:     boostrt.launch
// CHECK-LABEL: func @last_of_33
// CHECK-COUNT-2: boostrt.launch
func.func @last_of_32(%x: memref<4x8xf32>, %y: memref<4xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<4xf32>)
  %0 = arith.constant 0 : i8 %1 = arith.constant 1 : i8 %2 = arith.constant 2 : i8 %3 = arith.constant 3 : i8
  %4 = arith.constant 4 : i8 %5 = arith.constant 5 : i8 %6 = arith.constant 6 : i8 %7 = arith.constant 7 : i8
  %8 = arith.constant 8 : i8 %9 = arith.constant 9 : i8 %10 = arith.constant 10 : i8 %11 = arith.constant 11 : i8
  %12 = arith.constant 12 : i8 %13 = arith.constant 13 : i8 %14 = arith.constant 14 : i8 %15 = arith.constant 15 : i8
  %16 = arith.constant 16 : i8 %17 = arith.constant 17 : i8 %18 = arith.constant 18 : i8 %19 = arith.constant 19 : i8
  %20 = arith.constant 20 : i8 %21 = arith.constant 21 : i8 %22 = arith.constant 22 : i8 %23 = arith.constant 23 : i8
  %24 = arith.constant 24 : i8 %25 = arith.constant 25 : i8 %26 = arith.constant 26 : i8 %27 = arith.constant 27 : i8
  %28 = arith.constant 28 : i8 %29 = arith.constant 29 : i8 %30 = arith.constant 30 : i8
  linalg.reduce { arith.addf } ins(%x : memref<4x8xf32>) outs(%y : memref<4xf32>) dimensions = [1]
  return
}
func.func @last_of_33(%x: memref<4x8xf32>, %y: memref<4xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<4xf32>)
  %0 = arith.constant 0 : i8 %1 = arith.constant 1 : i8 %2 = arith.constant 2 : i8 %3 = arith.constant 3 : i8
  %4 = arith.constant 4 : i8 %5 = arith.constant 5 : i8 %6 = arith.constant 6 : i8 %7 = arith.constant 7 : i8
  %8 = arith.constant 8 : i8 %9 = arith.constant 9 : i8 %10 = arith.constant 10 : i8 %11 = arith.constant 11 : i8
  %12 = arith.constant 12 : i8 %13 = arith.constant 13 : i8 %14 = arith.constant 14 : i8 %15 = arith.constant 15 : i8
  %16 = arith.constant 16 : i8 %17 = arith.constant 17 : i8 %18 = arith.constant 18 : i8 %19 = arith.constant 19 : i8
  %20 = arith.constant 20 : i8 %21 = arith.constant 21 : i8 %22 = arith.constant 22 : i8 %23 = arith.constant 23 : i8
  %24 = arith.constant 24 : i8 %25 = arith.constant 25 : i8 %26 = arith.constant 26 : i8 %27 = arith.constant 27 : i8
  %28 = arith.constant 28 : i8 %29 = arith.constant 29 : i8 %30 = arith.constant 30 : i8 %31 = arith.constant 31 : i8
  linalg.reduce { arith.addf } ins(%x : memref<4x8xf32>) outs(%y : memref<4xf32>) dimensions = [1]
  return
}
