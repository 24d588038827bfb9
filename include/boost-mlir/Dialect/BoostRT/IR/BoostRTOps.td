//===- BoostRTOps.td - The boostrt dialect -----------------*- tablegen -*-===//
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
include "boost-mlir/Dialect/BoostRT/IR/RuntimeCallOpInterface.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def BoostRT_Dialect : Dialect {
  let name = "boostrt";
  let cppNamespace = "::mlir::boost::rt";
  let summary = "Calls into the training runtime.";
  let description = [{
    Every operation is in destination style: it reads its inputs and writes its
    `outs`. It stands first on tensors (then it returns the written tensors)
    and, after `boostrt-bufferize`, on dense row-major memrefs (then it returns
    nothing). A reader of this level can count launches, calls and bytes.

    On memrefs no out shares memory with another operand of its operation.

    The passes of this level record facts in discardable attributes:

    | attribute | on | says | by |
    |---|---|---|---|
    | `boostrt.axes` | a collective, `all_slice`, `process_index` | the axes of the mesh that `group` stands for, by name | `convert-boost-to-runtime` |
    | `boostrt.sites` | the module | how many sites there are | `boostrt-number-collectives` |
    | `boostrt.reads` | a call, a load of a kernel's body | for every operand, the values that it may read there | `boostrt-bufferize` |
    | `boostrt.writes` | a call | for every out, the values that are there afterwards | `boostrt-bufferize` |
    | `boostrt.workspace_bytes` | a call | how much memory it uses while it runs, beside its operands | `boost-assign-workspace` |
    | `boostrt.workspace` | the module | where in the arena that is, for one call at a time: offset and bytes | `boostrt-plan-memory` |
    | `boostrt.results` | a function | for every result, the buffer it is returned in, then the values it consists of | `boostrt-bufferize` |
    | `boostrt.buffers` | a function | for every buffer, its offset in the arena and its bytes | `boostrt-plan-memory` |
    | `boostrt.arguments` | a function | the buffers that hold an argument when it is called | `boostrt-plan-memory` |
    | `boostrt.buffer` | a view of the arena | the buffer that it is a part of, and the byte of the buffer at which it begins | `boostrt-plan-memory` |
    | `boostrt.extent` | a kernel | how many rows it has | `boostrt-outline-kernels` |

    While `boostrt-merge-equal-operations` runs, `boostrt.body` numbers the bodies of
    loops; equal bodies have equal numbers.

    Values are numbered by function, the arguments first, in the program on
    tensors: the record says what the program computes, the addresses say how.
    `boost-verify-runtime` compares the two.
  }];
  let dependentDialects = ["::mlir::boost::BoostDialect"];
  let hasOperationAttrVerify = 1;
}

def BoostRT_Shaped : AnyTypeOf<[
    StaticShapeTensorOf<[AnyType]>, StaticShapeMemRefOf<[AnyType]>],
    "statically shaped tensor or memref", "::mlir::ShapedType">;

/// A call in destination style. The subclass lists its inputs and its `outs`;
/// results exist on tensors only. `callMethods` are those of
/// RuntimeCallOpInterface that the operation defines.
class BoostRT_Op<string mnemonic, list<Trait> traits = [], list<string> callMethods = []>
    : Op<BoostRT_Dialect, mnemonic, !listconcat([
        DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, DestinationStyleOpInterface,
        DeclareOpInterfaceMethods<RuntimeCallOpInterface, callMethods>], traits)> {
  let results = (outs Variadic<BoostRT_Shaped>:$results);
  code dpsDecl = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOutsMutable(); }
  }];
  let extraClassDeclaration = dpsDecl;
  let extraClassDefinition = [{
    void $cppClass::getEffects(::llvm::SmallVectorImpl<
        ::mlir::SideEffects::EffectInstance<::mlir::MemoryEffects::Effect>> &effects) {
      addCallEffects(::llvm::cast<RuntimeCallOpInterface>(getOperation()), effects);
    }
  }];
  let hasVerifier = 1;
}

/// The method of a call that updates its outs.
defvar readsOuts = [{
  bool readsWritten(::mlir::OpOperand &) { return true; }
}];

def BoostRT_LayoutAttr
    : ConfinedAttr<DenseI64ArrayAttr, [DenseArrayCount<3>]>;

def BoostRT_GemmOp : BoostRT_Op<"gemm", [], ["readsWritten", "getDeviceWorkspaceBytes"]> {
  let summary = "Batched dense matrix product through BLAS.";
  let description = [{
    `C[i] = op(A[i]) op(B[i])`, i < batch, op(A) m x k, op(B) k x n, all
    row-major: a transposed A is stored k x m. With `accumulate`,
    `C[i] = op(A[i]) op(B[i]) + C[i]`: the destination is read. Operand shapes may have any rank;
    m, n, k, batch say how the elements are read. They are dense, one matrix
    after the other, unless `layout_a` (or b, c) says, in elements, where the
    first matrix begins, from where to where the next one is, and from where to
    where the next row: `[begin, next matrix, next row]`. Rows of the result do
    not overlap and are all of its elements. On memrefs an input with a layout is
    exactly what lies between the first and the last element that is read.

    Both factors have one floating-point type, the result that or f32. Sums are
    taken in f32, of f64 in f64, that with `C[i]` too; then they are rounded once.

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

/// The inputs of boost.attention, and how scores are made of them.
defvar attentionInputs = (ins BoostRT_Shaped:$query, BoostRT_Shaped:$key, BoostRT_Shaped:$value,
                              Optional<BoostRT_Shaped>:$bias, Optional<BoostRT_Shaped>:$mask);
defvar attentionOuts = (ins Variadic<BoostRT_Shaped>:$outs, UnitAttr:$causal, F64Attr:$scale,
                            OptionalAttr<F64Attr>:$soft_cap);

def BoostRT_AttentionForwardOp
    : BoostRT_Op<"attention_forward", [AttrSizedOperandSegments], ["getDeviceWorkspaceBytes"]> {
  let summary = "boost.attention as a runtime call; outs are result and lse.";
  let description = [{
    Operands are those of `boost.attention`: query [batch, queries, heads, head
    size], key and value [batch, keys, key heads, head size]. The outs are the
    result, of the query's type, and lse [batch, heads, queries].

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
  let summary = "boost.attention_grad as a runtime call; outs are dq, dk, dv.";
  let arguments = !con(attentionInputs, attentionGradients, attentionOuts,
                       (ins UnitAttr:$nondeterministic));
  let description = [{
    Result and lse are those of the `boostrt.attention_forward` whose inputs are
    passed, `lse_grad` may be left out. The outs have the types of query, key and
    value. With `nondeterministic`, the sums that make up dq may be taken in an
    order that differs from run to run.

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
  let summary = "boost.attention_bias_grad as a runtime call; the out is dbias.";
  let description = [{
    Operands are those of `boostrt.attention_backward`; there is a bias, and the
    out has its type.

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
  let summary = "Rows of a table (ids are i32).";
  let description = [{
    One row of the table [rows, columns] per id; ids outside of the table are
    clamped to it. The result has the shape of the ids with `columns` appended.

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
  let summary = "Rows added into a zeroed table (ids are i32).";
  let description = [{
    The gradient of `boostrt.embedding`: the table is zeroed, then every row of
    the gradient is added to that of its id, in the order of the ids.

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
  let summary = "boost.adamw of several tensors in place; outs are read and written.";
  let description = [{
    For every gradient there are three outs, the parameter, m and v, and a flag:
    whether the parameter decays. These four tensors have one shape; m and v are
    f32. All parameters have one element type, and so have all gradients: that of
    the parameters, or f32, or bf16 or f16 if the parameters are f32. The others are
    f32 scalars: the learning rate, the number of the step, the factor of the
    gradients, the two betas, eps and the weight decay. There are at most 64
    gradients: a call is one launch on a GPU, whose parameters are the addresses.

    If the parameters are the f32 masters of narrower ones, every gradient may have a
    fourth out after v: the new parameter, rounded to bf16 or f16, the same type for all.
    The call writes it, but does not read it.

    ```mlir
    %r:6 = boostrt.adamw grads(%g, %h : tensor<4xf32>, tensor<2xf32>)
        ins(%lr, %step, %scale, %beta1, %beta2, %eps, %decay : tensor<f32>, tensor<f32>,
            tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>)
        outs(%p, %m, %v, %q, %n, %w : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>,
             tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
        {decays = array<i1: true, false>}
        -> tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2xf32>, tensor<2xf32>,
           tensor<2xf32>
    ```
  }];
  let arguments = (ins Variadic<BoostRT_Shaped>:$grads, BoostRT_Shaped:$lr, BoostRT_Shaped:$step,
                       BoostRT_Shaped:$grad_scale, BoostRT_Shaped:$beta1,
                       BoostRT_Shaped:$beta2, BoostRT_Shaped:$eps,
                       BoostRT_Shaped:$weight_decay, Variadic<BoostRT_Shaped>:$outs,
                       DenseBoolArrayAttr:$decays);
  let assemblyFormat = [{
    `grads` `(` $grads `:` type($grads) `)`
    `ins` `(` $lr `,` $step `,` $grad_scale `,` $beta1 `,` $beta2 `,` $eps `,`
    $weight_decay `:` type($lr) `,` type($step) `,` type($grad_scale) `,` type($beta1) `,`
    type($beta2) `,` type($eps) `,` type($weight_decay) `)`
    `outs` `(` $outs `:` type($outs) `)` attr-dict (`->` type($results)^)?
  }];
  let extraClassDeclaration = !strconcat(dpsDecl, [{
    /// The outs of one tensor: three, or four with the rounded parameter.
    size_t getOutsOfTensor() { return getOuts().size() / getGrads().size(); }
    bool writesRounded() { return getOutsOfTensor() == 4; }
    ::mlir::Value getParam(size_t tensor) { return getOuts()[getOutsOfTensor() * tensor]; }
    ::mlir::Value getM(size_t tensor) { return getOuts()[getOutsOfTensor() * tensor + 1]; }
    ::mlir::Value getV(size_t tensor) { return getOuts()[getOutsOfTensor() * tensor + 2]; }
    ::mlir::Value getRounded(size_t tensor) { return getOuts()[getOutsOfTensor() * tensor + 3]; }
  }]);
}

def BoostRT_SumOfSquaresOp : BoostRT_Op<"sum_of_squares"> {
  let summary = "Sum of squares of all elements of several tensors into an f32 scalar.";
  let description = [{
    One tensor or more, of any floating-point types; the sum is taken in f64.

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
  let summary = "Copies a tensor of the same size.";
  let description = [{
    As many elements of the same type; shapes may differ.

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
  let summary = "Loops that are written out, once for every row.";
  let description = [{
    Expresses loops that no `linalg` operation can: loops that carry values, end
    early, or write at computed indices. The region runs for every row in [0,
    extent), in any order and concurrently; its arguments are the row, then a dense
    memref for every input and output. It may write any element of the outs that no other row
    reads or writes, and finds there what the destination held.

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

    `boostrt-outline-kernels` makes the region a kernel that is launched.
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
// Collectives. `group` is a bit mask over the mesh axes, of which it names one or
// more; `site` numbers the collectives of the program, as in the plan, and is
// given by boostrt-number-collectives. That shapes fit the size of the group is
// for boost-verify-runtime, which knows the mesh.
//===----------------------------------------------------------------------===//

/// A call whose result depends on where the rank is in `group`. `movements` is
/// what getMovements() returns.
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

/// A call in which ranks communicate.
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
  let summary = "All-reduce in place of the outs, in one launch.";
  let description = [{
    Every out is replaced by its sum, maximum or minimum over the group.

    ```mlir
    %r:2 = boostrt.all_reduce sum group 2 site 0 outs(%x, %y : tensor<4xf32>, tensor<8xf32>)
        {boostrt.axes = ["tp"]} -> tensor<4xf32>, tensor<8xf32>
    ```
  }];
  let arguments = (ins Variadic<BoostRT_Shaped>:$outs, Boost_ReductionAttr:$reduction,
                       I32Attr:$group, OptionalAttr<I32Attr>:$site);
  let assemblyFormat = [{
    $reduction `group` $group (`site` $site^)? `outs` `(` $outs `:` type($outs) `)` attr-dict
    (`->` type($results)^)?
  }];
  let extraClassDeclaration = !strconcat(collectiveMethods, readsOuts);
}

def BoostRT_AllGatherOp
    : BoostRT_CollectiveOp<"all_gather", "AllGather", "joinAlong(getDims())",
                           [AttrSizedOperandSegments], ["getDeviceWorkspaceBytes"]> {
  let summary = "Joins the ranks' pieces of one or more tensors, in one launch.";
  let description = [{
    Every out is as many times as long as its input along its dimension in `dims`
    as the group has ranks.

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
  let summary = "Reduces one or more tensors and keeps the own pieces, in one launch.";
  let description = [{
    Every input is as many times as long as its out along its dimension in `dims`
    as the group has ranks.

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
  let summary = "Replaces the outs by those of one rank, in one launch.";
  let description = [{
    Every out is replaced by that of the rank at the position `root` of the group.

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
  let summary = "Splits along `split_dim`, joins along `concat_dim`.";
  let description = [{
    Every rank sends each other one its piece along `split_dim` and joins what it
    gets along another dimension, `concat_dim`.

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
  let summary = "Keeps the own piece along `dim`; no communication.";
  let description = [{
    The inverse of `boostrt.all_gather`.

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
  let summary = "Own position in a group, as an i32 scalar.";
  let description = [{
    Row-major over the axes of the group.

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
  let summary = "boost.probe as a runtime call; there are no outs.";
  let description = [{
    Shows the tensor to `eval --verify`, with its name and how it is sharded.

    ```mlir
    boostrt.probe %x as "loss" site 0 sharding <{"tp"}, {}> : tensor<4x8xf32>
    ```
  }];
  let arguments = (ins BoostRT_Shaped:$input, StrAttr:$name, I64Attr:$site,
                       Boost_ShardingAttr:$sharding);
  let assemblyFormat = [{
    $input `as` $name `site` $site `sharding` $sharding attr-dict `:` type($input)
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
  let summary = "Runs a generated kernel over the rank's threads.";
  let description = [{
    The kernel is a function `(index begin, index end, buffers...)` that computes
    rows [begin, end) of its outermost parallel loop; the runtime divides
    [0, extent) among its threads. The last `num_outputs` buffers are written.

    Every buffer is exactly the elements that the kernel's argument describes:
    shapes and strides may be written otherwise, as the kernel joins dimensions,
    but not another set of addresses.

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
  // The body of the kernel says what it reads.
  let extraClassDeclaration = !strconcat(readsOuts, [{
    bool isUntyped() { return true; }
  }]);
}

#endif // BOOST_MLIR_DIALECT_BOOSTRT_IR_BOOSTRTOPS_TD
