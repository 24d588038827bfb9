//===- CallAccesses.h - What a call of the runtime touches ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bytes that every operand of a boostrt operation on memrefs reads and
// writes, exactly, as a pattern that begins at its first element.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DIALECT_BOOSTRT_TRANSFORMS_CALLACCESSES_H
#define BOOST_MLIR_LIB_DIALECT_BOOSTRT_TRANSFORMS_CALLACCESSES_H

#include "boost-mlir/Dialect/BoostRT/IR/AccessPattern.h"
#include "boost-mlir/Dialect/BoostRT/IR/BoostRT.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::boost::rt {

/// The access of a call to one operand.
struct OperandAccess {
  /// Relative to the operand's first element.
  AccessPattern bytes;
  bool isRead = false, isWritten = false;
};

/// The accesses of a kernel to its buffers.
struct KernelAccesses {
  SmallVector<bool> isRead;
  /// Pairs of a buffer that is read and one that may be written over it: every
  /// element is read where it is written.
  llvm::DenseSet<std::pair<unsigned, unsigned>> inPlace;
};

/// Answers for all calls of a module; kernels are looked at once.
class CallAccesses {
public:
  explicit CallAccesses(ModuleOp module) : symbols(module) {}

  /// One access per operand; fails, with an error, at a kernel that is not one
  /// of boostrt-outline-kernels.
  FailureOr<SmallVector<OperandAccess>> get(RuntimeCallOpInterface call);
  /// Returns true if the call may write operand `out` over operand `input`
  /// where both are the same bytes.
  bool isInPlace(Operation *call, unsigned input, unsigned out);

private:
  const KernelAccesses *getKernel(LaunchOp launch);

  SymbolTable symbols;
  llvm::DenseMap<Attribute, std::optional<KernelAccesses>> kernels;
};

} // namespace mlir::boost::rt

#endif // BOOST_MLIR_LIB_DIALECT_BOOSTRT_TRANSFORMS_CALLACCESSES_H
