//===- SDY.td - Sharding annotations that import drops -----*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of Shardy that is needed to read programs with annotations.
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
  let summary = "Sharding annotations of JAX programs, represented by their text.";
  let description = [{
    JAX annotates values with shardings if a program uses an explicit mesh. Since
    placement decides the shardings, import drops the annotations, except that it records
    those of arguments as `boost.hint`. Attributes and meshes are represented by their text.
  }];
  let extraClassDeclaration = [{
    Attribute parseAttribute(DialectAsmParser &parser, Type type) const override;

    /// Refuses operations outside of the subset, all those of a text at once.
    std::optional<ParseOpHook>
    getParseOperationHook(StringRef opName) const override;
  }];
}

def SDY_MeshOp : Op<SDY_Dialect, "mesh"> {
  let summary = "Names and sizes of mesh axes.";
  let description = [{
    `boost-normalize-entry` reads the sizes of the axes over which arguments are sharded.

    ```mlir
    sdy.mesh @devices = <["data"=2, "model"=4]>
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrAttr:$mesh);
  let assemblyFormat = "$sym_name `=` custom<AngleText>($mesh) attr-dict";
}

def SDY_ShardingConstraintOp : Op<SDY_Dialect, "sharding_constraint",
                                  [Pure, SameOperandsAndResultType]> {
  let summary = "Returns its operand, with a sharding that the program requests.";
  let description = [{
    Import replaces it by its operand and emits a remark.

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
