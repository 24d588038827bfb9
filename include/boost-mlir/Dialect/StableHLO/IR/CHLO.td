//===- CHLO.td - The part of CHLO that JAX prints ----------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that import replaces by StableHLO.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_STABLEHLO_IR_CHLO_TD
#define BOOST_MLIR_DIALECT_STABLEHLO_IR_CHLO_TD

include "boost-mlir/Dialect/StableHLO/IR/StableHLODialect.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def CHLO_Dialect : Dialect {
  let name = "chlo";
  let cppNamespace = "::mlir::boost::chlo";
  let summary = "The operations of CHLO that language models use.";
  let description = [{
    CHLO has operations for functions that StableHLO expresses by several operations.
    `boost-expand-chlo` expands them; none is left after import.
  }];
  let extraClassDeclaration = [{
    /// Refuses operations outside of the subset, all those of a text at once.
    std::optional<ParseOpHook>
    getParseOperationHook(StringRef opName) const override;
  }];
}

class CHLO_UnaryOp<string mnemonic, Type type, string what>
    : Op<CHLO_Dialect, mnemonic, [Pure, SameOperandsAndResultType]> {
  let summary = what;
  let description = what # " Each element of the result depends on the element of the"
      # " operand at the same position.\n\n"
      # "```mlir\n%r = chlo." # mnemonic # " %x : tensor<4x8xf32> -> tensor<4x8xf32>\n```\n";
  let arguments = (ins type:$operand);
  let results = (outs type:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
}

def CHLO_AcosOp : CHLO_UnaryOp<"acos", StableHLO_FloatTensor, "Arc cosine.">;
def CHLO_AcoshOp
    : CHLO_UnaryOp<"acosh", StableHLO_FloatTensor, "Inverse hyperbolic cosine.">;
def CHLO_AsinOp : CHLO_UnaryOp<"asin", StableHLO_FloatTensor, "Arc sine.">;
def CHLO_AsinhOp
    : CHLO_UnaryOp<"asinh", StableHLO_FloatTensor, "Inverse hyperbolic sine.">;
def CHLO_AtanOp : CHLO_UnaryOp<"atan", StableHLO_FloatTensor, "Arc tangent.">;
def CHLO_AtanhOp
    : CHLO_UnaryOp<"atanh", StableHLO_FloatTensor, "Inverse hyperbolic tangent.">;
def CHLO_CoshOp
    : CHLO_UnaryOp<"cosh", StableHLO_FloatTensor, "Hyperbolic cosine.">;
def CHLO_DigammaOp : CHLO_UnaryOp<"digamma", StableHLO_FloatTensor,
    "Digamma function, the derivative of `lgamma`.">;
def CHLO_ErfOp : CHLO_UnaryOp<"erf", StableHLO_FloatTensor, "Error function.">;
def CHLO_ErfcOp
    : CHLO_UnaryOp<"erfc", StableHLO_FloatTensor, "`1 - erf(x)`.">;
def CHLO_ErfInvOp : CHLO_UnaryOp<"erf_inv", StableHLO_FloatTensor,
    "Inverse of the error function.">;
def CHLO_LgammaOp : CHLO_UnaryOp<"lgamma", StableHLO_FloatTensor,
    "Logarithm of the magnitude of the gamma function.">;
def CHLO_SinhOp
    : CHLO_UnaryOp<"sinh", StableHLO_FloatTensor, "Hyperbolic sine.">;
def CHLO_SquareOp
    : CHLO_UnaryOp<"square", StableHLO_NumberTensor, "Square of the operand.">;
def CHLO_TanOp : CHLO_UnaryOp<"tan", StableHLO_FloatTensor, "Tangent.">;

def CHLO_NextAfterOp
    : Op<CHLO_Dialect, "next_after", [Pure, SameOperandsAndResultType]> {
  let summary = "The next float from `x` in the direction of `y`.";
  let description = [{
    The result is `y` if both are equal.

    ```mlir
    %r = chlo.next_after %x, %y : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
    ```
  }];
  let arguments = (ins StableHLO_FloatTensor:$x, StableHLO_FloatTensor:$y);
  let results = (outs StableHLO_FloatTensor:$result);
  let assemblyFormat = [{
    $x `,` $y attr-dict `:` type($x) `,` type($y) `->` type($result)
  }];
}

def CHLO_TopKOp : Op<CHLO_Dialect, "top_k", [Pure, InferTypeOpAdaptor]> {
  let summary = "The `k` largest elements of the last dimension, and their indices.";
  let description = [{
    The elements are in decreasing total order; for booleans, true comes before false. Equal
    elements are in the order of their indices. `k` is not larger than the last dimension.

    ```mlir
    %values, %indices = chlo.top_k(%0, k = 2)
        : tensor<4x8xf32> -> (tensor<4x2xf32>, tensor<4x2xi32>)
    ```
  }];
  let arguments = (ins StableHLO_Tensor:$operand, I64Attr:$k);
  let results = (outs StableHLO_Tensor:$values, StableHLO_IntTensor:$indices);
  let assemblyFormat = [{
    `(` $operand `,` `k` `=` $k `)` attr-dict
    `:` type($operand) `->` `(` type($values) `,` type($indices) `)`
  }];
}

#endif // BOOST_MLIR_DIALECT_STABLEHLO_IR_CHLO_TD
