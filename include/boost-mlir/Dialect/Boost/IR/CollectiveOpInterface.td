//===- CollectiveOpInterface.td - Operations on groups -----*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interfaces of operations whose results depend on a group of ranks, at the spmd
// level and at the runtime level.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOST_IR_COLLECTIVEOPINTERFACE_TD
#define BOOST_MLIR_DIALECT_BOOST_IR_COLLECTIVEOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def RankGroupOpInterface : OpInterface<"RankGroupOpInterface"> {
  let cppNamespace = "::mlir::boost";
  let description = [{
    An operation whose results depend on the position of the rank in a group. The ranks
    of a group differ only along some axes of the mesh. The operation may communicate.
  }];
  let methods = [
    InterfaceMethod<[{
        Returns the axes along which the ranks of a group differ.
      }],
      "::mlir::boost::AxisMask", "getGroupAxes">,
    InterfaceMethod<[{
        Returns how each tensor is combined and divided among the ranks of the
        group; empty if the operation has no source.
      }],
      "::llvm::SmallVector<::mlir::boost::GroupMovement>", "getMovements">,
    InterfaceMethod<[{
        Returns the tensors that the rank contributes.
      }],
      "::mlir::ValueRange", "getSources">,
    InterfaceMethod<[{
        Returns the tensors that the rank receives. An operation with movements
        has as many of them as sources.
      }],
      "::mlir::ValueRange", "getDestinations">
  ];
}

def CollectiveOpInterface
    : OpInterface<"CollectiveOpInterface", [RankGroupOpInterface]> {
  let cppNamespace = "::mlir::boost";
  let description = [{
    An operation in which the ranks of a group communicate. Its movements (`GroupMovement`)
    determine the shapes and values of its results, and how ranks hold them.
  }];
  let methods = [
    InterfaceMethod<[{
        Returns the kind of the collective, on which its time depends.
      }],
      "::mlir::boost::CollectiveKind", "getKind">,
    InterfaceMethod<[{
        Returns true if several collectives of this kind may be merged into one
        operation. Its operands and results are lists, and so is its attribute
        `dims` if it has one.
      }],
      "bool", "isMergeable", (ins),
      /*methodBody=*/"", /*defaultImplementation=*/"return false;">,
    InterfaceMethod<[{
        Returns true if the results use the memory of the operands.
      }],
      "bool", "updatesOperands", (ins),
      /*methodBody=*/"", /*defaultImplementation=*/"return false;">,
    InterfaceMethod<[{
        Returns the number of the collective in the plan of the program, or
        nothing before boostrt-number-collectives.
      }],
      "::std::optional<uint32_t>", "getSite", (ins),
      /*methodBody=*/"", /*defaultImplementation=*/"return ::std::nullopt;">,
    InterfaceMethod<[{
        Sets the number of the collective. Only operations of the runtime level
        have one.
      }],
      "void", "setSite", (ins "::std::optional<uint32_t>":$site),
      /*methodBody=*/"",
      /*defaultImplementation=*/"(void)site;">
  ];
  let extraClassDeclaration = [{
    /// Returns the tensors that determine the size of the message: those that
    /// are reduced, exchanged or broadcast, and the results of a gather.
    ::mlir::ValueRange getWhole();
  }];
}

#endif // BOOST_MLIR_DIALECT_BOOST_IR_COLLECTIVEOPINTERFACE_TD
