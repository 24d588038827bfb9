//===- PackUpdate.h - Updates of packed parameters --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_PACKUPDATE_H
#define BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_PACKUPDATE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::boost {

/// Rewrites an update for parameters that are packed into one, if it treats
/// their elements alike: it is elementwise in the parameters, their gradients
/// and their states, by the same operations for each. It then takes and returns
/// the packed parameter, gradient and states. `attrs` are those of the packed
/// parameter, of type `type`. Returns false and changes nothing otherwise.
bool packUpdate(func::FuncOp update, DictionaryAttr attrs,
                RankedTensorType type);

} // namespace mlir::boost

#endif // BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_PACKUPDATE_H
