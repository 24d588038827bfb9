//===- LayerProfile.cpp - What layers of a pipeline take ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Analysis/PipelinePrice.h"

#include "boost-mlir/Dialect/Boost/IR/Schedule.h"
#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::boost;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
class ProfileReader {
public:
  ProfileReader(ModuleOp module, const Mesh &mesh, const Machine &machine)
      : module(module), mesh(mesh), machine(machine) {}

  LayerProfile read();

private:
  void findCalls();
  void readFunction(func::FuncOp function);
  void readTensor(DictionaryAttr tensor);
  void readTemporaries();

  ModuleOp module;
  const Mesh &mesh;
  const Machine &machine;
  LayerProfile profile;
  /// The calls of functions of micro-batches of the main schedule.
  llvm::MapVector<Operation *, LayerCall> calls;
  /// The updates of that schedule by their layer.
  llvm::MapVector<Operation *, int64_t> updates;
  /// The values that calls keep, by their names, and the layers whose calls add
  /// to a sum.
  llvm::StringMap<LayerProfile::Kept> kept;
  llvm::StringMap<int64_t> owners;
  /// Numbers of groups by the names of their tensors or parameters.
  llvm::StringMap<int64_t> groups;
  /// The layers of each parameter.
  llvm::StringMap<size_t> spread;
};
} // namespace

/// Finds what each call of the first micro-batch computes.
void ProfileReader::findCalls() {
  SymbolTable symbols(module);
  std::map<int64_t, int64_t> works;
  for (Operation *action : getActions(findMainSchedule(module))) {
    auto call = dyn_cast<CallOp>(action);
    if (!call || call.getMicroBatch().value_or(0) != 0)
      continue;
    auto function = symbols.lookup<func::FuncOp>(call.getCallee());
    int64_t layer = getStage(function).value_or(0);
    if (call.getMicroBatch())
      calls[function] = {layer, static_cast<PipelineWork>(works[layer]++)};
    else
      updates[function] = layer;
    auto count = static_cast<size_t>(layer + 1);
    profile.layers.resize(std::max(profile.layers.size(), count));
  }
}

static void forEachName(func::FuncOp function, StringRef list,
                        function_ref<void(StringRef)> visit) {
  if (auto names = function->getAttrOfType<ArrayAttr>(list))
    for (auto name : names.getAsRange<StringAttr>())
      visit(name.getValue());
}

/// Notes the time of a call, what it keeps and what it reads.
void ProfileReader::readFunction(func::FuncOp function) {
  FunctionCost cost = getFunctionCost(function, mesh, machine);
  if (auto update = updates.find(function); update != updates.end()) {
    profile.layers[update->second].update = std::move(cost);
    return;
  }
  LayerCall call = calls.lookup(function);
  profile.layers[call.layer].works[static_cast<size_t>(call.work)] =
      getEstimate(cost);
  forEachName(function, kOutputsAttr, [&](StringRef name) {
    kept[name].producer = call;
    owners[name] = call.layer;
  });
}

static StringRef getText(DictionaryAttr tensor, StringRef field) {
  auto text = tensor.getAs<StringAttr>(field);
  return text ? text.getValue() : StringRef();
}

/// Returns the layers that a tensor of the memory plan lies on.
static SmallVector<int64_t> getLayers(DictionaryAttr tensor) {
  SmallVector<int64_t> layers;
  if (auto stages = tensor.getAs<ArrayAttr>("stages"))
    for (auto place : stages.getAsRange<ArrayAttr>())
      layers.push_back(cast<IntegerAttr>(place[0]).getInt());
  llvm::sort(layers);
  return layers;
}

void ProfileReader::readTensor(DictionaryAttr tensor) {
  StringRef name = getText(tensor, "name"), role = getText(tensor, "role");
  int64_t bytes = tensor.getAs<IntegerAttr>("bytes").getInt();
  if (role == stringifyTensorRole(TensorRole::Kept)) {
    if (auto value = kept.find(name); value != kept.end())
      value->second.bytes = bytes;
    return;
  }
  LayerProfile::Tensor entry;
  entry.bytes = bytes;
  entry.layers = getLayers(tensor);
  if (entry.layers.empty())
    return;
  entry.isFixed = role != stringifyTensorRole(TensorRole::Batch);
  entry.owner = entry.layers.front();
  StringRef group = name;
  if (role == stringifyTensorRole(TensorRole::Accumulator)) {
    if (auto owner = owners.find(name); owner != owners.end())
      entry.owner = owner->second;
    StringRef parameter = getText(tensor, "of");
    entry.isShared = spread.lookup(parameter) > 1;
    group = entry.isShared ? parameter : name;
  }
  entry.group = groups.try_emplace(group, static_cast<int64_t>(groups.size()))
                    .first->second;
  profile.tensors.push_back(std::move(entry));
}

/// Reads the memory that is in use within calls only: a stage has it besides
/// its tensors and its stash.
void ProfileReader::readTemporaries() {
  SmallVector<int64_t> lasting(profile.layers.size());
  for (const LayerProfile::Tensor &tensor : profile.tensors)
    for (int64_t layer : tensor.layers)
      lasting[layer] += tensor.bytes;
  auto stages = module->getAttrOfType<ArrayAttr>(kStagesAttr);
  for (auto [layer, stage] :
       llvm::enumerate(stages.getAsRange<DictionaryAttr>())) {
    int64_t bytes = stage.getAs<IntegerAttr>("arena_bytes").getInt();
    if (auto stash = stage.getAs<DictionaryAttr>("stash"))
      bytes -= stash.getAs<IntegerAttr>("bytes").getInt() *
               stash.getAs<IntegerAttr>("slots").getInt();
    profile.layers[layer].temporaryBytes =
        std::max<int64_t>(bytes - lasting[layer], 0);
  }
}

LayerProfile ProfileReader::read() {
  findCalls();
  for (auto &[function, call] : calls)
    readFunction(cast<func::FuncOp>(function));
  for (auto &[function, layer] : updates)
    readFunction(cast<func::FuncOp>(function));
  for (auto &entry : calls)
    forEachName(cast<func::FuncOp>(entry.first), kInputsAttr,
                [&](StringRef name) {
                  if (auto value = kept.find(name); value != kept.end())
                    value->second.readers.push_back(entry.second);
                });
  auto tensors = module->getAttrOfType<ArrayAttr>(kTensorsAttr);
  for (auto tensor : tensors.getAsRange<DictionaryAttr>())
    spread[getText(tensor, "name")] = getLayers(tensor).size();
  for (auto tensor : tensors.getAsRange<DictionaryAttr>())
    readTensor(tensor);
  for (auto &[name, value] : kept)
    if (value.bytes > 0)
      profile.kept.push_back(value);
  readTemporaries();
  return std::move(profile);
}

LayerProfile mlir::boost::readLayerProfile(ModuleOp module, const Mesh &mesh,
                                           const Machine &machine) {
  return ProfileReader(module, mesh, machine).read();
}

//===----------------------------------------------------------------------===//
// Repetition
//===----------------------------------------------------------------------===//

/// Returns the places of a layer in the longer program.
static SmallVector<int64_t> findPlaces(ArrayRef<int64_t> numbers,
                                       int64_t layer) {
  SmallVector<int64_t> places;
  for (auto [place, number] : llvm::enumerate(numbers))
    if (number == layer)
      places.push_back(static_cast<int64_t>(place));
  return places;
}

/// Returns the places of a layer that is `other` to one that is at `place`: the
/// same place, the neighbor on its side, or all.
static SmallVector<int64_t> findPlacesBeside(ArrayRef<int64_t> numbers,
                                             int64_t layer, int64_t place,
                                             int64_t other) {
  int64_t beside = place + other - layer;
  if (std::abs(other - layer) <= 1 && beside >= 0 &&
      beside < static_cast<int64_t>(numbers.size()))
    return {beside};
  return findPlaces(numbers, other);
}

LayerProfile LayerProfile::repeat(ArrayRef<int64_t> numbers) const {
  LayerProfile result;
  for (int64_t number : numbers)
    result.layers.push_back(layers[number]);
  int64_t groups = 0;
  for (const Tensor &tensor : tensors)
    groups = std::max(groups, tensor.group + 1);
  for (const Tensor &tensor : tensors) {
    if (tensor.layers.size() > 1 && !tensor.isShared) {
      Tensor &spread = result.tensors.emplace_back(tensor);
      spread.layers.clear();
      for (int64_t layer : tensor.layers)
        llvm::append_range(spread.layers, findPlaces(numbers, layer));
      spread.owner = spread.layers.front();
      continue;
    }
    for (int64_t place : findPlaces(numbers, tensor.owner)) {
      Tensor &own = result.tensors.emplace_back(tensor);
      own.owner = place;
      own.layers = {place};
      for (int64_t layer : tensor.layers)
        if (layer != tensor.owner)
          own.layers.push_back(findPlaces(numbers, layer).front());
      if (!tensor.isShared)
        own.group = groups++;
    }
  }
  for (const Kept &value : kept)
    for (int64_t place : findPlaces(numbers, value.producer.layer)) {
      Kept &own = result.kept.emplace_back(value);
      own.producer.layer = place;
      own.readers.clear();
      for (LayerCall reader : value.readers)
        for (int64_t layer : findPlacesBeside(numbers, value.producer.layer,
                                              place, reader.layer))
          own.readers.push_back({layer, reader.work});
    }
  return result;
}
