//===- CHLO.h - The part of CHLO that JAX prints ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_STABLEHLO_IR_CHLO_H
#define BOOST_MLIR_DIALECT_STABLEHLO_IR_CHLO_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "boost-mlir/Dialect/StableHLO/IR/CHLODialect.h.inc"
#define GET_OP_CLASSES
#include "boost-mlir/Dialect/StableHLO/IR/CHLOOps.h.inc"

#endif // BOOST_MLIR_DIALECT_STABLEHLO_IR_CHLO_H
