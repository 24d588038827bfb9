// RUN: boost-opt %s -split-input-file -verify-diagnostics
// Groups, sites, dimensions and pieces of collectives.

func.func @group(%x: tensor<4xf32>) {
  // expected-error @below {{expects a group of one axis or more, but got 0}}
  %0 = boostrt.all_reduce sum group 0 outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @negative_group(%x: tensor<4xf32>) {
  // expected-error @below {{expects a group of one axis or more, but got -1}}
  %0 = boostrt.all_reduce sum group -1 outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @site(%x: tensor<4xf32>) {
  // expected-error @below {{expects a site of at least 0, but got -1}}
  %0 = boostrt.all_reduce sum group 1 site -1 outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @element(%x: tensor<4xi4>) {
  // expected-error @below {{expects an element type that the runtime knows, but got 'tensor<4xi4>'}}
  %0 = boostrt.all_reduce sum group 1 outs(%x : tensor<4xi4>) -> tensor<4xi4>
  return
}

// -----

func.func @one_buffer(%x: memref<4xf32>) {
  // expected-error @below {{expects outs that share no memory with other operands, but operands 0 and 1 are one buffer}}
  boostrt.all_reduce sum group 1 outs(%x, %x : memref<4xf32>, memref<4xf32>)
  return
}

// -----

func.func @gather_group(%x: tensor<4x8xf32>, %o: tensor<8x8xf32>) {
  // expected-error @below {{expects a group of one axis or more, but got 0}}
  %0 = boostrt.all_gather dims [0] group 0 ins(%x : tensor<4x8xf32>) outs(%o : tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

func.func @gather_site(%x: tensor<4x8xf32>, %o: tensor<8x8xf32>) {
  // expected-error @below {{expects a site of at least 0, but got -1}}
  %0 = boostrt.all_gather dims [0] group 1 site -1 ins(%x : tensor<4x8xf32>) outs(%o : tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

func.func @gather_dim(%x: tensor<4x8xf32>, %o: tensor<8x8xf32>) {
  // expected-error @below {{expects dim in [0, 2), but got 2}}
  %0 = boostrt.all_gather dims [2] group 1 ins(%x : tensor<4x8xf32>) outs(%o : tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

func.func @gather_pieces(%x: tensor<4x8xf32>, %o: tensor<8x8xf32>) {
  // expected-error @below {{expects pieces of 'tensor<8x8xf32>' along dimension 1, but got 'tensor<4x8xf32>'}}
  %0 = boostrt.all_gather dims [1] group 1 ins(%x : tensor<4x8xf32>) outs(%o : tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

func.func @gather_remainder(%x: tensor<3x8xf32>, %o: tensor<8x8xf32>) {
  // expected-error @below {{expects pieces of 'tensor<8x8xf32>' along dimension 0, but got 'tensor<3x8xf32>'}}
  %0 = boostrt.all_gather dims [0] group 1 ins(%x : tensor<3x8xf32>) outs(%o : tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

func.func @gather_type(%x: tensor<4x8xbf16>, %o: tensor<8x8xf32>) {
  // expected-error @below {{expects pieces of 'tensor<8x8xf32>' along dimension 0, but got 'tensor<4x8xbf16>'}}
  %0 = boostrt.all_gather dims [0] group 1 ins(%x : tensor<4x8xbf16>) outs(%o : tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

func.func @scatter_group(%x: tensor<8x8xf32>, %o: tensor<4x8xf32>) {
  // expected-error @below {{expects a group of one axis or more, but got 0}}
  %0 = boostrt.reduce_scatter sum dims [0] group 0 ins(%x : tensor<8x8xf32>) outs(%o : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @scatter_site(%x: tensor<8x8xf32>, %o: tensor<4x8xf32>) {
  // expected-error @below {{expects a site of at least 0, but got -1}}
  %0 = boostrt.reduce_scatter sum dims [0] group 1 site -1 ins(%x : tensor<8x8xf32>) outs(%o : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @scatter_dim(%x: tensor<8x8xf32>, %o: tensor<4x8xf32>) {
  // expected-error @below {{expects dim in [0, 2), but got -1}}
  %0 = boostrt.reduce_scatter sum dims [-1] group 1 ins(%x : tensor<8x8xf32>) outs(%o : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @scatter_pieces(%x: tensor<8x8xf32>, %o: tensor<4x8xf32>) {
  // expected-error @below {{expects pieces of 'tensor<8x8xf32>' along dimension 1, but got 'tensor<4x8xf32>'}}
  %0 = boostrt.reduce_scatter sum dims [1] group 1 ins(%x : tensor<8x8xf32>) outs(%o : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @exchange_group(%x: tensor<8x4xf32>, %o: tensor<4x8xf32>) {
  // expected-error @below {{expects a group of one axis or more, but got 0}}
  %0 = boostrt.all_to_all split_dim 0 concat_dim 1 group 0 ins(%x : tensor<8x4xf32>) outs(%o : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @exchange_site(%x: tensor<8x4xf32>, %o: tensor<4x8xf32>) {
  // expected-error @below {{expects a site of at least 0, but got -1}}
  %0 = boostrt.all_to_all split_dim 0 concat_dim 1 group 1 site -1 ins(%x : tensor<8x4xf32>) outs(%o : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @exchange_split(%x: tensor<8x4xf32>, %o: tensor<4x8xf32>) {
  // expected-error @below {{expects split_dim in [0, 2), but got 2}}
  %0 = boostrt.all_to_all split_dim 2 concat_dim 1 group 1 ins(%x : tensor<8x4xf32>) outs(%o : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @exchange_concat(%x: tensor<8x4xf32>, %o: tensor<4x8xf32>) {
  // expected-error @below {{expects concat_dim in [0, 2), but got 2}}
  %0 = boostrt.all_to_all split_dim 0 concat_dim 2 group 1 ins(%x : tensor<8x4xf32>) outs(%o : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @exchange_same(%x: tensor<8x4xf32>, %o: tensor<4x8xf32>) {
  // expected-error @below {{expects two dimensions, but got 0 twice}}
  %0 = boostrt.all_to_all split_dim 0 concat_dim 0 group 1 ins(%x : tensor<8x4xf32>) outs(%o : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @exchange_pieces(%x: tensor<8x4xf32>, %o: tensor<4x8xf32>) {
  // expected-error @below {{expects an out that is 'tensor<8x4xf32>' split along dimension 1 and joined along dimension 0, but got 'tensor<4x8xf32>'}}
  %0 = boostrt.all_to_all split_dim 1 concat_dim 0 group 1 ins(%x : tensor<8x4xf32>) outs(%o : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @slice_group(%x: tensor<8x8xf32>, %o: tensor<4x8xf32>) {
  // expected-error @below {{expects a group of one axis or more, but got 0}}
  %0 = boostrt.all_slice dim 0 group 0 ins(%x : tensor<8x8xf32>) outs(%o : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @slice_dim(%x: tensor<8x8xf32>, %o: tensor<4x8xf32>) {
  // expected-error @below {{expects dim in [0, 2), but got 2}}
  %0 = boostrt.all_slice dim 2 group 1 ins(%x : tensor<8x8xf32>) outs(%o : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @slice_pieces(%x: tensor<8x8xf32>, %o: tensor<4x8xf32>) {
  // expected-error @below {{expects pieces of 'tensor<8x8xf32>' along dimension 1, but got 'tensor<4x8xf32>'}}
  %0 = boostrt.all_slice dim 1 group 1 ins(%x : tensor<8x8xf32>) outs(%o : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @index_group(%o: tensor<i32>) {
  // expected-error @below {{expects a group of one axis or more, but got 0}}
  %0 = boostrt.process_index group 0 outs(%o : tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @index_type(%o: tensor<i64>) {
  // expected-error @below {{expects an out of element type 'i32', but got 'tensor<i64>'}}
  %0 = boostrt.process_index group 1 outs(%o : tensor<i64>) -> tensor<i64>
  return
}

// -----

func.func @gather_before_the_first(%x: tensor<4x8xf32>, %o: tensor<8x8xf32>) {
  // expected-error @below {{expects dim in [0, 2), but got -1}}
  %0 = boostrt.all_gather dims [-1] group 1 ins(%x : tensor<4x8xf32>) outs(%o : tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

func.func @gather_rank(%x: tensor<4xf32>, %o: tensor<8x8xf32>) {
  // expected-error @below {{expects pieces of 'tensor<8x8xf32>' along dimension 0, but got 'tensor<4xf32>'}}
  %0 = boostrt.all_gather dims [0] group 1 ins(%x : tensor<4xf32>) outs(%o : tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

func.func @gather_something_of_nothing(%x: tensor<0x8xf32>, %o: tensor<8x8xf32>) {
  // expected-error @below {{expects pieces of 'tensor<8x8xf32>' along dimension 0, but got 'tensor<0x8xf32>'}}
  %0 = boostrt.all_gather dims [0] group 1 ins(%x : tensor<0x8xf32>) outs(%o : tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

func.func @exchange_element(%x: tensor<8x4xf32>, %o: tensor<4x8xf64>) {
  // expected-error @below {{expects an out that is 'tensor<8x4xf32>' split along dimension 0 and joined along dimension 1, but got 'tensor<4x8xf64>'}}
  %0 = boostrt.all_to_all split_dim 0 concat_dim 1 group 1 ins(%x : tensor<8x4xf32>) outs(%o : tensor<4x8xf64>) -> tensor<4x8xf64>
  return
}

// -----

func.func @exchange_rank(%x: tensor<8x4xf32>, %o: tensor<4x8x1xf32>) {
  // expected-error @below {{but got 'tensor<4x8x1xf32>'}}
  %0 = boostrt.all_to_all split_dim 0 concat_dim 1 group 1 ins(%x : tensor<8x4xf32>) outs(%o : tensor<4x8x1xf32>) -> tensor<4x8x1xf32>
  return
}

// -----

func.func @exchange_elements(%x: tensor<8x4xf32>, %o: tensor<4x4xf32>) {
  // expected-error @below {{but got 'tensor<4x4xf32>'}}
  %0 = boostrt.all_to_all split_dim 0 concat_dim 1 group 1 ins(%x : tensor<8x4xf32>) outs(%o : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @exchange_others(%x: tensor<8x4x6xf32>, %o: tensor<4x4x12xf32>) {
  // expected-error @below {{but got 'tensor<4x4x12xf32>'}}
  %0 = boostrt.all_to_all split_dim 0 concat_dim 1 group 1 ins(%x : tensor<8x4x6xf32>) outs(%o : tensor<4x4x12xf32>) -> tensor<4x4x12xf32>
  return
}

// -----

func.func @exchange_parts(%x: tensor<8x6xf32>, %o: tensor<6x8xf32>) {
  // expected-error @below {{but got 'tensor<6x8xf32>'}}
  %0 = boostrt.all_to_all split_dim 0 concat_dim 1 group 1 ins(%x : tensor<8x6xf32>) outs(%o : tensor<6x8xf32>) -> tensor<6x8xf32>
  return
}

// -----

func.func @index_shape(%o: tensor<1xi32>) {
  // expected-error @below {{expects an out of shape [], but got 'tensor<1xi32>'}}
  %0 = boostrt.process_index group 1 outs(%o : tensor<1xi32>) -> tensor<1xi32>
  return
}

// -----

func.func @gather_outs(%x: tensor<4x8xf32>, %o: tensor<8x8xf32>) {
  // expected-error@+1 {{expects 1 outs, but got 2}}
  %0:2 = boostrt.all_gather dims [0] group 1 ins(%x : tensor<4x8xf32>) outs(%o, %o : tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>, tensor<8x8xf32>
  return
}

// -----

func.func @scatter_dims(%x: tensor<8x8xf32>, %o: tensor<4x8xf32>) {
  // expected-error@+1 {{expects 1 dims, but got 2}}
  %0 = boostrt.reduce_scatter sum dims [0, 0] group 1 ins(%x : tensor<8x8xf32>) outs(%o : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @scatter_second(%x: tensor<8x8xf32>, %o: tensor<4x8xf32>, %y: tensor<8xf32>, %p: tensor<3xf32>) {
  // expected-error@+1 {{expects pieces of 'tensor<8xf32>' along dimension 0, but got 'tensor<3xf32>'}}
  %0:2 = boostrt.reduce_scatter sum dims [0, 0] group 1 ins(%x, %y : tensor<8x8xf32>, tensor<8xf32>) outs(%o, %p : tensor<4x8xf32>, tensor<3xf32>) -> tensor<4x8xf32>, tensor<3xf32>
  return
}

// -----

func.func @broadcast_root(%x: tensor<4xf32>) {
  // expected-error @below {{expects a root of at least 0, but got -1}}
  %0 = boostrt.broadcast root -1 group 1 outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @broadcast_group(%x: tensor<4xf32>) {
  // expected-error @below {{expects a group of one axis or more, but got 0}}
  %0 = boostrt.broadcast root 0 group 0 outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @broadcast_site(%x: tensor<4xf32>) {
  // expected-error @below {{expects a site of at least 0, but got -1}}
  %0 = boostrt.broadcast root 0 group 1 site -1 outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return
}
