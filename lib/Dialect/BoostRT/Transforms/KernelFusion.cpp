//===- KernelFusion.cpp - What kernels may become one ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asked on tensors, before kernels have memory.
//
//===----------------------------------------------------------------------===//

#include "KernelFusion.h"

#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::boost;

rt::BodyCost rt::findBodyCost(linalg::GenericOp op) {
  BodyCost cost = BodyCost::Movement;
  for (Operation &nested : op.getBody()->without_terminator()) {
    if (isa<arith::DivFOp, arith::RemFOp, arith::DivSIOp, arith::DivUIOp,
            arith::RemSIOp, arith::RemUIOp, tensor::ExtractOp>(nested) ||
        isa<math::MathDialect>(nested.getDialect()))
      return BodyCost::Expensive;
    // A value is read narrow rather than written wide and read again.
    if (!isa<arith::ConstantOp, arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(
            nested))
      cost = BodyCost::Cheap;
  }
  return cost;
}

bool rt::accumulates(linalg::GenericOp op) {
  return llvm::any_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
    return op.payloadUsesValueFromOperand(&init);
  });
}

bool rt::isElementwise(linalg::GenericOp op) {
  return op.hasPureTensorSemantics() &&
         op.getNumParallelLoops() == op.getNumLoops() && !accumulates(op) &&
         !llvm::is_contained(op.getStaticLoopRanges(), 0);
}

bool rt::fitOneKernel(linalg::GenericOp first, linalg::GenericOp second) {
  constexpr size_t kMaxOperations = 64;
  constexpr unsigned kMaxBuffers = 12;
  auto countOperations = [](linalg::GenericOp op) {
    return op.getBody()->getOperations().size();
  };
  return first->getNumOperands() + second->getNumOperands() <= kMaxBuffers &&
         countOperations(first) + countOperations(second) <= kMaxOperations;
}

rt::Phases::Phases(Block &block) {
  for (auto marker : block.getOps<PhaseOp>())
    markers.push_back(marker);
}

bool rt::Phases::areTogether(Operation *a, Operation *b) const {
  return llvm::all_of(markers, [&](Operation *marker) {
    return marker->isBeforeInBlock(a) == marker->isBeforeInBlock(b);
  });
}
