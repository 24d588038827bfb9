//===- Rules.h - Sharding rules of the dialects -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attaches ShardingRuleOpInterface to StableHLO and boost operations.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_SHARDING_RULES_H
#define BOOST_MLIR_SHARDING_RULES_H

namespace mlir {
class DialectRegistry;
class MLIRContext;
} // namespace mlir

namespace mlir::boost {

/// Attaches every rule when the dialects are loaded.
void registerShardingRules(DialectRegistry &registry);

// One function per family of operations.
void attachElementwiseShardingRules(MLIRContext &context);
void attachShapeShardingRules(MLIRContext &context);
void attachContractionShardingRules(MLIRContext &context);
void attachIndexingShardingRules(MLIRContext &context);
void attachWindowShardingRules(MLIRContext &context);
void attachEmbeddingShardingRules(MLIRContext &context);
void attachAttentionShardingRules(MLIRContext &context);
void attachFactorizationShardingRules(MLIRContext &context);
void attachCrossEntropyShardingRules(MLIRContext &context);
void attachOptimizerShardingRules(MLIRContext &context);
void attachRowShardingRules(MLIRContext &context);
void attachStopGradientShardingRule(MLIRContext &context);

} // namespace mlir::boost

#endif // BOOST_MLIR_SHARDING_RULES_H
