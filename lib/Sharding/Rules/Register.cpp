//===- Register.cpp - Attaches all sharding rules -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "boost-mlir/Sharding/Rules.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;
using namespace mlir::boost;

void mlir::boost::registerShardingRules(DialectRegistry &registry) {
  registry.addExtension(
      +[](MLIRContext *context, stablehlo::StableHLODialect *) {
        attachElementwiseShardingRules(*context);
        attachShapeShardingRules(*context);
        attachIndexingShardingRules(*context);
        attachWindowShardingRules(*context);
      });
  // A program may have operations of boost alone; some of these rules are for
  // operations of StableHLO as well.
  registry.addExtension(+[](MLIRContext *context, BoostDialect *) {
    context->loadDialect<stablehlo::StableHLODialect>();
    attachContractionShardingRules(*context);
    attachEmbeddingShardingRules(*context);
    attachAttentionShardingRules(*context);
    attachCrossEntropyShardingRules(*context);
    attachFactorizationShardingRules(*context);
    attachOptimizerShardingRules(*context);
    attachRowShardingRules(*context);
    attachStopGradientShardingRule(*context);
  });
}
