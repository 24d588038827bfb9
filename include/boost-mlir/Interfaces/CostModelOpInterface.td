//===- CostModelOpInterface.td - Costs of operations -------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface of operations that cost time.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_INTERFACES_COSTMODELOPINTERFACE_TD
#define BOOST_MLIR_INTERFACES_COSTMODELOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def CostModelOpInterface : OpInterface<"CostModelOpInterface"> {
  let cppNamespace = "::mlir::boost";
  let description = [{
    Counts the work of an operation on one rank: floating-point operations, bytes of
    memory that it reads and writes, and messages. The description of a machine turns these into
    a time. An operation without the interface costs nothing.
  }];
  let methods = [
    InterfaceMethod<[{
        Returns the work of the operation, whose types are those of one rank.
        The number of ranks that a collective joins, and the distance between
        them, follow from the mesh.
      }],
      "::mlir::boost::OpCost", "getCost",
      (ins "const ::mlir::boost::Mesh &":$mesh)>
  ];
}

#endif // BOOST_MLIR_INTERFACES_COSTMODELOPINTERFACE_TD
