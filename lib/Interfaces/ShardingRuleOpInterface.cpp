//===- ShardingRuleOpInterface.cpp - How ops are sharded ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Interfaces/ShardingRuleOpInterface.h"

using namespace mlir;
using namespace mlir::boost;

Operation *mlir::boost::cloneWithTypes(OpBuilder &builder, Operation *op,
                                       const LocalBuild &local,
                                       SmallVectorImpl<Value> &results) {
  Operation *clone = builder.clone(*op);
  clone->setOperands(local.operands);
  for (auto [result, type] :
       llvm::zip_equal(clone->getResults(), local.resultTypes))
    result.setType(type);
  results.append(clone->result_begin(), clone->result_end());
  return clone;
}

#include "boost-mlir/Interfaces/ShardingRuleOpInterface.cpp.inc"
