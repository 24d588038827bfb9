// RUN: boost-opt %s --boost-verify-runtime=alignment=1 --split-input-file --verify-diagnostics
// Which bytes calls write and read, to the byte.

// An argument of no bytes has no memory.
func.func @no_bytes(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0, 1>,
    boostrt.buffers = [array<i64: 0, 4>, array<i64: 0, 0>, array<i64: 0, 4>, array<i64: 64, 4>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 2, 0>} : memref<256xi8> to memref<4xi8>
  %oy = arith.constant 0 : index
  %y = memref.view %arena[%oy][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xi8>
  %oz = arith.constant 64 : index
  %z = memref.view %arena[%oz][] {boostrt.buffer = array<i64: 3, 0>} : memref<256xi8> to memref<4xi8>
  boostrt.copy ins(%y : memref<4xi8>) outs(%z : memref<4xi8>)
  // expected-error @below {{expects buffer 2 to share no memory with the arguments, but it overlaps argument 0}}
  boostrt.copy ins(%z : memref<4xi8>) outs(%x : memref<4xi8>)
  return
}

// -----

// One of a single byte has.
memref.global "private" constant @bytes : memref<4xi8> = dense<1>

func.func @one_byte(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 1>, array<i64: 0, 4>, array<i64: 64, 4>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<4xi8>
  %c = memref.get_global @bytes : memref<4xi8>
  // expected-error @below {{expects buffer 1 to share no memory with the arguments, but it overlaps argument 0}}
  boostrt.copy ins(%c : memref<4xi8>) outs(%x : memref<4xi8>)
  return
}

// -----

// The last byte of an argument is written over.
func.func @last_byte(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0, 1>,
    boostrt.buffers = [array<i64: 0, 5>, array<i64: 64, 4>, array<i64: 4, 4>]} {
  %ox = arith.constant 64 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<4xi8>
  %oy = arith.constant 4 : index
  %y = memref.view %arena[%oy][] {boostrt.buffer = array<i64: 2, 0>} : memref<256xi8> to memref<4xi8>
  // expected-error @below {{expects buffer 2 to share no memory with the arguments, but it overlaps argument 0}}
  boostrt.copy ins(%x : memref<4xi8>) outs(%y : memref<4xi8>)
  return
}

// -----

// The first byte of one.
func.func @first_byte(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0, 1>,
    boostrt.buffers = [array<i64: 64, 5>, array<i64: 0, 4>, array<i64: 61, 4>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<4xi8>
  %oy = arith.constant 61 : index
  %y = memref.view %arena[%oy][] {boostrt.buffer = array<i64: 2, 0>} : memref<256xi8> to memref<4xi8>
  // expected-error @below {{expects buffer 2 to share no memory with the arguments, but it overlaps argument 0}}
  boostrt.copy ins(%x : memref<4xi8>) outs(%y : memref<4xi8>)
  return
}

// -----

// Directly before an argument, and directly behind it.
func.func @beside(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0, 1>,
    boostrt.buffers = [array<i64: 64, 4>, array<i64: 0, 4>, array<i64: 60, 4>, array<i64: 68, 4>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<4xi8>
  %oy = arith.constant 60 : index
  %y = memref.view %arena[%oy][] {boostrt.buffer = array<i64: 2, 0>} : memref<256xi8> to memref<4xi8>
  %oz = arith.constant 68 : index
  %z = memref.view %arena[%oz][] {boostrt.buffer = array<i64: 3, 0>} : memref<256xi8> to memref<4xi8>
  boostrt.copy ins(%x : memref<4xi8>) outs(%y : memref<4xi8>)
  boostrt.copy ins(%x : memref<4xi8>) outs(%z : memref<4xi8>)
  return
}

// -----

// An argument is not what the program on tensors reads there: nothing wrote it.
func.func @argument_of_others(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 4>, array<i64: 64, 4>],
    boostrt.results = []} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xi8>
  %oy = arith.constant 64 : index
  %y = memref.view %arena[%oy][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<4xi8>
  // expected-error @below {{expects operand 0 to be of the values [2], but buffer 0 holds [0]}}
  boostrt.copy ins(%x : memref<4xi8>) outs(%y : memref<4xi8>) {boostrt.reads = [array<i64: 2>, array<i64>], boostrt.writes = [array<i64: 1>]}
  return
}

// -----

// What may be of either of two values is of one.
func.func @one_of_two(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 4>, array<i64: 64, 4>, array<i64: 128, 4>],
    boostrt.results = []} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xi8>
  %oy = arith.constant 64 : index
  %y = memref.view %arena[%oy][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<4xi8>
  %oz = arith.constant 128 : index
  %z = memref.view %arena[%oz][] {boostrt.buffer = array<i64: 2, 0>} : memref<256xi8> to memref<4xi8>
  boostrt.copy ins(%x : memref<4xi8>) outs(%y : memref<4xi8>) {boostrt.reads = [array<i64: 0>, array<i64>], boostrt.writes = [array<i64: 1>]}
  boostrt.copy ins(%y : memref<4xi8>) outs(%z : memref<4xi8>) {boostrt.reads = [array<i64: 1, 2>, array<i64>], boostrt.writes = [array<i64: 3>]}
  return
}

// -----

// Parts that overlap, and one that begins where they end.
func.func @overlapping_parts(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 8>, array<i64: 64, 24>, array<i64: 128, 24>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<8xi8>
  %ow = arith.constant 0 : index
  %w = memref.view %arena[%ow][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xi8>
  %oa = arith.constant 64 : index
  %a = memref.view %arena[%oa][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<8xi8>
  %ob = arith.constant 68 : index
  %b = memref.view %arena[%ob][] {boostrt.buffer = array<i64: 1, 4>} : memref<256xi8> to memref<8xi8>
  %oc = arith.constant 76 : index
  %c = memref.view %arena[%oc][] {boostrt.buffer = array<i64: 1, 12>} : memref<256xi8> to memref<4xi8>
  %or = arith.constant 64 : index
  %r = memref.view %arena[%or][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<16xi8>
  %ot = arith.constant 128 : index
  %t = memref.view %arena[%ot][] {boostrt.buffer = array<i64: 2, 0>} : memref<256xi8> to memref<16xi8>
  boostrt.copy ins(%x : memref<8xi8>) outs(%a : memref<8xi8>)
  boostrt.copy ins(%x : memref<8xi8>) outs(%b : memref<8xi8>)
  boostrt.copy ins(%w : memref<4xi8>) outs(%c : memref<4xi8>)
  boostrt.copy ins(%r : memref<16xi8>) outs(%t : memref<16xi8>)
  return
}

// -----

// Parts that overlap, and one behind a gap.
func.func @gap_behind_parts(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 8>, array<i64: 64, 24>, array<i64: 128, 24>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<8xi8>
  %oa = arith.constant 64 : index
  %a = memref.view %arena[%oa][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<8xi8>
  %ob = arith.constant 68 : index
  %b = memref.view %arena[%ob][] {boostrt.buffer = array<i64: 1, 4>} : memref<256xi8> to memref<8xi8>
  %od = arith.constant 80 : index
  %d = memref.view %arena[%od][] {boostrt.buffer = array<i64: 1, 16>} : memref<256xi8> to memref<8xi8>
  %oq = arith.constant 64 : index
  %q = memref.view %arena[%oq][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<24xi8>
  %ov = arith.constant 128 : index
  %v = memref.view %arena[%ov][] {boostrt.buffer = array<i64: 2, 0>} : memref<256xi8> to memref<24xi8>
  boostrt.copy ins(%x : memref<8xi8>) outs(%a : memref<8xi8>)
  boostrt.copy ins(%x : memref<8xi8>) outs(%b : memref<8xi8>)
  boostrt.copy ins(%x : memref<8xi8>) outs(%d : memref<8xi8>)
  // expected-error @below {{expects operand 0 to have been written, but of bytes [0, 24) of buffer 1 some were not}}
  boostrt.copy ins(%q : memref<24xi8>) outs(%v : memref<24xi8>)
  return
}

// -----

// The end of one part and the begin of another.
func.func @across_parts(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 8>, array<i64: 64, 24>, array<i64: 128, 24>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<8xi8>
  %oa = arith.constant 64 : index
  %a = memref.view %arena[%oa][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<8xi8>
  %ob = arith.constant 72 : index
  %b = memref.view %arena[%ob][] {boostrt.buffer = array<i64: 1, 8>} : memref<256xi8> to memref<8xi8>
  %oc = arith.constant 68 : index
  %c = memref.view %arena[%oc][] {boostrt.buffer = array<i64: 1, 4>} : memref<256xi8> to memref<8xi8>
  %ou = arith.constant 128 : index
  %u = memref.view %arena[%ou][] {boostrt.buffer = array<i64: 2, 0>} : memref<256xi8> to memref<8xi8>
  boostrt.copy ins(%x : memref<8xi8>) outs(%a : memref<8xi8>)
  boostrt.copy ins(%x : memref<8xi8>) outs(%b : memref<8xi8>)
  boostrt.copy ins(%c : memref<8xi8>) outs(%u : memref<8xi8>)
  return
}

// -----

// A part is written again: it has the new value, all else the old one.
func.func @part_of_its_own(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 8>, array<i64: 64, 8>, array<i64: 128, 8>, array<i64: 192, 8>],
    boostrt.results = []} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<8xi8>
  %ow = arith.constant 0 : index
  %w = memref.view %arena[%ow][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xi8>
  %oy = arith.constant 64 : index
  %y = memref.view %arena[%oy][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<8xi8>
  %oa = arith.constant 68 : index
  %a = memref.view %arena[%oa][] {boostrt.buffer = array<i64: 1, 4>} : memref<256xi8> to memref<4xi8>
  %ob = arith.constant 64 : index
  %b = memref.view %arena[%ob][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<4xi8>
  %oz = arith.constant 128 : index
  %z = memref.view %arena[%oz][] {boostrt.buffer = array<i64: 2, 0>} : memref<256xi8> to memref<8xi8>
  %ou = arith.constant 192 : index
  %u = memref.view %arena[%ou][] {boostrt.buffer = array<i64: 3, 0>} : memref<256xi8> to memref<4xi8>
  boostrt.copy ins(%x : memref<8xi8>) outs(%y : memref<8xi8>) {boostrt.reads = [array<i64: 0>, array<i64>], boostrt.writes = [array<i64: 1>]}
  boostrt.copy ins(%w : memref<4xi8>) outs(%a : memref<4xi8>) {boostrt.reads = [array<i64: 0>, array<i64>], boostrt.writes = [array<i64: 2>]}
  boostrt.copy ins(%a : memref<4xi8>) outs(%u : memref<4xi8>) {boostrt.reads = [array<i64: 2>, array<i64>], boostrt.writes = [array<i64: 3>]}
  boostrt.copy ins(%b : memref<4xi8>) outs(%u : memref<4xi8>) {boostrt.reads = [array<i64: 1>, array<i64>], boostrt.writes = [array<i64: 4>]}
  boostrt.copy ins(%y : memref<8xi8>) outs(%z : memref<8xi8>) {boostrt.reads = [array<i64: 1, 2>, array<i64>], boostrt.writes = [array<i64: 5>]}
  return
}

// -----

// Memory that another buffer had in between.
func.func @written_again(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 4>, array<i64: 64, 4>, array<i64: 64, 4>, array<i64: 128, 4>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xi8>
  %oy = arith.constant 64 : index
  %y = memref.view %arena[%oy][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<4xi8>
  %oz = arith.constant 64 : index
  %z = memref.view %arena[%oz][] {boostrt.buffer = array<i64: 2, 0>} : memref<256xi8> to memref<4xi8>
  %ow = arith.constant 128 : index
  %w = memref.view %arena[%ow][] {boostrt.buffer = array<i64: 3, 0>} : memref<256xi8> to memref<4xi8>
  boostrt.copy ins(%x : memref<4xi8>) outs(%y : memref<4xi8>)
  boostrt.copy ins(%x : memref<4xi8>) outs(%z : memref<4xi8>)
  boostrt.copy ins(%x : memref<4xi8>) outs(%y : memref<4xi8>)
  boostrt.copy ins(%y : memref<4xi8>) outs(%w : memref<4xi8>)
  return
}

// -----

// No elements of a buffer whose memory is another one's by now are read, and none written.
func.func @nothing(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 4>, array<i64: 64, 4>, array<i64: 64, 4>, array<i64: 128, 4>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xi8>
  %oy = arith.constant 64 : index
  %y = memref.view %arena[%oy][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<4xi8>
  %oz = arith.constant 64 : index
  %z = memref.view %arena[%oz][] {boostrt.buffer = array<i64: 2, 0>} : memref<256xi8> to memref<4xi8>
  %ow = arith.constant 128 : index
  %w = memref.view %arena[%ow][] {boostrt.buffer = array<i64: 3, 0>} : memref<256xi8> to memref<4xi8>
  %on = arith.constant 64 : index
  %n = memref.view %arena[%on][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<0xi8>
  %om = arith.constant 68 : index
  %m = memref.view %arena[%om][] {boostrt.buffer = array<i64: 1, 4>} : memref<256xi8> to memref<0xi8>
  boostrt.copy ins(%x : memref<4xi8>) outs(%y : memref<4xi8>)
  boostrt.copy ins(%x : memref<4xi8>) outs(%z : memref<4xi8>)
  boostrt.copy ins(%n : memref<0xi8>) outs(%m : memref<0xi8>)
  boostrt.copy ins(%z : memref<4xi8>) outs(%w : memref<4xi8>)
  return
}

// -----

// A kernel adds to what is there.
func.func private @add(%begin: index, %end: index, %x: memref<4xf32>, %y: memref<4xf32>) attributes {boost.kernel, boostrt.extent = 4 : i64} {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = arith.addf %in, %out : f32
    linalg.yield %n : f32
  }
  return
}

func.func @added(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 128, 16>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xf32>
  %oy = arith.constant 64 : index
  %y = memref.view %arena[%oy][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<4xf32>
  %oz = arith.constant 128 : index
  %z = memref.view %arena[%oz][] {boostrt.buffer = array<i64: 2, 0>} : memref<256xi8> to memref<4xf32>
  // expected-error @below {{expects operand 1 to have been written, but of bytes [0, 16) of buffer 1 none were}}
  boostrt.launch @add[4] (%x, %y : memref<4xf32>, memref<4xf32>) {num_outputs = 1 : i64}
  return
}

// -----

// One fills its output before it adds.
func.func private @fill_and_add(%begin: index, %end: index, %x: memref<4xf32>, %y: memref<4xf32>) attributes {boost.kernel, boostrt.extent = 4 : i64} {
  %f = arith.constant 0.0 : f32
  linalg.fill ins(%f : f32) outs(%y : memref<4xf32>)
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = arith.addf %in, %out : f32
    linalg.yield %n : f32
  }
  return
}

func.func @filled(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 128, 16>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xf32>
  %oy = arith.constant 64 : index
  %y = memref.view %arena[%oy][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<4xf32>
  %oz = arith.constant 128 : index
  %z = memref.view %arena[%oz][] {boostrt.buffer = array<i64: 2, 0>} : memref<256xi8> to memref<4xf32>
  boostrt.launch @fill_and_add[4] (%x, %y : memref<4xf32>, memref<4xf32>) {num_outputs = 1 : i64}
  boostrt.copy ins(%y : memref<4xf32>) outs(%z : memref<4xf32>)
  return
}

// -----

// Its input is written before.
func.func private @negate(%begin: index, %end: index, %x: memref<4xf32>, %y: memref<4xf32>) attributes {boost.kernel, boostrt.extent = 4 : i64} {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = arith.negf %in : f32
    linalg.yield %n : f32
  }
  return
}

func.func @unwritten_input(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 128, 16>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xf32>
  %oy = arith.constant 64 : index
  %y = memref.view %arena[%oy][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<4xf32>
  %oz = arith.constant 128 : index
  %z = memref.view %arena[%oz][] {boostrt.buffer = array<i64: 2, 0>} : memref<256xi8> to memref<4xf32>
  // expected-error @below {{expects operand 0 to have been written, but of bytes [0, 16) of buffer 1 none were}}
  boostrt.launch @negate[4] (%y, %z : memref<4xf32>, memref<4xf32>) {num_outputs = 1 : i64}
  return
}

// -----

// A number is no buffer.
func.func private @scale(%begin: index, %end: index, %x: memref<4xf32>, %y: memref<4xf32>) attributes {boost.kernel, boostrt.extent = 4 : i64} {
  %f = arith.constant 2.0 : f32
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x, %f : memref<4xf32>, f32) outs(%y : memref<4xf32>) {
  ^bb0(%in: f32, %number: f32, %out: f32):
    %n = arith.mulf %in, %number : f32
    linalg.yield %n : f32
  }
  return
}

func.func @scaled(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 64, 16>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xf32>
  %oy = arith.constant 64 : index
  %y = memref.view %arena[%oy][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<4xf32>
  %oz = arith.constant 64 : index
  %z = memref.view %arena[%oz][] {boostrt.buffer = array<i64: 2, 0>} : memref<256xi8> to memref<4xf32>
  boostrt.copy ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)
  boostrt.launch @scale[4] (%y, %z : memref<4xf32>, memref<4xf32>) {num_outputs = 1 : i64}
  boostrt.copy ins(%z : memref<4xf32>) outs(%x : memref<4xf32>)
  return
}

// -----

// A body that reads other elements does not write over them.
func.func private @reverse(%begin: index, %end: index, %x: memref<4xf32>, %y: memref<4xf32>) attributes {boost.kernel, boostrt.extent = 4 : i64} {
  %three = arith.constant 3 : index
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 0 : index
    %j = arith.subi %three, %i : index
    %v = memref.load %x[%j] : memref<4xf32>
    %n = arith.addf %in, %v : f32
    linalg.yield %n : f32
  }
  return
}

func.func @loaded(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 64, 16>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xf32>
  %oy = arith.constant 64 : index
  %y = memref.view %arena[%oy][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<4xf32>
  %oz = arith.constant 64 : index
  %z = memref.view %arena[%oz][] {boostrt.buffer = array<i64: 2, 0>} : memref<256xi8> to memref<4xf32>
  boostrt.copy ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)
  // expected-error @below {{expects outs that share no memory with other operands, but operands 0 and 1 do}}
  boostrt.launch @reverse[4] (%y, %z : memref<4xf32>, memref<4xf32>) {num_outputs = 1 : i64}
  return
}

// -----

// What only a body reads is written before.
func.func private @gather(%begin: index, %end: index, %x: memref<4xf32>, %y: memref<4xf32>) attributes {boost.kernel, boostrt.extent = 4 : i64} {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%y : memref<4xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %v = memref.load %x[%i] : memref<4xf32>
    linalg.yield %v : f32
  }
  return
}

func.func @loaded_unwritten(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 128, 16>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xf32>
  %oy = arith.constant 64 : index
  %y = memref.view %arena[%oy][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<4xf32>
  %oz = arith.constant 128 : index
  %z = memref.view %arena[%oz][] {boostrt.buffer = array<i64: 2, 0>} : memref<256xi8> to memref<4xf32>
  // expected-error @below {{expects operand 0 to have been written, but of bytes [0, 16) of buffer 1 none were}}
  boostrt.launch @gather[4] (%y, %z : memref<4xf32>, memref<4xf32>) {num_outputs = 1 : i64}
  return
}

// -----

// The input is declared to overlap nothing.
func.func private @apart(%begin: index, %end: index, %x: memref<4xf32> {llvm.noalias}, %y: memref<4xf32>) attributes {boost.kernel, boostrt.extent = 4 : i64} {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = arith.negf %in : f32
    linalg.yield %n : f32
  }
  return
}

func.func @input_declared_apart(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>, array<i64: 64, 16>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xf32>
  %oy = arith.constant 64 : index
  %y = memref.view %arena[%oy][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<4xf32>
  %oz = arith.constant 64 : index
  %z = memref.view %arena[%oz][] {boostrt.buffer = array<i64: 2, 0>} : memref<256xi8> to memref<4xf32>
  boostrt.copy ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)
  // expected-error @below {{expects outs that share no memory with other operands, but operands 0 and 1 do}}
  boostrt.launch @apart[4] (%y, %z : memref<4xf32>, memref<4xf32>) {num_outputs = 1 : i64}
  return
}

// -----

// Of the first operand of a product two rows are read, not what lies between them.
func.func @rows_of_a(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 64>, array<i64: 64, 24>, array<i64: 128, 64>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<2xf32>
  %op0 = arith.constant 64 : index
  %p0 = memref.view %arena[%op0][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<2xf32>
  %op1 = arith.constant 80 : index
  %p1 = memref.view %arena[%op1][] {boostrt.buffer = array<i64: 1, 16>} : memref<256xi8> to memref<2xf32>
  %oa = arith.constant 64 : index
  %a = memref.view %arena[%oa][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<6xf32>
  %ob = arith.constant 0 : index
  %b = memref.view %arena[%ob][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<2x3xf32>
  %oc = arith.constant 128 : index
  %c = memref.view %arena[%oc][] {boostrt.buffer = array<i64: 2, 0>} : memref<256xi8> to memref<2x3xf32>
  boostrt.copy ins(%x : memref<2xf32>) outs(%p0 : memref<2xf32>)
  boostrt.copy ins(%x : memref<2xf32>) outs(%p1 : memref<2xf32>)
  boostrt.gemm ins(%a, %b : memref<6xf32>, memref<2x3xf32>) outs(%c : memref<2x3xf32>) {batch = 1, m = 2, n = 3, k = 2, layout_a = array<i64: 0, 8, 4>}
  return
}

// -----

// The second row was not written.
func.func @missing_row_of_a(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 64>, array<i64: 64, 24>, array<i64: 128, 64>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<2xf32>
  %op0 = arith.constant 64 : index
  %p0 = memref.view %arena[%op0][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<2xf32>
  %op1 = arith.constant 72 : index
  %p1 = memref.view %arena[%op1][] {boostrt.buffer = array<i64: 1, 8>} : memref<256xi8> to memref<2xf32>
  %oa = arith.constant 64 : index
  %a = memref.view %arena[%oa][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<6xf32>
  %ob = arith.constant 0 : index
  %b = memref.view %arena[%ob][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<2x3xf32>
  %oc = arith.constant 128 : index
  %c = memref.view %arena[%oc][] {boostrt.buffer = array<i64: 2, 0>} : memref<256xi8> to memref<2x3xf32>
  boostrt.copy ins(%x : memref<2xf32>) outs(%p0 : memref<2xf32>)
  boostrt.copy ins(%x : memref<2xf32>) outs(%p1 : memref<2xf32>)
  // expected-error @below {{expects operand 0 to have been written, but of bytes [0, 24) of buffer 1 some were not}}
  boostrt.gemm ins(%a, %b : memref<6xf32>, memref<2x3xf32>) outs(%c : memref<2x3xf32>) {batch = 1, m = 2, n = 3, k = 2, layout_a = array<i64: 0, 8, 4>}
  return
}

// -----

// Of the second one.
func.func @rows_of_b(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 64>, array<i64: 64, 24>, array<i64: 128, 64>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<2xf32>
  %op0 = arith.constant 64 : index
  %p0 = memref.view %arena[%op0][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<2xf32>
  %op1 = arith.constant 80 : index
  %p1 = memref.view %arena[%op1][] {boostrt.buffer = array<i64: 1, 16>} : memref<256xi8> to memref<2xf32>
  %oa = arith.constant 0 : index
  %a = memref.view %arena[%oa][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<3x2xf32>
  %ob = arith.constant 64 : index
  %b = memref.view %arena[%ob][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<6xf32>
  %oc = arith.constant 128 : index
  %c = memref.view %arena[%oc][] {boostrt.buffer = array<i64: 2, 0>} : memref<256xi8> to memref<3x2xf32>
  boostrt.copy ins(%x : memref<2xf32>) outs(%p0 : memref<2xf32>)
  boostrt.copy ins(%x : memref<2xf32>) outs(%p1 : memref<2xf32>)
  boostrt.gemm ins(%a, %b : memref<3x2xf32>, memref<6xf32>) outs(%c : memref<3x2xf32>) {batch = 1, m = 3, n = 2, k = 2, layout_b = array<i64: 0, 8, 4>}
  return
}

// -----

// And there.
func.func @missing_row_of_b(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 64>, array<i64: 64, 24>, array<i64: 128, 64>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<2xf32>
  %op0 = arith.constant 64 : index
  %p0 = memref.view %arena[%op0][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<2xf32>
  %op1 = arith.constant 72 : index
  %p1 = memref.view %arena[%op1][] {boostrt.buffer = array<i64: 1, 8>} : memref<256xi8> to memref<2xf32>
  %oa = arith.constant 0 : index
  %a = memref.view %arena[%oa][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<3x2xf32>
  %ob = arith.constant 64 : index
  %b = memref.view %arena[%ob][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<6xf32>
  %oc = arith.constant 128 : index
  %c = memref.view %arena[%oc][] {boostrt.buffer = array<i64: 2, 0>} : memref<256xi8> to memref<3x2xf32>
  boostrt.copy ins(%x : memref<2xf32>) outs(%p0 : memref<2xf32>)
  boostrt.copy ins(%x : memref<2xf32>) outs(%p1 : memref<2xf32>)
  // expected-error @below {{expects operand 1 to have been written, but of bytes [0, 24) of buffer 1 some were not}}
  boostrt.gemm ins(%a, %b : memref<3x2xf32>, memref<6xf32>) outs(%c : memref<3x2xf32>) {batch = 1, m = 3, n = 2, k = 2, layout_b = array<i64: 0, 8, 4>}
  return
}

// -----

// Two matrices of one row each.
func.func @matrices_of_a(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 64>, array<i64: 64, 24>, array<i64: 128, 64>]} {
  %ox = arith.constant 0 : index
  %x = memref.view %arena[%ox][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<2xf32>
  %op0 = arith.constant 64 : index
  %p0 = memref.view %arena[%op0][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<2xf32>
  %op1 = arith.constant 80 : index
  %p1 = memref.view %arena[%op1][] {boostrt.buffer = array<i64: 1, 16>} : memref<256xi8> to memref<2xf32>
  %oa = arith.constant 64 : index
  %a = memref.view %arena[%oa][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<6xf32>
  %ob = arith.constant 0 : index
  %b = memref.view %arena[%ob][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<2x2x3xf32>
  %oc = arith.constant 128 : index
  %c = memref.view %arena[%oc][] {boostrt.buffer = array<i64: 2, 0>} : memref<256xi8> to memref<2x1x3xf32>
  boostrt.copy ins(%x : memref<2xf32>) outs(%p0 : memref<2xf32>)
  boostrt.copy ins(%x : memref<2xf32>) outs(%p1 : memref<2xf32>)
  boostrt.gemm ins(%a, %b : memref<6xf32>, memref<2x2x3xf32>) outs(%c : memref<2x1x3xf32>) {batch = 2, m = 1, n = 3, k = 2, layout_a = array<i64: 0, 4, 5>}
  return
}

// -----

// A product that adds reads its destination.
func.func @added_product(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 64>, array<i64: 64, 24>, array<i64: 128, 64>]} {
  %od = arith.constant 0 : index
  %d = memref.view %arena[%od][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<2x2xf32>
  %oa = arith.constant 64 : index
  %a = memref.view %arena[%oa][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<6xf32>
  %ob = arith.constant 0 : index
  %b = memref.view %arena[%ob][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<2x3xf32>
  %oc = arith.constant 128 : index
  %c = memref.view %arena[%oc][] {boostrt.buffer = array<i64: 2, 0>} : memref<256xi8> to memref<2x3xf32>
  // expected-error @below {{expects operand 2 to have been written, but of bytes [0, 24) of buffer 2 none were}}
  boostrt.gemm ins(%d, %b : memref<2x2xf32>, memref<2x3xf32>) outs(%c : memref<2x3xf32>) {accumulate, batch = 1, m = 2, n = 3, k = 2}
  return
}

// -----

// So does an all-reduce.
module attributes {boostrt.sites = 1 : i64} {
shard.grid @mesh(shape = 2) {boost.axes = ["data"]}

func.func @reduced(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 64>, array<i64: 64, 24>, array<i64: 128, 64>]} {
  %oa = arith.constant 64 : index
  %a = memref.view %arena[%oa][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<6xf32>
  // expected-error @below {{expects operand 0 to have been written, but of bytes [0, 24) of buffer 1 none were}}
  boostrt.all_reduce sum group 1 site 0 outs(%a : memref<6xf32>) {boostrt.axes = ["data"]}
  return
}
}

// -----

// And an update.
func.func @updated(%arena: memref<256xi8>) attributes {
    boostrt.arguments = array<i64: 0>,
    boostrt.buffers = [array<i64: 0, 64>, array<i64: 64, 24>, array<i64: 128, 64>]} {
  %og = arith.constant 0 : index
  %g = memref.view %arena[%og][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<4xf32>
  %os = arith.constant 0 : index
  %s = memref.view %arena[%os][] {boostrt.buffer = array<i64: 0, 0>} : memref<256xi8> to memref<f32>
  %om = arith.constant 16 : index
  %m = memref.view %arena[%om][] {boostrt.buffer = array<i64: 0, 16>} : memref<256xi8> to memref<4xf32>
  %ov = arith.constant 32 : index
  %v = memref.view %arena[%ov][] {boostrt.buffer = array<i64: 0, 32>} : memref<256xi8> to memref<4xf32>
  %op = arith.constant 64 : index
  %p = memref.view %arena[%op][] {boostrt.buffer = array<i64: 1, 0>} : memref<256xi8> to memref<4xf32>
  // expected-error @below {{expects operand 11 to have been written, but of bytes [0, 16) of buffer 1 none were}}
  boostrt.adamw grads(%g : memref<4xf32>) ins(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s : memref<f32>, memref<f32>, memref<f32>, memref<f32>, memref<f32>, memref<f32>, memref<f32>, memref<f32>, memref<f32>, memref<f32>) outs(%p, %m, %v : memref<4xf32>, memref<4xf32>, memref<4xf32>) {decays = array<i1: false>}
  return
}
