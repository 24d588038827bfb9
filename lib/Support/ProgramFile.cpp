//===- ProgramFile.cpp - Reading a program from a file --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Support/ProgramFile.h"

#include "boost-mlir/Support/TextCheck.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace mlir::boost;

/// The line of `where` is not shown: it may have a million brackets.
static LogicalResult refuse(const llvm::MemoryBuffer &file, const char *where,
                            const llvm::Twine &message, StringRef remedy) {
  llvm::StringRef before(file.getBufferStart(), where - file.getBufferStart());
  size_t line = before.count('\n') + 1;
  size_t column = before.size() - (before.rfind('\n') + 1) + 1;
  std::string place = (file.getBufferIdentifier() + ":" + llvm::Twine(line) +
                       ":" + llvm::Twine(column))
                          .str();
  llvm::WithColor::error(llvm::errs(), place) << message << "\n";
  llvm::WithColor::note(llvm::errs(), place) << remedy << "\n";
  return failure();
}

LogicalResult mlir::boost::checkProgramFile(const llvm::MemoryBuffer &file,
                                            StringRef splitMarker) {
  if (isBytecode(file))
    return refuse(file, file.getBufferStart(),
                  "expects a program as text, but got bytecode",
                  "python -m boost_mlir.import_artifact turns it into text");
  StringRef rest = file.getBuffer();
  if (size_t zero = rest.find('\0'); zero != StringRef::npos)
    return refuse(file, rest.data() + zero,
                  "expects a program as text, but got a byte of 0",
                  "python -m boost_mlir.import_artifact makes text of what "
                  "jax.export stores");
  while (true) {
    size_t size =
        splitMarker.empty() ? StringRef::npos : rest.find(splitMarker);
    if (auto error = findTextError(rest.substr(0, size)))
      return refuse(file, error->where, error->message,
                    "no model needs as much; look for what generated this "
                    "text");
    if (size == StringRef::npos)
      return success();
    rest = rest.drop_front(size + splitMarker.size());
  }
}

OwningOpRef<ModuleOp> mlir::boost::readProgram(llvm::SourceMgr &sources,
                                               MLIRContext *context) {
  if (failed(
          checkProgramFile(*sources.getMemoryBuffer(sources.getMainFileID()))))
    return {};
  return parseSourceFile<ModuleOp>(sources, context);
}
