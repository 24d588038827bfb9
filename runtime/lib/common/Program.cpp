//===- Program.cpp - The manifest of a compiled program -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler writes the manifest, so an error here is not the user's. It is
// still checked: everything after this file trusts it.
//
//===----------------------------------------------------------------------===//

#include "common/Program.h"
#include "common/Checksum.h"
#include "common/Failure.h"
#include "common/Json.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <set>
#include <sstream>

using namespace boost_rt;
using json = nlohmann::ordered_json;

void boost_rt::refuseManifest(const std::string &damage) {
  refuse("this program's manifest is damaged: ", damage,
         "; compile the program again");
}

template <typename... Parts>
[[noreturn]] static void damaged(const Parts &...parts) {
  refuseManifest(concat(parts...));
}

int64_t Tensor::firstStage() const {
  auto found = std::find_if(offsets.begin(), offsets.end(),
                            [](const auto &offset) { return offset; });
  return found - offsets.begin();
}

int64_t boost_rt::elementsOf(const std::vector<int64_t> &shape) {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

std::string boost_rt::shapeToString(const std::vector<int64_t> &shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + "]";
}

std::vector<int64_t> Tensor::exportedShape() const {
  std::vector<int64_t> exported = shape;
  if (microBatches > 1)
    exported[0] *= microBatches;
  return exported;
}

std::vector<std::vector<const Tensor *>>
boost_rt::groupByFileName(const std::vector<const Tensor *> &tensors) {
  std::vector<std::vector<const Tensor *>> groups;
  std::map<std::string, size_t> places;
  for (const Tensor *tensor : tensors) {
    auto [place, isNew] = places.emplace(tensor->fileName(), groups.size());
    if (isNew)
      groups.emplace_back();
    groups[place->second].push_back(tensor);
  }
  return groups;
}

int64_t Tensor::elements() const { return elementsOf(shape); }

int64_t Tensor::localElements() const { return elementsOf(localShape); }

std::vector<int64_t> Tensor::localStrides() const {
  if (!strides.empty())
    return strides;
  std::vector<int64_t> dense(localShape.size());
  int64_t stride = 1;
  for (size_t dim = localShape.size(); dim-- > 0;) {
    dense[dim] = stride;
    stride *= localShape[dim];
  }
  return dense;
}

int64_t Tensor::localExtent() const {
  std::vector<int64_t> steps = localStrides();
  int64_t last = 0;
  for (size_t dim = 0; dim < steps.size(); ++dim) {
    if (localShape[dim] == 0)
      return 0;
    last += (localShape[dim] - 1) * steps[dim];
  }
  return (last + 1) * sizeOf(type);
}

static constexpr const char *roleNames[] = {
    "param", "frozen",   "constant", "state",  "accumulator", "batch",
    "hyper", "gradient", "loss",     "metric", "output",      "kept"};

bool boost_rt::isInput(Role role) { return role < Role::gradient; }

const char *boost_rt::nameOf(Role role) {
  return roleNames[static_cast<int>(role)];
}

static Role parseRole(const std::string &name, const std::string &tensor) {
  for (size_t i = 0; i < std::size(roleNames); ++i)
    if (name == roleNames[i])
      return static_cast<Role>(i);
  damaged("tensor '", tensor, "' has the unknown role '", name, "'");
}

static constexpr const char *feedNames[] = {"tokens", "inputs",    "targets",
                                            "mask",   "positions", "segments",
                                            "step",   "key"};

const char *boost_rt::nameOf(Feed feed) {
  return feedNames[static_cast<int>(feed)];
}

std::optional<Feed> boost_rt::parseFeed(const std::string &name) {
  for (size_t i = 0; i < std::size(feedNames); ++i)
    if (name == feedNames[i])
      return static_cast<Feed>(i);
  return std::nullopt;
}

static constexpr boost_rt_device_image noImages[] = {{0, nullptr, 0}};
static constexpr boost_rt_constant noConstants[] = {{nullptr, 0}};

Program::Program(const ProgramCode &code)
    : deviceImages(code.deviceImages ? code.deviceImages : noImages),
      constants(code.constants ? code.constants : noConstants) {
  try {
    digest = checksumOf(std::string_view(code.manifest));
    parse(parseJson<json>(code.manifest));
  } catch (const json::exception &error) {
    damaged(error.what());
  } catch (const std::logic_error &error) {
    damaged(error.what());
  }
  for (const auto *entry = code.functions; entry->name; ++entry)
    if (auto it = functions.find(entry->name); it != functions.end())
      it->second.run = entry->run;
  for (const auto &[functionName, function] : functions)
    if (!function.run)
      damaged("function '", functionName, "' has no code");
}

void Program::parse(const json &manifest) {
  if (manifest.at("format") != 1)
    damaged("format ", manifest.at("format").dump(),
            " is not the format 1 of this runtime");
  name = manifest.value("name", "");
  hash = manifest.value("hash", "");
  std::vector<MeshAxis> axes;
  for (const json &axis : manifest.at("mesh"))
    axes.push_back({axis.at("name"), axis.at("size")});
  for (const MeshAxis &axis : axes)
    if (axis.size < 1)
      damaged("mesh axis '", axis.name, "' has size ", axis.size);
  if (axes.empty() || axes.size() > 8)
    damaged("the mesh has ", axes.size(), " axes, expected 1 to 8");
  mesh = Mesh(std::move(axes));
  parseStages(manifest);
  for (const json &entry : manifest.at("tensors")) {
    tensors.push_back(parseTensor(entry));
    if (!index.emplace(tensors.back().name, tensors.size() - 1).second)
      damaged("tensor '", tensors.back().name, "' is listed twice");
  }
  checkOwners();
  checkNumbers();
  parseCallDescriptions(manifest.value("calls", json::array()));
  parseFunctions(manifest.at("functions"));
  parseSchedules(manifest.value("schedules", json::object()));
  optimizer = manifest.value("optimizer", json::object());
  parsePlan(manifest.value("plan", json::object()));
  if (manifest.contains("initial_values")) {
    const json &values = manifest.at("initial_values");
    initialValues = {values.at("digest"), values.value("file", "")};
  }
  parseConstantsFile(manifest);
  if (manifest.contains("verify"))
    parseVerification(manifest.at("verify"));
}

/// The rows of a stacked tensor that a tensor consists of.
static void parseRows(const json &entry, Tensor &tensor) {
  tensor.stack = entry.at("of");
  tensor.firstRow = entry.at("first");
  int64_t count = entry.at("count");
  if (tensor.shape.empty() || tensor.firstRow < 0 || count < 1 ||
      tensor.firstRow > tensor.shape[0] - count)
    damaged("tensor '", tensor.name, "' has ", count, " rows from ",
            tensor.firstRow, " on of a tensor of shape ",
            shapeToString(tensor.shape));
  tensor.localShape[0] = count;
}

/// Name, type, shapes and sharding of a tensor.
Tensor Program::parseType(const json &entry) const {
  Tensor tensor;
  tensor.name = entry.at("name");
  auto type = parseElementType(entry.at("dtype").get<std::string>());
  if (!type)
    damaged("tensor '", tensor.name, "' has the unknown element type ",
            entry.at("dtype").dump());
  tensor.type = *type;
  tensor.shape = entry.at("shape").get<std::vector<int64_t>>();
  tensor.localShape = tensor.shape;
  if (entry.contains("rows"))
    parseRows(entry.at("rows"), tensor);
  tensor.split.resize(tensor.shape.size());
  auto split = entry.value("split", std::vector<std::vector<std::string>>());
  if (split.size() > tensor.shape.size())
    damaged("tensor '", tensor.name, "' splits more dimensions than it has");
  for (size_t dim = 0; dim < split.size(); ++dim) {
    for (const std::string &axisName : split[dim]) {
      auto axis = mesh.findAxis(axisName);
      if (!axis)
        damaged("tensor '", tensor.name, "' is split over the unknown axis ",
                axisName);
      tensor.split[dim].push_back(*axis);
      int64_t size = mesh.getAxes()[*axis].size;
      if (tensor.localShape[dim] % size != 0)
        damaged("dimension ", dim, " of tensor '", tensor.name,
                "' does not divide by axis ", axisName);
      tensor.localShape[dim] /= size;
    }
  }
  for (const json &axisName : entry.value("partial", json::array())) {
    auto axis = mesh.findAxis(axisName.get<std::string>());
    if (!axis)
      damaged("tensor '", tensor.name, "' is a sum over the unknown axis ",
              axisName.dump());
    tensor.partial |= 1u << *axis;
  }
  return tensor;
}

static std::optional<double> parseBound(const json &entry, const char *name) {
  return entry.contains(name) ? std::optional(entry.at(name).get<double>())
                              : std::nullopt;
}

static HyperOption parseOption(const json &entry, const Tensor &tensor) {
  std::optional<std::string> name = optionNameOf(tensor.kind);
  if (!name)
    damaged("hyper-parameter '", tensor.name, "' has the kind '", tensor.kind,
            "', which names no option");
  HyperOption option;
  option.name = *name;
  option.help = entry.at("help");
  option.defaultValue = entry.at("default");
  option.min = parseBound(entry, "min");
  option.above = parseBound(entry, "above");
  option.below = parseBound(entry, "below");
  if (option.min && option.above)
    damaged("the option --", option.name, " has two lower bounds");
  if (!option.takes(option.defaultValue))
    damaged("the option --", option.name, " takes a number ",
            option.describeValues(), ", but its default is ",
            option.defaultValue);
  return option;
}

/// Parses what hyper-parameters alone have.
static void parseHyper(const json &entry, Tensor &tensor) {
  for (const char *name : {"next_sample", "option"})
    if (entry.contains(name) && tensor.role != Role::hyper)
      damaged("tensor '", tensor.name, "' has '", name,
              "', but is no hyper-parameter");
  tensor.nextSample = parseBound(entry, "next_sample");
  if (entry.contains("option"))
    tensor.option = parseOption(entry.at("option"), tensor);
}

Tensor Program::parseTensor(const json &entry) const {
  Tensor tensor = parseType(entry);
  tensor.role = parseRole(entry.at("role"), tensor.name);
  tensor.bytes = entry.at("bytes");
  if (tensor.bytes != tensor.localElements() * sizeOf(tensor.type))
    damaged("tensor '", tensor.name, "' of local shape ",
            shapeToString(tensor.localShape), " and type ",
            boost_rt::nameOf(tensor.type), " has ", tensor.bytes, " bytes");
  tensor.strides = entry.value("strides", std::vector<int64_t>());
  if (!tensor.strides.empty() && tensor.strides.size() != tensor.shape.size())
    damaged("tensor '", tensor.name, "' has ", tensor.strides.size(),
            " strides for ", tensor.shape.size(), " dimensions");
  parsePlaces(entry, tensor);
  if (entry.contains("limit"))
    tensor.limit = entry.at("limit").get<int64_t>();
  if (entry.contains("feed")) {
    tensor.feed = parseFeed(entry.at("feed").get<std::string>());
    if (!tensor.feed)
      damaged("tensor '", tensor.name, "' has the unknown feed ",
              entry.at("feed").dump());
  }
  tensor.microBatches = entry.value("micro_batches", int64_t(1));
  int64_t rows = 0;
  if (tensor.microBatches < 1 ||
      (tensor.microBatches > 1 &&
       (tensor.shape.empty() ||
        __builtin_mul_overflow(tensor.shape[0], tensor.microBatches, &rows))))
    damaged("tensor '", tensor.name, "' has ", tensor.microBatches,
            " micro-batches");
  tensor.kind = entry.value("kind", "");
  if (entry.contains("of"))
    tensor.of = entry.at("of").is_string() ? entry.at("of").get<std::string>()
                                           : entry.at("of").dump();
  tensor.init = entry.value("init", "");
  tensor.sample = entry.value("sample", 0.0);
  parseHyper(entry, tensor);
  tensor.decays = entry.value("decay", false);
  tensor.packed = entry.value("packed", "");
  return tensor;
}

/// Returns the names of the parameters that a tensor belongs to.
static std::vector<std::string> ownersOf(const Tensor &tensor) {
  if (tensor.of.empty())
    return {};
  json list = json::parse(tensor.of, nullptr, /*allow_exceptions=*/false);
  bool isList = list.is_array() &&
                std::all_of(list.begin(), list.end(),
                            [](const json &name) { return name.is_string(); });
  if (!isList)
    return {tensor.of};
  return list.get<std::vector<std::string>>();
}

/// Checks that every tensor that belongs to a parameter names one.
void Program::checkOwners() const {
  for (const Tensor &tensor : tensors) {
    if (tensor.of.empty() && tensor.init == "param")
      damaged("tensor '", tensor.name,
              "' starts as a parameter, but belongs to none");
    for (const std::string &name : ownersOf(tensor)) {
      auto owner = index.find(name);
      if (owner == index.end() || tensors[owner->second].role != Role::param)
        damaged("tensor '", tensor.name, "' belongs to '", name,
                "', which is not a parameter");
    }
  }
}

/// Checks that a step can give every hyper-parameter its value, and that logs
/// can tell its metrics apart.
void Program::checkNumbers() const {
  std::set<std::pair<Role, std::string>> kinds;
  for (const Tensor &tensor : tensors) {
    if (tensor.role != Role::hyper && tensor.role != Role::metric)
      continue;
    if (!tensor.shape.empty())
      damaged(nameOf(tensor.role), " '", tensor.name, "' of shape ",
              shapeToString(tensor.shape), " is no single number");
    if (!kinds.emplace(tensor.role, tensor.kind).second)
      damaged("there are two tensors of the role ", nameOf(tensor.role),
              " and the kind '", tensor.kind, "'");
    bool isComputed = tensor.role == Role::metric ||
                      tensor.kind == learningRateKind ||
                      tensor.kind == stepKind;
    if (isComputed && tensor.option)
      damaged("hyper-parameter '", tensor.name, "' of the kind '", tensor.kind,
              "' has an option, but `train` computes it");
    if (!isComputed && !tensor.option)
      damaged("hyper-parameter '", tensor.name, "' of the kind '", tensor.kind,
              "' has no option, and `train` does not compute it");
  }
}

/// Constants come from a file, so that a program with some names one.
void Program::parseConstantsFile(const json &manifest) {
  auto entry = manifest.find("constants");
  bool hasConstants = !withRole(Role::constant).empty();
  if (hasConstants && entry == manifest.end())
    damaged("it has constants, but names no file of them");
  if (!hasConstants)
    return;
  constantsFile = {entry->at("digest"), entry->at("file")};
}

void Program::parsePlan(const json &entry) {
  plan = entry;
  for (const json &planned : entry.value("collectives", json::array())) {
    PlannedCollective collective;
    collective.name = planned.value("name", "");
    collective.function = planned.value("function", "");
    collective.kind = planned.at("kind");
    collective.axis = planned.value("axis", "");
    collective.phase = planned.value("phase", "");
    collective.region = planned.value("component", "");
    collective.location = planned.value("location", "unknown");
    collective.bytes = planned.at("bytes");
    collective.count = planned.value("count", int64_t(1));
    // Sites index the list; an entry may say so again.
    int64_t position = static_cast<int64_t>(collectives.size());
    if (planned.value("site", position) != position)
      damaged("collective ", position, " of the plan names another site");
    collectives.push_back(std::move(collective));
  }
}

/// Returns true if a list of axes, "dp, pp", has this one.
static bool listsAxis(const std::string &axes, const std::string &name) {
  std::istringstream names(axes);
  for (std::string each; std::getline(names, each, ',');)
    if (each.substr(each.find_first_not_of(' ')) == name)
      return true;
  return false;
}

std::vector<int32_t> Program::findMeetings() const {
  std::vector<int32_t> meetings(collectives.size());
  std::iota(meetings.begin(), meetings.end(), 0);
  if (!pipelineAxis)
    return meetings;
  const std::string &axis = mesh.getAxes()[*pipelineAxis].name;
  // The sites of those along the pipeline, by stage and in order.
  std::map<int64_t, std::vector<int32_t>> ofStage;
  for (size_t site = 0; site < collectives.size(); ++site) {
    const Function *function = findFunction(collectives[site].function);
    if (function && function->stage && listsAxis(collectives[site].axis, axis))
      ofStage[*function->stage].push_back(static_cast<int32_t>(site));
  }
  for (const auto &[stage, sites] : ofStage) {
    const std::vector<int32_t> &first = ofStage.begin()->second;
    for (size_t i = 0; i < std::min(sites.size(), first.size()); ++i)
      meetings[static_cast<size_t>(sites[i])] = first[i];
  }
  return meetings;
}

Probe Program::parseProbe(const json &entry) const {
  Probe probe;
  probe.tensor = parseType(entry);
  probe.tensor.bytes = probe.tensor.localElements() * sizeOf(probe.tensor.type);
  std::string function = entry.at("function");
  if (!functions.count(function))
    damaged("a probe of '", probe.tensor.name, "' is in '", function,
            "', which is no function");
  probe.stage = functions.at(function).stage;
  probe.site = entry.at("site");
  probe.location = entry.value("location", "");
  probe.phase = entry.value("phase", "");
  return probe;
}

void Program::parseVerification(const json &entry) {
  verification.emplace();
  verification->function = entry.at("function");
  verification->program = entry.at("program");
  verification->tools = entry.value("tools", "");
  verification->evaluator = entry.value("evaluator", "");
  for (const json &probe : entry.at("probes"))
    verification->probes.push_back(parseProbe(probe));
  bool isThere =
      std::any_of(functions.begin(), functions.end(), [&](const auto &entry) {
        return entry.second.whole == verification->function;
      });
  if (!isThere)
    damaged("function '", verification->function, "' is missing");
  if (!schedules.count(probeSchedule))
    damaged("schedule '", probeSchedule, "' is missing");
}

const Tensor &Program::tensor(const std::string &tensorName) const {
  auto it = index.find(tensorName);
  if (it == index.end())
    damaged("tensor '", tensorName, "' is missing");
  return tensors[it->second];
}

const Schedule &Program::schedule(const std::string &scheduleName) const {
  auto it = schedules.find(scheduleName);
  if (it == schedules.end())
    refuse("this program has no schedule '", scheduleName,
           "', which says what to run; compile it again with boost-compile");
  return it->second;
}

int64_t Program::microBatches() const {
  auto it = schedules.find(evaluateSchedule);
  return it == schedules.end() ? 1 : it->second.microBatches;
}

std::vector<const Tensor *>
Program::collect(const Schedule &schedule,
                 std::vector<std::string> Function::*list) const {
  std::set<std::string> known;
  std::vector<const Tensor *> found;
  for (const std::string &function : schedule.functions())
    for (const std::string &each : functions.at(function).*list)
      if (tensor(each).role != Role::kept &&
          tensor(each).role != Role::constant && known.insert(each).second)
        found.push_back(&tensor(each));
  return found;
}

std::vector<const Tensor *> Program::inputsOf(const Schedule &schedule) const {
  return collect(schedule, &Function::inputs);
}

std::vector<const Tensor *> Program::outputsOf(const Schedule &schedule) const {
  return collect(schedule, &Function::outputs);
}

/// Returns whether one of these tensors has a role.
static bool hasRole(const Program &program,
                    const std::vector<std::string> &names, Role role) {
  return std::any_of(names.begin(), names.end(), [&](const std::string &name) {
    return program.tensor(name).role == role;
  });
}

bool Program::givesLoss(const ScheduledCall &call) const {
  return hasRole(*this, functions.at(call.function).outputs, Role::loss);
}

bool Program::readsBatch(const ScheduledCall &call) const {
  return hasRole(*this, functions.at(call.function).inputs, Role::batch);
}

const Function *Program::findFunction(const std::string &functionName) const {
  auto it = functions.find(functionName);
  return it == functions.end() ? nullptr : &it->second;
}

std::vector<const Tensor *> Program::withRole(Role role) const {
  std::vector<const Tensor *> found;
  for (const Tensor &tensor : tensors)
    if (tensor.role == role)
      found.push_back(&tensor);
  return found;
}

std::vector<const Tensor *> Program::parameters() const {
  std::vector<const Tensor *> found;
  for (const Tensor &tensor : tensors)
    if (tensor.isParameter())
      found.push_back(&tensor);
  return found;
}

std::vector<const Tensor *> Program::hypersWithOptions() const {
  std::vector<const Tensor *> found;
  for (const Tensor *hyper : withRole(Role::hyper))
    if (hyper->option)
      found.push_back(hyper);
  return found;
}

const Tensor &Program::initialOf(const Tensor &tensor) const {
  return tensor.init == "param" ? this->tensor(tensor.of) : tensor;
}

const std::string &Program::ownerInFiles(const Tensor &tensor) const {
  return tensor.stack.empty() || tensor.of.empty()
             ? tensor.of
             : this->tensor(tensor.of).fileName();
}

std::vector<const Tensor *> Program::startingAsParameters() const {
  std::vector<const Tensor *> found;
  for (const Tensor &tensor : tensors)
    if (initialOf(tensor).isParameter())
      found.push_back(&tensor);
  return found;
}

const Tensor &Program::only(Role role) const {
  std::vector<const Tensor *> found = withRole(role);
  if (found.size() != 1)
    damaged("it has ", found.size(), " tensors of the role ", nameOf(role),
            ", expected one");
  return *found.front();
}

const Tensor *Program::find(Role role, const std::string &kind) const {
  auto found =
      std::find_if(tensors.begin(), tensors.end(), [&](const Tensor &each) {
        return each.role == role && each.kind == kind;
      });
  return found == tensors.end() ? nullptr : &*found;
}
