//===- SDY.td - Sharding annotations that import drops -----*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Just enough of Shardy to read a program that carries annotations.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_STABLEHLO_IR_SDY_TD
#define BOOST_MLIR_DIALECT_STABLEHLO_IR_SDY_TD

include "boost-mlir/Dialect/StableHLO/IR/StableHLODialect.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def SDY_Dialect : Dialect {
  let name = "sdy";
  let cppNamespace = "::mlir::boost::sdy";
  let summary = "Annotations of a sharded JAX program, kept as text.";
  let description = [{
    JAX under an explicit mesh annotates values with shardings. Placement decides
    shardings here, so import reads the annotations only to drop them; attributes
    and meshes are kept as the text they were written in.
  }];
  let extraClassDeclaration = [{
    Attribute parseAttribute(DialectAsmParser &parser, Type type) const override;

    /// Refuses operations that the subset does not have, all of a text at once.
    std::optional<ParseOpHook>
    getParseOperationHook(StringRef opName) const override;
  }];
}

def SDY_MeshOp : Op<SDY_Dialect, "mesh"> {
  let summary = "Names of device axes and their sizes.";
  let description = [{
    boost-normalize-entry reads from it the sizes of the axes that arguments are
    sharded over.

    ```mlir
    sdy.mesh @devices = <["data"=2, "model"=4]>
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrAttr:$mesh);
  let assemblyFormat = "$sym_name `=` custom<AngleText>($mesh) attr-dict";
}

def SDY_ShardingConstraintOp : Op<SDY_Dialect, "sharding_constraint",
                                  [Pure, SameOperandsAndResultType]> {
  let summary = "The operand, with a wish about its sharding.";
  let description = [{
    Import drops it, with a remark.

    ```mlir
    %r = sdy.sharding_constraint %x <@devices, [{"data"}, {} ]> : tensor<4x8xf32>
    ```
  }];
  let arguments = (ins StableHLO_Tensor:$input, StrAttr:$sharding);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    $input custom<AngleText>($sharding) attr-dict `:` type($result)
  }];
}

#endif // BOOST_MLIR_DIALECT_STABLEHLO_IR_SDY_TD
