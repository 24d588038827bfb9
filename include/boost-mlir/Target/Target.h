//===- Target.h - What a program runs on ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All targets have one pipeline up to the memory plan. A target adds what it
// needs to be planned, says what the plan must keep to, and how planned
// programs become code.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_TARGET_TARGET_H
#define BOOST_MLIR_TARGET_TARGET_H

#include "boost-mlir/Dialect/BoostRT/IR/RuntimeCallOpInterface.h"
#include "boost-mlir/Target/TargetKind.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/LLVM.h"

#include <optional>
#include <string>

namespace mlir::boost {

class Target {
public:
  virtual ~Target() = default;

  virtual TargetKind getKind() const = 0;

  /// Returns the name that users write in --target. The runtime library of the
  /// target is boost_runtime_<name>.
  StringRef getName() const { return boost::getName(getKind()); }

  /// The machine file, of those that are installed, that describes where a
  /// program runs if no other is named. Empty: nothing is known about that, and
  /// times are predicted for `host`.
  virtual StringRef getDefaultMachine() const { return ""; }

  /// The device of this machine that programs of the target would run on, as
  /// its driver names it. Targets without devices have none.
  virtual std::optional<std::string> findDevice() const { return std::nullopt; }

  /// Bytes of which the offset of every buffer in the arena is a multiple.
  virtual int64_t getArenaAlignment() const = 0;

  /// Adds what follows the memory plan in the stage `lower`: linalg operations
  /// become kernels that are launched.
  virtual void addKernelPasses(OpPassManager &manager) const = 0;

  /// Adds the stage `emit`: kernels and calls to the LLVM dialect.
  virtual void addEmitPasses(OpPassManager &manager) const = 0;

  /// Adds what the target wants done to fused tensors before they get their
  /// memory, in the stage `lower`.
  virtual void addTensorPasses(OpPassManager & /*functions*/) const {}

  /// Bytes that a call of the runtime uses while it runs, beside its operands.
  /// They begin where a buffer may.
  virtual int64_t getWorkspaceBytes(rt::RuntimeCallOpInterface /*call*/) const {
    return 0;
  }
};

const Target &getTarget(TargetKind kind);

} // namespace mlir::boost

#endif // BOOST_MLIR_TARGET_TARGET_H
