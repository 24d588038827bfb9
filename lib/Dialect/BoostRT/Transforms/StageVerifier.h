//===- StageVerifier.h - What stays in the memory of a stage ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of boost-verify-runtime that is about several functions at once: the
// arenas of all pipeline stages.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DIALECT_BOOSTRT_TRANSFORMS_STAGEVERIFIER_H
#define BOOST_MLIR_LIB_DIALECT_BOOSTRT_TRANSFORMS_STAGEVERIFIER_H

#include "ArenaState.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::boost::rt {

/// Tensors that stay at their place from one call to the next.
class KeptTensors {
public:
  /// Adds a tensor that a function mentions. Two tensors are the same or apart.
  LogicalResult add(func::FuncOp function, const PlannedBuffer &buffer);

  /// Checks that the buffer is apart from all tensors.
  LogicalResult expectApart(func::FuncOp function,
                            const PlannedBuffer &buffer) const;

private:
  /// Bytes by offset.
  std::map<int64_t, int64_t> kept;
};

/// A part of the arena that no buffer of a function is in.
struct ReservedBytes {
  StringRef name;
  int64_t begin = 0, bytes = 0;

  bool overlaps(int64_t otherBegin, int64_t otherBytes) const {
    return otherBytes > 0 && bytes > 0 && otherBegin < begin + bytes &&
           begin < otherBegin + otherBytes;
  }
};

/// The arena of one stage.
class StageVerifier {
public:
  /// The size of the arena, which a program without stages says in its
  /// functions only.
  std::optional<int64_t> arenaBytes;
  ReservedBytes stash{"stash"}, workspace{"workspace of calls"};
  int64_t slotBytes = 0, slots = 0;

  /// Checks that stash and workspace are at multiples of `alignment`, inside
  /// the arena and apart.
  LogicalResult verifyPlan(ModuleOp module, int64_t stage,
                           int64_t alignment) const;
  /// Adds what a function mentions that stays from call to call, and checks
  /// that its buffers are apart from stash and workspace. What it keeps stays
  /// while one of the schedules runs that call it.
  LogicalResult add(func::FuncOp function, ArrayRef<Operation *> schedules,
                    ArrayRef<PlannedBuffer> buffers);
  /// Checks that the function writes over nothing that another one keeps.
  LogicalResult verify(func::FuncOp function,
                       ArrayRef<PlannedBuffer> buffers) const;

private:
  LogicalResult verifyMemory(func::FuncOp function) const;
  LogicalResult verifyReserved(func::FuncOp function,
                               ArrayRef<PlannedBuffer> buffers,
                               const ReservedBytes &reserved) const;

  KeptTensors inArena;
  /// By schedule; null stands for functions that nothing calls.
  std::map<Operation *, KeptTensors> inStash;
};

/// The arenas of all stages; a program without stages has one.
class StagesVerifier {
public:
  StagesVerifier(ModuleOp module, int64_t alignment)
      : module(module), alignment(alignment) {}

  /// Reads the record of the memory plan in the module.
  LogicalResult readPlan();
  /// Adds a function to the stages that run it.
  LogicalResult add(func::FuncOp function, ArrayRef<PlannedBuffer> buffers);
  /// Checks a function after all have been added.
  LogicalResult verify(func::FuncOp function,
                       ArrayRef<PlannedBuffer> buffers) const;
  /// Checks that schedules use only slots that there are.
  LogicalResult verifySlots();

private:
  void findSchedules();
  LogicalResult readWorkspace(int64_t &offset, int64_t &bytes);
  LogicalResult verifyStage(func::FuncOp function) const;
  LogicalResult verifySlot(Operation *user, StringRef name, int64_t stage,
                           std::optional<uint64_t> slot) const;
  SmallVector<int64_t> getStages(func::FuncOp function) const;

  ModuleOp module;
  int64_t alignment;
  bool isStaged = false;
  SmallVector<StageVerifier, 1> stages;
  /// The schedules that call each function.
  llvm::DenseMap<Operation *, SmallVector<Operation *, 2>> schedules;
  int64_t workspaceBytes = 0;
};

} // namespace mlir::boost::rt

#endif // BOOST_MLIR_LIB_DIALECT_BOOSTRT_TRANSFORMS_STAGEVERIFIER_H
