// RUN: boost-opt %s --boost-verify-runtime --split-input-file --verify-diagnostics
// What is read is what the program on tensors reads there.

func.func @stale(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 128, 16>],
    boostrt.results = []} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xf32>
  %oy = arith.constant 64 : index
  %y = memref.view %arena[%oy][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<4xf32>
  %oz = arith.constant 128 : index
  %z = memref.view %arena[%oz][] {boostrt.buffer = array<i64: 2, 0>} : memref<256xi8> to memref<4xf32>
  // expected-note @below {{which was written here}}
  boostrt.copy ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)
      {boostrt.reads = [array<i64: 0>, array<i64>], boostrt.writes = [array<i64: 1>]}
  // expected-error @below {{expects operand 0 to be of the values [2], but buffer 1 holds [1]}}
  boostrt.copy ins(%y : memref<4xf32>) outs(%z : memref<4xf32>)
      {boostrt.reads = [array<i64: 2>, array<i64>], boostrt.writes = [array<i64: 3>]}

  return
}

// -----

func.func @no_record(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 128, 16>],
    boostrt.results = []} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xf32>
  %oy = arith.constant 64 : index
  %y = memref.view %arena[%oy][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<4xf32>
  // expected-error @below {{expects 2 lists in 'boostrt.reads', as boostrt-bufferize records them}}
  boostrt.copy ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)

  return
}

// -----

func.func @short_record(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 128, 16>],
    boostrt.results = []} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xf32>
  %oy = arith.constant 64 : index
  %y = memref.view %arena[%oy][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<4xf32>
  // expected-error @below {{expects 1 lists in 'boostrt.writes', as boostrt-bufferize records them}}
  boostrt.copy ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)
      {boostrt.reads = [array<i64: 0>, array<i64>], boostrt.writes = []}

  return
}

// -----

func.func @result(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 128, 16>],
    boostrt.results = [array<i64: 1, 2>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xf32>
  %oy = arith.constant 64 : index
  %y = memref.view %arena[%oy][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<4xf32>
  // expected-note @below {{which was written here}}
  boostrt.copy ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)
      {boostrt.reads = [array<i64: 0>, array<i64>], boostrt.writes = [array<i64: 1>]}
  // expected-error @+1 {{expects result 0 to be of the values [2], but buffer 1 holds [1]}}
  return
}

// -----

func.func @missing_result(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 128, 16>],
    boostrt.results = [array<i64: 1, 2>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xf32>
  // expected-error @+1 {{expects result 0 to have been written, but of bytes [0, 16) of buffer 1 none were}}
  return
}

// -----

// expected-error @below {{expects result 0 in a buffer in [0, 3), but got 3}}
func.func @no_result_buffer(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 128, 16>],
    boostrt.results = [array<i64: 3, 2>]} {

  return
}

// -----

func.func @lost_argument(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0, 1>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 128, 16>],
    boostrt.results = []} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xf32>
  %oy = arith.constant 64 : index
  %y = memref.view %arena[%oy][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<4xf32>
  %oz = arith.constant 128 : index
  %z = memref.view %arena[%oz][] {boostrt.buffer = array<i64: 2, 0>} : memref<256xi8> to memref<4xf32>
  // expected-note @below {{which was written here}}
  boostrt.copy ins(%y : memref<4xf32>) outs(%x : memref<4xf32>)
      {boostrt.reads = [array<i64: 1>, array<i64>], boostrt.writes = [array<i64: 2>]}
  // expected-error @+1 {{expects argument 0 to be of the values [0], but buffer 0 holds [2]}}
  return
}

// -----

// A loop may read all of its inputs.
func.func private @rows(%begin: index, %end: index, %x: memref<4xf32>, %y: memref<4xf32>) attributes {boost.kernel, boostrt.extent = 4 : i64} {
  %one = arith.constant 1 : index
  scf.for %i = %begin to %end step %one {
    %v = memref.load %x[%i] : memref<4xf32>
    memref.store %v, %y[%i] : memref<4xf32>
  }
  return
}

func.func @stale_in_loop(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 128, 16>],
    boostrt.results = []} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xf32>
  %oy = arith.constant 64 : index
  %y = memref.view %arena[%oy][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<4xf32>
  %oz = arith.constant 128 : index
  %z = memref.view %arena[%oz][] {boostrt.buffer = array<i64: 2, 0>} : memref<256xi8> to memref<4xf32>
  // expected-note @below {{which was written here}}
  boostrt.copy ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)
      {boostrt.reads = [array<i64: 0>, array<i64>], boostrt.writes = [array<i64: 1>]}
  // expected-error @below {{expects operand 0 to be of the values [2], but buffer 1 holds [1]}}
  boostrt.launch @rows[4] (%y, %z : memref<4xf32>, memref<4xf32>) {num_outputs = 1 : i64,
      boostrt.reads = [array<i64: 2>, array<i64>], boostrt.writes = [array<i64: 3>]}

  return
}

// -----

// A product that is to be added to what is there.

func.func @not_added(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0, 1>,
    boostrt.buffers = [array<i64: 0, 4>, array<i64: 64, 4>],
    boostrt.results = [array<i64: 1, 2>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<1xf32>
  %oy = arith.constant 64 : index
  %y = memref.view %arena[%oy][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<1xf32>
  // expected-error @below {{expects to add to its destination, as the program on tensors does}}
  boostrt.gemm ins(%x, %x : memref<1xf32>, memref<1xf32>) outs(%y : memref<1xf32>)
      {batch = 1, m = 1, n = 1, k = 1, boostrt.reads = [array<i64: 0>, array<i64: 0>, array<i64: 1>], boostrt.writes = [array<i64: 2>]}
  return
}

// -----

// One that is not.

func.func @added(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0, 1>,
    boostrt.buffers = [array<i64: 0, 4>, array<i64: 64, 4>],
    boostrt.results = [array<i64: 1, 2>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<1xf32>
  %oy = arith.constant 64 : index
  %y = memref.view %arena[%oy][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<1xf32>
  // expected-error @below {{expects to overwrite its destination, as the program on tensors does}}
  boostrt.gemm ins(%x, %x : memref<1xf32>, memref<1xf32>) outs(%y : memref<1xf32>)
      {accumulate, batch = 1, m = 1, n = 1, k = 1, boostrt.reads = [array<i64: 0>, array<i64: 0>, array<i64>], boostrt.writes = [array<i64: 2>]}
  return
}

// -----

// Together, writes hide what an argument was.
func.func @parts(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0, 1>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>],
    boostrt.results = [array<i64: 0, 1>]} {
  %of0 = arith.constant 64 : index
  %from0 = memref.view %arena[%of0][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<2xf32>
  %ot0 = arith.constant 0 : index
  %to0 = memref.view %arena[%ot0][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<2xf32>
  boostrt.copy ins(%from0 : memref<2xf32>) outs(%to0 : memref<2xf32>)
      {boostrt.reads = [array<i64: 1>, array<i64>], boostrt.writes = [array<i64: 1>]}
  %of1 = arith.constant 72 : index
  %from1 = memref.view %arena[%of1][] {boostrt.buffer = array<i64: 1, 8>} : memref<256xi8> to memref<2xf32>
  %ot1 = arith.constant 8 : index
  %to1 = memref.view %arena[%ot1][] {boostrt.buffer = array<i64: 0, 8>} : memref<256xi8> to memref<2xf32>
  boostrt.copy ins(%from1 : memref<2xf32>) outs(%to1 : memref<2xf32>)
      {boostrt.reads = [array<i64: 1>, array<i64>], boostrt.writes = [array<i64: 1>]}
  return
}

// -----

// One of them does not.
func.func @part(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0, 1>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>],
    boostrt.results = [array<i64: 0, 1>]} {
  %of1 = arith.constant 72 : index
  %from1 = memref.view %arena[%of1][] {boostrt.buffer = array<i64: 1, 8>} : memref<256xi8> to memref<2xf32>
  %ot1 = arith.constant 8 : index
  %to1 = memref.view %arena[%ot1][] {boostrt.buffer = array<i64: 0, 8>} : memref<256xi8> to memref<2xf32>
  boostrt.copy ins(%from1 : memref<2xf32>) outs(%to1 : memref<2xf32>)
      {boostrt.reads = [array<i64: 1>, array<i64>], boostrt.writes = [array<i64: 1>]}
  // expected-error @below {{expects result 0 to be of the values [1], but buffer 0 holds [0]}}
  return
}
