//===- Passes.td - Passes on the boost dialect -------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes that read and write boost and StableHLO operations, in the order of
// the pipeline.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOST_TRANSFORMS_PASSES_TD
#define BOOST_MLIR_DIALECT_BOOST_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// Structure
//===----------------------------------------------------------------------===//

def AnnotateRegionsPass : Pass<"boost-annotate-regions", "::mlir::func::FuncOp"> {
  let summary = "Say of every operation which part of the model it is in.";
  let description = [{
    Sets `boost.region` on the operations of a function, so that collectives,
    bytes and time can later be counted per part:

    | region | operations |
    |---|---|
    | `embedding` | `boost.embedding` and what only prepares its ids |
    | `loss` | `boost.cross_entropy` and everything that follows from it |
    | `head` | the linear that makes the logits, what stands between it and the loss, and the norm read by nothing else |
    | `block` | everything between |

    An operation that does not depend on the embedding (a rotary table, a slice
    of a stacked parameter) belongs where its users are if they agree. Constants
    belong nowhere. Only reports read regions. The linear that makes the logits
    also gets `shard_output`, which placement and partition read.

    ```mlir
    // Before
    %e = boost.embedding %t, %ids : ...
    %l = boost.linear %e, %w : ...
    // After
    %e = boost.embedding %t, %ids {boost.region = "embedding"} : ...
    %l = boost.linear %e, %w {boost.region = "block"} : ...
    ```

    Arithmetic: exact, only attributes change. Never fails; existing regions are
    replaced.
  }];
}

def GroupLinearsPass : Pass<"boost-group-linears", "::mlir::func::FuncOp"> {
  let summary = "Make bottlenecks that share an input one.";
  let description = [{
    Bottlenecks that read the same value (through the same norm), with the same
    activation, become one `boost.bottleneck`:

    - Their first factors are packed side by side: one product on the way down,
      and backward one for its weight and one for its input. Of equal ranks they
      make a tensor [d, branches, r], which can still be cut along r; of
      different ones a matrix [d, sum of ranks].
    - Second factors of equal shape are packed as [branches, r, n]: one batched
      product, which reads its columns of the latent where they are. Those of
      another shape (keys and values with fewer heads) make a product of their
      own.

    A packed parameter is one argument, with the tensors that users know in
    `boost.parts`: initial values, files, checkpoints and reports are theirs.
    Nothing is copied when the program runs. A parameter that holds one matrix
    per layer is packed as such, together with the matrices of all layers.

    Left alone are weights that are no argument, or that something else reads as
    well, and plain linears: of those that share an input the sums are already
    taken together, and a product as wide as all of them gains little.

    ```mlir
    // Before
    %q = boost.bottleneck %n down(%aq) up(%bq) : ...
    %k = boost.bottleneck %n down(%ak) up(%bk) : ...
    // After, with %a [d, 2, r] and %b [2, r, n]
    %qk = boost.bottleneck %n down(%a) up(%b)
        : tensor<4x16x64xf32> down tensor<64x2x8xf32> up tensor<2x8x64xf32> -> tensor<2x4x16x64xf32>
    ```

    Arithmetic: reassociating (the gradient of the input is one sum). Never
    fails.
  }];
  let dependentDialects = ["::mlir::boost::BoostDialect",
                           "::mlir::boost::stablehlo::StableHLODialect"];
}

def OnlineRMSNormPass : Pass<"boost-online-rms-norm", "::mlir::func::FuncOp"> {
  let summary = "Apply norms after the products that read them.";
  let description = [{
    `RMSNorm(x; gamma, eps) . W = ((x * gamma) . W) * rsqrt(mean(x^2) + eps)`:
    the scale is one number per row, so it may be applied to the product. Where
    the width of x is cut over ranks, the sum of squares is then a partial sum
    beside that of the product, and both can be completed together; and backward
    the gradient of the statistic comes from the product, which every rank has
    whole, so that it needs no collective.

    - A `boost.bottleneck` that reads a norm takes it over as `norm(...)`;
      boost-decompose-bottleneck writes it as above.
    - A `boost.linear` that reads a norm and gives less than it takes is written
      so here. One that gives more is left alone: its sum is taken over a whole
      input, and the scale would cost more products than it saves.
    - Other users keep the norm itself. The statistic is the same expression
      everywhere, so one is left after CSE.
    - In f16, a product of what is not normalized could leave the range. There a
      linear is rewritten only if its input is a sum with a term that has a norm
      too, whose scale then says how large the input is.

    ```mlir
    // Before
    %n = boost.rms_norm %x, %g {eps = 1.0e-6 : f64} : tensor<4x16x64xf32>, tensor<64xf32>
    %q = boost.bottleneck %n down(%a) up(%b) activation(silu) : ...
    // After
    %q = boost.bottleneck %x norm(%g, 1.0e-6) down(%a) up(%b) activation(silu) : ...
    ```

    Arithmetic: reassociating. Never fails.
  }];
  let options = [
    Option<"allLinears", "all-linears", "bool", "false",
           "Also linears that give as much as they take, or more">
  ];
  let dependentDialects = ["::mlir::boost::BoostDialect",
                           "::mlir::boost::stablehlo::StableHLODialect"];
}

//===----------------------------------------------------------------------===//
// Placement and decomposition
//===----------------------------------------------------------------------===//

def FindLayersPass : Pass<"boost-find-layers", "::mlir::func::FuncOp"> {
  let summary = "Say of every operation which layer of the model it is in.";
  let description = [{
    Sets `boost.layer` on the operations of the layers of a loss. Every later
    pass hands the attribute on: to what it makes of an operation, and to the
    gradient of it. Recomputation, merging and reports go by layers, and find
    none by themselves.

    The residual stream is the backbone: the values of the largest type to which
    the loss adds several times what it has computed from them. Where all
    earlier values of that type have been read for the last time, the stream
    alone carries the loss on; without additions, where one value alone is live.
    Between two such places lies a segment. The heavy operations of a segment
    (linears, bottlenecks, attention, products) are its kind. Layers are the
    units of segments that repeat: all begin with a segment of the same kind or
    all end with one. A model whose layers alternate between two kinds, or with
    one odd layer, has layers all the same.

    Layers of one class compute the same: operations, attributes, types and
    constants agree, parameters may differ. Scans are unrolled by then, so that
    a scanned model has the layers of the unrolled one.

    What does not depend on activations (a slice of a stacked parameter, a mask)
    belongs to a layer if nothing else reads it. The embedding, the head, and
    what several layers share are outside.

    ```mlir
    // Before
    %y = boost.linear %x, %w : ...
    %x1 = stablehlo.add %x, %y : ...
    %z = boost.linear %x1, %v : ...
    %x2 = stablehlo.add %x1, %z : ...
    // After
    %y = boost.linear %x, %w {boost.layer = #boost.layer<class = 0, index = 0>} : ...
    %x1 = stablehlo.add %x, %y {boost.layer = #boost.layer<class = 0, index = 0>} : ...
    %z = boost.linear %x1, %v {boost.layer = #boost.layer<class = 0, index = 1>} : ...
    %x2 = stablehlo.add %x1, %z {boost.layer = #boost.layer<class = 0, index = 1>} : ...
    ```

    Arithmetic: exact, only attributes change. Never fails; existing layers are
    replaced. A loss in which nothing repeats has no layers.
  }];
  let dependentDialects = ["::mlir::boost::BoostDialect"];
}

def PlacePass : Pass<"boost-place", "::mlir::ModuleOp"> {
  let summary = "Decide how parameters and batch are sharded over the mesh.";
  let description = [{
    Writes `shard.grid @mesh` and, on every argument and result of `@loss`,
    `boost.sharding`: for each dimension the mesh axes over which it is sharded,
    in order. On arguments
    `boost.reason` says why. What is between follows by propagation.

    | placement | parameters | stream |
    |---|---|---|
    | `bottleneck` | first factors row-parallel, second ones column-parallel, gammas and embedding along the hidden dimension | cut along the hidden dimension |
    | `megatron` | linears that read a whole value column-parallel, those that read a cut one row-parallel; bottlenecks along their rank | whole |
    | `replicated` | whole | whole; the batch is cut by all axes |
    | `given` | as `boost.sharding` on them says, else whole | follows |

    In the first two the head is vocabulary-parallel and attention is cut by
    heads; the batch is cut by `dp`. The batch is the rows of the ids that an
    embedding looks up, else those of the first batch argument; arguments with
    other rows, such as positions and masks that all sequences share, are whole.
    A linear that reads a whole value and gives fewer columns than that has, in a
    number that does not divide, is row-parallel (a gate, a router). A parameter that two operations want cut
    differently stays as the first one, in program order, wants it: a table that
    is also the head is cut along the hidden dimension under `bottleneck`, and
    along the vocabulary under `megatron`, where an embedding alone is whole.
    Plain linears beside bottlenecks alternate as under `megatron`. `auto` is
    `bottleneck` if there is a bottleneck, else `megatron`. The head is a linear
    with `shard_output`, so boost-annotate-regions comes first.

    A mesh may have any axes. The rules know `dp` and `tp`; over others arguments
    are sharded as `boost.sharding` or `boost.hint` says.

    A matrix that none of these rules cuts over `tp`, and that is no table to
    look up, is named in a remark.

    Under `auto`, arguments with a `boost.hint`, which says how the program that
    was imported shards them itself, are cut so, before any rule. An axis of a
    hint is the mesh axis of the same name, or else the only one of the same
    size. A hint that names no axis of the mesh, or asks for a cut that does not
    divide, is not followed, with a remark. All hints are removed.

    ```mlir
    // Before
    func.func @loss(%a: tensor<64x16xf32> {boost.tensor = #boost.tensor<param "q.down">}, ...)
    // After, with mesh="dp=2,tp=2"
    shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}
    func.func @loss(%a: tensor<64x16xf32> {boost.tensor = #boost.tensor<param "q.down">, boost.sharding = #boost.sharding<{"tp"}, {}>,
        boost.reason = "first factor: row-parallel, the sum is taken at the rank"}, ...)
    ```

    Arithmetic: exact, only attributes are written. Fails, with the sizes that
    would do, when the mesh does not divide heads, widths, vocabulary or batch,
    when a given sharding does not fit, or when an axis that the rules do not know
    shards no argument.
  }];
  let options = [
    Option<"meshText", "mesh", "std::string", "\"1\"",
           "Axes and their sizes, as in 'dp=2,tp=4'; a number alone is tp">,
    Option<"placement", "placement", "std::string", "\"auto\"",
           "auto, bottleneck, megatron, replicated or given">,
    Option<"explain", "explain", "bool", "false",
           "Emit a remark with the reason for every argument">
  ];
  let dependentDialects = ["::mlir::boost::BoostDialect", "::mlir::shard::ShardDialect"];
}

def DecomposeBottleneckPass : Pass<"boost-decompose-bottleneck"> {
  let summary = "Write bottlenecks as linears and elementwise operations.";
  let description = [{
    The latent is a linear, plus the latent operand if there is one; silu is
    `h * logistic(h)`; each branch is a linear of its columns of the latent. A
    norm is applied to the product: `((x * gamma) . down) * rsqrt(mean(x^2) +
    eps)`, so that its gradient needs no collective. In f16 x is multiplied by a
    power of two near the scale of the norm before it on the same residual
    stream, and the product is divided by it; the first norm of a stream is
    written as a `boost.rms_norm` before the product. Operations keep the
    `boost.region` of the bottleneck.

    ```mlir
    // Before
    %y = boost.bottleneck %x down(%a) up(%b) activation(silu) : ...
    // After
    %h = boost.linear %x, %a : (tensor<4x16x64xf32>, tensor<64x8xf32>) -> tensor<4x16x8xf32>
    %g = stablehlo.logistic %h : tensor<4x16x8xf32>
    %z = stablehlo.multiply %h, %g : tensor<4x16x8xf32>
    %y = boost.linear %z, %b : (tensor<4x16x8xf32>, tensor<8x64xf32>) -> tensor<4x16x64xf32>
    ```

    Arithmetic: reassociating with a norm, exact without one. Never fails.
  }];
  let dependentDialects = ["::mlir::boost::BoostDialect",
                           "::mlir::boost::stablehlo::StableHLODialect"];
}

def DecomposeRMSNormPass : Pass<"boost-decompose-rms-norm"> {
  let summary = "Write norms as StableHLO operations.";
  let description = [{
    The statistic is taken in f32 (f64 for f64 input); the result is rounded to
    the element type of gamma before gamma is applied. Operations keep the
    `boost.region` of the norm.

    ```mlir
    // Before
    %y = boost.rms_norm %x, %gamma {eps = 1.0e-6 : f64} : tensor<4x64xf32>, tensor<64xf32>
    // After
    %s = stablehlo.multiply %x, %x : tensor<4x64xf32>
    %t = stablehlo.reduce(%s init: %zero) applies stablehlo.add across dimensions = [1] : ...
    %m = stablehlo.divide %t, %size : tensor<4xf32>
    %v = stablehlo.add %m, %eps : tensor<4xf32>
    %r = stablehlo.rsqrt %v : tensor<4xf32>
    %b = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<4xf32>) -> tensor<4x64xf32>
    %n = stablehlo.multiply %x, %b : tensor<4x64xf32>
    %g = stablehlo.broadcast_in_dim %gamma, dims = [1] : (tensor<64xf32>) -> tensor<4x64xf32>
    %y = stablehlo.multiply %n, %g : tensor<4x64xf32>
    ```

    Arithmetic: exact. Never fails.
  }];
  let dependentDialects = ["::mlir::boost::BoostDialect",
                           "::mlir::boost::stablehlo::StableHLODialect"];
}

//===----------------------------------------------------------------------===//
// Differentiation and optimizer
//===----------------------------------------------------------------------===//

def DifferentiatePass : Pass<"boost-differentiate", "::mlir::ModuleOp"> {
  let summary = "Add @gradient: the loss and its gradient by every parameter.";
  let description = [{
    Reverse mode over the single block of `@loss`. `@gradient` takes the same
    arguments; it repeats the forward pass, marks where the backward pass begins
    and returns the loss and one gradient per parameter, of the role `gradient`,
    named `grad.NAME` and sharded like the parameter.
    Arguments of the batch get no gradient, integer ones or not.

    Only what lies between a parameter and the loss is differentiated, by the
    `DifferentiableOpInterface` of each operation. Gradient operations take the
    location and the `boost.region` of the operation they differentiate.

    ```mlir
    // Before
    func.func @loss(%x: tensor<4xf32> {boost.tensor = #boost.tensor<param "x">},
                    %y: tensor<4xf32> {boost.tensor = #boost.tensor<batch "y">})
        -> tensor<f32> {
      %0 = stablehlo.multiply %x, %y : tensor<4xf32>
      %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0]
      return %1 : tensor<f32>
    }
    // After: @loss, and
    func.func @gradient(%x: ..., %y: ...)
        -> (tensor<f32> {boost.tensor = #boost.tensor<loss "loss">},
            tensor<4xf32> {boost.tensor = #boost.tensor<gradient "grad.x", of = "x">}) {
      %0 = stablehlo.multiply %x, %y : tensor<4xf32>
      %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0]
      boost.phase backward
      %one = stablehlo.constant dense<1.0> : tensor<f32>
      %2 = stablehlo.broadcast_in_dim %one, dims = [] : (tensor<f32>) -> tensor<4xf32>
      %3 = stablehlo.multiply %2, %y : tensor<4xf32>
      return %1, %3 : tensor<f32>, tensor<4xf32>
    }
    ```

    Arithmetic: exact derivatives; where there is none, JAX's choice. Sums of
    bf16 values are taken in f32. Needs: decomposed bottlenecks and norms.
    Fails, with the parameter it concerns, at an operation without a gradient; a
    parameter that the loss does not depend on is a remark and gets zeros.
  }];
  let dependentDialects = ["::mlir::boost::BoostDialect",
                           "::mlir::boost::stablehlo::StableHLODialect"];
}

def AddOptimizerPass : Pass<"boost-add-optimizer", "::mlir::ModuleOp"> {
  let summary = "Add @step: one update of every parameter by AdamW.";
  let description = [{
    `@step` takes the parameters, the two moments of each (f32 states of the
    kinds `m` and `v`, named `adamw.m.NAME` and `adamw.v.NAME`), the batch, and
    as f32 scalars the hyper-parameters of the kinds `lr`, `step` (from 1) and
    `clip_norm`. It returns the loss, the metric `grad_norm`, and the new
    parameters and moments as the arguments they replace. `boost.optimizer` on
    the module says with which options.

    ```mlir
    // After: the operations of @gradient, then
    boost.phase optimizer
    %s = boost.sum_of_squares %ga, %gb : (tensor<64x16xf32>, tensor<64xf32>) -> tensor<f32>
    %norm = stablehlo.sqrt %s : tensor<f32>
    ...                             // scale, see below
    %a1, %ma1, %va1 = boost.adamw %a, %ma, %va, %ga lr %lr step %step scale %scale {...}
    ```

    Gradients are scaled to a global norm of at most `clip_norm` as PyTorch's
    `clip_grad_norm_` does, by `min(1, clip_norm / (norm + 1e-6))`; not at all
    if `clip_norm` is 0 or less. `grad_norm` is the norm before. Decay is
    decoupled and applies to parameters that say `decay = true`.

    With `accumulate=N`, instead of `@step`: `@accumulate` adds the gradients of
    one micro-batch to f32 sums (role `accumulator`, named `acc.NAME`), and
    `@update` applies their mean over N and returns zeros for the sums. Nothing
    but the update reads them, so ranks need not add up their parts before. A gradient that is rounded only to be returned
    is added before it is rounded.

    The update reads and writes parameters in their own type. Those of bf16 and
    f16 are named in a warning: what is less than half a unit in their last place
    does not move them.

    Arithmetic: exact. Needs: `@gradient`, and `decay` of every parameter. Fails
    without them, and where a parameter or the batch has the name of a tensor that
    the pass adds.
  }];
  let options = [
    Option<"optimizer", "optimizer", "std::string", "\"adamw\"",
           "The optimizer: adamw">,
    Option<"beta1", "beta1", "double", "0.9", "Decay of the first moment">,
    Option<"beta2", "beta2", "double", "0.95", "Decay of the second moment">,
    Option<"eps", "eps", "double", "1e-8",
           "Added to the root of the second moment">,
    Option<"weightDecay", "weight-decay", "double", "0.1",
           "Decoupled weight decay of the parameters that decay">,
    Option<"accumulate", "accumulate", "int64_t", "1",
           "Micro-batches per update">
  ];
  let dependentDialects = ["::mlir::boost::BoostDialect",
                           "::mlir::boost::stablehlo::StableHLODialect"];
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

def InsertProbesPass : Pass<"boost-insert-probes", "::mlir::ModuleOp"> {
  let summary = "Make the function that `eval --verify` runs.";
  let description = [{
    Copies the training step, `@step` (or `@gradient` where there is none), to
    `@verify` and puts a `boost.probe` behind every floating-point tensor that is

    - the result of a product, a reduction, or an operation of the model
      (embedding, attention, loss, norm, optimizer);
    - the end of a chain of elementwise operations: read by something else than
      one other elementwise operation;
    - a gradient of a parameter, or a result of the function.

    Constants and what only moves elements are left out: an error there is seen
    at the next operation. The functions that train stay as they are; `@verify`
    differs from them in what elementwise operations are fused, which changes no
    result.

    Probes are named after a result or a gradient (`grad.NAME`), else after the
    operation and the parameters that it reads.

    ```mlir
    // Before
    func.func @step(...) {
      %h = boost.linear %x, %w : ...
    // After
    func.func @step(...) { ... }
    func.func @verify(...) {
      %h = boost.linear %x, %w : ...
      boost.probe %h as "linear layers.0.attn.q.down" site 0 {boost.phase = "forward"} : ...
    ```

    Arithmetic: exact. Needs: boost-differentiate before. Fails if there is no
    `@gradient`, or `@verify` exists already.
  }];
  let dependentDialects = ["::mlir::boost::BoostDialect"];
}

//===----------------------------------------------------------------------===//
// Sharding
//===----------------------------------------------------------------------===//

def PropagateShardingsPass
    : Pass<"boost-propagate-shardings", "::mlir::func::FuncOp"> {
  let summary = "Infer how every value is sharded from arguments and results.";
  let description = [{
    Sweeps over the function forwards and backwards: where an operand or result
    is sharded along a loop of the operation's sharding rule, the other tensors
    with that loop are sharded alike, over the axes in the same order. Stops when
    nothing changes. A dimension no one says anything about stays open; it is not
    taken to be replicated. Where loops compete for a mesh axis, the one of the
    biggest tensor gets it, and what is known is never changed.

    ```mlir
    // Before: %x is <{"dp"}, {}, {"tp"}>, %w is <{"tp"}, {}>
    %h = boost.linear %x, %w : ...
    %z = stablehlo.tanh %h : ...
    // After
    %h = boost.linear %x, %w {boost.shardings = [#boost.sharding<{"dp"}, {}, {}>]} : ...
    %z = stablehlo.tanh %h {boost.shardings = [#boost.sharding<{"dp"}, {}, {}>]} : ...
    ```

    Arithmetic: exact, only attributes change. Needs: `shard.grid @mesh` and
    `boost.sharding` on every argument and result. Fails, naming the tensor, where
    one is missing or a dimension does not divide.
  }];
  let dependentDialects = ["::mlir::boost::BoostDialect"];
}

def PartitionPass : Pass<"boost-partition", "::mlir::ModuleOp"> {
  let summary = "Rewrite functions of global tensors to the program of one rank.";
  let description = [{
    Goes through the operations of each function in order and keeps, for each
    value, the forms in which ranks hold it: how its dimensions are sharded, and
    over which axes it is only a term of a sum. For each operation the cheapest way to spread its
    loops is chosen by the bytes it makes ranks send, given those forms and what
    boost-propagate-shardings inferred.

    A partial sum is passed on through operations that are additive in it and
    completed where it is smallest; one that only the optimizer or the caller
    reads waits until then. A form once made is reused by all later users.
    Several steps from one form to another are ordered slices, reductions,
    all-to-alls, gathers. A dimension keeps the first axes that both forms have:
    from `{"tp"}` to `{"tp", "dp"}` nothing is sent. A `boost.probe` has no say in this: it shows every form
    that is made of its value.

    An accumulator that a function only adds to and returns stays partial
    over the axes over which the terms are: the shardings of the argument and the
    result name them, in every function that has the sum. It is completed
    where another function reads it.

    ```mlir
    // Before: contraction over a dimension cut by tp
    %h = boost.linear %x, %w : (tensor<4x8x64xf32>, tensor<64x16xf32>) -> tensor<4x8x16xf32>
    %z = stablehlo.tanh %h : tensor<4x8x16xf32>
    // After, tp = 2
    %p = boost.linear %x, %w : (tensor<4x8x32xf32>, tensor<32x16xf32>) -> tensor<4x8x16xf32>
    %h = boost.all_reduce sum %p on @mesh axes = [0] {boost.region = "block"} : tensor<4x8x16xf32>
    %z = stablehlo.tanh %h : tensor<4x8x16xf32>
    ```

    Collectives are `boost.all_reduce` and those of the `shard` dialect. Each has
    `boost.region`: that of the operation whose sum it completes, `gradients` for
    a weight gradient, else that of the operation that needs it. The loss becomes
    StableHLO on the rank's part of the vocabulary. An activation of `@loss` that
    has to be gathered is named in a remark.

    Arithmetic: reassociating (sums over ranks). Sets `boost.level = "spmd"` on
    the module. Keeps `boost.sharding`: types become local, so the global type is
    the local one times the axes. Fails as boost-propagate-shardings does, and on
    programs already partitioned.
  }];
  let dependentDialects = ["::mlir::boost::BoostDialect",
                           "::mlir::boost::stablehlo::StableHLODialect",
                           "::mlir::shard::ShardDialect"];
}

def VerifySpmdPass : Pass<"boost-verify-spmd", "::mlir::ModuleOp"> {
  let summary = "Check that ranks communicate exactly what their program needs.";
  let description = [{
    Follows, from `boost.sharding` of the arguments on, how each value is sharded
    and over which axes it is a partial result, by the same sharding rules as
    boost-partition but without its choices. Refuses, at the operation:

    - operands whose matching dimensions are cut differently, or a dimension cut
      that the operation needs whole;
    - a partial sum that is read as if it were complete;
    - a collective over an axis along which there is nothing to reduce, gather or
      cut, over an axis of one rank, or without `boost.region`;
    - a sum of squares of operands cut over different axes, which would count
      some elements more often than others;
    - a result that is not sharded, or not partial, as its `boost.sharding` says;
    - a probe that says something else of its input;
    - `boost.bottleneck`, `boost.rms_norm` and `boost.cross_entropy`.

    ```mlir
    %h = boost.linear %x, %w : ...      // contraction over a cut dimension
    %z = stablehlo.tanh %h : ...
    // error: 'stablehlo.tanh' op reads operand #0, a partial result over axis
    // 'tp', as if it were complete; an all-reduce is missing
    ```

    Dimensions of which nothing is known (those a broadcast adds, an iota) fit
    anything. Arithmetic: exact, nothing is changed.
  }];
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

def SimplifyCollectivesPass
    : Pass<"boost-simplify-collectives", "::mlir::func::FuncOp"> {
  let summary = "Remove collectives that move or reduce nothing new.";
  let description = [{
    | found | becomes |
    |---|---|
    | a collective over axes of one rank | its operand |
    | the maximum (minimum) of a value that already is the maximum over these axes | that value |
    | an all-reduce of an all-reduce with no other user, same reduction, other axes | one over both |
    | a result of an all-reduce that no one reads, or an operand given twice | gone |
    | an all-reduce with no other user, then a slice over one of its axes | a reduce-scatter |
    | a gather, then a slice of the same dimension over the same axis | the operand |
    | a gather, then a slice of another dimension over the same axis | an all-to-all |
    | a slice, then a gather of the same dimension over the same axis | the operand |

    Collectives are pure: those that no one reads and equal ones go by
    canonicalization and common subexpression elimination.

    ```mlir
    // Before
    %h = boost.all_reduce sum %p on @mesh axes = [0] : tensor<4x64xf32>
    %s = shard.all_slice %h on @mesh grid_axes = [0] slice_axis = 1
        : tensor<4x64xf32> -> tensor<4x32xf32>
    // After
    %s = shard.reduce_scatter %p on @mesh grid_axes = [0] scatter_axis = 1
        : tensor<4x64xf32> -> tensor<4x32xf32>
    ```

    Arithmetic: reassociating (the order of the sums over ranks), else exact.
    Needs: the program of one rank. Never fails where there is a mesh.
  }];
  let dependentDialects = ["::mlir::boost::BoostDialect",
                           "::mlir::shard::ShardDialect"];
}

def MergeCollectivesPass
    : Pass<"boost-merge-collectives", "::mlir::func::FuncOp"> {
  let summary = "Launch independent all-reduces together.";
  let description = [{
    All-reduces of the same reduction over the same axes, in the same phase,
    become one `boost.all_reduce` with several tensors where none
    depends on another: the statistic of a norm with the projection, q with k and
    v, gate with up. One pays the latency of a message once.

    Going through the function, each one joins the last of its kind. The two meet
    at the later one, to which the earlier one and what reads it sink, or at the
    earlier one, to which the later one and what it needs rise: where the most
    bytes in use at once are fewer. If these are more than before and what
    travels, the two stay apart.

    Past the forward pass, all-reduces whose results only the optimizer or the
    caller read are those of gradients. They are first moved to where their
    operand is ready, into the backward pass, and fill buckets of up to
    `bucket-bytes`, each launched when its last gradient is ready.

    ```mlir
    // Before
    %s = boost.all_reduce sum %sp on @mesh axes = [0] : tensor<4x16xf32>
    %r = stablehlo.rsqrt %s : tensor<4x16xf32>
    %hp = boost.linear %x, %a : (tensor<4x16x8xf32>, tensor<8x4xf32>) -> tensor<4x16x4xf32>
    %h = boost.all_reduce sum %hp on @mesh axes = [0] : tensor<4x16x4xf32>
    // After
    %hp = boost.linear %x, %a : (tensor<4x16x8xf32>, tensor<8x4xf32>) -> tensor<4x16x4xf32>
    %sh:2 = boost.all_reduce sum %sp, %hp on @mesh axes = [0]
        : tensor<4x16xf32>, tensor<4x16x4xf32>
    %r = stablehlo.rsqrt %sh#0 : tensor<4x16xf32>
    ```

    Arithmetic: reassociating (the order in which ranks are added may depend on
    the size of a message). Needs: the program of one rank. Fails on a negative
    `bucket-bytes`; 0 leaves gradients alone.
  }];
  let options = [
    Option<"bucketBytes", "bucket-bytes", "int64_t", "26214400",
           "The most bytes of gradients that one launch reduces">
  ];
  let dependentDialects = ["::mlir::boost::BoostDialect"];
}

//===----------------------------------------------------------------------===//
// Rematerialization
//===----------------------------------------------------------------------===//

def RematerializePass : Pass<"boost-rematerialize", "::mlir::func::FuncOp"> {
  let summary = "Compute forward values again where the backward pass reads them.";
  let description = [{
    Decides, in functions with a `boost.phase backward`, which forward values
    are kept until the backward pass and computes the others again just before
    they are read there. What is kept is a minimum cut: every value is an edge
    whose capacity is its bytes; what may not be recomputed is a source, what
    the backward pass reads drains into the sink. Arguments and constants cost
    nothing. Of several minimum cuts the one that recomputes least is taken.

    Classes of operations that may be recomputed:

    | class | operations |
    |---|---|
    | `elementwise` | passes over memory: elementwise, reductions, data movement |
    | `up-projection` | products with at least as many elements as their operand |
    | `down-projection` | products with fewer |
    | `attention` | `boost.attention` |

    `mode` names sets of them: `none` has none, `low-rank` all but
    `down-projection`. A collective is never recomputed, except by `full-block`:
    it keeps the inputs of layers alone and repeats everything else, as
    checkpointing frameworks do, and is there to be compared with. In every mode
    what costs no pass over memory is recomputed: views, and functions of one
    value that are fused with what reads them (`logistic`, conversions, masks).

    Layers are those of `boost.layer`; without any, the forward pass is one. The
    inputs of layers are always kept, since a value of one layer must not be
    recomputed from the layer before. Outside the layers only what is free is
    recomputed: the backward pass reads the values of the head at once.

    Clones read kept values through `stablehlo.optimization_barrier`, which
    keeps common subexpression elimination from undoing the recomputation.
    They have `boost.recomputed`, by which the memory plan counts their results.
    `boost.kept_bytes` on the function is what is kept outside the layers and in
    each of them.

    ```mlir
    // Before
    %h = boost.all_reduce sum %p ...
    %s = stablehlo.logistic %h
    %z = stablehlo.multiply %h, %s
    %y = boost.linear %z, %b
    boost.phase backward
    %db = stablehlo.dot_general %z, %dy, ...
    // After, mode=low-rank: %h is kept, %s and %z are not
    boost.phase backward
    %k = stablehlo.optimization_barrier %h
    %s2 = stablehlo.logistic %k {boost.recomputed}
    %z2 = stablehlo.multiply %k, %s2 {boost.recomputed}
    %db = stablehlo.dot_general %z2, %dy, ...
    ```

    Arithmetic: exact, the same operations on the same operands. Never fails but
    on an unknown mode or class.
  }];
  let options = [
    Option<"mode", "mode", "std::string", "\"none\"",
           "none, low-rank or full-block">,
    ListOption<"recompute", "recompute", "std::string",
               "Classes that may be recomputed, instead of those of the mode">,
    Option<"layers", "layers", "int64_t", "-1",
           "Layers that this concerns, from the first; negative for all">,
    ListOption<"others", "others", "std::string",
               "Classes that may be recomputed in the layers behind those">,
    Option<"explain", "explain", "bool", "false",
           "Emit a remark for every value that is kept">
  ];
  let dependentDialects = ["::mlir::boost::stablehlo::StableHLODialect"];
}

#endif // BOOST_MLIR_DIALECT_BOOST_TRANSFORMS_PASSES_TD
