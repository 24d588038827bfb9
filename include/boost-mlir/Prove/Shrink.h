//===- Shrink.h - Smaller programs that fail alike --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_PROVE_SHRINK_H
#define BOOST_MLIR_PROVE_SHRINK_H

#include "boost-mlir/Prove/RandomProgram.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <chrono>

namespace mlir::boost::prove {

/// The limits of shrinking.
struct ShrinkLimits {
  /// Programs to try.
  unsigned attempts;
  /// No program is tried after this time.
  std::chrono::duration<double> time;
};

struct Shrunk {
  Choices smallest;
  /// Programs that were tried, and the time that this took.
  unsigned attempts;
  std::chrono::duration<double> time;
  /// True if no smaller program fails, false if a limit was reached.
  bool isComplete;
};

/// Leaves out and lowers choices as long as the program they make still fails,
/// within the limits: operations, operands, sizes, ranks of the mesh all go
/// this way, as in the Hypothesis library. `fails` makes the program and says
/// whether it fails as the first one did.
Shrunk shrink(const Choices &failing, const ShrinkLimits &limits,
              llvm::function_ref<bool(Choices &)> fails);

} // namespace mlir::boost::prove

#endif // BOOST_MLIR_PROVE_SHRINK_H
