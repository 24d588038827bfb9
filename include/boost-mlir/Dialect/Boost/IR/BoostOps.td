//===- BoostOps.td - Operations of the boost dialect -------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOST_IR_BOOSTOPS_TD
#define BOOST_MLIR_DIALECT_BOOST_IR_BOOSTOPS_TD

include "boost-mlir/Dialect/Boost/IR/BoostAttrs.td"
include "boost-mlir/Dialect/Boost/IR/BoostDialect.td"
include "boost-mlir/Dialect/Boost/IR/CollectiveOpInterface.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

//===----------------------------------------------------------------------===//
// Blocks of the model
//===----------------------------------------------------------------------===//

def Boost_LinearOp : Boost_Op<"linear", [Pure]> {
  let summary = "Product of activations with a weight matrix.";
  let description = [{
    `out[..., n] = sum_k x[..., k] * weight[k, n]`, or with `transposed`
    `sum_k x[..., k] * weight[n, k]` (a tied head reads the embedding this way).

    With `shard_output` what reads the result works on parts of its last
    dimension, as a cross entropy does on parts of the vocabulary: rather than
    terms of the sum, ranks compute parts of the output, also where that moves
    the weight.

    ```mlir
    %y = boost.linear %x, %w
        : (tensor<4x128x512xf32>, tensor<512x256xf32>) -> tensor<4x128x256xf32>
    %l = boost.linear %y, %e transposed shard_output
        : (tensor<4x128x256xf32>, tensor<8192x256xf32>) -> tensor<4x128x8192xf32>
    ```
  }];
  let arguments = (ins Boost_FloatTensor:$input, Boost_FloatTensor:$weight,
                       UnitAttr:$transposed, UnitAttr:$shard_output);
  let results = (outs Boost_FloatTensor:$result);
  let assemblyFormat = [{
    $input `,` $weight (`transposed` $transposed^)? (`shard_output` $shard_output^)?
    attr-dict
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Boost_RMSNormOp : Boost_Op<"rms_norm", [Pure, AllTypesMatch<["input", "result"]>]> {
  let summary = "Root-mean-square normalization of the last dimension.";
  let description = [{
    `out = gamma * x / sqrt(mean(x^2) + eps)` over the last dimension (Zhang &
    Sennrich 2019). The statistic is taken in f32 (f64 for f64 input).

    ```mlir
    %n = boost.rms_norm %x, %gamma {eps = 1.0e-6 : f64}
        : tensor<4x128x512xf32>, tensor<512xf32>
    ```
  }];
  let arguments = (ins Boost_FloatTensor:$input, Boost_FloatTensor:$gamma,
                       F64Attr:$eps);
  let results = (outs Boost_FloatTensor:$result);
  let assemblyFormat = [{
    $input `,` $gamma attr-dict `:` type($input) `,` type($gamma)
  }];
  let hasVerifier = 1;
}

def Boost_LayerNormOp : Boost_Op<"layer_norm", [Pure, AllTypesMatch<["input", "result"]>,
                                                AllTypesMatch<["gamma", "beta"]>]> {
  let summary = "Layer normalization of the last dimension.";
  let description = [{
    `out = gamma * (x - mean(x)) / sqrt(var(x) + eps) + beta` over the last
    dimension (Ba et al. 2016), with `var(x) = mean((x - mean(x))^2)`. The
    statistics are taken in f32 (f64 for f64 input).

    ```mlir
    %n = boost.layer_norm %x, %gamma, %beta {eps = 1.0e-5 : f64}
        : tensor<4x128x512xf32>, tensor<512xf32>
    ```
  }];
  let arguments = (ins Boost_FloatTensor:$input, Boost_FloatTensor:$gamma,
                       Boost_FloatTensor:$beta, F64Attr:$eps);
  let results = (outs Boost_FloatTensor:$result);
  let assemblyFormat = [{
    $input `,` $gamma `,` $beta attr-dict `:` type($input) `,` type($gamma)
  }];
  let hasVerifier = 1;
}

def Boost_BottleneckOp : Boost_Op<"bottleneck", [Pure, AttrSizedOperandSegments,
                                                 AttrSizedResultSegments]> {
  let summary = "A low-rank linear: down to a narrow latent, up to one or more outputs.";
  let description = [{
    ```
    u   = RMSNorm(x; gamma, eps)            if gamma is given,
          LayerNorm(x; gamma, beta, eps)    if beta is, too, else x
    h   = u . down (+ latent)               down: [d, r]
    z   = activation(h)                     identity (SVD), silu (CoLA)
    y_i = z[..., slice i] . up_i            up_i: [r_i, n_i], slices in order
    ```
    where the r_i add up to r. `latent` is what LaX adds before the activation:
    the raw latent `u . down` of the same projection one block earlier. The raw
    latent of this one is the last result when `latent_out` is present.

    Branches of equal rank may share a `down` of shape [d, branches, r], which
    can be sharded along r; their latents have shape [..., branches, r]. Branches
    that are equal altogether may share an `up` of shape [branches, r, n]; their
    results are one of shape [branches, ..., n].

    ```mlir
    %q = boost.bottleneck %x down(%a) up(%b) activation(silu)
        : tensor<4x128x512xf32> down tensor<512x128xf32> up tensor<128x512xf32>
        -> tensor<4x128x512xf32>
    ```
  }];
  let arguments = (ins Boost_FloatTensor:$input,
                       Optional<Boost_FloatTensor>:$gamma,
                       Optional<Boost_FloatTensor>:$beta,
                       Boost_FloatTensor:$down,
                       Variadic<Boost_FloatTensor>:$ups,
                       Optional<Boost_FloatTensor>:$latent,
                       OptionalAttr<F64Attr>:$eps,
                       DefaultValuedAttr<Boost_ActivationAttr,
                         "::mlir::boost::Activation::Identity">:$activation);
  let results = (outs Variadic<Boost_FloatTensor>:$results,
                      Optional<Boost_FloatTensor>:$latent_out);
  let assemblyFormat = [{
    $input (`norm` `(` $gamma^ (`beta` $beta^)? `,` $eps `)`)? `down` `(` $down `)`
    `up` `(` $ups `)` (`latent` `(` $latent^ `)`)?
    (`activation` `(` $activation^ `)`)? attr-dict
    `:` type($input) (`norm` type($gamma)^)? (`beta` type($beta)^)? `down` type($down) `up` type($ups)
    (`latent` type($latent)^)?
    `->` type($results) (`latent` type($latent_out)^)?
  }];
  let hasVerifier = 1;
}

defvar attentionInputs = (ins Boost_FloatTensor:$query, Boost_FloatTensor:$key,
                              Boost_FloatTensor:$value, Optional<Boost_StatTensor>:$bias,
                              Optional<Boost_BoolTensor>:$mask);
defvar attentionScores = (ins UnitAttr:$causal, F64Attr:$scale,
                              OptionalAttr<F64Attr>:$soft_cap);

def Boost_AttentionOp : Boost_Op<"attention", [Pure, AttrSizedOperandSegments]> {
  let summary = "Scaled dot-product attention with grouped-query heads.";
  let description = [{
    `out = softmax(cap(scale * q k^T) + bias) v` per head; layout [batch,
    sequence, heads, head size]. `key` and `value` may have fewer heads, dividing
    those of `query`: query head i reads key head `i / (h / kvh)`. `lse` [batch,
    heads, queries] is the logarithm of the softmax denominator, which the
    gradient reads.

    - `soft_cap` c bounds the scores: `cap(x) = c tanh(x / c)` (Gemma 2).
    - `bias` is added to the scores (ALiBi, T5): f32, or f64 for f64 tensors. The
      sums have that type too: a bias of -1e9 or less on all keys of a query leaves
      nothing of scores of ordinary size, and all keys that `mask` and `causal`
      show have the same weight. Unlike with `mask`, gradients reach the scores
      even then.
    - `mask` says which keys a query sees; with `causal`, position i sees
      positions 0..i only. Where nothing is to be seen, all scores count as 0,
      so that the result is the mean of the values.

    `bias` and `mask` have the layout [batch, heads, queries, keys]; any of these
    may be 1 and is repeated then.

    ```mlir
    %o, %lse = boost.attention %q, %k, %v mask %m causal {scale = 0.125 : f64}
        : (tensor<4x128x8x64xf32>, tensor<4x128x2x64xf32>, tensor<4x128x2x64xf32>,
           tensor<4x1x1x128xi1>) -> (tensor<4x128x8x64xf32>, tensor<4x8x128xf32>)
    ```
  }];
  let arguments = !con(attentionInputs, attentionScores);
  let results = (outs Boost_FloatTensor:$result, Boost_StatTensor:$lse);
  let assemblyFormat = [{
    $query `,` $key `,` $value (`bias` $bias^)? (`mask` $mask^)? (`causal` $causal^)?
    attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

defvar attentionGradients = (ins Boost_FloatTensor:$result, Boost_StatTensor:$lse,
                                 Boost_FloatTensor:$grad,
                                 Optional<Boost_StatTensor>:$lse_grad);

/// Base of the two gradients of boost.attention.
class Boost_AttentionGradOpBase<string mnemonic>
    : Boost_Op<mnemonic, [Pure, AttrSizedOperandSegments]> {
  let arguments = !con(attentionInputs, attentionGradients, attentionScores);
  let assemblyFormat = [{
    $query `,` $key `,` $value (`bias` $bias^)? (`mask` $mask^)?
    `of` $result `,` $lse `grad` $grad (`,` $lse_grad^)? (`causal` $causal^)?
    attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Boost_AttentionGradOp : Boost_AttentionGradOpBase<"attention_grad"> {
  let summary = "Gradient of boost.attention with respect to query, key, value.";
  let arguments = !con(attentionInputs, attentionGradients, attentionScores,
                       (ins UnitAttr:$nondeterministic));
  let description = [{
    `result` and `lse` are those of the `boost.attention` whose operands are
    passed, `grad` and `lse_grad` their gradients. With the probabilities p, the
    gradient of a score is `p (grad . v - grad . result + lse_grad)`, zero where
    nothing is to be seen. With `nondeterministic`, the sums that make up `d_query`
    may be taken in an order that differs from run to run.

    ```mlir
    %dq, %dk, %dv = boost.attention_grad %q, %k, %v of %o, %lse grad %do
        causal {scale = 0.125 : f64}
        : (tensor<4x128x8x64xf32>, tensor<4x128x2x64xf32>, tensor<4x128x2x64xf32>,
           tensor<4x128x8x64xf32>, tensor<4x8x128xf32>, tensor<4x128x8x64xf32>)
        -> (tensor<4x128x8x64xf32>, tensor<4x128x2x64xf32>, tensor<4x128x2x64xf32>)
    ```
  }];
  let results = (outs Boost_FloatTensor:$d_query, Boost_FloatTensor:$d_key,
                      Boost_FloatTensor:$d_value);
}

def Boost_AttentionBiasGradOp : Boost_AttentionGradOpBase<"attention_bias_grad"> {
  let summary = "Gradient of boost.attention with respect to the bias.";
  let description = [{
    That of the scores, as in `boost.attention_grad`, summed over what the bias
    is repeated along. Most biases are constants and need none.

    ```mlir
    %db = boost.attention_bias_grad %q, %k, %v bias %b of %o, %lse grad %do {scale = 0.125 : f64}
        : (tensor<1x8x4x16xf32>, tensor<1x8x4x16xf32>, tensor<1x8x4x16xf32>,
           tensor<1x4x8x8xf32>, tensor<1x8x4x16xf32>, tensor<1x4x8xf32>, tensor<1x8x4x16xf32>)
        -> tensor<1x4x8x8xf32>
    ```
  }];
  let results = (outs Boost_StatTensor:$d_bias);
}

def Boost_EmbeddingOp : Boost_Op<"embedding", [Pure]> {
  let summary = "Rows of a table.";
  let description = [{
    `out[..., :] = table[ids[...], :]`. Ids outside `[0, rows)` are clamped, as
    `stablehlo.gather` does; the training binary refuses them in its input.

    ```mlir
    %x = boost.embedding %table, %ids : (tensor<64x16xf32>, tensor<4x8xi32>) -> tensor<4x8x16xf32>
    ```
  }];
  let arguments = (ins Boost_FloatTensor:$table, Boost_IdTensor:$ids);
  let results = (outs Boost_FloatTensor:$result);
  let assemblyFormat = [{
    $table `,` $ids attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Boost_EmbeddingGradOp : Boost_Op<"embedding_grad", [Pure]> {
  let summary = "Gradient of boost.embedding with respect to its table.";
  let description = [{
    `table[i, :] = sum of grad[j, :] over the j with ids[j] = i`, added in
    increasing j. Ids are clamped as by `boost.embedding`.

    ```mlir
    %dt = boost.embedding_grad %ids, %dx
        : (tensor<4x8xi32>, tensor<4x8x16xf32>) -> tensor<64x16xf32>
    ```
  }];
  let arguments = (ins Boost_IdTensor:$ids, Boost_FloatTensor:$grad);
  let results = (outs Boost_FloatTensor:$d_table);
  let assemblyFormat = [{
    $ids `,` $grad attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Boost_CrossEntropyOp : Boost_Op<"cross_entropy", [Pure]> {
  let summary = "Negative log-likelihood of labels under a softmax over the last dimension.";
  let description = [{
    `lse[...] = log sum_v exp(logits[..., v])`,
    `loss[...] = lse[...] - logits[..., labels[...]]`, both in f32 (f64 for f64
    logits). There is no mean: that is left to the program. A label outside
    `[0, size of the vocabulary)` picks nothing: its loss is `lse`.

    ```mlir
    %loss, %lse = boost.cross_entropy %logits, %labels
        : (tensor<4x8x64xbf16>, tensor<4x8xi32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
    ```
  }];
  let arguments = (ins Boost_FloatTensor:$logits, Boost_IdTensor:$labels);
  let results = (outs Boost_StatTensor:$loss, Boost_StatTensor:$lse);
  let assemblyFormat = [{
    $logits `,` $labels attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Boost_CrossEntropyGradOp : Boost_Op<"cross_entropy_grad", [Pure,
    AllTypesMatch<["logits", "d_logits"]>, AllTypesMatch<["lse", "grad"]>]> {
  let summary = "Gradient of boost.cross_entropy with respect to its logits.";
  let description = [{
    `d_logits[..., v] = grad[...] * (exp(logits[..., v] - lse[...]) -
    [v = labels[...]])`.

    ```mlir
    %dlogits = boost.cross_entropy_grad %logits, %labels, %lse, %dloss
        : tensor<4x8x64xbf16>, tensor<4x8xi32>, tensor<4x8xf32>
    ```
  }];
  let arguments = (ins Boost_FloatTensor:$logits, Boost_IdTensor:$labels,
                       Boost_StatTensor:$lse, Boost_StatTensor:$grad);
  let results = (outs Boost_FloatTensor:$d_logits);
  let assemblyFormat = [{
    $logits `,` $labels `,` $lse `,` $grad attr-dict
    `:` type($logits) `,` type($labels) `,` type($lse)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// The training step
//===----------------------------------------------------------------------===//

def Boost_PhaseOp : Boost_Op<"phase"> {
  let summary = "Where the backward pass or the optimizer begins.";
  let description = [{
    A marker in a straight-line step function; operations before the first
    marker are the forward pass. Values defined before the first marker and
    read after it are what the step keeps. A function has at most one marker
    `backward` and one `optimizer` behind it, so that the phase of every
    operation is known.

    ```mlir
    func.func @step(%x: tensor<4x8xf32>, %w: tensor<8x2xf32>, %dy: tensor<4x2xf32>)
        -> (tensor<4x2xf32>, tensor<8x2xf32>, tensor<f32>) {
      %y = boost.linear %x, %w : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
      boost.phase backward
      %dw = stablehlo.dot_general %x, %dy, contracting_dims = [0] x [0]
          : (tensor<4x8xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
      boost.phase optimizer
      %s = boost.sum_of_squares %dw : (tensor<8x2xf32>) -> tensor<f32>
      return %y, %dw, %s : tensor<4x2xf32>, tensor<8x2xf32>, tensor<f32>
    }
    ```
  }];
  let arguments = (ins Boost_PhaseAttr:$phase);
  let assemblyFormat = "$phase attr-dict";
  let hasVerifier = 1;
}

def Boost_SumOfSquaresOp : Boost_Op<"sum_of_squares", [Pure]> {
  let summary = "Sum of the squares of all elements of several tensors.";
  let description = [{
    The square of a global norm. One operation for all gradients, so that on
    shards each element is counted exactly once with one collective per
    combination of mesh axes.

    ```mlir
    %s = boost.sum_of_squares %da, %db : (tensor<8x2xf32>, tensor<4xf32>) -> tensor<f32>
    ```
  }];
  let arguments = (ins Variadic<Boost_FloatTensor>:$inputs);
  let results = (outs Boost_ScalarTensor:$result);
  let assemblyFormat = "$inputs attr-dict `:` functional-type($inputs, $result)";
  let hasVerifier = 1;
}

def Boost_AdamWOp : Boost_Op<"adamw", [Pure, AllTypesMatch<["param", "new_param"]>,
    AllTypesMatch<["m", "v", "new_m", "new_v"]>]> {
  let summary = "One AdamW update of one tensor.";
  let description = [{
    Loshchilov & Hutter 2019, Algorithm 2, with `g = grad * grad_scale`:

    ```
    m' = beta1 m + (1 - beta1) g        v' = beta2 v + (1 - beta2) g^2
    p' = p - lr (m' / (1 - beta1^t) / (sqrt(v' / (1 - beta2^t)) + eps) + decay p)
    ```
    `step` is t >= 1 as a float. `decay p` is there for parameters that `decays`
    marks. All numbers are operands, given at every step; all are f32.
    Elementwise: any sharding of the tensor does.

    ```mlir
    %w1, %m1, %v1 = boost.adamw %w, %m, %v, %g lr %lr step %step scale %scale
        betas %beta1, %beta2 eps %eps decay %decay {decays}
        : tensor<8x2xbf16>, tensor<8x2xf32>, tensor<8x2xf32>
    ```
  }];
  let arguments = (ins Boost_FloatTensor:$param, Boost_F32Tensor:$m, Boost_F32Tensor:$v,
                       Boost_FloatTensor:$grad, Boost_F32Scalar:$lr,
                       Boost_F32Scalar:$step, Boost_F32Scalar:$grad_scale,
                       Boost_F32Scalar:$beta1, Boost_F32Scalar:$beta2,
                       Boost_F32Scalar:$eps, Boost_F32Scalar:$weight_decay,
                       UnitAttr:$decays);
  let results = (outs Boost_FloatTensor:$new_param, Boost_F32Tensor:$new_m,
                      Boost_F32Tensor:$new_v);
  let assemblyFormat = [{
    $param `,` $m `,` $v `,` $grad `lr` $lr `step` $step `scale` $grad_scale
    `betas` $beta1 `,` $beta2 `eps` $eps `decay` $weight_decay attr-dict
    `:` type($param) `,` type($m) `,` type($grad)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Collectives (spmd level)
//===----------------------------------------------------------------------===//

/// Depends on where the rank is among those that differ along `grid_axes` of
/// `grid` only. `movements` is what getMovements() returns.
class Boost_RankGroupOp<string mnemonic, string movements, list<Trait> traits>
    : Boost_Op<mnemonic, !listconcat([
        Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>], traits)> {
  code groupMethods = !strconcat([{
    ::mlir::boost::AxisMask getGroupAxes() { return ::mlir::boost::getMask(getGridAxes()); }
    ::llvm::SmallVector<::mlir::boost::GroupMovement> getMovements() {
      return }], movements, [{;
    }
    ::mlir::ValueRange getSources() { return getOperation()->getOperands(); }
    ::mlir::ValueRange getDestinations() { return getOperation()->getResults(); }
  }]);
  let extraClassDeclaration = groupMethods;
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::verifySymbolUses(
        ::mlir::SymbolTableCollection &symbols) {
      return verifyGroup(*this, getGridAttr(), getGridAxes(), symbols);
    }
  }];
  let hasVerifier = 1;
}

/// A collective of any number of tensors.
class Boost_CollectiveOp<string mnemonic, string kind, string movements,
                         list<Trait> traits = []>
    : Boost_RankGroupOp<mnemonic, movements, !listconcat([CollectiveOpInterface], traits)> {
  code collectiveMethods = !strconcat([{
    ::mlir::boost::CollectiveKind getKind() {
      return ::mlir::boost::CollectiveKind::}], kind, [{;
    }
    bool isMergeable() { return true; }
  }]);
  let extraClassDeclaration = !strconcat(groupMethods, collectiveMethods);
}

def Boost_AllReduceOp : Boost_CollectiveOp<"all_reduce", "AllReduce",
    "reduceAll(getInputs().size(), getReduction())",
    [TypesMatchWith<"results have the types of the inputs", "inputs", "results", "$_self">]> {
  let summary = "All-reduce of one or more tensors in one launch.";
  let description = [{
    Every rank receives the sum (max, min) over the ranks that differ only along
    `grid_axes`. Operands may differ in type; they travel together.

    ```mlir
    %h, %s = boost.all_reduce sum %hp, %sp on @mesh axes = [1]
        : tensor<4x128x384xf32>, tensor<4x128xf32>
    ```
  }];
  let arguments = (ins Boost_ReductionAttr:$reduction,
                       Variadic<Boost_AnyTensor>:$inputs,
                       FlatSymbolRefAttr:$grid, DenseI16ArrayAttr:$grid_axes);
  let results = (outs Variadic<Boost_AnyTensor>:$results);
  let assemblyFormat = [{
    $reduction $inputs `on` $grid `axes` `=` $grid_axes attr-dict `:` type($inputs)
  }];
  let extraClassDeclaration = !strconcat(groupMethods, collectiveMethods, [{
    bool updatesOperands() { return true; }
  }]);
}

def Boost_AllGatherOp
    : Boost_CollectiveOp<"all_gather", "AllGather", "joinAlong(getDims())"> {
  let summary = "All-gather of one or more tensors in one launch.";
  let description = [{
    Every rank receives the pieces of the ranks that differ only along
    `grid_axes`, joined in their order: of each tensor along its dimension in
    `dims`. Operands may differ in type and shape; they travel together.

    ```mlir
    %w, %b = boost.all_gather %wp, %bp dims = [1, 0] on @mesh axes = [0]
        : (tensor<8x2xf32>, tensor<4xbf16>) -> (tensor<8x4xf32>, tensor<8xbf16>)
    ```
  }];
  let arguments = (ins Variadic<Boost_AnyTensor>:$inputs, DenseI64ArrayAttr:$dims,
                       FlatSymbolRefAttr:$grid, DenseI16ArrayAttr:$grid_axes);
  let results = (outs Variadic<Boost_AnyTensor>:$results);
  let assemblyFormat = [{
    $inputs `dims` `=` $dims `on` $grid `axes` `=` $grid_axes attr-dict `:`
    functional-type($inputs, $results)
  }];
}

def Boost_ReduceScatterOp
    : Boost_CollectiveOp<"reduce_scatter", "ReduceScatter",
                         "reduceAndSplitAlong(getReduction(), getDims())"> {
  let summary = "Reduce-scatter of one or more tensors in one launch.";
  let description = [{
    Every rank receives its piece of the sum (max, min) over the ranks that
    differ only along `grid_axes`: of each tensor along its dimension in `dims`.
    Operands may differ in type and shape; they travel together.

    ```mlir
    %w, %b = boost.reduce_scatter sum %wp, %bp dims = [1, 0] on @mesh axes = [0]
        : (tensor<8x4xf32>, tensor<8xbf16>) -> (tensor<8x2xf32>, tensor<4xbf16>)
    ```
  }];
  let arguments = (ins Boost_ReductionAttr:$reduction,
                       Variadic<Boost_AnyTensor>:$inputs, DenseI64ArrayAttr:$dims,
                       FlatSymbolRefAttr:$grid, DenseI16ArrayAttr:$grid_axes);
  let results = (outs Variadic<Boost_AnyTensor>:$results);
  let assemblyFormat = [{
    $reduction $inputs `dims` `=` $dims `on` $grid `axes` `=` $grid_axes attr-dict `:`
    functional-type($inputs, $results)
  }];
}

def Boost_BroadcastOp : Boost_CollectiveOp<"broadcast", "Broadcast",
    "broadcastFrom(getRoot(), getInputs().size())",
    [TypesMatchWith<"results have the types of the inputs", "inputs", "results", "$_self">]> {
  let summary = "One rank's value of one or more tensors, in one launch.";
  let description = [{
    Every rank receives what the rank at the position `root` holds, of the ranks
    that differ only along `grid_axes`; positions are row-major over these. Operands
    may differ in type; they travel together.

    What the other ranks hold is not read. A tensor that is sharded over the axes,
    or a partial sum over them, is refused: one rank's value would not be that of
    the tensor.

    ```mlir
    %w = boost.broadcast %own root = 0 on @mesh axes = [1] : tensor<8x4xf32>
    ```
  }];
  let arguments = (ins Variadic<Boost_AnyTensor>:$inputs, I64Attr:$root,
                       FlatSymbolRefAttr:$grid, DenseI16ArrayAttr:$grid_axes);
  let results = (outs Variadic<Boost_AnyTensor>:$results);
  let assemblyFormat = [{
    $inputs `root` `=` $root `on` $grid `axes` `=` $grid_axes attr-dict `:` type($inputs)
  }];
  let extraClassDeclaration = !strconcat(groupMethods, collectiveMethods, [{
    bool updatesOperands() { return true; }
  }]);
}

def Boost_ProcessIndexOp
    : Boost_RankGroupOp<"process_index", "{}", [RankGroupOpInterface]> {
  let summary = "Position of this rank among those that differ along the given axes.";
  let description = [{
    Row-major over `grid_axes`, as a scalar tensor, for use in arithmetic.

    ```mlir
    %i = boost.process_index on @mesh axes = [1] : tensor<i32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$grid, DenseI16ArrayAttr:$grid_axes);
  let results = (outs 0DTensorOf<[I32]>:$result);
  let assemblyFormat = "`on` $grid `axes` `=` $grid_axes attr-dict `:` type($result)";
}

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

def Boost_ScheduleOp : Boost_Op<"schedule", [
    Symbol, NoTerminator, SingleBlock, NoRegionArguments,
    HasParent<"::mlir::ModuleOp">,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "What the binary runs, call by call.";
  let description = [{
    A module has one schedule for each thing that its binary can do:

    | schedule | what it does with a batch |
    |---|---|
    | `@train` | one training step |
    | `@gradients` | the loss and its gradients |
    | `@evaluate` | the loss |

    `micro_batches` is the number of parts that the batches of one run of the
    schedule are computed in. The cost model, the plan, the manifest, `train`,
    `eval` and the prover read from the schedule which functions run, how often,
    and in which order. No function is known by its name.

    ```mlir
    func.func @accumulate(
        %w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">},
        %s: tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">},
        %x: tensor<4xf32> {boost.tensor = #boost.tensor<batch "x">})
        -> (tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">}) {
      %0 = stablehlo.add %s, %x : tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    func.func @update(
        %w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">},
        %s: tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
        -> (tensor<4xf32> {boost.tensor = #boost.tensor<param "w">},
            tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">}) {
      %zero = stablehlo.constant dense<0.0> : tensor<4xf32>
      %0 = stablehlo.subtract %w, %s : tensor<4xf32>
      return %0, %zero : tensor<4xf32>, tensor<4xf32>
    }
    boost.schedule @train micro_batches 2 {
      boost.call @accumulate micro_batch 0
      boost.call @accumulate micro_batch 1
      boost.call @update
    }
    ```

    The verifier refuses a schedule that computes something else than its
    functions say together:

    - Every call names a function of the module, and `boost.tensor` describes
      each argument of it.
    - A call has a `micro_batch` if the function reads the batch or values that
      another call kept of it, and none otherwise. The calls of a function have
      the micro-batches from 0 to `micro_batches - 1`, each once and in order.
    - A call reads tensors that last (parameters, states, accumulators, batch,
      hyper-parameters) and values that an earlier call kept in its slot, of the
      same micro-batch. A kept value is read before another takes its slot and
      before the schedule ends.
    - A call has a `slot` if its function keeps values or reads kept ones.
    - Accumulators that calls with a micro-batch add to are taken by one later
      call without a micro-batch, after all of those.
    - Every parameter that a schedule replaces is replaced once, and so is every
      state. No call reads a parameter after that for a micro-batch. If a
      schedule replaces one parameter, it replaces all that its calls read.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       DefaultValuedAttr<ConfinedAttr<I64Attr, [IntPositive]>, "1">:$micro_batches);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name (`micro_batches` $micro_batches^)? $body attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Returns the calls in the order in which they run.
    ::llvm::SmallVector<::mlir::boost::CallOp> getCalls();
  }];
}

def Boost_CallOp : Boost_Op<"call", [HasParent<"::mlir::boost::ScheduleOp">]> {
  let summary = "One call of a schedule.";
  let description = [{
    Runs a function on the tensors that its arguments and results name, of this
    micro-batch. `slot` is the place in the stash where the function keeps what
    it returns with the role `kept`, or finds what it takes with that role.

    ```mlir
    func.func @loss(%x: tensor<4xf32> {boost.tensor = #boost.tensor<batch "x">})
        -> (tensor<4xf32> {boost.tensor = #boost.tensor<output "out0">}) {
      return %x : tensor<4xf32>
    }
    boost.schedule @evaluate {
      boost.call @loss micro_batch 0
    }
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee,
                       OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$micro_batch,
                       OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$slot);
  let assemblyFormat = [{
    $callee (`micro_batch` $micro_batch^)? (`slot` $slot^)? attr-dict
  }];
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

def Boost_ProbeOp : Boost_Op<"probe", [MemoryEffects<[MemWrite]>]> {
  let summary = "Shows a tensor to whoever verifies the program.";
  let description = [{
    Changes nothing and returns nothing; `boost-insert-probes` puts it behind the
    tensors that `eval --verify` compares. `site` numbers the probes of a
    function in program order, `name` is what the tensor is called in reports.
    The location is that of the operation whose result is shown.

    On one rank's tensors (spmd) a probe says how the rank holds the value. A
    partial sum is shown as it is: probing completes nothing.

    ```mlir
    boost.probe %h as "linear layers.0.attn.q.down" site 7 : tensor<4x128x64xf32>
    boost.probe %h_local as "linear layers.0.attn.q.down" site 7
        sharding <{"dp"}, {}, {}, partial = sum {"tp"}> : tensor<2x128x64xf32>
    ```
  }];
  let arguments = (ins Boost_FloatTensor:$input, StrAttr:$name, I64Attr:$site,
                       OptionalAttr<Boost_ShardingAttr>:$sharding);
  let assemblyFormat = [{
    $input `as` $name `site` $site (`sharding` $sharding^)? attr-dict `:` type($input)
  }];
  let hasVerifier = 1;
}

#endif // BOOST_MLIR_DIALECT_BOOST_IR_BOOSTOPS_TD
