//===- SDY.h - Sharding annotations that import drops -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_STABLEHLO_IR_SDY_H
#define BOOST_MLIR_DIALECT_STABLEHLO_IR_SDY_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "boost-mlir/Dialect/StableHLO/IR/SDYDialect.h.inc"
#define GET_OP_CLASSES
#include "boost-mlir/Dialect/StableHLO/IR/SDYOps.h.inc"

#endif // BOOST_MLIR_DIALECT_STABLEHLO_IR_SDY_H
