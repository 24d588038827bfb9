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
  let summary = "Sum of products over the contracting dimensions.";
  let description = [{
    Result dimensions are the batching ones, then the free ones of `lhs`, then
    those of `rhs`. Products of f16 and bf16 are accumulated in f32 and rounded
    once. An `algorithm`, which says what operands are rounded to first, is
    written out by import.

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
  let summary = "Elements along some dimensions combined into one.";
  let description = [{
    The body may be applied in any tree over the elements in order, and the
    initial value, its neutral element, any number of times.

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
  let summary = "Elements of a window that moves over the inputs combined into one.";
  let description = [{
    Inputs are padded with the initial values, after `base_dilations - 1` of them
    between neighbors; a window takes every `window_dilations`-th element and
    moves by `window_strides`. The body is used as in `reduce`. `jnp.cumsum` is a
    window of the size of a dimension, padded by all but one element in front.
    Printed in generic form, as StableHLO itself does.

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
  let summary = "Tensors put in the order of a comparison along one dimension.";
  let description = [{
    All inputs are moved alike. The comparator takes the left and right element
    of each input in turn, and says whether the left ones come first. Sorting is
    always stable here. A negative dimension counts from the last one. Printed in
    generic form, as StableHLO itself does.

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
  let summary = "Ends a region of a StableHLO operation.";
  let description = [{
    Its operands are what the region computes.

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
  let summary = "Repeats a body as long as a condition holds.";
  let description = [{
    Import unrolls loops whose trip count is known; of others only those stay
    that work on scalars alone, which they read from their state.

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
  let summary = "An identity across which nothing is merged or moved.";
  let description = [{
    Marks values that are to be recomputed rather than kept. It says nothing of
    its effects, so neither common subexpression elimination nor code motion
    touches it; canonicalization removes one without users.

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
  let summary = "A call of something that is not part of the program.";
  let description = [{
    Parsed so that import can drop annotations and name every call that it
    refuses. None is left after import.

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
