//===- KnownStarts.h - Where dynamic slices start ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_STABLEHLO_IR_KNOWNSTARTS_H
#define BOOST_MLIR_DIALECT_STABLEHLO_IR_KNOWNSTARTS_H

#include "mlir/IR/ValueRange.h"
#include <optional>

namespace mlir::boost::stablehlo {

/// The starts of a dynamic slice of `sizes` in `shape`, moved to the nearest
/// place inside, if all that matter are constants: a whole dimension starts
/// at 0.
std::optional<SmallVector<int64_t>> getKnownStarts(ValueRange indices,
                                                   ArrayRef<int64_t> shape,
                                                   ArrayRef<int64_t> sizes);

} // namespace mlir::boost::stablehlo

#endif // BOOST_MLIR_DIALECT_STABLEHLO_IR_KNOWNSTARTS_H
