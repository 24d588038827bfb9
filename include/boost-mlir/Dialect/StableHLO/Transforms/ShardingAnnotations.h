//===- ShardingAnnotations.h - What a program says of shardings -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the annotations of sharded JAX programs, in the notations of Shardy
// (`sdy`) and of GSPMD (`mhlo.sharding`).
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_STABLEHLO_TRANSFORMS_SHARDINGANNOTATIONS_H
#define BOOST_MLIR_DIALECT_STABLEHLO_TRANSFORMS_SHARDINGANNOTATIONS_H

#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::boost::stablehlo {

/// Returns true if a call is the identity with a sharding annotation.
bool isAnnotation(CustomCallOp call);

/// The value of `boost.hint` for a tensor of type `type` with these
/// attributes: for each dimension the axes that shard it. Null if they ask for
/// nothing, or for what a hint cannot say.
ArrayAttr readShardingHint(ModuleOp module, DictionaryAttr attrs, Type type);

} // namespace mlir::boost::stablehlo

#endif // BOOST_MLIR_DIALECT_STABLEHLO_TRANSFORMS_SHARDINGANNOTATIONS_H
