//===- PlanMemory.cpp - Where everything lies in memory -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements boostrt-plan-memory: plans an arena for each pipeline stage, and
// makes buffers views of it. NamedTensors.cpp finds the tensors, StageArena.cpp
// places them, and TensorDescriptions.cpp describes them.
//
//===----------------------------------------------------------------------===//

#include "TensorDescriptions.h"
#include "Utils.h"

#include "boost-mlir/Dialect/Boost/IR/Choice.h"
#include "boost-mlir/Dialect/Boost/IR/Schedule.h"
#include "boost-mlir/Dialect/BoostRT/Transforms/Passes.h"
#include "boost-mlir/Support/Sizes.h"

namespace mlir::boost::rt {
#define GEN_PASS_DEF_PLANMEMORYPASS
#include "boost-mlir/Dialect/BoostRT/Transforms/Passes.h.inc"
} // namespace mlir::boost::rt

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::rt;

namespace {

/// A buffer of a function: its number, and where it lies.
struct PlacedBuffer {
  int64_t number = 0, offset = 0;
  /// In a slot of the stash instead of the arena.
  bool isInStash = false;
};

class MemoryPlanner {
public:
  MemoryPlanner(ModuleOp module, const Mesh &mesh, int64_t alignment)
      : module(module), mesh(mesh), alignment(alignment), tensors(mesh) {}
  LogicalResult run();

private:
  LogicalResult collectFunctions();
  LogicalResult collectStages();
  LogicalResult collectActions();
  LogicalResult checkStage(Operation *op, StringRef name, int64_t stage) const;
  LogicalResult checkTotalBytes();
  LogicalResult checkStashBytes(CheckedSum total);
  void placeTransients();
  void placeWorkspace();
  SmallVector<int64_t> getStages(func::FuncOp func) const;
  using BufferTable = llvm::DenseMap<Value, PlacedBuffer>;
  BufferTable numberBuffers(func::FuncOp func);
  void rewrite(func::FuncOp func);
  std::pair<Value, Value> addMemoryArguments(func::FuncOp func);
  void recordMemory();
  DictionaryAttr describeStage(const StageArena &arena);

  /// What lives in a function only, from `begin` on in the arena.
  struct Transients {
    TransientPlan plan;
    int64_t begin = 0;
  };
  /// The largest slot that calls and transfers use on a stage.
  struct LargestSlot {
    int64_t number = 0;
    Operation *user = nullptr;
  };

  ModuleOp module;
  const Mesh &mesh;
  int64_t alignment;
  SmallVector<func::FuncOp> functions;
  NamedTensors tensors;
  /// True if some function says on which stage it runs.
  bool isStaged = false;
  SmallVector<LargestSlot> slots;
  SmallVector<StageArena> arenas;
  llvm::DenseMap<Operation *, std::unique_ptr<Transients>> transients;
  /// Numbers for the largest buffers at the peak.
  llvm::DenseMap<Value, int64_t> largestBuffers;
};

} // namespace

//===----------------------------------------------------------------------===//
// Functions and stages
//===----------------------------------------------------------------------===//

LogicalResult MemoryPlanner::collectFunctions() {
  for (auto func : module.getOps<func::FuncOp>())
    if (!func.isDeclaration())
      functions.push_back(func);
  for (func::FuncOp func : functions) {
    if (!func.getBody().hasOneBlock())
      return func.emitOpError("expects one block of straight-line code");
    if (failed(tensors.collect(func)))
      return failure();
    isStaged |= getStage(func).has_value();
  }
  return success();
}

/// Fails, with an error at `op`, if there is no such stage.
LogicalResult MemoryPlanner::checkStage(Operation *op, StringRef name,
                                        int64_t stage) const {
  if (stage < static_cast<int64_t>(slots.size()))
    return success();
  return op->emitOpError("expects '")
         << name << "' below " << slots.size()
         << ", the number of ranks along the axis '" << kPipelineAxis
         << "' of the mesh, but got " << stage;
}

/// Finds the stages: the ranks along the axis of the pipeline, or one if no
/// function says where it runs.
LogicalResult MemoryPlanner::collectStages() {
  slots.resize(isStaged ? mesh.getSize(mesh.getAxisNamed(kPipelineAxis)) : 1);
  for (func::FuncOp func : functions)
    if (std::optional<int64_t> stage = getStage(func);
        stage && failed(checkStage(func, kStageAttr, *stage)))
      return failure();
  return collectActions();
}

/// Finds the slots that schedules use, and what they transfer.
LogicalResult MemoryPlanner::collectActions() {
  SymbolTable symbols(module);
  auto useSlot = [&](Operation *user, int64_t stage,
                     std::optional<uint64_t> slot) {
    auto number = static_cast<int64_t>(slot.value_or(0));
    if (number > slots[stage].number)
      slots[stage] = {number, user};
  };
  for (auto schedule : module.getOps<ScheduleOp>()) {
    for (Operation *action : getActions(schedule)) {
      if (auto call = dyn_cast<CallOp>(action)) {
        auto func = symbols.lookup<func::FuncOp>(call.getCallee());
        for (int64_t stage : func ? getStages(func) : SmallVector<int64_t>())
          useSlot(call, stage, call.getSlot());
        continue;
      }
      // The functions that a schedule chooses from use no slot.
      if (isa<ChooseOp>(action))
        continue;
      auto transfer = cast<TransferOp>(action);
      auto from = static_cast<int64_t>(transfer.getFrom());
      auto to = static_cast<int64_t>(transfer.getTo());
      if (failed(checkStage(transfer, "from", from)) ||
          failed(checkStage(transfer, "to", to)) ||
          failed(tensors.collect(transfer)))
        return failure();
      useSlot(transfer, from, transfer.getFromSlot());
      useSlot(transfer, to, transfer.getToSlot());
    }
    tensors.collect(schedule);
    tensors.keepResults(schedule);
  }
  return success();
}

SmallVector<int64_t> MemoryPlanner::getStages(func::FuncOp func) const {
  if (std::optional<int64_t> stage = getStage(func))
    return {*stage};
  return llvm::to_vector(llvm::seq<int64_t>(slots.size()));
}

/// No offset in an arena overflows, not even if no two buffers shared memory.
LogicalResult MemoryPlanner::checkTotalBytes() {
  CheckedSum total;
  auto add = [&](Value buffer) -> LogicalResult {
    auto type = cast<MemRefType>(buffer.getType());
    if (!type.hasStaticShape())
      return emitError(buffer.getLoc())
             << "expects buffers of known size, but got " << type;
    if (isCountable(type.getShape(), type.getElementTypeBitWidth())) {
      total.add(getDenseBytes(type));
      total.add(alignment);
      if (total.get())
        return success();
    }
    return emitError(buffer.getLoc())
           << "expects buffers of at most 2^" << kMaxTensorBytesLog2
           << " bytes each and fewer than 2^63 in total, but got more with "
              "this "
           << type;
  };
  for (func::FuncOp function : functions) {
    for (BlockArgument argument : function.getArguments())
      if (failed(add(argument)))
        return failure();
    for (auto alloc : function.getOps<memref::AllocOp>())
      if (failed(add(alloc.getResult())))
        return failure();
  }
  int64_t workspace = getLargestWorkspace(functions);
  total.add(workspace);
  total.add(2, alignment);
  if (workspace == 0 || total.get())
    return checkStashBytes(total);
  func::FuncOp first = functions.front();
  return first.emitError() << "expects an arena of fewer than 2^63 bytes, but "
                              "calls ask for a workspace of "
                           << workspace;
}

/// `total` counts everything with one slot.
LogicalResult MemoryPlanner::checkStashBytes(CheckedSum total) {
  for (auto [stage, slot] : llvm::enumerate(slots)) {
    // Also the number of the slot, and one more, are 64 bit numbers.
    CheckedSum withStash = total;
    withStash.add(slot.number);
    for (const auto &[name, tensor] : tensors)
      if (tensor.isKept() && tensor.isOn(static_cast<int64_t>(stage)))
        withStash.add(slot.number, getDenseBytes(tensor.type) + alignment);
    if (!withStash.get())
      return slot.user->emitOpError("expects an arena of fewer than 2^63 "
                                    "bytes, but slot ")
             << slot.number << " of stage " << stage << " lies behind that";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// Places what lives in a function only: behind what stays on its stage, or if
/// all stages run it, on each of them. A result that only one function has is
/// valid until the next call.
void MemoryPlanner::placeTransients() {
  int64_t behindAll = 0;
  for (const StageArena &arena : arenas)
    behindAll = std::max(behindAll, arena.getSharedEnd());
  for (func::FuncOp func : functions) {
    SmallVector<int64_t> stages = getStages(func);
    SmallVector<BlockArgument> results = llvm::filter_to_vector(
        func.getArguments(), [&](BlockArgument argument) {
          return !tensors.get(argument).isShared(stages.front());
        });
    auto &entry = transients[func];
    entry = std::make_unique<Transients>(
        Transients{TransientPlan(func, results, alignment)});
    entry->plan.run();
    entry->begin =
        getStage(func) ? arenas[stages.front()].getSharedEnd() : behindAll;
    for (int64_t stage : stages) {
      for (BlockArgument result : results)
        tensors.get(result).offsets[stage] =
            entry->begin + entry->plan.getOffset(result);
      arenas[stage].addFunction(func, entry->plan, entry->begin);
    }
  }
}

void MemoryPlanner::placeWorkspace() {
  int64_t bytes = getLargestWorkspace(functions);
  for (StageArena &arena : arenas)
    arena.placeWorkspace(bytes);
  if (bytes == 0)
    return;
  // On each stage it is somewhere else.
  SmallVector<int64_t> workspace{bytes};
  if (!isStaged)
    workspace.insert(workspace.begin(), *arenas.front().getWorkspaceOffset());
  module->setAttr(kWorkspaceAttr,
                  DenseI64ArrayAttr::get(module.getContext(), workspace));
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// Numbers and places the buffers of a function, arguments first, and records
/// them. What takes over memory in place is one buffer.
MemoryPlanner::BufferTable MemoryPlanner::numberBuffers(func::FuncOp func) {
  Builder builder(func.getContext());
  BufferTable table;
  SmallVector<Attribute> buffers;
  SmallVector<int64_t> given;
  const Transients &own = *transients.find(func)->second;
  int64_t stage = getStages(func).front();
  auto inputs = func->getAttrOfType<ArrayAttr>(kInputsAttr);
  llvm::DenseMap<int64_t, int64_t> bySlot;
  auto add = [&](Value memref, int64_t offset, bool isInStash) {
    auto next = static_cast<int64_t>(buffers.size());
    int64_t slot = own.plan.getSlot(memref), number = next;
    if (slot >= 0)
      number = bySlot.try_emplace(slot, next).first->second;
    table[memref] = {number, offset, isInStash};
    if (number != next)
      return;
    SmallVector<int64_t> buffer{
        offset, getDenseBytes(cast<MemRefType>(memref.getType()))};
    if (isInStash)
      buffer.push_back(kStashArgument);
    buffers.push_back(builder.getDenseI64ArrayAttr(buffer));
  };
  for (BlockArgument argument : func.getArguments()) {
    const NamedTensor &tensor = tensors.get(argument);
    // What a function keeps need not be there before.
    bool isGiven = tensor.isKept() && inputs
                       ? llvm::is_contained(inputs, tensor.get().getName())
                       : !tensor.isResult();
    if (isGiven)
      given.push_back(argument.getArgNumber());
    add(argument, tensor.offsets.at(stage), tensor.isKept());
  }
  for (auto alloc : func.front().getOps<memref::AllocOp>())
    add(alloc.getResult(), own.begin + own.plan.getOffset(alloc),
        /*isInStash=*/false);
  func->setAttr(kBuffersAttr, builder.getArrayAttr(buffers));
  func->setAttr(kArgumentsAttr, builder.getDenseI64ArrayAttr(given));
  return table;
}

/// Replaces phase markers by an attribute on the operations that follow.
static void recordPhases(Block &body) {
  StringAttr phase;
  for (Operation &op : llvm::make_early_inc_range(body)) {
    if (auto marker = dyn_cast<PhaseOp>(op)) {
      phase = StringAttr::get(marker.getContext(),
                              stringifyPhase(marker.getPhase()));
      marker.erase();
    } else if (phase && isa<DestinationStyleOpInterface>(op) &&
               !op.hasAttr(kPhaseAttr)) {
      op.setAttr(kPhaseAttr, phase);
    }
  }
}

/// Adds the arena and, if the function has kept tensors, a slot of the stash.
std::pair<Value, Value> MemoryPlanner::addMemoryArguments(func::FuncOp func) {
  auto byte = IntegerType::get(func.getContext(), 8);
  auto add = [&](int64_t bytes) {
    return func.front().addArgument(MemRefType::get({bytes}, byte),
                                    func.getLoc());
  };
  SmallVector<int64_t> stages = getStages(func);
  bool keeps = llvm::any_of(func.getArguments(), [&](BlockArgument argument) {
    return tensors.get(argument).isKept();
  });
  int64_t bytes = arenas[stages.front()].getBytes();
  for (int64_t stage : stages)
    bytes = std::min(bytes, arenas[stage].getBytes());
  Value arena = add(bytes);
  if (!keeps)
    return {arena, Value()};
  return {arena, add(arenas[stages.front()].getStash().bytes)};
}

void MemoryPlanner::rewrite(func::FuncOp func) {
  Block &body = func.front();
  unsigned numArguments = body.getNumArguments();
  BufferTable buffers = numberBuffers(func);
  auto [arena, stash] = addMemoryArguments(func);
  auto replace = [&, arena = arena, stash = stash](OpBuilder &builder,
                                                   Value memref, Value whole,
                                                   int64_t shift = 0) {
    PlacedBuffer buffer = buffers.lookup(whole);
    Value view = createArenaView(
        builder, memref.getLoc(), buffer.isInStash ? stash : arena,
        buffer.offset + shift, cast<MemRefType>(memref.getType()),
        buffer.number, shift);
    if (auto it = largestBuffers.find(memref); it != largestBuffers.end())
      view.getDefiningOp()->setAttr(kLargestAttr,
                                    builder.getI64IntegerAttr(it->second));
    memref.replaceAllUsesWith(view);
  };

  // Views refer to arguments and allocations: replace them first.
  for (auto view :
       llvm::make_early_inc_range(body.getOps<memref::ReinterpretCastOp>())) {
    if (!buffers.contains(view.getSource()))
      continue;
    OpBuilder builder(view);
    int64_t shift = view.getStaticOffsets().front() *
                    getElementBytes(view.getType().getElementType());
    replace(builder, view.getResult(), view.getSource(), shift);
    view.erase();
  }
  auto builder = OpBuilder::atBlockBegin(&body);
  for (unsigned i = 0; i < numArguments; ++i)
    if (!body.getArgument(i).use_empty())
      replace(builder, body.getArgument(i), body.getArgument(i));
  for (auto alloc :
       llvm::make_early_inc_range(body.getOps<memref::AllocOp>())) {
    OpBuilder at(alloc);
    if (!alloc.use_empty())
      replace(at, alloc.getResult(), alloc.getResult());
    alloc.erase();
  }

  recordPhases(body);
  for (Operation &op : body)
    op.removeAttr(kRecomputedAttr);
  body.eraseArguments(0, numArguments);
  func.setFunctionType(
      FunctionType::get(func.getContext(), body.getArgumentTypes(), {}));
  func.removeArgAttrsAttr();
}

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

DictionaryAttr MemoryPlanner::describeStage(const StageArena &arena) {
  Builder builder(module.getContext());
  NamedAttrList stage;
  auto number = [&](int64_t value) { return builder.getI64IntegerAttr(value); };
  stage.append("arena_bytes", number(arena.getBytes()));
  if (const Stash &stash = arena.getStash(); stash.slots > 0)
    stage.append("stash",
                 builder.getDictionaryAttr(
                     {{builder.getStringAttr("offset"), number(stash.offset)},
                      {builder.getStringAttr("bytes"), number(stash.bytes)},
                      {builder.getStringAttr("slots"), number(stash.slots)}}));
  if (std::optional<int64_t> offset = arena.getWorkspaceOffset())
    stage.append("workspace_offset", number(*offset));
  return stage.getDictionary(module.getContext());
}

/// Records what lies where, and the memory of the stage that needs most; of
/// equal ones that is the first.
void MemoryPlanner::recordMemory() {
  MLIRContext *context = module.getContext();
  Builder builder(context);
  auto *most =
      llvm::max_element(arenas, [](const auto &one, const auto &other) {
        return one.getBytes() < other.getBytes();
      });
  NamedAttrList memory = most->describeMemory(context);
  memory.append("largest",
                most->describeLargest(context, tensors, largestBuffers));
  if (isStaged) {
    SmallVector<Attribute> stages, memories;
    for (const StageArena &arena : arenas) {
      stages.push_back(describeStage(arena));
      memories.push_back(arena.describeMemory(context).getDictionary(context));
    }
    module->setAttr(kStagesAttr, builder.getArrayAttr(stages));
    memory.append("stages", builder.getArrayAttr(memories));
  }
  module->setAttr(kMemoryAttr, memory.getDictionary(context));
  module->setAttr(kArenaBytesAttr, builder.getI64IntegerAttr(most->getBytes()));
  module->setAttr(kTensorsAttr,
                  describeTensors(context, tensors, mesh, arenas, isStaged));
}

LogicalResult MemoryPlanner::run() {
  if (failed(collectFunctions()) || failed(collectStages()) ||
      failed(checkTotalBytes()))
    return failure();
  for (auto [stage, slot] : llvm::enumerate(slots)) {
    arenas.emplace_back(stage, slot.number + 1, alignment);
    arenas.back().placeTensors(tensors);
  }
  placeTransients();
  placeWorkspace();
  recordMemory();
  for (func::FuncOp func : functions)
    rewrite(func);
  return success();
}

/// The arena begins at a page.
static constexpr int64_t kMaxAlignment = 4096;

namespace {

struct PlanMemoryPass : boost::rt::impl::PlanMemoryPassBase<PlanMemoryPass> {
  using PlanMemoryPassBase::PlanMemoryPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (!llvm::isPowerOf2_64(alignment) || alignment > kMaxAlignment) {
      module.emitError(
          "expects an alignment that is a power of two of at most ")
          << kMaxAlignment << ", but got " << alignment.getValue();
      return signalPassFailure();
    }
    FailureOr<Mesh> mesh = Mesh::getOrOneRank(module);
    if (failed(mesh) || failed(MemoryPlanner(module, *mesh, alignment).run()))
      signalPassFailure();
  }
};

} // namespace
