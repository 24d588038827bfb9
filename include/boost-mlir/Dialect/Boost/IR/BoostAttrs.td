//===- BoostAttrs.td - Attributes of the boost dialect -----*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Enumerations that the operations of boost and boostrt share.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOST_IR_BOOSTATTRS_TD
#define BOOST_MLIR_DIALECT_BOOST_IR_BOOSTATTRS_TD

include "boost-mlir/Dialect/Boost/IR/BoostDialect.td"
include "mlir/IR/EnumAttr.td"

def Boost_Activation : I32EnumAttr<"Activation", "what a bottleneck does to its latent", [
    I32EnumAttrCase<"Identity", 0, "identity">,
    I32EnumAttrCase<"Silu", 1, "silu">]> {
  let cppNamespace = "::mlir::boost";
  let genSpecializedAttr = 0;
}
def Boost_ActivationAttr : EnumAttr<Boost_Dialect, Boost_Activation, "activation"> {
  let assemblyFormat = "$value";
}

def Boost_Phase : I32EnumAttr<"Phase", "part of a training step", [
    I32EnumAttrCase<"Forward", 0, "forward">,
    I32EnumAttrCase<"Backward", 1, "backward">,
    I32EnumAttrCase<"Optimizer", 2, "optimizer">]> {
  let cppNamespace = "::mlir::boost";
  let genSpecializedAttr = 0;
}
def Boost_PhaseAttr : EnumAttr<Boost_Dialect, Boost_Phase, "phase"> {
  let assemblyFormat = "$value";
}

def Boost_Reduction : I32EnumAttr<"Reduction", "how a collective combines", [
    I32EnumAttrCase<"Sum", 0, "sum">,
    I32EnumAttrCase<"Max", 1, "max">,
    I32EnumAttrCase<"Min", 2, "min">]> {
  let cppNamespace = "::mlir::boost";
  let genSpecializedAttr = 0;
}
def Boost_ReductionAttr : EnumAttr<Boost_Dialect, Boost_Reduction, "reduction"> {
  let assemblyFormat = "$value";
}

def Boost_PartAttr : AttrDef<Boost_Dialect, "Part"> {
  let mnemonic = "part";
  let summary = "A tensor that users know by name, inside a packed one.";
  let description = [{
    A parameter that passes packed out of several is an argument with
    `boost.parts`, a list of these. Names, initial values, files and optimizer
    rules are those of the parts; only the memory is shared. A part of the
    packed tensor's rank takes `shape[dim]` elements of dimension `dim` from
    `offset` on; one of a rank less takes element `offset` of it, and has the
    other dimensions.

    ```mlir
    %aqk: tensor<64x2x16xf32> {boost.name = "{q,k}.down", boost.parts = [
        #boost.part<name = "q.down", dim = 1, offset = 0, shape = [64, 16]>,
        #boost.part<name = "k.down", dim = 1, offset = 1, shape = [64, 16]>]}
    ```
  }];
  let parameters = (ins "::mlir::StringAttr":$name,
                        OptionalParameter<"::mlir::StringAttr">:$init,
                        "int64_t":$dim, "int64_t":$offset,
                        "::mlir::DenseI64ArrayAttr":$shape);
  let assemblyFormat = "`<` struct(params) `>`";
  let extraClassDeclaration = [{
    /// Whether the part lacks the dimension along which it was packed.
    bool isStacked(int64_t packedRank) const {
      return getShape().size() < packedRank;
    }
    /// How much of `dim` the part takes.
    int64_t getExtent(int64_t packedRank) const {
      return isStacked(packedRank) ? 1 : getShape()[getDim()];
    }
  }];
}

def Boost_LayerAttr : AttrDef<Boost_Dialect, "Layer"> {
  let mnemonic = "layer";
  let summary = "The layer of the model that an operation belongs to.";
  let description = [{
    `boost-find-layers` gives operations this attribute as `boost.layer`, and
    every later pass hands it on to what it makes of them. Layers are numbered
    from 0 in the order of the forward pass. Layers of one class are the same
    operations on the same types, with other parameters. An operation of the
    backward pass belongs to the layer of the forward operation that it is the
    gradient of. An operation without the attribute is outside the layers.

    ```mlir
    %h = boost.linear %x, %w {boost.layer = #boost.layer<class = 0, index = 3>} : ...
    ```
  }];
  let parameters = (ins "int64_t":$kind, "int64_t":$index);
  let assemblyFormat = "`<` `class` `=` $kind `,` `index` `=` $index `>`";
  let genVerifyDecl = 1;
}

#endif // BOOST_MLIR_DIALECT_BOOST_IR_BOOSTATTRS_TD
