//===- RuntimeCallOpInterface.h - What calls do -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOSTRT_IR_RUNTIMECALLOPINTERFACE_H
#define BOOST_MLIR_DIALECT_BOOSTRT_IR_RUNTIMECALLOPINTERFACE_H

#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/ADT/STLExtras.h"

#include "boost-mlir/Dialect/BoostRT/IR/RuntimeCallOpInterface.h.inc"

#endif // BOOST_MLIR_DIALECT_BOOSTRT_IR_RUNTIMECALLOPINTERFACE_H
