//===- RunIdentity.h - Which run a checkpoint is of -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The identity of a run: the program, its hyper-parameters, the schedule, the
// batches and the data. The mesh, threads and written files are no part of it.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_DRIVER_RUNIDENTITY_H
#define BOOST_RUNTIME_DRIVER_RUNIDENTITY_H

#include "common/Agreement.h"
#include "common/LearningRate.h"
#include "driver/Batches.h"
#include "driver/Options.h"

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

namespace boost_rt {

/// Tokens and a checksum of them: of all if they are few, else of pieces from
/// the first to the last, so that hundreds of gigabytes are not read for it.
std::string describeData(const TokenFile &file);
/// Describes the content of all files, in their order.
std::string describeData(const TokenWindows &data);

/// The identity of a run, for state.json.
nlohmann::ordered_json describeRun(const Program &program,
                                   const LearningRate &learningRate,
                                   const TrainOptions &options,
                                   const Batches &batches);

/// The names that describeRun() gives, and whether a change of one is refused.
struct RunProperty {
  std::string name;
  /// The name in messages.
  std::string label;
  bool isRefused = true;
};
std::vector<RunProperty> runProperties(const Program &program);

/// Returns the identity as facts with labels behind `prefix`.
Facts factsOf(const Program &program, const nlohmann::ordered_json &run,
              const std::string &prefix = "");

/// Describes the content of the files of --val-data.
Facts describeValidation(const TrainOptions &options, const Batches &batches);

/// The differences between the run of a checkpoint and this one, one per line.
struct RunDifferences {
  /// Differences that are refused, and the options that allow them.
  std::string refused, remedy;
  /// Differences that are accepted or were allowed.
  std::string accepted;
};
RunDifferences compareRuns(const Program &program,
                           const nlohmann::ordered_json &saved,
                           const nlohmann::ordered_json &current,
                           const std::set<std::string> &allowed);

} // namespace boost_rt

#endif // BOOST_RUNTIME_DRIVER_RUNIDENTITY_H
