//===- SplitStages.cpp - boost-split-stages -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Divides one rank's program by the stages of a pipeline: every function into
// functions of single stages, and every schedule into the calls of these and
// the transfers between stages.
//
//===----------------------------------------------------------------------===//

#include "StageFunctions.h"
#include "StageLayout.h"
#include "StageStacks.h"
#include "StageUpdate.h"

#include "boost-mlir/Analysis/PipelineSchedule.h"
#include "boost-mlir/Dialect/Boost/IR/Choice.h"
#include "boost-mlir/Dialect/Boost/IR/Mesh.h"
#include "boost-mlir/Dialect/Boost/IR/Schedule.h"
#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"

namespace mlir::boost {
#define GEN_PASS_DEF_SPLITSTAGESPASS
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h.inc"
} // namespace mlir::boost

using namespace mlir;
using namespace mlir::boost;

namespace {
/// Writes the calls and transfers of a schedule.
class ScheduleWriter {
public:
  ScheduleWriter(ScheduleOp schedule, const StageFunctions &functions,
                 int64_t stages)
      : schedule(schedule), functions(functions), stages(stages),
        builder(OpBuilder::atBlockEnd(&schedule.getBody().front())) {}

  void clear();
  void write(const PipelineAction &action);
  void write(const PipelineTransfer &transfer);
  void writeCall(func::FuncOp function);
  void writeChoice(func::FuncOp index, ArrayRef<func::FuncOp> functions);
  void writeTransfers(ArrayRef<StringAttr> names, int64_t from, int64_t to);
  /// Writes all calls of one micro-batch after another.
  void writeInTurn();

private:
  using Place = std::pair<int64_t, int64_t>;

  void writeCall(int64_t call, int64_t microBatch);
  void writeInputs(int64_t chunk, int64_t microBatch);
  void writeKept(int64_t producer, int64_t chunk, int64_t microBatch);
  int64_t getStage(int64_t call) const {
    return functions.calls.getChunk(call) % stages;
  }
  int64_t getSlot(int64_t chunk, int64_t microBatch) const {
    return slots.lookup({chunk, microBatch});
  }
  bool keeps(int64_t call) const;

  ScheduleOp schedule;
  const StageFunctions &functions;
  int64_t stages;
  OpBuilder builder;
  /// The slot of each chunk and micro-batch, where it is known.
  DenseMap<Place, int64_t> slots;
};
} // namespace

void ScheduleWriter::clear() {
  for (Operation &op : llvm::make_early_inc_range(schedule.getBody().front()))
    op.erase();
  builder = OpBuilder::atBlockEnd(&schedule.getBody().front());
}

/// Returns true if a call has kept values among its arguments or results.
bool ScheduleWriter::keeps(int64_t call) const {
  return llvm::any_of(functions.kept, [&](const KeptValue &value) {
    return value.producer == call || value.readers.contains(call);
  });
}

/// Writes the transfer of what a call keeps for those of another chunk, if it
/// keeps anything for them.
void ScheduleWriter::writeKept(int64_t producer, int64_t chunk,
                               int64_t microBatch) {
  const StageCalls &calls = functions.calls;
  SmallVector<Attribute> names;
  for (const KeptValue &value : functions.kept)
    if (value.producer == producer &&
        llvm::any_of(value.readers, [&](int64_t reader) {
          return calls.getChunk(reader) == chunk;
        }))
      names.push_back(value.name);
  if (names.empty())
    return;
  auto number = [&](int64_t value) { return builder.getI64IntegerAttr(value); };
  int64_t from = calls.getChunk(producer);
  TransferOp::create(builder, schedule.getLoc(), builder.getArrayAttr(names),
                     number(microBatch), number(from % stages),
                     number(getSlot(from, microBatch)), number(chunk % stages),
                     number(getSlot(chunk, microBatch)));
}

/// Writes the transfers to a chunk that has not begun.
void ScheduleWriter::writeInputs(int64_t chunk, int64_t microBatch) {
  for (int64_t producer : llvm::seq(chunk))
    writeKept(producer, chunk, microBatch);
}

void ScheduleWriter::writeCall(int64_t call, int64_t microBatch) {
  if (!functions.functions[call])
    return;
  IntegerAttr slot;
  if (keeps(call))
    slot = builder.getI64IntegerAttr(
        getSlot(functions.calls.getChunk(call), microBatch));
  CallOp::create(builder, schedule.getLoc(),
                 FlatSymbolRefAttr::get(functions.functions[call]),
                 builder.getI64IntegerAttr(microBatch), slot);
}

/// Writes the call of an action, and behind a backward pass the transfers to
/// chunks that are not its neighbors.
void ScheduleWriter::write(const PipelineAction &action) {
  int64_t call = functions.calls.getCall(action.chunk, action.work);
  slots[{action.chunk, action.microBatch}] = action.slot;
  writeCall(call, action.microBatch);
  if (action.work == PipelineWork::Backward)
    for (int64_t chunk : llvm::seq(std::max<int64_t>(action.chunk - 1, 0)))
      writeKept(call, chunk, action.microBatch);
}

/// Writes a transfer between neighbors, and before the forward pass of a chunk
/// those from all chunks.
void ScheduleWriter::write(const PipelineTransfer &transfer) {
  if (transfer.work == PipelineWork::Forward) {
    slots[{transfer.chunk + 1, transfer.microBatch}] = transfer.toSlot;
    return writeInputs(transfer.chunk + 1, transfer.microBatch);
  }
  writeKept(functions.calls.getCall(transfer.chunk, transfer.work),
            transfer.chunk - 1, transfer.microBatch);
}

void ScheduleWriter::writeInTurn() {
  const StageCalls &calls = functions.calls;
  for (auto microBatch :
       llvm::seq(static_cast<int64_t>(schedule.getMicroBatches()))) {
    for (int64_t chunk : llvm::seq(calls.getNumChunks()))
      slots[{chunk, microBatch}] = chunk / stages;
    for (int64_t call : llvm::seq(calls.size())) {
      int64_t chunk = calls.getChunk(call);
      PipelineWork work = calls.getWork(call);
      if (work == PipelineWork::Forward)
        writeInputs(chunk, microBatch);
      writeCall(call, microBatch);
      if (work == PipelineWork::Backward)
        for (int64_t receiver : llvm::seq(chunk))
          writeKept(call, receiver, microBatch);
    }
  }
}

void ScheduleWriter::writeCall(func::FuncOp function) {
  CallOp::create(builder, schedule.getLoc(), FlatSymbolRefAttr::get(function),
                 IntegerAttr(), IntegerAttr());
}

void ScheduleWriter::writeChoice(func::FuncOp index,
                                 ArrayRef<func::FuncOp> functions) {
  SmallVector<Attribute> names;
  for (func::FuncOp function : functions)
    names.push_back(FlatSymbolRefAttr::get(function));
  ChooseOp::create(builder, schedule.getLoc(), FlatSymbolRefAttr::get(index),
                   builder.getArrayAttr(names));
}

void ScheduleWriter::writeTransfers(ArrayRef<StringAttr> names, int64_t from,
                                    int64_t to) {
  SmallVector<Attribute> list(names.begin(), names.end());
  TransferOp::create(builder, schedule.getLoc(), builder.getArrayAttr(list),
                     IntegerAttr(), builder.getI64IntegerAttr(from),
                     IntegerAttr(), builder.getI64IntegerAttr(to),
                     IntegerAttr());
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
/// The functions that a schedule calls.
struct ScheduledFunctions {
  func::FuncOp ofMicroBatch;
  /// None, one, or those that the schedule chooses from by `index`.
  SmallVector<func::FuncOp> updates;
  func::FuncOp index;
};

struct SplitStagesPass
    : public boost::impl::SplitStagesPassBase<SplitStagesPass> {
  using SplitStagesPassBase::SplitStagesPassBase;

  void runOnOperation() override {
    FailureOr<Mesh> mesh = Mesh::getOrOneRank(getOperation());
    if (failed(mesh))
      return signalPassFailure();
    std::optional<int16_t> axis = mesh->findAxis(kPipelineAxis);
    if (!axis || mesh->getAxisSize(*axis) == 1)
      return;
    pipelineAxis = *axis;
    stages = mesh->getAxisSize(*axis);
    if (failed(chooseLayout(*mesh)))
      return signalPassFailure();
    for (ScheduleOp schedule :
         llvm::to_vector(getOperation().getOps<ScheduleOp>()))
      if (failed(split(schedule, *mesh)))
        return signalPassFailure();
  }

private:
  LogicalResult chooseLayout(const Mesh &mesh);
  LogicalResult split(ScheduleOp schedule, const Mesh &mesh);
  FailureOr<StageFunctions> divide(ScheduleOp schedule,
                                   const ScheduledFunctions &called,
                                   AccumulatorPlaces &accumulators);
  LogicalResult splitUpdates(ScheduleWriter &writer,
                             const ScheduledFunctions &called,
                             const StageFunctions &functions,
                             const AccumulatorPlaces &accumulators,
                             const Mesh &mesh);
  LogicalResult writeCalls(ScheduleWriter &writer, ScheduleOp schedule,
                           const StageFunctions &functions);

  int16_t pipelineAxis = 0;
  int64_t stages = 1;
  /// The number of layers of each chunk.
  SmallVector<int64_t> lengths;
};
} // namespace

static FailureOr<ScheduledFunctions> findFunctions(ScheduleOp schedule) {
  ScheduledFunctions found;
  SmallVector<ChooseOp> choices = getChoices(schedule);
  ChooseOp choice = choices.empty() ? ChooseOp() : choices.front();
  auto isChosen = [&](func::FuncOp function) {
    return choice && llvm::is_contained(choice.getFunctionNames(),
                                        function.getSymNameAttr());
  };
  for (CalledFunction called : getCalledFunctions(schedule)) {
    auto function = cast<func::FuncOp>(called.function.getOperation());
    if (choice && choice.getIndex() == function.getName()) {
      found.index = function;
      continue;
    }
    func::FuncOp other = found.ofMicroBatch;
    if (!hasMicroBatch(called.function))
      other = found.updates.empty() ? func::FuncOp() : found.updates.front();
    if (other && !(isChosen(other) && isChosen(function)))
      return schedule.emitError("expects at most one function of micro-batches "
                                "and one update, but got @")
             << other.getName() << " and @" << function.getName();
    if (hasMicroBatch(called.function))
      found.ofMicroBatch = function;
    else
      found.updates.push_back(function);
  }
  if (!found.ofMicroBatch)
    return schedule.emitError("expects a function that reads the batch, but "
                              "its calls read none");
  return found;
}

/// Divides the layers in the function of micro-batches that does most, so that
/// they are on the same stages in all functions, and divides stacks alike.
LogicalResult SplitStagesPass::chooseLayout(const Mesh &mesh) {
  llvm::SetVector<func::FuncOp> functions;
  func::FuncOp main;
  SmallVector<ScheduleOp> schedules(getOperation().getOps<ScheduleOp>());
  if (ScheduleOp schedule = findMainSchedule(getOperation()))
    schedules.insert(schedules.begin(), schedule);
  for (ScheduleOp schedule : schedules) {
    FailureOr<ScheduledFunctions> called = findFunctions(schedule);
    if (failed(called))
      return failure();
    if (!main)
      main = called->ofMicroBatch;
    functions.insert(called->ofMicroBatch);
    functions.insert_range(called->updates);
  }
  if (!main)
    return success();
  FailureOr<LayerChunks> layers = assignLayers(main, layout, stages * chunks);
  if (failed(layers))
    return failure();
  lengths.assign(stages * chunks, 0);
  for (auto [layer, chunk] : *layers)
    ++lengths[chunk];
  divideStacks(functions.getArrayRef(), *layers, mesh);
  return success();
}

/// Divides the function of micro-batches.
FailureOr<StageFunctions>
SplitStagesPass::divide(ScheduleOp schedule, const ScheduledFunctions &called,
                        AccumulatorPlaces &accumulators) {
  func::FuncOp function = called.ofMicroBatch;
  bool hasUpdate = !called.updates.empty();
  bool hasBackward = llvm::any_of(function.getOps<PhaseOp>(), [](PhaseOp op) {
    return op.getPhase() == Phase::Backward;
  });
  PipelineWork last =
      hasBackward ? PipelineWork::Backward : PipelineWork::Forward;
  if (hasUpdate && order == PipelineSchedule::ZeroBubble)
    last = PipelineWork::Weights;
  StageCalls calls(stages * chunks, last);
  FailureOr<LayerChunks> layers =
      assignLayers(function, lengths, calls.getNumChunks());
  if (failed(layers))
    return failure();
  DenseMap<Operation *, int64_t> assigned =
      assignCalls(function, calls, *layers);
  if (hasUpdate)
    accumulators =
        divideAccumulators(function, called.updates, calls, assigned, stages);
  if (calls.has(PipelineWork::Weights))
    separateWeights(function, calls, assigned);
  std::string name = function.getName().str();
  auto getName = [&](int64_t call) {
    constexpr StringRef works[] = {"_forward_", "_backward_", "_weights_"};
    StringRef work = works[static_cast<size_t>(calls.getWork(call))];
    return (name + work + Twine(calls.getChunk(call))).str();
  };
  std::string prefix = ("kept." + schedule.getSymName() + ".").str();
  return divideByStages(function, calls, assigned, stages, getName, prefix);
}

/// Returns the stages on which functions read a parameter.
static llvm::MapVector<StringAttr, llvm::SmallSetVector<int64_t, 2>>
findReaders(const StageFunctions &functions) {
  llvm::MapVector<StringAttr, llvm::SmallSetVector<int64_t, 2>> readers;
  for (func::FuncOp function : functions.functions) {
    if (!function)
      continue;
    for (unsigned i : llvm::seq(function.getNumArguments()))
      if (hasRole(function, i, TensorRole::Param))
        readers[getArgTensor(function, i).getName()].insert(
            *getStage(function));
  }
  return readers;
}

/// Divides the updates, sends them the accumulators of other stages, calls one
/// of them on all stages, and sends parameters that several stages read from
/// the one that updates them to the others.
LogicalResult SplitStagesPass::splitUpdates(
    ScheduleWriter &writer, const ScheduledFunctions &called,
    const StageFunctions &functions, const AccumulatorPlaces &accumulators,
    const Mesh &mesh) {
  using Places = std::pair<int64_t, int64_t>;
  llvm::MapVector<Places, SmallVector<StringAttr>> gathered, sent;
  for (auto &[name, place] : accumulators)
    if (place.completedOn != place.updatedOn)
      gathered[{place.completedOn, place.updatedOn}].push_back(name);
  for (auto &[place, names] : gathered)
    writer.writeTransfers(names, place.first, place.second);
  FailureOr<SmallVector<SmallVector<func::FuncOp>>> updates =
      divideUpdates(called.updates, accumulators, stages, mesh, pipelineAxis);
  if (failed(updates))
    return failure();
  auto readers = findReaders(functions);
  for (int64_t from : llvm::seq(stages)) {
    SmallVector<func::FuncOp> ofStage = llvm::map_to_vector(
        *updates, [&](ArrayRef<func::FuncOp> list) { return list[from]; });
    if (called.index)
      writer.writeChoice(called.index, ofStage);
    else
      writer.writeCall(ofStage.front());
    func::FuncOp function = ofStage.front();
    for (unsigned i : llvm::seq(function.getNumResults()))
      if (TensorAttr tensor = getResultTensor(function, i);
          hasRole(tensor, TensorRole::Param))
        for (int64_t to : readers.lookup(tensor.getName()))
          if (to != from)
            sent[{from, to}].push_back(tensor.getName());
  }
  for (auto &[place, names] : sent)
    writer.writeTransfers(names, place.first, place.second);
  return success();
}

/// Writes the calls of the micro-batches, those of @train in the order that the
/// options say. Others are one micro-batch after another if the stages cannot
/// overlap them.
LogicalResult SplitStagesPass::writeCalls(ScheduleWriter &writer,
                                          ScheduleOp schedule,
                                          const StageFunctions &functions) {
  auto microBatches = static_cast<int64_t>(schedule.getMicroBatches());
  PipelineShape shape = {stages, chunks, microBatches};
  bool isTraining = schedule.getSymName() == kTrainSchedule;
  if (!isTraining && chunks > 1) {
    writer.writeInTurn();
    return success();
  }
  llvm::Expected<PipelineLists> lists =
      functions.calls.size() == shape.getNumChunks()
          ? makeForwardLists(shape)
          : makePipelineLists(
                isTraining ? order : PipelineSchedule::OneForwardOneBackward,
                shape);
  if (!lists)
    return schedule.emitError(llvm::toString(lists.takeError()));
  // A backward pass takes about twice as long as a forward pass, half of it for
  // the gradients of weights.
  PipelineCosts costs;
  bool areApart = lists->last == PipelineWork::Weights;
  costs.chunks.assign(shape.getNumChunks(), {1, areApart ? 1.0 : 2.0, 1});
  costs.boundaries.assign(shape.getNumChunks() - 1, 0);
  for (const PipelineStep &step : linearize(*lists, simulate(*lists, costs)))
    std::visit([&](const auto &entry) { writer.write(entry); }, step);
  return success();
}

LogicalResult SplitStagesPass::split(ScheduleOp schedule, const Mesh &mesh) {
  FailureOr<ScheduledFunctions> called = findFunctions(schedule);
  if (failed(called))
    return failure();
  AccumulatorPlaces accumulators;
  FailureOr<StageFunctions> functions = divide(schedule, *called, accumulators);
  if (failed(functions))
    return failure();
  ScheduleWriter writer(schedule, *functions, stages);
  writer.clear();
  if (failed(writeCalls(writer, schedule, *functions)))
    return failure();
  if (called->updates.empty())
    return success();
  return splitUpdates(writer, *called, *functions, accumulators, mesh);
}
