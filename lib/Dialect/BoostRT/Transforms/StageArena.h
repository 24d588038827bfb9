//===- StageArena.h - The arena of the ranks of a stage ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What lies where in the arena of the ranks of one pipeline stage, and what it
// is for. A program without stages is one of a single stage.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DIALECT_BOOSTRT_TRANSFORMS_STAGEARENA_H
#define BOOST_MLIR_LIB_DIALECT_BOOSTRT_TRANSFORMS_STAGEARENA_H

#include "NamedTensors.h"
#include "TransientPlan.h"

#include "llvm/ADT/StringMap.h"

namespace mlir::boost::rt {

/// Where a stage keeps what its forward functions keep for its backward ones:
/// `slots` blocks of `bytes` each.
struct Stash {
  int64_t offset = 0, bytes = 0, slots = 0;
};

/// The arena of a stage: first named tensors, then the stash, then a part that
/// functions share, then the workspace of calls.
class StageArena {
public:
  /// Offsets are multiples of `alignment`. If the stage keeps something, its
  /// stash has `slots` slots.
  StageArena(int64_t stage, int64_t slots, int64_t alignment)
      : stage(stage), slots(slots), alignment(alignment) {}

  /// Places the tensors of the stage that keep their place from call to call.
  void placeTensors(NamedTensors &tensors);

  /// Makes room from `begin` on, which is behind what stays from call to call,
  /// for what lives in a function only. The plan has to outlive the arena.
  void addFunction(func::FuncOp function, const TransientPlan &plan,
                   int64_t begin);

  /// Makes room for the workspace of calls behind all else, if calls of the
  /// stage ask for one. Follows the last function.
  void placeWorkspace(int64_t workspaceBytes);

  /// Returns the end of what stays from call to call.
  int64_t getSharedEnd() const { return sharedEnd; }
  int64_t getBytes() const { return bytes; }
  const Stash &getStash() const { return stash; }
  ArrayRef<func::FuncOp> getFunctions() const { return functions; }
  std::optional<int64_t> getWorkspaceOffset() const { return workspaceOffset; }
  /// Returns where a tensor of the stage lies in the arena; a kept one in the
  /// first slot.
  int64_t getPlace(const NamedTensor &tensor) const;

  /// Describes the arena by purpose, at the peak of the function that needs
  /// most; the parts and the unused bytes between them add up to `peak`.
  NamedAttrList describeMemory(MLIRContext *context) const;

  /// Describes the largest of what is in the arena at the peak, and numbers
  /// those of the function's buffers that are among them.
  ArrayAttr describeLargest(MLIRContext *context, const NamedTensors &tensors,
                            llvm::DenseMap<Value, int64_t> &numbers) const;

private:
  void placeTensors(NamedTensors &tensors, bool onEveryStage);
  void placeStash(NamedTensors &tensors);
  int64_t getRoomFor(const NamedTensor &tensor) const;
  ArrayRef<LiveBuffer> getPeak() const;

  int64_t stage, slots, alignment;
  Stash stash;
  int64_t sharedEnd = 0, bytes = 0;
  std::optional<int64_t> workspaceOffset;
  SmallVector<func::FuncOp> functions;
  llvm::StringMap<int64_t> bytesByCategory;
  /// The function that needs most memory.
  func::FuncOp largest;
  const TransientPlan *largestPlan = nullptr;
};

/// Returns as many bytes as the call asks for that asks for most.
int64_t getLargestWorkspace(ArrayRef<func::FuncOp> functions);

} // namespace mlir::boost::rt

#endif // BOOST_MLIR_LIB_DIALECT_BOOSTRT_TRANSFORMS_STAGEARENA_H
