//===- Options.h - The command line of a compiled program -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_DRIVER_OPTIONS_H
#define BOOST_RUNTIME_DRIVER_OPTIONS_H

#include "common/Device.h"
#include "common/Schedule.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace boost_rt {

enum class Command { train, eval, info };

/// What the command line says of a batch argument.
struct FeedChoice {
  std::string argument;
  Feed feed;
};

/// Of AdamW, as its papers and optax call them.
struct Optimizer {
  double beta1 = 0.9, beta2 = 0.95, eps = 1e-8, weightDecay = 0.1;
};

struct TrainOptions {
  /// Paths and patterns.
  std::vector<std::string> data, valData, masks, valMasks;
  std::string config, init, save, log, checkpointDirectory;
  int64_t steps = 0, warmup = 0, checkpointEvery = 0;
  /// 0 keeps all, and none for ever.
  int64_t keepLast = 3, keepEvery = 0;
  /// 0: only at the end, and all batches.
  int64_t valEvery = 0, valBatches = 0;
  uint64_t seed = 0;
  double lr = 3e-4, clip = 1.0;
  Optimizer optimizer;
  Decay decay = Decay::cosine;
  std::optional<double> minLr;
  std::optional<int64_t> decaySteps;
  std::vector<FeedChoice> feeds;
  /// Ids that end documents and that fill rows up.
  std::optional<int64_t> endOfDocument, padding;
  /// Whether the first token of a document counts in no loss.
  bool maskStarts = false;
  /// Whether the batches of --data come in random order.
  bool shuffle = false;
  bool quiet = false, json = false, resume = false, noInitFile = false;
  /// Properties of a run that --resume may change.
  std::set<std::string> allowed;
};

struct EvalOptions {
  std::string inputs, outputs, keep, reference;
  bool gradients = false, json = false, verify = false;
};

struct Options {
  Command command;
  TrainOptions train;
  EvalOptions eval;
  /// Seconds that a collective may take.
  double timeout = 1800;
  DeviceOptions device;
};

/// Parses the command line. Nothing if it asked for help or the version, which
/// rank 0 printed. Throws a Failure that explains a mistake.
std::optional<Options> parseOptions(int argc, char **argv);

} // namespace boost_rt

#endif // BOOST_RUNTIME_DRIVER_OPTIONS_H
