// RUN: boost-opt %s --boostrt-plan-memory --split-input-file --verify-diagnostics

// expected-error @below {{expects 'boost.tensor' on argument 0}}
func.func @unnamed(%x: memref<4xf32>) {
  return
}

// -----

func.func @a(%x: memref<4xf32> {boost.tensor = #boost.tensor<param "x">}) {
  return
}
// expected-error @below {{expects tensor "x" to be 'memref<4xf32>' as in another function, but got 'memref<8xf32>'}}
func.func @b(%x: memref<8xf32> {boost.tensor = #boost.tensor<param "x">}) {
  return
}

// -----

// expected-error @below {{expects one argument for tensor "x", but got two}}
func.func @twice(%x: memref<4xf32> {boost.tensor = #boost.tensor<param "x">},
                 %y: memref<4xf32> {boost.tensor = #boost.tensor<param "x">}) {
  return
}

// -----

func.func @a(%x: memref<4xf32> {boost.tensor = #boost.tensor<param "x", decay = true>}) {
  return
}
// expected-error @below {{expects #boost.tensor<param "x", decay = true> as in another function, but got #boost.tensor<param "x", decay = false>}}
func.func @b(%x: memref<4xf32> {boost.tensor = #boost.tensor<param "x", decay = false>}) {
  return
}

// -----

// expected-error @below {{expects dense memref arguments, but got 'tensor<4xf32>' (run boostrt-bufferize first)}}
func.func @tensors(%x: tensor<4xf32> {boost.tensor = #boost.tensor<param "x">}) {
  return
}

// -----

// expected-error @below {{expects buffers of at most 2^53 bytes each and fewer than 2^63 in total, but got more with this 'memref<4611686018427387904xf32>'}}
func.func @large(%x: memref<4611686018427387904xf32> {boost.tensor = #boost.tensor<param "x">}) {
  return
}

// -----

func.func @unknown_size(%n: memref<4xf32> {boost.tensor = #boost.tensor<param "x">}) {
  %c3 = arith.constant 3 : index
  // expected-error @below {{expects buffers of known size, but got 'memref<?xf32>'}}
  %0 = memref.alloc(%c3) : memref<?xf32>
  return
}

// -----

// expected-error @below {{expects an arena of fewer than 2^63 bytes, but calls ask for a workspace of 9223372036854775807}}
func.func @large_workspace(%x: memref<4xf32> {boost.tensor = #boost.tensor<param "x">}, %y: memref<4xf32> {boost.tensor = #boost.tensor<param "y">}) {
  boostrt.copy ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) {boostrt.workspace_bytes = 9223372036854775807 : i64}
  return
}

// -----

// expected-error@+1 {{expects 'boost.axes' to name each of its 1 axes}}
shard.grid @mesh(shape = 2)
func.func @step(%p: memref<4xf32> {boost.tensor = #boost.tensor<param "p">}) {
  return
}

// -----

shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}
// expected-error @below {{expects tensor "x" to be a partial sum, but got #boost.sharding<{}, partial = max {"tp"}>}}
func.func @maximum(%x: memref<4xf32> {boost.sharding = #boost.sharding<{}, partial = max {"tp"}>,
                                      boost.tensor = #boost.tensor<output "x">}) {
  return
}

// -----

shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}
// expected-error @below {{expects fewer than 2^63 elements in each dimension of "x" on all ranks, but got 'memref<4611686018427387904x0xf32>' sharded as #boost.sharding<{"tp"}, {}>}}
func.func @large_on_all_ranks(%x: memref<4611686018427387904x0xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>,
                                                                    boost.tensor = #boost.tensor<param "x">}) {
  return
}

// -----

// expected-error @below {{expects dense memref arguments, but got 'memref<?xf32>'}}
func.func @unknown_argument_size(%x: memref<?xf32> {boost.tensor = #boost.tensor<param "x">}) {
  return
}

// -----

// expected-error @below {{expects dense memref arguments, but got 'memref<4xf32, strided<[2]>>'}}
func.func @gaps(%x: memref<4xf32, strided<[2]>> {boost.tensor = #boost.tensor<param "x">}) {
  return
}

// -----

// expected-error @below {{expects one block of straight-line code}}
func.func @two_blocks(%x: memref<4xf32> {boost.tensor = #boost.tensor<param "x">}) {
  cf.br ^bb1
^bb1:
  return
}

// -----

// One byte more than a buffer may have.
func.func @large_buffer(%x: memref<4xf32> {boost.tensor = #boost.tensor<param "x">}) {
  // expected-error @below {{expects buffers of at most 2^53 bytes each and fewer than 2^63 in total, but got more with this 'memref<9007199254740993xi8>'}}
  %0 = memref.alloc() : memref<9007199254740993xi8>
  return
}
