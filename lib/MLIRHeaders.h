//===- MLIRHeaders.h - What nearly every library includes -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Precompiled, once for the libraries that use few operations of the project's
// dialects; no source includes it by name.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_MLIRHEADERS_H
#define BOOST_MLIR_LIB_MLIRHEADERS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/TypeSwitch.h"

#endif // BOOST_MLIR_LIB_MLIRHEADERS_H
