//===- Diagnostics.cpp - Messages at the user's lines ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"

#include "boost-mlir/Support/UserLines.h"

using namespace mlir;
using namespace mlir::boost;

ProgramDiagnostics::ProgramDiagnostics(llvm::SourceMgr &sources,
                                       MLIRContext *context, bool quiet)
    : SourceMgrDiagnosticHandler(sources, context, llvm::errs()), quiet(quiet) {
  setHandler([this](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Remark)
      return hold(diagnostic);
    flush();
    print(diagnostic);
  });
}

void ProgramDiagnostics::print(const Diagnostic &diagnostic) {
  emitDiagnostic(findUserLine(diagnostic.getLocation()), diagnostic.str(),
                 diagnostic.getSeverity());
  for (const Diagnostic &note : diagnostic.getNotes())
    print(note);
}

void ProgramDiagnostics::hold(Diagnostic &diagnostic) {
  if (quiet)
    return;
  std::string key =
      describeUserLine(diagnostic.getLocation()) + "\n" + diagnostic.str();
  for (const Diagnostic &note : diagnostic.getNotes())
    key += "\n" + note.str();
  if (printed.contains(key))
    return;
  auto [entry, isNew] =
      held.try_emplace(key, Remark{std::move(diagnostic), /*count=*/0});
  ++entry->second.count;
}

void ProgramDiagnostics::flush() {
  for (auto &[key, remark] : held) {
    if (remark.count > 1)
      remark.diagnostic << " (x" << remark.count << ")";
    print(remark.diagnostic);
    printed.insert(key);
  }
  held.clear();
}
