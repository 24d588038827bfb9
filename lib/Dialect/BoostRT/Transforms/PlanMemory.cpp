//===- PlanMemory.cpp - One arena for the whole program -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements boostrt-plan-memory. Refuses unnamed tensors and names that stand
// for different types.
//
//===----------------------------------------------------------------------===//

#include "TransientPlan.h"
#include "Utils.h"

#include "boost-mlir/Dialect/Boost/IR/Mesh.h"
#include "boost-mlir/Dialect/Boost/IR/Parts.h"
#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "boost-mlir/Dialect/BoostRT/Transforms/Passes.h"
#include "boost-mlir/Dialect/BoostRT/Utils/ArenaAllocator.h"
#include "boost-mlir/Support/Sizes.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::boost::rt {
#define GEN_PASS_DEF_PLANMEMORYPASS
#include "boost-mlir/Dialect/BoostRT/Transforms/Passes.h.inc"
} // namespace mlir::boost::rt

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::rt;

namespace {

/// A tensor that users know by name.
struct NamedTensor {
  MemRefType type;
  DictionaryAttr attrs;
  /// Functions that mention it; a result of one function lives only there.
  SmallVector<func::FuncOp, 3> functions;
  int64_t offset = 0;

  TensorAttr get() const { return getTensor(attrs); }
  bool isResult() const { return isResultRole(get().getRole()); }
  ShardingAttr getSharding() const {
    auto sharding = attrs.getAs<ShardingAttr>(kShardingAttr);
    return sharding ? sharding
                    : ShardingAttr::getReplicated(attrs.getContext(),
                                                  type.getRank());
  }
};

class ArenaPlan {
public:
  ArenaPlan(ModuleOp module, const Mesh &mesh, int64_t alignment)
      : module(module), mesh(mesh), alignment(alignment) {}
  LogicalResult run();

private:
  LogicalResult collectTensors(func::FuncOp func);
  LogicalResult addTensor(func::FuncOp func, MemRefType type,
                          DictionaryAttr attrs);
  LogicalResult checkSharding(func::FuncOp func, const NamedTensor &tensor);
  void placeTensors();
  void placeTransients();
  void placeWorkspace();
  SmallVector<BlockArgument> findOwnResults(func::FuncOp func);
  /// The number and the offset of every buffer of a function.
  using BufferTable = llvm::DenseMap<Value, std::pair<int64_t, int64_t>>;
  BufferTable numberBuffers(func::FuncOp func);
  void rewrite(func::FuncOp func);
  void recordTensors();
  void recordMemory();
  ArrayRef<LiveBuffer> getPeak() const;
  ArrayAttr describeLargest();
  DictionaryAttr describe(const NamedTensor &tensor);
  DictionaryAttr describePart(DictionaryAttr whole, const NamedTensor &tensor,
                              PartAttr part);
  int64_t place(NamedTensor &tensor, int64_t offset);

  ModuleOp module;
  const Mesh &mesh;
  int64_t alignment;
  SmallVector<func::FuncOp> functions;
  llvm::MapVector<StringAttr, NamedTensor> tensors;
  llvm::DenseMap<Operation *, TransientPlan> transients;
  llvm::StringMap<int64_t> bytesByCategory;
  /// The function that needs most memory, and numbers for its largest buffers.
  func::FuncOp largest;
  llvm::DenseMap<Value, int64_t> largestBuffers;
  /// Begin of the part that the functions share.
  int64_t sharedEnd = 0;
  int64_t arenaBytes = 0;
};

} // namespace

static StringRef spellUse(BufferUse use) {
  switch (use) {
  case BufferUse::Kept:
    return "kept";
  case BufferUse::Recomputed:
    return "recomputed";
  case BufferUse::Gradient:
    return "gradients";
  case BufferUse::Result:
    return "results";
  case BufferUse::Workspace:
    return "workspace";
  }
  llvm_unreachable("unknown use");
}

static StringAttr nameOf(func::FuncOp func, BlockArgument argument) {
  return getArgTensor(func, argument.getArgNumber()).getName();
}

LogicalResult ArenaPlan::collectTensors(func::FuncOp func) {
  for (BlockArgument argument : func.getArguments()) {
    unsigned index = argument.getArgNumber();
    auto type = dyn_cast<MemRefType>(argument.getType());
    if (!type || !type.hasStaticShape() || !type.getLayout().isIdentity())
      return func.emitOpError("expects dense memref arguments, but got ")
             << argument.getType() << " (run boostrt-bufferize first)";
    DictionaryAttr attrs = func.getArgAttrDict(index);
    if (!getTensor(attrs))
      return func.emitOpError("expects '")
             << kTensorAttr << "' on argument " << index;
    if (failed(addTensor(func, type, attrs)))
      return failure();
  }
  return success();
}

/// Functions share what has the same name: it is the same thing in all of them.
LogicalResult ArenaPlan::addTensor(func::FuncOp func, MemRefType type,
                                   DictionaryAttr attrs) {
  TensorAttr given = getTensor(attrs);
  auto [it, isNew] = tensors.try_emplace(given.getName());
  NamedTensor &tensor = it->second;
  if (isNew) {
    tensor.attrs = attrs;
    tensor.type = type;
  } else if (tensor.functions.back() == func) {
    return func.emitOpError("expects one argument for tensor ")
           << given.getName() << ", but got two";
  } else if (tensor.type != type) {
    return func.emitOpError("expects tensor ")
           << given.getName() << " to be " << tensor.type
           << " as in another function, but got " << type;
  } else if (tensor.get() != given) {
    return func.emitOpError("expects ")
           << tensor.get() << " as in another function, but got " << given;
  }
  tensor.functions.push_back(func);
  return checkSharding(func, tensor);
}

/// The runtime adds terms up, and counts the elements of all ranks.
LogicalResult ArenaPlan::checkSharding(func::FuncOp func,
                                       const NamedTensor &tensor) {
  ShardingAttr sharding = tensor.getSharding();
  if (sharding.getReduction() != Reduction::Sum)
    return func.emitOpError("expects tensor ")
           << tensor.get().getName() << " to be a partial sum, but got "
           << sharding;
  if (!mesh.getGlobalShape(tensor.type.getShape(), sharding))
    return func.emitOpError("expects fewer than 2^63 elements in each "
                            "dimension of ")
           << tensor.get().getName() << " on all ranks, but got " << tensor.type
           << " sharded as " << sharding;
  return success();
}

int64_t ArenaPlan::place(NamedTensor &tensor, int64_t offset) {
  tensor.offset = offset;
  return offset + llvm::alignTo(getDenseBytes(tensor.type), alignment);
}

/// Inputs by role, then what several functions return.
void ArenaPlan::placeTensors() {
  int64_t offset = 0;
  auto placeAll = [&](StringRef category, auto belongs) {
    int64_t start = offset;
    for (auto &[name, tensor] : tensors)
      if (belongs(tensor))
        offset = place(tensor, offset);
    bytesByCategory[category] += offset - start;
  };
  auto placeRole = [&](StringRef category, TensorRole role) {
    placeAll(category, [&](const NamedTensor &tensor) {
      return tensor.get().getRole() == role;
    });
  };
  placeAll("parameters",
           [](const NamedTensor &tensor) { return isParameter(tensor.get()); });
  auto isMaster = [](const NamedTensor &tensor) {
    return hasRole(tensor.get(), TensorRole::State) &&
           tensor.get().getKind() == kMasterKind;
  };
  placeAll("masters", isMaster);
  placeAll("optimizer", [&](const NamedTensor &tensor) {
    TensorRole role = tensor.get().getRole();
    return (role == TensorRole::State && !isMaster(tensor)) ||
           role == TensorRole::Accumulator;
  });
  placeRole("batch", TensorRole::Batch);
  placeRole("batch", TensorRole::Hyper);
  placeAll("results", [](const NamedTensor &tensor) {
    return tensor.isResult() && tensor.functions.size() > 1;
  });
  sharedEnd = offset;
}

/// The results that only this function has: they live in its own part.
SmallVector<BlockArgument> ArenaPlan::findOwnResults(func::FuncOp func) {
  return llvm::filter_to_vector(
      func.getArguments(), [&](BlockArgument argument) {
        const NamedTensor &tensor = tensors[nameOf(func, argument)];
        return tensor.isResult() && tensor.functions.size() == 1;
      });
}

/// Functions share this part of the arena: a result that only one of them has
/// is valid until the next call.
void ArenaPlan::placeTransients() {
  arenaBytes = sharedEnd;
  for (func::FuncOp func : functions) {
    SmallVector<BlockArgument> results = findOwnResults(func);
    TransientPlan &plan =
        transients.try_emplace(func, TransientPlan(func, results, alignment))
            .first->second;
    plan.run();
    for (BlockArgument result : results)
      place(tensors[nameOf(func, result)], sharedEnd + plan.getOffset(result));
    // Of equal functions the last one is taken: a step contains the gradient.
    if (sharedEnd + plan.getBytes() >= arenaBytes) {
      arenaBytes = sharedEnd + plan.getBytes();
      largest = func;
    }
  }
  arenaBytes = std::max(arenaBytes, alignment);
}

/// As many bytes as the call asks for that asks for most.
static int64_t getLargestWorkspace(ArrayRef<func::FuncOp> functions) {
  int64_t most = 0;
  for (func::FuncOp func : functions)
    for (Operation &op : func.front())
      if (auto bytes = op.getAttrOfType<IntegerAttr>(kWorkspaceBytesAttr))
        most = std::max(most, bytes.getInt());
  return most;
}

/// Places the workspace of calls after all buffers. One call of any function
/// uses it at a time.
void ArenaPlan::placeWorkspace() {
  int64_t bytes = getLargestWorkspace(functions);
  if (bytes == 0)
    return;
  int64_t offset = llvm::alignTo(arenaBytes, alignment);
  int64_t room = llvm::alignTo(bytes, alignment);
  arenaBytes = offset + room;
  bytesByCategory[spellUse(BufferUse::Workspace)] += room;
  Builder builder(module.getContext());
  module->setAttr(kWorkspaceAttr,
                  builder.getDenseI64ArrayAttr({offset, bytes}));
}

/// Numbers and places the buffers of a function, arguments first, and records
/// them. What takes over memory in place is one buffer.
ArenaPlan::BufferTable ArenaPlan::numberBuffers(func::FuncOp func) {
  Builder builder(func.getContext());
  BufferTable table;
  SmallVector<Attribute> buffers;
  SmallVector<int64_t> inputs;
  const TransientPlan &plan = transients.find(func)->second;
  llvm::DenseMap<int64_t, int64_t> bySlot;
  auto add = [&](Value memref, int64_t offset) {
    auto next = static_cast<int64_t>(buffers.size());
    int64_t slot = plan.getSlot(memref), number = next;
    if (slot >= 0)
      number = bySlot.try_emplace(slot, next).first->second;
    table[memref] = {number, offset};
    if (number == next)
      buffers.push_back(builder.getDenseI64ArrayAttr(
          {offset, getDenseBytes(cast<MemRefType>(memref.getType()))}));
  };
  for (BlockArgument argument : func.getArguments()) {
    const NamedTensor &tensor = tensors[nameOf(func, argument)];
    if (!tensor.isResult())
      inputs.push_back(argument.getArgNumber());
    add(argument, tensor.offset);
  }
  for (auto alloc : func.front().getOps<memref::AllocOp>())
    add(alloc.getResult(), sharedEnd + plan.getOffset(alloc));
  func->setAttr(kBuffersAttr, builder.getArrayAttr(buffers));
  func->setAttr(kArgumentsAttr, builder.getDenseI64ArrayAttr(inputs));
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

void ArenaPlan::rewrite(func::FuncOp func) {
  Block &body = func.front();
  unsigned numArguments = body.getNumArguments();
  BufferTable buffers = numberBuffers(func);
  auto arenaType =
      MemRefType::get({arenaBytes}, IntegerType::get(func.getContext(), 8));
  Value arena = body.addArgument(arenaType, func.getLoc());
  auto replace = [&](OpBuilder &builder, Value memref, Value whole,
                     int64_t shift = 0) {
    auto [number, offset] = buffers.lookup(whole);
    Value view =
        createArenaView(builder, memref.getLoc(), arena, offset + shift,
                        cast<MemRefType>(memref.getType()), number, shift);
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

/// As users know it: "4x16xf32".
static std::string spellTensor(MemRefType type) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (int64_t size : type.getShape())
    stream << size << 'x';
  stream << type.getElementType();
  return text;
}

static std::string spellType(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// Returns the entries of the manifest that describe a tensor.
static NamedAttrList describeContract(TensorAttr tensor) {
  Builder builder(tensor.getContext());
  NamedAttrList entry;
  entry.append("name", tensor.getName());
  entry.append("role",
               builder.getStringAttr(stringifyTensorRole(tensor.getRole())));
  auto append = [&](StringRef field, Attribute value) {
    if (value)
      entry.append(field, value);
  };
  append("kind", tensor.getKind());
  append("of", tensor.getOf());
  append("init", tensor.getInit());
  append("decay", tensor.getDecay());
  append("sample", tensor.getSample());
  append("next_sample", tensor.getNextSample());
  if (OptionAttr option = tensor.getOption()) {
    NamedAttrList fields;
    fields.append("help", option.getHelp());
    fields.append("default", option.getDefaultValue());
    for (auto [name, bound] : {std::pair("min", option.getMin()),
                               {"above", option.getAbove()},
                               {"below", option.getBelow()}})
      if (bound)
        fields.append(name, bound);
    entry.append("option", fields.getDictionary(tensor.getContext()));
  }
  if (FeedAttr feed = tensor.getFeed())
    append("feed", builder.getStringAttr(stringifyFeed(feed.getValue())));
  return entry;
}

DictionaryAttr ArenaPlan::describe(const NamedTensor &tensor) {
  Builder builder(module.getContext());
  NamedAttrList entry = describeContract(tensor.get());
  entry.append("dtype",
               builder.getStringAttr(spellType(tensor.type.getElementType())));
  ShardingAttr sharding = tensor.getSharding();
  entry.append("shape", builder.getI64ArrayAttr(*mesh.getGlobalShape(
                            tensor.type.getShape(), sharding)));
  entry.append("split", sharding.getSplitNames());
  if (!sharding.getPartialAxes().empty())
    entry.append("partial", sharding.getPartialNames());
  entry.append("offset", builder.getI64IntegerAttr(tensor.offset));
  entry.append("bytes", builder.getI64IntegerAttr(getDenseBytes(tensor.type)));
  if (Attribute limit = tensor.attrs.get(kIdLimitAttr))
    entry.append("limit", limit);
  if (Attribute microBatches = tensor.attrs.get(kMicroBatchesAttr))
    entry.append("micro_batches", microBatches);
  return entry.getDictionary(module.getContext());
}

/// A tensor that users know, inside a packed one.
DictionaryAttr ArenaPlan::describePart(DictionaryAttr whole,
                                       const NamedTensor &tensor,
                                       PartAttr part) {
  Builder builder(module.getContext());
  ArrayRef<int64_t> shape = tensor.type.getShape();
  SmallVector<int64_t> strides = getStaticStrides(tensor.type);
  int64_t elements = tensor.type.getNumElements() / shape[part.getDim()] *
                     part.getExtent(shape.size());
  int64_t width = getElementBytes(tensor.type.getElementType());
  NamedAttrList entry(whole);
  entry.set("name", part.getName());
  entry.set("packed", whole.get("name"));
  if (part.getOf())
    entry.set("of", part.getOf());
  entry.set("shape", builder.getI64ArrayAttr(part.getShape()));
  entry.set("split", builder.getArrayAttr(takePartDims(
                         whole.getAs<ArrayAttr>("split").getValue(), part)));
  entry.set("strides", builder.getI64ArrayAttr(takePartDims(strides, part)));
  entry.set("offset", builder.getI64IntegerAttr(
                          tensor.offset +
                          part.getOffset() * strides[part.getDim()] * width));
  entry.set("bytes", builder.getI64IntegerAttr(elements * width));
  if (part.getInit())
    entry.set("init", part.getInit());
  return entry.getDictionary(module.getContext());
}

void ArenaPlan::recordTensors() {
  Builder builder(module.getContext());
  SmallVector<Attribute> entries;
  for (auto &[name, tensor] : tensors) {
    DictionaryAttr whole = describe(tensor);
    SmallVector<PartAttr> parts = getParts(tensor.attrs);
    for (PartAttr part : parts)
      entries.push_back(describePart(whole, tensor, part));
    if (parts.empty())
      entries.push_back(whole);
  }
  module->setAttr(kTensorsAttr, builder.getArrayAttr(entries));
}

/// Records the buffers that are live at the peak of the function that needs
/// most memory; their parts and the unused bytes between them add up to the
/// arena.
void ArenaPlan::recordMemory() {
  Builder builder(module.getContext());
  for (const LiveBuffer &buffer : getPeak())
    bytesByCategory[spellUse(buffer.use)] += buffer.bytes;
  int64_t live = 0;
  for (const auto &category : bytesByCategory)
    live += category.second;
  NamedAttrList memory;
  auto append = [&](StringRef name, int64_t bytes) {
    memory.append(name, builder.getI64IntegerAttr(bytes));
  };
  for (StringRef name :
       {"parameters", "masters", "optimizer", "batch", "gradients", "kept",
        "recomputed", "workspace", "results"})
    append(name, bytesByCategory.lookup(name));
  append("unused", arenaBytes - live);
  append("peak", arenaBytes);
  if (largest)
    memory.append("function", largest.getSymNameAttr());
  memory.append("largest", describeLargest());
  module->setAttr(kMemoryAttr, memory.getDictionary(module.getContext()));
  module->setAttr(kArenaBytesAttr, builder.getI64IntegerAttr(arenaBytes));
}

ArrayRef<LiveBuffer> ArenaPlan::getPeak() const {
  auto it = transients.find(largest);
  return it == transients.end() ? ArrayRef<LiveBuffer>() : it->second.getPeak();
}

/// The largest of what is live at the peak. The view of an allocation among
/// them gets its number, and has the location that it comes from.
ArrayAttr ArenaPlan::describeLargest() {
  constexpr size_t count = 3;
  struct Entry {
    int64_t bytes;
    size_t index;
    StringRef what;
    Value memref;
    MemRefType type;
  };
  SmallVector<Entry> entries;
  for (auto &[name, tensor] : tensors)
    if (tensor.offset < sharedEnd)
      entries.push_back({getDenseBytes(tensor.type), entries.size(),
                         name.getValue(), Value(), tensor.type});
  for (const LiveBuffer &buffer : getPeak())
    entries.push_back({buffer.bytes, entries.size(), spellUse(buffer.use),
                       buffer.memref,
                       cast<MemRefType>(buffer.memref.getType())});
  // Equal entries keep their order.
  llvm::sort(entries, [](const Entry &a, const Entry &b) {
    return std::tie(b.bytes, a.index) < std::tie(a.bytes, b.index);
  });
  Builder builder(module.getContext());
  SmallVector<Attribute> attrs;
  for (const Entry &entry : ArrayRef(entries).take_front(count)) {
    if (entry.memref)
      largestBuffers[entry.memref] = attrs.size();
    NamedAttrList fields;
    fields.append("bytes", builder.getI64IntegerAttr(entry.bytes));
    fields.append("type", builder.getStringAttr(spellTensor(entry.type)));
    fields.append("what", builder.getStringAttr(entry.what));
    attrs.push_back(fields.getDictionary(module.getContext()));
  }
  return builder.getArrayAttr(attrs);
}

/// No offset in the arena overflows, not even if no two buffers shared memory.
static LogicalResult checkTotalBytes(ArrayRef<func::FuncOp> functions,
                                     int64_t alignment) {
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
    return success();
  func::FuncOp first = functions.front();
  return first.emitError() << "expects an arena of fewer than 2^63 bytes, but "
                              "calls ask for a workspace of "
                           << workspace;
}

LogicalResult ArenaPlan::run() {
  for (auto func : module.getOps<func::FuncOp>())
    if (!func.isDeclaration())
      functions.push_back(func);
  for (func::FuncOp func : functions) {
    if (!func.getBody().hasOneBlock())
      return func.emitOpError("expects one block of straight-line code");
    if (failed(collectTensors(func)))
      return failure();
  }
  if (failed(checkTotalBytes(functions, alignment)))
    return failure();
  placeTensors();
  placeTransients();
  placeWorkspace();
  recordTensors();
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
    if (failed(mesh) || failed(ArenaPlan(module, *mesh, alignment).run()))
      signalPassFailure();
  }
};

} // namespace
