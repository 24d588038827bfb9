// RUN: boost-opt %s -split-input-file -verify-diagnostics
// Operands are all tensors, with a result for every out, or all dense memrefs.

func.func @both(%x: tensor<4xf32>, %y: memref<4xf32>) {
  // expected-error @below {{expects either tensors or memrefs, but got both}}
  boostrt.copy ins(%x : tensor<4xf32>) outs(%y : memref<4xf32>)
  return
}

// -----

func.func @no_result(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  // expected-error @below {{expects 1 results, but got 0}}
  boostrt.copy ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>)
  return
}

// -----

func.func @result_of_memref(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error @below {{expects 0 results on memrefs, but got 1}}
  %0 = boostrt.copy ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) -> memref<4xf32>
  return
}

// -----

func.func @result_type(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  // expected-error @below {{expects a result of its out's type 'tensor<4xf32>', but got 'tensor<2x2xf32>'}}
  %0 = boostrt.copy ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @gaps(%x: memref<2x2xf32, strided<[4, 1]>>, %y: memref<2x2xf32>) {
  // expected-error @below {{expects dense row-major buffers, but got 'memref<2x2xf32, strided<[4, 1]>>'}}
  boostrt.copy ins(%x : memref<2x2xf32, strided<[4, 1]>>) outs(%y : memref<2x2xf32>)
  return
}

// -----

func.func @column_major(%x: memref<2x2xf32, strided<[1, 2]>>, %y: memref<2x2xf32>) {
  // expected-error @below {{expects dense row-major buffers, but got 'memref<2x2xf32, strided<[1, 2]>>'}}
  boostrt.copy ins(%x : memref<2x2xf32, strided<[1, 2]>>) outs(%y : memref<2x2xf32>)
  return
}

// -----

func.func @dynamic_stride(%x: memref<2x2xf32, strided<[?, 1]>>, %y: memref<2x2xf32>) {
  // expected-error @below {{expects static strides, but got 'memref<2x2xf32, strided<[?, 1]>>'}}
  boostrt.copy ins(%x : memref<2x2xf32, strided<[?, 1]>>) outs(%y : memref<2x2xf32>)
  return
}

// -----

func.func @one_buffer(%x: memref<4xf32>) {
  // expected-error @below {{expects outs that share no memory with other operands, but operands 0 and 1 are one buffer}}
  boostrt.copy ins(%x : memref<4xf32>) outs(%x : memref<4xf32>)
  return
}

// -----

func.func @no_outs() {
  // expected-error @below {{expects one out or more, but got none}}
  "boostrt.all_reduce"() <{reduction = #boost<reduction sum>, group = 1 : i32}> : () -> ()
  return
}

// -----

func.func @unknown(%x: tensor<4xf32>) {
  // expected-error @below {{has an attribute 'boostrt.nothing' that boostrt does not know}}
  boostrt.probe %x as "x" site 0 sharding <{}> {boostrt.nothing} : tensor<4xf32>
  return
}

// -----

func.func @lists(%x: tensor<4xf32>) {
  // expected-error @below {{expects 'boostrt.reads' to be an array of lists of i64, but got [1]}}
  boostrt.probe %x as "x" site 0 sharding <{}> {boostrt.reads = [1]} : tensor<4xf32>
  return
}

// -----

// expected-error @below {{expects 'boostrt.arguments' to be a list of i64, but got 1 : i64}}
func.func @list() attributes {boostrt.arguments = 1 : i64} {
  return
}

// -----

// expected-error @below {{expects 'boostrt.extent' to be an i64 of at least 0, but got -1 : i64}}
func.func @count() attributes {boostrt.extent = -1 : i64} {
  return
}

// -----

func.func @names(%x: tensor<4xf32>) {
  // expected-error @below {{expects 'boostrt.axes' to be an array of names, but got "tp"}}
  %0 = boostrt.all_reduce sum group 1 outs(%x : tensor<4xf32>) {boostrt.axes = "tp"} -> tensor<4xf32>
  return
}
