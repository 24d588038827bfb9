//===- StopGradient.h - Values that are constants ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOST_IR_STOPGRADIENT_H
#define BOOST_MLIR_DIALECT_BOOST_IR_STOPGRADIENT_H

#include "boost-mlir/Dialect/Boost/IR/Boost.h"

#define GET_OP_CLASSES
#include "boost-mlir/Dialect/Boost/IR/BoostStopGradient.h.inc"

#endif // BOOST_MLIR_DIALECT_BOOST_IR_STOPGRADIENT_H
