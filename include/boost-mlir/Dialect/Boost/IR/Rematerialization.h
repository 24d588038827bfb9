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

#include "boost-mlir/Dialect/Boost/IR/BoostAttrNames.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"

namespace mlir::boost {

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
