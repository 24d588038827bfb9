//===- Divergence.h - What is said of a run that diverged -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_DRIVER_DIVERGENCE_H
#define BOOST_RUNTIME_DRIVER_DIVERGENCE_H

#include "driver/Checkpoint.h"
#include "driver/Session.h"
#include "driver/TokenWindows.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace boost_rt {

/// Returns a list of what the next run of a program may change, as part of a
/// message.
std::string describeRemedies(const Program &program);

/// Returns which checkpoint to continue from where step `lastGood` is the last
/// whose values were good, as part of a message. Sets the newer ones aside,
/// since they lead to the same end.
std::string findWayBack(Checkpoints &checkpoints, int64_t lastGood);

/// Returns the tokens at which rows of a batch begin, by file, as part of a
/// message; if there are many rows, only the first.
std::string listRows(const std::vector<TokenWindows::Window> &rows);

/// Returns all rows as objects of `file` and `token`, the first of the row.
nlohmann::ordered_json
rowsToJson(const std::vector<TokenWindows::Window> &rows);

/// Repeats a step of training that diverged by the schedule `probe`, whose
/// functions show every tensor while it exists.
class NonFiniteFinder {
public:
  /// Throws if the program has no probes.
  explicit NonFiniteFinder(Session &session);

  /// Copies what the next step changes to memory of the host.
  void keepState();

  /// Puts back what was kept.
  void restoreState();

  /// Runs `verify` on micro-batches of the step, which `fill` puts into the
  /// arena, until it finds a tensor with a NaN or +infinity on any rank.
  /// Describes the first one, as part of a message. Masks hold -infinity on
  /// purpose. All ranks must call this.
  std::string describeFirst(const std::vector<int64_t> &microBatches,
                            const std::function<void(int64_t)> &fill);

private:
  /// Returns the first probe of such a tensor, or null.
  const Probe *findFirst();

  Session &session;
  const Program &program;
  /// Tensors of this rank that a step changes, and their packed elements.
  std::vector<std::pair<const Tensor *, std::vector<char>>> state;
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_DRIVER_DIVERGENCE_H
