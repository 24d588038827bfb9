//===- ReferenceProgram.h - What eval --verify compares with ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DRIVER_REFERENCEPROGRAM_H
#define BOOST_MLIR_LIB_DRIVER_REFERENCEPROGRAM_H

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace mlir::boost {

/// The functions of a module after boost-insert-probes that have the results of
/// all that a compiled program runs, as text: @verify, which returns the
/// gradients too, and @accumulate and @update. Fails with a diagnostic if the
/// step does not tell its gradients.
FailureOr<std::string> printReferenceProgram(ModuleOp module);

} // namespace mlir::boost

#endif // BOOST_MLIR_LIB_DRIVER_REFERENCEPROGRAM_H
