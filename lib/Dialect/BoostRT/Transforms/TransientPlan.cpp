//===- TransientPlan.cpp - Lifetimes of a function's allocations ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which allocations of a straight-line function may share memory, where, and
// what they are for when most memory is needed.
//
//===----------------------------------------------------------------------===//

#include "TransientPlan.h"
#include "Utils.h"

#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "boost-mlir/Dialect/Boost/IR/Rematerialization.h"
#include "boost-mlir/Dialect/BoostRT/Utils/ArenaAllocator.h"
#include "boost-mlir/Dialect/BoostRT/Utils/Packing.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::boost::rt;

void TransientPlan::run() {
  findPhases();
  computeLifetimes();
  int64_t position = 0;
  for (Operation &op : body) {
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
      mergeInPlace(linalgOp, position);
    ++position;
  }
  pack();
  // Callers ask by allocation: resolve merges once.
  for (auto &entry : slotOf)
    entry.second = findSlot(entry.first);
}

void TransientPlan::addSlot(Value memref) {
  slotOf[memref] = slots.size();
  Slot slot;
  slot.memref = memref;
  slot.bytes = getDenseBytes(cast<MemRefType>(memref.getType()));
  slots.push_back(slot);
}

void TransientPlan::findPhases() {
  int64_t position = 0;
  backward = optimizer = body.getOperations().size();
  for (Operation &op : body) {
    if (auto marker = dyn_cast<PhaseOp>(op))
      (marker.getPhase() == Phase::Backward ? backward : optimizer) = position;
    ++position;
  }
}

void TransientPlan::computeLifetimes() {
  for (BlockArgument result : results)
    addSlot(result);
  int64_t position = 0;
  auto use = [&](Value memref) {
    auto it = slotOf.find(memref);
    if (it == slotOf.end())
      return;
    Slot &slot = slots[it->second];
    if (slot.first < 0)
      slot.first = position;
    slot.last = position;
  };
  for (Operation &op : body) {
    if (auto alloc = dyn_cast<memref::AllocOp>(op)) {
      addSlot(alloc.getResult());
    } else if (auto view = dyn_cast<memref::ReinterpretCastOp>(op)) {
      auto it = slotOf.find(view.getSource());
      if (it != slotOf.end()) {
        int64_t slot = it->second;
        slotOf[view.getResult()] = slot;
      }
    } else {
      op.walk([&](Operation *nested) {
        for (Value operand : nested->getOperands())
          use(operand);
      });
    }
    ++position;
  }
  for (BlockArgument result : results) {
    Slot &slot = slots[slotOf[result]];
    slot.first = std::max<int64_t>(slot.first, 0);
    slot.last = position - 1;
  }
  for (Slot &slot : slots)
    slot.ownLast = slot.last;
}

int64_t TransientPlan::findSlot(Value memref) const {
  auto it = slotOf.find(memref);
  if (it == slotOf.end())
    return -1;
  int64_t slot = it->second;
  while (slots[slot].mergedInto >= 0)
    slot = slots[slot].mergedInto;
  return slot;
}

/// Returns true if the memref covers its slot without gaps.
bool TransientPlan::coversSlot(Value memref, int64_t bytes) const {
  auto type = cast<MemRefType>(memref.getType());
  return getStaticLayout(type)->offset == 0 && isDense(type) &&
         getDenseBytes(type) == bytes;
}

void TransientPlan::mergeInPlace(linalg::LinalgOp op, int64_t position) {
  for (OpOperand &output : op.getDpsInitsMutable()) {
    if (!isa<MemRefType>(output.get().getType()) ||
        readsDestination(op, output))
      continue;
    for (OpOperand *input : op.getDpsInputOperands())
      if (isa<MemRefType>(input->get().getType()) &&
          tryMerge(op, *input, output, position))
        break;
  }
}

/// Lets `output`, first written here, take over `input`, last read here.
bool TransientPlan::tryMerge(linalg::LinalgOp op, OpOperand &input,
                             OpOperand &output, int64_t position) {
  int64_t from = findSlot(input.get()), to = findSlot(output.get());
  if (from < 0 || to < 0 || from == to || slots[to].first != position ||
      slots[from].last != position || slots[from].first == position)
    return false;
  int64_t bytes = slots[to].bytes;
  if (bytes != slots[from].bytes || !coversSlot(input.get(), bytes) ||
      !coversSlot(output.get(), bytes))
    return false;
  bool sameElements =
      llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
        return findSlot(operand.get()) != from ||
               (coversSlot(operand.get(), bytes) &&
                canWriteOver(op, operand, output));
      });
  WalkResult captures = op->walk([&](memref::LoadOp load) {
    return findSlot(load.getMemref()) == from ? WalkResult::interrupt()
                                              : WalkResult::advance();
  });
  if (!sameElements || captures.wasInterrupted())
    return false;
  slots[to].mergedInto = from;
  slots[from].last = slots[to].last;
  return true;
}

void TransientPlan::pack() {
  SmallVector<Lifetime> lifetimes;
  SmallVector<int64_t> owners;
  for (auto [index, slot] : llvm::enumerate(slots)) {
    if (slot.mergedInto >= 0 || slot.first < 0)
      continue;
    lifetimes.push_back({slot.bytes, slot.first, slot.last});
    owners.push_back(index);
  }
  totalBytes = packLifetimes(lifetimes, alignment);
  for (auto [owner, lifetime] : llvm::zip_equal(owners, lifetimes))
    slots[owner].offset = lifetime.offset;
  findPeak(findPeakLive(lifetimes, alignment).position);
}

//===----------------------------------------------------------------------===//
// What the memory is for
//===----------------------------------------------------------------------===//

BufferUse TransientPlan::findUse(Value memref, int64_t first,
                                 int64_t last) const {
  bool isResult = isa<BlockArgument>(memref);
  if (first > backward && first < optimizer && (isResult || last > optimizer))
    return BufferUse::Gradient;
  if (isResult)
    return BufferUse::Result;
  if (first < backward && last > backward)
    return BufferUse::Kept;
  return memref.getDefiningOp()->hasAttr(kRecomputedAttr)
             ? BufferUse::Recomputed
             : BufferUse::Temporary;
}

/// Records the buffers that are live at `position`. Among allocations that
/// follow each other in one slot, that is the last one.
void TransientPlan::findPeak(int64_t position) {
  llvm::MapVector<int64_t, const Slot *> owners;
  for (const Slot &slot : slots) {
    if (slot.first < 0 || slot.first > position || slot.ownLast < position)
      continue;
    const Slot *&owner = owners[findSlot(slot.memref)];
    if (!owner || owner->first < slot.first)
      owner = &slot;
  }
  for (auto [index, owner] : owners)
    peak.push_back({owner->memref, getRoom(owner->bytes, alignment),
                    findUse(owner->memref, owner->first, owner->ownLast)});
}
