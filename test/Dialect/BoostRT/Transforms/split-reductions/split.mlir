// RUN: boost-opt %s --boostrt-split-reductions="blocks=64 elements=256" --split-input-file | FileCheck %s

#all = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>

// Sums of columns: the rows are ranges, and what is read of a row moves with
// them. The second reduction adds to what the results begin from.
// CHECK-LABEL: func.func @columns(
// CHECK-SAME:    %[[X:.*]]: tensor<512x100xf32>, %[[S:.*]]: tensor<512xf32>, %[[INIT:.*]]: tensor<100xf32>)
// CHECK-DAG:     %[[XS:.*]] = tensor.expand_shape %[[X]] {{\[\[}}0, 1], [2]] output_shape [32, 16, 100]
// CHECK-DAG:     %[[SS:.*]] = tensor.expand_shape %[[S]] {{\[\[}}0, 1]] output_shape [32, 16]
// CHECK:         %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK:         %[[FILL:.*]] = linalg.fill {boost.component = "norm"} ins(%[[ZERO]] : f32) outs(%{{.*}} : tensor<32x100xf32>)
// CHECK:         %[[PARTS:.*]] = linalg.generic {
// CHECK-SAME:      iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK-SAME:      ins(%[[XS]], %[[SS]] : {{.*}}) outs(%[[FILL]] : tensor<32x100xf32>)
// CHECK-SAME:      attrs =  {boost.component = "norm"}
// CHECK:         %[[SUM:.*]] = linalg.generic {
// CHECK-SAME:      iterator_types = ["reduction", "parallel"]}
// CHECK-SAME:      ins(%[[PARTS]] : tensor<32x100xf32>) outs(%[[INIT]] : tensor<100xf32>)
// CHECK-SAME:      attrs =  {boost.component = "norm"}
// CHECK-NEXT:    ^bb0(%[[PART:.*]]: f32, %[[ACC:.*]]: f32):
// CHECK-NEXT:      arith.addf %[[ACC]], %[[PART]] : f32
// CHECK:         return %[[SUM]]
func.func @columns(%x: tensor<512x100xf32>, %s: tensor<512xf32>, %init: tensor<100xf32>) -> tensor<100xf32> {
  %r = linalg.generic {indexing_maps = [#all, #row, #column], iterator_types = ["reduction", "parallel"]}
      ins(%x, %s : tensor<512x100xf32>, tensor<512xf32>) outs(%init : tensor<100xf32>)
      attrs = {boost.component = "norm"} {
  ^bb0(%in: f32, %scale: f32, %acc: f32):
    %p = arith.mulf %in, %scale : f32
    %n = arith.addf %acc, %p : f32
    linalg.yield %n : f32
  } -> tensor<100xf32>
  return %r : tensor<100xf32>
}

// -----

#all = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>

// A prime number of rows: ranges of one length, and the rows behind them, which
// come first. Positions are those of the tensor.
// CHECK-LABEL: func.func @prime(
// CHECK-SAME:    %[[X:.*]]: tensor<509x64xf32>, %[[INIT:.*]]: tensor<64xf32>)
// CHECK:         %[[MAIN:.*]] = tensor.extract_slice %[[X]][0, 0] [504, 64] [1, 1]
// CHECK:         tensor.expand_shape %[[MAIN]] {{.*}} output_shape [63, 8, 64]
// CHECK:         %[[PARTS:.*]] = linalg.generic
// CHECK:           %[[J:.*]] = linalg.index 2 : index
// CHECK:           %[[C:.*]] = linalg.index 0 : index
// CHECK:           %[[LENGTH:.*]] = arith.constant 8 : index
// CHECK:           %[[BEGIN:.*]] = arith.muli %[[C]], %[[LENGTH]]
// CHECK:           arith.addi %[[BEGIN]], %[[J]]
// CHECK:         %[[REST:.*]] = tensor.extract_slice %[[X]][504, 0] [5, 64] [1, 1]
// CHECK:         %[[FIRST:.*]] = linalg.generic
// CHECK-SAME:      ins(%[[REST]] : tensor<5x64xf32>) outs(%[[INIT]] : tensor<64xf32>)
// CHECK:           %[[J:.*]] = linalg.index 0 : index
// CHECK:           %[[END:.*]] = arith.constant 504 : index
// CHECK:           arith.addi %[[J]], %[[END]]
// CHECK:         linalg.generic
// CHECK-SAME:      ins(%[[PARTS]] : tensor<63x64xf32>) outs(%[[FIRST]] : tensor<64xf32>)
func.func @prime(%x: tensor<509x64xf32>, %init: tensor<64xf32>) -> tensor<64xf32> {
  %r = linalg.generic {indexing_maps = [#all, #column], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<509x64xf32>) outs(%init : tensor<64xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %j = linalg.index 0 : index
    %k = arith.index_cast %j : index to i64
    %w = arith.sitofp %k : i64 to f32
    %p = arith.mulf %in, %w : f32
    %n = arith.addf %acc, %p : f32
    linalg.yield %n : f32
  } -> tensor<64xf32>
  return %r : tensor<64xf32>
}

// -----

#all = affine_map<(i, j, k) -> (i, j, k)>
#none = affine_map<(i, j, k) -> ()>

// Everything at once: the slowest loop is kept entirely, the next one in
// ranges; products begin from one, maxima from the least number, and every
// output has partial results of its own.
// CHECK-LABEL: func.func @everything(
// CHECK:         tensor.expand_shape %{{.*}} output_shape [4, 8, 4, 64]
// CHECK:         %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK:         linalg.fill ins(%[[ONE]] : f32) outs(%{{.*}} : tensor<4x8xf32>)
// CHECK:         %[[LEAST:.*]] = arith.constant 0xFF800000 : f32
// CHECK:         linalg.fill ins(%[[LEAST]] : f32) outs(%{{.*}} : tensor<4x8xf32>)
// CHECK:         %[[PARTS:.*]]:2 = linalg.generic
// CHECK-SAME:      iterator_types = ["parallel", "parallel", "reduction", "reduction"]
// CHECK:         linalg.generic
// CHECK-SAME:      iterator_types = ["reduction", "reduction"]
// CHECK-SAME:      ins(%[[PARTS]]#0, %[[PARTS]]#1 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%{{.*}}, %{{.*}} : tensor<f32>, tensor<f32>)
func.func @everything(%x: tensor<4x32x64xf32>, %a: tensor<f32>, %b: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %r:2 = linalg.generic {indexing_maps = [#all, #none, #none], iterator_types = ["reduction", "reduction", "reduction"]}
      ins(%x : tensor<4x32x64xf32>) outs(%a, %b : tensor<f32>, tensor<f32>) {
  ^bb0(%in: f32, %product: f32, %most: f32):
    %p = arith.mulf %product, %in : f32
    %m = arith.maximumf %most, %in : f32
    linalg.yield %p, %m : f32, f32
  } -> (tensor<f32>, tensor<f32>)
  return %r#0, %r#1 : tensor<f32>, tensor<f32>
}

// -----

#all = affine_map<(i, j, k) -> (i, j, k)>
#last = affine_map<(i, j, k) -> (k)>

// A range of the inner loop is no piece of the input, and nothing divides it:
// the outer one alone is kept.
// CHECK-LABEL: func.func @inner_prime(
// CHECK-SAME:    %[[X:.*]]: tensor<4x127x64xf32>
// CHECK-NOT:     tensor.expand_shape
// CHECK-NOT:     tensor.extract_slice
// CHECK:         linalg.generic
// CHECK-SAME:      ins(%[[X]] : tensor<4x127x64xf32>) outs(%{{.*}} : tensor<4x64xf32>)
// CHECK:         linalg.generic
func.func @inner_prime(%x: tensor<4x127x64xf32>, %init: tensor<64xf32>) -> tensor<64xf32> {
  %r = linalg.generic {indexing_maps = [#all, #last], iterator_types = ["reduction", "reduction", "parallel"]}
      ins(%x : tensor<4x127x64xf32>) outs(%init : tensor<64xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %n = arith.addf %acc, %in : f32
    linalg.yield %n : f32
  } -> tensor<64xf32>
  return %r : tensor<64xf32>
}

// -----

#all = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// The position of the last maximum, of bf16: nothing changes one, but a range may begin
// from what the results begin from. Ranges are joined in their order, by what chooses, without
// what the elements are computed by.
// CHECK-LABEL: func.func @position(
// CHECK-SAME:    %[[X:.*]]: tensor<4x4096xbf16>
// CHECK-DAG:     %[[LEAST:.*]] = arith.constant 0xFF80 : bf16
// CHECK-DAG:     %[[NONE:.*]] = arith.constant -1 : i32
// CHECK:         %[[V:.*]] = linalg.fill ins(%[[LEAST]] : bf16) outs(%{{.*}} : tensor<4xbf16>)
// CHECK:         %[[P:.*]] = linalg.fill ins(%[[NONE]] : i32) outs(%{{.*}} : tensor<4xi32>)
// CHECK:         tensor.expand_shape %[[X]] {{\[\[}}0], [1, 2]] output_shape [4, 64, 64]
// CHECK:         %[[VS:.*]] = linalg.fill ins(%[[LEAST]] : bf16) outs(%{{.*}} : tensor<64x4xbf16>)
// CHECK:         %[[PS:.*]] = linalg.fill ins(%[[NONE]] : i32) outs(%{{.*}} : tensor<64x4xi32>)
// CHECK:         %[[PARTS:.*]]:2 = linalg.generic
// CHECK-SAME:      outs(%[[VS]], %[[PS]] : tensor<64x4xbf16>, tensor<64x4xi32>)
// CHECK:         %[[R:.*]]:2 = linalg.generic
// CHECK-SAME:      iterator_types = ["reduction", "parallel"]}
// CHECK-SAME:      ins(%[[PARTS]]#0, %[[PARTS]]#1 : {{.*}}) outs(%[[V]], %[[P]] : {{.*}}) {
// CHECK-NEXT:    ^bb0(%[[PV:.*]]: bf16, %[[PP:.*]]: i32, %[[BEST:.*]]: bf16, %[[AT:.*]]: i32):
// CHECK-NEXT:      %[[MORE:.*]] = arith.cmpf oge, %[[PV]], %[[BEST]] : bf16
// CHECK-NEXT:      %[[VALUE:.*]] = arith.select %[[MORE]], %[[PV]], %[[BEST]] : bf16
// CHECK-NEXT:      %[[PLACE:.*]] = arith.select %[[MORE]], %[[PP]], %[[AT]] : i32
// CHECK-NEXT:      linalg.yield %[[VALUE]], %[[PLACE]]
// CHECK:         return %[[R]]#1
func.func @position(%x: tensor<4x4096xbf16>) -> tensor<4xi32> {
  %least = arith.constant 0xFF80 : bf16
  %none = arith.constant -1 : i32
  %ev = tensor.empty() : tensor<4xbf16>
  %ep = tensor.empty() : tensor<4xi32>
  %v = linalg.fill ins(%least : bf16) outs(%ev : tensor<4xbf16>) -> tensor<4xbf16>
  %p = linalg.fill ins(%none : i32) outs(%ep : tensor<4xi32>) -> tensor<4xi32>
  %r:2 = linalg.generic {indexing_maps = [#all, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x4096xbf16>) outs(%v, %p : tensor<4xbf16>, tensor<4xi32>) {
  ^bb0(%in: bf16, %best: bf16, %at: i32):
    %j = linalg.index 1 : index
    %here = arith.index_cast %j : index to i32
    %size = math.absf %in : bf16
    %more = arith.cmpf oge, %size, %best : bf16
    %value = arith.select %more, %size, %best : bf16
    %place = arith.select %more, %here, %at : i32
    linalg.yield %value, %place : bf16, i32
  } -> (tensor<4xbf16>, tensor<4xi32>)
  return %r#1 : tensor<4xi32>
}

// -----

#all = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>

// Of the positions in both parts only that in the split loop is moved.
// CHECK-LABEL: func.func @columns(
// CHECK:         linalg.generic
// CHECK:           %[[I:.*]] = linalg.index 2 : index
// CHECK:           %[[BEGIN:.*]] = arith.muli
// CHECK-NEXT:      %[[ROW:.*]] = arith.addi %[[BEGIN]], %[[I]]
// CHECK-NEXT:      %[[COLUMN:.*]] = linalg.index 1 : index
// CHECK-NEXT:      arith.muli %[[ROW]], %[[COLUMN]]
// CHECK:         linalg.generic
// CHECK:           %[[I:.*]] = linalg.index 0 : index
// CHECK-NEXT:      %[[END:.*]] = arith.constant 504 : index
// CHECK-NEXT:      %[[ROW:.*]] = arith.addi %[[I]], %[[END]]
// CHECK-NEXT:      %[[COLUMN:.*]] = linalg.index 1 : index
// CHECK-NEXT:      arith.muli %[[ROW]], %[[COLUMN]]
func.func @columns(%x: tensor<509x64xf32>, %init: tensor<64xf32>) -> tensor<64xf32> {
  %r = linalg.generic {indexing_maps = [#all, #column], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<509x64xf32>) outs(%init : tensor<64xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.muli %i, %j : index
    %l = arith.index_cast %k : index to i64
    %w = arith.sitofp %l : i64 to f32
    %p = arith.mulf %in, %w : f32
    %n = arith.addf %acc, %p : f32
    linalg.yield %n : f32
  } -> tensor<64xf32>
  return %r : tensor<64xf32>
}
