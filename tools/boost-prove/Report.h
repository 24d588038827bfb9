//===- Report.h - What came of all programs ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_TOOLS_BOOST_PROVE_REPORT_H
#define BOOST_MLIR_TOOLS_BOOST_PROVE_REPORT_H

#include "boost-mlir/Prove/PassByPass.h"

#include <map>

namespace mlir::boost::prove {

/// Exit codes of the process.
enum ProveExit { Proven = 0, Mismatched = 1, Usage = 2, Refused = 3 };

/// Prints an error; returns its code.
ProveExit fail(ProveExit code, const llvm::Twine &message);

/// Counts what was proven and shows how far it is.
class Report {
public:
  explicit Report(size_t total);

  /// Adds a program and prints what is wrong with it; `savedAs` is where the IR
  /// before and after went.
  void add(const Proof &proof, const llvm::Twine &name, StringRef savedAs);

  /// Counts a program that is placed by this name.
  void countPlacement(StringRef name, bool isDistributed, bool hasStages);

  /// Prints the summary, of several placements how often each was taken, and
  /// how many programs have pipeline stages.
  ProveExit finish() const;

private:
  void showProgress() const;

  size_t total, programs = 0, passes = 0, changes = 0, mismatches = 0,
                refusals = 0;
  size_t distributed = 0, pipelines = 0;
  std::map<std::string, size_t> placements;
  bool isTerminal;
};

} // namespace mlir::boost::prove

#endif // BOOST_MLIR_TOOLS_BOOST_PROVE_REPORT_H
