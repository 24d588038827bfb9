//===- Diagnostics.h - Messages at the user's lines -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layers repeat, and so does what is remarked of them; packages put frames of
// theirs above the line that a user knows. Both are taken out here, once for
// all passes.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DRIVER_DIAGNOSTICS_H
#define BOOST_MLIR_LIB_DRIVER_DIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"

#include <map>
#include <string>

namespace mlir::boost {

/// Prints diagnostics on stderr at the innermost line that the user wrote.
/// Remarks with the same text at the same line are printed once, with their
/// number; they are held back until the next error or warning, or `flush`. A
/// program that is compiled again says nothing twice.
class ProgramDiagnostics : public SourceMgrDiagnosticHandler {
public:
  /// With `quiet`, remarks are dropped.
  ProgramDiagnostics(llvm::SourceMgr &sources, MLIRContext *context,
                     bool quiet);
  ~ProgramDiagnostics() { flush(); }

  void flush();

private:
  struct Remark {
    Diagnostic diagnostic;
    int64_t count = 0;
  };

  void hold(Diagnostic &diagnostic);
  void print(const Diagnostic &diagnostic);
  bool hasShortLine(Location location) const;

  bool quiet;
  llvm::MapVector<std::string, Remark, std::map<std::string, unsigned>> held;
  llvm::StringSet<> printed;
};

} // namespace mlir::boost

#endif // BOOST_MLIR_LIB_DRIVER_DIAGNOSTICS_H
