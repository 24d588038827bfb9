//===- PlacePasses.td - Shardings of arguments -------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes of the stage place, and the one that shortens programs to price placements.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOST_TRANSFORMS_PLACEPASSES_TD
#define BOOST_MLIR_DIALECT_BOOST_TRANSFORMS_PLACEPASSES_TD

include "mlir/Pass/PassBase.td"

def SplitBatchPass : Pass<"boost-split-batch", "::mlir::func::FuncOp"> {
  let summary = "Rewrite a loss to one micro-batch of the batch.";
  let description = [{
    Divides the rows of the batch by `micro-batches` and rewrites `@loss` so that
    the mean of its values over the micro-batches, and the mean of their gradients,
    equal those of the batch. `boost-add-schedules` and `boost-build-step` compute these
    means.

    Each value of the loss is either equal in all micro-batches, or divided
    by rows, or the mean of the micro-batches' values. The sharding rules of the
    operations determine which, as they do for ranks that share a batch: a sum over rows
    becomes the mean of `micro-batches` times the partial sums, and operations
    that are linear in means produce means.

    ```mlir
    // boost-opt --boost-split-batch="micro-batches=2"
    func.func @loss(%x: tensor<4x8xf32> {boost.tensor = #boost.tensor<batch "x">}) -> tensor<f32> {
      %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0, 1]
          : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
      return %0 : tensor<f32>
    }
    // becomes
    func.func @loss(%x: tensor<2x8xf32> {boost.micro_batches = 2 : i64, boost.tensor = #boost.tensor<batch "x">})
        -> tensor<f32> {
      %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0, 1]
          : (tensor<2x8xf32>, tensor<f32>) -> tensor<f32>
      %two = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %1 = stablehlo.multiply %0, %two : tensor<f32>
      return %1 : tensor<f32>
    }
    ```

    Arithmetic: reassociating, since the loss becomes a mean over micro-batches; exact
    for one micro-batch, which changes nothing. Fails if the number does not divide the
    batch, and if the loss is not a mean over sequences: for example if it divides by a
    count over the batch, takes a maximum over it, or depends on the position of a
    sequence in it.
  }];
  let dependentDialects = ["::mlir::boost::BoostDialect",
                           "::mlir::boost::stablehlo::StableHLODialect"];
  let options = [
    Option<"microBatches", "micro-batches", "int64_t", "1",
           "Number of parts of the batch that are computed one after another">];
}

def PlacePass : Pass<"boost-place", "::mlir::ModuleOp"> {
  let summary = "Decide how parameters and batch are sharded over the mesh.";
  let description = [{
    Writes `shard.grid @mesh`, and `boost.sharding` on every argument and result of
    `@loss`: for each dimension, the mesh axes over which it is sharded, in order.
    `boost.reason` on arguments says why. The shardings of other values follow by
    propagation.

    | placement | parameters | stream |
    |---|---|---|
    | `bottleneck` | first factors row-parallel, second ones column-parallel, gammas and embedding along the hidden dimension | sharded along the hidden dimension |
    | `megatron` | linears with a replicated input column-parallel, those with a sharded one row-parallel; bottlenecks along their rank, or by heads at attention | replicated |
    | `vanilla` | as `megatron`, but all bottlenecks along their rank; every rank computes the attention of all heads | replicated |
    | `sequence` | as `bottleneck`; latents are sharded along the sequence | sharded along the hidden dimension |
    | `gathered` | as `bottleneck`; if there are three or more branches, the first factor is replicated and its input gathered | sharded along the hidden dimension |
    | `vocabulary-embedding` | as `bottleneck`; the embedding along the vocabulary | sharded along the hidden dimension |
    | `hidden-head` | as `bottleneck`; the head row-parallel | sharded along the hidden dimension |
    | `searched` | the placement that is predicted to be fastest on `machine`, equal for layers of one class | follows |
    | `replicated` | replicated | replicated; the batch is sharded over all axes |
    | `given` | as the arguments' `boost.sharding` says, otherwise replicated | follows |

    `searched` decides over `tp` for the whole loss at once: it chooses the loop
    along which each operation is spread, and the dimension along which each argument is
    sharded. The price is the sum of computation, memory traffic and collectives of all
    operations and values, forward and backward. Dynamic programming finds its exact
    minimum. Bottlenecks and norms are decomposed first. Results
    of operations get `boost.shardings` too, since they need not follow from
    arguments. With `explain`, `boost.reason` gives the cost of the best other sharding
    of an argument. Fails if the decisions of a loss depend on each other in too
    many ways; warns if the cheapest placement shards nothing, or nothing is divisible.

    Some placements say more than the shardings of arguments can express. They write
    `boost.spread` on operations, and `boost.shardings` for the results of these
    operations, so that communication does not depend on prices. `sequence` and
    `gathered` do so on the products of bottlenecks, which they decompose,
    `vocabulary-embedding` on look-ups, and `hidden-head` on the head.

    In all placements above `searched` in the table, the head is vocabulary-parallel and
    attention is sharded by heads unless the table says otherwise. Keys and values of a
    single head, and values from which only they are computed, are replicated.
    The batch is sharded over `dp`. The rows of the batch are those of the ids that an
    embedding looks up, or else those of the first batch argument. Arguments with
    other rows, such as positions and masks that all sequences share, are replicated.
    Other products with a weight, as of several experts, alternate too: with a replicated
    input the weight is sharded along the first of its dimensions that the result has and
    that `tp` divides, which is that of the experts or else their hidden one.
    A linear with a replicated input is row-parallel if its output is narrower than its
    input and `tp` does not divide it (a gate, a router). If two operations want a parameter
    sharded differently, the first one in program order decides: a table that
    is also the head is sharded along the hidden dimension under `bottleneck`, and
    along the vocabulary under `megatron`, where an embedding alone is replicated.
    A table of latents has no hidden dimension. It is sharded as the factor of the head
    that it also is, or else along the latents.
    Plain linears beside bottlenecks alternate as under `megatron`. Those with a
    `boost.factor` are sharded as the factors of a bottleneck if the residual stream is
    sharded along the hidden dimension, and all ranks repeat what stands between them
    if latents are replicated. The head is the
    linear with `shard_output`, so boost-annotate-components must run first. This pass
    does not decide which placement is fastest: boost-compile prices them.

    What is said of the weight of an operation goes back by sharding rules to all
    parameters that have the dimension, also where the weight is computed from several.
    Parameters without it are replicated: every rank reads all of them to compute its
    shard of the weight. If the weight is put together along the dimension, as a padded
    matrix or a part of one is, the parameter is sharded along another dimension,
    and exchanged.

    A mesh may have any axes. The rules know `dp` and `tp`; arguments are sharded over
    other axes as `boost.sharding` or `boost.hint` says.

    A remark names each matrix that none of these rules shards over `tp`, except tables
    for look-ups.

    With `follow-hints`, an argument with a `boost.hint`, which is the sharding in the
    imported program, is sharded in this way, before any rule applies. An axis of a
    hint is the mesh axis of the same name, or else the only one of the same
    size. A hint that names no axis of the mesh, or whose sharding is not divisible,
    is ignored with a remark. All hints are removed.

    ```mlir
    // boost-opt --boost-place="mesh=dp=2,tp=2"
    func.func @loss(%x: tensor<4x64xf32> {boost.tensor = #boost.tensor<batch "x">},
                    %a: tensor<64x16xf32> {boost.tensor = #boost.tensor<param "q.down">},
                    %b: tensor<16x64xf32> {boost.tensor = #boost.tensor<param "q.up">})
        -> (tensor<4x64xf32> {boost.tensor = #boost.tensor<output "y">}) {
      %y = boost.bottleneck %x down(%a) up(%b)
          : tensor<4x64xf32> down tensor<64x16xf32> up tensor<16x64xf32> -> tensor<4x64xf32>
      return %y : tensor<4x64xf32>
    }
    // becomes
    shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}
    func.func @loss(
        %x: tensor<4x64xf32> {boost.reason = "batch: every rank its own rows",
            boost.sharding = #boost.sharding<{"dp"}, {}>, boost.tensor = #boost.tensor<batch "x">},
        %a: tensor<64x16xf32>
            {boost.reason = "first factor: row-parallel, the sum is taken at the rank",
            boost.sharding = #boost.sharding<{"tp"}, {}>,
            boost.tensor = #boost.tensor<param "q.down">},
        %b: tensor<16x64xf32>
            {boost.reason = "second factor: column-parallel, the latent is replicated",
            boost.sharding = #boost.sharding<{}, {"tp"}>, boost.tensor = #boost.tensor<param "q.up">})
        -> (tensor<4x64xf32> {boost.sharding = #boost.sharding<{}, {}>,
            boost.tensor = #boost.tensor<output "y">}) {
      %results = boost.bottleneck %x down(%a) up(%b)
          : tensor<4x64xf32> down tensor<64x16xf32> up tensor<16x64xf32> -> tensor<4x64xf32>
      return %results : tensor<4x64xf32>
    }
    ```

    Arithmetic: reassociating, as boost-decompose-bottleneck is, under `sequence`,
    `gathered` and `searched`; otherwise exact, since only attributes change. Fails if
    the mesh does not divide heads, widths, vocabulary or batch, and lists the sizes that
    it could have; if a given sharding does not fit; if an axis that the rules do not know
    shards no argument; or for the placement `auto`, which boost-compile replaces.
  }];
  let options = [
    Option<"mesh", "mesh", "::mlir::boost::Mesh", "::mlir::boost::Mesh::ofTensorAxis(1)",
           "Axes and their sizes, as in 'dp=2,tp=4'; a number alone is tp">,
    Option<"placement", "placement", "::mlir::boost::PlacementKind",
           "::mlir::boost::PlacementKind::Bottleneck", "One of the table above">,
    Option<"machine", "machine", "std::string", "\"\"",
           "File of the machine that `searched` is priced on; without one, "
           "machines/reference.json">,
    Option<"followHints", "follow-hints", "bool", "false",
           "Shard arguments as the imported program says, where it does">,
    Option<"explain", "explain", "bool", "false",
           "Emit remarks about each sharding and its reason, once for equal layers">
  ];
  let dependentDialects = ["::mlir::boost::BoostDialect", "::mlir::shard::ShardDialect"];
}

def ShortenLayersPass : Pass<"boost-shorten-layers", "::mlir::func::FuncOp"> {
  let summary = "Keep only a few of the repeated layers.";
  let description = [{
    Finds the sequence of layers whose repetitions make up most of the loss, such
    as one layer or two that alternate, and keeps its first `repetitions`. Readers
    of a removed layer read the last kept one instead. Parameters without other
    readers are removed too, and later layers are
    renumbered. `boost.repetitions` on the function is the original number.

    The result is a different model with the same cost structure: the price
    of a repetition is the difference between programs with three and with two. The
    search for a placement prices candidates in this way.

    ```mlir
    // boost-opt --boost-shorten-layers="repetitions=1"
    func.func @loss(%x: tensor<4x8xf32>, %a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<4x8xf32> {
      %0 = boost.linear %x, %a {boost.layer = #boost.layer<class = 0, index = 0>}
          : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
      %1 = boost.linear %0, %b {boost.layer = #boost.layer<class = 0, index = 1>}
          : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
      return %1 : tensor<4x8xf32>
    }
    // becomes
    func.func @loss(%x: tensor<4x8xf32>, %a: tensor<8x8xf32>) -> tensor<4x8xf32>
        attributes {boost.repetitions = 2 : i64} {
      %0 = boost.linear %x, %a {boost.layer = #boost.layer<class = 0, index = 0>}
          : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
      return %0 : tensor<4x8xf32>
    }
    ```

    Arithmetic: not preserved (the result is priced, never run). Changes nothing
    if there are at most `repetitions` repetitions, or if
    an operation outside reads operations of a layer that have no counterpart in the
    layer that replaces it. Fails for `repetitions` below 1.
  }];
  let dependentDialects = ["::mlir::boost::BoostDialect"];
  let options = [
    Option<"repetitions", "repetitions", "int64_t", "2",
           "Number of repetitions to keep">];
}

#endif // BOOST_MLIR_DIALECT_BOOST_TRANSFORMS_PLACEPASSES_TD
