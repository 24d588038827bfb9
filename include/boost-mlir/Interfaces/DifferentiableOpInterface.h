//===- DifferentiableOpInterface.h - Reverse mode, per op -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface, what a rule is given, and how rules are attached.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_INTERFACES_DIFFERENTIABLEOPINTERFACE_H
#define BOOST_MLIR_INTERFACES_DIFFERENTIABLEOPINTERFACE_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/Twine.h"
#include <string>

namespace mlir::boost {

/// The inputs and results of a differentiation rule, and the builder with which
/// it creates operations. Its insertion point is in the backward pass, after
/// every value of the forward pass.
class GradientBuilder : public OpBuilder {
public:
  /// `resultGradients` has one entry per result of `op`, null where there is
  /// none; `wanted` one per operand.
  GradientBuilder(const OpBuilder &builder, Operation *op,
                  ArrayRef<Value> resultGradients, ArrayRef<bool> wanted)
      : OpBuilder(builder), op(op), resultGradients(resultGradients),
        wanted(wanted), operandGradients(op->getNumOperands()) {}

  /// The location of what the rule creates.
  Location getLoc() const { return op->getLoc(); }

  /// The gradient of a result, null if it is zero.
  Value ofResult(unsigned index = 0) const { return resultGradients[index]; }

  bool wants(unsigned operand) const { return wanted[operand]; }

  void set(unsigned operand, Value gradient) {
    operandGradients[operand] = gradient;
  }

  /// Says that the operation cannot be differentiated and why: the predicate of
  /// a sentence that begins with the operation's name.
  void refuse(const Twine &why) { refusal = why.str(); }

  ArrayRef<Value> getOperandGradients() const { return operandGradients; }

  /// Empty unless the rule refused.
  StringRef getRefusal() const { return refusal; }

private:
  Operation *op;
  ArrayRef<Value> resultGradients;
  ArrayRef<bool> wanted;
  SmallVector<Value, 4> operandGradients;
  std::string refusal;
};

} // namespace mlir::boost

#include "boost-mlir/Interfaces/DifferentiableOpInterface.h.inc"

namespace mlir::boost {

/// The interface of `OpT` by a function.
template <typename OpT, void (*rule)(OpT, GradientBuilder &)>
struct DifferentiationRule
    : DifferentiableOpInterface::ExternalModel<DifferentiationRule<OpT, rule>,
                                               OpT> {
  void buildGradients(Operation *op, GradientBuilder &gradients) const {
    rule(cast<OpT>(op), gradients);
  }
};

template <typename OpT, void (*rule)(OpT, GradientBuilder &)>
void attachDifferentiationRule(MLIRContext &context) {
  OpT::template attachInterface<DifferentiationRule<OpT, rule>>(context);
}

} // namespace mlir::boost

#endif // BOOST_MLIR_INTERFACES_DIFFERENTIABLEOPINTERFACE_H
