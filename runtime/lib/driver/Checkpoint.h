//===- Checkpoint.h - Interrupted and resumed training ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A checkpoint is a directory DIR/step-N with the global parameters and
// optimizer state (tensors.safetensors) and the rest (state.json). It is
// written under another name and renamed when all of it is on the disk, so
// step-N is complete, also after a power failure. It does not depend on the
// mesh.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_DRIVER_CHECKPOINT_H
#define BOOST_RUNTIME_DRIVER_CHECKPOINT_H

#include "driver/DiskSpace.h"
#include "driver/Options.h"
#include "driver/Session.h"

#include <set>

namespace boost_rt {

class Checkpoints {
public:
  /// Creates the directory and keeps other runs out of it. Everything here
  /// throws with the exit code of an unusable checkpoint, on all ranks
  /// together.
  /// `run` says which run this is, see describeRun(). `config` has all options,
  /// see describeConfig(): for readers of the checkpoint.
  Checkpoints(Session &session, const TrainOptions &options,
              nlohmann::ordered_json run, nlohmann::ordered_json config);
  ~Checkpoints();
  Checkpoints(const Checkpoints &) = delete;
  Checkpoints &operator=(const Checkpoints &) = delete;

  /// Refuses a directory with checkpoints: --resume would not know a run that
  /// starts afresh from an older one.
  void requireNone();

  void save(int64_t step);

  /// Removes those that are not kept any longer beside the last that was saved.
  /// To be called when that one has shown to be good, by a step from it or by
  /// the end: until then the one before may be the last to go back to.
  void prune();

  /// Returns the files that a run from `firstStep` on adds to the directory at
  /// most. Used on rank 0 only.
  PlannedFiles plan(int64_t firstStep) const;

  /// Loads the newest complete checkpoint, and warns of those that it
  /// skips. Refuses one of another run. Returns its step, 0 if there is no
  /// checkpoint. Throws with exit code 2 if the ranks do not see the same one.
  int64_t resume();

  /// Gives the checkpoint of `step`, if there is one, a name that --resume does
  /// not take. Returns that name on rank 0, or nothing.
  std::string setAside(int64_t step);

  /// The path of the newest checkpoint up to `step` on rank 0, or nothing.
  std::string findUpTo(int64_t step);

private:
  std::function<void()> withOwnErrors(std::function<void()> work) const;
  void guarded(std::function<void()> work);
  void removeAbandoned() const;
  void remove(int64_t step) const;
  bool isKeptForEver(int64_t step) const;
  void pruneBefore(int64_t newest);
  int64_t countToCome(int64_t firstStep) const;
  void compareRun(int64_t step, const nlohmann::ordered_json &saved) const;
  bool load(int64_t step);
  void agreeOnNewest(int64_t newest);
  std::vector<int64_t> findSteps() const;
  void warnOfRenamed() const;
  std::vector<const Tensor *> savedTensors() const;
  std::string pathOf(int64_t step) const;

  Session &session;
  const TrainOptions &options;
  const std::string &directory;
  const nlohmann::ordered_json run, config;
  /// Damaged ones. They do not count among those that are kept.
  std::set<int64_t> skipped;
  /// The step that was saved last, until older ones are removed; else 0.
  int64_t unproven = 0;
  /// The directory, locked; on rank 0.
  int lock = -1;
};

/// Makes SIGTERM, SIGINT, SIGHUP and SIGUSR1 stop training after the current
/// step, and ignores that nobody reads the progress any more.
/// SIGUSR1 is the one that mpirun passes on and does nothing else about: after
/// a SIGTERM it kills the ranks within a second.
void catchStopSignals();

/// Returns true if one of these signals was received.
bool stopRequested();

} // namespace boost_rt

#endif // BOOST_RUNTIME_DRIVER_CHECKPOINT_H
