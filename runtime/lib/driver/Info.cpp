//===- Info.cpp - The command `info` --------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Commands.h"

#include <cstdio>

using namespace boost_rt;
using json = nlohmann::ordered_json;

static json describeTensor(const Program &program, const Tensor &tensor) {
  json split = json::array();
  for (const auto &axes : tensor.split) {
    json names = json::array();
    for (unsigned axis : axes)
      names.push_back(program.mesh.getAxes()[axis].name);
    split.push_back(names);
  }
  json description = {{"name", tensor.fileName()},
                      {"shape", tensor.exportedShape()},
                      {"dtype", nameOf(tensor.type)},
                      {"split", split},
                      {"bytes_per_rank", tensor.bytes}};
  if (!tensor.init.empty())
    description["init"] = tensor.init;
  if (tensor.isParameter())
    description["frozen"] = tensor.role == Role::frozen;
  if (tensor.role == Role::param)
    description["decay"] = tensor.decays;
  if (tensor.limit)
    description["limit"] = *tensor.limit;
  if (tensor.microBatches > 1)
    description["micro_batches"] = tensor.microBatches;
  if (tensor.role == Role::batch)
    description["feed"] = tensor.feed ? json(nameOf(*tensor.feed)) : json();
  if (!program.pipelineAxis)
    return description;
  for (size_t stage = 0; stage < program.stages.size(); ++stage)
    if (tensor.offsets[stage])
      description["stages"].push_back(stage);
  return description;
}

static json describePipeline(const Program &program) {
  json stages = json::array();
  for (const Stage &stage : program.stages) {
    json &entry = stages.emplace_back(json{{"arena_bytes", stage.arenaBytes}});
    if (stage.slots > 0)
      entry["stash"] = {{"slots", stage.slots},
                        {"bytes_per_slot", stage.slotBytes}};
  }
  return {{"axis", program.mesh.getAxes()[*program.pipelineAxis].name},
          {"stages", stages}};
}

/// Describes the rows of a stacked tensor, which are tensors of their own.
static json describeRows(const Program &program,
                         const std::vector<const Tensor *> &parts) {
  json description = describeTensor(program, *parts.front());
  description["stages"] = json::array();
  for (const Tensor *part : parts) {
    int64_t stage = part->firstStage();
    description["stages"].push_back(stage);
    description["rows"].push_back({{"stage", stage},
                                   {"first", part->firstRow},
                                   {"count", part->localShape[0]},
                                   {"bytes_per_rank", part->bytes}});
  }
  description.erase("bytes_per_rank");
  return description;
}

/// Describes tensors as files have them.
static json describeTensors(const Program &program,
                            const std::vector<const Tensor *> &tensors) {
  json list = json::array();
  for (const auto &group : groupByFileName(tensors))
    list.push_back(group.front()->stack.empty()
                       ? describeTensor(program, *group.front())
                       : describeRows(program, group));
  return list;
}

/// Describes the options that the program adds to `train`, by name.
static json describeHypers(const Program &program) {
  json options = json::object();
  for (const Tensor *hyper : program.hypersWithOptions()) {
    const HyperOption &option = *hyper->option;
    options[option.name] = {{"help", option.help},
                            {"default", option.defaultValue},
                            {"values", option.describeValues()}};
  }
  return options;
}

void boost_rt::printInfo(const Program &program) {
  json mesh = json::array();
  for (const MeshAxis &axis : program.mesh.getAxes())
    mesh.push_back({{"name", axis.name}, {"size", axis.size}});
  int64_t elements = 0;
  for (const auto &group : groupByFileName(program.parameters()))
    elements += group.front()->elements();
  json functions = json::object();
  for (const auto &[name, function] : program.functions) {
    functions[name] = {{"inputs", function.inputs},
                       {"outputs", function.outputs}};
    if (function.stage)
      functions[name]["stage"] = *function.stage;
  }
  json schedules = json::object();
  for (const auto &[name, schedule] : program.schedules)
    schedules[name] = {{"micro_batches", schedule.microBatches},
                       {"functions", schedule.functions()}};
  json info = {
      {"name", program.name},
      {"hash", program.hash},
      {"version", BOOST_RUNTIME_VERSION},
      {"mesh", mesh},
      {"ranks", program.mesh.size()},
      {"parameters",
       {{"count", elements},
        {"tensors", describeTensors(program, program.parameters())}}},
      {"batch", describeTensors(program, program.withRole(Role::batch))},
      {"arena_bytes", program.arenaBytes},
      {"functions", functions},
      {"schedules", schedules},
      {"hyper_parameters", describeHypers(program)},
      {"optimizer", program.optimizer},
      {"plan", program.plan}};
  if (program.pipelineAxis)
    info["pipeline"] = describePipeline(program);
  if (program.constantsFile)
    info["constants"] = {
        {"digest", program.constantsFile->digest},
        {"file", program.constantsFile->name},
        {"tensors",
         describeTensors(program, program.withRole(Role::constant))}};
  if (program.initialValues)
    info["initial_values"] = {{"digest", program.initialValues->digest},
                              {"file", program.initialValues->file}};
  std::puts(info.dump(2).c_str());
}
