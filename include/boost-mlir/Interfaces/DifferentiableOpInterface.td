//===- DifferentiableOpInterface.td - Gradients of ops -----*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface of operations that have a rule for their gradients.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_INTERFACES_DIFFERENTIABLEOPINTERFACE_TD
#define BOOST_MLIR_INTERFACES_DIFFERENTIABLEOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def DifferentiableOpInterface : OpInterface<"DifferentiableOpInterface"> {
  let cppNamespace = "::mlir::boost";
  let description = [{
    Computes the gradients of the operands of an operation from those of its results, in
    reverse mode.

    A rule asks the `GradientBuilder` for the gradients of results and for the operands
    whose gradients are needed, creates operations with it, and sets the gradients of these
    operands:

    - The gradient of a result may be absent, which means zero. At least one is present.
    - A gradient has the type of its value.
    - If a rule does not set the gradient of an operand, it is zero. Rules do not create
      zeros.
    - A gradient that is not needed may be set, and is ignored. A rule only asks whether
      it is needed if it would be expensive.
    - If a value is used as two operands, its gradient is the sum of both.
    - A rule may use the operands and results of the operation. It does not change or erase
      operations.
    - Sums of values of low precision are computed in f32 and rounded once.
    - A rule that cannot differentiate the operation gives the reason. The pass turns it
      into an error at the operation.

    Integers and booleans have no gradients, and no rule is asked for them.
  }];
  let methods = [
    InterfaceMethod<
      "Creates the gradients of the wanted operands.",
      "void", "buildGradients",
      (ins "::mlir::boost::GradientBuilder &":$gradients)>
  ];
}

#endif // BOOST_MLIR_INTERFACES_DIFFERENTIABLEOPINTERFACE_TD
