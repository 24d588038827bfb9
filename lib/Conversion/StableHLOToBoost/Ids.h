//===- Ids.h - Integers that pick a row or an element -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matches the operations that frameworks add around ids, which do not change
// ids in range. They may be removed only where ids are checked before the
// program reads them.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_CONVERSION_STABLEHLOTOBOOST_IDS_H
#define BOOST_MLIR_LIB_CONVERSION_STABLEHLOTOBOOST_IDS_H

#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"

namespace mlir::boost::raise {

/// Returns true if the elements can be ids: signed integers of 32 or 64 bits.
bool isIdTensor(Value value);

/// Returns the result of comparing two numbers.
bool compareNumbers(double lhs, stablehlo::ComparisonDirection direction,
                    double rhs);

/// The ids that count from the end where they are negative,
/// `select(i < 0, i + n, i)`; null if `select` is not that.
Value matchNegativeFix(stablehlo::SelectOp select);

/// The tensor of ids that is `value` wherever they are in `[0, limit)`: before
/// the fix of negative ids, conversions and reshapes; null unless it has
/// `count` elements in the same order.
Value matchIds(Value value, int64_t count, int64_t limit);

/// Returns true if `pred` tests the ids of `indices` and holds for all ids in
/// `[0, limit)`.
bool isBoundsCheck(Value pred, Value indices, int64_t limit);

/// Has the program refuse a batch with ids outside of `[0, limit)`: records the
/// limit on the argument that they come from. False if they do not come from
/// one unchanged, or if the program itself tests that argument for values
/// outside, such as the -100 of labels to be ignored.
bool checkIds(Value ids, int64_t limit);

} // namespace mlir::boost::raise

#endif // BOOST_MLIR_LIB_CONVERSION_STABLEHLOTOBOOST_IDS_H
