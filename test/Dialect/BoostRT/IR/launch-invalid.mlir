// RUN: boost-opt %s -split-input-file -verify-diagnostics
// A launch against its kernel.

func.func private @kernel(%begin: index, %end: index, %x: memref<32xf32>) attributes {boost.kernel, boostrt.extent = 32 : i64} {
  return
}

func.func @extent(%x: memref<4x8xf32>) {
  // expected-error @below {{expects an extent of at least 0, but got -1}}
  boostrt.launch @kernel[-1] (%x : memref<4x8xf32>) {num_outputs = 1 : i64}
  return
}

// -----

func.func private @kernel(%begin: index, %end: index, %x: memref<32xf32>) attributes {boost.kernel, boostrt.extent = 32 : i64} {
  return
}

func.func @no_outputs(%x: memref<4x8xf32>) {
  // expected-error @below {{expects num_outputs in [1, 1], but got 0}}
  boostrt.launch @kernel[32] (%x : memref<4x8xf32>) {num_outputs = 0 : i64}
  return
}

// -----

func.func private @kernel(%begin: index, %end: index, %x: memref<32xf32>) attributes {boost.kernel, boostrt.extent = 32 : i64} {
  return
}

func.func @many_outputs(%x: memref<4x8xf32>) {
  // expected-error @below {{expects num_outputs in [1, 1], but got 2}}
  boostrt.launch @kernel[32] (%x : memref<4x8xf32>) {num_outputs = 2 : i64}
  return
}

// -----

func.func private @kernel(%begin: index, %end: index, %x: memref<32xf32>) attributes {boost.kernel, boostrt.extent = 32 : i64} {
  return
}

func.func @dynamic(%x: memref<?xf32>) {
  // expected-error @below {{expects static sizes and strides, but got 'memref<?xf32>'}}
  boostrt.launch @kernel[32] (%x : memref<?xf32>) {num_outputs = 1 : i64}
  return
}

// -----

func.func private @kernel(%begin: index, %end: index, %x: memref<32xf32>) attributes {boost.kernel, boostrt.extent = 32 : i64} {
  return
}

func.func @no_kernel(%x: memref<32xf32>) {
  // expected-error @below {{expects a kernel function, but no symbol @nothing is defined}}
  boostrt.launch @nothing[32] (%x : memref<32xf32>) {num_outputs = 1 : i64}
  return
}

// -----

func.func private @plain(%begin: index, %end: index, %x: memref<32xf32>)

func.func @no_mark(%x: memref<32xf32>) {
  // expected-error @below {{expects a function marked 'boost.kernel', but @plain is not}}
  boostrt.launch @plain[32] (%x : memref<32xf32>) {num_outputs = 1 : i64}
  return
}

// -----

func.func private @kernel(%begin: index, %end: index, %x: memref<32xf32>) attributes {boost.kernel, boostrt.extent = 32 : i64} {
  return
}

func.func @arguments(%x: memref<32xf32>) {
  // expected-error @below {{expects a kernel that takes two indices and 2 buffers, but got}}
  boostrt.launch @kernel[32] (%x, %x : memref<32xf32>, memref<32xf32>) {num_outputs = 1 : i64}
  return
}

// -----

func.func private @kernel(%begin: index, %end: index, %x: memref<32xf32>) attributes {boost.kernel, boostrt.extent = 32 : i64} {
  return
}

func.func @elements(%x: memref<4x4xf32>) {
  // expected-error @below {{expects for buffer 0 the elements of 'memref<32xf32>', as in the kernel, but got 'memref<4x4xf32>'}}
  boostrt.launch @kernel[32] (%x : memref<4x4xf32>) {num_outputs = 1 : i64}
  return
}

// -----

func.func private @kernel(%begin: index, %end: index, %x: memref<32xf32>) attributes {boost.kernel, boostrt.extent = 32 : i64} {
  return
}

func.func @strides(%x: memref<4x8xf32, strided<[16, 1]>>) {
  // expected-error @below {{expects for buffer 0 the elements of 'memref<32xf32>', as in the kernel, but got}}
  boostrt.launch @kernel[32] (%x : memref<4x8xf32, strided<[16, 1]>>) {num_outputs = 1 : i64}
  return
}

// -----

func.func private @kernel(%begin: index, %end: index, %x: memref<32xf32>) attributes {boost.kernel, boostrt.extent = 32 : i64} {
  return
}

func.func @type(%x: memref<32xi32>) {
  // expected-error @below {{expects for buffer 0 the elements of 'memref<32xf32>', as in the kernel, but got 'memref<32xi32>'}}
  boostrt.launch @kernel[32] (%x : memref<32xi32>) {num_outputs = 1 : i64}
  return
}

// -----

func.func private @kernel(%begin: index, %end: index, %x: memref<32xf32>) attributes {boost.kernel, boostrt.extent = 32 : i64} {
  return
}

func.func @rows(%x: memref<32xf32>) {
  // expected-error @below {{expects the 32 rows of the kernel, but got 31}}
  boostrt.launch @kernel[31] (%x : memref<32xf32>) {num_outputs = 1 : i64}
  return
}

// -----

func.func private @kernel(%begin: i64, %end: index, %x: memref<32xf32>) attributes {boost.kernel}

func.func @first_index(%x: memref<32xf32>) {
  // expected-error @below {{expects a kernel that takes two indices and 1 buffers, but got}}
  boostrt.launch @kernel[32] (%x : memref<32xf32>) {num_outputs = 1 : i64}
  return
}

// -----

func.func private @kernel(%begin: index, %end: i64, %x: memref<32xf32>) attributes {boost.kernel}

func.func @second_index(%x: memref<32xf32>) {
  // expected-error @below {{expects a kernel that takes two indices and 1 buffers, but got}}
  boostrt.launch @kernel[32] (%x : memref<32xf32>) {num_outputs = 1 : i64}
  return
}

// -----

func.func private @kernel(%begin: index, %end: index, %x: tensor<32xf32>) attributes {boost.kernel}

func.func @no_buffer(%x: memref<32xf32>) {
  // expected-error @below {{expects for buffer 0 the elements of 'tensor<32xf32>', as in the kernel, but got 'memref<32xf32>'}}
  boostrt.launch @kernel[32] (%x : memref<32xf32>) {num_outputs = 1 : i64}
  return
}

// -----

func.func private @kernel(%begin: index, %end: index, %x: memref<?xf32>) attributes {boost.kernel}

func.func @unknown_size(%x: memref<32xf32>) {
  // expected-error @below {{expects for buffer 0 the elements of 'memref<?xf32>', as in the kernel, but got 'memref<32xf32>'}}
  boostrt.launch @kernel[32] (%x : memref<32xf32>) {num_outputs = 1 : i64}
  return
}

// -----

func.func private @kernel(%begin: index, %end: index, %x: memref<32xi8>) attributes {boost.kernel}

func.func @bytes_of_integers(%x: memref<32xi32>) {
  // expected-error @below {{expects for buffer 0 the elements of 'memref<32xi8>', as in the kernel, but got 'memref<32xi32>'}}
  boostrt.launch @kernel[32] (%x : memref<32xi32>) {num_outputs = 1 : i64}
  return
}

// -----

func.func private @kernel(%begin: index, %end: index, %x: memref<32xi32>) attributes {boost.kernel}

func.func @integers_of_booleans(%x: memref<32xi1>) {
  // expected-error @below {{expects for buffer 0 the elements of 'memref<32xi32>', as in the kernel, but got 'memref<32xi1>'}}
  boostrt.launch @kernel[32] (%x : memref<32xi1>) {num_outputs = 1 : i64}
  return
}
