//===- HostRetarget.h - GPU device code as host code ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns the NVPTX module that ptxas would get into host code for an emulator,
// test/cuda-emulator: what ships is what the tests execute.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_TEST_CUDA_EMULATOR_COMPILER_HOSTRETARGET_H
#define BOOST_MLIR_TEST_CUDA_EMULATOR_COMPILER_HOSTRETARGET_H

#include "mlir/Support/LLVM.h"
#include "llvm/Support/Error.h"

#include <string>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace mlir::boost {

struct HostRetargetOptions {
  /// Name of the only symbol that the module defines, an EmulatedModule
  /// (test/cuda-emulator/Module.h): its kernels and its shared memory.
  std::string symbol = "boost_emu_module";
  /// Reports every access to memory other than the stack and constants to
  /// boost_emu_access, so that the emulator finds races.
  bool checkAccesses = false;
};

/// Rewrites `module`, NVPTX code after libdevice was linked and O3 ran, into
/// code for `host` that calls boost_emu_* for operations that only a GPU has.
/// Code that the emulator does not support is an error that names it and its
/// function: other intrinsics, inline assembly, undefined functions, intrinsics
/// of bf16. On errors, the module must not be used.
///
/// Only the fast-math flag `contract` is kept: the optimizer that may use the
/// others has run, and ptxas does not see them.
llvm::Error retargetToHost(llvm::Module &module,
                           const llvm::TargetMachine &host,
                           const HostRetargetOptions &options = {});

/// Every symbol that retargeted code may refer to.
SmallVector<std::string> getEmulatorSymbols();

} // namespace mlir::boost

#endif // BOOST_MLIR_TEST_CUDA_EMULATOR_COMPILER_HOSTRETARGET_H
