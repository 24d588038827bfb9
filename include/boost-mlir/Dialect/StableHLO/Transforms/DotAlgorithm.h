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

/// Returns true if the compiler's products, with rounded operands, implement
/// the algorithm.
bool isSupported(DotAlgorithmAttr algorithm);

/// Returns why a program with this algorithm is refused.
std::string describeUnsupported(DotAlgorithmAttr algorithm);

} // namespace mlir::boost::stablehlo

#endif // BOOST_MLIR_DIALECT_STABLEHLO_TRANSFORMS_DOTALGORITHM_H
