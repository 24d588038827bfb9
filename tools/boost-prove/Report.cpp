//===- Report.cpp - What came of all programs -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"

#include "llvm/Support/Process.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace mlir::boost::prove;

ProveExit mlir::boost::prove::fail(ProveExit code, const llvm::Twine &message) {
  llvm::WithColor::error(llvm::errs(), "boost-prove") << message << "\n";
  return code;
}

Report::Report(size_t total)
    : total(total), isTerminal(llvm::sys::Process::StandardErrIsDisplayed()) {}

void Report::showProgress() const {
  constexpr size_t width = 30;
  size_t full = total == 0 ? width : programs * width / total;
  llvm::errs() << "\r[" << std::string(full, '#')
               << std::string(width - full, ' ') << "] " << programs << "/"
               << total << " programs, " << passes << " passes, " << mismatches
               << " mismatches";
}

void Report::add(const Proof &proof, const llvm::Twine &name,
                 StringRef savedAs) {
  ++programs;
  passes += proof.passes;
  changes += proof.changes;
  mismatches += proof.mismatch.has_value();
  refusals += !proof.refusal.empty();
  if (!proof.isComplete()) {
    if (isTerminal)
      llvm::errs() << "\r\x1b[2K";
    fail(Mismatched, name + ": " + proof.describe());
  }
  if (proof.mismatch)
    llvm::errs() << "note: IR before and after in " << savedAs
                 << ".before.mlir and .after.mlir\n";
  if (isTerminal)
    showProgress();
}

void Report::countPlacement(StringRef name, bool isDistributed,
                            bool hasStages) {
  ++placements[name.str()];
  distributed += isDistributed;
  pipelines += hasStages;
}

ProveExit Report::finish() const {
  if (isTerminal)
    llvm::errs() << "\r\x1b[2K";
  llvm::outs() << programs << " programs, " << passes
               << " passes x programs compared (" << changes
               << " changed the program), " << mismatches << " mismatches, "
               << refusals << " refused\n";
  if (placements.size() > 1) {
    llvm::outs() << "on several ranks " << distributed << "; placed as";
    for (const auto &[name, count] : placements)
      llvm::outs() << " " << name << " " << count;
    llvm::outs() << "\n";
  }
  if (pipelines > 0)
    llvm::outs() << "with pipeline stages " << pipelines << "\n";
  return mismatches ? Mismatched : refusals ? Refused : Proven;
}
