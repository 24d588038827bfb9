//===- StageVerifier.cpp - What stays in the memory of a stage ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors that stay are those that functions are given, and those in the stash.
//
//===----------------------------------------------------------------------===//

#include "StageVerifier.h"

#include "boost-mlir/Dialect/Boost/IR/Choice.h"
#include "boost-mlir/Dialect/Boost/IR/Schedule.h"
#include "boost-mlir/Dialect/BoostRT/IR/BoostRT.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::rt;

//===----------------------------------------------------------------------===//
// Tensors that stay
//===----------------------------------------------------------------------===//

LogicalResult KeptTensors::add(func::FuncOp function,
                               const PlannedBuffer &buffer) {
  auto known = kept.find(buffer.offset);
  if (known != kept.end() && known->second == buffer.bytes)
    return success();
  if (failed(expectApart(function, buffer)))
    return failure();
  kept.emplace(buffer.offset, buffer.bytes);
  return success();
}

LogicalResult KeptTensors::expectApart(func::FuncOp function,
                                       const PlannedBuffer &buffer) const {
  auto it = kept.lower_bound(buffer.offset);
  if (it != kept.begin()) {
    auto previous = std::prev(it);
    if (previous->first + previous->second > buffer.offset)
      it = previous;
  }
  if (it == kept.end() || it->first >= buffer.offset + buffer.bytes)
    return success();
  return function.emitOpError()
         << "expects buffers that share no memory with tensors that stay, "
            "but bytes ["
         << buffer.offset << ", " << buffer.offset + buffer.bytes
         << ") overlap [" << it->first << ", " << it->first + it->second << ")";
}

//===----------------------------------------------------------------------===//
// One stage
//===----------------------------------------------------------------------===//

LogicalResult StageVerifier::verifyPlan(ModuleOp module, int64_t stage,
                                        int64_t alignment) const {
  auto refuse = [&](const ReservedBytes &reserved) {
    return module.emitError()
           << "expects the " << reserved.name << " of stage " << stage;
  };
  for (const ReservedBytes &reserved : {stash, workspace}) {
    if (reserved.begin % alignment != 0)
      return refuse(reserved) << " at a multiple of " << alignment
                              << ", but got " << reserved.begin;
    if (arenaBytes && (reserved.begin > *arenaBytes ||
                       reserved.bytes > *arenaBytes - reserved.begin))
      return refuse(reserved) << " inside the arena of " << *arenaBytes
                              << " bytes, but got [" << reserved.begin << ", "
                              << reserved.begin + reserved.bytes << ")";
  }
  if (slotBytes % alignment != 0)
    return refuse(stash) << " to have slots of a multiple of " << alignment
                         << " bytes, but got " << slotBytes;
  if (stash.overlaps(workspace.begin, workspace.bytes))
    return refuse(stash) << " apart from the workspace of calls, but they "
                            "begin at "
                         << stash.begin << " and " << workspace.begin;
  return success();
}

/// What the function is given is what the stage has.
LogicalResult StageVerifier::verifyMemory(func::FuncOp function) const {
  auto getBytes = [&](unsigned argument) {
    return cast<MemRefType>(function.getArgumentTypes()[argument])
        .getDimSize(0);
  };
  if (arenaBytes && getBytes(0) > *arenaBytes)
    return function.emitOpError()
           << "expects at most the arena of " << *arenaBytes
           << " bytes, but got one of " << getBytes(0);
  if (function.getNumArguments() > kStashArgument &&
      getBytes(kStashArgument) != slotBytes)
    return function.emitOpError()
           << "expects a slot of the " << slotBytes
           << " bytes that the stash of its stage has, but got one of "
           << getBytes(kStashArgument);
  return success();
}

LogicalResult
StageVerifier::verifyReserved(func::FuncOp function,
                              ArrayRef<PlannedBuffer> buffers,
                              const ReservedBytes &reserved) const {
  int64_t arena = arenaBytes.value_or(
      cast<MemRefType>(function.getArgumentTypes().front()).getDimSize(0));
  int64_t end = reserved.begin + reserved.bytes;
  if (reserved.begin > arena || reserved.bytes > arena - reserved.begin)
    return function.emitOpError()
           << "expects the " << reserved.name << " inside the arena of "
           << arena << " bytes, but got [" << reserved.begin << ", " << end
           << ")";
  for (auto [number, buffer] : llvm::enumerate(buffers))
    if (!buffer.isInStash && reserved.overlaps(buffer.offset, buffer.bytes))
      return function.emitOpError()
             << "expects buffers apart from the " << reserved.name << " in ["
             << reserved.begin << ", " << end << "), but buffer " << number
             << " begins at " << buffer.offset;
  return success();
}

LogicalResult StageVerifier::add(func::FuncOp function,
                                 ArrayRef<Operation *> schedules,
                                 ArrayRef<PlannedBuffer> buffers) {
  if (failed(verifyMemory(function)) ||
      failed(verifyReserved(function, buffers, stash)) ||
      failed(verifyReserved(function, buffers, workspace)))
    return failure();
  for (const PlannedBuffer &buffer : buffers) {
    if (buffer.bytes == 0)
      continue;
    if (buffer.isArgument && !buffer.isInStash &&
        failed(inArena.add(function, buffer)))
      return failure();
    if (buffer.isInStash)
      for (Operation *schedule : schedules)
        if (failed(inStash[schedule].add(function, buffer)))
          return failure();
  }
  return success();
}

LogicalResult StageVerifier::verify(func::FuncOp function,
                                    ArrayRef<PlannedBuffer> buffers) const {
  for (const PlannedBuffer &buffer : buffers)
    if (!buffer.isArgument && !buffer.isInStash && buffer.bytes > 0 &&
        failed(inArena.expectApart(function, buffer)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// All stages
//===----------------------------------------------------------------------===//

LogicalResult StagesVerifier::readWorkspace(int64_t &offset, int64_t &bytes) {
  auto plan = module->getAttrOfType<DenseI64ArrayAttr>(kWorkspaceAttr);
  if (!plan)
    return success();
  bool isRight = isStaged ? plan.size() == 1 && plan[0] >= 0
                          : plan.size() == 2 && plan[0] >= 0 && plan[1] >= 0 &&
                                plan[0] % alignment == 0;
  if (!isRight && isStaged)
    return module.emitError()
           << "expects the bytes of a workspace, whose place is that of each "
              "stage, but got "
           << plan;
  if (!isRight)
    return module.emitError()
           << "expects a workspace at a multiple of " << alignment
           << " and its bytes, but got " << plan;
  offset = isStaged ? 0 : plan[0];
  bytes = plan.asArrayRef().back();
  return success();
}

void StagesVerifier::findSchedules() {
  for (auto schedule : module.getOps<ScheduleOp>())
    for (CalledFunction called : getCalledFunctions(schedule))
      schedules[called.function].push_back(schedule);
  for (auto function : module.getOps<func::FuncOp>())
    if (schedules[function].empty())
      schedules[function].push_back(nullptr);
}

LogicalResult StagesVerifier::readPlan() {
  findSchedules();
  auto records = module->getAttrOfType<ArrayAttr>(kStagesAttr);
  isStaged = records != nullptr;
  int64_t workspaceOffset = 0;
  if (failed(readWorkspace(workspaceOffset, workspaceBytes)))
    return failure();
  if (!isStaged) {
    stages.resize(1);
    stages.front().workspace.begin = workspaceOffset;
    stages.front().workspace.bytes = workspaceBytes;
    return success();
  }
  for (auto record : records.getAsRange<DictionaryAttr>()) {
    // The dialect has verified the form.
    auto get = [](DictionaryAttr fields, StringRef name) {
      return fields.getAs<IntegerAttr>(name).getInt();
    };
    StageVerifier &stage = stages.emplace_back();
    stage.arenaBytes = get(record, "arena_bytes");
    if (auto stash = record.getAs<DictionaryAttr>("stash")) {
      stage.slotBytes = get(stash, "bytes");
      stage.slots = get(stash, "slots");
      stage.stash.begin = get(stash, "offset");
      if (llvm::MulOverflow(stage.slotBytes, stage.slots, stage.stash.bytes))
        return module.emitError() << "expects a stash of fewer than 2^63 "
                                     "bytes, but got "
                                  << stash;
    }
    if (record.contains("workspace_offset")) {
      stage.workspace.begin = get(record, "workspace_offset");
      stage.workspace.bytes = workspaceBytes;
    }
    if (failed(stage.verifyPlan(module, stages.size() - 1, alignment)))
      return failure();
  }
  return success();
}

SmallVector<int64_t> StagesVerifier::getStages(func::FuncOp function) const {
  if (std::optional<int64_t> stage = getStage(function))
    return {*stage};
  return llvm::to_vector(llvm::seq<int64_t>(stages.size()));
}

/// The stage of a function is one of the plan, and a slot of a stash is that of
/// a stage.
LogicalResult StagesVerifier::verifyStage(func::FuncOp function) const {
  std::optional<int64_t> stage = getStage(function);
  if (stage && (!isStaged || *stage >= static_cast<int64_t>(stages.size())))
    return function.emitOpError()
           << "expects the memory plan of stage " << *stage << " in '"
           << kStagesAttr << "'; run boostrt-plan-memory";
  if (!stage && function.getNumArguments() > kStashArgument)
    return function.emitOpError()
           << "expects '" << kStageAttr << "' on a function with a stash";
  return success();
}

LogicalResult StagesVerifier::add(func::FuncOp function,
                                  ArrayRef<PlannedBuffer> buffers) {
  if (failed(verifyStage(function)))
    return failure();
  for (int64_t stage : getStages(function))
    if (failed(stages[stage].add(function, schedules[function], buffers)))
      return failure();
  for (Operation &op : function.front())
    if (auto needed = op.getAttrOfType<IntegerAttr>(kWorkspaceBytesAttr))
      for (int64_t stage : getStages(function))
        if (int64_t bytes = stages[stage].workspace.bytes;
            needed.getInt() > bytes)
          return op.emitOpError()
                 << "expects a workspace of " << needed.getInt()
                 << " bytes, but the program has one of " << bytes;
  return success();
}

LogicalResult StagesVerifier::verify(func::FuncOp function,
                                     ArrayRef<PlannedBuffer> buffers) const {
  for (int64_t stage : getStages(function))
    if (failed(stages[stage].verify(function, buffers)))
      return failure();
  return success();
}

/// Checks that a stage has the slot that a call or a transfer uses.
LogicalResult StagesVerifier::verifySlot(Operation *user, StringRef name,
                                         int64_t stage,
                                         std::optional<uint64_t> slot) const {
  if (stage >= static_cast<int64_t>(stages.size()))
    return user->emitOpError()
           << "expects the memory plan of stage " << stage << " in '"
           << kStagesAttr << "'; run boostrt-plan-memory";
  int64_t slots = stages[stage].slots;
  if (slot && static_cast<int64_t>(*slot) < slots)
    return success();
  InFlightDiagnostic diag = user->emitOpError("expects '")
                            << name << "' below the " << slots
                            << " slots of stage " << stage << ", but got ";
  return slot ? diag << *slot : diag << "none";
}

LogicalResult StagesVerifier::verifySlots() {
  SymbolTable symbols(module);
  for (auto schedule : module.getOps<ScheduleOp>())
    for (Operation *action : getActions(schedule)) {
      if (auto call = dyn_cast<CallOp>(action)) {
        auto function = symbols.lookup<func::FuncOp>(call.getCallee());
        if (function && function.getNumArguments() > kStashArgument &&
            failed(
                verifySlot(call, "slot", *getStage(function), call.getSlot())))
          return failure();
        continue;
      }
      if (isa<ChooseOp>(action))
        continue;
      auto transfer = cast<TransferOp>(action);
      if (transfer.getMicroBatch() &&
          (failed(verifySlot(transfer, "from_slot", transfer.getFrom(),
                             transfer.getFromSlot())) ||
           failed(verifySlot(transfer, "to_slot", transfer.getTo(),
                             transfer.getToSlot()))))
        return failure();
    }
  return success();
}
