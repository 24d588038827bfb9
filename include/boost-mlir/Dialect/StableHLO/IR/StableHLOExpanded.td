//===- StableHLOExpanded.td - What import writes out -------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that import replaces by others of the subset: they have a verifier
// and a reference rule, and nothing else.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_STABLEHLO_IR_STABLEHLOEXPANDED_TD
#define BOOST_MLIR_DIALECT_STABLEHLO_IR_STABLEHLOEXPANDED_TD

include "boost-mlir/Dialect/StableHLO/IR/StableHLOAttrs.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def StableHLO_ConvolutionOp : StableHLO_Op<"convolution", [Pure]> {
  let summary = "Sums of products of a kernel and the windows of a tensor.";
  let description = [{
    `dim_numbers` says what the dimensions of input, kernel and result are: `b`
    the batch, `f` the features, `i` and `o` the features that the kernel takes and
    gives, and numbers those that the window moves along. The input has `lhs_dilate
    - 1` zeros between neighbors and `pad` around, or is cropped where that is
    negative; the window takes every `rhs_dilate`-th element, in opposite order
    where `reverse` says so, and moves by `stride`.

    With `feature_group_count` the features, and with `batch_group_count` the
    batch of the input is split; part `k` meets part `k` of what the kernel gives.
    Products of f16 and bf16 are accumulated in f32 and rounded once.
    `boost-expand-convolution` writes it out.

    ```mlir
    %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
        window = {stride = [1], pad = [[3, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]}
        {batch_group_count = 1 : i64, feature_group_count = 8 : i64}
        : (tensor<2x16x8xf32>, tensor<4x1x8xf32>) -> tensor<2x16x8xf32>
    ```
  }];
  let arguments = (ins StableHLO_NumberTensor:$lhs, StableHLO_NumberTensor:$rhs,
                       OptionalAttr<DenseI64ArrayAttr>:$window_strides,
                       OptionalAttr<I64ElementsAttr>:$padding,
                       OptionalAttr<DenseI64ArrayAttr>:$lhs_dilation,
                       OptionalAttr<DenseI64ArrayAttr>:$rhs_dilation,
                       OptionalAttr<DenseBoolArrayAttr>:$window_reversal,
                       StableHLO_ConvDimensionNumbersAttr:$dimension_numbers,
                       I64Attr:$feature_group_count, I64Attr:$batch_group_count,
                       OptionalAttr<StableHLO_PrecisionConfigAttr>:$precision_config);
  let results = (outs StableHLO_NumberTensor:$result);
  let hasVerifier = 1;
  let assemblyFormat = [{
    `(` operands `)` `dim_numbers` `=` custom<ConvDimensions>($dimension_numbers) `,`
    `window` `=` `{` custom<ConvWindow>($window_strides, $padding, $lhs_dilation,
                                        $rhs_dilation, $window_reversal) `}`
    attr-dict `:` functional-type(operands, results)
  }];
}

def StableHLO_SelectAndScatterOp : StableHLO_Op<"select_and_scatter", [
    IsolatedFromAbove, RecursiveMemoryEffects, RecursivelySpeculatable]> {
  let summary = "Values put where a choice in every window of a tensor falls.";
  let description = [{
    Every element of `source` belongs to a window of `operand`, as in
    `reduce_window`. The first region says whether the left of two elements is
    kept against the right one, which comes later; padding is never chosen. The
    second combines what falls on one element, beginning with `init_value`.
    The gradient of a maximum over windows is made of it. Printed in generic form,
    as StableHLO itself does; `boost-expand-select-and-scatter` writes it out.

    ```mlir
    %1 = "stablehlo.select_and_scatter"(%operand, %source, %zero) <{
        window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %p = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<4x8xf32>, tensor<4x4xf32>, tensor<f32>) -> tensor<4x8xf32>
    ```
  }];
  let arguments = (ins StableHLO_Tensor:$operand, StableHLO_Tensor:$source,
                       StableHLO_Tensor:$init_value,
                       OptionalAttr<DenseI64ArrayAttr>:$window_dimensions,
                       OptionalAttr<DenseI64ArrayAttr>:$window_strides,
                       OptionalAttr<I64ElementsAttr>:$padding);
  let regions = (region SizedRegion<1>:$select, SizedRegion<1>:$scatter);
  let results = (outs StableHLO_Tensor:$result);
  let hasVerifier = 1;
}

def StableHLO_TriangularSolveOp : StableHLO_Op<"triangular_solve", [
    Pure, AllTypesMatch<["b", "result"]>]> {
  let summary = "The solution of systems of equations with a triangular matrix.";
  let description = [{
    With `left_side` it is `x` of `op(a) x = b`, else of `x op(a) = b`, where
    `op` is what `transpose_a` says. Only the triangle that `lower` names is read,
    without its diagonal if `unit_diagonal` says that it is 1. The dimensions
    before the last two are a batch. Printed in generic form, as StableHLO itself
    does; `boost-expand-triangular-solve` writes it out.

    ```mlir
    %1 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true,
        transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}>
        : (tensor<2x8x8xf32>, tensor<2x8x3xf32>) -> tensor<2x8x3xf32>
    ```
  }];
  let arguments = (ins StableHLO_FloatTensor:$a, StableHLO_FloatTensor:$b,
                       BoolAttr:$left_side, BoolAttr:$lower, BoolAttr:$unit_diagonal,
                       StableHLO_TransposeAttr:$transpose_a);
  let results = (outs StableHLO_FloatTensor:$result);
  let hasVerifier = 1;
}

#endif // BOOST_MLIR_DIALECT_STABLEHLO_IR_STABLEHLOEXPANDED_TD
