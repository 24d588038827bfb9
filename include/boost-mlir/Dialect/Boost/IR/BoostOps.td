//===- BoostOps.td - Operations of the boost dialect -------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOST_IR_BOOSTOPS_TD
#define BOOST_MLIR_DIALECT_BOOST_IR_BOOSTOPS_TD

include "boost-mlir/Dialect/Boost/IR/BoostAttrs.td"
include "boost-mlir/Dialect/Boost/IR/BoostDialect.td"
include "boost-mlir/Dialect/Boost/IR/BoostSchedule.td"
include "boost-mlir/Dialect/Boost/IR/CollectiveOpInterface.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

//===----------------------------------------------------------------------===//
// Blocks of the model
//===----------------------------------------------------------------------===//

def Boost_LinearOp : Boost_Op<"linear", [Pure]> {
  let summary = "Product of activations with a weight matrix.";
  let description = [{
    Computes `result[..., n] = sum_k input[..., k] * weight[k, n]`. With `transposed`, the
    weight has the shape [n, k], and `result[..., n] = sum_k input[..., k] * weight[n, k]`.
    A head that is tied to the embedding reads the table in this way.

    - `input` has at least one dimension, `weight` has two, and both have one element type.
    - The result has the shape of `input` with n in place of the last dimension. Its element
      type is that of `input`, or f32.

    `boost-annotate-components` sets `shard_output` on the linear that produces the logits.
    Partition then prefers to spread the operation along n rather than along k, even if the
    weight has to be moved, because the cross entropy that reads the result works on parts
    of the vocabulary.

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
    Computes `result = gamma * input / sqrt(mean(input^2) + eps)`, with the mean over the
    last dimension (Zhang & Sennrich 2019). The mean is computed in f32, or in f64 for f64
    tensors.

    - `gamma` has one element for each element of the last dimension. Its element type is
      that of `input`, or f32.
    - `eps` is finite and not negative.

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
    Computes `result = gamma * (input - mean(input)) / sqrt(var(input) + eps) + beta`, with
    mean and variance over the last dimension (Ba et al. 2016). The statistics are computed
    in f32, or in f64 for f64 tensors. `boost-decompose-layer-norm` computes the variance as
    `max(mean(x^2) - mean(x)^2, 0)`.

    - `gamma` and `beta` have one type, with one element for each element of the last
      dimension. Their element type is that of `input`, or f32.
    - `eps` is finite and not negative.

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
  let summary = "Low-rank linear: a first factor, an activation, and second factors.";
  let description = [{
    Maps the input down to a narrow latent and the latent up to one or more results:

    ```
    u   = RMSNorm(input; gamma, eps)            with `norm(gamma, eps)`
          LayerNorm(input; gamma, beta, eps)    with `norm(gamma beta ..., eps)`
          input                                 otherwise
    h   = u . down + latent                     `latent` is optional
    z   = activation(h)                         `identity`, or `silu` as in CoLA
    y_i = z[..., columns i] . up_i              for every second factor, in order
    ```

    `down` has the shape [d, r] and `up_i` the shape [r_i, n_i]; the second factors read
    consecutive columns of z, so that the r_i add up to r. LaX passes as `latent` the latent
    of the same bottleneck in the previous layer. `latent_out`, if present, is the last
    result and contains `u . down`, to which `latent` and the activation have not been
    applied.

    Factors of several branches may be packed into one tensor, as `boost-group-linears`
    does:

    - Branches of equal rank may share a `down` of shape [d, branches, r], which can be
      sharded along r. Their latents have the shape [..., branches, r].
    - Branches whose second factors have one shape may share an `up` of shape [branches, r,
      n]. Their common result has the shape [branches, ..., n].

    All tensors have the element type of `input`, except that gamma and beta may be f32.

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
    Computes `softmax(cap(scale * query . key^T) + bias) . value` for each head.

    - `query` has the shape [batch, queries, heads, head size]. `key` and `value` have one
      type, with the shape [batch, keys, key heads, head size]. The number of key heads
      divides the number of heads h: head i of the query reads key head
      `i / (h / key heads)`. All three have one element type.
    - `result` has the type of `query`. `lse`, of shape [batch, heads, queries], is the
      logarithm of the denominators of the softmax, which the gradients read.
    - `lse` and `bias` are f32, or f64 if the other tensors are f64. Scores have this type
      too.
    - `soft_cap` c, which is greater than 0, bounds the scores: `cap(x) = c * tanh(x / c)`
      (Gemma 2). Without it, `cap(x) = x`.
    - `bias` is added to the scores (ALiBi, T5). A bias of -1e9 or less is so large that
      scores of ordinary size are lost in the sum. If it applies to all keys that a query
      sees, these keys have equal weights, but, unlike with `mask`, gradients reach the
      scores.
    - `mask` is true where a query sees a key. With `causal`, which requires as many keys as
      queries, query i sees only keys 0 to i. If a query sees no key, all of its scores
      count as 0, and its result is the mean of the values.

    `bias` and `mask` have the shape [batch, heads, queries, keys]. Any of these sizes may
    be 1; the tensor is then repeated along this dimension.

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
  let summary = "Gradient of boost.attention with respect to query, key and value.";
  let arguments = !con(attentionInputs, attentionGradients, attentionScores,
                       (ins UnitAttr:$nondeterministic));
  let description = [{
    The operands before `of` and the attributes are those of a `boost.attention`; `result`
    and `lse` are its results, and `grad` and `lse_grad` are the gradients with respect to
    these. Without `lse_grad`, that gradient is zero. The results have the types of query,
    key and value.

    If p is the weight of a key, the gradient of the sum of its capped score and its bias is
    `p * (grad . value - grad . result + lse_grad)`, and zero for a query that sees no key.

    With `nondeterministic`, the terms of `d_query` may be added in an order that differs
    from run to run.

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
    Operands and attributes are those of `boost.attention_grad`, and `bias` is required. The
    result is the gradient of the scores after the bias has been added, summed over the
    dimensions along which the bias is repeated. It has the type of `bias`.

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
  let summary = "Rows of a table, selected by ids.";
  let description = [{
    Computes `result[..., :] = table[ids[...], :]`. The table has the shape [rows, columns];
    the result has the shape of the ids with `columns` appended, and the table's element
    type. Ids are i32 or i64. An id outside of `[0, rows)` is clamped to this range, as by
    `stablehlo.gather`. The training program refuses such ids in its input.

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
    Row i of the result is the sum of the rows `grad[j, :]` with `ids[j] = i`, added in the
    order of increasing j. Ids are clamped as by `boost.embedding`. `grad` has the shape of
    the ids with the table's number of columns appended, and the table's element type.

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
    Computes `lse[...] = log sum_v exp(logits[..., v])` and
    `loss[...] = lse[...] - logits[..., labels[...]]`. Both results are f32, or f64 for f64
    logits, and have the shape of the labels, which is that of the logits without the last
    dimension. Labels are i32 or i64. If a label is outside of
    `[0, size of the vocabulary)`, its loss is `lse`. The operation takes no mean over the
    labels; the program does.

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
    Computes `d_logits[..., v] = grad[...] * (exp(logits[..., v] - lse[...]) - onehot)`,
    where `onehot` is 1 if `v = labels[...]` and 0 otherwise. `lse` is the result of the
    `boost.cross_entropy`, and `grad` is the gradient with respect to its loss. The result
    has the type of the logits.

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
  let summary = "Marks where the backward pass or the optimizer begins.";
  let description = [{
    Operations before the first marker of a function belong to the forward pass. Values that
    the forward pass defines and the backward pass reads are those that a step keeps.
    Markers are in the body of a function, which has at most one marker `backward` and at
    most one marker `optimizer`, in this order. The phase of every operation is therefore
    known.

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
    Computes the square of the global norm of one or more tensors. The result is an f64
    scalar if an input is f64, and an f32 scalar otherwise. One operation reads all
    gradients, so that partition can count every element of sharded gradients exactly once
    with one collective for each combination of mesh axes.

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
    Computes Algorithm 2 of Loshchilov & Hutter (2019), with `g = grad * grad_scale`:

    ```
    m' = beta1 m + share1 g             v' = beta2 v + share2 g^2
    p' = p - lr (m' / (1 - beta1^t) / (sqrt(v' / (1 - beta2^t) + eps_root) + eps) + weight_decay p)
    ```

    `share1` and `share2` are 1 - beta1 and 1 - beta2. They are operands because programs
    round them at different points: optax subtracts numbers of Python, and 1 - 0.999 differs
    by 1.3e-5 of itself between double and f32.

    The term `weight_decay p` is left out unless `decays` is present. `step` is the number
    of the update, counted from 1. The learning rate and the other numbers are f32 scalars,
    so that they can change from step to step. The parameter, the moments m and v and the
    gradient have one shape; the moments are f32. The update is elementwise, so the tensors
    can be sharded in any way.

    ```mlir
    %w1, %m1, %v1 = boost.adamw %w, %m, %v, %g lr %lr step %step scale %scale
        betas %beta1, %beta2 shares %share1, %share2 eps %eps, %eps_root decay %decay {decays}
        : tensor<8x2xbf16>, tensor<8x2xf32>, tensor<8x2xf32>
    ```
  }];
  let arguments = (ins Boost_FloatTensor:$param, Boost_F32Tensor:$m, Boost_F32Tensor:$v,
                       Boost_FloatTensor:$grad, Boost_F32Scalar:$lr,
                       Boost_F32Scalar:$step, Boost_F32Scalar:$grad_scale,
                       Boost_F32Scalar:$beta1, Boost_F32Scalar:$beta2,
                       Boost_F32Scalar:$share1, Boost_F32Scalar:$share2,
                       Boost_F32Scalar:$eps, Boost_F32Scalar:$eps_root,
                       Boost_F32Scalar:$weight_decay, UnitAttr:$decays);
  let results = (outs Boost_FloatTensor:$new_param, Boost_F32Tensor:$new_m,
                      Boost_F32Tensor:$new_v);
  let extraClassDeclaration = [{
    /// Returns the scalar operands, in their order.
    ::mlir::OperandRange getNumbers() { return getOperands().drop_front(4); }
  }];
  let assemblyFormat = [{
    $param `,` $m `,` $v `,` $grad `lr` $lr `step` $step `scale` $grad_scale
    `betas` $beta1 `,` $beta2 `shares` $share1 `,` $share2 `eps` $eps `,` $eps_root
    `decay` $weight_decay attr-dict
    `:` type($param) `,` type($m) `,` type($grad)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Collectives (spmd level)
//===----------------------------------------------------------------------===//

/// An operation whose results depend on the position of the rank in a group, the
/// ranks that differ only along `grid_axes` of `grid`. getMovements() returns
/// `movements`.
class Boost_RankGroupOp<string mnemonic, string movements, list<Trait> traits,
                        list<Trait> effects = [Pure]>
    : Boost_Op<mnemonic, !listconcat(
        effects, [DeclareOpInterfaceMethods<SymbolUserOpInterface>], traits)> {
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
    Every rank receives the sum, maximum or minimum of each tensor over the ranks of its
    group, which are the ranks whose positions differ only along `grid_axes`. The operands
    may have different types; they are sent together.

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
    Every rank receives the pieces of all ranks of its group, which differ only along
    `grid_axes`. The pieces of tensor i are joined along the dimension `dims[i]`, in the
    order of the ranks' positions. The operands may have different types and shapes; they
    are sent together.

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
    Every rank receives its piece of the sum, maximum or minimum of each tensor over the
    ranks of its group, which differ only along `grid_axes`. Tensor i is divided along the
    dimension `dims[i]`. The operands may have different types and shapes; they are sent
    together.

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
  let summary = "Broadcast of one rank's tensors, in one launch.";
  let description = [{
    Every rank receives the tensors of the rank at position `root` of its group. The ranks
    of a group differ only along `grid_axes`; their positions are row-major over these axes.
    The operands may have different types; they are sent together.

    The values of the other ranks are not read. `boost-verify-spmd` refuses operands that
    are sharded over the axes or are partial sums over them, because the value of one rank
    would not be the value of the tensor.

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

def Boost_SumOverStagesOp : Boost_RankGroupOp<"sum_over_stages",
    "reduceAll(1, ::mlir::boost::Reduction::Sum)",
    [CollectiveOpInterface, AllTypesMatch<["input", "result"]>],
    [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Sum over pipeline stages, in which their functions meet.";
  let description = [{
    Every rank receives the sum of the tensors of its group, whose ranks belong to different
    pipeline stages. Each stage has a function of its own, and a sum in each of them has the
    same number `meeting`: a function of `n` sums meets the others in 0 to `n - 1`, in this
    order. `boost-split-stages` creates these operations for numbers that the update of one
    stage computes and others read, such as the norm of all gradients.

    A stage takes part even if it does not read the sum. The operation therefore has a side
    effect: it is not erased, not merged with another one, and keeps its order.

    ```mlir
    %s = boost.sum_over_stages %norm meeting 0 on @mesh axes = [0] : tensor<f32>
    ```
  }];
  let arguments = (ins Boost_AnyTensor:$input, I64Attr:$meeting,
                       FlatSymbolRefAttr:$grid, DenseI16ArrayAttr:$grid_axes);
  let results = (outs Boost_AnyTensor:$result);
  let assemblyFormat = [{
    $input `meeting` $meeting `on` $grid `axes` `=` $grid_axes attr-dict `:` type($input)
  }];
  let extraClassDeclaration = !strconcat(groupMethods, [{
    ::mlir::boost::CollectiveKind getKind() {
      return ::mlir::boost::CollectiveKind::AllReduce;
    }
    bool updatesOperands() { return true; }
  }]);
}

def Boost_ProcessIndexOp
    : Boost_RankGroupOp<"process_index", "{}", [RankGroupOpInterface]> {
  let summary = "Position of the rank in its group.";
  let description = [{
    Returns the position of the rank among those that differ only along `grid_axes`, as an
    i32 scalar. Positions are row-major over the axes.

    ```mlir
    %i = boost.process_index on @mesh axes = [1] : tensor<i32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$grid, DenseI16ArrayAttr:$grid_axes);
  let results = (outs 0DTensorOf<[I32]>:$result);
  let assemblyFormat = "`on` $grid `axes` `=` $grid_axes attr-dict `:` type($result)";
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

def Boost_ProbeOp : Boost_Op<"probe", [MemoryEffects<[MemWrite]>]> {
  let summary = "Shows a tensor to `eval --verify`.";
  let description = [{
    Has no result and does not change the program. `boost-insert-probes` inserts probes
    after the operations whose results `eval --verify` compares. `site` numbers the probes
    of a function in program order, `name` identifies the tensor in reports, and the
    location is that of the operation that computes the tensor.

    On the tensors of one rank (spmd), `sharding` says how ranks hold the value. A probe of
    a partial sum shows the rank's term; it does not complete the sum. `rows` says that the
    tensor consists of rows of the one that the site is of: the number of the first of them,
    and that of all rows.

    ```mlir
    boost.probe %h as "linear layers.0.attn.q.down" site 7 : tensor<4x128x64xf32>
    boost.probe %h_local as "linear layers.0.attn.q.down" site 7
        sharding <{"dp"}, {}, {}, partial = sum {"tp"}> : tensor<2x128x64xf32>
    ```
  }];
  let arguments = (ins Boost_FloatTensor:$input, StrAttr:$name, I64Attr:$site,
                       OptionalAttr<Boost_ShardingAttr>:$sharding,
                       OptionalAttr<DenseI64ArrayAttr>:$rows);
  let assemblyFormat = [{
    $input `as` $name `site` $site (`sharding` $sharding^)? (`rows` $rows^)? attr-dict
    `:` type($input)
  }];
  let hasVerifier = 1;
}

#endif // BOOST_MLIR_DIALECT_BOOST_IR_BOOSTOPS_TD
