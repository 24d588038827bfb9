//===- BoostRTOps.td - Operations of boostrt ---------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls into the runtime library, one operation per function of
// runtime/include/boost-runtime/Functions.def.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOSTRT_IR_BOOSTRTOPS_TD
#define BOOST_MLIR_DIALECT_BOOSTRT_IR_BOOSTRTOPS_TD

include "boost-mlir/Dialect/Boost/IR/BoostAttrs.td"
include "boost-mlir/Dialect/Boost/IR/CollectiveOpInterface.td"
include "boost-mlir/Dialect/BoostRT/IR/BoostRTDialect.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"

/// The method of a call that reads all of its outs before it writes them.
defvar readsOuts = [{
  bool readsWritten(::mlir::OpOperand &) { return true; }
}];

def BoostRT_LayoutAttr
    : ConfinedAttr<DenseI64ArrayAttr, [DenseArrayCount<3>]>;

def BoostRT_GemmOp : BoostRT_Op<"gemm", [], ["readsWritten", "getDeviceWorkspaceBytes"]> {
  let summary = "Batched dense matrix product.";
  let description = [{
    Computes `C[i] = op(A[i]) . op(B[i])` for i < `batch`, where op(A) has the shape m x k
    and op(B) the shape k x n. Matrices are row-major; with `transpose_a`, A is stored as k
    x m, and with `transpose_b`, B as n x k. With `accumulate`, the previous contents of C
    are added to the product.

    Operands may have any shape with the right number of elements. The matrices of an
    operand are dense and follow one another, unless `layout_a`, `layout_b` or `layout_c`
    gives three distances in elements: `[begin, next matrix, next row]`. `begin` is the
    first element of the first matrix, the other two are the distances between successive
    matrices and rows.

    - `next row` is at least the length of a row.
    - An input with a layout contains all elements that it addresses. On memrefs it begins
      with the first and ends with the last of them.
    - A layout of the result addresses each of its elements once.

    Both factors have one floating-point type; the result may have another one. Sums are
    computed in f32, or in f64 for f64 factors, including the addition of C, and rounded
    once.

    ```mlir
    %c = boostrt.gemm ins(%a, %b : tensor<4x128x512xf32>, tensor<512x64xf32>)
        outs(%e : tensor<4x128x64xf32>) {batch = 1, m = 512, n = 64, k = 512}
        -> tensor<4x128x64xf32>
    ```
  }];
  let arguments = (ins BoostRT_Shaped:$a, BoostRT_Shaped:$b, BoostRT_Shaped:$outs,
                       I64Attr:$batch, I64Attr:$m, I64Attr:$n, I64Attr:$k,
                       UnitAttr:$transpose_a, UnitAttr:$transpose_b,
                       OptionalAttr<BoostRT_LayoutAttr>:$layout_a,
                       OptionalAttr<BoostRT_LayoutAttr>:$layout_b,
                       OptionalAttr<BoostRT_LayoutAttr>:$layout_c,
                       UnitAttr:$accumulate);
  let assemblyFormat = [{
    `ins` `(` $a `,` $b `:` type($a) `,` type($b) `)` `outs` `(` $outs `:` type($outs) `)`
    attr-dict (`->` type($results)^)?
  }];
}

/// The inputs of attention, and its outs with the attributes of scores.
defvar attentionInputs = (ins BoostRT_Shaped:$query, BoostRT_Shaped:$key, BoostRT_Shaped:$value,
                              Optional<BoostRT_Shaped>:$bias, Optional<BoostRT_Shaped>:$mask);
defvar attentionOuts = (ins Variadic<BoostRT_Shaped>:$outs, UnitAttr:$causal, F64Attr:$scale,
                            OptionalAttr<F64Attr>:$soft_cap);

def BoostRT_AttentionForwardOp
    : BoostRT_Op<"attention_forward", [AttrSizedOperandSegments], ["getDeviceWorkspaceBytes"]> {
  let summary = "Attention as a call; the outs are its result and lse.";
  let description = [{
    Operands and attributes are those of `boost.attention`: query [batch, queries, heads,
    head size], key and value [batch, keys, key heads, head size]. The first out has the
    type of the query; the second one, lse, has the shape [batch, heads, queries].

    ```mlir
    %o:2 = boostrt.attention_forward
        ins(%q, %k, %v : tensor<1x8x4x16xf32>, tensor<1x8x2x16xf32>, tensor<1x8x2x16xf32>)
        outs(%e, %l : tensor<1x8x4x16xf32>, tensor<1x4x8xf32>) causal {scale = 0.25 : f64}
        -> tensor<1x8x4x16xf32>, tensor<1x4x8xf32>
    ```
  }];
  let arguments = !con(attentionInputs, attentionOuts);
  let assemblyFormat = [{
    `ins` `(` $query `,` $key `,` $value `:` type($query) `,` type($key) `,` type($value) `)`
    (`bias` `(` $bias^ `:` type($bias) `)`)? (`mask` `(` $mask^ `:` type($mask) `)`)?
    `outs` `(` $outs `:` type($outs) `)` (`causal` $causal^)? attr-dict (`->` type($results)^)?
  }];
}

/// Gradients of attention also read the result, lse and their gradients.
defvar attentionGradients = (ins BoostRT_Shaped:$result, BoostRT_Shaped:$lse,
                                 BoostRT_Shaped:$grad, Optional<BoostRT_Shaped>:$lse_grad);

class BoostRT_AttentionGradOp<string mnemonic, list<string> callMethods = []>
    : BoostRT_Op<mnemonic, [AttrSizedOperandSegments], callMethods> {
  let arguments = !con(attentionInputs, attentionGradients, attentionOuts);
  let assemblyFormat = [{
    `ins` `(` $query `,` $key `,` $value `,` $result `,` $lse `,` $grad `:`
    type($query) `,` type($key) `,` type($value) `,` type($result) `,` type($lse) `,`
    type($grad) `)` (`lse_grad` `(` $lse_grad^ `:` type($lse_grad) `)`)?
    (`bias` `(` $bias^ `:` type($bias) `)`)? (`mask` `(` $mask^ `:` type($mask) `)`)?
    `outs` `(` $outs `:` type($outs) `)` (`causal` $causal^)? attr-dict
    (`->` type($results)^)?
  }];
}

def BoostRT_AttentionBackwardOp
    : BoostRT_AttentionGradOp<"attention_backward", ["getDeviceWorkspaceBytes"]> {
  let summary = "Gradients of attention as a call; the outs are dq, dk and dv.";
  let arguments = !con(attentionInputs, attentionGradients, attentionOuts,
                       (ins UnitAttr:$nondeterministic));
  let description = [{
    Operands and attributes are those of `boost.attention_grad`, of which `lse_grad`, bias
    and mask are optional. The outs have the types of query, key and value. With
    `nondeterministic`, the terms of dq may be added in an order that differs from run to
    run.

    ```mlir
    %d:3 = boostrt.attention_backward
        ins(%q, %k, %v, %o, %lse, %do : tensor<1x8x4x16xf32>, tensor<1x8x4x16xf32>,
            tensor<1x8x4x16xf32>, tensor<1x8x4x16xf32>, tensor<1x4x8xf32>,
            tensor<1x8x4x16xf32>)
        outs(%e, %f, %g : tensor<1x8x4x16xf32>, tensor<1x8x4x16xf32>, tensor<1x8x4x16xf32>)
        causal {scale = 0.25 : f64}
        -> tensor<1x8x4x16xf32>, tensor<1x8x4x16xf32>, tensor<1x8x4x16xf32>
    ```
  }];
}

def BoostRT_AttentionBiasBackwardOp : BoostRT_AttentionGradOp<"attention_bias_backward"> {
  let summary = "Gradient of the bias of attention as a call; the out is dbias.";
  let description = [{
    Operands are those of `boostrt.attention_backward`. The bias is required, and the out
    has its type.

    ```mlir
    %d = boostrt.attention_bias_backward
        ins(%q, %k, %v, %o, %lse, %do : tensor<1x8x4x16xf32>, tensor<1x8x4x16xf32>,
            tensor<1x8x4x16xf32>, tensor<1x8x4x16xf32>, tensor<1x4x8xf32>,
            tensor<1x8x4x16xf32>)
        bias(%b : tensor<1x4x8x8xf32>) outs(%e : tensor<1x4x8x8xf32>)
        {scale = 0.25 : f64} -> tensor<1x4x8x8xf32>
    ```
  }];
}

def BoostRT_EmbeddingOp : BoostRT_Op<"embedding"> {
  let summary = "Rows of a table, selected by ids.";
  let description = [{
    Writes one row of the table [rows, columns] for each id. Ids are i32 and clamped to the
    table. The out has the shape of the ids with `columns` appended, and the table's element
    type.

    ```mlir
    %y = boostrt.embedding ins(%t, %i : tensor<100x16xf32>, tensor<2x8xi32>)
        outs(%e : tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    ```
  }];
  let arguments = (ins BoostRT_Shaped:$table, BoostRT_Shaped:$ids, BoostRT_Shaped:$outs);
  let assemblyFormat = [{
    `ins` `(` $table `,` $ids `:` type($table) `,` type($ids) `)`
    `outs` `(` $outs `:` type($outs) `)` attr-dict (`->` type($results)^)?
  }];
}

def BoostRT_EmbeddingGradOp : BoostRT_Op<"embedding_grad"> {
  let summary = "Gradient of boostrt.embedding with respect to its table.";
  let description = [{
    Fills the out [rows, columns] with zeros and then adds each row of the gradient to the
    row of its id, in the order of the ids. Ids are i32 and clamped to the table.

    ```mlir
    %t = boostrt.embedding_grad ins(%i, %g : tensor<2x8xi32>, tensor<2x8x16xf32>)
        outs(%e : tensor<100x16xf32>) -> tensor<100x16xf32>
    ```
  }];
  let arguments = (ins BoostRT_Shaped:$ids, BoostRT_Shaped:$grad, BoostRT_Shaped:$outs);
  let assemblyFormat = [{
    `ins` `(` $ids `,` $grad `:` type($ids) `,` type($grad) `)`
    `outs` `(` $outs `:` type($outs) `)` attr-dict (`->` type($results)^)?
  }];
}

def BoostRT_AdamWOp
    : BoostRT_Op<"adamw", [AttrSizedOperandSegments],
                 ["readsWritten", "getTensors", "getMaxTensors"]> {
  let summary = "AdamW updates of several tensors in place.";
  let description = [{
    Updates each tensor as `boost.adamw` does. Every gradient has three outs, which are the
    parameter, m and v, and a flag in `decays`, which is true if weight decay applies. The
    gradient and these tensors have one shape; m and v are f32. All parameters have one
    floating-point type and all gradients have one: the type of the parameters, f32, or, if
    the parameters are f32, bf16 or f16. The operands in `ins` are f32 scalars in the order
    of `boost_rt_adamw_number`: the learning rate, the number of the step, the factor of the
    gradients, beta1, beta2, share1, share2, eps, eps_root and the weight decay. A call has
    at most 64 gradients (`BOOST_RT_MAX_UPDATES`), because on a GPU it is one launch whose
    arguments contain the addresses.

    If the parameters are f32 masters of narrower ones, every gradient may have a fourth out
    after v. The call writes the new parameter to it, rounded to bf16 or f16, the same type
    for all. It does not read this out.

    ```mlir
    %r:6 = boostrt.adamw grads(%g, %h : tensor<4xf32>, tensor<2xf32>)
        ins(%lr, %step, %scale, %beta1, %beta2, %share1, %share2, %eps, %eps_root, %decay
            : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>,
              tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>)
        outs(%p, %m, %v, %q, %n, %w : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>,
             tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
        {decays = array<i1: true, false>}
        -> tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2xf32>, tensor<2xf32>,
           tensor<2xf32>
    ```
  }];
  let arguments = (ins Variadic<BoostRT_Shaped>:$grads, Variadic<BoostRT_Shaped>:$numbers,
                       Variadic<BoostRT_Shaped>:$outs, DenseBoolArrayAttr:$decays);
  let assemblyFormat = [{
    `grads` `(` $grads `:` type($grads) `)` `ins` `(` $numbers `:` type($numbers) `)`
    `outs` `(` $outs `:` type($outs) `)` attr-dict (`->` type($results)^)?
  }];
  let extraClassDeclaration = !strconcat(dpsDecl, [{
    /// Returns the number of outs of a tensor: three, or four with the rounded
    /// parameter.
    size_t getOutsOfTensor() { return getOuts().size() / getGrads().size(); }
    bool writesRounded() { return getOutsOfTensor() == 4; }
    ::mlir::Value getParam(size_t tensor) { return getOuts()[getOutsOfTensor() * tensor]; }
    ::mlir::Value getM(size_t tensor) { return getOuts()[getOutsOfTensor() * tensor + 1]; }
    ::mlir::Value getV(size_t tensor) { return getOuts()[getOutsOfTensor() * tensor + 2]; }
    ::mlir::Value getRounded(size_t tensor) { return getOuts()[getOutsOfTensor() * tensor + 3]; }
  }]);
}

def BoostRT_SumOfSquaresOp : BoostRT_Op<"sum_of_squares"> {
  let summary = "Sum of the squares of all elements of several tensors.";
  let description = [{
    Writes the sum to an f32 scalar. There are one or more inputs, each of a floating-point
    type. The sum is computed in f64 and rounded once.

    ```mlir
    %s = boostrt.sum_of_squares ins(%a, %b : tensor<4xf32>, tensor<8xbf16>)
        outs(%e : tensor<f32>) -> tensor<f32>
    ```
  }];
  let arguments = (ins Variadic<BoostRT_Shaped>:$inputs, BoostRT_Shaped:$outs);
  let assemblyFormat = [{
    `ins` `(` $inputs `:` type($inputs) `)` `outs` `(` $outs `:` type($outs) `)` attr-dict
    (`->` type($results)^)?
  }];
}

def BoostRT_CopyOp : BoostRT_Op<"copy"> {
  let summary = "Copies a tensor.";
  let description = [{
    The out has the element type and the number of elements of the input. It may have
    another shape.

    ```mlir
    boostrt.copy ins(%x : memref<4x8xf32>) outs(%y : memref<32xf32>)
    ```
  }];
  let arguments = (ins BoostRT_Shaped:$input, BoostRT_Shaped:$outs);
  let assemblyFormat = [{
    `ins` `(` $input `:` type($input) `)` `outs` `(` $outs `:` type($outs) `)` attr-dict
    (`->` type($results)^)?
  }];
  let extraClassDeclaration = dpsDecl # [{
    bool isUntyped() { return true; }
  }];
}

def BoostRT_RowsOp : BoostRT_Op<"rows", [AttrSizedOperandSegments, IsolatedFromAbove,
                                         NoTerminator, SingleBlock]> {
  let summary = "Loops in a region that runs once for each row.";
  let description = [{
    Represents loops that no `linalg` operation can: those that carry values, end early, or
    write at computed indices. The region runs for every row in [0, extent), in any order
    and concurrently. Its arguments are the row, and a dense memref for every input and out.
    It may write any element of an out that the region of no other row reads or writes.
    Before it writes an element, the element has its value in the operand of the out.

    ```mlir
    %sum = boostrt.rows 4 ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
    ^bb0(%row: index, %in: memref<4x8xf32>, %out: memref<4x8xf32>):
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %zero = arith.constant 0.0 : f32
      %total = scf.for %i = %c0 to %c8 step %c1 iter_args(%s = %zero) -> f32 {
        %v = memref.load %in[%row, %i] : memref<4x8xf32>
        %next = arith.addf %s, %v : f32
        memref.store %next, %out[%row, %i] : memref<4x8xf32>
        scf.yield %next : f32
      }
    } -> tensor<4x8xf32>
    ```

    `boostrt-outline-kernels` turns the region into a kernel, which is launched.
  }];
  let arguments = (ins I64Attr:$extent, Variadic<BoostRT_Shaped>:$inputs,
                       Variadic<BoostRT_Shaped>:$outs);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $extent (`ins` `(` $inputs^ `:` type($inputs) `)`)? `outs` `(` $outs `:` type($outs) `)`
    attr-dict-with-keyword $body (`->` type($results)^)?
  }];
  let extraClassDeclaration = !strconcat(dpsDecl, readsOuts);
}

//===----------------------------------------------------------------------===//
// Collectives. `group` is a bit mask of one or more mesh axes, along which the ranks
// of a group differ. `site` is the number of the collective in the plan, which
// boostrt-number-collectives assigns. Verifiers do not know the mesh:
// boost-verify-runtime checks that shapes fit the size of the group.
//===----------------------------------------------------------------------===//

/// Base class of calls whose results depend on the position of the rank in
/// `group`. getMovements() returns `movements`.
class BoostRT_RankGroupOp<string mnemonic, string movements, list<Trait> traits,
                          list<string> callMethods = []>
    : BoostRT_Op<mnemonic, traits, callMethods> {
  code groupMethods = !strconcat(dpsDecl, [{
    ::mlir::boost::AxisMask getGroupAxes() { return getGroup(); }
    ::llvm::SmallVector<::mlir::boost::GroupMovement> getMovements() {
      return }], movements, [{;
    }
    ::mlir::ValueRange getSources() {
      ::mlir::OperandRange operands = getOperation()->getOperands();
      size_t inputs = operands.size() - getDpsInitsMutable().size();
      return inputs ? operands.take_front(inputs) : operands;
    }
    ::mlir::ValueRange getDestinations() {
      return getOperation()->getOperands().take_back(getDpsInitsMutable().size());
    }
  }]);
  let extraClassDeclaration = groupMethods;
}

/// Base class of calls in which ranks communicate.
class BoostRT_CollectiveOp<string mnemonic, string kind, string movements,
                           list<Trait> traits = [], list<string> callMethods = []>
    : BoostRT_RankGroupOp<mnemonic, movements, !listconcat([CollectiveOpInterface], traits),
                          callMethods> {
  code collectiveMethods = !strconcat(groupMethods, [{
    ::mlir::boost::CollectiveKind getKind() {
      return ::mlir::boost::CollectiveKind::}], kind, [{;
    }
  }]);
  let extraClassDeclaration = collectiveMethods;
}

def BoostRT_AllReduceOp : BoostRT_CollectiveOp<"all_reduce", "AllReduce",
    "reduceAll(getOuts().size(), getReduction())"> {
  let summary = "All-reduce of one or more tensors in place, in one launch.";
  let description = [{
    Replaces every out by its sum, maximum or minimum over the group.

    With `meeting`, the ranks of the group run the functions of different pipeline stages,
    and meet in the operations of the same number (see `boost.sum_over_stages`). Then the
    operation has a side effect on tensors, too: it is not erased, merged or reordered.

    ```mlir
    %r:2 = boostrt.all_reduce sum group 2 site 0 outs(%x, %y : tensor<4xf32>, tensor<8xf32>)
        {boostrt.axes = ["tp"]} -> tensor<4xf32>, tensor<8xf32>
    ```
  }];
  let arguments = (ins Variadic<BoostRT_Shaped>:$outs, Boost_ReductionAttr:$reduction,
                       I32Attr:$group, OptionalAttr<I32Attr>:$site,
                       OptionalAttr<I64Attr>:$meeting);
  let assemblyFormat = [{
    $reduction `group` $group (`site` $site^)? (`meeting` $meeting^)?
    `outs` `(` $outs `:` type($outs) `)` attr-dict (`->` type($results)^)?
  }];
  let extraClassDeclaration = !strconcat(collectiveMethods, readsOuts);
  let extraClassDefinition = [{
    void $cppClass::getEffects(::llvm::SmallVectorImpl<
        ::mlir::SideEffects::EffectInstance<::mlir::MemoryEffects::Effect>> &effects) {
      addCallEffects(::llvm::cast<RuntimeCallOpInterface>(getOperation()), effects);
      if (getMeeting())
        addMeetingEffects(effects);
    }
  }];
}

def BoostRT_AllGatherOp
    : BoostRT_CollectiveOp<"all_gather", "AllGather", "joinAlong(getDims())",
                           [AttrSizedOperandSegments], ["getDeviceWorkspaceBytes"]> {
  let summary = "All-gather of one or more tensors, in one launch.";
  let description = [{
    Joins the inputs of all ranks of the group, in the order of their positions, along the
    dimension of each tensor in `dims`. In this dimension, the size of an out is that of its
    input times the number of ranks in the group.

    ```mlir
    %r:2 = boostrt.all_gather dims [0, 1] group 2 site 0
        ins(%x, %y : tensor<4x8xf32>, tensor<2x2xbf16>)
        outs(%e, %f : tensor<8x8xf32>, tensor<2x4xbf16>) {boostrt.axes = ["tp"]}
        -> tensor<8x8xf32>, tensor<2x4xbf16>
    ```
  }];
  let arguments = (ins Variadic<BoostRT_Shaped>:$inputs, Variadic<BoostRT_Shaped>:$outs,
                       DenseI64ArrayAttr:$dims, I32Attr:$group, OptionalAttr<I32Attr>:$site);
  let assemblyFormat = [{
    `dims` $dims `group` $group (`site` $site^)? `ins` `(` $inputs `:` type($inputs) `)`
    `outs` `(` $outs `:` type($outs) `)` attr-dict (`->` type($results)^)?
  }];
}

def BoostRT_ReduceScatterOp
    : BoostRT_CollectiveOp<"reduce_scatter", "ReduceScatter",
                           "reduceAndSplitAlong(getReduction(), getDims())",
                           [AttrSizedOperandSegments], ["getDeviceWorkspaceBytes"]> {
  let summary = "Reduce-scatter of one or more tensors, in one launch.";
  let description = [{
    Reduces every input over the group and writes the piece at the rank's position along the
    dimension of the tensor in `dims`. In this dimension, the size of an input is that of
    its out times the number of ranks in the group.

    ```mlir
    %r:2 = boostrt.reduce_scatter sum dims [0, 1] group 2 site 0
        ins(%x, %y : tensor<8x8xf32>, tensor<2x4xbf16>)
        outs(%e, %f : tensor<4x8xf32>, tensor<2x2xbf16>) {boostrt.axes = ["tp"]}
        -> tensor<4x8xf32>, tensor<2x2xbf16>
    ```
  }];
  let arguments = (ins Variadic<BoostRT_Shaped>:$inputs, Variadic<BoostRT_Shaped>:$outs,
                       Boost_ReductionAttr:$reduction, DenseI64ArrayAttr:$dims, I32Attr:$group,
                       OptionalAttr<I32Attr>:$site);
  let assemblyFormat = [{
    $reduction `dims` $dims `group` $group (`site` $site^)?
    `ins` `(` $inputs `:` type($inputs) `)` `outs` `(` $outs `:` type($outs) `)` attr-dict
    (`->` type($results)^)?
  }];
}

def BoostRT_BroadcastOp : BoostRT_CollectiveOp<"broadcast", "Broadcast",
    "broadcastFrom(getRoot(), getOuts().size())"> {
  let summary = "Broadcast of one rank's tensors in place, in one launch.";
  let description = [{
    Replaces every out by that of the rank at position `root` of the group.

    ```mlir
    %r:2 = boostrt.broadcast root 0 group 2 site 0 outs(%x, %y : tensor<4xf32>, tensor<8xbf16>)
        {boostrt.axes = ["tp"]} -> tensor<4xf32>, tensor<8xbf16>
    ```
  }];
  let arguments = (ins Variadic<BoostRT_Shaped>:$outs, I64Attr:$root, I32Attr:$group,
                       OptionalAttr<I32Attr>:$site);
  let assemblyFormat = [{
    `root` $root `group` $group (`site` $site^)? `outs` `(` $outs `:` type($outs) `)` attr-dict
    (`->` type($results)^)?
  }];
  let extraClassDeclaration = !strconcat(collectiveMethods, readsOuts);
}

def BoostRT_AllToAllOp
    : BoostRT_CollectiveOp<"all_to_all", "AllToAll",
                           "{splitAndJoin(getSplitDim(), getConcatDim())}", [],
                           ["getDeviceWorkspaceBytes"]> {
  let summary = "All-to-all of one tensor.";
  let description = [{
    Divides the input of each rank along `split_dim`, sends piece i to the rank at position
    i of the group, and joins the received pieces along `concat_dim`, which is another
    dimension.

    ```mlir
    %r = boostrt.all_to_all split_dim 0 concat_dim 1 group 2 site 0
        ins(%x : tensor<8x4xf32>) outs(%e : tensor<4x8xf32>) {boostrt.axes = ["tp"]}
        -> tensor<4x8xf32>
    ```
  }];
  let arguments = (ins BoostRT_Shaped:$input, BoostRT_Shaped:$outs, I64Attr:$split_dim,
                       I64Attr:$concat_dim, I32Attr:$group, OptionalAttr<I32Attr>:$site);
  let assemblyFormat = [{
    `split_dim` $split_dim `concat_dim` $concat_dim `group` $group (`site` $site^)?
    `ins` `(` $input `:` type($input) `)` `outs` `(` $outs `:` type($outs) `)` attr-dict
    (`->` type($results)^)?
  }];
}

def BoostRT_AllSliceOp : BoostRT_RankGroupOp<"all_slice",
    "{splitAndJoin(getDim(), /*joinDim=*/-1)}", [RankGroupOpInterface]> {
  let summary = "The rank's piece of a tensor.";
  let description = [{
    Writes the piece of the input at the position of the rank in its group, along `dim`.
    Every rank has the whole input, so that the call does not communicate. It is the inverse
    of `boostrt.all_gather`.

    ```mlir
    %r = boostrt.all_slice dim 0 group 2 ins(%x : tensor<8x8xf32>)
        outs(%e : tensor<4x8xf32>) {boostrt.axes = ["tp"]} -> tensor<4x8xf32>
    ```
  }];
  let arguments = (ins BoostRT_Shaped:$input, BoostRT_Shaped:$outs, I64Attr:$dim, I32Attr:$group);
  let assemblyFormat = [{
    `dim` $dim `group` $group `ins` `(` $input `:` type($input) `)`
    `outs` `(` $outs `:` type($outs) `)` attr-dict (`->` type($results)^)?
  }];
}

def BoostRT_ProcessIndexOp
    : BoostRT_RankGroupOp<"process_index", "{}", [RankGroupOpInterface]> {
  let summary = "Position of the rank in its group.";
  let description = [{
    Writes the position to an i32 scalar. Positions are row-major over the axes of the
    group.

    ```mlir
    %i = boostrt.process_index group 2 outs(%e : tensor<i32>) {boostrt.axes = ["tp"]} -> tensor<i32>
    ```
  }];
  let arguments = (ins BoostRT_Shaped:$outs, I32Attr:$group);
  let assemblyFormat = [{
    `group` $group `outs` `(` $outs `:` type($outs) `)` attr-dict (`->` type($results)^)?
  }];
}

def BoostRT_ProbeOp : Op<BoostRT_Dialect, "probe", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, DestinationStyleOpInterface,
    RuntimeCallOpInterface]> {
  let summary = "Shows a tensor to `eval --verify`.";
  let description = [{
    Passes the input to `eval --verify` under `name` and `site`. `sharding` says how the
    ranks hold it, and `rows` of which rows it consists, as in `boost.probe`. There are no
    outs.

    ```mlir
    boostrt.probe %x as "loss" site 0 sharding <{"tp"}, {}> : tensor<4x8xf32>
    ```
  }];
  let arguments = (ins BoostRT_Shaped:$input, StrAttr:$name, I64Attr:$site,
                       Boost_ShardingAttr:$sharding,
                       OptionalAttr<DenseI64ArrayAttr>:$rows);
  let assemblyFormat = [{
    $input `as` $name `site` $site `sharding` $sharding (`rows` $rows^)? attr-dict
    `:` type($input)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return ::mlir::MutableOperandRange(getOperation(), /*start=*/0, /*length=*/0);
    }
  }];
}

//===----------------------------------------------------------------------===//
// Memrefs only
//===----------------------------------------------------------------------===//

def BoostRT_LaunchOp : Op<BoostRT_Dialect, "launch", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<RuntimeCallOpInterface, ["getWrittenOperands"]>]> {
  let summary = "Launches a generated kernel.";
  let description = [{
    The kernel is a function `(index begin, index end, buffers...)` with the attribute
    `boost.kernel`, which computes the rows [begin, end) of its outermost parallel loop. The
    runtime divides [0, extent) among the threads of the rank. The kernel writes the last
    `num_outputs` buffers.

    Every buffer consists of the same addresses as the corresponding argument of the kernel.
    Their shapes and strides may differ, because kernels join dimensions. If the kernel has
    a `boostrt.extent`, it equals `extent`.

    ```mlir
    func.func @f(%x: memref<4x8xf32>, %y: memref<4x8xf32>) {
      boostrt.launch @kernel_0[32] (%x, %y : memref<4x8xf32>, memref<4x8xf32>)
          {num_outputs = 1 : i64}
      return
    }
    func.func private @kernel_0(%begin: index, %end: index, %x: memref<32xf32>,
                                %y: memref<32xf32>)
        attributes {boost.kernel, boostrt.extent = 32 : i64} {
      linalg.exp ins(%x : memref<32xf32>) outs(%y : memref<32xf32>)
      return
    }
    ```
  }];
  let hasVerifier = 1;
  let arguments = (ins FlatSymbolRefAttr:$kernel, I64Attr:$extent,
                       Variadic<AnyMemRef>:$buffers, I64Attr:$num_outputs);
  let assemblyFormat = [{
    $kernel `[` $extent `]` `(` $buffers `:` type($buffers) `)` attr-dict
  }];
  // The operands that are read follow from the body of the kernel.
  let extraClassDeclaration = !strconcat(readsOuts, [{
    bool isUntyped() { return true; }
  }]);
}

#endif // BOOST_MLIR_DIALECT_BOOSTRT_IR_BOOSTRTOPS_TD
