//===- StableHLODialect.td - The StableHLO subset ----------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect, its type constraints and the base class of its operations.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_STABLEHLO_IR_STABLEHLODIALECT_TD
#define BOOST_MLIR_DIALECT_STABLEHLO_IR_STABLEHLODIALECT_TD

include "mlir/IR/OpBase.td"

def StableHLO_Dialect : Dialect {
  let name = "stablehlo";
  let cppNamespace = "::mlir::boost::stablehlo";
  let summary = "The part of StableHLO that language models exported from JAX use.";
  let description = [{
    The dialect follows the StableHLO specification. Its text, and the names of its classes
    and accessors, are those of the StableHLO project, so that programs printed by JAX are
    parsed without changes.

    It is a subset of the specification. Tensors are ranked and have static shapes. Element
    types are booleans, integers of 8 to 64 bits, f16, bf16, f32 and f64; there are no
    quantized and no complex types. The parser refuses operations outside of the subset,
    and names all of those in a file at once.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasCanonicalizer = 1;
  let hasConstantMaterializer = 1;
  let extraClassDeclaration = [{
    /// Refuses operations outside of the subset, all those of a text at once.
    std::optional<ParseOpHook>
    getParseOperationHook(StringRef opName) const override;
  }];
}

class StableHLO_Op<string mnemonic, list<Trait> traits = []>
    : Op<StableHLO_Dialect, mnemonic, traits>;

defvar StableHLO_FloatTypes = [F16, BF16, F32, F64];
defvar StableHLO_IntTypes = [I8, I16, I32, I64, UI8, UI16, UI32, UI64];

class StableHLO_TensorOf<list<Type> elements, string what> : Type<
    And<[RankedTensorOf<elements>.predicate, HasStaticShapePred]>,
    "statically shaped tensor of " # what, "::mlir::RankedTensorType">;

def StableHLO_Tensor : StableHLO_TensorOf<
    !listconcat([I1], StableHLO_IntTypes, StableHLO_FloatTypes),
    "booleans, integers of 8 to 64 bits, or f16, bf16, f32, f64">;
def StableHLO_FloatTensor
    : StableHLO_TensorOf<StableHLO_FloatTypes, "f16, bf16, f32 or f64">;
def StableHLO_IntTensor
    : StableHLO_TensorOf<StableHLO_IntTypes, "integers of 8 to 64 bits">;
def StableHLO_IntOrPredTensor : StableHLO_TensorOf<
    !listconcat([I1], StableHLO_IntTypes), "booleans or integers of 8 to 64 bits">;
def StableHLO_SignedTensor : StableHLO_TensorOf<
    !listconcat([I8, I16, I32, I64], StableHLO_FloatTypes),
    "signed integers or f16, bf16, f32, f64">;
def StableHLO_NumberTensor : StableHLO_TensorOf<
    !listconcat(StableHLO_IntTypes, StableHLO_FloatTypes),
    "integers of 8 to 64 bits, or f16, bf16, f32, f64">;
def StableHLO_PredTensor : StableHLO_TensorOf<[I1], "booleans">;
def StableHLO_IndexScalar : Type<
    And<[StableHLO_IntTensor.predicate, HasAnyRankOfPred<[0]>]>,
    "scalar tensor of integers of 8 to 64 bits", "::mlir::RankedTensorType">;

#endif // BOOST_MLIR_DIALECT_STABLEHLO_IR_STABLEHLODIALECT_TD
