//===- Context.h - What generated code passes to every call -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_COMMON_CONTEXT_H
#define BOOST_RUNTIME_COMMON_CONTEXT_H

#include "common/Communicator.h"
#include "cpu/ThreadPool.h"

#include <atomic>
#include <functional>
#include <vector>

namespace boost_rt {

/// What one collective of the program has done on this rank.
struct SiteCounter {
  int64_t executions = 0;
  /// Bytes this rank contributed: the buffer of an all-reduce, the source of
  /// all other collectives.
  int64_t bytes = 0;
};

/// Threads per rank: BOOST_NUM_THREADS, else the cores the rank may use, shared
/// with the other ranks of this machine. Throws if the variable is no number.
int threadsPerRank(int64_t localRanks);

} // namespace boost_rt

/// The state of one rank that the functions of Functions.def work on.
struct boost_rt_context {
  boost_rt_context(const boost_rt::Mesh &mesh,
                   boost_rt::Communicator &communicator, int threads,
                   size_t sites);

  const boost_rt::Mesh &mesh;
  boost_rt::Communicator &communicator;
  boost_rt::ThreadPool pool;
  boost_rt::Scratch scratch;

  /// By index in plan.collectives.
  std::vector<boost_rt::SiteCounter> sites;
  /// Collectives whose site the plan does not know.
  boost_rt::SiteCounter unplanned;

  /// Whether an update has made a parameter or optimizer state of this rank
  /// infinite or NaN.
  std::atomic<bool> updatedToNonFinite{false};

  /// What looks at probed tensors (site, elements, their number); empty when
  /// nothing is verified.
  std::function<void(int32_t, boost_rt_type, const void *, int64_t)> onProbe;
};

#endif // BOOST_RUNTIME_COMMON_CONTEXT_H
