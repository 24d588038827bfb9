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

namespace llvm {
class MemoryBuffer;
class SourceMgr;
} // namespace llvm

namespace mlir::boost {

/// Fails with a message on bytecode and on text that is nested too deeply. A
/// text of several programs has `splitMarker` between them.
LogicalResult checkProgramFile(const llvm::MemoryBuffer &file,
                               StringRef splitMarker = "");

/// Parses the main buffer of `sources` if `checkProgramFile` passes it; null
/// after an error, which has been reported.
OwningOpRef<ModuleOp> readProgram(llvm::SourceMgr &sources,
                                  MLIRContext *context);

} // namespace mlir::boost

#endif // BOOST_MLIR_SUPPORT_PROGRAMFILE_H
