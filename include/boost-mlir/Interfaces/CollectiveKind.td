//===- CollectiveKind.td - Kinds of collectives ------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kinds of collectives, on which their times depend.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_INTERFACES_COLLECTIVEKIND_TD
#define BOOST_MLIR_INTERFACES_COLLECTIVEKIND_TD

include "mlir/IR/EnumAttr.td"

def CollectiveKind : I32EnumAttr<"CollectiveKind", "kind of a collective", [
    I32EnumAttrCase<"AllReduce", 0, "all_reduce">,
    I32EnumAttrCase<"ReduceScatter", 1, "reduce_scatter">,
    I32EnumAttrCase<"AllGather", 2, "all_gather">,
    I32EnumAttrCase<"AllToAll", 3, "all_to_all">,
    I32EnumAttrCase<"Broadcast", 4, "broadcast">]> {
  let cppNamespace = "::mlir::boost";
  let genSpecializedAttr = 0;
}

#endif // BOOST_MLIR_INTERFACES_COLLECTIVEKIND_TD
