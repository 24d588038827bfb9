//===- Combiner.cpp - How partial results of reductions join --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/BoostRT/Utils/Combiner.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::boost;

Operation *rt::findCombiner(linalg::GenericOp op, unsigned number) {
  BlockArgument accumulator = op.getRegionOutputArgs()[number];
  Operation *yield = op.getBody()->getTerminator();
  Operation *combiner = yield->getOperand(number).getDefiningOp();
  bool isCombiner = combiner && combiner->getNumOperands() == 2 &&
                    combiner->getNumResults() == 1 && combiner->hasOneUse() &&
                    accumulator.hasOneUse() &&
                    *accumulator.user_begin() == combiner &&
                    arith::getNeutralElement(combiner);
  return isCombiner ? combiner : nullptr;
}

bool rt::canCombine(linalg::GenericOp op) {
  return llvm::all_of(
      llvm::seq<unsigned>(op.getNumDpsInits()),
      [&](unsigned number) { return findCombiner(op, number); });
}
