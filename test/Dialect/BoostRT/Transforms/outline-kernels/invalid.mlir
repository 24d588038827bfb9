// RUN: boost-opt %s -split-input-file -boostrt-outline-kernels -verify-diagnostics

#id = affine_map<(d0) -> (d0)>
func.func @tensors(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'linalg.generic' op expects memrefs, but is still on tensors: run -boostrt-bufferize first}}
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>
func.func @unknown_size(%x: memref<?xf32>) {
  // expected-error@+1 {{expects static sizes}}
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : memref<?xf32>) outs(%x : memref<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  return
}

// -----

func.func @unknown_place(%x: memref<4xf32>, %y: memref<8xf32>, %i: index) {
  %s = memref.subview %y[%i][4][1] : memref<8xf32> to memref<4xf32, strided<[1], offset: ?>>
  // expected-error@+1 {{expects static strides, but got 'memref<4xf32, strided<[1], offset: ?>>'}}
  linalg.exp ins(%x : memref<4xf32>) outs(%s : memref<4xf32, strided<[1], offset: ?>>)
  return
}

// -----

// The view has a static layout, but at a place that is not known.
func.func @place_of_a_view(%arena: memref<64xi8>, %x: memref<4xf32>, %i: index) {
  %v = memref.view %arena[%i][] : memref<64xi8> to memref<4xf32>
  // expected-error@+1 {{expects buffers at constant offsets}}
  linalg.exp ins(%x : memref<4xf32>) outs(%v : memref<4xf32>)
  return
}

// -----

// A sum into a part at a place that is not known, after a fill of the same.
func.func @sum_at_an_unknown_place(%x: memref<4x8xf32>, %y: memref<8xf32>, %i: index) {
  %zero = arith.constant 0.0 : f32
  %s = memref.subview %y[%i][4][1] : memref<8xf32> to memref<4xf32, strided<[1], offset: ?>>
  linalg.fill ins(%zero : f32) outs(%s : memref<4xf32, strided<[1], offset: ?>>)
  // expected-error@+1 {{expects static strides, but got 'memref<4xf32, strided<[1], offset: ?>>'}}
  linalg.reduce { arith.addf } ins(%x : memref<4x8xf32>) outs(%s : memref<4xf32, strided<[1], offset: ?>>) dimensions = [1]
  return
}

// -----

// A sum into a part that is known, after a fill of one that is not.
func.func @fill_at_an_unknown_place(%x: memref<4x8xf32>, %y: memref<8xf32>, %i: index) {
  %zero = arith.constant 0.0 : f32
  %s = memref.subview %y[%i][4][1] : memref<8xf32> to memref<4xf32, strided<[1], offset: ?>>
  %t = memref.subview %y[4][4][1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  // expected-error@+1 {{expects static strides, but got 'memref<4xf32, strided<[1], offset: ?>>'}}
  linalg.fill ins(%zero : f32) outs(%s : memref<4xf32, strided<[1], offset: ?>>)
  linalg.reduce { arith.addf } ins(%x : memref<4x8xf32>) outs(%t : memref<4xf32, strided<[1], offset: 4>>) dimensions = [1]
  return
}

// -----

// The sum does not begin from this fill in one kernel, which has no constant for it.
func.func @fill_of_an_argument(%x: memref<4x8xf32>, %y: memref<4xf32>, %value: f32) {
  // expected-error@+1 {{expects constants besides its buffers, but reads another value of type 'f32'}}
  linalg.fill ins(%value : f32) outs(%y : memref<4xf32>)
  linalg.reduce { arith.addf } ins(%x : memref<4x8xf32>) outs(%y : memref<4xf32>) dimensions = [1]
  return
}

// -----

#id = affine_map<(d0) -> (d0)>
func.func @captured_number(%x: memref<4xf32>, %y: memref<4xf32>, %value: f32) {
  // expected-error@+1 {{expects constants besides its buffers, but reads another value of type 'f32'}}
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.mulf %a, %value : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

#id = affine_map<(d0) -> (d0)>
func.func @captured_buffer_of_unknown_size(%x: memref<8xf32>, %p: memref<?xf32>, %y: memref<8xf32>) {
  // expected-error@+1 {{expects static strides, but reads 'memref<?xf32>'}}
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : memref<8xf32>) outs(%y : memref<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 0 : index
    %v = memref.load %p[%i] : memref<?xf32>
    %s = arith.addf %in, %v : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#id = affine_map<(d0) -> (d0)>
func.func @captured_buffer_at_an_unknown_place(%arena: memref<64xi8>, %y: memref<8xf32>, %at: index) {
  %p = memref.view %arena[%at][] : memref<64xi8> to memref<8xf32>
  // expected-error@+1 {{expects buffers at constant offsets}}
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%y : memref<8xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %v = memref.load %p[%i] : memref<8xf32>
    linalg.yield %v : f32
  }
  return
}
