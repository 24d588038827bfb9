//===- ShardingRuleOpInterface.h - How ops shard ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface, what its local builder is given, and how rules are attached.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_INTERFACES_SHARDINGRULEOPINTERFACE_H
#define BOOST_MLIR_INTERFACES_SHARDINGRULEOPINTERFACE_H

#include "boost-mlir/Interfaces/ShardingRule.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/ValueRange.h"

namespace mlir::boost {

class Mesh;

/// One rank's part of an operation that is to be built.
struct LocalBuild {
  const Mesh &mesh;
  /// The rank's parts of the operands and how they are sharded.
  ValueRange operands;
  ArrayRef<Split> operandSplits;
  /// The axes that each loop of the rule is spread over.
  ArrayRef<AxisList> loopAxes;
  /// The types of the local results.
  ArrayRef<Type> resultTypes;
};

/// Clones `op` onto the local operands and result types.
Operation *cloneWithTypes(OpBuilder &builder, Operation *op,
                          const LocalBuild &local,
                          SmallVectorImpl<Value> &results);

} // namespace mlir::boost

#include "boost-mlir/Interfaces/ShardingRuleOpInterface.h.inc"

namespace mlir::boost {

/// The interface of `OpT` by one function, for operations whose local form is a
/// clone.
template <typename OpT, ShardingRule (*rule)(OpT)>
struct ShardingRuleModel
    : ShardingRuleOpInterface::ExternalModel<ShardingRuleModel<OpT, rule>,
                                             OpT> {
  ShardingRule getShardingRule(Operation *op) const {
    return rule(cast<OpT>(op));
  }
};

/// The interface of `OpT` by a rule and a builder of the local form.
template <typename OpT, ShardingRule (*rule)(OpT),
          void (*build)(OpT, OpBuilder &, const LocalBuild &,
                        SmallVectorImpl<Value> &)>
struct ShardingRuleWithBuilderModel
    : ShardingRuleOpInterface::ExternalModel<
          ShardingRuleWithBuilderModel<OpT, rule, build>, OpT> {
  ShardingRule getShardingRule(Operation *op) const {
    return rule(cast<OpT>(op));
  }
  void buildLocal(Operation *op, OpBuilder &builder, const LocalBuild &local,
                  SmallVectorImpl<Value> &results) const {
    build(cast<OpT>(op), builder, local, results);
  }
};

template <typename OpT, ShardingRule (*rule)(OpT)>
void attachShardingRule(MLIRContext &context) {
  OpT::template attachInterface<ShardingRuleModel<OpT, rule>>(context);
}

template <typename OpT, ShardingRule (*rule)(OpT),
          void (*build)(OpT, OpBuilder &, const LocalBuild &,
                        SmallVectorImpl<Value> &)>
void attachShardingRule(MLIRContext &context) {
  OpT::template attachInterface<ShardingRuleWithBuilderModel<OpT, rule, build>>(
      context);
}

} // namespace mlir::boost

#endif // BOOST_MLIR_INTERFACES_SHARDINGRULEOPINTERFACE_H
