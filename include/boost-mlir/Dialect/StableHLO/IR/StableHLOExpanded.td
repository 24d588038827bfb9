//===- StableHLOExpanded.td - Operations that import expands *-tablegen-*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that import replaces by others of the subset. They have a verifier
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
    `dim_numbers` names the dimensions of the input, the kernel and the result: `b` is the
    batch, `f` the features, `i` and `o` the input and output features of the kernel, and
    numbers are the dimensions along which the window moves. In each of these dimensions,
    `lhs_dilate - 1` zeros are inserted between neighboring elements of the input, and `pad`
    zeros around them; negative padding removes elements. A window consists of every
    `rhs_dilate`-th element, in the opposite order with `reverse`, and moves by `stride`.

    `feature_group_count` divides the features of the input into groups, and
    `batch_group_count` divides its batch. The output features of the kernel are divided in
    the same way, and group k of the input is combined with group k of the kernel.

    Products of f16 and bf16 are accumulated in f32 and rounded once. The pass
    `boost-expand-convolution` expands the operation.

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
  let summary = "Scatters values to the elements that are selected in each window.";
  let description = [{
    Every element of `source` corresponds to a window of `operand`, which is defined as in
    `stablehlo.reduce_window`. The first region compares two elements of the window and
    returns true if the first of them, which is at an earlier position, stays selected.
    Padding is never selected. The second region combines the elements of `source` whose
    windows select the same element, beginning with `init_value`. The gradient of a maximum
    over windows has this form.

    The generic form is printed, as the StableHLO project does. The pass
    `boost-expand-select-and-scatter` expands the operation.

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
  let summary = "Solves systems of equations with a triangular matrix.";
  let description = [{
    With `left_side`, the result x is the solution of `op(a) . x = b`, and otherwise of
    `x . op(a) = b`, where `op` transposes the matrix as `transpose_a` says. Only the lower
    triangle of `a` is read with `lower`, and otherwise only the upper one. With
    `unit_diagonal`, the diagonal is not read and counts as 1. The dimensions before the
    last two are a batch.

    The generic form is printed, as the StableHLO project does. The pass
    `boost-expand-triangular-solve` expands the operation.

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
