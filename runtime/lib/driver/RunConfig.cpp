//===- RunConfig.cpp - The options that a run has in effect ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/RunConfig.h"
#include "common/Failure.h"

using namespace boost_rt;
using nlohmann::ordered_json;

/// What masks targets and ends documents, where that is said.
static void addDocuments(ordered_json &config, const TrainOptions &options) {
  if (!options.masks.empty())
    config["mask"] = options.masks;
  if (options.maskStarts)
    config["mask-starts"] = true;
  if (options.padding)
    config["pad"] = *options.padding;
  if (options.endOfDocument)
    config["eod"] = *options.endOfDocument;
}

static void addData(ordered_json &config, const TrainOptions &options) {
  config["data"] = options.data;
  config["shuffle"] = options.shuffle;
  std::vector<std::string> feeds;
  feeds.reserve(options.feeds.size());
  for (const FeedChoice &choice : options.feeds)
    feeds.push_back(concat(choice.argument, "=", nameOf(choice.feed)));
  if (!feeds.empty())
    config["batch"] = feeds;
  addDocuments(config, options);
  if (options.valData.empty())
    return;
  config["val-data"] = options.valData;
  if (!options.valMasks.empty())
    config["val-mask"] = options.valMasks;
  // 0 is what no option says: only at the end, and all batches.
  if (options.valEvery > 0)
    config["val-every"] = options.valEvery;
  if (options.valBatches > 0)
    config["val-batches"] = options.valBatches;
}

static void addOptimization(ordered_json &config, const TrainOptions &options,
                            const Schedule &schedule) {
  config["steps"] = options.steps;
  config["seed"] = options.seed;
  config["lr"] = schedule.peak;
  config["schedule"] = nameOf(schedule.decay);
  // The schedules that do not have them refuse them.
  if (schedule.decay != Decay::constant)
    config["min-lr"] = schedule.floor;
  if (schedule.decay == Decay::wsd)
    config["decay-steps"] = schedule.decaySteps;
  config["warmup"] = schedule.warmup;
  config["clip"] = options.clip;
  config["beta1"] = options.optimizer.beta1;
  config["beta2"] = options.optimizer.beta2;
  config["eps"] = options.optimizer.eps;
  config["weight-decay"] = options.optimizer.weightDecay;
}

static void addFiles(ordered_json &config, const TrainOptions &options) {
  auto addPath = [&](const char *name, const std::string &path) {
    if (!path.empty())
      config[name] = path;
  };
  addPath("init", options.init);
  if (options.init.empty())
    config["no-init-file"] = options.noInitFile;
  addPath("save", options.save);
  addPath("log", options.log);
  if (options.checkpointDirectory.empty())
    return;
  config["checkpoint"] = options.checkpointDirectory;
  if (options.checkpointEvery > 0)
    config["checkpoint-every"] = options.checkpointEvery;
  config["keep-last"] = options.keepLast;
  if (options.keepEvery > 0)
    config["keep-every"] = options.keepEvery;
  config["resume"] = options.resume;
  if (!options.allowed.empty())
    config["allow"] = options.allowed;
}

ordered_json boost_rt::describeConfig(const Options &options,
                                      const Schedule &schedule) {
  ordered_json config;
  addData(config, options.train);
  addOptimization(config, options.train, schedule);
  addFiles(config, options.train);
  config["quiet"] = options.train.quiet;
  config["json"] = options.train.json;
  config["timeout"] = options.timeout;
  config["no-graph"] = !options.device.graph;
  return config;
}
