//===- ProgramFile.h - Reading a program from a file ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every tool reads IR through these functions: what the parser of MLIR would
// not survive is refused before it sees a byte.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_SUPPORT_PROGRAMFILE_H
#define BOOST_MLIR_SUPPORT_PROGRAMFILE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <memory>

namespace llvm {
class MemoryBuffer;
class SourceMgr;
} // namespace llvm

namespace mlir::boost {

/// Returns `file` as MLIR's parser takes it, or null after an error, which has
/// been reported: on bytecode, and on text that is nested too deeply. Arrays of
/// booleans with a byte for each element, which releases of MLIR after 22
/// write, get the spelling of MLIR 22, a bit for each; every line and column
/// stays. A text of several programs has `splitMarker` between them.
std::unique_ptr<llvm::MemoryBuffer>
prepareProgramFile(std::unique_ptr<llvm::MemoryBuffer> file,
                   StringRef splitMarker = "");

/// Parses `file`, prepared, as the main buffer of `sources`; null after an
/// error, which has been reported.
OwningOpRef<ModuleOp> readProgram(std::unique_ptr<llvm::MemoryBuffer> file,
                                  llvm::SourceMgr &sources,
                                  MLIRContext *context);

} // namespace mlir::boost

#endif // BOOST_MLIR_SUPPORT_PROGRAMFILE_H
