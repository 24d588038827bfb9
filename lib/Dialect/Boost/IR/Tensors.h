//===- Tensors.h - Checks of boost.tensor -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verification of the tensors of a function.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DIALECT_BOOST_IR_TENSORS_H
#define BOOST_MLIR_LIB_DIALECT_BOOST_IR_TENSORS_H

#include "boost-mlir/Dialect/Boost/IR/Boost.h"

namespace mlir::boost {

/// Returns true if a tensor may have this name: names are written to JSON and
/// to files of tensors.
bool isTensorName(StringRef name);

/// Checks `boost.tensor` of an argument or result, as `kind` says. Memrefs
/// stand for both.
LogicalResult verifyTensor(Operation *function, StringRef kind, unsigned index,
                           Type type, Attribute attr, bool isResult);

} // namespace mlir::boost

#endif // BOOST_MLIR_LIB_DIALECT_BOOST_IR_TENSORS_H
