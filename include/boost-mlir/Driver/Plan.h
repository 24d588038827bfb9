//===- Plan.h - What a compiled program will do, as JSON --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plan and the manifest of a program at the runtime level. The plan is
// what users read and what counters in the binary are compared with; the
// manifest is what the runtime needs to find tensors, and contains the plan.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DRIVER_PLAN_H
#define BOOST_MLIR_DRIVER_PLAN_H

#include "boost-mlir/Analysis/Machine.h"
#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace mlir::boost {

/// Inputs of `eval --verify` besides the probes of the module.
struct Verification {
  std::string reference;     ///< the graph-level program, as text; or empty
  std::string function;      ///< the one that its @verify is a copy of
  std::string toolDirectory; ///< where boost-eval is
  std::string evaluator;     ///< the digest of that file
};

/// The files that a program reads when it starts.
struct ProgramInputs {
  /// The arrays that parameters start from, if the module says that there are
  /// some, or empty.
  std::string valuesFile;
  /// The constants, if the module has some.
  std::string constantsFile;
};

/// Results of earlier stages for the plan, each as docs/plan.schema.json
/// describes it, or empty.
struct PlanNotes {
  std::string recognized; ///< of the model
  std::string placement;  ///< how arguments are sharded
  std::string choice;     ///< what boost-compile chose between
};

/// The plan and the manifest of a program, as JSON.
struct ProgramDescription {
  std::string plan;
  std::string manifest;
};

/// The plan and the manifest of a module after boostrt-plan-memory and
/// boostrt-number-collectives; fails, with an error, before them. A machine
/// adds predicted times.
FailureOr<ProgramDescription> describeProgram(ModuleOp module,
                                              const Machine *machine,
                                              const Verification &verification,
                                              const ProgramInputs &inputs,
                                              const PlanNotes &notes);

} // namespace mlir::boost

#endif // BOOST_MLIR_DRIVER_PLAN_H
