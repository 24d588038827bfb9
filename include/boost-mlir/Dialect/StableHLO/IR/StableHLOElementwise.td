//===- StableHLOElementwise.td - Elementwise operations ----*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that compute each element from the elements at the same position.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_STABLEHLO_IR_STABLEHLOELEMENTWISE_TD
#define BOOST_MLIR_DIALECT_STABLEHLO_IR_STABLEHLOELEMENTWISE_TD

include "boost-mlir/Dialect/StableHLO/IR/StableHLOAttrs.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

/// The description of an operation whose operands have one shape: a sentence about
/// its function, and an example.
class StableHLO_ElementwiseDescription<string mnemonic, TypeConstraint type, string what,
                                       string operands> {
  defvar isOnIntegers = !or(!eq(type, StableHLO_IntTensor),
                            !eq(type, StableHLO_IntOrPredTensor));
  string text = what # " Each element of the result depends on the elements of the"
      # " operands at the same position.\n\n"
      # "```mlir\n%r = stablehlo." # mnemonic # " " # operands # " : tensor<4x8x"
      # !if(isOnIntegers, "i32", "f32") # ">\n```\n";
}

class StableHLO_UnaryOp<string mnemonic, TypeConstraint type, string what>
    : StableHLO_Op<mnemonic, [Pure, Elementwise, SameOperandsAndResultType]> {
  let summary = what;
  let description = StableHLO_ElementwiseDescription<mnemonic, type, what, "%x">.text;
  let arguments = (ins type:$operand);
  let results = (outs type:$result);
  let assemblyFormat = "$operand attr-dict `:` type($result)";
}

def StableHLO_AbsOp : StableHLO_UnaryOp<"abs", StableHLO_SignedTensor,
    "Absolute value.">;
def StableHLO_CbrtOp : StableHLO_UnaryOp<"cbrt", StableHLO_FloatTensor,
    "Cube root, with the sign of the operand.">;
def StableHLO_CeilOp : StableHLO_UnaryOp<"ceil", StableHLO_FloatTensor,
    "Rounds up to an integer.">;
def StableHLO_CosineOp : StableHLO_UnaryOp<"cosine", StableHLO_FloatTensor,
    "Cosine.">;
def StableHLO_ClzOp : StableHLO_UnaryOp<"count_leading_zeros", StableHLO_IntTensor,
    "Number of leading zero bits.">;
def StableHLO_ExpOp : StableHLO_UnaryOp<"exponential", StableHLO_FloatTensor,
    "Exponential function `exp(x)`.">;
def StableHLO_Expm1Op : StableHLO_UnaryOp<"exponential_minus_one", StableHLO_FloatTensor,
    "`exp(x) - 1`, accurate near zero.">;
def StableHLO_FloorOp : StableHLO_UnaryOp<"floor", StableHLO_FloatTensor,
    "Rounds down to an integer.">;
def StableHLO_LogOp : StableHLO_UnaryOp<"log", StableHLO_FloatTensor,
    "Natural logarithm.">;
def StableHLO_Log1pOp : StableHLO_UnaryOp<"log_plus_one", StableHLO_FloatTensor,
    "`log(1 + x)`, accurate near zero.">;
def StableHLO_LogisticOp : StableHLO_UnaryOp<"logistic", StableHLO_FloatTensor,
    "Logistic function `1 / (1 + exp(-x))`.">;
def StableHLO_NegOp : StableHLO_UnaryOp<"negate", StableHLO_NumberTensor,
    "Negation, which wraps for integers."> {
  let hasFolder = 1;
}
def StableHLO_NotOp : StableHLO_UnaryOp<"not", StableHLO_IntOrPredTensor,
    "Bitwise complement, or the negation of booleans."> {
  let hasFolder = 1;
}
def StableHLO_PopulationCountOp : StableHLO_UnaryOp<"popcnt", StableHLO_IntTensor,
    "Number of bits that are 1.">;
def StableHLO_RoundOp
    : StableHLO_UnaryOp<"round_nearest_afz", StableHLO_FloatTensor,
                        "Rounds to the nearest integer, and ties away from zero.">;
def StableHLO_RoundNearestEvenOp
    : StableHLO_UnaryOp<"round_nearest_even", StableHLO_FloatTensor,
                        "Rounds to the nearest integer, and ties to the even one.">;
def StableHLO_RsqrtOp : StableHLO_UnaryOp<"rsqrt", StableHLO_FloatTensor,
    "Reciprocal square root.">;
def StableHLO_SignOp : StableHLO_UnaryOp<"sign", StableHLO_SignedTensor,
    "Sign of the operand: -1, 0 or 1. NaN and signed zeros are returned unchanged.">;
def StableHLO_SineOp : StableHLO_UnaryOp<"sine", StableHLO_FloatTensor,
    "Sine.">;
def StableHLO_SqrtOp : StableHLO_UnaryOp<"sqrt", StableHLO_FloatTensor,
    "Square root.">;
def StableHLO_TanOp : StableHLO_UnaryOp<"tan", StableHLO_FloatTensor,
    "Tangent.">;
def StableHLO_TanhOp : StableHLO_UnaryOp<"tanh", StableHLO_FloatTensor,
    "Hyperbolic tangent.">;

def StableHLO_ConvertOp : StableHLO_Op<"convert", [Pure, Elementwise,
                                                   SameOperandsAndResultShape]> {
  let summary = "Converts elements to another type.";
  let description = [{
    Conversions between floats, and from integers to floats, round to nearest even.
    Conversions from floats to integers truncate and saturate, and NaN becomes 0.
    Conversions between integers wrap. A boolean becomes 0 or 1, and a number x becomes the
    boolean `x != 0`.

    ```mlir
    %1 = stablehlo.convert %0 : (tensor<4x8xf32>) -> tensor<4x8xbf16>
    ```
  }];
  let arguments = (ins StableHLO_Tensor:$operand);
  let results = (outs StableHLO_Tensor:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$operand,
                                 "::mlir::Type":$elementType)>];
  let hasFolder = 1;
  let assemblyFormat = [{
    $operand attr-dict `:` custom<ConversionType>(type($operand), type($result))
  }];
}

def StableHLO_IsFiniteOp : StableHLO_Op<"is_finite", [Pure, Elementwise,
                                                      InferTypeOpAdaptor]> {
  let summary = "Tests if elements are finite.";
  let description = [{
    An element of the result is true if the element of the operand is neither infinite nor
    NaN.

    ```mlir
    %p = stablehlo.is_finite %x : (tensor<4x8xf32>) -> tensor<4x8xi1>
    ```
  }];
  let arguments = (ins StableHLO_FloatTensor:$x);
  let results = (outs StableHLO_PredTensor:$y);
  let assemblyFormat = "$x attr-dict `:` functional-type(operands, results)";
}

def StableHLO_ReducePrecisionOp : StableHLO_Op<"reduce_precision", [Pure,
    Elementwise, SameOperandsAndResultType]> {
  let summary = "Rounds elements to fewer exponent and mantissa bits.";
  let description = [{
    The mantissa is rounded to nearest even. Values that are too large for the exponent then
    become infinite, and those that are too small become zero. There is at least one
    exponent bit.

    ```mlir
    %1 = stablehlo.reduce_precision %0, format = e8m7 : tensor<8xf32>
    ```
  }];
  let arguments = (ins StableHLO_FloatTensor:$operand,
                       I32Attr:$exponent_bits, I32Attr:$mantissa_bits);
  let results = (outs StableHLO_FloatTensor:$result);
  let hasVerifier = 1;
  let assemblyFormat = [{
    $operand `,` `format` `=`
    custom<ExponentMantissa>($exponent_bits, $mantissa_bits)
    attr-dict `:` type($result)
  }];
}

//===----------------------------------------------------------------------===//
// Two operands
//===----------------------------------------------------------------------===//

class StableHLO_BinaryOp<string mnemonic, TypeConstraint type, string what,
                         list<Trait> traits = []>
    : StableHLO_Op<mnemonic, traits # [Pure, Elementwise,
                                       SameOperandsAndResultType]> {
  let summary = what;
  let description = StableHLO_ElementwiseDescription<mnemonic, type, what, "%x, %y">.text;
  let arguments = (ins type:$lhs, type:$rhs);
  let results = (outs type:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
}

def StableHLO_AddOp : StableHLO_BinaryOp<"add", StableHLO_Tensor,
    "Sum, which wraps for integers; OR of booleans.", [Commutative]> {
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}
def StableHLO_AndOp : StableHLO_BinaryOp<"and", StableHLO_IntOrPredTensor,
    "Bitwise and.", [Commutative]> {
  let hasFolder = 1;
}
def StableHLO_Atan2Op : StableHLO_BinaryOp<"atan2", StableHLO_FloatTensor,
    "Angle of the point (`rhs`, `lhs`), in [-pi, pi].">;
def StableHLO_DivOp : StableHLO_BinaryOp<"divide", StableHLO_NumberTensor,
    "Quotient, which is truncated for integers."> {
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}
def StableHLO_MaxOp : StableHLO_BinaryOp<"maximum", StableHLO_Tensor,
    "Maximum, or NaN if an operand is NaN; OR of booleans.", [Commutative]> {
  let hasFolder = 1;
}
def StableHLO_MinOp : StableHLO_BinaryOp<"minimum", StableHLO_Tensor,
    "Minimum, or NaN if an operand is NaN; AND of booleans.", [Commutative]> {
  let hasFolder = 1;
}
def StableHLO_MulOp : StableHLO_BinaryOp<"multiply", StableHLO_Tensor,
    "Product, which wraps for integers; AND of booleans.", [Commutative]> {
  let hasFolder = 1;
}
def StableHLO_OrOp : StableHLO_BinaryOp<"or", StableHLO_IntOrPredTensor,
    "Bitwise or.", [Commutative]> {
  let hasFolder = 1;
}
def StableHLO_PowOp : StableHLO_BinaryOp<"power", StableHLO_NumberTensor,
    "`lhs` to the power of `rhs`.">;
def StableHLO_RemOp : StableHLO_BinaryOp<"remainder", StableHLO_NumberTensor,
    "Remainder of a division, with the sign of the dividend.">;
def StableHLO_ShiftLeftOp
    : StableHLO_BinaryOp<"shift_left", StableHLO_IntTensor,
                         "Shifts towards the higher bits and inserts zeros.">;
def StableHLO_ShiftRightArithmeticOp
    : StableHLO_BinaryOp<"shift_right_arithmetic", StableHLO_IntTensor,
                         "Shifts towards the lower bits and copies the sign.">;
def StableHLO_ShiftRightLogicalOp
    : StableHLO_BinaryOp<"shift_right_logical", StableHLO_IntTensor,
                         "Shifts towards the lower bits and inserts zeros.">;
def StableHLO_SubtractOp
    : StableHLO_BinaryOp<"subtract", StableHLO_NumberTensor,
                         "Difference, which wraps for integers."> {
  let hasFolder = 1;
}
def StableHLO_XorOp : StableHLO_BinaryOp<"xor", StableHLO_IntOrPredTensor,
    "Bitwise exclusive or.", [Commutative]>;

//===----------------------------------------------------------------------===//
// Comparison and choice
//===----------------------------------------------------------------------===//

def StableHLO_CompareOp : StableHLO_Op<"compare", [Pure, Elementwise,
    AllTypesMatch<["lhs", "rhs"]>, InferTypeOpAdaptor]> {
  let summary = "Compares elements.";
  let description = [{
    Floats are compared as in IEEE 754: if an element is NaN, `NE` is true and all other
    directions are false. The optional comparison type repeats the kind of the element type,
    except for TOTALORDER, which compares floats by their bits: -NaN < -inf < ... < -0 < +0
    < ... < +inf < +NaN.

    ```mlir
    %2 = stablehlo.compare LT, %0, %1, SIGNED
        : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    ```
  }];
  let arguments = (ins StableHLO_Tensor:$lhs, StableHLO_Tensor:$rhs,
                       StableHLO_ComparisonDirectionAttr:$comparison_direction,
                       OptionalAttr<StableHLO_ComparisonTypeAttr>:$compare_type);
  let results = (outs StableHLO_PredTensor:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$lhs, "::mlir::Value":$rhs,
                                 "ComparisonDirection":$direction)>];
  let hasVerifier = 1;
  let hasFolder = 1;
  let assemblyFormat = [{
    custom<ComparisonDirection>($comparison_direction) `,` $lhs `,` $rhs ``
    custom<ComparisonType>($compare_type)
    attr-dict `:` functional-type(operands, results)
  }];
}

def StableHLO_SelectOp : StableHLO_Op<"select", [Pure,
    AllTypesMatch<["on_true", "on_false", "result"]>]> {
  let summary = "Selects elements of two tensors.";
  let description = [{
    An element of the result is that of `on_true` if the predicate is true, and otherwise
    that of `on_false`. The predicate has the shape of the result or is a scalar.

    ```mlir
    %3 = stablehlo.select %p, %a, %b : tensor<4x8xi1>, tensor<4x8xf32>
    ```
  }];
  let arguments = (ins StableHLO_PredTensor:$pred, StableHLO_Tensor:$on_true,
                       StableHLO_Tensor:$on_false);
  let results = (outs StableHLO_Tensor:$result);
  let hasVerifier = 1;
  let hasFolder = 1;
  let assemblyFormat = [{
    operands attr-dict `:` custom<SelectType>(type($pred), type($on_true))
  }];
}

def StableHLO_ClampOp : StableHLO_Op<"clamp", [Pure,
    AllTypesMatch<["operand", "result"]>, AllTypesMatch<["min", "max"]>]> {
  let summary = "Limits elements to a range.";
  let description = [{
    Computes `min(max(operand, min), max)`. Each bound has the type of the operand or is a
    scalar of its element type; both have the same type. NaN stays NaN. If `min` is greater
    than `max`, the result is `max`.

    ```mlir
    %r = stablehlo.clamp %low, %x, %high
        : (tensor<f32>, tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    ```
  }];
  let arguments = (ins StableHLO_NumberTensor:$min, StableHLO_NumberTensor:$operand,
                       StableHLO_NumberTensor:$max);
  let results = (outs StableHLO_NumberTensor:$result);
  let hasVerifier = 1;
  let assemblyFormat = [{
    $min `,` $operand `,` $max attr-dict `:`
    custom<ClampType>(type($min), type($operand))
  }];
}

#endif // BOOST_MLIR_DIALECT_STABLEHLO_IR_STABLEHLOELEMENTWISE_TD
