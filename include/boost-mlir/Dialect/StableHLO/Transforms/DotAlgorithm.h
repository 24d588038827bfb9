//===- DotAlgorithm.h - Which algorithms products may ask for ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_STABLEHLO_TRANSFORMS_DOTALGORITHM_H
#define BOOST_MLIR_DIALECT_STABLEHLO_TRANSFORMS_DOTALGORITHM_H

#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include <string>

namespace mlir::boost::stablehlo {

/// Whether the products of the compiler are what the algorithm asks for, once
/// operands are rounded.
bool isSupported(DotAlgorithmAttr algorithm);

/// Why a program with this algorithm is refused.
std::string describeUnsupported(DotAlgorithmAttr algorithm);

} // namespace mlir::boost::stablehlo

#endif // BOOST_MLIR_DIALECT_STABLEHLO_TRANSFORMS_DOTALGORITHM_H
