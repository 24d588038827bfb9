//===- Rematerialization.h - Marks of recomputed values ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The record that boost-rematerialize leaves for the memory plan and for users.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOST_IR_REMATERIALIZATION_H
#define BOOST_MLIR_DIALECT_BOOST_IR_REMATERIALIZATION_H

#include "boost-mlir/Dialect/Boost/IR/BoostAttrNames.h"
#include "mlir/IR/Operation.h"

namespace mlir::boost {

/// While it lives, operations under a root hand `boost.recomputed` on to those
/// that replace them. Rewrites carry locations, but not attributes that they do
/// not know: the mark travels in locations, and stands in none of them before
/// and after.
class RecomputedScope {
public:
  explicit RecomputedScope(Operation *root);
  ~RecomputedScope();
  RecomputedScope(const RecomputedScope &) = delete;
  RecomputedScope &operator=(const RecomputedScope &) = delete;

private:
  Operation *root;
};

} // namespace mlir::boost

#endif // BOOST_MLIR_DIALECT_BOOST_IR_REMATERIALIZATION_H
