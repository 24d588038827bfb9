//===- CollectivesPasses.td - Fewer collectives ------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes of the stage collectives.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOST_TRANSFORMS_COLLECTIVESPASSES_TD
#define BOOST_MLIR_DIALECT_BOOST_TRANSFORMS_COLLECTIVESPASSES_TD

include "mlir/Pass/PassBase.td"

def SimplifyCollectivesPass
    : Pass<"boost-simplify-collectives", "::mlir::func::FuncOp"> {
  let summary = "Remove collectives that have no effect and combine others.";
  let description = [{
    | pattern | becomes |
    |---|---|
    | a collective over axes of one rank | its operand |
    | the maximum (minimum) of a value that is already the maximum over these axes | that value |
    | an all-reduce of an all-reduce with no other user, same reduction, other axes | one over both |
    | an unused result of an all-reduce, or an operand given twice | removed |
    | an all-reduce with no other user, then a slice over one of its axes | a reduce-scatter |
    | a gather, then a slice of the same dimension over the same axis | the operand |
    | a gather, then a slice of another dimension over the same axis | an all-to-all |
    | a slice, then a gather of the same dimension over the same axis | the operand |

    Collectives are pure: canonicalization removes unused ones, and common
    subexpression elimination merges equal ones.

    ```mlir
    shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}
    func.func @f(%p: tensor<4x64xf32>) -> tensor<4x32xf32> {
      %h = boost.all_reduce sum %p on @mesh axes = [0] : tensor<4x64xf32>
      %s = shard.all_slice %h on @mesh grid_axes = [0] slice_axis = 1
          : tensor<4x64xf32> -> tensor<4x32xf32>
      return %s : tensor<4x32xf32>
    }
    // becomes
    shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}
    func.func @f(%p: tensor<4x64xf32>) -> tensor<4x32xf32> {
      %reduce_scatter = boost.reduce_scatter sum %p dims = [1] on @mesh axes = [0]
          : (tensor<4x64xf32>) -> tensor<4x32xf32>
      return %reduce_scatter : tensor<4x32xf32>
    }
    ```

    Arithmetic: reassociating (the order of the sums over ranks), else exact.
    Needs: the program of one rank. Never fails where there is a mesh.
  }];
  let dependentDialects = ["::mlir::boost::BoostDialect",
                           "::mlir::shard::ShardDialect"];
}

def MergeCollectivesPass
    : Pass<"boost-merge-collectives", "::mlir::func::FuncOp"> {
  let summary = "Merge independent collectives into one launch.";
  let description = [{
    All-reduces, reduce-scatters and all-gathers of the same kind over the same
    axes, in the same phase, become one operation with several tensors if they do not
    depend on each other: the statistic of a norm with the projection, q with k and
    v, gate with up. The latency of a message is then paid once. Types, shapes and the
    dimensions of gathers and scatters may differ.

    In program order, each collective joins the last one of its kind. They merge either
    at the later one, to which the earlier one and its readers sink, or at the
    earlier one, to which the later one and its operands rise, whichever has the
    smaller peak of live bytes. If this peak exceeds the previous one by more than the
    bytes that are sent, the two are not merged.

    After the forward pass, collectives whose results only the optimizer or the
    caller reads are those of gradients and of updated parameters. They first
    move to the point where their operand is ready, those of gradients into the backward
    pass. They then fill buckets of up to `bucket-bytes`, each of which is launched when
    its last operand is ready. A bucket is full if the next collective in that order
    does not fit, so buckets depend only on the sizes of operands and on the order in
    which they become ready. The size of a tensor is the number of bytes
    that are reduced or gathered, not that of a rank's piece.

    ```mlir
    shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}
    func.func @f(%sp: tensor<4x16xf32>, %x: tensor<4x16x8xf32>, %a: tensor<8x4xf32>)
        -> (tensor<4x16xf32>, tensor<4x16x4xf32>) {
      %s = boost.all_reduce sum %sp on @mesh axes = [0] : tensor<4x16xf32>
      %r = stablehlo.rsqrt %s : tensor<4x16xf32>
      %hp = boost.linear %x, %a : (tensor<4x16x8xf32>, tensor<8x4xf32>) -> tensor<4x16x4xf32>
      %h = boost.all_reduce sum %hp on @mesh axes = [0] : tensor<4x16x4xf32>
      return %r, %h : tensor<4x16xf32>, tensor<4x16x4xf32>
    }
    // becomes
    shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}
    func.func @f(%sp: tensor<4x16xf32>,
                 %x: tensor<4x16x8xf32>,
                 %a: tensor<8x4xf32>) -> (tensor<4x16xf32>, tensor<4x16x4xf32>) {
      %0 = boost.linear %x, %a : (tensor<4x16x8xf32>, tensor<8x4xf32>) -> tensor<4x16x4xf32>
      %1:2 = boost.all_reduce sum %sp, %0 on @mesh axes = [0]
          : tensor<4x16xf32>, tensor<4x16x4xf32>
      %2 = stablehlo.rsqrt %1#0 : tensor<4x16xf32>
      return %2, %1#1 : tensor<4x16xf32>, tensor<4x16x4xf32>
    }
    ```

    Arithmetic: reassociating (the order in which ranks are added may depend on
    the size of a message). Needs: the program of one rank. Fails on a negative
    `bucket-bytes`; 0 leaves gradients and updated parameters alone.
  }];
  let options = [
    Option<"bucketBytes", "bucket-bytes", "int64_t", "26214400",
           "Largest number of bytes of gradients or parameters in one launch">
  ];
  let dependentDialects = ["::mlir::boost::BoostDialect"];
}

#endif // BOOST_MLIR_DIALECT_BOOST_TRANSFORMS_COLLECTIVESPASSES_TD
