//===- StageArena.cpp - The arena of the ranks of a stage -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors that a function of every stage mentions come first, so that they are
// at the same place everywhere.
//
//===----------------------------------------------------------------------===//

#include "StageArena.h"
#include "Utils.h"

#include "boost-mlir/Dialect/Boost/IR/Constants.h"
#include "boost-mlir/Dialect/BoostRT/IR/BoostRT.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::rt;

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
  case BufferUse::Temporary:
    return "temporaries";
  }
  llvm_unreachable("unknown use");
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

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

int64_t StageArena::getRoomFor(const NamedTensor &tensor) const {
  return llvm::alignTo(getDenseBytes(tensor.type), alignment);
}

void StageArena::placeTensors(NamedTensors &tensors) {
  placeTensors(tensors, /*onEveryStage=*/true);
  placeTensors(tensors, /*onEveryStage=*/false);
  placeStash(tensors);
  bytes = sharedEnd;
}

/// Places inputs by role, then what several functions return.
void StageArena::placeTensors(NamedTensors &tensors, bool onEveryStage) {
  auto placeAll = [&](StringRef category, auto belongs) {
    int64_t start = sharedEnd;
    for (auto &[name, tensor] : tensors)
      if (belongs(tensor) && tensor.isOnEveryStage() == onEveryStage &&
          tensor.isOn(stage)) {
        tensor.offsets[stage] = sharedEnd;
        sharedEnd += getRoomFor(tensor);
      }
    bytesByCategory[category] += sharedEnd - start;
  };
  auto placeRole = [&](StringRef category, TensorRole role) {
    placeAll(category, [&](const NamedTensor &tensor) {
      return tensor.get().getRole() == role;
    });
  };
  placeAll("parameters", [](const NamedTensor &tensor) {
    return isParameter(tensor.get()) && !isConstant(tensor.get());
  });
  placeAll("constants",
           [](const NamedTensor &tensor) { return isConstant(tensor.get()); });
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
  placeAll("results", [&](const NamedTensor &tensor) {
    return tensor.isResult() && tensor.isShared(stage);
  });
}

/// The kept tensors of a schedule lie behind each other in every slot. Those of
/// other schedules may lie there too, since one schedule runs at a time.
void StageArena::placeStash(NamedTensors &tensors) {
  llvm::DenseMap<Operation *, int64_t> ends;
  for (auto &[name, tensor] : tensors) {
    if (!tensor.isKept() || !tensor.isOn(stage))
      continue;
    SmallVector<Operation *> users(tensor.schedules.getArrayRef());
    // Functions that nothing calls are treated as those of one schedule.
    if (users.empty())
      users.push_back(nullptr);
    int64_t offset = 0;
    for (Operation *user : users)
      offset = std::max(offset, ends.lookup(user));
    tensor.offsets[stage] = offset;
    int64_t end = offset + getRoomFor(tensor);
    for (Operation *user : users)
      ends[user] = end;
    stash.bytes = std::max(stash.bytes, end);
    stash.slots = slots;
  }
  stash.offset = sharedEnd;
  sharedEnd += stash.slots * stash.bytes;
  bytesByCategory[spellUse(BufferUse::Kept)] += stash.slots * stash.bytes;
}

void StageArena::addFunction(func::FuncOp function, const TransientPlan &plan,
                             int64_t begin) {
  functions.push_back(function);
  // Of equal functions the last one is taken: a step contains the gradient.
  if (begin + plan.getBytes() >= bytes) {
    bytes = begin + plan.getBytes();
    largest = function;
    largestPlan = &plan;
  }
}

int64_t rt::getLargestWorkspace(ArrayRef<func::FuncOp> functions) {
  int64_t most = 0;
  for (func::FuncOp function : functions)
    for (Operation &op : function.front())
      if (auto bytes = op.getAttrOfType<IntegerAttr>(kWorkspaceBytesAttr))
        most = std::max(most, bytes.getInt());
  return most;
}

/// One call of any function uses it at a time.
void StageArena::placeWorkspace(int64_t workspaceBytes) {
  bytes = std::max(bytes, alignment);
  if (getLargestWorkspace(functions) == 0)
    return;
  workspaceOffset = llvm::alignTo(bytes, alignment);
  int64_t room = llvm::alignTo(workspaceBytes, alignment);
  bytes = *workspaceOffset + room;
  bytesByCategory[spellUse(BufferUse::Temporary)] += room;
}

int64_t StageArena::getPlace(const NamedTensor &tensor) const {
  int64_t offset = tensor.offsets.at(stage);
  return tensor.isKept() ? stash.offset + offset : offset;
}

//===----------------------------------------------------------------------===//
// What the memory is for
//===----------------------------------------------------------------------===//

ArrayRef<LiveBuffer> StageArena::getPeak() const {
  return largestPlan ? largestPlan->getPeak() : ArrayRef<LiveBuffer>();
}

NamedAttrList StageArena::describeMemory(MLIRContext *context) const {
  Builder builder(context);
  llvm::StringMap<int64_t> categories = bytesByCategory;
  for (const LiveBuffer &buffer : getPeak())
    categories[spellUse(buffer.use)] += buffer.bytes;
  int64_t live = 0;
  for (const auto &category : categories)
    live += category.second;
  NamedAttrList memory;
  auto append = [&](StringRef name, int64_t bytesOfIt) {
    memory.append(name, builder.getI64IntegerAttr(bytesOfIt));
  };
  for (StringRef name :
       {"parameters", "masters", "optimizer", "batch", "gradients", "kept",
        "recomputed", "temporaries", "results"})
    append(name, categories.lookup(name));
  if (int64_t constants = categories.lookup("constants"))
    append("constants", constants);
  append("unused", bytes - live);
  append("peak", bytes);
  if (largest)
    memory.append("function", func::FuncOp(largest).getSymNameAttr());
  return memory;
}

ArrayAttr
StageArena::describeLargest(MLIRContext *context, const NamedTensors &tensors,
                            llvm::DenseMap<Value, int64_t> &numbers) const {
  constexpr size_t count = 3;
  struct Entry {
    int64_t bytes;
    size_t index;
    StringRef what;
    Value memref;
    MemRefType type;
  };
  SmallVector<Entry> entries;
  for (const auto &[name, tensor] : tensors)
    if (tensor.isOn(stage) && tensor.isShared(stage))
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
  Builder builder(context);
  SmallVector<Attribute> attrs;
  for (const Entry &entry : ArrayRef(entries).take_front(count)) {
    if (entry.memref)
      numbers[entry.memref] = attrs.size();
    NamedAttrList fields;
    fields.append("bytes", builder.getI64IntegerAttr(entry.bytes));
    fields.append("type", builder.getStringAttr(spellTensor(entry.type)));
    fields.append("what", builder.getStringAttr(entry.what));
    attrs.push_back(fields.getDictionary(context));
  }
  return builder.getArrayAttr(attrs);
}
