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
#include <chrono>
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

/// Since when, and in which collective, the rank is waiting for others. Written
/// by the thread that runs the program, read by the one that watches it.
class CollectiveWait {
public:
  CollectiveWait() = default;
  CollectiveWait(const CollectiveWait &other)
      : begin(other.begin.load(std::memory_order_acquire)),
        site(other.site.load(std::memory_order_relaxed)) {}
  CollectiveWait &operator=(const CollectiveWait &) = delete;

  void start(int32_t at) {
    site.store(at, std::memory_order_relaxed);
    begin.store(now(), std::memory_order_release);
  }
  void finish() { begin.store(0, std::memory_order_release); }

  bool isOver() const { return begin == 0; }
  int32_t getSite() const { return site; }
  double secondsUntilNow() const {
    return static_cast<double>(now() - begin) * 1e-9;
  }

private:
  static int64_t now() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }

  std::atomic<int64_t> begin{0};
  std::atomic<int32_t> site{-1};
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
  boost_rt::CollectiveWait wait;
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
