//===- Options.h - The command line of a compiled program -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_DRIVER_OPTIONS_H
#define BOOST_RUNTIME_DRIVER_OPTIONS_H

#include "common/Device.h"
#include "common/LearningRate.h"

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace boost_rt {

enum class Command { train, eval, info };

/// "train", "eval" or "info".
const char *nameOf(Command command);

/// The part of an option that has to be equal on all ranks.
enum class Agreement {
  /// Its value: it changes what is computed, or what ranks do together.
  value,
  /// Its presence: all ranks take part, and rank 0 uses the value.
  presence,
  /// Its presence, and the content of the files that it names. Files are
  /// compared where they are read.
  content,
  /// No part: each rank uses its own value.
  none,
};

/// An option as it is in effect, after the command line, the file of --config
/// and the defaults.
struct EffectiveOption {
  /// The long name without dashes.
  std::string name;
  /// Null if it is not in effect, such as a path that was not given.
  nlohmann::ordered_json value;
  Agreement agreement;
};

/// The feed of a batch argument, as the command line gives it.
struct FeedChoice {
  std::string argument;
  Feed feed;
};

/// Steps from `first` on and before `end`.
struct StepRange {
  int64_t first, end;
};

/// "10:12", as the command line has it.
std::string describe(const StepRange &steps);

struct TrainOptions {
  /// Paths and patterns.
  std::vector<std::string> data, valData, masks, valMasks;
  std::string config, init, save, log, tensorBoard, checkpointDirectory;
  /// Empty: none is traced.
  std::optional<StepRange> trace;
  std::string traceFile = "trace.json";
  int64_t steps = 0, warmup = 0;
  /// Empty: only at the end.
  std::optional<int64_t> checkpointEvery;
  /// 0 keeps all.
  int64_t keepLast = 3;
  /// Empty: none is kept for ever.
  std::optional<int64_t> keepEvery;
  /// Empty: only at the end, and all batches.
  std::optional<int64_t> valEvery, valBatches;
  uint64_t seed = 0;
  double lr = 3e-4;
  /// The hyper-parameters of the program that have options, by kind.
  std::map<std::string, double> hypers;
  Decay decay = Decay::cosine;
  std::optional<double> minLr;
  std::optional<int64_t> decaySteps;
  std::vector<FeedChoice> feeds;
  /// Ids that end documents and that fill rows up.
  std::optional<int64_t> endOfDocument, padding;
  /// True if the first token of a document counts in no loss.
  bool maskStarts = false;
  /// True if the batches of --data come in random order.
  bool shuffle = false;
  bool quiet = false, json = false, resume = false, noInitFile = false;
  bool findNonFinite = false;
  /// The least distance of a loss or norm that is warned of from the median of
  /// the steps before, in their deviations; 0: no warnings.
  double spike = 10;
  /// Properties of a run that --resume may change.
  std::set<std::string> allowed;
};

struct EvalOptions {
  std::string inputs, outputs, keep, reference;
  bool gradients = false, json = false, verify = false;
};

/// The learning rate that the options ask for.
LearningRate learningRateOf(const TrainOptions &options);

/// Refuses options of the learning rate that contradict each other.
void checkLearningRate(const TrainOptions &options);

struct Options {
  Command command;
  /// All options of the command.
  std::vector<EffectiveOption> effective;
  TrainOptions train;
  EvalOptions eval;
  /// Seconds that a collective may take.
  double timeout = 1800;
  DeviceOptions device;
};

/// Parses the command line of `program`, which has options for its
/// hyper-parameters. Nothing if it asked for help or the version, which rank 0
/// printed. Throws a Failure that explains a mistake, or a hyper-parameter
/// whose option is another one of `train`.
std::optional<Options> parseOptions(int argc, char **argv,
                                    const Program &program);

} // namespace boost_rt

#endif // BOOST_RUNTIME_DRIVER_OPTIONS_H
