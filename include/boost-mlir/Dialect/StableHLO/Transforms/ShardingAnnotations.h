//===- ShardingAnnotations.h - Calls that only annotate ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_STABLEHLO_TRANSFORMS_SHARDINGANNOTATIONS_H
#define BOOST_MLIR_DIALECT_STABLEHLO_TRANSFORMS_SHARDINGANNOTATIONS_H

#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"

namespace mlir::boost::stablehlo {

/// Whether a call is the identity, with a wish about the sharding of its value.
inline bool isShardingAnnotation(CustomCallOp call) {
  return call.getCallTargetName() == "Sharding" &&
         call->getNumOperands() == 1 &&
         call->getOperandTypes() == call->getResultTypes();
}

} // namespace mlir::boost::stablehlo

#endif // BOOST_MLIR_DIALECT_STABLEHLO_TRANSFORMS_SHARDINGANNOTATIONS_H
