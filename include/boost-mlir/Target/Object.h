//===- Object.h - LLVM dialect to object files ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The last step of the compiler proper: LLVM IR at O3, machine code.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_TARGET_OBJECT_H
#define BOOST_MLIR_TARGET_OBJECT_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>
#include <string>

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace mlir::boost {

struct EmitOptions {
  /// Name of an LLVM target CPU; empty or "native" is this machine.
  std::string cpu;
  /// The JSON that the program carries as boost_program_manifest.
  std::string manifest;
  bool asText = false; ///< optimized LLVM IR instead of an object file
};

/// The target machine of a CPU of this name (empty: this machine's) on this
/// machine's triple; the error says why there is none.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(StringRef cpu);

/// Succeeds if code can be generated for a CPU of this name; the error names
/// it.
llvm::Error checkTargetCPU(StringRef cpu);

/// Translates a module of the LLVM dialect, adds the program's symbols
/// (Runtime.h), optimizes and writes it; errors are reported on the module.
LogicalResult emitObject(ModuleOp module, const EmitOptions &options,
                         llvm::raw_pwrite_stream &output);

} // namespace mlir::boost

#endif // BOOST_MLIR_TARGET_OBJECT_H
