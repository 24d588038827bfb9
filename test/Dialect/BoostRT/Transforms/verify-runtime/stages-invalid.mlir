// RUN: boost-opt %s --boost-verify-runtime --split-input-file --verify-diagnostics
// What is wrong in the arenas of pipeline stages.

// expected-error @below {{expects the stash of stage 0 at a multiple of 64, but got 32}}
module attributes {boost.stages = [{arena_bytes = 640 : i64, stash = {bytes = 128 : i64, offset = 32 : i64, slots = 2 : i64}, workspace_offset = 576 : i64}], boostrt.workspace = array<i64: 64>} {
}

// -----

// expected-error @below {{expects the stash of stage 0 inside the arena of 640 bytes, but got [64, 704)}}
module attributes {boost.stages = [{arena_bytes = 640 : i64, stash = {bytes = 128 : i64, offset = 64 : i64, slots = 5 : i64}, workspace_offset = 576 : i64}], boostrt.workspace = array<i64: 64>} {
}

// -----

// expected-error @below {{expects the workspace of calls of stage 0 inside the arena of 600 bytes, but got [576, 640)}}
module attributes {boost.stages = [{arena_bytes = 600 : i64, stash = {bytes = 128 : i64, offset = 64 : i64, slots = 2 : i64}, workspace_offset = 576 : i64}], boostrt.workspace = array<i64: 64>} {
}

// -----

// expected-error @below {{expects the stash of stage 0 to have slots of a multiple of 64 bytes, but got 96}}
module attributes {boost.stages = [{arena_bytes = 640 : i64, stash = {bytes = 96 : i64, offset = 64 : i64, slots = 2 : i64}, workspace_offset = 576 : i64}], boostrt.workspace = array<i64: 64>} {
}

// -----

// expected-error @below {{expects the stash of stage 0 apart from the workspace of calls, but they begin at 64 and 256}}
module attributes {boost.stages = [{arena_bytes = 640 : i64, stash = {bytes = 128 : i64, offset = 64 : i64, slots = 2 : i64}, workspace_offset = 256 : i64}], boostrt.workspace = array<i64: 64>} {
}

// -----

// expected-error @below {{expects a stash of fewer than 2^63 bytes, but got}}
module attributes {boost.stages = [{arena_bytes = 640 : i64, stash = {bytes = 128 : i64, offset = 64 : i64, slots = 9223372036854775807 : i64}, workspace_offset = 576 : i64}], boostrt.workspace = array<i64: 64>} {
}

// -----

// expected-error @below {{expects the bytes of a workspace, whose place is that of each stage, but got array<i64: 0, 64>}}
module attributes {boost.stages = [{arena_bytes = 640 : i64, stash = {bytes = 128 : i64, offset = 64 : i64, slots = 2 : i64}, workspace_offset = 576 : i64}], boostrt.workspace = array<i64: 0, 64>} {
}

// -----

// The stage of a function is one of the plan.

module attributes {boost.stages = [{arena_bytes = 640 : i64, stash = {bytes = 128 : i64, offset = 64 : i64, slots = 2 : i64}, workspace_offset = 576 : i64}], boostrt.workspace = array<i64: 64>} {
  // expected-error @below {{expects the memory plan of stage 1 in 'boost.stages'; run boostrt-plan-memory}}
  func.func @f(%arena: memref<640xi8>, %slot: memref<128xi8>) attributes {
      boost.stage = 1 : i64, boostrt.arguments = array<i64>, boostrt.buffers = []} {
    return
  }
}

// -----

// expected-error @below {{expects the memory plan of stage 0 in 'boost.stages'; run boostrt-plan-memory}}
func.func @f(%arena: memref<64xi8>) attributes {
    boost.stage = 0 : i64, boostrt.arguments = array<i64>, boostrt.buffers = []} {
  return
}

// -----

module attributes {boost.stages = [{arena_bytes = 640 : i64, stash = {bytes = 128 : i64, offset = 64 : i64, slots = 2 : i64}, workspace_offset = 576 : i64}], boostrt.workspace = array<i64: 64>} {
  // expected-error @below {{expects 'boost.stage' on a function with a stash}}
  func.func @f(%arena: memref<640xi8>, %slot: memref<128xi8>) attributes {
      boostrt.arguments = array<i64>, boostrt.buffers = []} {
    return
  }
}

// -----

module attributes {boost.stages = [{arena_bytes = 640 : i64, stash = {bytes = 128 : i64, offset = 64 : i64, slots = 2 : i64}, workspace_offset = 576 : i64}], boostrt.workspace = array<i64: 64>} {
  // expected-error @below {{expects at most the arena of 640 bytes, but got one of 704}}
  func.func @f(%arena: memref<704xi8>) attributes {
      boost.stage = 0 : i64, boostrt.arguments = array<i64>, boostrt.buffers = []} {
    return
  }
}

// -----

module attributes {boost.stages = [{arena_bytes = 640 : i64, stash = {bytes = 128 : i64, offset = 64 : i64, slots = 2 : i64}, workspace_offset = 576 : i64}], boostrt.workspace = array<i64: 64>} {
  // expected-error @below {{expects a slot of the 128 bytes that the stash of its stage has, but got one of 64}}
  func.func @f(%arena: memref<640xi8>, %slot: memref<64xi8>) attributes {
      boost.stage = 0 : i64, boostrt.arguments = array<i64>, boostrt.buffers = []} {
    return
  }
}

// -----

// Buffers are apart from the stash, and inside of the slot.

module attributes {boost.stages = [{arena_bytes = 640 : i64, stash = {bytes = 128 : i64, offset = 64 : i64, slots = 2 : i64}, workspace_offset = 576 : i64}], boostrt.workspace = array<i64: 64>} {
  // expected-error @below {{expects buffers apart from the stash in [64, 320), but buffer 0 begins at 0}}
  func.func @f(%arena: memref<640xi8>, %slot: memref<128xi8>) attributes {
      boost.stage = 0 : i64, boostrt.arguments = array<i64>, boostrt.buffers = [array<i64: 0, 65>]} {
    return
  }
}

// -----

module attributes {boost.stages = [{arena_bytes = 640 : i64, stash = {bytes = 128 : i64, offset = 64 : i64, slots = 2 : i64}, workspace_offset = 576 : i64}], boostrt.workspace = array<i64: 64>} {
  // expected-error @below {{expects buffers apart from the workspace of calls in [576, 640), but buffer 0 begins at 320}}
  func.func @f(%arena: memref<640xi8>, %slot: memref<128xi8>) attributes {
      boost.stage = 0 : i64, boostrt.arguments = array<i64>, boostrt.buffers = [array<i64: 320, 257>]} {
    return
  }
}

// -----

module attributes {boost.stages = [{arena_bytes = 640 : i64, stash = {bytes = 128 : i64, offset = 64 : i64, slots = 2 : i64}, workspace_offset = 576 : i64}], boostrt.workspace = array<i64: 64>} {
  // expected-error @below {{expects buffer 0 inside the slot of 128 bytes, but got array<i64: 64, 65, 1>}}
  func.func @f(%arena: memref<640xi8>, %slot: memref<128xi8>) attributes {
      boost.stage = 0 : i64, boostrt.arguments = array<i64>, boostrt.buffers = [array<i64: 64, 65, 1>]} {
    return
  }
}

// -----

module attributes {boost.stages = [{arena_bytes = 640 : i64, stash = {bytes = 128 : i64, offset = 64 : i64, slots = 2 : i64}, workspace_offset = 576 : i64}], boostrt.workspace = array<i64: 64>} {
  // expected-error @below {{expects buffer 0 inside the arena of 640 bytes, but got array<i64: 64, 64, 2>}}
  func.func @f(%arena: memref<640xi8>, %slot: memref<128xi8>) attributes {
      boost.stage = 0 : i64, boostrt.arguments = array<i64>, boostrt.buffers = [array<i64: 64, 64, 2>]} {
    return
  }
}

// -----

module attributes {boost.stages = [{arena_bytes = 640 : i64, stash = {bytes = 128 : i64, offset = 64 : i64, slots = 2 : i64}, workspace_offset = 576 : i64}], boostrt.workspace = array<i64: 64>} {
  // expected-error @below {{expects buffer 0 inside the arena of 640 bytes, but got array<i64: 64, 64, 1>}}
  func.func @f(%arena: memref<640xi8>) attributes {
      boost.stage = 0 : i64, boostrt.arguments = array<i64>, boostrt.buffers = [array<i64: 64, 64, 1>]} {
    return
  }
}

// -----

// Two kept tensors are the same or apart, also of two functions.

module attributes {boost.stages = [{arena_bytes = 640 : i64, stash = {bytes = 128 : i64, offset = 64 : i64, slots = 2 : i64}, workspace_offset = 576 : i64}], boostrt.workspace = array<i64: 64>} {
  func.func @a(%arena: memref<640xi8>, %slot: memref<128xi8>) attributes {
      boost.stage = 0 : i64, boostrt.arguments = array<i64>, boostrt.buffers = [array<i64: 0, 65, 1>]} {
    return
  }
  // expected-error @below {{expects buffers that share no memory with tensors that stay, but bytes [64, 80) overlap [0, 65)}}
  func.func @b(%arena: memref<640xi8>, %slot: memref<128xi8>) attributes {
      boost.stage = 0 : i64, boostrt.arguments = array<i64>, boostrt.buffers = [array<i64: 64, 16, 1>]} {
    return
  }
}

// -----

// A view is of the memory that its buffer is in.

module attributes {boost.stages = [{arena_bytes = 640 : i64, stash = {bytes = 128 : i64, offset = 64 : i64, slots = 2 : i64}, workspace_offset = 576 : i64}], boostrt.workspace = array<i64: 64>} {
  func.func @f(%arena: memref<640xi8>, %slot: memref<128xi8>) attributes {
      boost.stage = 0 : i64, boostrt.arguments = array<i64>, boostrt.buffers = [array<i64: 0, 16, 1>]} {
    %c0 = arith.constant 0 : index
  // expected-error @below {{expects a view of the stash, where buffer 0 is}}
    %v = memref.view %arena[%c0][] {boostrt.buffer = array<i64: 0, 0>} : memref<640xi8> to memref<4xf32>
    return
  }
}

// -----

module attributes {boost.stages = [{arena_bytes = 640 : i64, stash = {bytes = 128 : i64, offset = 64 : i64, slots = 2 : i64}, workspace_offset = 576 : i64}], boostrt.workspace = array<i64: 64>} {
  func.func @f(%arena: memref<640xi8>, %slot: memref<128xi8>) attributes {
      boost.stage = 0 : i64, boostrt.arguments = array<i64>, boostrt.buffers = [array<i64: 0, 16>]} {
    %c0 = arith.constant 0 : index
  // expected-error @below {{expects a view of the arena, where buffer 0 is}}
    %v = memref.view %slot[%c0][] {boostrt.buffer = array<i64: 0, 0>} : memref<128xi8> to memref<4xf32>
    return
  }
}

// -----

// What a function keeps is not there before: buffers at one offset of arena and slot are two.

module attributes {boost.stages = [{arena_bytes = 640 : i64, stash = {bytes = 128 : i64, offset = 64 : i64, slots = 2 : i64}, workspace_offset = 576 : i64}], boostrt.workspace = array<i64: 64>} {
  func.func @f(%arena: memref<640xi8>, %slot: memref<128xi8>) attributes {
      boost.stage = 0 : i64, boostrt.arguments = array<i64: 0>, boostrt.buffers = [array<i64: 0, 16>, array<i64: 0, 16, 1>]} {
    %c0 = arith.constant 0 : index
    %x = memref.view %arena[%c0][] {boostrt.buffer = array<i64: 0, 0>} : memref<640xi8> to memref<4xf32>
    %h = memref.view %slot[%c0][] {boostrt.buffer = array<i64: 1, 0>} : memref<128xi8> to memref<4xf32>
    // expected-error @below {{expects operand 0 to have been written, but of bytes [0, 16) of buffer 1 none were}}
    boostrt.copy ins(%h : memref<4xf32>) outs(%x : memref<4xf32>)
    return
  }
}

// -----

// Schedules use the slots that there are.

module attributes {boost.stages = [{arena_bytes = 640 : i64, stash = {bytes = 128 : i64, offset = 64 : i64, slots = 2 : i64}, workspace_offset = 576 : i64}], boostrt.workspace = array<i64: 64>} {
  func.func @f(%arena: memref<640xi8>, %slot: memref<128xi8>) attributes {
      boost.inputs = [], boost.stage = 0 : i64, boostrt.arguments = array<i64>, boostrt.buffers = []} {
    return
  }
  boost.schedule @train {
    // expected-error @below {{expects 'slot' below the 2 slots of stage 0, but got 2}}
    boost.call @f micro_batch 0 slot 2
  }
}

// -----

module attributes {boost.stages = [{arena_bytes = 640 : i64, stash = {bytes = 128 : i64, offset = 64 : i64, slots = 2 : i64}, workspace_offset = 576 : i64}], boostrt.workspace = array<i64: 64>} {
  func.func @f(%arena: memref<640xi8>, %slot: memref<128xi8>) attributes {
      boost.inputs = [], boost.stage = 0 : i64, boostrt.arguments = array<i64>, boostrt.buffers = []} {
    return
  }
  boost.schedule @train {
    // expected-error @below {{expects 'slot' below the 2 slots of stage 0, but got none}}
    boost.call @f micro_batch 0
  }
}

// -----

module attributes {boost.stages = [{arena_bytes = 640 : i64, stash = {bytes = 128 : i64, offset = 64 : i64, slots = 2 : i64}, workspace_offset = 576 : i64}], boostrt.workspace = array<i64: 64>} {
  func.func @f(%arena: memref<640xi8>, %slot: memref<128xi8>) attributes {
      boost.inputs = [], boost.stage = 0 : i64, boostrt.arguments = array<i64>, boostrt.buffers = []} {
    return
  }
  func.func private @g() attributes {boost.inputs = [], boost.stage = 1 : i64}
  boost.schedule @train {
    boost.call @f micro_batch 0 slot 0
    boost.call @g micro_batch 0
    // expected-error @below {{expects 'from_slot' below the 2 slots of stage 0, but got 2}}
    boost.transfer ["h"] micro_batch 0 from 0 slot 2 to 1 slot 0
  }
}

// -----

module attributes {boost.stages = [{arena_bytes = 640 : i64, stash = {bytes = 128 : i64, offset = 64 : i64, slots = 2 : i64}, workspace_offset = 576 : i64}], boostrt.workspace = array<i64: 64>} {
  func.func @f(%arena: memref<640xi8>, %slot: memref<128xi8>) attributes {
      boost.inputs = [], boost.stage = 0 : i64, boostrt.arguments = array<i64>, boostrt.buffers = []} {
    return
  }
  func.func private @g() attributes {boost.inputs = [], boost.stage = 1 : i64}
  boost.schedule @train {
    boost.call @f micro_batch 0 slot 0
    boost.call @g micro_batch 0
    // expected-error @below {{expects the memory plan of stage 1 in 'boost.stages'; run boostrt-plan-memory}}
    boost.transfer ["h"] micro_batch 0 from 0 slot 0 to 1 slot 0
  }
}
