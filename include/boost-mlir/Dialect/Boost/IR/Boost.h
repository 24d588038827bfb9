//===- Boost.h - The boost dialect ------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Include this to use the dialect's operations and attributes.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOST_IR_BOOST_H
#define BOOST_MLIR_DIALECT_BOOST_IR_BOOST_H

#include "boost-mlir/Dialect/Boost/IR/BoostAttrNames.h"
#include "boost-mlir/Dialect/Boost/IR/CollectiveOpInterface.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Shard/IR/ShardDialect.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "boost-mlir/Dialect/Boost/IR/BoostDialect.h.inc"
#define GET_ATTRDEF_CLASSES
#include "boost-mlir/Dialect/Boost/IR/BoostAttrs.h.inc"
#define GET_OP_CLASSES
#include "boost-mlir/Dialect/Boost/IR/BoostOps.h.inc"

#endif // BOOST_MLIR_DIALECT_BOOST_IR_BOOST_H
