//===- RunIdentity.cpp - Which run a checkpoint is of ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/RunIdentity.h"
#include "common/Checksum.h"

#include <algorithm>

using namespace boost_rt;
using nlohmann::ordered_json;

std::vector<RunProperty> boost_rt::runProperties(const Program &program) {
  std::vector<RunProperty> properties = {
      {"program", "the program"},
      {"precision", "the types of the tensors"},
      {"accumulate", "--accumulate of boost-compile"},
      {"master-weights", "--master-weights of boost-compile"},
      {"batch", "the batch"},
      {"data", "--data"},
      {"mask", "--mask"},
      {"mask-starts", "--mask-starts"},
      {"pad", "--pad"},
      {"eod", "--eod"},
      {"shuffle", "--shuffle"},
      {"seed", "--seed"},
      // A run may go on for longer. The rate is that of the new schedule then.
      {"steps", "--steps", false},
  };
  if (program.find(Role::hyper, learningRateKind))
    properties.insert(properties.end(),
                      {{"schedule", "--schedule"},
                       {"lr", "--lr"},
                       {"min-lr", "--min-lr"},
                       {"warmup", "--warmup"},
                       {"decay-steps", "--decay-steps", false}});
  for (const Tensor *hyper : program.hypersWithOptions()) {
    const std::string &name = hyper->option->name;
    if (std::any_of(properties.begin(), properties.end(),
                    [&](const auto &each) { return each.name == name; }))
      refuseManifest(concat("the hyper-parameter '", hyper->name,
                            "' is called '", name,
                            "', which checkpoints have something else under"));
    properties.push_back({name, "--" + name});
  }
  return properties;
}

std::string boost_rt::describeData(const TokenFile &file) {
  return concat(file.size(), " tokens with the checksum ",
                sampledChecksumOf(file.bytes()));
}

std::string boost_rt::describeData(const TokenWindows &data) {
  const auto &files = data.getFiles();
  if (files.size() == 1)
    return describeData(*files.front());
  std::string descriptions;
  for (const auto &file : files)
    descriptions += describeData(*file) + "\n";
  return concat(data.tokens(), " tokens in ", files.size(),
                " files with the checksum ", checksumOf(descriptions));
}

/// A checksum of all masks; null without any.
static ordered_json describeMasks(const TokenWindows &data) {
  std::string checksums;
  for (const auto &mask : data.getMasks())
    checksums += sampledChecksumOf(mask->bytes());
  return checksums.empty() ? ordered_json()
                           : ordered_json(checksumOf(checksums));
}

/// The ids that end documents, of each file; null if nothing depends on them.
static ordered_json describeEnds(const Batches &batches, bool masksStarts) {
  bool areUsed = masksStarts;
  for (const auto &[tensor, feed] : batches.getArguments())
    areUsed |= feed == Feed::positions || feed == Feed::segments;
  if (!areUsed)
    return {};
  std::set<int64_t> ends;
  ordered_json list = ordered_json::array();
  for (const auto &file : batches.getWindows().getFiles()) {
    list.push_back(*batches.getFacts().endOfDocument(*file));
    ends.insert(list.back().get<int64_t>());
  }
  return ends.size() == 1 ? list.front() : list;
}

template <typename T>
static ordered_json orNull(const std::optional<T> &value) {
  return value ? ordered_json(*value) : ordered_json();
}

/// As it was exported: how many micro-batches it is computed in changes
/// nothing.
static std::string describeBatch(const Batches &batches) {
  std::string text;
  for (const auto &[tensor, feed] : batches.getArguments())
    text +=
        concat(text.empty() ? "'" : ", '", tensor->name, "' ",
               shapeToString(tensor->exportedShape()), " <- ", nameOf(feed));
  return text;
}

/// The types of what is trained and of its state, each once.
static std::string describePrecision(const Program &program) {
  std::string text;
  for (Role role : {Role::param, Role::state}) {
    std::set<std::string> types;
    for (const Tensor *tensor : program.withRole(role))
      types.insert(nameOf(tensor->type));
    if (types.empty())
      continue;
    text += concat(text.empty() ? "" : "; ", nameOf(role));
    for (const std::string &type : types)
      text += " " + type;
  }
  return text;
}

ordered_json boost_rt::describeRun(const Program &program,
                                   const LearningRate &learningRate,
                                   const TrainOptions &options,
                                   const Batches &batches) {
  ordered_json run = {
      {"program", program.hash},
      {"precision", describePrecision(program)},
      {"accumulate",
       program.schedule(trainSchedule).microBatches / program.microBatches()},
      {"master-weights", program.optimizer.value("master_weights", false)},
      {"batch", describeBatch(batches)},
      {"data", describeData(batches.getWindows())},
      {"mask", describeMasks(batches.getWindows())},
      {"mask-starts", options.maskStarts},
      {"pad", orNull(options.padding)},
      {"eod", describeEnds(batches, options.maskStarts)},
      {"shuffle", options.shuffle},
      {"seed", options.seed},
      {"steps", options.steps}};
  if (program.find(Role::hyper, learningRateKind))
    run.update({{"schedule", nameOf(learningRate.decay)},
                {"lr", learningRate.peak},
                {"min-lr", learningRate.floor},
                {"warmup", learningRate.warmup},
                {"decay-steps", learningRate.decaySteps}});
  for (const Tensor *hyper : program.hypersWithOptions())
    run[hyper->option->name] = options.hypers.at(hyper->kind);
  return run;
}

static std::string print(const ordered_json &value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

Facts boost_rt::factsOf(const Program &program, const ordered_json &run,
                        const std::string &prefix) {
  Facts facts;
  for (const RunProperty &property : runProperties(program))
    facts.push_back({concat(prefix, property.label),
                     print(run.value(property.name, ordered_json()))});
  return facts;
}

Facts boost_rt::describeValidation(const TrainOptions &options,
                                   const Batches &batches) {
  const TokenWindows &data = batches.getWindows();
  return {{"--val-data", describeData(data)},
          {"--val-mask", print(describeMasks(data))},
          {"--eod of --val-data",
           print(describeEnds(batches, options.maskStarts))}};
}

RunDifferences boost_rt::compareRuns(const Program &program,
                                     const ordered_json &saved,
                                     const ordered_json &current,
                                     const std::set<std::string> &allowed) {
  RunDifferences differences;
  for (const RunProperty &property : runProperties(program)) {
    const ordered_json was = saved.value(property.name, ordered_json());
    const ordered_json &is = current.at(property.name);
    if (was == is)
      continue;
    std::string line = concat("\n  ", property.label, ": was ", print(was),
                              ", but is ", print(is));
    if (!property.isRefused || allowed.count(property.name)) {
      differences.accepted += line;
      continue;
    }
    differences.refused += line;
    differences.remedy += concat(" --allow ", property.name);
  }
  return differences;
}
