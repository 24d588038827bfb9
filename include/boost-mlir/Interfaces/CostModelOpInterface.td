//===- CostModelOpInterface.td - What ops cost -------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface through which operations are priced.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_INTERFACES_COSTMODELOPINTERFACE_TD
#define BOOST_MLIR_INTERFACES_COSTMODELOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def CostModelOpInterface : OpInterface<"CostModelOpInterface"> {
  let cppNamespace = "::mlir::boost";
  let description = [{
    Says what an operation does on one rank: floating-point operations, bytes of
    memory, messages. How long that takes is the machine's answer. An operation
    without the interface only describes and is free.
  }];
  let methods = [
    InterfaceMethod<[{
        The work of the operation in its local form, whose types are those of
        one rank's parts. The mesh tells how many ranks a collective joins and
        how far apart they are.
      }],
      "::mlir::boost::OpCost", "getCost",
      (ins "const ::mlir::boost::Mesh &":$mesh)>
  ];
}

#endif // BOOST_MLIR_INTERFACES_COSTMODELOPINTERFACE_TD
