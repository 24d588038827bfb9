//===- Manifest.cpp - What the runtime knows about a program --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConstantsFile.h"
#include "ProgramJson.h"
#include "boost-mlir/Dialect/Boost/IR/Choice.h"
#include "boost-mlir/Dialect/Boost/IR/Constants.h"
#include "boost-mlir/Dialect/Boost/IR/Layers.h"
#include "boost-mlir/Dialect/Boost/IR/Mesh.h"
#include "boost-mlir/Dialect/Boost/IR/Schedule.h"
#include "boost-mlir/Dialect/BoostRT/IR/BoostRT.h"
#include "boost-mlir/Driver/Plan.h"
#include "boost-mlir/Interfaces/CostModelOpInterface.h"
#include "boost-mlir/Support/UserLines.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::boost;

/// Names are UTF-8 from import on, but a location may hold any bytes.
static std::string print(const Json &json, int indent) {
  return json.dump(indent, ' ', /*ensure_ascii=*/false,
                   Json::error_handler_t::replace);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

namespace {
/// The calls that functions make of the runtime, in order, for traces. Layers
/// make equal calls, which are listed once.
class CallList {
public:
  explicit CallList(const Mesh &mesh) : mesh(mesh) {}

  /// Returns for each call of a function the place of its description, and its
  /// layer or null.
  Json add(func::FuncOp function);
  const Json &getDescriptions() const { return descriptions; }

private:
  Json describe(CostModelOpInterface op) const;

  const Mesh &mesh;
  Json descriptions = Json::array();
  std::map<std::string, size_t> places;
};
} // namespace

/// "8 x 64 x 32", with the number of products in front if there are several.
static std::string describeShape(rt::GemmOp gemm) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (gemm.getBatch() != 1)
    os << gemm.getBatch() << " x ";
  os << gemm.getM() << " x " << gemm.getN() << " x " << gemm.getK();
  return text;
}

Json CallList::describe(CostModelOpInterface op) const {
  Json entry = {{"call", op->getName().stripDialect().str()},
                {"class", getName(op.getCost(mesh).kind)},
                {"phase", getText(op, kPhaseAttr, "forward").str()},
                {"component", getText(op, kComponentAttr, "").str()},
                {"location", describeUserLine(op->getLoc())}};
  if (auto gemm = dyn_cast<rt::GemmOp>(op.getOperation()))
    entry["shape"] = describeShape(gemm);
  if (auto launch = dyn_cast<rt::LaunchOp>(op.getOperation()))
    entry["kernel"] = launch.getKernel().str();
  return entry;
}

Json CallList::add(func::FuncOp function) {
  Json calls = Json::array();
  // Probes are not timed, and have no cost either.
  function.walk([&](CostModelOpInterface op) {
    Json entry = describe(op);
    auto [known, isNew] =
        places.try_emplace(print(entry, /*indent=*/-1), descriptions.size());
    if (isNew)
      descriptions.push_back(std::move(entry));
    LayerAttr layer = getLayer(op);
    calls.push_back({known->second, layer ? Json(layer.getIndex()) : Json()});
  });
  return calls;
}

//===----------------------------------------------------------------------===//
// Functions and schedules
//===----------------------------------------------------------------------===//

static Json describeFunctions(ModuleOp module, CallList &calls) {
  Json functions = Json::object();
  auto names = [](func::FuncOp function, StringRef attribute) {
    auto list = function->getAttrOfType<ArrayAttr>(attribute);
    return list ? toJson(list) : Json::array();
  };
  for (func::FuncOp function : getFunctions(module)) {
    Json &entry = functions[function.getName().str()] = {
        {"inputs", names(function, kInputsAttr)},
        {"outputs", names(function, kOutputsAttr)},
        {"calls", calls.add(function)}};
    if (std::optional<int64_t> stage = getStage(function))
      entry["stage"] = *stage;
    if (auto whole = function->getAttrOfType<StringAttr>(kPartOfAttr))
      entry["part_of"] = whole.str();
  }
  return functions;
}

static void appendNumber(Json &entry, const char *name,
                         std::optional<uint64_t> number) {
  if (number)
    entry[name] = *number;
}

/// The names of the parts of packed tensors, by those of the packed ones.
using PackedTensors = DenseMap<StringAttr, SmallVector<StringAttr>>;

static PackedTensors findPackedTensors(ModuleOp module) {
  PackedTensors packed;
  auto tensors = module->getAttrOfType<ArrayAttr>(kTensorsAttr);
  if (!tensors)
    return packed;
  for (auto entry : tensors.getAsRange<DictionaryAttr>())
    if (auto whole = entry.getAs<StringAttr>("packed"))
      packed[whole].push_back(entry.getAs<StringAttr>("name"));
  return packed;
}

/// A call, a choice or a transfer, with what changes from one to the next.
static Json describeAction(Operation *action, const PackedTensors &packed) {
  if (auto transfer = dyn_cast<TransferOp>(action)) {
    Json names = Json::array();
    for (auto name : transfer.getTensors().getAsRange<StringAttr>()) {
      auto parts = packed.find(name);
      if (parts == packed.end())
        names.push_back(name.str());
      else
        for (StringAttr part : parts->second)
          names.push_back(part.str());
    }
    Json entry = {{"transfer", names}};
    appendNumber(entry, "micro_batch", transfer.getMicroBatch());
    entry["from"] = transfer.getFrom();
    appendNumber(entry, "from_slot", transfer.getFromSlot());
    entry["to"] = transfer.getTo();
    appendNumber(entry, "to_slot", transfer.getToSlot());
    return entry;
  }
  if (auto choice = dyn_cast<ChooseOp>(action)) {
    Json functions = Json::array();
    for (StringAttr name : choice.getFunctionNames())
      functions.push_back(name.str());
    return {{"index", choice.getIndex().str()}, {"among", functions}};
  }
  auto call = cast<CallOp>(action);
  Json entry = {{"function", call.getCallee().str()}};
  appendNumber(entry, "micro_batch", call.getMicroBatch());
  appendNumber(entry, "slot", call.getSlot());
  return entry;
}

/// The actions of every schedule, in order.
static Json describeSchedules(ModuleOp module) {
  PackedTensors packed = findPackedTensors(module);
  Json schedules = Json::object();
  for (auto schedule : module.getOps<ScheduleOp>()) {
    Json calls = Json::array();
    for (Operation *action : getActions(schedule))
      calls.push_back(describeAction(action, packed));
    schedules[schedule.getSymName().str()] = {
        {"micro_batches", schedule.getMicroBatches()}, {"calls", calls}};
  }
  return schedules;
}

/// The workspace of calls. In a pipeline it is somewhere else on each stage.
static Json describeWorkspace(DenseI64ArrayAttr workspace) {
  Json entry = {{"bytes", workspace.asArrayRef().back()}};
  if (workspace.size() == 2)
    entry = {{"offset", workspace[0]}, {"bytes", workspace[1]}};
  return entry;
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

/// The rows that a probe of this shape shows of a tensor. Gives it the shape of
/// all of them.
static Json describeRows(rt::ProbeOp probe, SmallVectorImpl<int64_t> &shape) {
  ArrayRef<int64_t> rows = *probe.getRows();
  int64_t count = std::exchange(shape.front(), rows[1]);
  return {{"of", probe.getName().str()}, {"first", rows[0]}, {"count", count}};
}

/// The probes of @verify, or of the functions that it was divided into, in the
/// order in which the program reaches them.
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
    Json rows = probe.getRows() ? describeRows(probe, *shape) : Json();
    Json &entry = list.emplace_back(Json(
        {{"name", probe.getName().str()},
         {"site", probe.getSite()},
         {"function", probe->getParentOfType<func::FuncOp>().getName().str()},
         {"location", describeUserLine(probe.getLoc())},
         {"phase", getText(probe, kPhaseAttr, "forward").str()},
         {"dtype", elementType},
         {"shape", std::vector<int64_t>(shape->begin(), shape->end())},
         {"split", toJson(sharding.getSplitNames())},
         {"partial", toJson(sharding.getPartialNames())}}));
    if (!rows.is_null())
      entry["rows"] = rows;
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  return list;
}

/// The manifest, which contains the plan.
static FailureOr<Json> makeManifest(ModuleOp module, const Json &plan,
                                    const Verification &verification,
                                    const ProgramInputs &inputs) {
  FailureOr<Mesh> mesh = Mesh::getOrOneRank(module);
  if (failed(mesh))
    return failure();
  FailureOr<Json> probes = describeProbes(module, *mesh);
  if (failed(probes))
    return failure();
  Json axes = Json::array();
  for (auto [name, size] : llvm::zip_equal(mesh->getNames(), mesh->getSizes()))
    axes.push_back({{"name", name}, {"size", size}});
  CallList calls(*mesh);
  Json functions = describeFunctions(module, calls);
  Attribute optimizer = module->getAttr(kOptimizerAttr);
  Json manifest = {
      {"format", 1},
      {"name", module.getName().value_or("").str()},
      {"mesh", axes},
      {"arena_bytes", toJson(module->getAttr(kArenaBytesAttr))},
      {"tensors", toJson(module->getAttr(kTensorsAttr))},
      {"functions", functions},
      {"calls", calls.getDescriptions()},
      {"schedules", describeSchedules(module)},
      {"optimizer", optimizer ? toJson(optimizer) : Json::object()},
      {"plan", plan}};
  if (auto workspace =
          module->getAttrOfType<DenseI64ArrayAttr>(rt::kWorkspaceAttr))
    manifest["workspace"] = describeWorkspace(workspace);
  if (Attribute stages = module->getAttr(kStagesAttr))
    manifest["pipeline"] = {{"axis", kPipelineAxis.str()},
                            {"stages", toJson(stages)}};
  if (auto digest = module->getAttrOfType<StringAttr>(kInitialValuesAttr))
    manifest["initial_values"] = {{"digest", digest.str()},
                                  {"file", inputs.valuesFile}};
  // Only the name: the file is where the program is.
  if (DictionaryAttr constants = getConstants(module))
    manifest["constants"] = {
        {"digest", getConstantsDigest(constants)},
        {"file", llvm::sys::path::filename(inputs.constantsFile).str()}};
  if (auto hash = module->getAttrOfType<StringAttr>(kProgramHashAttr))
    manifest["hash"] = hash.str();
  if (!verification.reference.empty())
    manifest["verify"] = {{"function", verification.function},
                          {"program", verification.reference},
                          {"tools", verification.toolDirectory},
                          {"evaluator", verification.evaluator},
                          {"probes", *probes}};
  return manifest;
}

FailureOr<ProgramDescription> mlir::boost::describeProgram(
    ModuleOp module, const Machine *machine, const Verification &verification,
    const ProgramInputs &inputs, const PlanNotes &notes) {
  FailureOr<Json> plan = makePlan(module, machine);
  if (failed(plan))
    return failure();
  if (!notes.recognized.empty())
    (*plan)["recognized"] = Json::parse(notes.recognized);
  if (!notes.placement.empty())
    (*plan)["placement"] = Json::parse(notes.placement);
  if (!notes.choice.empty())
    (*plan)["choice"] = Json::parse(notes.choice);
  FailureOr<Json> manifest = makeManifest(module, *plan, verification, inputs);
  if (failed(manifest))
    return failure();
  return ProgramDescription{print(*plan, /*indent=*/2),
                            print(*manifest, /*indent=*/-1)};
}
