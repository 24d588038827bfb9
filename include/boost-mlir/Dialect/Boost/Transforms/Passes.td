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

def AnnotateComponentsPass : Pass<"boost-annotate-components", "::mlir::func::FuncOp"> {
  let summary = "Mark every operation with the component of the model it belongs to.";
  let description = [{
    Sets `boost.component` on the operations of a function, so that later stages can count
    collectives, bytes and time per component:

    | component | operations |
    |---|---|
    | `embedding` | `boost.embedding` and the operations that only prepare its ids |
    | `loss` | `boost.cross_entropy` and everything that depends on it |
    | `head` | the linear that produces the logits, the operations between it and the loss, and the norm that only it reads |
    | `block` | everything between |

    An operation that does not depend on the embedding (a rotary table, a slice
    of a stacked parameter) gets the component of its users if they agree. Constants
    have no component. Reports count by component, and predicted times depend on it:
    collectives of gradients and of the optimizer may be shared by several layers.
    The linear that produces the logits also gets `shard_output`, which placement and
    partition read.

    ```mlir
    func.func @loss(%t: tensor<64x16xf32>, %w: tensor<16x16xf32>, %u: tensor<64x16xf32>,
                    %ids: tensor<4xi32>, %labels: tensor<4xi32>) -> tensor<4xf32> {
      %e = boost.embedding %t, %ids : (tensor<64x16xf32>, tensor<4xi32>) -> tensor<4x16xf32>
      %h = boost.linear %e, %w : (tensor<4x16xf32>, tensor<16x16xf32>) -> tensor<4x16xf32>
      %l = boost.linear %h, %u transposed
          : (tensor<4x16xf32>, tensor<64x16xf32>) -> tensor<4x64xf32>
      %loss, %lse = boost.cross_entropy %l, %labels
          : (tensor<4x64xf32>, tensor<4xi32>) -> (tensor<4xf32>, tensor<4xf32>)
      return %loss : tensor<4xf32>
    }
    // becomes
    func.func @loss(%t: tensor<64x16xf32>,
                    %w: tensor<16x16xf32>,
                    %u: tensor<64x16xf32>,
                    %ids: tensor<4xi32>,
                    %labels: tensor<4xi32>) -> tensor<4xf32> {
      %0 = boost.embedding %t, %ids {boost.component = "embedding"}
          : (tensor<64x16xf32>, tensor<4xi32>) -> tensor<4x16xf32>
      %1 = boost.linear %0, %w {boost.component = "block"}
          : (tensor<4x16xf32>, tensor<16x16xf32>) -> tensor<4x16xf32>
      %2 = boost.linear %1, %u transposed shard_output {boost.component = "head"}
          : (tensor<4x16xf32>, tensor<64x16xf32>) -> tensor<4x64xf32>
      %loss, %lse = boost.cross_entropy %2, %labels {boost.component = "loss"}
          : (tensor<4x64xf32>, tensor<4xi32>) -> (tensor<4xf32>, tensor<4xf32>)
      return %loss : tensor<4xf32>
    }
    ```

    Arithmetic: exact, only attributes change. Never fails; existing components
    are replaced.
  }];
}

def LowerPrecisionPass : Pass<"boost-lower-precision", "::mlir::func::FuncOp"> {
  let summary = "Convert an f32 program to mixed precision.";
  let description = [{
    With `precision=bf16` the f32 parameters of a function become bf16, and so do
    the values computed from them:

    | operations | types |
    |---|---|
    | products, `boost.embedding`, `boost.attention`, `boost.layer_norm`, `boost.rms_norm` | bf16 in, bf16 out; sums, statistics and softmax in f32 |
    | `boost.cross_entropy` | bf16 or f32 in, f32 out |
    | additions, elementwise products, `tanh`, `logistic`, and operations that only move elements | bf16 if the operands are; f32 if one of them is f32 and not a constant |
    | reductions, exponentials, roots, the result of the function, and the rest | f32 |

    - A constant takes the type of the other operand, as in JAX.
    - The sum of a bf16 and an f32 value is bf16, so that the residual stream is bf16.
    - A value that is only read in f32, such as the squares that a variance sums, is
      computed in f32.
    - Values of other types do not change: a program of f64 is left alone, and so are
      conversions in the program.

    ```mlir
    // boost-opt --boost-lower-precision="precision=bf16"
    func.func @loss(%w: tensor<8x8xf32> {boost.tensor = #boost.tensor<param "w">},
                    %x: tensor<4x8xf32> {boost.tensor = #boost.tensor<batch "x">}) -> tensor<f32> {
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %y = boost.linear %x, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
      %z = stablehlo.tanh %y : tensor<4x8xf32>
      %h = boost.linear %z, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
      %s = stablehlo.reduce(%h init: %zero) applies stablehlo.add across dimensions = [0, 1]
          : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
      return %s : tensor<f32>
    }
    // becomes
    func.func @loss(%w: tensor<8x8xbf16> {boost.tensor = #boost.tensor<param "w">},
                    %x: tensor<4x8xf32> {boost.tensor = #boost.tensor<batch "x">}) -> tensor<f32> {
      %low = stablehlo.convert %x : (tensor<4x8xf32>) -> tensor<4x8xbf16>
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %y = boost.linear %low, %w : (tensor<4x8xbf16>, tensor<8x8xbf16>) -> tensor<4x8xbf16>
      %z = stablehlo.tanh %y : tensor<4x8xbf16>
      %h = boost.linear %z, %w : (tensor<4x8xbf16>, tensor<8x8xbf16>) -> tensor<4x8xbf16>
      %wide = stablehlo.convert %h : (tensor<4x8xbf16>) -> tensor<4x8xf32>
      %s = stablehlo.reduce(%wide init: %zero) applies stablehlo.add across dimensions = [0, 1]
          : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
      return %s : tensor<f32>
    }
    ```

    boost-add-optimizer then keeps f32 copies of the parameters as optimizer state.

    Arithmetic: approximate (4e-3). With `precision=f32`, the default, the pass
    changes nothing. Never fails.
  }];
  let options = [
    Option<"precision", "precision", "::mlir::boost::PrecisionKind",
           "::mlir::boost::PrecisionKind::F32",
           "f32: the types of the program; bf16: mixed precision">
  ];
  let dependentDialects = ["::mlir::boost::BoostDialect",
                           "::mlir::boost::stablehlo::StableHLODialect"];
}

def GroupLinearsPass : Pass<"boost-group-linears", "::mlir::func::FuncOp"> {
  let summary = "Merge bottlenecks that share an input.";
  let description = [{
    Bottlenecks that read the same value (through the same norm), with the same
    activation, become one `boost.bottleneck`:

    - Their first factors are packed side by side, which gives one product in the
      forward pass, and one each for the gradients of the weight and of the input.
      Factors of equal rank become a tensor [d, branches, r], which can still be sharded
      along r; factors of different ranks become a matrix [d, sum of ranks].
    - Second factors of equal shape are packed as [branches, r, n]. This gives one
      batched product, which reads its columns of the latent in place. Factors of another
      shape (keys and values with fewer heads) form another product.

    Factors that are transposes of the stored parameters, with one row per output, are
    packed in the stored layout, [branches, r, d] and [branches, n, r], and read
    through one transpose. They are only grouped with each other.

    A packed parameter is one argument. `boost.parts` lists the tensors that it consists
    of; initial values, files, checkpoints and reports use their names.
    Nothing is copied when the program runs. A parameter that stacks one matrix
    per layer is packed as a whole, together with the matrices of all layers.

    Weights that are not arguments or have other readers are left alone. So are plain
    linears: the gradients of their common input are already added before they are
    reduced, and one wide product gains little.

    ```mlir
    func.func @loss(%x: tensor<4x64xf32> {boost.tensor = #boost.tensor<batch "x">},
                    %aq: tensor<64x8xf32> {boost.tensor = #boost.tensor<param "q.down">},
                    %bq: tensor<8x64xf32> {boost.tensor = #boost.tensor<param "q.up">},
                    %ak: tensor<64x8xf32> {boost.tensor = #boost.tensor<param "k.down">},
                    %bk: tensor<8x64xf32> {boost.tensor = #boost.tensor<param "k.up">})
        -> (tensor<4x64xf32>, tensor<4x64xf32>) {
      %q = boost.bottleneck %x down(%aq) up(%bq)
          : tensor<4x64xf32> down tensor<64x8xf32> up tensor<8x64xf32> -> tensor<4x64xf32>
      %k = boost.bottleneck %x down(%ak) up(%bk)
          : tensor<4x64xf32> down tensor<64x8xf32> up tensor<8x64xf32> -> tensor<4x64xf32>
      return %q, %k : tensor<4x64xf32>, tensor<4x64xf32>
    }
    // becomes
    func.func @loss(
        %arg0: tensor<4x64xf32> {boost.tensor = #boost.tensor<batch "x">},
        %arg1: tensor<64x2x8xf32> {boost.parts = [#boost.part<name = "q.down", dim = 1, offset = 0,
            shape = [64, 8]>, #boost.part<name = "k.down", dim = 1, offset = 1, shape = [64, 8]>],
            boost.tensor = #boost.tensor<param "{q,k}.down">},
        %arg2: tensor<2x8x64xf32> {boost.parts = [#boost.part<name = "q.up", dim = 0, offset = 0,
            shape = [8, 64]>, #boost.part<name = "k.up", dim = 0, offset = 1, shape = [8, 64]>],
            boost.tensor = #boost.tensor<param "{q,k}.up">})
        -> (tensor<4x64xf32>, tensor<4x64xf32>) {
      %results = boost.bottleneck %arg0 down(%arg1) up(%arg2)
          : tensor<4x64xf32> down tensor<64x2x8xf32> up tensor<2x8x64xf32>
          -> tensor<2x4x64xf32>
      %0 = stablehlo.slice %results [0:1, 0:4, 0:64]
          : (tensor<2x4x64xf32>) -> tensor<1x4x64xf32>
      %1 = stablehlo.reshape %0 : (tensor<1x4x64xf32>) -> tensor<4x64xf32>
      %2 = stablehlo.slice %results [1:2, 0:4, 0:64]
          : (tensor<2x4x64xf32>) -> tensor<1x4x64xf32>
      %3 = stablehlo.reshape %2 : (tensor<1x4x64xf32>) -> tensor<4x64xf32>
      return %1, %3 : tensor<4x64xf32>, tensor<4x64xf32>
    }
    ```

    Arithmetic: reassociating (the gradient of the input is one sum). Never
    fails.
  }];
  let dependentDialects = ["::mlir::boost::BoostDialect",
                           "::mlir::boost::stablehlo::StableHLODialect"];
}

def OnlineRMSNormPass : Pass<"boost-online-rms-norm", "::mlir::func::FuncOp"> {
  let summary = "Apply RMS norms after the products that read them.";
  let description = [{
    `RMSNorm(x; gamma, eps) . W = ((x * gamma) . W) * rsqrt(mean(x^2) + eps)`:
    the scale is one number per row, so it can be applied to the product. If
    the width of x is sharded, the sum of squares becomes a partial sum
    beside that of the product, and one collective can complete both. In the backward
    pass the gradient of the statistic comes from the product, which is complete on
    every rank, so it needs no collective.

    - A `boost.bottleneck` that reads a norm absorbs it as `norm(...)`;
      boost-decompose-bottleneck expands it as above.
    - A `boost.linear` that reads a norm and whose output is narrower than its input is
      rewritten directly. One with a wider output is left alone, so that the narrower
      side is scaled.
    - Other users keep the norm itself. The statistic is the same expression
      everywhere, so CSE leaves one of them.
    - In f16, a product of values that are not normalized could overflow. There, a
      linear is rewritten only if its input is a sum with a term that also has a norm,
      whose scale then tells how large the input is.

    ```mlir
    func.func @f(%x: tensor<4x64xf32>, %g: tensor<64xf32>, %a: tensor<64x8xf32>,
                 %b: tensor<8x64xf32>) -> tensor<4x64xf32> {
      %n = boost.rms_norm %x, %g {eps = 1.0e-6 : f64} : tensor<4x64xf32>, tensor<64xf32>
      %q = boost.bottleneck %n down(%a) up(%b) activation(silu)
          : tensor<4x64xf32> down tensor<64x8xf32> up tensor<8x64xf32> -> tensor<4x64xf32>
      return %q : tensor<4x64xf32>
    }
    // becomes
    func.func @f(%x: tensor<4x64xf32>,
                 %g: tensor<64xf32>,
                 %a: tensor<64x8xf32>,
                 %b: tensor<8x64xf32>) -> tensor<4x64xf32> {
      %results = boost.bottleneck %x norm(%g,
          9.9999999999999995E-7) down(%a) up(%b) activation(silu)
          : tensor<4x64xf32> norm tensor<64xf32> down tensor<64x8xf32> up tensor<8x64xf32>
          -> tensor<4x64xf32>
      return %results : tensor<4x64xf32>
    }
    ```

    Arithmetic: reassociating. Never fails.
  }];
  let options = [
    Option<"allLinears", "all-linears", "bool", "false",
           "Also rewrite linears whose output is as wide as their input, or wider">
  ];
  let dependentDialects = ["::mlir::boost::BoostDialect",
                           "::mlir::boost::stablehlo::StableHLODialect"];
}

def OnlineLayerNormPass : Pass<"boost-online-layer-norm", "::mlir::func::FuncOp"> {
  let summary = "Apply layer norms after the products that read them.";
  let description = [{
    `LayerNorm(x; gamma, beta, eps) . W = ((x * gamma) . W - mean(x) * (gamma . W))
    * rsqrt(var(x) + eps) + beta . W`, with `var(x) = mean(x^2) - mean(x)^2`. If
    the width of x is sharded, the sum of a row and that of its squares become partial
    sums beside that of the product, and one collective completes all of them. In the
    backward pass the gradients of both come from the product, which is complete on
    every rank, so they need no collective. The terms of gamma and beta are only one row
    each.

    - A `boost.bottleneck` that reads a layer norm absorbs it as
      `norm(gamma beta ..., eps)`; boost-decompose-bottleneck expands it as above.
    - A `boost.linear` that reads a layer norm and whose output is narrower than its
      input is rewritten directly. One with a wider output is left alone, as are other
      users.
    - In f16, the product of values that are not normalized could overflow, so linears
      are left alone.

    ```mlir
    func.func @f(%x: tensor<4x64xf32>, %g: tensor<64xf32>, %h: tensor<64xf32>,
                 %a: tensor<64x8xf32>, %b: tensor<8x64xf32>) -> tensor<4x64xf32> {
      %n = boost.layer_norm %x, %g, %h {eps = 0.0009765625 : f64}
          : tensor<4x64xf32>, tensor<64xf32>
      %q = boost.bottleneck %n down(%a) up(%b)
          : tensor<4x64xf32> down tensor<64x8xf32> up tensor<8x64xf32> -> tensor<4x64xf32>
      return %q : tensor<4x64xf32>
    }
    // becomes
    func.func @f(%x: tensor<4x64xf32>,
                 %g: tensor<64xf32>,
                 %h: tensor<64xf32>,
                 %a: tensor<64x8xf32>,
                 %b: tensor<8x64xf32>) -> tensor<4x64xf32> {
      %results = boost.bottleneck %x norm(%g beta %h, 9.765625E-4) down(%a) up(%b)
          : tensor<4x64xf32> norm tensor<64xf32> beta tensor<64xf32>
          down tensor<64x8xf32> up tensor<8x64xf32> -> tensor<4x64xf32>
      return %results : tensor<4x64xf32>
    }
    ```

    Arithmetic: reassociating. Never fails.
  }];
  let dependentDialects = ["::mlir::boost::BoostDialect",
                           "::mlir::boost::stablehlo::StableHLODialect"];
}

//===----------------------------------------------------------------------===//
// Placement and decomposition
//===----------------------------------------------------------------------===//

def FindLayersPass : Pass<"boost-find-layers", "::mlir::func::FuncOp"> {
  let summary = "Mark every operation with the layer it belongs to.";
  let description = [{
    Sets `boost.layer` on the operations of the layers of a loss. Every later
    pass propagates the attribute to the operations that replace an operation, and to
    those of its gradient. Recomputation, merging and reports use these layers and
    do not search for their own.

    The residual stream consists of the values of the largest type to which
    the loss repeatedly adds a function of them. In a loss without such additions every
    activation counts. At some positions all earlier values of the stream have had
    their last reader, so that the newest value alone is live.
    A segment is the code between two such positions. The kind of a segment is the list
    of its heavy operations (linears, bottlenecks, attention, products). Layers are the
    units of segments that repeat: all begin with a segment of the same kind, or
    all end with one. A model whose layers alternate between two kinds, or with
    one odd layer, still has layers.

    Layers of one class have equal operations, attributes, types and constants;
    parameters may differ. Scans are unrolled by then, so that a scanned model has
    the layers of the unrolled one.

    An operation that does not depend on activations (a slice of a stacked
    parameter, a mask) belongs to a layer if only that layer reads it. The embedding,
    the head, and operations that several layers share belong to no layer.

    ```mlir
    func.func @loss(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %v: tensor<8x8xf32>,
                    %head: tensor<8x16xf32>) -> tensor<4x16xf32> {
      %a = boost.linear %x, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
      %y = stablehlo.tanh %a : tensor<4x8xf32>
      %x1 = stablehlo.add %x, %y : tensor<4x8xf32>
      %b = boost.linear %x1, %v : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
      %z = stablehlo.tanh %b : tensor<4x8xf32>
      %x2 = stablehlo.add %x1, %z : tensor<4x8xf32>
      %l = boost.linear %x2, %head : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
      return %l : tensor<4x16xf32>
    }
    // becomes
    func.func @loss(%x: tensor<4x8xf32>,
                    %w: tensor<8x8xf32>,
                    %v: tensor<8x8xf32>,
                    %head: tensor<8x16xf32>) -> tensor<4x16xf32> {
      %0 = boost.linear %x, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
      %1 = stablehlo.tanh %0 : tensor<4x8xf32>
      %2 = stablehlo.add %x, %1 : tensor<4x8xf32>
      %3 = boost.linear %2, %v {boost.layer = #boost.layer<class = 0, index = 0>}
          : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
      %4 = stablehlo.tanh %3 {boost.layer = #boost.layer<class = 0, index = 0>}
          : tensor<4x8xf32>
      %5 = stablehlo.add %2, %4 {boost.layer = #boost.layer<class = 0, index = 0>}
          : tensor<4x8xf32>
      %6 = boost.linear %5, %head {boost.layer = #boost.layer<class = 1, index = 1>}
          : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
      return %6 : tensor<4x16xf32>
    }
    ```

    Arithmetic: exact, only attributes change. Never fails; existing layers are
    replaced. A loss in which nothing repeats has no layers.
  }];
  let dependentDialects = ["::mlir::boost::BoostDialect"];
}

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
    A linear with a replicated input is row-parallel if its output is narrower than its
    input and `tp` does not divide it (a gate, a router). If two operations want a parameter
    sharded differently, the first one in program order decides: a table that
    is also the head is sharded along the hidden dimension under `bottleneck`, and
    along the vocabulary under `megatron`, where an embedding alone is replicated.
    Plain linears beside bottlenecks alternate as under `megatron`. The head is the
    linear with `shard_output`, so boost-annotate-components must run first. This pass
    does not decide which placement is fastest: boost-compile prices them.

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

def DecomposeBottleneckPass : Pass<"boost-decompose-bottleneck"> {
  let summary = "Expand bottlenecks into linears and elementwise operations.";
  let description = [{
    The latent is a linear, plus the latent operand if there is one; silu is
    `h * logistic(h)`; each branch is a linear of its columns of the latent. A
    norm is applied to the product: `((x * gamma) . down) * rsqrt(mean(x^2) +
    eps)`, so that its gradient needs no collective. Layer norms become the formula of
    boost-online-layer-norm. In f16, x is multiplied by a
    power of two near the scale of the previous norm on the same residual
    stream, and the product is divided by it; the first norm of a stream becomes
    a `boost.rms_norm` before the product. The operations keep the
    `boost.component` of the bottleneck.

    ```mlir
    func.func @f(%x: tensor<4x64xf32>, %a: tensor<64x8xf32>, %b: tensor<8x64xf32>)
        -> tensor<4x64xf32> {
      %y = boost.bottleneck %x down(%a) up(%b) activation(silu)
          : tensor<4x64xf32> down tensor<64x8xf32> up tensor<8x64xf32> -> tensor<4x64xf32>
      return %y : tensor<4x64xf32>
    }
    // becomes
    func.func @f(%x: tensor<4x64xf32>,
                 %a: tensor<64x8xf32>,
                 %b: tensor<8x64xf32>) -> tensor<4x64xf32> {
      %0 = boost.linear %x, %a : (tensor<4x64xf32>, tensor<64x8xf32>) -> tensor<4x8xf32>
      %1 = stablehlo.logistic %0 : tensor<4x8xf32>
      %2 = stablehlo.multiply %0, %1 : tensor<4x8xf32>
      %3 = boost.linear %2, %b : (tensor<4x8xf32>, tensor<8x64xf32>) -> tensor<4x64xf32>
      return %3 : tensor<4x64xf32>
    }
    ```

    Arithmetic: reassociating with a norm, exact without one. Never fails.
  }];
  let dependentDialects = ["::mlir::boost::BoostDialect",
                           "::mlir::boost::stablehlo::StableHLODialect"];
}

def DecomposeLayerNormPass : Pass<"boost-decompose-layer-norm"> {
  let summary = "Expand layer norms into StableHLO operations.";
  let description = [{
    The statistics are the sum of a row and the sum of its squares, computed in f32 (f64
    for f64 input), with `var(x) = max(mean(x^2) - mean(x)^2, 0)`. The two sums can
    therefore be computed together instead of one after the other. The result is rounded
    to the element type of gamma before gamma and beta are applied. The operations keep
    the `boost.component` of the norm.

    ```mlir
    func.func @f(%x: tensor<4x64xf32>, %gamma: tensor<64xf32>, %beta: tensor<64xf32>)
        -> tensor<4x64xf32> {
      %y = boost.layer_norm %x, %gamma, %beta {eps = 0.0009765625 : f64}
          : tensor<4x64xf32>, tensor<64xf32>
      return %y : tensor<4x64xf32>
    }
    // becomes
    func.func @f(%arg0: tensor<4x64xf32>, %arg1: tensor<64xf32>, %arg2: tensor<64xf32>) -> tensor<4x64xf32> {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [1]
          : (tensor<4x64xf32>, tensor<f32>) -> tensor<4xf32>
      %cst_0 = stablehlo.constant dense<6.400000e+01> : tensor<4xf32>
      %1 = stablehlo.divide %0, %cst_0 : tensor<4xf32>
      %2 = stablehlo.multiply %arg0, %arg0 : tensor<4x64xf32>
      %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3 = stablehlo.reduce(%2 init: %cst_1) applies stablehlo.add across dimensions = [1]
          : (tensor<4x64xf32>, tensor<f32>) -> tensor<4xf32>
      %cst_2 = stablehlo.constant dense<6.400000e+01> : tensor<4xf32>
      %4 = stablehlo.divide %3, %cst_2 : tensor<4xf32>
      %5 = stablehlo.multiply %1, %1 : tensor<4xf32>
      %6 = stablehlo.subtract %4, %5 : tensor<4xf32>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<4xf32>
      %7 = stablehlo.maximum %6, %cst_3 : tensor<4xf32>
      %cst_4 = stablehlo.constant dense<9.765625E-4> : tensor<4xf32>
      %8 = stablehlo.add %7, %cst_4 : tensor<4xf32>
      %9 = stablehlo.rsqrt %8 : tensor<4xf32>
      %10 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<4xf32>) -> tensor<4x64xf32>
      %11 = stablehlo.subtract %arg0, %10 : tensor<4x64xf32>
      %12 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<4xf32>) -> tensor<4x64xf32>
      %13 = stablehlo.multiply %11, %12 : tensor<4x64xf32>
      %14 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<64xf32>) -> tensor<4x64xf32>
      %15 = stablehlo.multiply %13, %14 : tensor<4x64xf32>
      %16 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<64xf32>) -> tensor<4x64xf32>
      %17 = stablehlo.add %15, %16 : tensor<4x64xf32>
      return %17 : tensor<4x64xf32>
    }
    ```

    Arithmetic: reassociating (the variance). Never fails.
  }];
  let dependentDialects = ["::mlir::boost::BoostDialect",
                           "::mlir::boost::stablehlo::StableHLODialect"];
}

def DecomposeRMSNormPass : Pass<"boost-decompose-rms-norm"> {
  let summary = "Expand RMS norms into StableHLO operations.";
  let description = [{
    The statistic is computed in f32 (f64 for f64 input), and the result is rounded to
    the element type of gamma before gamma is applied. The operations keep the
    `boost.component` of the norm.

    ```mlir
    func.func @f(%x: tensor<4x64xf32>, %gamma: tensor<64xf32>) -> tensor<4x64xf32> {
      %y = boost.rms_norm %x, %gamma {eps = 1.0e-6 : f64} : tensor<4x64xf32>, tensor<64xf32>
      return %y : tensor<4x64xf32>
    }
    // becomes
    func.func @f(%x: tensor<4x64xf32>, %gamma: tensor<64xf32>) -> tensor<4x64xf32> {
      %0 = stablehlo.multiply %x, %x : tensor<4x64xf32>
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1]
          : (tensor<4x64xf32>, tensor<f32>) -> tensor<4xf32>
      %cst_0 = stablehlo.constant dense<6.400000e+01> : tensor<4xf32>
      %2 = stablehlo.divide %1, %cst_0 : tensor<4xf32>
      %cst_1 = stablehlo.constant dense<9.99999997E-7> : tensor<4xf32>
      %3 = stablehlo.add %2, %cst_1 : tensor<4xf32>
      %4 = stablehlo.rsqrt %3 : tensor<4xf32>
      %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<4xf32>) -> tensor<4x64xf32>
      %6 = stablehlo.multiply %x, %5 : tensor<4x64xf32>
      %7 = stablehlo.broadcast_in_dim %gamma, dims = [1]
          : (tensor<64xf32>) -> tensor<4x64xf32>
      %8 = stablehlo.multiply %6, %7 : tensor<4x64xf32>
      return %8 : tensor<4x64xf32>
    }
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
  let summary = "Add @gradient: the loss and its gradients by the parameters.";
  let description = [{
    Uses reverse-mode differentiation of the single block of `@loss`. `@gradient` takes
    the same arguments. It repeats the forward pass, marks the beginning of the backward
    pass, and returns the loss and one gradient per parameter, with the role `gradient`,
    the name `grad.NAME` and the sharding of the parameter.
    Batch arguments get no gradient, whether they are integers or floats.

    Only operations between a parameter and the loss are differentiated, by the
    `DifferentiableOpInterface` of each operation. Gradient operations get the
    location and the `boost.component` of the operation that they differentiate. If
    `boost.shardings` gives the sharding of a value, its gradient gets the same one. If
    `boost.spread` names the loop along which an operation is spread, the operations that
    compute gradients of its operands from its operands and from gradients of its
    results are spread along the same loop, or along that of its `boost.gradient_spread`.

    ```mlir
    func.func @loss(%x: tensor<4xf32> {boost.tensor = #boost.tensor<param "x">},
                    %y: tensor<4xf32> {boost.tensor = #boost.tensor<batch "y">})
        -> (tensor<f32> {boost.tensor = #boost.tensor<loss "loss">}) {
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %0 = stablehlo.multiply %x, %y : tensor<4xf32>
      %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0]
          : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
      return %1 : tensor<f32>
    }
    // becomes
    func.func @loss(%x: tensor<4xf32> {boost.tensor = #boost.tensor<param "x">},
                    %y: tensor<4xf32> {boost.tensor = #boost.tensor<batch "y">})
        -> (tensor<f32> {boost.tensor = #boost.tensor<loss "loss">}) {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %0 = stablehlo.multiply %x, %y : tensor<4xf32>
      %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [0]
          : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
      return %1 : tensor<f32>
    }
    func.func @gradient(
        %x: tensor<4xf32> {boost.tensor = #boost.tensor<param "x">},
        %y: tensor<4xf32> {boost.tensor = #boost.tensor<batch "y">})
        -> (tensor<f32> {boost.tensor = #boost.tensor<loss "loss">}, tensor<4xf32>
            {boost.tensor = #boost.tensor<gradient "grad.x", of = "x">}) {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %0 = stablehlo.multiply %x, %y : tensor<4xf32>
      %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [0]
          : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
      boost.phase backward
      %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4xf32>
      %3 = stablehlo.multiply %2, %y : tensor<4xf32>
      return %1, %3 : tensor<f32>, tensor<4xf32>
    }
    ```

    With `nondeterministic`, gradients of attention are marked so that a target may
    compute their sums in any order, which needs less memory on GPUs.

    Arithmetic: exact derivatives; JAX's choice at points without one. Sums of
    bf16 values are computed in f32. Needs: decomposed bottlenecks and norms.
    Fails at an operation without a gradient, and names the parameter that needs it.
    A parameter on which the loss does not depend gets zeros, with a remark.
  }];
  let options = [Option<"nondeterministic", "nondeterministic", "bool", [{false}],
                        "Let gradients of attention differ in their last bits from run to run">];
  let dependentDialects = ["::mlir::boost::BoostDialect",
                           "::mlir::boost::stablehlo::StableHLODialect"];
}

def AddSchedulesPass : Pass<"boost-add-schedules", "::mlir::ModuleOp"> {
  let summary = "Add the schedules of evaluation and of gradients.";
  let description = [{
    Adds the schedules `@evaluate`, which calls `@loss`, and `@gradients`, which
    calls `@gradient`: once for each micro-batch into which boost-split-batch has split
    the batch.

    ```mlir
    func.func @loss(%w: tensor<f32> {boost.tensor = #boost.tensor<param "w">},
                    %x: tensor<f32> {boost.micro_batches = 2 : i64, boost.tensor = #boost.tensor<batch "x">})
        -> tensor<f32> {
      %0 = stablehlo.multiply %w, %x : tensor<f32>
      return %0 : tensor<f32>
    }
    func.func @gradient(%w: tensor<f32> {boost.tensor = #boost.tensor<param "w">},
                        %x: tensor<f32> {boost.micro_batches = 2 : i64, boost.tensor = #boost.tensor<batch "x">})
        -> (tensor<f32>, tensor<f32>) {
      %0 = stablehlo.multiply %w, %x : tensor<f32>
      boost.phase backward
      return %0, %x : tensor<f32>, tensor<f32>
    }
    // becomes
    func.func @loss(%w: tensor<f32> {boost.tensor = #boost.tensor<param "w">},
                    %x: tensor<f32> {boost.micro_batches = 2 : i64, boost.tensor = #boost.tensor<batch "x">})
        -> tensor<f32> {
      %0 = stablehlo.multiply %w, %x : tensor<f32>
      return %0 : tensor<f32>
    }
    boost.schedule @evaluate micro_batches 2 {
      boost.call @loss micro_batch 0
      boost.call @loss micro_batch 1
    }
    func.func @gradient(%w: tensor<f32> {boost.tensor = #boost.tensor<param "w">},
                        %x: tensor<f32> {boost.micro_batches = 2 : i64, boost.tensor = #boost.tensor<batch "x">})
        -> (tensor<f32>, tensor<f32>) {
      %0 = stablehlo.multiply %w, %x : tensor<f32>
      boost.phase backward
      return %0, %x : tensor<f32>, tensor<f32>
    }
    boost.schedule @gradients micro_batches 2 {
      boost.call @gradient micro_batch 0
      boost.call @gradient micro_batch 1
    }
    ```

    Arithmetic: exact, functions do not change. Fails without these functions.
  }];
  let dependentDialects = ["::mlir::boost::BoostDialect"];
}

def AddOptimizerPass
    : Pass<"boost-add-optimizer", "::mlir::ModuleOp"> {
  let summary = "Add the update of the parameters, @update.";
  let description = [{
    `@update` takes parameters, states, gradients and hyper-parameters, and returns
    the new parameters and states, and possibly metrics. The `boost.tensor` of every
    argument and result describes it: its role, kind, parameter
    (`of`), initial value and, for a hyper-parameter, the option that sets it.
    `boost.optimizer` on the module names the optimizer.

    A program may contain its own update, in the module `@optimizer`
    (boost-separate-optimizer). Otherwise the update is AdamW (Loshchilov & Hutter 2019,
    Algorithm 2), in plain StableHLO:

    ```mlir
    func.func @gradient(%w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w", decay = true>},
                        %x: tensor<4xf32> {boost.tensor = #boost.tensor<batch "x">})
        -> (tensor<f32> {boost.tensor = #boost.tensor<loss "loss">},
            tensor<4xf32> {boost.tensor = #boost.tensor<gradient "grad.w", of = "w">}) {
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %0 = stablehlo.multiply %w, %x : tensor<4xf32>
      %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0]
          : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
      boost.phase backward
      return %1, %x : tensor<f32>, tensor<4xf32>
    }
    // becomes
    module attributes {boost.optimizer = {master_weights = false, name = "adamw"}} {
      func.func @gradient(%arg0: tensor<4xf32> {boost.tensor = #boost.tensor<param "w", decay =
          true>}, %arg1: tensor<4xf32> {boost.tensor = #boost.tensor<batch "x">}) ->
          (tensor<f32> {boost.tensor = #boost.tensor<loss "loss">}, tensor<4xf32> {boost.tensor
          = #boost.tensor<gradient "grad.w", of = "w">}) {
        %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
        %0 = stablehlo.multiply %arg0, %arg1 : tensor<4xf32>
        %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [0] :
            (tensor<4xf32>, tensor<f32>) -> tensor<f32>
        boost.phase backward
        return %1, %arg1 : tensor<f32>, tensor<4xf32>
      }
      func.func @update(%arg0: tensor<4xf32> {boost.tensor = #boost.tensor<param "w", decay =
          true>}, %arg1: tensor<4xf32> {boost.tensor = #boost.tensor<state "adamw.m.w", kind =
          "m", of = "w", init = "zeros">}, %arg2: tensor<4xf32> {boost.tensor =
          #boost.tensor<state "adamw.v.w", kind = "v", of = "w", init = "zeros", sample =
          0.050000000000000044 : f64>}, %arg3: tensor<4xf32> {boost.tensor =
          #boost.tensor<gradient "grad.w", of = "w">}, %arg4: tensor<f32> {boost.tensor =
          #boost.tensor<hyper "hyper.lr", kind = "lr", sample = 1.000000e+00 : f64, next_sample
          = 5.000000e-01 : f64>}, %arg5: tensor<f32> {boost.tensor = #boost.tensor<hyper
          "hyper.step", kind = "step", sample = 1.000000e+00 : f64, next_sample = 2.000000e+00 :
          f64>}, %arg6: tensor<f32> {boost.tensor = #boost.tensor<hyper "hyper.clip", kind =
          "clip", sample = 1.000000e+00 : f64, next_sample = 1.000000e-02 : f64, option =
          <"Largest gradient norm, 0 for no limit", default = 1.000000e+00 : f64, min =
          0.000000e+00 : f64>>}, %arg7: tensor<f32> {boost.tensor = #boost.tensor<hyper
          "hyper.beta1", kind = "beta1", sample = 9.000000e-01 : f64, option =
          <"Decay of the first moment", default = 9.000000e-01 : f64, min = 0.000000e+00 : f64,
          below = 1.000000e+00 : f64>>}, %arg8: tensor<f32> {boost.tensor = #boost.tensor<hyper
          "hyper.beta2", kind = "beta2", sample = 0.94999999999999996 : f64, option =
          <"Decay of the second moment", default = 0.94999999999999996 : f64, min = 0.000000e+00
          : f64, below = 1.000000e+00 : f64>>}, %arg9: tensor<f32> {boost.tensor =
          #boost.tensor<hyper "hyper.eps", kind = "eps", sample = 1.000000e-08 : f64, option =
          <"Added to the root of the second moment", default = 1.000000e-08 : f64, above =
          0.000000e+00 : f64>>}, %arg10: tensor<f32> {boost.tensor = #boost.tensor<hyper
          "hyper.weight_decay", kind = "weight_decay", sample = 1.000000e-01 : f64, option =
          <"Decoupled weight decay of the parameters that decay, which `info` lists", default =
          1.000000e-01 : f64, min = 0.000000e+00 : f64>>}) -> (tensor<f32> {boost.tensor =
          #boost.tensor<metric "grad_norm", kind = "grad_norm">}, tensor<4xf32> {boost.tensor =
          #boost.tensor<param "w", decay = true>}, tensor<4xf32> {boost.tensor =
          #boost.tensor<state "adamw.m.w", kind = "m", of = "w", init = "zeros">}, tensor<4xf32>
          {boost.tensor = #boost.tensor<state "adamw.v.w", kind = "v", of = "w", init = "zeros",
          sample = 0.050000000000000044 : f64>}) {
        %0 = stablehlo.multiply %arg3, %arg3 : tensor<4xf32>
        %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
        %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [0] :
            (tensor<4xf32>, tensor<f32>) -> tensor<f32>
        %2 = stablehlo.sqrt %1 : tensor<f32>
        %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
        %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
        %cst_2 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
        %3 = stablehlo.add %2, %cst_2 : tensor<f32>
        %4 = stablehlo.divide %arg6, %3 : tensor<f32>
        %5 = stablehlo.minimum %cst_0, %4 : tensor<f32>
        %6 = stablehlo.compare GT, %arg6, %cst_1 : (tensor<f32>, tensor<f32>) -> tensor<i1>
        %7 = stablehlo.select %6, %5, %cst_0 : tensor<i1>, tensor<f32>
        %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
        %8 = stablehlo.subtract %cst_3, %arg7 : tensor<f32>
        %9 = stablehlo.subtract %cst_3, %arg8 : tensor<f32>
        %10 = stablehlo.power %arg7, %arg5 : tensor<f32>
        %11 = stablehlo.subtract %cst_3, %10 : tensor<f32>
        %12 = stablehlo.divide %cst_3, %11 : tensor<f32>
        %13 = stablehlo.power %arg8, %arg5 : tensor<f32>
        %14 = stablehlo.subtract %cst_3, %13 : tensor<f32>
        %15 = stablehlo.divide %cst_3, %14 : tensor<f32>
        %16 = stablehlo.broadcast_in_dim %7, dims = [] : (tensor<f32>) -> tensor<4xf32>
        %17 = stablehlo.multiply %16, %arg3 : tensor<4xf32>
        %18 = stablehlo.broadcast_in_dim %arg7, dims = [] : (tensor<f32>) -> tensor<4xf32>
        %19 = stablehlo.multiply %18, %arg1 : tensor<4xf32>
        %20 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<4xf32>
        %21 = stablehlo.multiply %20, %17 : tensor<4xf32>
        %22 = stablehlo.add %19, %21 : tensor<4xf32>
        %23 = stablehlo.broadcast_in_dim %arg8, dims = [] : (tensor<f32>) -> tensor<4xf32>
        %24 = stablehlo.multiply %23, %arg2 : tensor<4xf32>
        %25 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<f32>) -> tensor<4xf32>
        %26 = stablehlo.multiply %25, %17 : tensor<4xf32>
        %27 = stablehlo.multiply %26, %17 : tensor<4xf32>
        %28 = stablehlo.add %24, %27 : tensor<4xf32>
        %29 = stablehlo.broadcast_in_dim %15, dims = [] : (tensor<f32>) -> tensor<4xf32>
        %30 = stablehlo.multiply %29, %28 : tensor<4xf32>
        %31 = stablehlo.sqrt %30 : tensor<4xf32>
        %32 = stablehlo.broadcast_in_dim %12, dims = [] : (tensor<f32>) -> tensor<4xf32>
        %33 = stablehlo.multiply %32, %22 : tensor<4xf32>
        %34 = stablehlo.broadcast_in_dim %arg9, dims = [] : (tensor<f32>) -> tensor<4xf32>
        %35 = stablehlo.add %31, %34 : tensor<4xf32>
        %36 = stablehlo.divide %33, %35 : tensor<4xf32>
        %37 = stablehlo.broadcast_in_dim %arg10, dims = [] : (tensor<f32>) -> tensor<4xf32>
        %38 = stablehlo.multiply %37, %arg0 : tensor<4xf32>
        %39 = stablehlo.add %36, %38 : tensor<4xf32>
        %40 = stablehlo.broadcast_in_dim %arg4, dims = [] : (tensor<f32>) -> tensor<4xf32>
        %41 = stablehlo.multiply %40, %39 : tensor<4xf32>
        %42 = stablehlo.subtract %arg0, %41 : tensor<4xf32>
        return %2, %42, %22, %28 : tensor<f32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
      }
    }
    ```

    Gradients are scaled to a global norm of at most `clip`, as in PyTorch's
    `clip_grad_norm_`, by `min(1, clip / (norm + 1e-6))`; they are not scaled if `clip`
    is 0 or less. `grad_norm` is the norm before scaling. Decay is decoupled and applies
    to parameters with `decay = true`.

    Parameters of bf16 and f16 have a master: an f32 state of the kind `master`,
    named `master.NAME`, which starts with the value of the parameter (`init = "param"`).
    The update reads and writes the master, and the new parameter is the new master,
    rounded. With `master-weights=false` there are no masters, and the update reads and
    writes these parameters in their own type. A warning then names them, since an
    update of less than half a unit in their last place does not change them.

    Arithmetic: exact. Needs: `@gradient`, and `decay` of every parameter. Fails
    without them, and if a parameter has the name of a tensor that the pass adds.
  }];
  let options = [
    Option<"optimizer", "optimizer", "::mlir::boost::OptimizerKind",
           "::mlir::boost::OptimizerKind::AdamW",
           "The optimizer: adamw">,
    Option<"masterWeights", "master-weights", "bool", "true",
           "Update f32 copies of bf16 and f16 parameters">
  ];
  let dependentDialects = ["::mlir::boost::BoostDialect",
                           "::mlir::boost::stablehlo::StableHLODialect"];
}

def BuildStepPass : Pass<"boost-build-step", "::mlir::ModuleOp"> {
  let summary = "Append the update to the gradient: a training step.";
  let description = [{
    `@step` contains the operations of `@gradient` and then, after
    `boost.phase optimizer`, those of `@update` on the gradients. It returns the
    loss and the results of the update. The schedule `@train` calls it.

    ```mlir
    func.func @gradient(%w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w", decay = true>},
                        %x: tensor<4xf32> {boost.tensor = #boost.tensor<batch "x">})
        -> (tensor<f32> {boost.tensor = #boost.tensor<loss "loss">},
            tensor<4xf32> {boost.tensor = #boost.tensor<gradient "grad.w", of = "w">}) {
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %0 = stablehlo.multiply %w, %x : tensor<4xf32>
      %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0]
          : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
      boost.phase backward
      return %1, %x : tensor<f32>, tensor<4xf32>
    }
    func.func @update(%w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">},
                      %g: tensor<4xf32> {boost.tensor = #boost.tensor<gradient "grad.w", of = "w">},
                      %lr: tensor<f32> {boost.tensor = #boost.tensor<hyper "hyper.lr", kind = "lr">})
        -> (tensor<4xf32> {boost.tensor = #boost.tensor<param "w">}) {
      %0 = stablehlo.broadcast_in_dim %lr, dims = [] : (tensor<f32>) -> tensor<4xf32>
      %1 = stablehlo.multiply %0, %g : tensor<4xf32>
      %2 = stablehlo.subtract %w, %1 : tensor<4xf32>
      return %2 : tensor<4xf32>
    }
    // becomes
    module {
      func.func @gradient(%arg0: tensor<4xf32> {boost.tensor = #boost.tensor<param "w", decay =
          true>}, %arg1: tensor<4xf32> {boost.tensor = #boost.tensor<batch "x">}) ->
          (tensor<f32> {boost.tensor = #boost.tensor<loss "loss">}, tensor<4xf32> {boost.tensor
          = #boost.tensor<gradient "grad.w", of = "w">}) {
        %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
        %0 = stablehlo.multiply %arg0, %arg1 : tensor<4xf32>
        %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [0] :
            (tensor<4xf32>, tensor<f32>) -> tensor<f32>
        boost.phase backward
        return %1, %arg1 : tensor<f32>, tensor<4xf32>
      }
      func.func @step(%arg0: tensor<4xf32> {boost.tensor = #boost.tensor<param "w", decay =
          true>}, %arg1: tensor<4xf32> {boost.tensor = #boost.tensor<batch "x">}, %arg2:
          tensor<f32> {boost.tensor = #boost.tensor<hyper "hyper.lr", kind = "lr">}) ->
          (tensor<f32> {boost.tensor = #boost.tensor<loss "loss">}, tensor<4xf32> {boost.tensor
          = #boost.tensor<param "w", decay = true>}) {
        %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
        %0 = stablehlo.multiply %arg0, %arg1 : tensor<4xf32>
        %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [0] :
            (tensor<4xf32>, tensor<f32>) -> tensor<f32>
        boost.phase backward
        boost.phase optimizer
        %2 = stablehlo.broadcast_in_dim %arg2, dims = [] {boost.component = "optimizer"} :
            (tensor<f32>) -> tensor<4xf32>
        %3 = stablehlo.multiply %2, %arg1 {boost.component = "optimizer"} : tensor<4xf32>
        %4 = stablehlo.subtract %arg0, %3 {boost.component = "optimizer"} : tensor<4xf32>
        return %1, %4 : tensor<f32>, tensor<4xf32>
      }
      boost.schedule @train {
        boost.call @step micro_batch 0
      }
    }
    ```

    With `accumulate=N`, the pass adds two functions instead of `@step`. `@accumulate`
    adds the gradients of one batch to f32 sums (role `accumulator`, named `acc.NAME`).
    `@update` uses the mean of these sums over N as gradients, and returns zeros for the
    sums. If boost-split-batch has split the batch into K micro-batches, the mean is
    over N * K of them. The schedule `@train` calls `@accumulate` for each. Only the
    update reads the sums, so ranks do not have to complete partial sums before. A
    gradient that is rounded only to be returned is added before rounding.

    At this point a parameter that the update names may be packed with others. If
    the update is elementwise and equal for all of them, it updates the packed
    parameter with the packed gradient and packed states. Otherwise it reads slices of
    the parameter and its gradient, and its results are joined. A state without a
    sharding gets that of its parameter if it has the same shape, and is replicated
    otherwise.

    Arithmetic: exact. Needs: `@gradient` and an update (boost-add-optimizer). Fails
    without them; if the update names a parameter that the loss does not have, or has
    in another type; if it leaves a parameter without a new value; and if two tensors
    of a function have the same name.
  }];
  let options = [
    Option<"accumulate", "accumulate", "int64_t", "1",
           "Number of batches whose gradients are accumulated for one update">
  ];
  let dependentDialects = ["::mlir::boost::BoostDialect",
                           "::mlir::boost::stablehlo::StableHLODialect"];
}

def ShardOptimizerStatePass
    : Pass<"boost-shard-optimizer-state", "::mlir::ModuleOp"> {
  let summary = "Shard the optimizer state over the data axis (ZeRO-1).";
  let description = [{
    With `zero=1`, every state that belongs to a parameter (`m`, `v`, `master`)
    is also sharded over `dp`, along its first dimension whose shards `dp` divides,
    after the axes that the dimension already has. The placement of parameters does not
    change. The rest follows by propagation: a rank reduces only its shard of a gradient
    (reduce-scatter), updates its shard of the parameter, and gets the others by an
    all-gather, in the type of the parameter. The optimizer state shrinks by a factor of
    `dp`, and a step sends as many bytes as with all-reduces, in buckets of
    several tensors (`boost-merge-collectives`).

    Packed tensors are not sharded along the dimension that they share. A state with no
    dimension that `dp` divides is not sharded, nor are scalars. Nothing changes without
    an axis `dp` or with `zero=0`.

    This is stage 1 of ZeRO (Rajbhandari et al., 2020). A checkpoint contains whole
    tensors, so that programs of any mesh and stage can read each other's.

    ```mlir
    // boost-opt --boost-shard-optimizer-state="zero=1"
    shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}
    func.func @update(%w: tensor<8x4xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>,
                                           boost.tensor = #boost.tensor<param "w">},
                      %m: tensor<8x4xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>,
                                           boost.tensor = #boost.tensor<state "adamw.m.w", kind = "m", of = "w">})
        -> (tensor<8x4xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>,
                             boost.tensor = #boost.tensor<param "w">}) {
      %y = stablehlo.subtract %w, %m : tensor<8x4xf32>
      return %y : tensor<8x4xf32>
    }
    // becomes
    shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}
    func.func @update(%w: tensor<8x4xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>,
                                           boost.tensor = #boost.tensor<param "w">},
                      %m: tensor<8x4xf32> {boost.sharding = #boost.sharding<{"tp", "dp"}, {}>,
                                           boost.tensor = #boost.tensor<state "adamw.m.w", kind = "m", of = "w">})
        -> (tensor<8x4xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>,
                             boost.tensor = #boost.tensor<param "w">}) {
      %0 = stablehlo.subtract %w, %m : tensor<8x4xf32>
      return %0 : tensor<8x4xf32>
    }
    ```

    Arithmetic: exact, only attributes change. Fails for another `zero`.
  }];
  let dependentDialects = ["::mlir::boost::BoostDialect"];
  let options = [
    Option<"zero", "zero", "int64_t", "0",
           "Stage of ZeRO: 0, or 1 to shard the optimizer's state">];
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

def InsertProbesPass : Pass<"boost-insert-probes", "::mlir::ModuleOp"> {
  let summary = "Add the function that `eval --verify` runs.";
  let description = [{
    Copies the training step if the schedule `@train` is one call, and otherwise
    `@gradient`, to `@verify`. Adds a `boost.probe` after every floating-point tensor
    that is

    - the result of a product, a reduction, or an operation of the model
      (embedding, attention, loss, norm, optimizer);
    - the end of a chain of elementwise operations: one that does not have exactly one
      reader that is elementwise;
    - a gradient of a parameter, or a result of the function.

    Constants and operations that only move elements get no probe: an error there is
    visible at the next operation. The functions used for training do not change.
    `@verify` differs from them in the fusion of elementwise operations, which changes
    no result.

    A probe is named after a result or a gradient (`grad.NAME`), or else after the
    operation and the parameters that it reads.

    ```mlir
    func.func @gradient(%w: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "w">},
                        %x: tensor<4x8xf32> {boost.tensor = #boost.tensor<batch "x">})
        -> (tensor<4x2xf32> {boost.tensor = #boost.tensor<output "y">}) {
      %0 = boost.linear %x, %w : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
      %1 = stablehlo.tanh %0 : tensor<4x2xf32>
      return %1 : tensor<4x2xf32>
    }
    // becomes
    func.func @gradient(%w: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "w">},
                        %x: tensor<4x8xf32> {boost.tensor = #boost.tensor<batch "x">})
        -> (tensor<4x2xf32> {boost.tensor = #boost.tensor<output "y">}) {
      %0 = boost.linear %x, %w : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
      %1 = stablehlo.tanh %0 : tensor<4x2xf32>
      return %1 : tensor<4x2xf32>
    }
    func.func @verify(%w: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "w">},
                      %x: tensor<4x8xf32> {boost.tensor = #boost.tensor<batch "x">})
        -> (tensor<4x2xf32> {boost.tensor = #boost.tensor<output "y">}) {
      %0 = boost.linear %x, %w : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
      boost.probe %0 as "linear w" site 0 {boost.phase = "forward"} : tensor<4x2xf32>
      %1 = stablehlo.tanh %0 : tensor<4x2xf32>
      boost.probe %1 as "y" site 1 {boost.phase = "forward"} : tensor<4x2xf32>
      return %1 : tensor<4x2xf32>
    }
    ```

    Arithmetic: exact. Needs: boost-differentiate before. Fails if there is no
    `@gradient`, or if `@verify` already exists.
  }];
  let dependentDialects = ["::mlir::boost::BoostDialect"];
}

//===----------------------------------------------------------------------===//
// Sharding
//===----------------------------------------------------------------------===//

def PropagateShardingsPass
    : Pass<"boost-propagate-shardings", "::mlir::func::FuncOp"> {
  let summary = "Infer the sharding of every value from arguments and results.";
  let description = [{
    Sweeps over the function forwards and backwards. If an operand or result
    is sharded along a loop of the operation's sharding rule, the other tensors
    with that loop get the same sharding of it, with the axes in the same order. The
    pass stops when nothing changes. A dimension without information stays open; it is
    not assumed to be replicated. If loops compete for a mesh axis, the loop of the
    biggest tensor gets it. Known shardings never change: neither those that
    `boost.shardings` already gives, as after the searched placement, nor the loop of a
    `boost.spread`. Constants propagate nothing.

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
    it is completed there. Later users reuse a form that already exists.
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

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// Rematerialization
//===----------------------------------------------------------------------===//

def RematerializePass : Pass<"boost-rematerialize", "::mlir::func::FuncOp"> {
  let summary = "Recompute forward values in the backward pass.";
  let description = [{
    Decides, in functions with a `boost.phase backward`, which forward values
    are kept until the backward pass, and recomputes the others just before the
    backward pass reads them. A minimum cut selects the kept values: every value is an
    edge whose capacity is its size in bytes, values that may not be recomputed are
    sources, and values that the backward pass reads are connected to the sink.
    Arguments and constants cost nothing. Of several minimum cuts, the one that
    recomputes least is used.

    Operations that may be recomputed have a class:

    | class | operations |
    |---|---|
    | `elementwise` | passes over memory: elementwise operations, reductions, data movement |
    | `up-projection` | products with at least as many elements as their operand |
    | `down-projection` | products with fewer elements |
    | `attention` | `boost.attention` |

    `mode` selects a set of classes: `none` selects none, and `low-rank` all but
    `down-projection`. Collectives are never recomputed, except by `full-block`,
    which keeps only the inputs of layers and recomputes everything else, as
    checkpointing frameworks do, and is meant for comparison. Values that cost no pass
    over memory are recomputed in every mode: views, and functions of one
    value that are fused with their readers (`logistic`, conversions, masks).

    Layers are those of `boost.layer`; without any, the forward pass is one layer. The
    inputs of layers are always kept, since a value of one layer must not be
    recomputed from the layer before. Outside the layers only free values are
    recomputed, because the backward pass reads the values of the head immediately.

    Clones read kept values through `stablehlo.optimization_barrier`, which
    prevents common subexpression elimination from undoing the recomputation.
    The attribute `boost.recomputed` of clones lets the memory plan count their results.
    `boost.kept_bytes` on the function gives the bytes that are kept outside the layers
    and in each layer.

    ```mlir
    // boost-opt --boost-rematerialize="mode=low-rank"
    shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}
    func.func @f(%x: tensor<8x4xf32>, %a: tensor<4x3xf32>, %dz: tensor<8x3xf32>)
        -> (tensor<8x3xf32>, tensor<8x3xf32>) {
      %p = boost.linear %x, %a : (tensor<8x4xf32>, tensor<4x3xf32>) -> tensor<8x3xf32>
      %h = boost.all_reduce sum %p on @mesh axes = [0] : tensor<8x3xf32>
      %s = stablehlo.logistic %h : tensor<8x3xf32>
      %z = stablehlo.multiply %h, %s : tensor<8x3xf32>
      boost.phase backward
      %ds = stablehlo.multiply %dz, %h : tensor<8x3xf32>
      %dw = stablehlo.multiply %ds, %z : tensor<8x3xf32>
      return %z, %dw : tensor<8x3xf32>, tensor<8x3xf32>
    }
    // becomes
    shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}
    func.func @f(
        %x: tensor<8x4xf32>,
        %a: tensor<4x3xf32>,
        %dz: tensor<8x3xf32>)
        -> (tensor<8x3xf32>, tensor<8x3xf32>) attributes {boost.kept_bytes = array<i64: 0, 96>} {
      %0 = boost.linear %x, %a : (tensor<8x4xf32>, tensor<4x3xf32>) -> tensor<8x3xf32>
      %1 = boost.all_reduce sum %0 on @mesh axes = [0] : tensor<8x3xf32>
      %2 = stablehlo.logistic %1 : tensor<8x3xf32>
      %3 = stablehlo.multiply %1, %2 : tensor<8x3xf32>
      boost.phase backward
      %4 = stablehlo.multiply %dz, %1 : tensor<8x3xf32>
      %5 = stablehlo.optimization_barrier %1 : tensor<8x3xf32>
      %6 = stablehlo.logistic %5 {boost.recomputed} : tensor<8x3xf32>
      %7 = stablehlo.multiply %5, %6 {boost.recomputed} : tensor<8x3xf32>
      %8 = stablehlo.multiply %4, %7 : tensor<8x3xf32>
      return %3, %8 : tensor<8x3xf32>, tensor<8x3xf32>
    }
    ```

    Arithmetic: exact, with the same operations on the same operands. Never fails.
  }];
  let options = [
    Option<"mode", "mode", "::mlir::boost::RematKind", "::mlir::boost::RematKind::None",
           "none, low-rank or full-block">,
    ListOption<"recompute", "recompute", "::mlir::boost::RecomputeClass",
               "Classes that may be recomputed, in place of those of the mode">,
    Option<"layers", "layers", "int64_t", "-1",
           "Number of leading layers to which this applies; negative for all">,
    ListOption<"others", "others", "::mlir::boost::RecomputeClass",
               "Classes that may be recomputed in the remaining layers">,
    Option<"explain", "explain", "bool", "false",
           "Emit a remark for every kept value">
  ];
  let dependentDialects = ["::mlir::boost::stablehlo::StableHLODialect"];
}

//===----------------------------------------------------------------------===//
// Clean-up
//===----------------------------------------------------------------------===//

def CanonicalizePass : Pass<"boost-canonicalize"> {
  let summary = "Canonicalize, and keep the layers of operations.";
  let description = [{
    Applies the folds and canonicalization patterns of all loaded dialects, as MLIR's
    `canonicalize` does, and gives the operations that a pattern inserts the layer
    (`boost.layer`) of the operation that it replaces.

    ```mlir
    func.func @f(%x: tensor<4x8xf32>) -> tensor<8x4xf32> {
      %0 = stablehlo.reshape %x {boost.layer = #boost.layer<class = 0, index = 1>}
          : (tensor<4x8xf32>) -> tensor<32xf32>
      %1 = stablehlo.reshape %0 {boost.layer = #boost.layer<class = 0, index = 1>}
          : (tensor<32xf32>) -> tensor<8x4xf32>
      return %1 : tensor<8x4xf32>
    }
    // becomes
    func.func @f(%x: tensor<4x8xf32>) -> tensor<8x4xf32> {
      %0 = stablehlo.reshape %x {boost.layer = #boost.layer<class = 0, index = 1>}
          : (tensor<4x8xf32>) -> tensor<8x4xf32>
      return %0 : tensor<8x4xf32>
    }
    ```

    Arithmetic: exact. Never fails: if the patterns do not converge within MLIR's limit of
    iterations, what they reached stays.
  }];
}

#endif // BOOST_MLIR_DIALECT_BOOST_TRANSFORMS_PASSES_TD
