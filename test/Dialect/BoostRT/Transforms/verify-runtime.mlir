// RUN: boost-opt %s --boost-verify-runtime --split-input-file --verify-diagnostics

// Everything that does not belong is reported, with the pass that removes it.

// expected-error @below {{has no business at the runtime level; boostrt-bufferize should have removed it}}
func.func @tensors(%x: tensor<4xf32>) {
  // expected-error @below {{convert-stablehlo-to-linalg should have removed it}}
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  // expected-error @below {{convert-boost-to-runtime should have removed it}}
  boost.phase backward
  return
}

// -----

shard.grid @mesh(shape = 2)

func.func @memrefs(%arena: memref<64xi8>) {
  %c0 = arith.constant 0 : index
  %x = memref.view %arena[%c0][] : memref<64xi8> to memref<4xf32>
  boostrt.all_reduce sum group 1 outs(%x : memref<4xf32>)
  return
}
