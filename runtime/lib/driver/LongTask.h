//===- LongTask.h - Says what takes long ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_DRIVER_LONGTASK_H
#define BOOST_RUNTIME_DRIVER_LONGTASK_H

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

namespace boost_rt {

/// While it lives, says on stderr what is done and how far it is, as soon as
/// that has taken two seconds and every few seconds from then on. A thread of
/// its own does, because the work may wait for a disk or a driver.
class LongTask {
public:
  /// `task` is what is done, as in "loading a checkpoint", of `bytes` in all,
  /// or 0 if nothing is known about that. Says nothing unless `speaks`.
  LongTask(std::string task, int64_t bytes, bool speaks);
  ~LongTask();
  LongTask(const LongTask &) = delete;
  LongTask &operator=(const LongTask &) = delete;

  /// So many bytes more are done. Any thread may call it.
  void advance(int64_t bytes) {
    done.fetch_add(bytes, std::memory_order_relaxed);
  }

private:
  void watch();

  const std::string task;
  const int64_t bytes;
  std::atomic<int64_t> done{0};
  std::mutex mutex;
  std::condition_variable ended;
  bool hasEnded = false;
  std::thread watcher;
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_DRIVER_LONGTASK_H
