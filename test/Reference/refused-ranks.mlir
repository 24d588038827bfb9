// RUN: not boost-eval %s --function=in_region 2>&1 | FileCheck %s --check-prefix=REGION
// RUN: not boost-eval %s --function=maximum 2>&1 | FileCheck %s --check-prefix=MAXIMUM
// RUN: sed 's/shape = 2x2/shape = 2x1024/' %s > %t-1024.mlir
// RUN: not boost-eval %t-1024.mlir --function=too_long 2>&1 | FileCheck %s --check-prefix=LONG
// RUN: not boost-eval %s --function=too_large 2>&1 | FileCheck %s --check-prefix=LARGE
// RUN: not boost-eval %s --function=differs 2>&1 | FileCheck %s --check-prefix=DIFFERS
// RUN: not boost-eval %s --function=scattered 2>&1 | FileCheck %s --check-prefix=SCATTERED
// RUN: not boost-eval %s --function=buffer 2>&1 | FileCheck %s --check-prefix=BUFFER
// RUN: not boost-eval %s --function=dynamic 2>&1 | FileCheck %s --check-prefix=DYNAMIC
// RUN: not boost-eval %s --function=buffer_result 2>&1 | FileCheck %s --check-prefix=RESULT
// RUN: not boost-eval %s --function=blocks 2>&1 | FileCheck %s --check-prefix=BLOCKS
// RUN: boost-eval %s --function=sums | FileCheck %s --check-prefix=SUMS
// What a program of several ranks cannot say, and partial sums that it can.

module attributes {boost.level = "spmd"} {
  shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}

  func.func @in_region(%x: tensor<f32>) -> tensor<f32> {
    %p = stablehlo.constant dense<true> : tensor<i1>
    %0 = "stablehlo.if"(%p) ({
      // REGION: refused-ranks.mlir:[[@LINE+1]]:{{[0-9]+}}: error: 'boost.all_reduce' op is a collective inside a region
      %s = boost.all_reduce sum %x on @mesh axes = [0] : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }, {
      stablehlo.return %x : tensor<f32>
    }) : (tensor<i1>) -> tensor<f32>
    return %0 : tensor<f32>
  }

  // MAXIMUM: refused-ranks.mlir:[[@LINE+1]]:3: error: expects a partial sum, but got #boost.sharding<{}, partial = max {"tp"}> for 'out0'
  func.func @maximum(%x: tensor<4xf32>) -> (tensor<4xf32> {boost.sharding = #boost.sharding<{}, partial = max {"tp"}>}) {
    return %x : tensor<4xf32>
  }
  // LONG: 1024.mlir:[[@LINE+1]]:3: error: expects fewer than 2^63 elements in dimension 1 of 'x' on all ranks
  func.func @too_long(%x: tensor<1x9007199254740992xi8> {boost.sharding = #boost.sharding<{}, {"tp"}>, boost.name = "x"}) {
    return
  }
  // 256 TiB on each of four ranks.
  // LARGE: refused-ranks.mlir:[[@LINE+1]]:3: error: 'func.func' op needs 1048576.0 GiB to evaluate
  func.func @too_large(%x: tensor<32768x1073741824xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>}) {
    return
  }

  // DIFFERS: error: result 'out0' differs between ranks: rank 0 has 0 where another has 3
  func.func @differs() -> tensor<i32> {
    %0 = boost.process_index on @mesh axes = [0, 1] : tensor<i32>
    return %0 : tensor<i32>
  }
  // Shards agree between ranks of another row only.
  // SCATTERED: error: result 'out0' differs between ranks: rank 0 has 0 where another has 2
  func.func @scattered() -> (tensor<1xi32> {boost.sharding = #boost.sharding<{"tp"}>}) {
    %0 = boost.process_index on @mesh axes = [0, 1] : tensor<i32>
    %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
    return %1 : tensor<1xi32>
  }

  func.func private @allocate() -> memref<4xf32>
  func.func @buffer() {
    // BUFFER: refused-ranks.mlir:[[@LINE+1]]:{{[0-9]+}}: error: expects tensors to evaluate, but got 'memref<4xf32>'
    %0 = call @allocate() : () -> memref<4xf32>
    return
  }
  // DYNAMIC: refused-ranks.mlir:[[@LINE+1]]:3: error: expects statically shaped tensors to evaluate, but got 'tensor<?xf32>'
  func.func @dynamic(%x: tensor<?xf32>) {
    return
  }
  // RESULT: refused-ranks.mlir:[[@LINE+1]]:3: error: expects statically shaped tensors to evaluate, but got 'memref<4xf32>'
  func.func @buffer_result() -> memref<4xf32> {
    %0 = call @allocate() : () -> memref<4xf32>
    return %0 : memref<4xf32>
  }
  // BLOCKS: refused-ranks.mlir:[[@LINE+1]]:3: error: expects a function of one block to evaluate
  func.func @blocks(%x: tensor<f32>) -> tensor<f32> {
    cf.br ^next
  ^next:
    return %x : tensor<f32>
  }

  // Terms of sums over two ranks, whose shards lie on the other axis, and over all ranks; integers wrap.
  // SUMS: out0 {{.*}} [2, 4]
  // SUMS: out1 {{.*}} [6]
  // SUMS: out2 {{.*}} [-2147483648]
  func.func @sums() -> (tensor<1xi32> {boost.sharding = #boost.sharding<{"tp"}, partial = sum {"dp"}>},
                        tensor<f32> {boost.sharding = #boost.sharding<partial = sum {"dp", "tp"}>},
                        tensor<i32> {boost.sharding = #boost.sharding<partial = sum {"tp"}>}) {
    %rank = boost.process_index on @mesh axes = [0, 1] : tensor<i32>
    %0 = stablehlo.reshape %rank : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.convert %rank : (tensor<i32>) -> tensor<f32>
    %2 = stablehlo.constant dense<1073741824> : tensor<i32>
    return %0, %1, %2 : tensor<1xi32>, tensor<f32>, tensor<i32>
  }
}
