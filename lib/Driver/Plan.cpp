//===- Plan.cpp - What a compiled program will do, as JSON ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the attributes that the passes of the runtime level leave and the
// collectives of every function.
//
//===----------------------------------------------------------------------===//

#include "ProgramJson.h"
#include "boost-mlir/Analysis/CostModel.h"
#include "boost-mlir/Analysis/KernelBytes.h"
#include "boost-mlir/Analysis/MemoryPlan.h"
#include "boost-mlir/Dialect/Boost/IR/Choice.h"
#include "boost-mlir/Dialect/Boost/IR/Layers.h"
#include "boost-mlir/Dialect/Boost/IR/Schedule.h"
#include "boost-mlir/Dialect/BoostRT/IR/BoostRT.h"
#include "boost-mlir/Interfaces/CostModelOpInterface.h"
#include "boost-mlir/Support/TensorTypes.h"
#include "boost-mlir/Support/UserLines.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::boost;

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

static std::string nameElementType(Type type) {
  std::string name;
  llvm::raw_string_ostream(name) << getElementTypeOrSelf(type);
  return name;
}

namespace {

/// Lists the collectives of a program in the order of their sites.
class CollectiveList {
public:
  CollectiveList(const Mesh &mesh, const Machine *machine)
      : mesh(mesh), machine(machine) {}

  /// Appends a collective; fails, with an error, if it is not numbered.
  LogicalResult add(CollectiveOpInterface op, StringRef function);
  const Json &get() const { return list; }

private:
  std::string makeName(Operation *op, StringRef function, StringRef kind);

  const Mesh &mesh;
  const Machine *machine;
  Json list = Json::array();
  llvm::StringMap<int64_t> names;
};

} // namespace

/// As in "step.forward.layer2.all_reduce.1", counted from 0.
std::string CollectiveList::makeName(Operation *op, StringRef function,
                                     StringRef kind) {
  LayerAttr layer = getLayer(op);
  std::string name =
      (function + "." + getText(op, kPhaseAttr, "forward") + ".").str();
  name += layer ? "layer" + std::to_string(layer.getIndex())
                : getText(op, kComponentAttr, kBlockComponent).str();
  name += ("." + kind).str();
  return name + "." + std::to_string(names[name]++);
}

/// One launch is one entry: its elements and bytes are the sums over its
/// tensors, which are listed too.
LogicalResult CollectiveList::add(CollectiveOpInterface op,
                                  StringRef function) {
  auto group = cast<RankGroupOpInterface>(op.getOperation());
  // Counters in the binary find the entry by its index.
  std::optional<uint32_t> site = op.getSite();
  if (!site || *site != list.size())
    return op->emitOpError("expects its place among the collectives as site; "
                           "run boostrt-number-collectives");
  int64_t elements = 0, bytes = 0;
  std::string elementType;
  Json tensors = Json::array();
  for (Value value : group.getSources()) {
    auto type = cast<ShapedType>(value.getType());
    elements += type.getNumElements();
    bytes += getDenseBytes(type);
    std::string name = nameElementType(type);
    bool isFirst = tensors.empty();
    elementType = isFirst || elementType == name ? name : "mixed";
    tensors.push_back({{"elements", type.getNumElements()}, {"dtype", name}});
  }
  LayerAttr layer = getLayer(op);
  StringRef kind = stringifyCollectiveKind(op.getKind());
  Json entry = {
      {"site", *site},
      {"name", makeName(op, function, kind)},
      {"function", function.str()},
      {"kind", kind.str()},
      {"axis", mesh.describe(group.getGroupAxes(), ",")},
      {"elements", elements},
      {"bytes", bytes},
      {"dtype", elementType},
      {"tensors", tensors},
      {"phase", getText(op, kPhaseAttr, "forward").str()},
      {"component", getText(op, kComponentAttr, kBlockComponent).str()},
      {"layer", layer ? Json(layer.getIndex()) : Json()},
      {"count", 1},
      {"location", describeUserLine(op->getLoc())}};
  if (machine) {
    double seconds = machine->getSeconds(
        cast<CostModelOpInterface>(op.getOperation()).getCost(mesh));
    entry["seconds"] = seconds;
    // Computing waits for every collective.
    entry["exposed_seconds"] = seconds;
  }
  list.push_back(std::move(entry));
  return success();
}

/// The class of every layer, in order.
static std::vector<int64_t> getLayerKinds(ModuleOp module) {
  std::map<int64_t, int64_t> classes;
  module.walk([&](Operation *op) {
    if (LayerAttr layer = getLayer(op))
      classes[layer.getIndex()] = layer.getKind();
  });
  std::vector<int64_t> list;
  list.reserve(classes.size());
  for (auto [index, kind] : classes)
    list.push_back(kind);
  return list;
}

static FailureOr<Json> describeCollectives(ModuleOp module, const Mesh &mesh,
                                           const Machine *machine) {
  CollectiveList list(mesh, machine);
  for (func::FuncOp function : getFunctions(module)) {
    WalkResult result = function.walk([&](CollectiveOpInterface op) {
      return WalkResult(list.add(op, function.getName()));
    });
    if (result.wasInterrupted())
      return failure();
  }
  return list.get();
}

namespace {
/// The messages that send a tensor of the program: one with all of it, or one
/// for each of its parts.
struct SentTensor {
  int64_t parts = 0, bytes = 0;
};
} // namespace

/// Returns the tensors of a rank. Those that are parts of one add up.
static llvm::StringMap<SentTensor> getSentTensors(ModuleOp module) {
  llvm::StringMap<SentTensor> sent;
  auto tensors = module->getAttrOfType<ArrayAttr>(kTensorsAttr);
  for (auto tensor : tensors.getAsRange<DictionaryAttr>()) {
    auto name = tensor.getAs<StringAttr>("packed");
    if (!name)
      name = tensor.getAs<StringAttr>("name");
    SentTensor &each = sent[name.getValue()];
    ++each.parts;
    if (auto size = tensor.getAs<IntegerAttr>("bytes"))
      each.bytes += size.getInt();
  }
  return sent;
}

/// Describes what each pipeline stage sends to others when a schedule runs.
static Json describeSends(ModuleOp module) {
  llvm::StringMap<SentTensor> tensors = getSentTensors(module);
  Json list = Json::array();
  for (auto schedule : module.getOps<ScheduleOp>()) {
    std::map<std::pair<uint64_t, uint64_t>, std::pair<int64_t, int64_t>> sums;
    for (Operation *action : getActions(schedule)) {
      auto transfer = dyn_cast<TransferOp>(action);
      if (!transfer)
        continue;
      auto &[count, sum] = sums[{transfer.getFrom(), transfer.getTo()}];
      for (StringAttr name : transfer.getNames()) {
        SentTensor sent = tensors.lookup(name.getValue());
        count += sent.parts;
        sum += sent.bytes;
      }
    }
    for (auto [stages, sum] : sums)
      list.push_back({{"schedule", schedule.getSymName().str()},
                      {"from", stages.first},
                      {"to", stages.second},
                      {"count", sum.first},
                      {"bytes", sum.second}});
  }
  return list;
}

/// Lists the functions that schedules choose from.
static Json describeChoices(ModuleOp module) {
  Json list = Json::array();
  for (auto schedule : module.getOps<ScheduleOp>())
    for (ChooseOp choice : getChoices(schedule)) {
      Json functions = Json::array();
      for (StringAttr name : choice.getFunctionNames())
        functions.push_back(name.str());
      list.push_back({{"schedule", schedule.getSymName().str()},
                      {"index", choice.getIndex().str()},
                      {"functions", functions}});
    }
  return list;
}

/// Calls of the runtime that each function makes once, by operation.
static Json countLaunches(ModuleOp module) {
  Json launches = Json::object();
  for (func::FuncOp function : getFunctions(module)) {
    int64_t total = 0;
    std::map<std::string, int64_t> calls;
    function.walk([&](Operation *op) {
      if (!isa<rt::BoostRTDialect>(op->getDialect()))
        return;
      ++total;
      ++calls[op->getName().stripDialect().str()];
    });
    Json &counts = launches[function.getName().str()] = {{"total", total}};
    for (auto &[name, count] : calls)
      counts[name] = count;
  }
  return launches;
}

/// Describes the bytes that the kernels of each function move, and must move.
static Json describeKernels(ModuleOp module) {
  Json kernels = Json::object();
  for (func::FuncOp function : getFunctions(module)) {
    KernelBytes bytes = countKernelBytes(function);
    kernels[function.getName().str()] = {{"bytes", bytes.moved},
                                         {"needed_bytes", bytes.needed},
                                         {"carried_bytes", bytes.carried}};
  }
  return kernels;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static Json describeMemory(ModuleOp module, DictionaryAttr memory) {
  Json json = toJson(memory);
  double peak = json["peak"].get<double>();
  json["fragmentation"] = json["unused"].get<double>() / peak;
  func::FuncOp function = getLargestFunction(module, memory);
  if (auto largest = json.find("largest"); largest != json.end())
    for (auto &[number, location] : getLargestLocations(function))
      if (number < static_cast<int64_t>(largest->size()))
        (*largest)[number]["location"] = location;
  ArrayRef<int64_t> kept = getKeptBytes(function);
  if (!kept.empty())
    json["kept_by"] = {
        {"outside", kept.front()},
        {"layers", std::vector<int64_t>(kept.begin() + 1, kept.end())}};
  return json;
}

//===----------------------------------------------------------------------===//
// Plan
//===----------------------------------------------------------------------===//

/// The classes of operations in their order, whose seconds add up.
static Json describeClasses(const ClassCosts &costs) {
  Json classes = Json::object();
  for (const auto &[kind, sum] : costs)
    classes[getName(kind)] = {{"calls", sum.calls},
                              {"flops", sum.flops},
                              {"memory_bytes", sum.memoryBytes},
                              {"network_bytes", sum.networkBytes},
                              {"seconds", sum.seconds}};
  return classes;
}

/// Describes the seconds of a step by class of layers; null stands for
/// operations outside of layers.
static Json describeLayerSeconds(const StepCost &step,
                                 ArrayRef<int64_t> kinds) {
  Json list = Json::array();
  for (auto [kind, seconds] : step.getLayerSeconds())
    list.push_back({{"class", kind == kOutsideOfLayers ? Json() : Json(kind)},
                    {"layers", llvm::count(kinds, kind)},
                    {"seconds", seconds}});
  return list;
}

/// Lists the calls of each stage of a pipeline with their times.
static Json describeTimeline(const StepCost &step) {
  Json stages = Json::array();
  for (size_t stage = 0; stage < step.stages.size(); ++stage)
    stages.push_back(Json::array());
  for (const TimedCall &call : step.timeline) {
    Json entry = {{"function", func::FuncOp(call.function).getName().str()},
                  {"begin", call.begin},
                  {"end", call.end}};
    if (call.microBatch)
      entry["micro_batch"] = *call.microBatch;
    stages[call.stage].push_back(std::move(entry));
  }
  return stages;
}

/// A step as the sum of its parts, and every function.
static Json predict(ModuleOp module, const Mesh &mesh, const Machine &machine,
                    ArrayRef<int64_t> layers) {
  StepCost step = getStepCost(module, mesh, machine);
  Json parts = Json::array(), functions = Json::object();
  for (StepPart &part : step.parts)
    parts.push_back({{"function", part.function.getName().str()},
                     {"count", part.count},
                     {"seconds", part.getSeconds()}});
  for (func::FuncOp function : getFunctions(module)) {
    FunctionCost cost = getFunctionCost(function, mesh, machine);
    Json phases = Json::object();
    for (const auto &[phase, classes] : cost.phases)
      phases[stringifyPhase(phase).str()] = describeClasses(classes);
    functions[function.getName().str()] = {
        {"seconds", cost.getSeconds()},
        {"classes", describeClasses(cost.classes)},
        {"phases", phases}};
  }
  Json predicted = {{"seconds", step.getSeconds()},
                    {"machine", machine.name},
                    {"parts", parts},
                    {"layers", describeLayerSeconds(step, layers)},
                    {"functions", functions}};
  if (!step.stages.empty()) {
    predicted["stages"] =
        std::vector<double>(step.stages.begin(), step.stages.end());
    predicted["timeline"] = describeTimeline(step);
  }
  return predicted;
}

FailureOr<Json> mlir::boost::makePlan(ModuleOp module, const Machine *machine) {
  auto memory = module->getAttrOfType<DictionaryAttr>(kMemoryAttr);
  if (!memory)
    return module.emitError("expects a memory plan; run boostrt-plan-memory");
  FailureOr<Mesh> mesh = Mesh::getOrOneRank(module);
  if (failed(mesh))
    return failure();
  FailureOr<Json> collectives = describeCollectives(module, *mesh, machine);
  if (failed(collectives))
    return failure();
  Json axes = Json::object();
  for (auto [name, size] : llvm::zip_equal(mesh->getNames(), mesh->getSizes()))
    axes[name] = size;
  std::vector<int64_t> layers = getLayerKinds(module);
  Json plan = {{"mesh", axes},
               {"layers", layers},
               {"collectives", *collectives},
               {"launches", countLaunches(module)},
               {"kernels", describeKernels(module)},
               {"memory", describeMemory(module, memory)}};
  if (module->hasAttr(kStagesAttr))
    plan["sends"] = describeSends(module);
  if (Json choices = describeChoices(module); !choices.empty())
    plan["choices"] = choices;
  plan["predicted"] =
      machine ? predict(module, *mesh, *machine, layers) : Json::object();
  return plan;
}
