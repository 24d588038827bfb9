//===- EmulatedCode.h - Device code, compiled for the emulator --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_TEST_UNIT_CUDAEMULATOR_EMULATEDCODE_H
#define BOOST_MLIR_TEST_UNIT_CUDAEMULATOR_EMULATEDCODE_H

#include "Grid.h"
#include "HostRetarget.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace llvm::orc {
class LLJIT;
} // namespace llvm::orc

namespace boost_emu {

/// A module in this process.
class EmulatedCode {
public:
  ~EmulatedCode();
  EmulatedCode(EmulatedCode &&);

  /// `text` is LLVM IR as the NVPTX backend gets it.
  static llvm::Expected<EmulatedCode> compile(const std::string &text,
                                              bool checkAccesses);

  /// Compiles bitcode as gpu-module-to-binary writes it.
  static llvm::Expected<EmulatedCode> compileBitcode(llvm::StringRef bitcode,
                                                     bool checkAccesses);

  const EmulatedModule &getModule() const { return *module; }

  /// Runs the kernel `@k`; its parameters are pointers.
  void run(const Launch &launch, std::vector<void *> pointers) const;

private:
  EmulatedCode();
  static llvm::Expected<EmulatedCode> load(llvm::MemoryBufferRef code,
                                           bool checkAccesses);

  std::unique_ptr<llvm::orc::LLJIT> jit;
  const EmulatedModule *module = nullptr;
};

/// The retargeted module as text, or why there is none.
std::string retargetText(const std::string &text);

/// Compiles and runs `@k`; returns the error of either, or "".
std::string runText(const std::string &text, const Launch &launch,
                    std::vector<void *> pointers, bool checkAccesses = false);

} // namespace boost_emu

#endif // BOOST_MLIR_TEST_UNIT_CUDAEMULATOR_EMULATEDCODE_H
