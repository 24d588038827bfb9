//===- PassByPass.h - Passes proven by values -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the stages of the compiler on a program, one pass at a time, evaluates
// every function on all ranks before and after each, and compares with the
// bound that the pass's arithmetic allows.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_PROVE_PASSBYPASS_H
#define BOOST_MLIR_PROVE_PASSBYPASS_H

#include "boost-mlir/Pipelines/Compile.h"
#include "mlir/IR/BuiltinOps.h"
#include <string>

namespace mlir::boost::prove {

struct ProofOptions {
  /// Mesh, placement, optimizer and inserted passes.
  CompileOptions compile;
  /// Passes to run in place of the stages, as boost-opt's --pass-pipeline
  /// without the anchor.
  std::string pipeline;
  /// Of the values of arguments.
  uint64_t seed = 0;
  /// Of the files of a mismatch; the IR before and after the pass is written
  /// to NAME.before.mlir and NAME.after.mlir. Empty: no files.
  std::string saveAs;
};

/// A result that a pass changed.
struct Mismatch {
  std::string pass, function;
  /// The result and its element, both values, and what was allowed.
  std::string what;
};

/// What came of one program.
struct Proof {
  unsigned passes = 0;  ///< passes after which the program was compared
  unsigned changes = 0; ///< of these, passes that changed a function
  std::optional<Mismatch> mismatch;
  /// Why the program did not come through the stages, or was not evaluated.
  std::string refusal;

  bool isComplete() const { return !mismatch && refusal.empty(); }
};

/// The stages whose functions can be evaluated: all before `lower`.
SmallVector<Stage> getProvableStages(const CompileOptions &options);

/// Proves the passes on a program as it is, all arithmetic in double.
Proof provePasses(ModuleOp program, const ProofOptions &options);

/// Whether `widenFloats` can do what it says.
bool canWidenFloats(ModuleOp program);

/// Makes every float f64, so that constants are folded in double too and
/// `exact` means equal bits.
void widenFloats(ModuleOp program);

/// Whether the program has floats narrower than f32.
bool hasNarrowFloats(ModuleOp program);

} // namespace mlir::boost::prove

#endif // BOOST_MLIR_PROVE_PASSBYPASS_H
