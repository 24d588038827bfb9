//===- StableHLOOps.td - Operations of the subset ----------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contractions, reductions and control flow; includes the other families.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_STABLEHLO_IR_STABLEHLOOPS_TD
#define BOOST_MLIR_DIALECT_STABLEHLO_IR_STABLEHLOOPS_TD

include "boost-mlir/Dialect/StableHLO/IR/StableHLOElementwise.td"
include "boost-mlir/Dialect/StableHLO/IR/StableHLOShape.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"

//===----------------------------------------------------------------------===//
// Contraction and reduction
//===----------------------------------------------------------------------===//

def StableHLO_DotGeneralOp : StableHLO_Op<"dot_general", [Pure]> {
  let summary = "Sums of products over the contracting dimensions.";
  let description = [{
    The dimensions of the result are the batching dimensions, the other dimensions of `lhs`,
    and the other dimensions of `rhs`. Batching dimensions have equal sizes in both
    operands, and so have contracting dimensions. The operands have one element type.
    Products of f16 and bf16 are accumulated in f32 and rounded once. Import expands
    `algorithm`, which gives types to which the operands are rounded first, into
    conversions.

    ```mlir
    %2 = stablehlo.dot_general %0, %1, batching_dims = [0] x [0],
        contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT]
        : (tensor<2x4x8xf32>, tensor<2x8x3xf32>) -> tensor<2x4x3xf32>
    ```
  }];
  let arguments = (ins StableHLO_Tensor:$lhs, StableHLO_Tensor:$rhs,
                       StableHLO_DotDimensionNumbersAttr:$dot_dimension_numbers,
                       OptionalAttr<StableHLO_PrecisionConfigAttr>:$precision_config,
                       OptionalAttr<StableHLO_DotAlgorithmAttr>:$algorithm);
  let results = (outs StableHLO_Tensor:$result);
  let hasVerifier = 1;
  let assemblyFormat = [{
    $lhs `,` $rhs `,` custom<DotDimensionNumbers>($dot_dimension_numbers) ``
    custom<Precision>($precision_config, $algorithm)
    attr-dict `:` functional-type(operands, results)
  }];
}

def StableHLO_ReduceOp : StableHLO_Op<"reduce", [IsolatedFromAbove,
    SameVariadicOperandSize, RecursiveMemoryEffects, RecursivelySpeculatable]> {
  let summary = "Combines the elements along some dimensions.";
  let description = [{
    The body takes two elements of every input and combines them. It may be applied to the
    elements of a result as any tree that keeps their order. The initial values are neutral
    elements of the body, which may be applied to them any number of times. The inputs have
    one shape.

    ```mlir
    %1 = stablehlo.reduce(%0 init: %c) applies stablehlo.add
        across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Variadic<StableHLO_Tensor>:$inputs,
                       Variadic<StableHLO_Tensor>:$init_values,
                       DenseI64ArrayAttr:$dimensions);
  let regions = (region SizedRegion<1>:$body);
  let results = (outs Variadic<StableHLO_Tensor>:$results);
  let hasCustomAssemblyFormat = 1;
  let hasCanonicalizeMethod = 1;
  let hasVerifier = 1;
}

def StableHLO_ReduceWindowOp : StableHLO_Op<"reduce_window", [
    IsolatedFromAbove, SameVariadicOperandSize, RecursiveMemoryEffects, RecursivelySpeculatable]> {
  let summary = "Combines the elements of a window that moves over the inputs.";
  let description = [{
    First, `base_dilations - 1` initial values are inserted between neighboring elements,
    and `padding` of them before and after each dimension. A window then consists of every
    `window_dilations`-th element and moves by `window_strides`. The body combines its
    elements as in `stablehlo.reduce`. For example, `jnp.cumsum` is a window as long as the
    dimension, with padding for all but one of its elements in front. The generic form is
    printed, as the StableHLO project does.

    ```mlir
    %1 = "stablehlo.reduce_window"(%0, %c) <{window_dimensions = array<i64: 1, 8>,
        padding = dense<[[0, 0], [7, 0]]> : tensor<2x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    ```
  }];
  let arguments = (ins Variadic<StableHLO_Tensor>:$inputs,
                       Variadic<StableHLO_Tensor>:$init_values,
                       DenseI64ArrayAttr:$window_dimensions,
                       OptionalAttr<DenseI64ArrayAttr>:$window_strides,
                       OptionalAttr<DenseI64ArrayAttr>:$base_dilations,
                       OptionalAttr<DenseI64ArrayAttr>:$window_dilations,
                       OptionalAttr<I64ElementsAttr>:$padding);
  let regions = (region SizedRegion<1>:$body);
  let results = (outs Variadic<StableHLO_Tensor>:$results);
  let hasVerifier = 1;
}

def StableHLO_SortOp : StableHLO_Op<"sort", [IsolatedFromAbove,
    SameOperandsAndResultShape, RecursiveMemoryEffects, RecursivelySpeculatable]> {
  let summary = "Sorts tensors along one dimension.";
  let description = [{
    The order of the elements along `dimension` is the same for all inputs, which have one
    shape. A negative dimension is counted from the last one. The comparator takes two
    elements of each input, left and right, and returns true if the left ones come first.
    Sorting is always stable, with any value of `is_stable`. The generic form is printed, as
    the StableHLO project does.

    ```mlir
    %2:2 = "stablehlo.sort"(%0, %1) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%l: tensor<f32>, %r: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>):
      %p = stablehlo.compare LT, %l, %r, TOTALORDER
          : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    }) : (tensor<4x8xf32>, tensor<4x8xi32>) -> (tensor<4x8xf32>, tensor<4x8xi32>)
    ```
  }];
  let arguments = (ins Variadic<StableHLO_Tensor>:$inputs,
                       DefaultValuedOptionalAttr<I64Attr, "-1">:$dimension,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$is_stable);
  let regions = (region SizedRegion<1>:$comparator);
  let results = (outs Variadic<StableHLO_Tensor>:$results);
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The sorted dimension, counted from the first.
    int64_t getSortedDim();
  }];
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

def StableHLO_ReturnOp : StableHLO_Op<"return", [Pure, Terminator]> {
  let summary = "Returns values from a region of a StableHLO operation.";
  let description = [{
    The operands are the results of the region.

    ```mlir
    %r = stablehlo.reduce(%x init: %zero) across dimensions = [1]
        : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
     reducer(%a: tensor<f32>, %b: tensor<f32>) {
      %sum = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %sum : tensor<f32>
    }
    ```
  }];
  let arguments = (ins Variadic<StableHLO_Tensor>:$results);
  let assemblyFormat = "$results attr-dict (`:` type($results)^)?";
}

def StableHLO_WhileOp : StableHLO_Op<"while", [RecursiveMemoryEffects]> {
  let summary = "Repeats a body while a condition holds.";
  let description = [{
    The operands are the initial state. Both regions take the state; `cond` returns a
    boolean, and `body` returns the next state. The results are the state for which the
    condition is false.

    Import unrolls loops with a known trip count, and keeps other loops only if all of their
    operations are on scalars. The operation would otherwise need a loop over tensors, which
    no later stage supports.

    ```mlir
    %r:2 = stablehlo.while(%i = %begin, %x = %start) : tensor<i32>, tensor<4xf32>
    cond {
      %p = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %next = stablehlo.add %i, %one : tensor<i32>
      %y = stablehlo.tanh %x : tensor<4xf32>
      stablehlo.return %next, %y : tensor<i32>, tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<StableHLO_Tensor>:$operand);
  let regions = (region SizedRegion<1>:$cond, SizedRegion<1>:$body);
  let results = (outs Variadic<StableHLO_Tensor>:$results);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def StableHLO_OptimizationBarrierOp : StableHLO_Op<"optimization_barrier"> {
  let summary = "Returns its operands, and prevents optimizations across it.";
  let description = [{
    `boost-rematerialize` uses it for values that are computed again. The operation has
    unknown side effects, so that common subexpression elimination and code motion leave it
    alone. Canonicalization removes a barrier whose results are not used.

    ```mlir
    %r:2 = stablehlo.optimization_barrier %0, %1 : tensor<4xf32>, tensor<8xf32>
    ```
  }];
  let arguments = (ins Variadic<StableHLO_Tensor>:$operand);
  let results = (outs Variadic<StableHLO_Tensor>:$result);
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
  let assemblyFormat = [{
    attr-dict ($operand^ `:` custom<BarrierTypes>(type($operand), type($result))
    ):(`(` `)`)?
  }];
}

def StableHLO_CustomCallOp : StableHLO_Op<"custom_call"> {
  let summary = "Calls a function that is not part of the program.";
  let description = [{
    Import removes calls that annotate values, replaces those that it knows, and refuses all
    others by name. No call is left after import.

    ```mlir
    %r = stablehlo.custom_call @Sharding(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$inputs, StrAttr:$call_target_name,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$has_side_effect);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = [{
    custom<CallTarget>($call_target_name) `(` $inputs `)` attr-dict
    `:` functional-type(operands, results)
  }];
}

include "boost-mlir/Dialect/StableHLO/IR/StableHLOBranches.td"
include "boost-mlir/Dialect/StableHLO/IR/StableHLOExpanded.td"

#endif // BOOST_MLIR_DIALECT_STABLEHLO_IR_STABLEHLOOPS_TD
