// RUN: boost-opt %s -split-input-file -verify-diagnostics
// What passes record in discardable attributes has one form each, and no other name.

func.func @unknown(%x: tensor<4xf32>) {
  // expected-error @below {{has an attribute 'boostrt.nothing' that boostrt does not know}}
  boostrt.probe %x as "x" site 0 sharding <{}> {boostrt.nothing} : tensor<4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @below {{expects 'boostrt.axes' to be an array of names, but got "tp"}}
  boostrt.probe %x as "x" site 0 sharding <{}> {boostrt.axes = "tp"} : tensor<4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @below {{expects 'boostrt.axes' to be an array of names, but got [1]}}
  boostrt.probe %x as "x" site 0 sharding <{}> {boostrt.axes = [1]} : tensor<4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @below {{expects 'boostrt.body' to be an i64 of at least 0, but got -1}}
  boostrt.probe %x as "x" site 0 sharding <{}> {boostrt.body = -1} : tensor<4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @below {{expects 'boostrt.buffer' to be a list of i64, but got [0, 64]}}
  boostrt.probe %x as "x" site 0 sharding <{}> {boostrt.buffer = [0, 64]} : tensor<4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @below {{expects 'boostrt.reads' to be an array of lists of i64, but got [1]}}
  boostrt.probe %x as "x" site 0 sharding <{}> {boostrt.reads = [1]} : tensor<4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @below {{expects 'boostrt.writes' to be an array of lists of i64, but got array<i64: 1>}}
  boostrt.probe %x as "x" site 0 sharding <{}> {boostrt.writes = array<i64: 1>} : tensor<4xf32>
  return
}

// -----

// expected-error @below {{expects 'boostrt.arguments' to be a list of i64, but got 1}}
func.func private @f() attributes {boostrt.arguments = 1}

// -----

// expected-error @below {{expects 'boostrt.buffers' to be an array of lists of i64, but got array<i64: 0, 64>}}
func.func private @f() attributes {boostrt.buffers = array<i64: 0, 64>}

// -----

// expected-error @below {{expects 'boostrt.extent' to be an i64 of at least 0, but got -1}}
func.func private @f() attributes {boostrt.extent = -1}

// -----

// expected-error @below {{expects 'boostrt.results' to be an array of lists of i64, but got ["x"]}}
func.func private @f() attributes {boostrt.results = ["x"]}

// -----

// expected-error @below {{expects 'boostrt.sites' to be an i64 of at least 0, but got 2 : i32}}
module attributes {boostrt.sites = 2 : i32} {}
