//===- DialectHeaders.h - What passes over the dialects include -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Precompiled, once for the libraries that use operations of the project's
// dialects; no source includes it by name.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DIALECTHEADERS_H
#define BOOST_MLIR_LIB_DIALECTHEADERS_H

#include "MLIRHeaders.h"

#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "boost-mlir/Dialect/BoostRT/IR/BoostRT.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"

#endif // BOOST_MLIR_LIB_DIALECTHEADERS_H
