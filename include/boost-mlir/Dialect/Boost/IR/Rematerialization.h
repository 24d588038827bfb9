//===- Rematerialization.h - Marks of recomputed values ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What boost-rematerialize leaves for the memory plan, and that for people.
// That a value is computed for the second time stands in its location, which
// every lowering hands on.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOST_IR_REMATERIALIZATION_H
#define BOOST_MLIR_DIALECT_BOOST_IR_REMATERIALIZATION_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"

namespace mlir::boost {

/// On functions: bytes that the backward pass reads from memory, those outside
/// the layers first, then those of each layer.
inline constexpr llvm::StringLiteral kKeptBytesAttr = "boost.kept_bytes";

/// On the view of a buffer: which of the largest of the memory plan it is.
inline constexpr llvm::StringLiteral kLargestAttr = "boost.largest";

inline Location getRecomputedLoc(Location loc) {
  MLIRContext *context = loc.getContext();
  return FusedLoc::get(context, {loc}, StringAttr::get(context, "recomputed"));
}

inline bool isRecomputed(Location loc) {
  auto fused = dyn_cast<FusedLoc>(loc);
  auto mark =
      fused ? dyn_cast_or_null<StringAttr>(fused.getMetadata()) : StringAttr();
  return mark && mark.getValue() == "recomputed";
}

} // namespace mlir::boost

#endif // BOOST_MLIR_DIALECT_BOOST_IR_REMATERIALIZATION_H
