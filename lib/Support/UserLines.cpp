//===- UserLines.cpp - The lines of a program that its author wrote -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Support/UserLines.h"

using namespace mlir;
using namespace mlir::boost;

/// Returns true if the file is in a folder of installed packages, of pip or
/// Debian.
static bool isInstalled(FileLineColRange line) {
  StringRef file = line.getFilename().getValue();
  return file.contains("/site-packages/") || file.contains("/dist-packages/");
}

Location mlir::boost::findUserLine(Location loc) {
  FileLineColRange found;
  // Callees come before their callers.
  loc->walk([&](Location nested) {
    auto line = dyn_cast<FileLineColRange>(nested);
    if (!line || (found && isInstalled(line)))
      return WalkResult::advance();
    found = line;
    return isInstalled(line) ? WalkResult::advance() : WalkResult::interrupt();
  });
  return found ? Location(found) : loc;
}

std::string mlir::boost::describeUserLine(Location loc) {
  if (auto line = dyn_cast<FileLineColRange>(findUserLine(loc)))
    return (line.getFilename().getValue() + ":" + Twine(line.getStartLine()))
        .str();
  if (auto name = loc->findInstanceOf<NameLoc>())
    return name.getName().str();
  return "unknown";
}
