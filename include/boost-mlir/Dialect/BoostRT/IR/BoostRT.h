//===- BoostRT.h - The boostrt dialect --------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Include this to use the operations of the runtime level.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOSTRT_IR_BOOSTRT_H
#define BOOST_MLIR_DIALECT_BOOSTRT_IR_BOOSTRT_H

#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "boost-mlir/Dialect/BoostRT/IR/BoostRTAttrNames.h"
#include "boost-mlir/Dialect/BoostRT/IR/RuntimeCallOpInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

#include "boost-mlir/Dialect/BoostRT/IR/BoostRTDialect.h.inc"
#define GET_OP_CLASSES
#include "boost-mlir/Dialect/BoostRT/IR/BoostRTOps.h.inc"

#endif // BOOST_MLIR_DIALECT_BOOSTRT_IR_BOOSTRT_H
