// RUN: boost-opt %s --boostrt-move-slices | FileCheck %s
// What parts are of broadcasts, transposes and joins along any dimension.

#id = affine_map<(i, j) -> (i, j)>
#transposed = affine_map<(i, j) -> (j, i)>
#columns = affine_map<(i, j) -> (j)>
#one = affine_map<(i, j) -> (0, j)>

// Every input is sliced where it lies along the sliced loop, with its stride.
// CHECK-LABEL: func.func @inputs(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<4x8xf32>, %[[T:[a-z0-9]+]]: tensor<8x4xf32>, %[[C:[a-z0-9]+]]: tensor<8xf32>, %[[O:[a-z0-9]+]]: tensor<1x8xf32>, %[[S:[a-z0-9]+]]: f32)
// CHECK-DAG:     %[[XS:.*]] = tensor.extract_slice %[[X]][1, 1] [3, 4] [1, 2] : tensor<4x8xf32> to tensor<3x4xf32>
// CHECK-DAG:     %[[TS:.*]] = tensor.extract_slice %[[T]][1, 1] [4, 3] [2, 1] : tensor<8x4xf32> to tensor<4x3xf32>
// CHECK-DAG:     %[[CS:.*]] = tensor.extract_slice %[[C]][1] [4] [2] : tensor<8xf32> to tensor<4xf32>
// CHECK-DAG:     %[[OS:.*]] = tensor.extract_slice %[[O]][0, 1] [1, 4] [1, 2] : tensor<1x8xf32> to tensor<1x4xf32>
// CHECK:         linalg.generic {{.*}} ins(%[[XS]], %[[TS]], %[[CS]], %[[OS]], %[[S]] :
func.func @inputs(%x: tensor<4x8xf32>, %t: tensor<8x4xf32>, %c: tensor<8xf32>, %o: tensor<1x8xf32>, %s: f32) -> tensor<3x4xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %h = tensor.empty() : tensor<3x4xf32>
  %w = linalg.generic {indexing_maps = [#id, #transposed, #columns, #one, affine_map<(i, j) -> ()>, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %t, %c, %o, %s : tensor<4x8xf32>, tensor<8x4xf32>, tensor<8xf32>, tensor<1x8xf32>, f32) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %d: f32, %f: f32, %g: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.mulf %d, %f : f32
    %r = arith.addf %p, %q : f32
    %v = arith.addf %r, %g : f32
    linalg.yield %v : f32
  } -> tensor<4x8xf32>
  %k = tensor.extract_slice %w[1, 1] [3, 4] [1, 2] : tensor<4x8xf32> to tensor<3x4xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%k : tensor<3x4xf32>) outs(%h : tensor<3x4xf32>) {
  ^bb0(%a: f32, %out: f32):
    %v = math.exp %a : f32
    linalg.yield %v : f32
  } -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// A kernel that transposes what was joined along rows joins along columns, and slices its other input.
// CHECK-LABEL: func.func @transposed_join(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<2x8xf32>, %[[Y:[a-z0-9]+]]: tensor<6x8xf32>, %[[Z:[a-z0-9]+]]: tensor<8x8xf32>)
// CHECK:         %[[N:.*]] = linalg.generic {{.*}} ins(%[[X]] :
// CHECK:         %[[M:.*]] = linalg.generic {{.*}} ins(%[[Y]] :
// CHECK:         %[[Z1:.*]] = tensor.extract_slice %[[Z]][0, 0] [8, 2] [1, 1]
// CHECK:         %[[A:.*]] = linalg.generic {{.*}} ins(%[[N]], %[[Z1]] : tensor<2x8xf32>, tensor<8x2xf32>)
// CHECK:         %[[I:.*]] = tensor.insert_slice %[[A]] into %{{.*}}[0, 0] [8, 2] [1, 1]
// CHECK:         %[[Z2:.*]] = tensor.extract_slice %[[Z]][0, 2] [8, 6] [1, 1]
// CHECK:         %[[B:.*]] = linalg.generic {{.*}} ins(%[[M]], %[[Z2]] : tensor<6x8xf32>, tensor<8x6xf32>)
// CHECK:         %[[J:.*]] = tensor.insert_slice %[[B]] into %[[I]][0, 2] [8, 6] [1, 1]
// CHECK:         return %[[J]]
func.func @transposed_join(%x: tensor<2x8xf32>, %y: tensor<6x8xf32>, %z: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8x8xf32>
  %f = tensor.empty() : tensor<2x8xf32>
  %g = tensor.empty() : tensor<6x8xf32>
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<2x8xf32>) outs(%f : tensor<2x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %v = arith.negf %a : f32
    linalg.yield %v : f32
  } -> tensor<2x8xf32>
  %m = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<6x8xf32>) outs(%g : tensor<6x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %v = math.exp %a : f32
    linalg.yield %v : f32
  } -> tensor<6x8xf32>
  %p = tensor.insert_slice %n into %e[0, 0] [2, 8] [1, 1] : tensor<2x8xf32> into tensor<8x8xf32>
  %q = tensor.insert_slice %m into %p[2, 0] [6, 8] [1, 1] : tensor<6x8xf32> into tensor<8x8xf32>
  %w = linalg.generic {indexing_maps = [#transposed, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%q, %z : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %v = arith.addf %a, %b : f32
    linalg.yield %v : f32
  } -> tensor<8x8xf32>
  return %w : tensor<8x8xf32>
}
