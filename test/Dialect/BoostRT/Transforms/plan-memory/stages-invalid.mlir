// RUN: boost-opt %s --boostrt-plan-memory --split-input-file --verify-diagnostics

shard.grid @mesh(shape = 2) {boost.axes = ["pp"]}
// expected-error @below {{expects 'boost.stage' below 2, the number of ranks along the axis 'pp' of the mesh, but got 2}}
func.func @third(%p: memref<4xf32> {boost.tensor = #boost.tensor<param "p">}) attributes {boost.stage = 2 : i64} {
  return
}

// -----

// Without the axis there is one stage.

// expected-error @below {{expects 'boost.stage' below 1, the number of ranks along the axis 'pp' of the mesh, but got 1}}
func.func @second(%p: memref<4xf32> {boost.tensor = #boost.tensor<param "p">}) attributes {boost.stage = 1 : i64} {
  return
}

// -----

// expected-error @below {{expects 'boost.stage' on a function with kept tensors, but "h" is one and @keeps has none}}
func.func @keeps(%h: memref<4xf32> {boost.tensor = #boost.tensor<kept "h">}) {
  return
}

// -----

shard.grid @mesh(shape = 2) {boost.axes = ["pp"]}
func.func @f(%h: memref<4xf32> {boost.tensor = #boost.tensor<kept "h">}) attributes {boost.inputs = ["h"], boost.stage = 0 : i64} {
  return
}
boost.schedule @evaluate {
  boost.call @f micro_batch 0 slot 0
  // expected-error @below {{expects 'to' below 2, the number of ranks along the axis 'pp' of the mesh, but got 2}}
  boost.transfer ["h"] micro_batch 0 from 0 slot 0 to 2 slot 0
}

// -----

shard.grid @mesh(shape = 2) {boost.axes = ["pp"]}
func.func @f(%h: memref<4xf32> {boost.tensor = #boost.tensor<kept "h">}) attributes {boost.inputs = ["h"], boost.stage = 0 : i64} {
  return
}
boost.schedule @evaluate {
  boost.call @f micro_batch 0 slot 0
  // expected-error @below {{expects a tensor of a function, but got "k"}}
  boost.transfer ["k"] micro_batch 0 from 0 slot 0 to 1 slot 0
}

// -----

func.func @f(%h: memref<4xf32> {boost.tensor = #boost.tensor<kept "h">}) attributes {boost.inputs = ["h"], boost.stage = 0 : i64} {
  return
}
boost.schedule @evaluate {
  // expected-error @below {{expects an arena of fewer than 2^63 bytes, but slot 4611686018427387904 of stage 0 lies behind that}}
  boost.call @f micro_batch 0 slot 4611686018427387904
}

// -----

// Slots of no bytes have numbers too.

func.func @f(%h: memref<0xf32> {boost.tensor = #boost.tensor<kept "h">}) attributes {boost.inputs = ["h"], boost.stage = 0 : i64} {
  return
}
boost.schedule @evaluate {
  // expected-error @below {{expects an arena of fewer than 2^63 bytes, but slot 9223372036854775807 of stage 0 lies behind that}}
  boost.call @f micro_batch 0 slot 9223372036854775807
}
