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
  let summary = "The few client operations that language models use.";
  let description = [{
    JAX leaves some functions whole that StableHLO expresses by several
    operations. `boost-expand-chlo` writes them out; none is left after import.
  }];
  let extraClassDeclaration = [{
    /// Refuses operations that the subset does not have, all of a text at once.
    std::optional<ParseOpHook>
    getParseOperationHook(StringRef opName) const override;
  }];
}

class CHLO_UnaryOp<string mnemonic, Type type, string what>
    : Op<CHLO_Dialect, mnemonic, [Pure, SameOperandsAndResultType]> {
  let summary = what;
  let arguments = (ins type:$operand);
  let results = (outs type:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
}

def CHLO_ErfOp : CHLO_UnaryOp<"erf", StableHLO_FloatTensor, "Error function.">;
def CHLO_ErfcOp
    : CHLO_UnaryOp<"erfc", StableHLO_FloatTensor, "`1 - erf(x)`.">;
def CHLO_SquareOp
    : CHLO_UnaryOp<"square", StableHLO_NumberTensor, "The operand times itself.">;

#endif // BOOST_MLIR_DIALECT_STABLEHLO_IR_CHLO_TD
