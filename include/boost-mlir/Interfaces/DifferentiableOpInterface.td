//===- DifferentiableOpInterface.td - Reverse mode, per op -*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One rule per operation: from the gradients of its results to the gradients
// of its operands.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_INTERFACES_DIFFERENTIABLEOPINTERFACE_TD
#define BOOST_MLIR_INTERFACES_DIFFERENTIABLEOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def DifferentiableOpInterface : OpInterface<"DifferentiableOpInterface"> {
  let cppNamespace = "::mlir::boost";
  let description = [{
    How a loss's gradient passes backward through an operation.

    A rule reads from the `GradientBuilder` which result gradients there are and
    which operand gradients are wanted, creates operations with it, and sets the
    gradients of the wanted operands. Its contract:

    - An absent result gradient is zero. At least one is present.
    - A gradient has the type of the value it belongs to.
    - A wanted operand whose gradient is not set has gradient zero: rules do not
      materialize zeros. Gradients that are not wanted are ignored, so a rule
      need not look where none is expensive.
    - An operand that appears twice gets the sum of what is set for both places.
    - The rule may use the operands and results of the operation. It neither
      changes nor erases anything.
    - Sums of low precision values are taken in f32 and rounded once.
    - What cannot be differentiated is refused with a reason; the pass turns it
      into a located error.

    Integer and boolean values have no gradient: rules are never asked for one.
  }];
  let methods = [
    InterfaceMethod<
      "Creates the gradients of the wanted operands.",
      "void", "buildGradients",
      (ins "::mlir::boost::GradientBuilder &":$gradients)>
  ];
}

#endif // BOOST_MLIR_INTERFACES_DIFFERENTIABLEOPINTERFACE_TD
