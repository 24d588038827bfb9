//===- Masks.h - Booleans computed from positions ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recognises tensors that are a linear function of their own indices, and
// masks that compare such functions: causal masks in any spelling.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_CONVERSION_STABLEHLOTOBOOST_MASKS_H
#define BOOST_MLIR_LIB_CONVERSION_STABLEHLOTOBOOST_MASKS_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace mlir::boost::raise {

/// `offset + sum_i coefficients[i] * index_i` at every element of a tensor.
struct IndexFunction {
  llvm::SmallVector<int64_t> coefficients;
  int64_t offset = 0;

  bool isConstant() const;
};

/// `value` as a function of its indices.
std::optional<IndexFunction> matchIndexFunction(Value value);

/// The function that is 0 or more exactly where the boolean `value` is true.
std::optional<IndexFunction> matchMask(Value value);

} // namespace mlir::boost::raise

#endif // BOOST_MLIR_LIB_CONVERSION_STABLEHLOTOBOOST_MASKS_H
