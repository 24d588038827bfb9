//===- StructurePasses.td - Before shardings are known -----*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes of the stage structure; the last one of the stage raise; and the clean-up that
// most stages end with.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOST_TRANSFORMS_STRUCTUREPASSES_TD
#define BOOST_MLIR_DIALECT_BOOST_TRANSFORMS_STRUCTUREPASSES_TD

include "mlir/Pass/PassBase.td"

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
    - A constant that the program stores (boost-store-constants) becomes bf16 if products
      alone read it, and each with a trained value. Others, such as tables of angles, keep
      their type.
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

#endif // BOOST_MLIR_DIALECT_BOOST_TRANSFORMS_STRUCTUREPASSES_TD
