//===- Progress.h - What training reports while it runs ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_DRIVER_PROGRESS_H
#define BOOST_RUNTIME_DRIVER_PROGRESS_H

#include <cstdint>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace boost_rt {

struct StepRecord {
  int64_t step = 0;
  float loss = 0;
  /// Nothing if the program takes no learning rate.
  std::optional<float> lr;
  /// What the step returned beside the loss, by kind.
  std::vector<std::pair<std::string, float>> metrics;
  /// Seconds of the step, without validation.
  double seconds = 0;
  int64_t tokens = 0;
  /// Bytes that this rank contributed, by kind of collective.
  std::map<std::string, int64_t> bytes;
  /// The function that the step chose; empty if it had no choice.
  std::string chosen;
  /// After the step, if it was evaluated then.
  std::optional<float> valLoss;

  /// Returns 0 for a step that took no time.
  double tokensPerSecond() const;

  /// Returns the metric "grad_norm", if the program has it.
  std::optional<float> gradientNorm() const;
};

/// One line per step: rewritten in place on a terminal, appended elsewhere.
class Progress {
public:
  /// Steps `first` to `last` are coming; a quiet one prints nothing.
  Progress(int64_t first, int64_t last, bool quiet);
  ~Progress() { finish(); }
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  void report(const StepRecord &record);

  /// Ends the line that is rewritten in place.
  void finish();

private:
  int64_t first, last;
  bool quiet, terminal;
  bool openLine = false;
  double elapsed = 0;
};

/// JSON objects in a file, one per line: for each start of the run its
/// configuration, then one per step, written when the step ends.
class StepLog {
public:
  /// Opens the file, throws if that is not possible. Records of earlier steps
  /// than `firstStep` stay in it. An empty path logs nothing.
  StepLog(const std::string &path, int64_t firstStep);
  ~StepLog();
  StepLog(const StepLog &) = delete;
  StepLog &operator=(const StepLog &) = delete;

  /// Warns the first time that a record cannot be written, and when the file
  /// that has the path of the log is not, or no longer wholly, what this wrote.
  void write(const nlohmann::ordered_json &line);
  void write(const StepRecord &record);

  /// Makes what was written durable, so that the log of a run that is resumed
  /// lacks no step before its checkpoint.
  void sync();

private:
  void checkFile();

  std::string path;
  /// Step of the next line.
  int64_t step;
  bool isErrorTold = false, isChangeTold = false;
  /// Devices and pipes keep nothing.
  bool isRegular = false;
  /// Bytes that the file has at least.
  int64_t size = 0;
  std::FILE *file = nullptr;
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_DRIVER_PROGRESS_H
