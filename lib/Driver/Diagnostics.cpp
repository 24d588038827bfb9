//===- Diagnostics.cpp - Messages at the user's lines ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"

#include "boost-mlir/Support/UserLines.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

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

/// Returns true if the line of the program at a location is short enough to
/// print. A function with a hundred thousand arguments has one line of
/// megabytes, which would be printed for each of them.
bool ProgramDiagnostics::hasShortLine(Location location) const {
  constexpr unsigned longest = 1000;
  auto place = location->findInstanceOf<FileLineColLoc>();
  unsigned id = mgr.getMainFileID();
  const llvm::MemoryBuffer *program = mgr.getMemoryBuffer(id);
  if (!place || place.getFilename() != program->getBufferIdentifier())
    return true;
  llvm::SMLoc line = mgr.FindLocForLineAndColumn(id, place.getLine(), 1);
  if (!line.isValid())
    return true;
  StringRef rest(line.getPointer(),
                 program->getBufferEnd() - line.getPointer());
  return rest.size() <= longest || rest.take_front(longest).contains('\n');
}

void ProgramDiagnostics::print(const Diagnostic &diagnostic) {
  Location location = findUserLine(diagnostic.getLocation());
  emitDiagnostic(location, diagnostic.str(), diagnostic.getSeverity(),
                 hasShortLine(location));
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
