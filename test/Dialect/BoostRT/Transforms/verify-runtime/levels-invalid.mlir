// RUN: boost-opt %s --boost-verify-runtime --split-input-file --verify-diagnostics
// Operations of the levels before, by what they are on: tensors among operands, results or arguments of blocks.

// expected-error @below {{is not an operation of the runtime level; boostrt-bufferize should have removed it}}
func.func @chlo(%x: tensor<4xf32>) {
  // expected-error @below {{convert-stablehlo-to-linalg should have removed it}}
  %0 = chlo.erf %x : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

// The mesh may stay, what refers to it may not.
shard.grid @mesh(shape = 2)
func.func @process() {
  // expected-error @below {{convert-boost-to-runtime should have removed it}}
  %0 = shard.process_linear_index on @mesh : index
  return
}

// -----

func.func @result_and_operand() {
  %c0 = arith.constant 0 : index
  // expected-error @below {{boostrt-bufferize should have removed it}}
  %0 = tensor.empty() : tensor<4xf32>
  // expected-error @below {{boostrt-bufferize should have removed it}}
  %1 = tensor.dim %0, %c0 : tensor<4xf32>
  return
}

// -----

func.func @copy(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error @below {{boostrt-outline-kernels should have removed it}}
  memref.copy %x, %y : memref<4xf32> to memref<4xf32>
  return
}

// -----

// Linalg operations are what kernels consist of, but kernels have no memory of their own and no loops that stand for
// kernels.
func.func private @kernel(%begin: index, %end: index, %x: memref<4xf32>) attributes {boost.kernel, boostrt.extent = 4 : i64} {
  // expected-error @below {{boostrt-plan-memory should have removed it}}
  %0 = memref.alloc() : memref<4xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%0 : memref<4xf32>)
  // expected-error @below {{boostrt-outline-kernels should have removed it}}
  boostrt.rows 4 outs(%x : memref<4xf32>) {
  ^bb0(%row: index, %out: memref<4xf32>):
  }
  return
}
