//===- Passes.td - StableHLO to boost ----------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The raise passes. Each recognizes one construct of language models and replaces
// it by an operation. What is not recognized stays StableHLO and compiles as such.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_CONVERSION_STABLEHLOTOBOOST_PASSES_TD
#define BOOST_MLIR_CONVERSION_STABLEHLOTOBOOST_PASSES_TD

include "mlir/Pass/PassBase.td"

class RaisePass<string name> : Pass<name, "::mlir::func::FuncOp"> {
  let dependentDialects = ["::mlir::boost::BoostDialect",
                           "::mlir::boost::stablehlo::StableHLODialect"];
}

def RaiseLinearPass : RaisePass<"boost-raise-linear"> {
  let summary = "Products of activations with a weight become boost.linear.";
  let description = [{
    Matches a `stablehlo.dot_general` without batching dimensions. One operand must be
    a weight, which is computed from parameters, and perhaps constants, alone; the other
    one must not be, and must be contracted over its last dimensions. The operands may have
    either order and the weight either layout; a transposed weight sets `transposed`.
    Weights of more than two dimensions (with a separate head dimension) are reshaped
    to matrices.

    Where both operands are computed from parameters, the product is a weight, and stays, if
    it is part of one that an activation is multiplied with. If not, and only one of them
    is a parameter, that is the weight.

    A weight that is the product of two others, perhaps times numbers per row or column, is
    replaced by these if products with one after the other take fewer multiplications, and
    so are the terms of a sum: `x (s (a b))` becomes `(x a) (s b)` for a narrow middle.
    `x (w + a b)` stays if `x` has many rows, and becomes `x w + (x a) b` if it has few.

    ```mlir
    func.func @f(%x: tensor<4x16x64xf32> {boost.tensor = #boost.tensor<batch "x">},
                 %w: tensor<64x32xf32> {boost.tensor = #boost.tensor<param "w">})
        -> tensor<4x16x32xf32> {
      %y = stablehlo.dot_general %x, %w, contracting_dims = [2] x [0]
          : (tensor<4x16x64xf32>, tensor<64x32xf32>) -> tensor<4x16x32xf32>
      return %y : tensor<4x16x32xf32>
    }
    // becomes
    func.func @f(%x: tensor<4x16x64xf32> {boost.tensor = #boost.tensor<batch "x">},
                 %w: tensor<64x32xf32> {boost.tensor = #boost.tensor<param "w">})
        -> tensor<4x16x32xf32> {
      %0 = boost.linear %x, %w
          : (tensor<4x16x64xf32>, tensor<64x32xf32>) -> tensor<4x16x32xf32>
      return %0 : tensor<4x16x32xf32>
    }
    ```

    Arithmetic: reassociating for products and sums of weights, exact otherwise. Never
    fails; products of two activations stay.
  }];
}

def RaiseAdamWPass : RaisePass<"boost-raise-adamw"> {
  let summary = "Updates by AdamW become boost.adamw.";
  let description = [{
    Works on the operations after `boost.phase optimizer`. An update is

    ```
    g  = scale grad
    m' = beta1 m + share1 g                v' = beta2 v + share2 g^2
    p' = p - lr (m' / c1 / (sqrt(v' / c2 + eps_root) + eps) + decay p),   ci = 1 - betai^step
    ```

    with factors and terms in any order, products with reciprocals in place of quotients,
    and `p + (-lr) (...)`. `scale` and `eps_root` may be missing, and so may `decay p` for
    parameters that do not decay. Every number may be a constant: this is how JAX lowers
    optax's `adam` and `adamw`, also with `inject_hyperparams`, schedules, masks, and behind
    `clip_by_global_norm`, which selects `grad` or `grad / norm bound`. It is
    not the update of `nadamw` or `adamw(nesterov=True)`, whose mean is another one.
    Conversions of the parameter to f32 and back, and of the gradient
    to f32, are part of it. The square root of a sum of squares of all elements of
    several tensors becomes one of a `boost.sum_of_squares`. If all gradients are
    multiples of other tensors by one constant, as means over micro-batches are, the
    update reads those tensors instead, and the constant scales the norm and the update.

    ```mlir
    func.func @norm(%a: tensor<4xf32>, %b: tensor<2x2xf32>) -> tensor<f32> {
      boost.phase optimizer
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %0 = stablehlo.multiply %a, %a : tensor<4xf32>
      %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0]
          : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
      %2 = stablehlo.multiply %b, %b : tensor<2x2xf32>
      %3 = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [0, 1]
          : (tensor<2x2xf32>, tensor<f32>) -> tensor<f32>
      %4 = stablehlo.add %1, %3 : tensor<f32>
      %5 = stablehlo.sqrt %4 : tensor<f32>
      return %5 : tensor<f32>
    }
    // becomes
    func.func @norm(%a: tensor<4xf32>, %b: tensor<2x2xf32>) -> tensor<f32> {
      boost.phase optimizer
      %0 = boost.sum_of_squares %a, %b {boost.component = "optimizer"}
          : (tensor<4xf32>, tensor<2x2xf32>) -> tensor<f32>
      %1 = stablehlo.sqrt %0 {boost.component = "optimizer"} : tensor<f32>
      return %1 : tensor<f32>
    }
    ```

    Arithmetic: approximate (6e-8), since the update of an f64 parameter is rounded
    to f32 at other points; reassociating for other parameters. Never fails; other
    updates stay.
  }];
}

def RaiseRMSNormPass : RaisePass<"boost-raise-rms-norm"> {
  let summary = "Root-mean-square norms become boost.rms_norm.";
  let description = [{
    Matches a product, in any order and grouping, of an input, of
    `1 / sqrt(mean of its squares + eps)` and of a vector gamma. The mean may be
    a sum divided by the size or multiplied by its inverse, the root `rsqrt`,
    `sqrt` in the denominator or a power; conversions to f32 for the statistic
    and back are part of the norm. Without a gamma a constant one is made.

    ```mlir
    func.func @f(%x: tensor<4x64xf32> {boost.tensor = #boost.tensor<batch "x">},
                 %gamma: tensor<64xf32> {boost.tensor = #boost.tensor<param "gamma">})
        -> tensor<4x64xf32> {
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %size = stablehlo.constant dense<64.0> : tensor<4xf32>
      %eps = stablehlo.constant dense<1.0e-6> : tensor<4xf32>
      %s = stablehlo.multiply %x, %x : tensor<4x64xf32>
      %t = stablehlo.reduce(%s init: %zero) applies stablehlo.add across dimensions = [1]
          : (tensor<4x64xf32>, tensor<f32>) -> tensor<4xf32>
      %m = stablehlo.divide %t, %size : tensor<4xf32>
      %v = stablehlo.add %m, %eps : tensor<4xf32>
      %r = stablehlo.rsqrt %v : tensor<4xf32>
      %b = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<4xf32>) -> tensor<4x64xf32>
      %n = stablehlo.multiply %x, %b : tensor<4x64xf32>
      %g = stablehlo.broadcast_in_dim %gamma, dims = [1] : (tensor<64xf32>) -> tensor<4x64xf32>
      %y = stablehlo.multiply %n, %g : tensor<4x64xf32>
      return %y : tensor<4x64xf32>
    }
    // becomes
    func.func @f(%x: tensor<4x64xf32> {boost.tensor = #boost.tensor<batch "x">},
                 %gamma: tensor<64xf32> {boost.tensor = #boost.tensor<param "gamma">})
        -> tensor<4x64xf32> {
      %0 = boost.rms_norm %x, %gamma {eps = 9.9999999747524271E-7 : f64}
          : tensor<4x64xf32>, tensor<64xf32>
      return %0 : tensor<4x64xf32>
    }
    ```

    Arithmetic: reassociating (the order of the three factors). Never fails.
  }];
}

def RaiseLayerNormPass : RaisePass<"boost-raise-layer-norm"> {
  let summary = "Layer norms become boost.layer_norm.";
  let description = [{
    Matches a product, in any order and grouping, of an input less its mean, of
    `1 / sqrt(variance + eps)` and of a vector gamma, and the sum of this and a
    vector beta. The variance may be the mean of the squares of the first factor,
    or `mean(x^2) - mean(x)^2`, and bounded by 0. Without a gamma or a beta a
    constant one is made.

    ```mlir
    func.func @f(%x: tensor<4x64xf32> {boost.tensor = #boost.tensor<batch "x">},
                 %gamma: tensor<64xf32> {boost.tensor = #boost.tensor<param "gamma">},
                 %beta: tensor<64xf32> {boost.tensor = #boost.tensor<param "beta">})
        -> tensor<4x64xf32> {
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %size = stablehlo.constant dense<64.0> : tensor<4xf32>
      %eps = stablehlo.constant dense<0.0009765625> : tensor<4xf32>
      %t = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1]
          : (tensor<4x64xf32>, tensor<f32>) -> tensor<4xf32>
      %mean = stablehlo.divide %t, %size : tensor<4xf32>
      %m = stablehlo.broadcast_in_dim %mean, dims = [0] : (tensor<4xf32>) -> tensor<4x64xf32>
      %c = stablehlo.subtract %x, %m : tensor<4x64xf32>
      %s = stablehlo.multiply %c, %c : tensor<4x64xf32>
      %u = stablehlo.reduce(%s init: %zero) applies stablehlo.add across dimensions = [1]
          : (tensor<4x64xf32>, tensor<f32>) -> tensor<4xf32>
      %var = stablehlo.divide %u, %size : tensor<4xf32>
      %v = stablehlo.add %var, %eps : tensor<4xf32>
      %r = stablehlo.rsqrt %v : tensor<4xf32>
      %b = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<4xf32>) -> tensor<4x64xf32>
      %n = stablehlo.multiply %c, %b : tensor<4x64xf32>
      %g = stablehlo.broadcast_in_dim %gamma, dims = [1] : (tensor<64xf32>) -> tensor<4x64xf32>
      %y = stablehlo.multiply %n, %g : tensor<4x64xf32>
      %h = stablehlo.broadcast_in_dim %beta, dims = [1] : (tensor<64xf32>) -> tensor<4x64xf32>
      %z = stablehlo.add %y, %h : tensor<4x64xf32>
      return %z : tensor<4x64xf32>
    }
    // becomes
    func.func @f(%x: tensor<4x64xf32> {boost.tensor = #boost.tensor<batch "x">},
                 %gamma: tensor<64xf32> {boost.tensor = #boost.tensor<param "gamma">},
                 %beta: tensor<64xf32> {boost.tensor = #boost.tensor<param "beta">})
        -> tensor<4x64xf32> {
      %0 = boost.layer_norm %x, %gamma, %beta {eps = 9.765625E-4 : f64}
          : tensor<4x64xf32>, tensor<64xf32>
      return %0 : tensor<4x64xf32>
    }
    ```

    Arithmetic: reassociating (the order of the factors, the variance). Never
    fails.
  }];
}

def RaiseAttentionPass : RaisePass<"boost-raise-attention"> {
  let summary = "Softmax attention becomes boost.attention.";
  let description = [{
    Matches the product of queries and keys, a scale before or after it, a soft
    cap (`c tanh(s / c)`), biases, masks, a softmax with or without subtracting
    the maximum, and the product with the values. Dimensions may have any order; the
    operands and the result are transposed to and from `[batch, sequence, heads, head
    size]`. Repeated key and value heads, and queries with a group dimension, become
    grouped-query attention. If queries have heads but keys and values do not, the
    latter become one head that all queries share.

    Products that merge batch and heads to one dimension, as `bmm` does,
    are split into the two dimensions. Blocks into which a sequence is reshaped, as for
    local attention, become entries of the batch, so that heads are the heads alone.

    Heads of values may be narrower or wider than those of queries and keys. The
    narrower ones are padded with zeros, and what these add to the result is sliced off.

    If terms that a mask hides are left out of the sum and of the result
    (`jax.nn.softmax(where=)`, exponentials times a mask), a query that sees no key has the
    result 0. An `stablehlo.or` over the keys finds such queries, unless all queries see
    the key of their own position. A sink is a further term of the sum that stands for no key: it
    is added to the sum, or is one more score whose weight is sliced off (gpt-oss). The
    result is multiplied by `logistic(lse - sink)`.

    The product of values with a sum or a difference of softmaxes (differential
    attention), each perhaps times numbers that are equal for all keys, becomes that of several
    attentions.

    The causal mask, applied by `select` or added as a bias, is recognized as a
    function of positions, so its spelling does not matter. It may be a constant triangle,
    and it may go through numbers: `(1 - mask) * -1e9`, `mask == 0`, and scores times the
    mask if what it hides is lowered besides. A constant window is causal beside its mask.
    Other conditions in a conjunction with it (a window,
    the length of a sequence) become the `mask` of the attention, and other terms of the
    scores become its `bias`; neither is repeated over batch or heads unless the
    program computes it so. A term that is 0 where a condition holds and low elsewhere is a
    mask too if every query sees its own key. Otherwise it stays a bias: in a row
    that sees nothing, gradients go through a sum, and not through a `select`.

    A masked score of -1e4 or less is assumed to give a position no weight, since visible
    scores are well above it. A row without visible positions gives the mean of the
    values, as with a finite fill; with a fill of minus infinity the program gives NaN
    there, and with masks that take it out of the sum it has zeros.

    Low biases can break this assumption. If they hide every key of a row that the masks
    show, hidden keys have a weight, or the keys of a row without visible ones have
    different weights; masks that fill different numbers have the same effect. Such
    attention is left alone, with a remark. It has biases that are constants or floats
    of the batch, and that are not far above the fill, or are added to the fill and not
    lost to rounding. Learned values are assumed to be of moderate size. A causal
    mask that is added as a bias stays a bias if other biases are as low.

    ```mlir
    func.func @f(%q: tensor<1x8x4x16xf32>, %k: tensor<1x8x4x16xf32>, %v: tensor<1x8x4x16xf32>)
        -> tensor<1x8x4x16xf32> {
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %hidden = stablehlo.constant dense<0xFF800000> : tensor<1x4x8x8xf32>
      %s = stablehlo.dot_general %q, %k, batching_dims = [0, 2] x [0, 2],
          contracting_dims = [3] x [3]
          : (tensor<1x8x4x16xf32>, tensor<1x8x4x16xf32>) -> tensor<1x4x8x8xf32>
      %i = stablehlo.iota dim = 2 : tensor<1x4x8x8xi32>
      %j = stablehlo.iota dim = 3 : tensor<1x4x8x8xi32>
      %causal = stablehlo.compare GE, %i, %j, SIGNED
          : (tensor<1x4x8x8xi32>, tensor<1x4x8x8xi32>) -> tensor<1x4x8x8xi1>
      %m = stablehlo.select %causal, %s, %hidden : tensor<1x4x8x8xi1>, tensor<1x4x8x8xf32>
      %e = stablehlo.exponential %m : tensor<1x4x8x8xf32>
      %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3]
          : (tensor<1x4x8x8xf32>, tensor<f32>) -> tensor<1x4x8xf32>
      %b = stablehlo.broadcast_in_dim %t, dims = [0, 1, 2]
          : (tensor<1x4x8xf32>) -> tensor<1x4x8x8xf32>
      %p = stablehlo.divide %e, %b : tensor<1x4x8x8xf32>
      %o = stablehlo.dot_general %v, %p, batching_dims = [0, 2] x [0, 1],
          contracting_dims = [1] x [3]
          : (tensor<1x8x4x16xf32>, tensor<1x4x8x8xf32>) -> tensor<1x4x16x8xf32>
      %r = stablehlo.transpose %o, dims = [0, 3, 1, 2]
          : (tensor<1x4x16x8xf32>) -> tensor<1x8x4x16xf32>
      return %r : tensor<1x8x4x16xf32>
    }
    // becomes
    func.func @f(%q: tensor<1x8x4x16xf32>,
                 %k: tensor<1x8x4x16xf32>,
                 %v: tensor<1x8x4x16xf32>) -> tensor<1x8x4x16xf32> {
      %result, %lse = boost.attention %q, %k, %v causal {scale = 1.000000e+00 : f64}
          : (tensor<1x8x4x16xf32>, tensor<1x8x4x16xf32>, tensor<1x8x4x16xf32>)
          -> (tensor<1x8x4x16xf32>, tensor<1x4x8xf32>)
      return %result : tensor<1x8x4x16xf32>
    }
    ```

    Arithmetic: reassociating. Never fails.
  }];
}

def RaiseEmbeddingPass : RaisePass<"boost-raise-embedding"> {
  let summary = "Gathers of rows of a weight become boost.embedding.";
  let description = [{
    Matches a `stablehlo.gather` of whole rows of a matrix that is computed from
    parameters, and perhaps constants, alone. If the matrix is a product of two others and
    fewer rows are looked up than it has, the rows are looked up in the first one and
    multiplied with the second one. JAX's surrounding operations become part of it: the correction of
    negative ids and, in fill mode, the NaN for ids out of range. In exchange, ids must
    be in range: `boost.id_limit` is set on the batch argument that they come from, and
    the training binary checks its input against it. Computed ids, and those of
    an argument that the program tests for values out of range (`ids != -1`), may
    have any value and keep the semantics of the gather.

    ```mlir
    func.func @f(%table: tensor<64x32xf32> {boost.tensor = #boost.tensor<param "table">},
                 %ids: tensor<4xi32> {boost.tensor = #boost.tensor<batch "ids">})
        -> tensor<4x32xf32> {
      %zero = stablehlo.constant dense<0> : tensor<4xi32>
      %size = stablehlo.constant dense<64> : tensor<4xi32>
      %p = stablehlo.compare LT, %ids, %zero, SIGNED
          : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
      %a = stablehlo.add %ids, %size : tensor<4xi32>
      %i = stablehlo.select %p, %a, %ids : tensor<4xi1>, tensor<4xi32>
      %x = "stablehlo.gather"(%table, %i) <{
          dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0],
              start_index_map = [0], index_vector_dim = 1>,
          slice_sizes = array<i64: 1, 32>}> : (tensor<64x32xf32>, tensor<4xi32>) -> tensor<4x32xf32>
      return %x : tensor<4x32xf32>
    }
    // becomes
    func.func @f(
        %table: tensor<64x32xf32> {boost.tensor = #boost.tensor<param "table">},
        %ids: tensor<4xi32> {boost.id_limit = 64 : i64, boost.tensor = #boost.tensor<batch "ids">})
        -> tensor<4x32xf32> {
      %0 = boost.embedding %table, %ids
          : (tensor<64x32xf32>, tensor<4xi32>) -> tensor<4x32xf32>
      return %0 : tensor<4x32xf32>
    }
    ```

    Arithmetic: exact for ids in range. Never fails.
  }];
}

def RaiseCrossEntropyPass : RaisePass<"boost-raise-cross-entropy"> {
  let summary = "Log-likelihoods of labels become boost.cross_entropy.";
  let description = [{
    Matches `log_softmax(logits)[label]` and `logsumexp(logits) - logits[label]`
    with any shift by one number per row. The label may be selected by a gather
    (with batching dimensions or with positions beside the label, with or
    without fill mode, of all tokens at once or mapped over them) or by a sum with a one-hot row, which may also sum over the
    tokens. `log(softmax(logits)[label])` is matched as well, and is more exact then: a
    probability that is too small for its type has a logarithm. The mean over tokens stays StableHLO. `boost.id_limit` is set on the batch
    argument of the labels.

    Computed labels, and those of an argument that the program tests for values
    out of range (`labels != -100`), may have any value. The result for a value out of
    range stays the same: that of the nearest label for a gather, NaN in fill mode, and
    zeros for a one-hot row.

    ```mlir
    func.func @f(%logits: tensor<4x64xf32>,
                 %labels: tensor<4xi32> {boost.tensor = #boost.tensor<batch "labels">})
        -> tensor<4xf32> {
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %e = stablehlo.exponential %logits : tensor<4x64xf32>
      %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1]
          : (tensor<4x64xf32>, tensor<f32>) -> tensor<4xf32>
      %lse = stablehlo.log %s : tensor<4xf32>
      %i = stablehlo.reshape %labels : (tensor<4xi32>) -> tensor<4x1xi32>
      %l = "stablehlo.gather"(%logits, %i) <{
          dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1],
              operand_batching_dims = [0], start_indices_batching_dims = [0],
              start_index_map = [1], index_vector_dim = 1>,
          slice_sizes = array<i64: 1, 1>}> : (tensor<4x64xf32>, tensor<4x1xi32>) -> tensor<4xf32>
      %loss = stablehlo.subtract %lse, %l : tensor<4xf32>
      return %loss : tensor<4xf32>
    }
    // becomes
    func.func @f(
        %logits: tensor<4x64xf32>,
        %labels: tensor<4xi32> {boost.id_limit = 64 : i64,
            boost.tensor = #boost.tensor<batch "labels">})
        -> tensor<4xf32> {
      %loss, %lse = boost.cross_entropy %logits, %labels
          : (tensor<4x64xf32>, tensor<4xi32>) -> (tensor<4xf32>, tensor<4xf32>)
      return %loss : tensor<4xf32>
    }
    ```

    Arithmetic: reassociating. Never fails.
  }];
}

def RaiseBottleneckPass : RaisePass<"boost-raise-bottleneck"> {
  let summary = "Pairs of linears with a narrow middle become boost.bottleneck.";
  let description = [{
    Matches, by structure alone, two `boost.linear` operations. The first must produce
    fewer elements per row than it reads and than the second produces. Between them
    there may be a silu (`x * logistic(x)` in any spelling), a sum with another latent,
    or such a sum followed by a silu. The latent may have no other readers, except for
    sums of later bottlenecks (LaX), which read it before the activation: it becomes the
    last result. A weight that is stored transposed, as in PyTorch, is read
    through a `stablehlo.transpose`, which its product absorbs.

    Where another function stands between the linears, they stay, and `boost.factor`
    says which part of a bottleneck each is: `"first"`, `"second"`, or `"middle"` for a
    linear from one latent to another. A latent is then the result of a linear that is
    narrower than its input, or any function of latents and of values that are computed
    from arguments without a product or a lookup: an activation, a learned scale, a bias,
    a norm, a mask, a gate of two latents, a sum along the sequence. Nothing but linears
    and other latents may read it, and one of these linears must give something wider.
    It may also be repeated to more elements than its product has, as a part of the keys
    that all heads share is (MLA).
    The rows that a `boost.embedding` looks up may be a latent as well: it is a first
    factor then (ALBERT).
    boost-place shards such operations as the factors of a bottleneck.

    ```mlir
    func.func @f(%x: tensor<4x64xf32>, %a: tensor<64x8xf32>, %b: tensor<8x64xf32>)
        -> tensor<4x64xf32> {
      %h = boost.linear %x, %a : (tensor<4x64xf32>, tensor<64x8xf32>) -> tensor<4x8xf32>
      %g = stablehlo.logistic %h : tensor<4x8xf32>
      %z = stablehlo.multiply %h, %g : tensor<4x8xf32>
      %y = boost.linear %z, %b : (tensor<4x8xf32>, tensor<8x64xf32>) -> tensor<4x64xf32>
      return %y : tensor<4x64xf32>
    }
    // becomes
    func.func @f(%x: tensor<4x64xf32>,
                 %a: tensor<64x8xf32>,
                 %b: tensor<8x64xf32>) -> tensor<4x64xf32> {
      %results = boost.bottleneck %x down(%a) up(%b) activation(silu)
          : tensor<4x64xf32> down tensor<64x8xf32> up tensor<8x64xf32> -> tensor<4x64xf32>
      return %results : tensor<4x64xf32>
    }
    ```

    Arithmetic: reassociating if silu is not spelled `h * logistic(h)`, exact
    otherwise. Never fails.
  }];
}

#endif // BOOST_MLIR_CONVERSION_STABLEHLOTOBOOST_PASSES_TD
