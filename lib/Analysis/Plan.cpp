//===- Plan.cpp - What a compiled program will do, as JSON ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the attributes that the passes of the runtime level leave and the
// collectives of every function.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Analysis/Plan.h"

#include "boost-mlir/Analysis/CostModel.h"
#include "boost-mlir/Analysis/KernelBytes.h"
#include "boost-mlir/Dialect/Boost/IR/Layers.h"
#include "boost-mlir/Dialect/Boost/IR/Schedule.h"
#include "boost-mlir/Dialect/BoostRT/IR/BoostRT.h"
#include "boost-mlir/Interfaces/CostModelOpInterface.h"
#include "boost-mlir/Support/TensorTypes.h"
#include "boost-mlir/Support/UserLines.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Format.h"

#include <nlohmann/json.hpp>

using namespace mlir;
using namespace mlir::boost;
using Json = nlohmann::ordered_json;

/// Attributes of the kinds that describe tensors and memory.
static Json toJson(Attribute attribute) {
  return llvm::TypeSwitch<Attribute, Json>(attribute)
      .Case([](StringAttr text) { return Json(text.str()); })
      .Case([](BoolAttr flag) { return Json(flag.getValue()); })
      .Case([](IntegerAttr number) { return Json(number.getInt()); })
      .Case([](FloatAttr number) { return Json(number.getValueAsDouble()); })
      .Case([](ArrayAttr list) {
        Json items = Json::array();
        for (Attribute item : list)
          items.push_back(toJson(item));
        return items;
      })
      .Case([](DictionaryAttr dictionary) {
        Json fields = Json::object();
        for (NamedAttribute field : dictionary)
          fields[field.getName().str()] = toJson(field.getValue());
        return fields;
      })
      .Default([](Attribute) { return Json(); });
}

/// Names are UTF-8 from import on, but a location may hold any bytes.
static std::string print(const Json &json, int indent) {
  return json.dump(indent, ' ', /*ensure_ascii=*/false,
                   Json::error_handler_t::replace);
}

static StringRef getText(Operation *op, StringRef attribute,
                         StringRef otherwise) {
  auto text = op->getAttrOfType<StringAttr>(attribute);
  return text ? text.getValue() : otherwise;
}

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
                : getText(op, kRegionAttr, kBlockRegion).str();
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
  Json entry = {{"site", *site},
                {"name", makeName(op, function, kind)},
                {"function", function.str()},
                {"kind", kind.str()},
                {"axis", mesh.describe(group.getGroupAxes(), ",")},
                {"elements", elements},
                {"bytes", bytes},
                {"dtype", elementType},
                {"tensors", tensors},
                {"phase", getText(op, kPhaseAttr, "forward").str()},
                {"region", getText(op, kRegionAttr, kBlockRegion).str()},
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

/// The functions of the program, without kernels.
static SmallVector<func::FuncOp> getFunctions(ModuleOp module) {
  SmallVector<func::FuncOp> functions;
  for (auto function : module.getOps<func::FuncOp>())
    if (!function->hasAttr(kKernelAttr) && !function.isExternal())
      functions.push_back(function);
  return functions;
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
                                         {"needed_bytes", bytes.needed}};
  }
  return kernels;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// The function that needs most memory.
static func::FuncOp getLargestFunction(ModuleOp module, DictionaryAttr memory) {
  auto name = memory.getAs<StringAttr>("function");
  return name ? module.lookupSymbol<func::FuncOp>(name) : func::FuncOp();
}

/// Returns the bytes that are kept for the backward pass outside the layers and
/// in each of them.
static ArrayRef<int64_t> getKeptBytes(func::FuncOp function) {
  auto bytes = function
                   ? function->getAttrOfType<DenseI64ArrayAttr>(kKeptBytesAttr)
                   : DenseI64ArrayAttr();
  return bytes ? bytes.asArrayRef() : ArrayRef<int64_t>();
}

/// Returns the source locations of the largest buffers, by their numbers.
static llvm::DenseMap<int64_t, std::string>
getLargestLocations(func::FuncOp function) {
  llvm::DenseMap<int64_t, std::string> locations;
  if (function)
    function.walk([&](Operation *op) {
      if (auto number = op->getAttrOfType<IntegerAttr>(kLargestAttr))
        locations[number.getInt()] = describeUserLine(op->getLoc());
    });
  return locations;
}

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

static constexpr StringRef kMemoryCategories[] = {
    "parameters", "masters",   "optimizer", "batch",  "gradients", "kept",
    "recomputed", "workspace", "results",   "unused", "peak"};

MemoryPlan mlir::boost::getMemoryPlan(ModuleOp module) {
  MemoryPlan plan;
  auto memory = module->getAttrOfType<DictionaryAttr>(kMemoryAttr);
  if (!memory)
    return plan;
  plan.peak = memory.getAs<IntegerAttr>("peak").getInt();
  for (StringRef category : {"parameters", "masters", "optimizer", "gradients"})
    plan.fixed += memory.getAs<IntegerAttr>(category).getInt();
  func::FuncOp function = getLargestFunction(module, memory);
  ArrayRef<int64_t> kept = getKeptBytes(function);
  plan.layers = std::max<int64_t>(0, static_cast<int64_t>(kept.size()) - 1);
  llvm::raw_string_ostream table(plan.table), largest(plan.largest);
  for (StringRef category : kMemoryCategories) {
    int64_t bytes = memory.getAs<IntegerAttr>(category).getInt();
    table << llvm::format("  %-10s %15lld bytes %6.2f %%\n",
                          category.str().c_str(), static_cast<long long>(bytes),
                          100.0 * static_cast<double>(bytes) /
                              static_cast<double>(plan.peak));
  }
  auto locations = getLargestLocations(function);
  for (auto [number, attr] :
       llvm::enumerate(memory.getAs<ArrayAttr>("largest"))) {
    auto entry = cast<DictionaryAttr>(attr);
    int64_t bytes = entry.getAs<IntegerAttr>("bytes").getInt();
    largest << llvm::format("  %15lld bytes  ", static_cast<long long>(bytes))
            << entry.getAs<StringAttr>("type").getValue() << "  "
            << entry.getAs<StringAttr>("what").getValue() << "  "
            << locations.lookup(number) << "\n";
  }
  return plan;
}

//===----------------------------------------------------------------------===//
// Plan and manifest
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
  return {{"seconds", step.getSeconds()},
          {"machine", machine.name},
          {"parts", parts},
          {"layers", describeLayerSeconds(step, layers)},
          {"functions", functions}};
}

static FailureOr<Json> makePlan(ModuleOp module, const Machine *machine) {
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
  plan["predicted"] =
      machine ? predict(module, *mesh, *machine, layers) : Json::object();
  return plan;
}

static Json describeFunctions(ModuleOp module) {
  Json functions = Json::object();
  auto names = [](func::FuncOp function, StringRef attribute) {
    auto list = function->getAttrOfType<ArrayAttr>(attribute);
    return list ? toJson(list) : Json::array();
  };
  for (func::FuncOp function : getFunctions(module))
    functions[function.getName().str()] = {
        {"inputs", names(function, kInputsAttr)},
        {"outputs", names(function, kOutputsAttr)}};
  return functions;
}

/// The calls of every schedule, with what changes from call to call.
static Json describeSchedules(ModuleOp module) {
  Json schedules = Json::object();
  for (auto schedule : module.getOps<ScheduleOp>()) {
    Json calls = Json::array();
    for (CallOp call : schedule.getCalls()) {
      Json entry = {{"function", call.getCallee().str()}};
      if (std::optional<uint64_t> microBatch = call.getMicroBatch())
        entry["micro_batch"] = *microBatch;
      calls.push_back(std::move(entry));
    }
    schedules[schedule.getSymName().str()] = {
        {"micro_batches", schedule.getMicroBatches()}, {"calls", calls}};
  }
  return schedules;
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

/// The probes of @verify in the order in which it reaches them.
static FailureOr<Json> describeProbes(ModuleOp module, const Mesh &mesh) {
  Json list = Json::array();
  WalkResult result = module.walk([&](rt::ProbeOp probe) {
    auto type = cast<ShapedType>(probe.getInput().getType());
    ShardingAttr sharding = probe.getSharding();
    std::optional<SmallVector<int64_t>> shape =
        mesh.getGlobalShape(type.getShape(), sharding);
    if (!shape) {
      probe.emitOpError() << "expects fewer than 2^63 elements in each "
                             "dimension on all ranks";
      return WalkResult::interrupt();
    }
    std::string elementType;
    llvm::raw_string_ostream(elementType) << type.getElementType();
    list.push_back(
        {{"name", probe.getName().str()},
         {"site", probe.getSite()},
         {"location", describeUserLine(probe.getLoc())},
         {"phase", getText(probe, kPhaseAttr, "forward").str()},
         {"dtype", elementType},
         {"shape", std::vector<int64_t>(shape->begin(), shape->end())},
         {"split", toJson(sharding.getSplitNames())},
         {"partial", toJson(sharding.getPartialNames())}});
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  return list;
}

/// The manifest, which contains the plan.
static FailureOr<Json> makeManifest(ModuleOp module, const Json &plan,
                                    const Verification &verification,
                                    StringRef valuesFile) {
  FailureOr<Mesh> mesh = Mesh::getOrOneRank(module);
  if (failed(mesh))
    return failure();
  FailureOr<Json> probes = describeProbes(module, *mesh);
  if (failed(probes))
    return failure();
  Json axes = Json::array();
  for (auto [name, size] : llvm::zip_equal(mesh->getNames(), mesh->getSizes()))
    axes.push_back({{"name", name}, {"size", size}});
  Attribute optimizer = module->getAttr(kOptimizerAttr);
  Json manifest = {
      {"format", 1},
      {"name", module.getName().value_or("").str()},
      {"mesh", axes},
      {"arena_bytes", toJson(module->getAttr(kArenaBytesAttr))},
      {"tensors", toJson(module->getAttr(kTensorsAttr))},
      {"functions", describeFunctions(module)},
      {"schedules", describeSchedules(module)},
      {"optimizer", optimizer ? toJson(optimizer) : Json::object()},
      {"plan", plan}};
  if (auto workspace =
          module->getAttrOfType<DenseI64ArrayAttr>(rt::kWorkspaceAttr))
    manifest["workspace"] = {{"offset", workspace[0]}, {"bytes", workspace[1]}};
  if (auto digest = module->getAttrOfType<StringAttr>(kInitialValuesAttr))
    manifest["initial_values"] = {{"digest", digest.str()},
                                  {"file", valuesFile.str()}};
  if (auto hash = module->getAttrOfType<StringAttr>(kProgramHashAttr))
    manifest["hash"] = hash.str();
  if (!verification.reference.empty())
    manifest["verify"] = {
        {"function", findProbedFunction(module).getName().str()},
        {"program", verification.reference},
        {"tools", verification.toolDirectory},
        {"evaluator", verification.evaluator},
        {"probes", *probes}};
  return manifest;
}

FailureOr<ProgramDescription>
mlir::boost::describeProgram(ModuleOp module, const Machine *machine,
                             const Verification &verification,
                             StringRef valuesFile, const PlanNotes &notes) {
  FailureOr<Json> plan = makePlan(module, machine);
  if (failed(plan))
    return failure();
  if (!notes.recognized.empty())
    (*plan)["recognized"] = Json::parse(notes.recognized);
  if (!notes.placement.empty())
    (*plan)["placement"] = Json::parse(notes.placement);
  if (!notes.choice.empty())
    (*plan)["choice"] = Json::parse(notes.choice);
  FailureOr<Json> manifest =
      makeManifest(module, *plan, verification, valuesFile);
  if (failed(manifest))
    return failure();
  return ProgramDescription{print(*plan, /*indent=*/2),
                            print(*manifest, /*indent=*/-1)};
}
