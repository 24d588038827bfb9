//===- StableHLO.h - The StableHLO subset -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Include this to use the dialect's operations and attributes.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_STABLEHLO_IR_STABLEHLO_H
#define BOOST_MLIR_DIALECT_STABLEHLO_IR_STABLEHLO_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "boost-mlir/Dialect/StableHLO/IR/StableHLODialect.h.inc"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLOEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "boost-mlir/Dialect/StableHLO/IR/StableHLOAttrs.h.inc"
#define GET_OP_CLASSES
#include "boost-mlir/Dialect/StableHLO/IR/StableHLOOps.h.inc"

#endif // BOOST_MLIR_DIALECT_STABLEHLO_IR_STABLEHLO_H
