//===- Factorization.cpp - Sharding of factorizations ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrices of a batch are independent of each other; of one matrix everything
// depends on everything.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/Factorizations.h"
#include "boost-mlir/Interfaces/ShardingRuleOpInterface.h"
#include "boost-mlir/Sharding/Rules.h"
#include "boost-mlir/Support/TensorTypes.h"

using namespace mlir;
using namespace mlir::boost;

static ShardingRule factorizeRule(FactorizeOp op) {
  ShardingRule rule(op);
  RankedTensorType type = getTensorType(op.getInputs().front());
  for (auto [dim, size] : llvm::enumerate(type.getShape().drop_back(2))) {
    auto loop = rule.addLoop(LoopKind::Parallel, size);
    for (unsigned i = 0; i < op->getNumOperands(); ++i)
      loop.operand(i, dim);
    for (unsigned i = 0; i < op->getNumResults(); ++i)
      loop.result(i, dim);
  }
  return rule.setFlops(getFlops(op.getKind(), FactorizedMatrices(type)));
}

void mlir::boost::attachFactorizationShardingRules(MLIRContext &context) {
  attachShardingRule<FactorizeOp, factorizeRule>(context);
}
