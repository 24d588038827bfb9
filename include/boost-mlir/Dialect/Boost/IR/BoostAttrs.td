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

#endif // BOOST_MLIR_DIALECT_BOOST_IR_BOOSTATTRS_TD
