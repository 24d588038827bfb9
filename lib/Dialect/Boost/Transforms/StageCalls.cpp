//===- StageCalls.cpp - The calls that a function is divided into ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StageCalls.h"

#include "boost-mlir/Dialect/Boost/IR/Layers.h"
#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::boost;

//===----------------------------------------------------------------------===//
// Operations that join tensors
//===----------------------------------------------------------------------===//

bool mlir::boost::isDivisible(Operation *op) {
  if (isa<stablehlo::OptimizationBarrierOp>(op))
    return true;
  auto collective = dyn_cast<CollectiveOpInterface>(op);
  return collective && collective.isMergeable();
}

/// Returns the entries of a list at these positions.
static SmallVector<int64_t> pick(ArrayRef<int64_t> list,
                                 ArrayRef<unsigned> positions) {
  return llvm::map_to_vector(positions, [&](unsigned i) { return list[i]; });
}

SmallVector<Operation *> mlir::boost::divide(Operation *op,
                                             ArrayRef<int64_t> groups) {
  llvm::MapVector<int64_t, SmallVector<unsigned>> members;
  for (auto [i, group] : llvm::enumerate(groups))
    members[group].push_back(i);
  if (members.size() == 1)
    return {op};
  SmallVector<Operation *> parts;
  OpBuilder builder(op);
  for (auto &[group, positions] : members) {
    OperationState state(op->getLoc(), op->getName());
    state.addAttributes(op->getAttrs());
    for (unsigned i : positions) {
      state.addOperands(op->getOperand(i));
      state.addTypes(op->getResult(i).getType());
    }
    // Collectives that split or join have a dimension for each tensor.
    if (auto dims = op->getAttrOfType<DenseI64ArrayAttr>("dims"))
      state.attributes.set("dims",
                           builder.getDenseI64ArrayAttr(pick(dims, positions)));
    Operation *part = builder.create(state);
    for (auto [result, i] : llvm::zip_equal(part->getResults(), positions))
      op->getResult(i).replaceAllUsesWith(result);
    parts.push_back(part);
  }
  op->erase();
  return parts;
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

static bool beginsBackward(Operation &op) {
  auto phase = dyn_cast<PhaseOp>(op);
  return phase && phase.getPhase() == Phase::Backward;
}

LayerChunks mlir::boost::findLayerOrder(func::FuncOp function) {
  llvm::SetVector<LayerAttr> found;
  for (Operation &op : function.front()) {
    if (beginsBackward(op))
      break;
    if (LayerAttr layer = getLayer(&op))
      found.insert(layer);
  }
  SmallVector<LayerAttr> sorted = found.takeVector();
  llvm::sort(sorted, [](LayerAttr one, LayerAttr other) {
    return one.getIndex() < other.getIndex();
  });
  LayerChunks layers;
  for (LayerAttr layer : sorted)
    layers.insert({layer, 0});
  return layers;
}

//===----------------------------------------------------------------------===//
// Assignment
//===----------------------------------------------------------------------===//

namespace {
class CallAssignment {
public:
  CallAssignment(func::FuncOp function, const StageCalls &calls,
                 const LayerChunks &layers)
      : function(function), calls(calls), layers(layers) {}

  void run();
  DenseMap<Operation *, int64_t> take() { return std::move(assigned); }

private:
  /// What a value that no call computes depends on.
  enum Source : uint8_t { Constants = 0, Batch = 1, Parameters = 2, Both = 3 };

  std::optional<int64_t> getCall(Value value) const;
  int64_t getCall(int64_t chunk) const;
  int64_t getReader(int64_t call) const;
  uint8_t getSources(Value value) const;
  std::optional<int64_t> getCallByLayer(Operation *op) const;
  std::optional<int64_t> getCallByOperands(Operation *op) const;
  std::optional<int64_t> getCallOf(Operation *op);
  void visit(Operation *op);
  void divideByCall(Operation *op);
  void assignByReaders();
  void assignProbes();
  Value findOriginal(Value value);
  Value computeOriginal(Value value);
  Operation *findForward(Operation *recomputed, ArrayRef<Value> operands) const;
  void readOriginals(Operation *op, int64_t call);
  void eraseUnread();

  func::FuncOp function;
  const StageCalls &calls;
  const LayerChunks &layers;
  bool isBackward = false;
  DenseMap<Operation *, int64_t> assigned;
  /// Of operations without a call.
  DenseMap<Operation *, uint8_t> sources;
  /// The operations of the backward pass.
  DenseSet<Operation *> backward;
  /// What findOriginal returned.
  DenseMap<Value, Value> originals;
};
} // namespace

std::optional<int64_t> CallAssignment::getCall(Value value) const {
  auto known = assigned.find(value.getDefiningOp());
  return known == assigned.end() ? std::nullopt : std::optional(known->second);
}

/// Returns the call of a chunk in the pass that is visited.
int64_t CallAssignment::getCall(int64_t chunk) const {
  return calls.getCall(chunk, isBackward ? PipelineWork::Backward
                                         : PipelineWork::Forward);
}

/// Returns the call of an operation that reads values of a call: in the
/// backward pass those of the forward pass are read by the same chunk.
int64_t CallAssignment::getReader(int64_t call) const {
  bool isOfForward = calls.getWork(call) == PipelineWork::Forward;
  return isBackward && isOfForward ? getCall(calls.getChunk(call)) : call;
}

uint8_t CallAssignment::getSources(Value value) const {
  if (Operation *op = value.getDefiningOp())
    return sources.lookup(op);
  TensorAttr tensor =
      getArgTensor(function, cast<BlockArgument>(value).getArgNumber());
  return hasRole(tensor, TensorRole::Batch) ? Batch : Parameters;
}

std::optional<int64_t> CallAssignment::getCallByLayer(Operation *op) const {
  auto chunk = layers.find(getLayer(op));
  if (chunk == layers.end())
    return std::nullopt;
  return getCall(chunk->second);
}

/// Returns the first call in which all operands are known; in the backward
/// pass, the backward call of the chunk that an operand of the forward pass is
/// from.
std::optional<int64_t> CallAssignment::getCallByOperands(Operation *op) const {
  std::optional<int64_t> last;
  for (Value operand : op->getOperands())
    last = std::max(last, getCall(operand));
  return last ? std::optional(getReader(*last)) : std::nullopt;
}

/// Returns the call of the layer of an operation, or a later one if an operand
/// is known only then.
std::optional<int64_t> CallAssignment::getCallOf(Operation *op) {
  std::optional<int64_t> call = getCallByLayer(op);
  if (!call)
    return getCallByOperands(op);
  readOriginals(op, *call);
  for (Value operand : op->getOperands())
    call = std::max(call, getCall(operand));
  return call;
}

/// Divides an operation by the calls that its operands are from.
void CallAssignment::divideByCall(Operation *op) {
  std::optional<int64_t> byLayer = getCallByLayer(op);
  SmallVector<int64_t> groups;
  for (Value operand : op->getOperands()) {
    std::optional<int64_t> call = getCall(operand);
    call = call ? std::optional(getReader(*call)) : byLayer;
    groups.push_back(call.value_or(-1));
  }
  for (Operation *part : divide(op, groups)) {
    if (isBackward)
      backward.insert(part);
    std::optional<int64_t> call = getCallByOperands(part);
    if (!call)
      call = byLayer;
    if (call)
      assigned[part] = *call;
    else
      for (Value operand : part->getOperands())
        sources[part] |= getSources(operand);
  }
}

void CallAssignment::visit(Operation *op) {
  if (isDivisible(op))
    return divideByCall(op);
  if (isBackward)
    backward.insert(op);
  if (op->hasTrait<OpTrait::ConstantLike>())
    return;
  if (std::optional<int64_t> call = getCallOf(op)) {
    assigned[op] = *call;
    return;
  }
  uint8_t &own = sources[op];
  for (Value operand : op->getOperands())
    own |= getSources(operand);
}

/// Assigns operations before the first layer, such as the embedding, to the
/// first call that reads them.
void CallAssignment::assignByReaders() {
  for (Operation &op : llvm::reverse(function.front())) {
    if (assigned.contains(&op) || sources.lookup(&op) != Both ||
        isa<ProbeOp>(op))
      continue;
    PipelineWork work =
        backward.contains(&op) ? PipelineWork::Backward : PipelineWork::Forward;
    // The last call of this pass.
    int64_t first = (static_cast<int64_t>(work) + 1) * calls.getNumChunks() - 1;
    for (Operation *user : op.getUsers())
      if (auto call = assigned.find(user); call != assigned.end())
        first = std::min(first, call->second);
    assigned[&op] = first;
  }
}

/// Lets a tensor that is computed wherever it is read be shown where that is
/// first, or by the last call if none reads it, as results are.
void CallAssignment::assignProbes() {
  for (ProbeOp probe : function.getOps<ProbeOp>()) {
    if (assigned.contains(probe))
      continue;
    std::optional<int64_t> call = getCall(probe.getInput());
    if (!call)
      call = findReaders(probe.getInput(), assigned).first;
    assigned[probe] = call.value_or(calls.size() - 1);
  }
}

//===----------------------------------------------------------------------===//
// Recomputed values
//===----------------------------------------------------------------------===//

/// Returns the operation of the forward pass of which `recomputed` is a copy,
/// on these operands.
Operation *CallAssignment::findForward(Operation *recomputed,
                                       ArrayRef<Value> operands) const {
  if (operands.empty())
    return nullptr;
  auto isSame = [&](Operation *op) {
    if (op->getName() != recomputed->getName() || backward.contains(op) ||
        !llvm::equal(op->getOperands(), operands) ||
        op->getResultTypes() != recomputed->getResultTypes())
      return false;
    NamedAttrList one(op->getAttrs()), other(recomputed->getAttrs());
    for (StringRef name : {kRecomputedAttr, kComponentAttr, kLayerAttr}) {
      one.erase(name);
      other.erase(name);
    }
    return one == other;
  };
  for (Operation *user : operands.front().getUsers())
    if (isSame(user))
      return user;
  return nullptr;
}

/// Returns the value of the forward pass that a value of the backward pass
/// repeats, or the value itself.
Value CallAssignment::findOriginal(Value value) {
  if (auto known = originals.find(value); known != originals.end())
    return known->second;
  Value original = computeOriginal(value);
  originals[value] = original;
  return original;
}

Value CallAssignment::computeOriginal(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || !backward.contains(op))
    return value;
  unsigned number = cast<OpResult>(value).getResultNumber();
  if (isa<stablehlo::OptimizationBarrierOp>(op))
    return findOriginal(op->getOperand(number));
  if (!op->hasAttr(kRecomputedAttr))
    return value;
  SmallVector<Value> operands = llvm::map_to_vector(
      op->getOperands(), [&](Value operand) { return findOriginal(operand); });
  Operation *forward = findForward(op, operands);
  return forward ? forward->getResult(number) : value;
}

/// Lets an operation read values as the forward pass computed them where its
/// call would have to wait until another chunk has computed them again.
void CallAssignment::readOriginals(Operation *op, int64_t call) {
  for (OpOperand &operand : op->getOpOperands())
    if (getCall(operand.get()) > call)
      operand.set(findOriginal(operand.get()));
}

/// Erases what nobody reads, such as what is recomputed for nobody any more.
void CallAssignment::eraseUnread() {
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(function.front()))) {
    bool isPure =
        isMemoryEffectFree(&op) || isa<stablehlo::OptimizationBarrierOp>(op);
    if (op.getNumResults() == 0 || !op.use_empty() || !isPure)
      continue;
    assigned.erase(&op);
    backward.erase(&op);
    op.erase();
  }
}

void CallAssignment::run() {
  for (Operation &op :
       llvm::make_early_inc_range(function.front().without_terminator())) {
    if (isa<PhaseOp>(op))
      isBackward |= beginsBackward(op);
    else
      visit(&op);
  }
  assignByReaders();
  eraseUnread();
  assignProbes();
}

DenseMap<Operation *, int64_t>
mlir::boost::assignCalls(func::FuncOp function, const StageCalls &calls,
                         const LayerChunks &layers) {
  CallAssignment assignment(function, calls, layers);
  assignment.run();
  return assignment.take();
}

Readers
mlir::boost::findReaders(Value value,
                         const DenseMap<Operation *, int64_t> &assigned) {
  Readers readers;
  llvm::SetVector<Value> pending;
  pending.insert(value);
  for (size_t next = 0; next < pending.size(); ++next)
    for (Operation *user : pending[next].getUsers()) {
      auto known = assigned.find(user);
      if (known == assigned.end()) {
        pending.insert_range(user->getResults());
        continue;
      }
      std::optional<int64_t> call = known->second;
      readers.first = readers.first ? std::min(readers.first, call) : call;
      readers.last = std::max(readers.last, call);
    }
  return readers;
}
