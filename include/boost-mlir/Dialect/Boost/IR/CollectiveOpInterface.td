//===- CollectiveOpInterface.td - What collectives do ------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interfaces through which operations say which ranks they join and what
// these do with their tensors, at the spmd level and at the runtime level.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOST_IR_COLLECTIVEOPINTERFACE_TD
#define BOOST_MLIR_DIALECT_BOOST_IR_COLLECTIVEOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def RankGroupOpInterface : OpInterface<"RankGroupOpInterface"> {
  let cppNamespace = "::mlir::boost";
  let description = [{
    An operation whose results depend on where the rank is in a group of ranks,
    those that differ along some axes of the mesh only. It may communicate.
  }];
  let methods = [
    InterfaceMethod<[{
        Returns the axes along which the ranks of a group differ.
      }],
      "::mlir::boost::AxisMask", "getGroupAxes">,
    InterfaceMethod<[{
        Returns the movement of each tensor, in order.
      }],
      "::llvm::SmallVector<::mlir::boost::GroupMovement>", "getMovements">,
    InterfaceMethod<[{
        Returns the tensors that the rank contributes.
      }],
      "::mlir::ValueRange", "getSources">,
    InterfaceMethod<[{
        Returns the tensors that the rank receives, as many as it contributes.
      }],
      "::mlir::ValueRange", "getDestinations">
  ];
}

def CollectiveOpInterface
    : OpInterface<"CollectiveOpInterface", [RankGroupOpInterface]> {
  let cppNamespace = "::mlir::boost";
  let description = [{
    An operation in which the ranks of a group communicate. The shapes of its
    results, how ranks hold these, and their values follow from its movements
    (`GroupMovement`).
  }];
  let methods = [
    InterfaceMethod<[{
        Returns the kind, by which machines time the collective.
      }],
      "::mlir::boost::CollectiveKind", "getKind">,
    InterfaceMethod<[{
        Returns true if several collectives of the kind may become one launch.
        Their operands and results are lists, and so is the attribute `dims` if
        they have it.
      }],
      "bool", "isMergeable", (ins),
      /*methodBody=*/"", /*defaultImplementation=*/"return false;">,
    InterfaceMethod<[{
        Returns true if the results take the memory of the operands.
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
        Sets the site. Only operations of the runtime level have one.
      }],
      "void", "setSite", (ins "::std::optional<uint32_t>":$site),
      /*methodBody=*/"",
      /*defaultImplementation=*/"(void)site;">
  ];
  let extraClassDeclaration = [{
    /// Returns the tensors of a rank whose bytes are those of the message: those
    /// that are reduced, exchanged or broadcast, and the results of a gather.
    ::mlir::ValueRange getWhole();
  }];
}

#endif // BOOST_MLIR_DIALECT_BOOST_IR_COLLECTIVEOPINTERFACE_TD
