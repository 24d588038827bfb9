// RUN: boost-opt %s --boostrt-move-slices --boostrt-merge-equal-operations --boostrt-fuse-elementwise --boostrt-fuse-siblings | FileCheck %s
// RUN: boost-opt %s --boostrt-fuse-elementwise --boostrt-fuse-siblings | FileCheck %s --check-prefix=BEFORE
// A rotary embedding: halves are turned in f32 and joined. One kernel reads bf16 and writes bf16.

#id = affine_map<(t, h, i) -> (t, h, i)>
#table = affine_map<(t, h, i) -> (t, i)>

// CHECK-LABEL: func.func @rotary(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<4x2x8xbf16>, %[[C:[a-z0-9]+]]: tensor<4x4xf32>, %[[S:[a-z0-9]+]]: tensor<4x4xf32>)
// CHECK-DAG:     %[[A:.*]] = tensor.extract_slice %[[X]][0, 0, 0] [4, 2, 4] [1, 1, 1]
// CHECK-DAG:     %[[B:.*]] = tensor.extract_slice %[[X]][0, 0, 4] [4, 2, 4] [1, 1, 1]
// CHECK:         %[[R:.*]]:2 = linalg.generic {{.*}} ins(%[[A]], %[[C]], %[[B]], %[[S]] : tensor<4x2x4xbf16>, tensor<4x4xf32>, tensor<4x2x4xbf16>, tensor<4x4xf32>) outs({{.*}} : tensor<4x2x4xbf16>, tensor<4x2x4xbf16>)
// CHECK-NOT:     linalg.generic
// CHECK:         %[[F:.*]] = tensor.insert_slice %[[R]]#0 into %{{.*}}[0, 0, 0] [4, 2, 4] [1, 1, 1]
// CHECK:         %[[W:.*]] = tensor.insert_slice %[[R]]#1 into %[[F]][0, 0, 4] [4, 2, 4] [1, 1, 1]
// CHECK:         return %[[W]]
// BEFORE-COUNT-3: linalg.generic
func.func @rotary(%x: tensor<4x2x8xbf16>, %cos: tensor<4x4xf32>, %sin: tensor<4x4xf32>) -> tensor<4x2x8xbf16> {
  %e = tensor.empty() : tensor<4x2x8xf32>
  %h = tensor.empty() : tensor<4x2x4xf32>
  %n = tensor.empty() : tensor<4x2x8xbf16>
  %wide = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<4x2x8xbf16>) outs(%e : tensor<4x2x8xf32>) {
  ^bb0(%a: bf16, %o: f32):
    %v = arith.extf %a : bf16 to f32
    linalg.yield %v : f32
  } -> tensor<4x2x8xf32>
  %x1 = tensor.extract_slice %wide[0, 0, 0] [4, 2, 4] [1, 1, 1] : tensor<4x2x8xf32> to tensor<4x2x4xf32>
  %x2 = tensor.extract_slice %wide[0, 0, 4] [4, 2, 4] [1, 1, 1] : tensor<4x2x8xf32> to tensor<4x2x4xf32>
  %y1 = linalg.generic {indexing_maps = [#id, #table, #id, #table, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x1, %cos, %x2, %sin : tensor<4x2x4xf32>, tensor<4x4xf32>, tensor<4x2x4xf32>, tensor<4x4xf32>) outs(%h : tensor<4x2x4xf32>) {
  ^bb0(%a: f32, %c: f32, %b: f32, %s: f32, %o: f32):
    %p = arith.mulf %a, %c : f32
    %q = arith.mulf %b, %s : f32
    %v = arith.subf %p, %q : f32
    linalg.yield %v : f32
  } -> tensor<4x2x4xf32>
  %y2 = linalg.generic {indexing_maps = [#id, #table, #id, #table, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x2, %cos, %x1, %sin : tensor<4x2x4xf32>, tensor<4x4xf32>, tensor<4x2x4xf32>, tensor<4x4xf32>) outs(%h : tensor<4x2x4xf32>) {
  ^bb0(%a: f32, %c: f32, %b: f32, %s: f32, %o: f32):
    %p = arith.mulf %a, %c : f32
    %q = arith.mulf %b, %s : f32
    %v = arith.addf %p, %q : f32
    linalg.yield %v : f32
  } -> tensor<4x2x4xf32>
  %z1 = tensor.insert_slice %y1 into %e[0, 0, 0] [4, 2, 4] [1, 1, 1] : tensor<4x2x4xf32> into tensor<4x2x8xf32>
  %z2 = tensor.insert_slice %y2 into %z1[0, 0, 4] [4, 2, 4] [1, 1, 1] : tensor<4x2x4xf32> into tensor<4x2x8xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%z2 : tensor<4x2x8xf32>) outs(%n : tensor<4x2x8xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %v = arith.truncf %a : f32 to bf16
    linalg.yield %v : bf16
  } -> tensor<4x2x8xbf16>
  return %y : tensor<4x2x8xbf16>
}
