// RUN: boost-opt %s --boostrt-bufferize | FileCheck %s
// What is written over memory that something else had, and what is not.

#id = affine_map<(i) -> (i)>
#map0 = affine_map<(i) -> ()>
#t = affine_map<(i, j) -> (i, j)>
#tt = affine_map<(i, j) -> (j, i)>

// The old contents are read element by element, by the operation itself: it writes over them.
// CHECK-LABEL: func.func @in_place(
// CHECK-SAME:    %[[P:[a-z0-9]+]]: memref<8xf32> {{.*}}, %[[G:[a-z0-9]+]]: memref<8xf32>)
// CHECK-NOT:     memref.alloc
// CHECK:         linalg.generic {{.*}} ins(%[[P]], %[[G]] : {{.*}}) outs(%[[P]] :
// CHECK-NOT:     boostrt.copy
// CHECK:         return
func.func @in_place(%p: tensor<8xf32> {boost.tensor = #boost.tensor<param "p">}, %g: tensor<8xf32>) -> (tensor<8xf32> {boost.tensor = #boost.tensor<param "p">}) {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%p, %g : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// Its body reads other elements of it.
// CHECK-LABEL: func.func @captured(
// CHECK-SAME:    %[[P:[a-z0-9]+]]: memref<8xf32> {
// CHECK:         %[[R:.*]] = memref.alloc() : memref<8xf32>
// CHECK:         linalg.generic {{.*}} ins(%[[P]] : {{.*}}) outs(%[[R]] :
// CHECK:         memref.load %[[P]]
// CHECK:         boostrt.copy ins(%[[R]] : memref<8xf32>) outs(%[[P]] :
func.func @captured(%p: tensor<8xf32> {boost.tensor = #boost.tensor<param "p">}, %g: tensor<8xf32>) -> (tensor<8xf32> {boost.tensor = #boost.tensor<param "p">}) {
  %e = tensor.empty() : tensor<8xf32>
  %c7 = arith.constant 7 : index
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%p : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = arith.subi %c7, %i : index
    %b = tensor.extract %p[%j] : tensor<8xf32>
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// It reads them in another order.
// CHECK-LABEL: func.func @transposed(
// CHECK-SAME:    %[[P:[a-z0-9]+]]: memref<4x4xf32> {
// CHECK:         %[[R:.*]] = memref.alloc() : memref<4x4xf32>
// CHECK:         linalg.generic {{.*}} ins(%[[P]] : {{.*}}) outs(%[[R]] :
// CHECK:         boostrt.copy ins(%[[R]] : memref<4x4xf32>) outs(%[[P]] :
func.func @transposed(%p: tensor<4x4xf32> {boost.tensor = #boost.tensor<param "p">}, %g: tensor<8xf32>) -> (tensor<4x4xf32> {boost.tensor = #boost.tensor<param "p">}) {
  %e = tensor.empty() : tensor<4x4xf32>
  %0 = linalg.generic {indexing_maps = [#tt, #t], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = math.exp %a : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// As the second operand.
// CHECK-LABEL: func.func @of_others(
// CHECK-SAME:    %[[P:[a-z0-9]+]]: memref<8xf32> {{.*}}, %[[G:[a-z0-9]+]]: memref<8xf32>)
// CHECK-NOT:     memref.alloc
// CHECK:         linalg.generic {{.*}} ins(%[[G]], %[[P]] : {{.*}}) outs(%[[P]] :
// CHECK:         return
func.func @of_others(%p: tensor<8xf32> {boost.tensor = #boost.tensor<param "p">}, %g: tensor<8xf32>) -> (tensor<8xf32> {boost.tensor = #boost.tensor<param "p">}) {
  %e = tensor.empty() : tensor<8xf32>
  %c7 = arith.constant 7 : index
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%g, %p : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// What two sums begin from is filled for each.
// CHECK-LABEL: func.func @start_read_twice(
// CHECK-SAME:    %{{.*}}: memref<8xf32>, %[[R:[a-z0-9]+]]: memref<f32>, %[[S:[a-z0-9]+]]: memref<f32>)
// CHECK:         linalg.fill {{.*}}ins(%[[Z:.*]] : f32) outs(%[[R]] :
// CHECK:         linalg.generic {{.*}} outs(%[[R]] :
// CHECK:         linalg.fill {{.*}}ins(%[[Z]] : f32) outs(%[[S]] :
// CHECK:         linalg.generic {{.*}} outs(%[[S]] :
func.func @start_read_twice(%a: tensor<8xf32>) -> (tensor<f32>, tensor<f32>) {
  %e = tensor.empty() : tensor<f32>
  %z = arith.constant 0.5 : f32
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %0 = linalg.generic {indexing_maps = [#id, #map0], iterator_types = ["reduction"]} ins(%a : tensor<8xf32>) outs(%f : tensor<f32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  %1 = linalg.generic {indexing_maps = [#id, #map0], iterator_types = ["reduction"]} ins(%a : tensor<8xf32>) outs(%f : tensor<f32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.mulf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}

// A tensor that is read again is copied before parts are written into it, once for both.
// CHECK-LABEL: func.func @inserted(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<4xf32>, %[[Y:[a-z0-9]+]]: memref<8xf32>, %[[R:[a-z0-9]+]]: memref<8xf32>, %[[S:[a-z0-9]+]]: memref<8xf32>)
// CHECK:         linalg.exp {{.*}} outs(%[[R]] :
// CHECK-NEXT:    boostrt.copy ins(%[[R]] : memref<8xf32>) outs(%[[S]] :
// CHECK-NEXT:    %[[A:.*]] = memref.reinterpret_cast %[[S]] to offset: [0]
// CHECK-NEXT:    boostrt.copy ins(%[[X]] : memref<4xf32>) outs(%[[A]] :
// CHECK-NEXT:    %[[B:.*]] = memref.reinterpret_cast %[[S]] to offset: [4]
// CHECK-NEXT:    boostrt.copy ins(%[[X]] : memref<4xf32>) outs(%[[B]] :
// CHECK-NEXT:    return
func.func @inserted(%x: tensor<4xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = linalg.exp ins(%y : tensor<8xf32>) outs(%y : tensor<8xf32>) -> tensor<8xf32>
  %1 = tensor.insert_slice %x into %0[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %2 = tensor.insert_slice %x into %1[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %0, %2 : tensor<8xf32>, tensor<8xf32>
}

// So is one that is a result between two insertions.
// CHECK-LABEL: func.func @inserted_twice(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<4xf32>, %[[Y:[a-z0-9]+]]: memref<8xf32>, %[[R:[a-z0-9]+]]: memref<8xf32>, %[[S:[a-z0-9]+]]: memref<8xf32>)
// CHECK:         %[[A:.*]] = memref.reinterpret_cast %[[R]] to offset: [0]
// CHECK-NEXT:    boostrt.copy ins(%[[X]] : memref<4xf32>) outs(%[[A]] :
// CHECK-NEXT:    boostrt.copy ins(%[[R]] : memref<8xf32>) outs(%[[S]] :
// CHECK-NEXT:    %[[B:.*]] = memref.reinterpret_cast %[[S]] to offset: [4]
// CHECK-NEXT:    boostrt.copy ins(%[[X]] : memref<4xf32>) outs(%[[B]] :
// CHECK-NEXT:    return
func.func @inserted_twice(%x: tensor<4xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %1 = tensor.insert_slice %x into %e[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %2 = tensor.insert_slice %x into %1[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %1, %2 : tensor<8xf32>, tensor<8xf32>
}

// What passes a barrier beside it is read later: that does not keep the old contents.
// CHECK-LABEL: func.func @barrier_of_two(
// CHECK-SAME:    %[[P:[a-z0-9]+]]: memref<8xf32> {{.*}}, %[[X:[a-z0-9]+]]: memref<8xf32>, %[[R:[a-z0-9]+]]: memref<8xf32>)
// CHECK-NOT:     memref.alloc
// CHECK:         linalg.exp {{.*}} ins(%[[P]] : {{.*}}) outs(%[[P]] :
// CHECK-NOT:     boostrt.copy
// CHECK:         linalg.tanh {{.*}} ins(%[[X]] : {{.*}}) outs(%[[R]] :
func.func @barrier_of_two(%p: tensor<8xf32> {boost.tensor = #boost.tensor<param "p">}, %x: tensor<8xf32>) -> (tensor<8xf32> {boost.tensor = #boost.tensor<param "p">}, tensor<8xf32>) {
  %b:2 = stablehlo.optimization_barrier %p, %x : tensor<8xf32>, tensor<8xf32>
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.exp ins(%b#0 : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %f = tensor.empty() : tensor<8xf32>
  %1 = linalg.tanh ins(%b#1 : tensor<8xf32>) outs(%f : tensor<8xf32>) -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}
