//===- ProgramStages.cpp - What the ranks of a program run, and where -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stages of the pipeline with their memory, functions and schedules of the
// manifest.
//
//===----------------------------------------------------------------------===//

#include "common/Failure.h"
#include "common/Program.h"

#include <algorithm>

using namespace boost_rt;
using json = nlohmann::ordered_json;

template <typename... Parts>
[[noreturn]] static void damaged(const Parts &...parts) {
  refuseManifest(concat(parts...));
}

static std::optional<int64_t> parseOptional(const json &entry,
                                            const char *name) {
  return entry.contains(name) ? std::optional(entry.at(name).get<int64_t>())
                              : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Returns whether `bytes` from an offset on are inside of `total` bytes.
static bool isInside(int64_t offset, int64_t bytes, int64_t total) {
  return offset >= 0 && bytes >= 0 && bytes <= total - offset;
}

static void checkWorkspace(const Stage &stage) {
  if (!isInside(stage.workspaceOffset, stage.workspaceBytes, stage.arenaBytes))
    damaged("the workspace of ", stage.workspaceBytes, " bytes from ",
            stage.workspaceOffset, " is not inside of the arena of ",
            stage.arenaBytes);
}

static void parseStash(const json &entry, Stage &stage) {
  stage.stashOffset = entry.at("offset");
  stage.slotBytes = entry.at("bytes");
  stage.slots = entry.at("slots");
  int64_t bytes = 0;
  if (stage.slots < 1 || stage.slotBytes < 0 ||
      __builtin_mul_overflow(stage.slots, stage.slotBytes, &bytes) ||
      !isInside(stage.stashOffset, bytes, stage.arenaBytes))
    damaged("the stash of ", stage.slots, " slots with ", stage.slotBytes,
            " bytes each from ", stage.stashOffset,
            " is not inside of the arena of ", stage.arenaBytes);
}

void Program::parsePipeline(const json &pipeline) {
  std::string axis = pipeline.at("axis");
  pipelineAxis = mesh.findAxis(axis);
  if (!pipelineAxis)
    damaged("the pipeline is along the unknown axis ", axis);
  for (const json &entry : pipeline.at("stages")) {
    Stage &stage = stages.emplace_back();
    stage.arenaBytes = entry.at("arena_bytes");
    if (stage.arenaBytes < 0)
      damaged("stage ", stages.size() - 1, " has an arena of ",
              stage.arenaBytes, " bytes");
    if (entry.contains("stash"))
      parseStash(entry.at("stash"), stage);
  }
  int64_t expected = mesh.getAxes()[*pipelineAxis].size, largest = 0;
  if (static_cast<int64_t>(stages.size()) != expected)
    damaged("the pipeline has ", stages.size(), " stages, but the axis ", axis,
            " has ", expected);
  for (const Stage &stage : stages)
    largest = std::max(largest, stage.arenaBytes);
  if (largest != arenaBytes)
    damaged("the largest arena of a stage has ", largest,
            " bytes, but arena_bytes is ", arenaBytes);
}

void Program::parseStages(const json &manifest) {
  arenaBytes = manifest.at("arena_bytes");
  if (arenaBytes < 0)
    damaged("the arena has ", arenaBytes, " bytes");
  if (manifest.contains("pipeline"))
    parsePipeline(manifest.at("pipeline"));
  else
    stages.push_back({arenaBytes});
  if (!manifest.contains("workspace"))
    return;
  const json &workspace = manifest.at("workspace");
  for (size_t i = 0; i < stages.size(); ++i) {
    const json &place =
        pipelineAxis ? manifest.at("pipeline").at("stages").at(i) : workspace;
    std::optional<int64_t> offset =
        parseOptional(place, pipelineAxis ? "workspace_offset" : "offset");
    if (pipelineAxis && !offset)
      continue;
    if (!offset)
      damaged("the workspace has no offset");
    stages[i].workspaceOffset = *offset;
    stages[i].workspaceBytes = workspace.at("bytes");
    checkWorkspace(stages[i]);
  }
}

/// Parses where a tensor lies in the arena of each stage.
void Program::parsePlaces(const json &entry, Tensor &tensor) const {
  bool isKept = tensor.role == Role::kept;
  if (isKept && !pipelineAxis)
    damaged("tensor '", tensor.name, "' is kept, but there is no pipeline");
  tensor.offsets.resize(stages.size());
  if (!pipelineAxis)
    tensor.offsets[0] = entry.at("offset").get<int64_t>();
  else
    for (const json &place : entry.at("stages")) {
      int64_t stage = place.at(0);
      if (stage < 0 || stage >= static_cast<int64_t>(stages.size()))
        damaged("tensor '", tensor.name, "' is on the unknown stage ", stage);
      tensor.offsets[static_cast<size_t>(stage)] = place.at(1).get<int64_t>();
    }
  for (const std::vector<unsigned> &axes : tensor.split)
    if (pipelineAxis &&
        std::find(axes.begin(), axes.end(), *pipelineAxis) != axes.end())
      damaged("tensor '", tensor.name, "' is split over the pipeline");
  bool isSomewhere = false;
  for (size_t i = 0; i < stages.size(); ++i) {
    if (!tensor.offsets[i])
      continue;
    isSomewhere = true;
    int64_t begin = isKept ? stages[i].stashOffset : 0;
    int64_t bytes = isKept ? stages[i].slotBytes : stages[i].arenaBytes;
    // The begin is inside of the arena, so that nothing here overflows.
    if (*tensor.offsets[i] < begin ||
        !isInside(*tensor.offsets[i] - begin, tensor.localExtent(), bytes))
      damaged("tensor '", tensor.name, "' does not lie in the ",
              isKept ? "stash" : "arena");
  }
  if (!isSomewhere)
    damaged("tensor '", tensor.name, "' is on no stage");
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

void Program::parseCallDescriptions(const json &entries) {
  for (const json &entry : entries)
    callDescriptions.push_back(
        {entry.at("call"), entry.at("class"), entry.value("phase", ""),
         entry.value("component", ""), entry.at("location"),
         entry.value("shape", ""), entry.value("kernel", "")});
}

/// Each entry is the position of a description and a layer or null.
std::vector<FunctionCall>
Program::parseCalls(const json &entries, const std::string &function) const {
  std::vector<FunctionCall> calls;
  calls.reserve(entries.size());
  for (const json &entry : entries) {
    FunctionCall call{entry.at(0).get<size_t>()};
    if (call.description >= callDescriptions.size())
      damaged("function '", function, "' makes call ", call.description,
              ", which is not described");
    if (!entry.at(1).is_null())
      call.layer = entry.at(1).get<int64_t>();
    calls.push_back(call);
  }
  return calls;
}

bool Program::makesCall(const Function &function, std::string_view call) const {
  return std::any_of(function.calls.begin(), function.calls.end(),
                     [&](const FunctionCall &each) {
                       return callDescriptions[each.description].call == call;
                     });
}

bool Program::makesCall(std::string_view call) const {
  return std::any_of(
      callDescriptions.begin(), callDescriptions.end(),
      [&](const CallDescription &each) { return each.call == call; });
}

void Program::parseFunctions(const json &entries) {
  for (const auto &[functionName, entry] : entries.items()) {
    Function function;
    function.inputs = entry.at("inputs").get<std::vector<std::string>>();
    function.outputs = entry.at("outputs").get<std::vector<std::string>>();
    function.calls =
        parseCalls(entry.value("calls", json::array()), functionName);
    function.stage = parseOptional(entry, "stage");
    function.whole = entry.value("part_of", functionName);
    if (function.stage &&
        (!pipelineAxis || *function.stage < 0 ||
         *function.stage >= static_cast<int64_t>(stages.size())))
      damaged("function '", functionName, "' runs on the unknown stage ",
              *function.stage);
    for (const auto *list : {&function.inputs, &function.outputs})
      for (const std::string &tensorName : *list) {
        if (!index.count(tensorName))
          damaged("function '", functionName, "' uses tensor '", tensorName,
                  "', which is not listed");
        const Tensor &used = tensor(tensorName);
        for (size_t i = 0; i < stages.size(); ++i)
          if (!used.offsets[i] &&
              static_cast<int64_t>(i) == function.stage.value_or(int64_t(i)))
            damaged("function '", functionName, "' runs on stage ", i,
                    ", which lacks its tensor '", tensorName, "'");
        function.usesStash |= used.role == Role::kept;
      }
    if (function.usesStash && !function.stage)
      damaged("function '", functionName,
              "' uses the stash, but names no stage");
    functions.emplace(functionName, std::move(function));
  }
}

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

bool Program::hasSlot(int64_t stage, int64_t slot) const {
  return slot >= 0 && slot < stages[static_cast<size_t>(stage)].slots;
}

void Program::checkCall(const ScheduledCall &call,
                        const std::string &name) const {
  auto found = functions.find(call.function);
  if (found == functions.end())
    damaged("schedule '", name, "' calls '", call.function,
            "', which is no function");
  if (!found->second.usesStash)
    return;
  if (!call.slot)
    damaged("schedule '", name, "' calls '", call.function,
            "', which uses the stash, without a slot");
  if (!hasSlot(*found->second.stage, *call.slot))
    damaged("schedule '", name, "' calls '", call.function, "' on slot ",
            *call.slot, ", which stage ", *found->second.stage, " lacks");
}

void Program::checkTransfer(const ScheduledTransfer &transfer,
                            const std::string &name) const {
  auto count = static_cast<int64_t>(stages.size());
  if (!pipelineAxis || transfer.from < 0 || transfer.from >= count ||
      transfer.to < 0 || transfer.to >= count ||
      (transfer.from == transfer.to && transfer.fromSlot == transfer.toSlot))
    damaged("schedule '", name, "' transfers from stage ", transfer.from,
            " to ", transfer.to, " of ", count);
  for (const std::string &each : transfer.tensors) {
    if (!index.count(each))
      damaged("schedule '", name, "' transfers tensor '", each,
              "', which is not listed");
    const Tensor &moved = tensor(each);
    for (auto [stage, slot] : {std::pair(transfer.from, transfer.fromSlot),
                               {transfer.to, transfer.toSlot}}) {
      if (!moved.isOn(stage))
        damaged("schedule '", name, "' transfers tensor '", each,
                "', which stage ", stage, " lacks");
      if (moved.role != Role::kept)
        continue;
      if (!slot || !hasSlot(stage, *slot))
        damaged("schedule '", name, "' transfers tensor '", each,
                "', which is kept, without a slot of stage ", stage);
    }
  }
}

ScheduledChoice Program::parseChoice(const json &entry,
                                     const std::string &name) const {
  ScheduledChoice choice;
  choice.index.function = entry.at("index").get<std::string>();
  for (const json &function : entry.at("among"))
    choice.calls.push_back({function.get<std::string>()});
  for (size_t i = 0; i <= choice.calls.size(); ++i)
    checkCall(choice.call(i), name);
  if (choice.calls.size() < 2)
    damaged("schedule '", name, "' chooses among ", choice.calls.size(),
            " functions");
  const Function &index = functions.at(choice.index.function);
  bool isNumber = index.outputs.size() == 1 &&
                  tensor(index.outputs.front()).type == BOOST_RT_I32 &&
                  tensor(index.outputs.front()).shape.empty();
  if (!isNumber)
    damaged("schedule '", name, "' chooses by '", choice.index.function,
            "', which does not return one number of i32");
  return choice;
}

Schedule Program::parseSchedule(const json &entry,
                                const std::string &name) const {
  Schedule schedule;
  schedule.microBatches = entry.at("micro_batches");
  for (const json &each : entry.at("calls")) {
    std::optional<int64_t> microBatch = parseOptional(each, "micro_batch");
    if (microBatch && (*microBatch < 0 || *microBatch >= schedule.microBatches))
      damaged("schedule '", name, "' of ", schedule.microBatches,
              " micro-batches computes on micro-batch ", *microBatch);
    if (each.contains("transfer")) {
      ScheduledTransfer transfer{
          each.at("transfer").get<std::vector<std::string>>(),
          microBatch,
          each.at("from"),
          each.at("to"),
          parseOptional(each, "from_slot"),
          parseOptional(each, "to_slot")};
      checkTransfer(transfer, name);
      schedule.actions.emplace_back(std::move(transfer));
      continue;
    }
    if (each.contains("index")) {
      schedule.actions.emplace_back(parseChoice(each, name));
      continue;
    }
    ScheduledCall call{each.at("function"), microBatch,
                       parseOptional(each, "slot")};
    checkCall(call, name);
    schedule.actions.emplace_back(std::move(call));
  }
  size_t calls = schedule.calls().size();
  if (schedule.microBatches < 1 || calls == 0)
    damaged("schedule '", name, "' has ", schedule.microBatches,
            " micro-batches and ", calls, " calls");
  return schedule;
}

void Program::parseSchedules(const json &entries) {
  for (const auto &[scheduleName, entry] : entries.items())
    schedules.emplace(scheduleName, parseSchedule(entry, scheduleName));
}

std::vector<ScheduledCall> Schedule::calls() const {
  std::vector<ScheduledCall> found;
  for (const ScheduledAction &action : actions)
    if (const auto *call = std::get_if<ScheduledCall>(&action)) {
      found.push_back(*call);
    } else if (const auto *choice = std::get_if<ScheduledChoice>(&action)) {
      found.push_back(choice->index);
      found.insert(found.end(), choice->calls.begin(), choice->calls.end());
    }
  return found;
}

std::vector<std::string> Schedule::functions() const {
  std::vector<std::string> found;
  for (const ScheduledCall &call : calls())
    if (std::find(found.begin(), found.end(), call.function) == found.end())
      found.push_back(call.function);
  return found;
}

Schedule Schedule::only(std::optional<int64_t> microBatch) const {
  Schedule part = {microBatches, {}};
  auto isOfIt = [&](const ScheduledAction &action) {
    return std::visit(
        [&](const auto &each) { return each.microBatch == microBatch; },
        action);
  };
  std::copy_if(actions.begin(), actions.end(), std::back_inserter(part.actions),
               isOfIt);
  return part;
}
