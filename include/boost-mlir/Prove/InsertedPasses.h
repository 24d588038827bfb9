//===- InsertedPasses.h - Passes between the stages -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Broken passes for tests, which are run at the end of a stage and must be
// noticed by checks.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_PROVE_INSERTEDPASSES_H
#define BOOST_MLIR_PROVE_INSERTEDPASSES_H

#include "boost-mlir/Driver/Compile.h"

namespace mlir::boost::prove {

/// Adds passes, each given as "after:STAGE:PASS", to the ends of stages. Says
/// why one cannot be added, or nothing.
std::string insertPasses(MutableArrayRef<Stage> stages,
                         ArrayRef<std::string> passes);

} // namespace mlir::boost::prove

#endif // BOOST_MLIR_PROVE_INSERTEDPASSES_H
