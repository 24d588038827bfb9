//===- OperationList.h - Prices of operations from a file -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Seconds of a list of operations that need not come from a program of this
// compiler: what another system runs is priced with the same formulas.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_ANALYSIS_OPERATIONLIST_H
#define BOOST_MLIR_ANALYSIS_OPERATIONLIST_H

#include "boost-mlir/Analysis/Machine.h"

namespace mlir::boost {

/// Prices the operations of a JSON text as docs/Machines.md describes it, and
/// returns JSON with the seconds of each and of all. The error names the
/// operation and the field.
llvm::Expected<std::string> priceOperations(StringRef text,
                                            const Machine &machine);

} // namespace mlir::boost

#endif // BOOST_MLIR_ANALYSIS_OPERATIONLIST_H
