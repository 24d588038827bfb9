//===- PartitionPasses.td - From all ranks to one ----------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes of the stage partition. The stages after it run the verification again.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOST_TRANSFORMS_PARTITIONPASSES_TD
#define BOOST_MLIR_DIALECT_BOOST_TRANSFORMS_PARTITIONPASSES_TD

include "mlir/Pass/PassBase.td"

def PropagateShardingsPass
    : Pass<"boost-propagate-shardings", "::mlir::func::FuncOp"> {
  let summary = "Infer the sharding of every value from arguments and results.";
  let description = [{
    Sweeps over the function forwards and backwards. If an operand or result
    is sharded along a loop of the operation's sharding rule, the other tensors
    with that loop get the same sharding of it, with the axes in the same order. The
    pass stops when nothing changes. A dimension without information stays open; it is
    not assumed to be replicated, unless the function returns the value. If loops
    compete for a mesh axis, the loop of the biggest tensor gets it. Known shardings
    never change: neither those that `boost.shardings` already gives, as after the
    searched placement, nor the loop of a `boost.spread`. Constants propagate nothing.

    ```mlir
    shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}
    func.func @f(%x: tensor<4x8x64xf32> {boost.sharding = #boost.sharding<{"dp"}, {}, {"tp"}>},
                 %w: tensor<64x16xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>})
        -> (tensor<4x8x16xf32> {boost.sharding = #boost.sharding<{"dp"}, {}, {}>}) {
      %h = boost.linear %x, %w : (tensor<4x8x64xf32>, tensor<64x16xf32>) -> tensor<4x8x16xf32>
      %z = stablehlo.tanh %h : tensor<4x8x16xf32>
      return %z : tensor<4x8x16xf32>
    }
    // becomes
    shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}
    func.func @f(%x: tensor<4x8x64xf32> {boost.sharding = #boost.sharding<{"dp"}, {}, {"tp"}>},
                 %w: tensor<64x16xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>})
        -> (tensor<4x8x16xf32> {boost.sharding = #boost.sharding<{"dp"}, {}, {}>}) {
      %0 = boost.linear %x, %w {boost.shardings = [#boost.sharding<{"dp"}, {}, {}>]}
          : (tensor<4x8x64xf32>, tensor<64x16xf32>) -> tensor<4x8x16xf32>
      %1 = stablehlo.tanh %0 {boost.shardings = [#boost.sharding<{"dp"}, {}, {}>]}
          : tensor<4x8x16xf32>
      return %1 : tensor<4x8x16xf32>
    }
    ```

    Arithmetic: exact, only attributes change. Needs: `shard.grid @mesh` and
    `boost.sharding` on every argument and result. Fails, and names the tensor, if
    a sharding is missing, does not divide a dimension, or shards the dimension along
    which tensors are packed.
  }];
  let dependentDialects = ["::mlir::boost::BoostDialect"];
}

def PartitionPass : Pass<"boost-partition", "::mlir::ModuleOp"> {
  let summary = "Rewrite functions on global tensors to the program of one rank.";
  let description = [{
    Visits the operations of each function in order and records, for each
    value, the forms in which ranks hold it: how its dimensions are sharded, and
    over which axes it is only a term of a sum. For each operation it chooses the way to
    spread the loops for which ranks send the fewest bytes, given these forms and the
    result of boost-propagate-shardings. Over an axis that `boost.spread` names
    there is no choice: the operation is spread along that loop, or along none, and
    its operands are converted to the required form. Dimensions that do not belong to
    one loop are refused.

    A partial sum is passed on through operations that are additive in it and
    completed at its smallest size. If only the optimizer or the caller reads it,
    it is completed there. Partial sums that are wanted in shards are added before they
    are scattered, also where each is multiplied by what all ranks have. Later users
    reuse a form that already exists. A sharded value from which several are computed
    that products need whole is gathered once, in place of each of them.
    If several steps are needed between two forms, the order is slices, reductions,
    all-to-alls, gathers. A dimension keeps the leading axes that both forms have:
    from `{"tp"}` to `{"tp", "dp"}` nothing is sent. A `boost.probe` does not influence
    these choices: it shows every form that is made of its value.

    An accumulator that a function only adds to and returns stays partial
    over the axes over which the terms are partial. The shardings of the argument and
    the result name these axes in every function that uses the sum. It is completed
    when another function reads it.

    ```mlir
    shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}
    func.func @f(%x: tensor<4x8x64xf32> {boost.sharding = #boost.sharding<{}, {}, {"tp"}>},
                 %w: tensor<64x16xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>})
        -> (tensor<4x8x16xf32> {boost.sharding = #boost.sharding<{}, {}, {}>}) {
      %h = boost.linear %x, %w : (tensor<4x8x64xf32>, tensor<64x16xf32>) -> tensor<4x8x16xf32>
      %z = stablehlo.tanh %h : tensor<4x8x16xf32>
      return %z : tensor<4x8x16xf32>
    }
    // becomes
    module attributes {boost.level = "spmd"} {
      shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}
      func.func @f(%x: tensor<4x8x32xf32> {boost.sharding = #boost.sharding<{}, {}, {"tp"}>},
                   %w: tensor<32x16xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>})
          -> (tensor<4x8x16xf32> {boost.sharding = #boost.sharding<{}, {}, {}>}) {
        %0 = boost.linear %x, %w
            : (tensor<4x8x32xf32>, tensor<32x16xf32>) -> tensor<4x8x16xf32>
        %1 = boost.all_reduce sum %0 on @mesh axes = [0] {boost.component = "block"}
            : tensor<4x8x16xf32>
        %2 = stablehlo.tanh %1 : tensor<4x8x16xf32>
        return %2 : tensor<4x8x16xf32>
      }
    }
    ```

    Collectives are `boost.all_reduce` and those of the `shard` dialect. Each gets the
    `boost.component` of the operation whose sum it completes, `gradients` for
    a weight gradient, or else that of the operation that needs it. The loss becomes
    StableHLO on the rank's part of the vocabulary. A remark names each activation of
    `@loss` that has to be gathered.

    Arithmetic: reassociating (sums over ranks). Sets `boost.level = "spmd"` on
    the module. Keeps `boost.sharding`: types become local, so a global dimension is
    the local one times the sizes of its axes. Fails as boost-propagate-shardings does,
    and on programs that are already partitioned.
  }];
  let dependentDialects = ["::mlir::boost::BoostDialect",
                           "::mlir::boost::stablehlo::StableHLODialect",
                           "::mlir::shard::ShardDialect"];
  let options = [
    Option<"machine", "machine", "std::string", "\"\"",
           "File of the machine for which the time of different ways to compute an "
           "operation is predicted; without one, machines/reference.json">];
}

def VerifySpmdPass : Pass<"boost-verify-spmd", "::mlir::ModuleOp"> {
  let summary = "Check that ranks communicate exactly what the program needs.";
  let description = [{
    Follows each value from `boost.sharding` of the arguments on: how it is sharded,
    and over which axes it is a partial result. The sharding rules are those of
    boost-partition, but there are no choices. Refuses, at the operation:

    - operands whose matching dimensions are sharded differently, and sharded dimensions
      that the operation needs unsharded;
    - a partial sum that is read as if it were complete;
    - a collective over an axis along which there is nothing to reduce or gather or
      that already shards the value, over an axis of one rank, or without
      `boost.component`;
    - a sum of squares of operands sharded over different axes, which would count
      some elements more often than others;
    - a result that is not sharded, or not partial, as its `boost.sharding` says;
    - a probe whose sharding differs from that of its input;
    - `boost.bottleneck`, `boost.layer_norm`, `boost.rms_norm` and `boost.cross_entropy`.

    ```mlir
    module attributes {boost.level = "spmd"} {
      shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}
      func.func @f(%x: tensor<8x32xf32> {boost.sharding = #boost.sharding<{}, {"tp"}>},
                   %w: tensor<32x4xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>})
          -> (tensor<8x4xf32> {boost.sharding = #boost.sharding<{}, {}>}) {
        %h = boost.linear %x, %w : (tensor<8x32xf32>, tensor<32x4xf32>) -> tensor<8x4xf32>
        // error: reads operand #0, a partial result over axis 'tp', as if it were
        //   complete; an all-reduce is missing
        %z = stablehlo.tanh %h : tensor<8x4xf32>
        return %z : tensor<8x4xf32>
      }
    }
    ```

    Dimensions of unknown sharding (those that a broadcast adds, an iota) match
    anything. Arithmetic: exact, nothing is changed.
  }];
}

#endif // BOOST_MLIR_DIALECT_BOOST_TRANSFORMS_PARTITIONPASSES_TD
