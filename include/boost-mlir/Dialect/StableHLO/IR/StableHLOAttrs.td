//===- StableHLOAttrs.td - Attributes of the subset --------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Enumerations and dimension-number attributes, spelled as StableHLO prints
// them.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_STABLEHLO_IR_STABLEHLOATTRS_TD
#define BOOST_MLIR_DIALECT_STABLEHLO_IR_STABLEHLOATTRS_TD

include "boost-mlir/Dialect/StableHLO/IR/StableHLODialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

class StableHLO_Enum<string className, string what, list<I32EnumAttrCase> cases>
    : I32EnumAttr<className, what, cases> {
  let cppNamespace = "::mlir::boost::stablehlo";
  let genSpecializedAttr = 0;
}

def StableHLO_ComparisonDirection
    : StableHLO_Enum<"ComparisonDirection", "direction of a comparison", [
        I32EnumAttrCase<"EQ", 0>, I32EnumAttrCase<"NE", 1>,
        I32EnumAttrCase<"GE", 2>, I32EnumAttrCase<"GT", 3>,
        I32EnumAttrCase<"LE", 4>, I32EnumAttrCase<"LT", 5>]>;
def StableHLO_ComparisonDirectionAttr
    : EnumAttr<StableHLO_Dialect, StableHLO_ComparisonDirection, "comparison_direction">;

def StableHLO_ComparisonType
    : StableHLO_Enum<"ComparisonType", "order by which operands are compared", [
        I32EnumAttrCase<"NOTYPE", 0>, I32EnumAttrCase<"FLOAT", 1>,
        I32EnumAttrCase<"TOTALORDER", 2>, I32EnumAttrCase<"SIGNED", 3>,
        I32EnumAttrCase<"UNSIGNED", 4>]>;
def StableHLO_ComparisonTypeAttr
    : EnumAttr<StableHLO_Dialect, StableHLO_ComparisonType, "comparison_type">;

def StableHLO_Precision
    : StableHLO_Enum<"Precision", "requested precision of a product", [
        I32EnumAttrCase<"DEFAULT", 0>, I32EnumAttrCase<"HIGH", 1>,
        I32EnumAttrCase<"HIGHEST", 2>]>;
def StableHLO_PrecisionAttr
    : EnumAttr<StableHLO_Dialect, StableHLO_Precision, "precision">;
def StableHLO_PrecisionConfigAttr
    : TypedArrayAttrBase<StableHLO_PrecisionAttr, "precision of each operand">;

def StableHLO_ResultAccuracyMode
    : StableHLO_Enum<"ResultAccuracyMode", "requested accuracy of a function", [
        I32EnumAttrCase<"DEFAULT", 0>, I32EnumAttrCase<"HIGHEST", 1>,
        I32EnumAttrCase<"TOLERANCE", 2>]>;
def StableHLO_ResultAccuracyModeAttr
    : EnumAttr<StableHLO_Dialect, StableHLO_ResultAccuracyMode,
               "result_accuracy_mode"> {
  let assemblyFormat = "`<` $value `>`";
}

def StableHLO_Transpose
    : StableHLO_Enum<"Transpose", "transposition of a matrix", [
        I32EnumAttrCase<"TRANSPOSE_INVALID", 0>, I32EnumAttrCase<"NO_TRANSPOSE", 1>,
        I32EnumAttrCase<"TRANSPOSE", 2>, I32EnumAttrCase<"ADJOINT", 3>]>;
def StableHLO_TransposeAttr
    : EnumAttr<StableHLO_Dialect, StableHLO_Transpose, "transpose">;

/// A list of dimensions, printed `[0, 1]`; absent when empty.
def StableHLO_Dims : OptionalArrayRefParameter<"int64_t", "dimensions"> {
  let parser = "::mlir::boost::stablehlo::parseDimList($_parser)";
  let printer = "::mlir::boost::stablehlo::printDimList($_printer, $_self)";
}

class StableHLO_Attr<string className, string mnemonicText>
    : AttrDef<StableHLO_Dialect, className> {
  let mnemonic = mnemonicText;
  let assemblyFormat = "`<` struct(params) `>`";
}

def StableHLO_DotDimensionNumbersAttr : StableHLO_Attr<"DotDimensionNumbers", "dot"> {
  let summary = "Batching and contracting dimensions of a dot_general.";
  let parameters = (ins
    StableHLO_Dims:$lhs_batching_dimensions,
    StableHLO_Dims:$rhs_batching_dimensions,
    StableHLO_Dims:$lhs_contracting_dimensions,
    StableHLO_Dims:$rhs_contracting_dimensions);
}

def StableHLO_GatherDimensionNumbersAttr
    : StableHLO_Attr<"GatherDimensionNumbers", "gather"> {
  let summary = "Dimensions of the indices and slices of a gather.";
  let parameters = (ins
    StableHLO_Dims:$offset_dims, StableHLO_Dims:$collapsed_slice_dims,
    StableHLO_Dims:$operand_batching_dims,
    StableHLO_Dims:$start_indices_batching_dims,
    StableHLO_Dims:$start_index_map,
    DefaultValuedParameter<"int64_t", "0">:$index_vector_dim);
}

def StableHLO_ScatterDimensionNumbersAttr
    : StableHLO_Attr<"ScatterDimensionNumbers", "scatter"> {
  let summary = "Dimensions of the indices and updates of a scatter.";
  let parameters = (ins
    StableHLO_Dims:$update_window_dims, StableHLO_Dims:$inserted_window_dims,
    StableHLO_Dims:$input_batching_dims,
    StableHLO_Dims:$scatter_indices_batching_dims,
    StableHLO_Dims:$scatter_dims_to_operand_dims,
    DefaultValuedParameter<"int64_t", "0">:$index_vector_dim);
}

def StableHLO_ConvDimensionNumbersAttr
    : AttrDef<StableHLO_Dialect, "ConvDimensionNumbers"> {
  let summary = "Dimensions of the tensors of a convolution.";
  let description = [{
    In `#stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>`, the lists name the dimensions of
    the input, the kernel and the result in order: `b` is the batch, `f` the features, `i`
    and `o` the input and output features of the kernel, and numbers are dimensions of the
    window.
  }];
  let mnemonic = "conv";
  let parameters = (ins
    "int64_t":$inputBatchDimension, "int64_t":$inputFeatureDimension,
    StableHLO_Dims:$inputSpatialDimensions,
    "int64_t":$kernelInputFeatureDimension,
    "int64_t":$kernelOutputFeatureDimension,
    StableHLO_Dims:$kernelSpatialDimensions,
    "int64_t":$outputBatchDimension, "int64_t":$outputFeatureDimension,
    StableHLO_Dims:$outputSpatialDimensions);
  let hasCustomAssemblyFormat = 1;
}

def StableHLO_DotAlgorithmAttr
    : StableHLO_Attr<"DotAlgorithm", "dot_algorithm"> {
  let summary = "Types to which a dot_general rounds operands and in which it accumulates.";
  let parameters = (ins
    "::mlir::Type":$lhs_precision_type, "::mlir::Type":$rhs_precision_type,
    "::mlir::Type":$accumulation_type,
    "int64_t":$lhs_component_count, "int64_t":$rhs_component_count,
    "int64_t":$num_primitive_operations,
    "bool":$allow_imprecise_accumulation);
}

def StableHLO_OutputOperandAliasAttr
    : StableHLO_Attr<"OutputOperandAlias", "output_operand_alias"> {
  let summary = "An operand whose memory a call may use for a result.";
  let parameters = (ins
    StableHLO_Dims:$output_tuple_indices, "int64_t":$operand_index,
    StableHLO_Dims:$operand_tuple_indices);
}

def StableHLO_ResultAccuracyAttr
    : StableHLO_Attr<"ResultAccuracy", "result_accuracy"> {
  let summary = "Requested accuracy of an elementary function.";
  let description = [{
    Import refuses operations with an attribute `result_accuracy` of another mode than
    `#stablehlo.result_accuracy_mode<DEFAULT>`.
  }];
  let parameters = (ins
    OptionalParameter<"FloatAttr">:$atol, OptionalParameter<"FloatAttr">:$rtol,
    DefaultValuedParameter<"int64_t", "0">:$ulps,
    "::mlir::Attribute":$mode);
}

#endif // BOOST_MLIR_DIALECT_STABLEHLO_IR_STABLEHLOATTRS_TD
