//===- StableHLOShape.td - Constants and data movement -----*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that create tensors or move elements without computing.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_STABLEHLO_IR_STABLEHLOSHAPE_TD
#define BOOST_MLIR_DIALECT_STABLEHLO_IR_STABLEHLOSHAPE_TD

include "boost-mlir/Dialect/StableHLO/IR/StableHLOAttrs.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

//===----------------------------------------------------------------------===//
// Creation
//===----------------------------------------------------------------------===//

def StableHLO_ConstantOp : StableHLO_Op<"constant", [Pure, ConstantLike,
    AllTypesMatch<["value", "output"]>,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "A constant tensor.";
  let description = [{
    Returns the tensor `value`.

    ```mlir
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    ```
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs StableHLO_Tensor:$output);
  let hasFolder = 1;
  let assemblyFormat = "attr-dict $value";
}

def StableHLO_IotaOp : StableHLO_Op<"iota", [Pure]> {
  let summary = "Fills a tensor with indices.";
  let description = [{
    An element of the result is its index along `iota_dimension`.

    ```mlir
    %0 = stablehlo.iota dim = 1 : tensor<4x8xi32>
    ```
  }];
  let arguments = (ins I64Attr:$iota_dimension);
  let results = (outs StableHLO_NumberTensor:$output);
  let hasVerifier = 1;
  let hasFolder = 1;
  let assemblyFormat = "`dim` `=` $iota_dimension attr-dict `:` type($output)";
}

//===----------------------------------------------------------------------===//
// Shape
//===----------------------------------------------------------------------===//

def StableHLO_BroadcastInDimOp : StableHLO_Op<"broadcast_in_dim", [Pure,
    SameOperandsAndResultElementType]> {
  let summary = "Repeats a tensor along new dimensions and along dimensions of size 1.";
  let description = [{
    Dimension i of the operand becomes dimension `broadcast_dimensions[i]` of the result.
    Both have the same size, or that of the operand is 1 and is repeated. The broadcast
    dimensions are distinct.

    ```mlir
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 2]
        : (tensor<4x8xf32>) -> tensor<4x16x8xf32>
    ```
  }];
  let arguments = (ins StableHLO_Tensor:$operand,
                       DenseI64ArrayAttr:$broadcast_dimensions);
  let results = (outs StableHLO_Tensor:$result);
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
  let assemblyFormat = [{
    $operand `,` `dims` `=` $broadcast_dimensions attr-dict
    `:` functional-type(operands, results)
  }];
}

def StableHLO_ReshapeOp : StableHLO_Op<"reshape", [Pure,
    SameOperandsAndResultElementType]> {
  let summary = "Changes the shape of a tensor.";
  let description = [{
    The result has the same elements in row-major order.

    ```mlir
    %r = stablehlo.reshape %x : (tensor<4x8xf32>) -> tensor<32xf32>
    ```
  }];
  let arguments = (ins StableHLO_Tensor:$operand);
  let results = (outs StableHLO_Tensor:$result);
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

def StableHLO_BitcastConvertOp : StableHLO_Op<"bitcast_convert", [Pure]> {
  let summary = "Reinterprets bits as another element type.";
  let description = [{
    If the new element type is narrower, the parts of an element form an additional last
    dimension, with the lowest bits first. If it is wider, the last dimension of the operand
    has the parts of an element and disappears. Booleans can only become booleans.

    ```mlir
    %1 = stablehlo.bitcast_convert %0 : (tensor<8xf32>) -> tensor<8xui32>
    %2 = stablehlo.bitcast_convert %0 : (tensor<8xf32>) -> tensor<8x4xui8>
    ```
  }];
  let arguments = (ins StableHLO_Tensor:$operand);
  let results = (outs StableHLO_Tensor:$result);
  let hasVerifier = 1;
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

def StableHLO_TransposeOp : StableHLO_Op<"transpose", [Pure, InferTypeOpAdaptor]> {
  let summary = "Permutes the dimensions of a tensor.";
  let description = [{
    Dimension i of the result is dimension `permutation[i]` of the operand.

    ```mlir
    %1 = stablehlo.transpose %0, dims = [1, 0]
        : (tensor<4x8xf32>) -> tensor<8x4xf32>
    ```
  }];
  let arguments = (ins StableHLO_Tensor:$operand, DenseI64ArrayAttr:$permutation);
  let results = (outs StableHLO_Tensor:$result);
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
  let assemblyFormat = [{
    $operand `,` `dims` `=` $permutation attr-dict
    `:` functional-type(operands, results)
  }];
}

def StableHLO_ReverseOp : StableHLO_Op<"reverse", [Pure, SameOperandsAndResultType]> {
  let summary = "Reverses the order of the elements along some dimensions.";
  let description = [{
    The dimensions are distinct.

    ```mlir
    %r = stablehlo.reverse %x, dims = [1] : tensor<4x8xf32>
    ```
  }];
  let arguments = (ins StableHLO_Tensor:$operand, DenseI64ArrayAttr:$dimensions);
  let results = (outs StableHLO_Tensor:$result);
  let hasVerifier = 1;
  let hasFolder = 1;
  let assemblyFormat = "$operand `,` `dims` `=` $dimensions attr-dict `:` type($result)";
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

def StableHLO_SliceOp : StableHLO_Op<"slice", [Pure, InferTypeOpAdaptor]> {
  let summary = "Extracts a part with static bounds.";
  let description = [{
    The result has the elements at `start, start + stride, ...` below `limit` in each
    dimension. A stride of 1 may be left out in the text.

    ```mlir
    %1 = stablehlo.slice %0 [0:2, 1:7:2] : (tensor<4x8xf32>) -> tensor<2x3xf32>
    ```
  }];
  let arguments = (ins StableHLO_Tensor:$operand, DenseI64ArrayAttr:$start_indices,
                       DenseI64ArrayAttr:$limit_indices, DenseI64ArrayAttr:$strides);
  let results = (outs StableHLO_Tensor:$result);
  let hasFolder = 1;
  let hasCanonicalizer = 1;
  let assemblyFormat = [{
    $operand custom<SliceRanges>($start_indices, $limit_indices, $strides)
    attr-dict `:` functional-type(operands, results)
  }];
}

def StableHLO_ConcatenateOp : StableHLO_Op<"concatenate", [Pure, InferTypeOpAdaptor]> {
  let summary = "Concatenates tensors along one dimension.";
  let description = [{
    The operands have one element type and equal sizes in all other dimensions.

    ```mlir
    %2 = stablehlo.concatenate %0, %1, dim = 1
        : (tensor<4x8xf32>, tensor<4x2xf32>) -> tensor<4x10xf32>
    ```
  }];
  let arguments = (ins Variadic<StableHLO_Tensor>:$inputs, I64Attr:$dimension);
  let results = (outs StableHLO_Tensor:$result);
  let hasFolder = 1;
  let hasCanonicalizer = 1;
  let assemblyFormat = [{
    custom<OperandsWithComma>($inputs) `dim` `=` $dimension attr-dict
    `:` functional-type(operands, results)
  }];
}

def StableHLO_PadOp : StableHLO_Op<"pad", [Pure, InferTypeOpAdaptor]> {
  let summary = "Adds values around and between elements.";
  let description = [{
    In each dimension, `interior_padding` copies of the padding value are inserted between
    neighboring elements, and then `edge_padding_low` before the first and
    `edge_padding_high` after the last one. Negative padding at an edge removes elements.

    ```mlir
    %1 = stablehlo.pad %0, %v, low = [0, 5], high = [0, -1], interior = [0, 0]
        : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x12xf32>
    ```
  }];
  let arguments = (ins StableHLO_Tensor:$operand, StableHLO_Tensor:$padding_value,
                       DenseI64ArrayAttr:$edge_padding_low,
                       DenseI64ArrayAttr:$edge_padding_high,
                       DenseI64ArrayAttr:$interior_padding);
  let results = (outs StableHLO_Tensor:$result);
  let hasFolder = 1;
  let assemblyFormat = [{
    $operand `,` $padding_value `,` `low` `=` $edge_padding_low `,`
    `high` `=` $edge_padding_high `,` `interior` `=` $interior_padding attr-dict
    `:` functional-type(operands, results)
  }];
}

def StableHLO_DynamicSliceOp : StableHLO_Op<"dynamic_slice", [Pure,
                                                              InferTypeOpAdaptor]> {
  let summary = "Extracts a part of static size at computed indices.";
  let description = [{
    The start index of every dimension is a scalar, which is clamped to
    `[0, size of the dimension - slice size]`.

    ```mlir
    %1 = stablehlo.dynamic_slice %0, %i, %j, sizes = [1, 8]
        : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
    ```
  }];
  let arguments = (ins StableHLO_Tensor:$operand,
                       Variadic<StableHLO_IndexScalar>:$start_indices,
                       DenseI64ArrayAttr:$slice_sizes);
  let results = (outs StableHLO_Tensor:$result);
  let hasCanonicalizeMethod = 1;
  let assemblyFormat = [{
    $operand `,` custom<OperandsWithComma>($start_indices) `sizes` `=` $slice_sizes
    attr-dict `:` functional-type(operands, results)
  }];
}

def StableHLO_DynamicUpdateSliceOp : StableHLO_Op<"dynamic_update_slice", [Pure,
    AllTypesMatch<["operand", "result"]>]> {
  let summary = "Replaces a part of a tensor at computed indices.";
  let description = [{
    The result is the operand, in which `update` replaces the part that begins at the start
    indices. These are clamped as in `stablehlo.dynamic_slice`. The update has the element
    type and the rank of the operand and is not larger in any dimension.

    ```mlir
    %r = stablehlo.dynamic_update_slice %x, %part, %i, %j
        : (tensor<4x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
    ```
  }];
  let arguments = (ins StableHLO_Tensor:$operand, StableHLO_Tensor:$update,
                       Variadic<StableHLO_IndexScalar>:$start_indices);
  let results = (outs StableHLO_Tensor:$result);
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

//===----------------------------------------------------------------------===//
// Indexing by tensors
//===----------------------------------------------------------------------===//

def StableHLO_GatherOp : StableHLO_Op<"gather", [Pure, InferTypeOpAdaptor]> {
  let summary = "Extracts slices at computed indices.";
  let description = [{
    The start index of each slice is clamped so that the slice is inside of the operand. The
    generic form is printed, as the StableHLO project does.

    ```mlir
    %r = "stablehlo.gather"(%table, %ids) <{
        dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0],
            start_index_map = [0], index_vector_dim = 1>,
        slice_sizes = array<i64: 1, 8>}> : (tensor<16x8xf32>, tensor<4xi32>) -> tensor<4x8xf32>
    ```
  }];
  let arguments = (ins StableHLO_Tensor:$operand, StableHLO_IntTensor:$start_indices,
                       StableHLO_GatherDimensionNumbersAttr:$dimension_numbers,
                       DenseI64ArrayAttr:$slice_sizes,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$indices_are_sorted);
  let results = (outs StableHLO_Tensor:$result);
  let hasCanonicalizeMethod = 1;
}

def StableHLO_ScatterOp : StableHLO_Op<"scatter", [IsolatedFromAbove,
    SameVariadicOperandSize, RecursiveMemoryEffects, RecursivelySpeculatable]> {
  let summary = "Combines updates with elements at computed indices.";
  let description = [{
    The region takes the current element of every input and an element of every update, and
    returns the new elements. In contrast to `stablehlo.gather`, indices are not clamped:
    updates outside of the inputs are skipped. The generic form is printed, as the StableHLO
    project does.

    ```mlir
    %r = "stablehlo.scatter"(%x, %places, %updates) <{
        scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
            inserted_window_dims = [0], scatter_dims_to_operand_dims = [0],
            index_vector_dim = 1>}> ({
    ^bb0(%old: tensor<f32>, %update: tensor<f32>):
      %sum = stablehlo.add %old, %update : tensor<f32>
      stablehlo.return %sum : tensor<f32>
    }) : (tensor<16x8xf32>, tensor<4xi32>, tensor<4x8xf32>) -> tensor<16x8xf32>
    ```
  }];
  let arguments = (ins Variadic<StableHLO_Tensor>:$inputs,
                       StableHLO_IntTensor:$scatter_indices,
                       Variadic<StableHLO_Tensor>:$updates,
                       StableHLO_ScatterDimensionNumbersAttr:$scatter_dimension_numbers,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$indices_are_sorted,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$unique_indices);
  let regions = (region SizedRegion<1>:$update_computation);
  let results = (outs Variadic<StableHLO_Tensor>:$results);
  let hasCanonicalizeMethod = 1;
  let hasVerifier = 1;
}

#endif // BOOST_MLIR_DIALECT_STABLEHLO_IR_STABLEHLOSHAPE_TD
