//===- RunRecord.h - What the functions of a program tell -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_COMMON_RUNRECORD_H
#define BOOST_RUNTIME_COMMON_RUNRECORD_H

#include "common/CallTimer.h"
#include "common/ElementType.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace boost_rt {

/// Counts of one collective of the program on this rank.
struct SiteCounter {
  int64_t executions = 0;
  /// Bytes this rank contributed: the buffer of one in place, the source of
  /// all other collectives.
  int64_t bytes = 0;
};

/// The algorithm of a call that has several.
struct ChosenAlgorithm {
  /// "product" or "attention", and its shape and types.
  std::string kind, call;
  /// For attention: the library that serves it, or "kernels" for those of the
  /// runtime, and then why.
  std::string by, reason;
  /// In the library's own terms.
  std::vector<std::pair<const char *, int64_t>> numbers;
};

/// Results that the functions of a program report to the driver while they run
/// on one rank. A device fills it; it is complete once the device has
/// synchronized.
struct RunRecord {
  /// `meetings` may lack the last sites, which are then their own.
  explicit RunRecord(size_t siteCount, std::vector<int32_t> meetings = {})
      : sites(siteCount), meetings(std::move(meetings)) {}

  /// Returns the number that all ranks which a collective joins have for it.
  int32_t getMeeting(int32_t site) const {
    auto index = static_cast<size_t>(site);
    return index < meetings.size() ? meetings[index] : site;
  }

  /// Counts an execution of a collective that contributes `bytes`.
  void countCollective(int32_t site, int64_t bytes) {
    auto index = static_cast<size_t>(site);
    SiteCounter &counter = index < sites.size() ? sites[index] : unplanned;
    ++counter.executions;
    counter.bytes += bytes;
    if (timer)
      timer->noteCollective(site, bytes);
  }

  /// Counts a collective in place of tensors of these numbers of elements and
  /// types.
  void countTensors(int32_t site, int64_t tensors, const int64_t *counts,
                    const int32_t *types) {
    int64_t bytes = 0;
    for (int64_t i = 0; i < tensors; ++i)
      bytes += counts[i] * sizeOf(static_cast<ElementType>(types[i]));
    countCollective(site, bytes);
  }

  /// By index in plan.collectives.
  std::vector<SiteCounter> sites;
  /// By site, one number for what different functions of the stages of a
  /// pipeline do together.
  std::vector<int32_t> meetings;
  /// Collectives whose site the plan does not know.
  SiteCounter unplanned;
  /// Transfers to other stages of the pipeline.
  SiteCounter sends;

  /// Times the calls of functions; null in steps that are not traced.
  CallTimer *timer = nullptr;

  /// True if an update has made a parameter or optimizer state of this rank
  /// infinite or NaN.
  std::atomic<bool> updatedToNonFinite{false};

  /// Called for each probed tensor (site, type, elements in host memory, their
  /// number); empty when nothing is verified.
  std::function<void(int32_t, boost_rt_type, const void *, int64_t)> onProbe;

  /// In the order in which the calls were first made; empty on targets that
  /// have nothing to choose.
  std::vector<ChosenAlgorithm> algorithms;
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_COMMON_RUNRECORD_H
