//===- Shrink.h - Smaller programs that fail alike --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_PROVE_SHRINK_H
#define BOOST_MLIR_PROVE_SHRINK_H

#include "boost-mlir/Prove/RandomProgram.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::boost::prove {

/// Leaves out and lowers choices as long as the program they make still fails,
/// and at most `attempts` times tries to: operations, operands, sizes, ranks of
/// the mesh all go this way, as in the Hypothesis library. `fails` makes the
/// program and says whether it fails as the first one did.
Choices shrink(const Choices &failing, unsigned attempts,
               llvm::function_ref<bool(Choices &)> fails);

} // namespace mlir::boost::prove

#endif // BOOST_MLIR_PROVE_SHRINK_H
