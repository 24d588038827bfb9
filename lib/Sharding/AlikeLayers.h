//===- AlikeLayers.h - Operations that decide alike -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which operations of different layers a search treats as one.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_SHARDING_ALIKELAYERS_H
#define BOOST_MLIR_LIB_SHARDING_ALIKELAYERS_H

#include "boost-mlir/Sharding/FunctionShardings.h"

namespace mlir::boost {

/// Maps operations of layers to the operation of an earlier layer that decides
/// for them; the first one decides for itself. All operations of layers with
/// equal operations decide alike. If layers differ but read one argument, as
/// those that slice a stack of parameters do, the operations that they have in
/// common decide alike: otherwise all decisions about the argument's readers
/// would depend on each other.
DenseMap<Operation *, Operation *>
findAlikeOperations(ArrayRef<const RuledOp *> ops);

} // namespace mlir::boost

#endif // BOOST_MLIR_LIB_SHARDING_ALIKELAYERS_H
