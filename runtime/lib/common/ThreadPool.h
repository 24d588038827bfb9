//===- ThreadPool.h - The threads of one rank -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fork-join pool. It is not OpenMP because a program would then depend on
// one OpenMP runtime out of several that do not share their threads (libgomp,
// two versions of libomp), and because OpenMP's barrier waits for every thread:
// here the caller takes over the shares of threads that have no core to run on.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_COMMON_THREADPOOL_H
#define BOOST_RUNTIME_COMMON_THREADPOOL_H

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace boost_rt {

/// Threads per rank: BOOST_NUM_THREADS, else the cores the rank may use, shared
/// with the other ranks of this machine. Throws if the variable is no number.
int threadsPerRank(int64_t localRanks);

class ThreadPool {
public:
  /// The calling thread is the first of `threads`.
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool &) = delete;
  ThreadPool &operator=(const ThreadPool &) = delete;

  int size() const { return static_cast<int>(workers.size()) + 1; }

  /// function(begin, end, thread) on equal contiguous parts of [0, extent),
  /// whose borders are multiples of `grain`.
  template <typename Function>
  void forRange(int64_t extent, int64_t grain, Function &&function) {
    int64_t pieces = (extent + grain - 1) / grain;
    int64_t threads = std::min<int64_t>(size(), pieces);
    if (threads <= 1) {
      if (extent > 0)
        function(int64_t(0), extent, 0);
      return;
    }
    runOnAll([&](int thread) {
      int64_t begin = pieces * thread / threads * grain;
      int64_t end = std::min(extent, pieces * (thread + 1) / threads * grain);
      if (thread < threads && begin < end)
        function(begin, end, thread);
    });
  }

  /// function(task, thread) for each of `tasks`, the next task to whichever
  /// thread is free: for tasks of unequal length with separate results.
  template <typename Function>
  void forTasks(int64_t tasks, Function &&function) {
    if (size() == 1 || tasks <= 1) {
      for (int64_t task = 0; task < tasks; ++task)
        function(task, 0);
      return;
    }
    std::atomic<int64_t> next{0};
    runOnAll([&](int thread) {
      for (int64_t task; (task = next.fetch_add(1)) < tasks;)
        function(task, thread);
    });
  }

  /// Runs tasks that may throw: all of them are run, and then the first
  /// exception is thrown again.
  template <typename Function>
  void tryTasks(int64_t tasks, Function &&function) {
    std::mutex guard;
    std::exception_ptr first;
    forTasks(tasks, [&](int64_t task, int thread) {
      try {
        function(task, thread);
      } catch (...) {
        std::lock_guard<std::mutex> lock(guard);
        if (!first)
          first = std::current_exception();
      }
    });
    if (first)
      std::rethrow_exception(first);
  }

private:
  ThreadPool() = default;

  using Body = void (*)(void *, int);

  template <typename Function> void runOnAll(Function &&function) {
    run([](void *closure,
           int thread) { (*static_cast<Function *>(closure))(thread); },
        &function);
  }
  void run(Body body, void *closure);
  void work();
  void publish(uint64_t firstShare);
  bool claim(int &share);

  static constexpr unsigned shareBits = 16;

  std::vector<std::thread> workers;
  std::atomic<Body> body{nullptr};
  std::atomic<void *> closure{nullptr};
  /// Number of the current run, and in the low bits its next unclaimed share.
  /// A share is claimed by a compare-and-swap on both, so a worker that comes
  /// late cannot take one of a run that is over.
  std::atomic<uint64_t> state{0};
  std::atomic<int> finished{0};
  std::atomic<int> sleeping{0};
  std::atomic<bool> stopping{false};
  std::mutex mutex;
  std::condition_variable wake;
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_COMMON_THREADPOOL_H
