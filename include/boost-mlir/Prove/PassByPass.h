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

#include "boost-mlir/Driver/Compile.h"
#include "mlir/IR/BuiltinOps.h"
#include <string>

namespace mlir::boost::prove {

struct ProofOptions {
  /// Mesh, placement and optimizer.
  CompileOptions compile;
  /// Further passes, for insertPasses.
  std::vector<std::string> insertedPasses;
  /// Passes to run in place of the stages, as boost-opt's --pass-pipeline
  /// without the anchor.
  std::string pipeline;
  /// Seed of the values of arguments.
  uint64_t seed = 0;
  /// Prefix of the files for the IR before and after a pass that changes a
  /// result: saveAs.before.mlir and saveAs.after.mlir. Empty: none.
  std::string saveAs;
};

/// A result that a pass changed.
struct Mismatch {
  std::string pass, function;
  /// The result and its element, both values, and what was allowed.
  std::string what;
};

/// The result of proving one program.
struct Proof {
  unsigned passes = 0;  ///< passes after which the program was compared
  unsigned changes = 0; ///< of these, passes that changed a function
  std::optional<Mismatch> mismatch;
  /// The reason why the program did not pass the stages, or was not evaluated.
  std::string refusal;
  /// The types under which that happened.
  std::string form;

  bool isComplete() const { return !mismatch && refusal.empty(); }
  /// "boost-partition changes @step: ...", or why the program was refused.
  std::string describe() const;
  /// Returns a text that failures of one kind share.
  std::string getSignature() const;
};

/// The stages whose functions can be evaluated: all before `lower`, with the
/// passes that are inserted.
SmallVector<Stage> getProvableStages(const ProofOptions &options);

/// Proves the passes on a program, all arithmetic in double: with every float
/// made f64, so that constants are folded in double too, and, where there are
/// floats below f32, with its own types. The result of the stages is also
/// lowered; a program that boost-verify-runtime rejects is refused.
Proof proveProgram(ModuleOp program, const ProofOptions &options);

} // namespace mlir::boost::prove

#endif // BOOST_MLIR_PROVE_PASSBYPASS_H
