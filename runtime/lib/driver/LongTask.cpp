//===- LongTask.cpp - Says what takes long --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/LongTask.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <system_error>
#include <unistd.h>

using namespace boost_rt;
using Clock = std::chrono::steady_clock;

static constexpr std::chrono::seconds patience(2);

/// Between two lines: a terminal shows one that changes, a file keeps them all.
static std::chrono::seconds intervalOf(bool terminal) {
  return std::chrono::seconds(terminal ? 1 : 5);
}

LongTask::LongTask(std::string task, int64_t bytes, bool speaks)
    : task(std::move(task)), bytes(bytes) {
  if (!speaks)
    return;
  try {
    watcher = std::thread([this] { watch(); });
  } catch (const std::system_error &) {
    // Without a thread to spare it stays silent.
  }
}

LongTask::~LongTask() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    hasEnded = true;
  }
  ended.notify_all();
  if (watcher.joinable())
    watcher.join();
}

void LongTask::watch() {
  bool terminal = ::isatty(STDERR_FILENO);
  const char *start = terminal ? "\r" : "", *end = terminal ? "\033[K" : "\n";
  auto began = Clock::now();
  auto seconds = [&] {
    return std::chrono::duration<double>(Clock::now() - began).count();
  };
  std::unique_lock<std::mutex> lock(mutex);
  auto hasEndedWithin = [&](std::chrono::seconds time) {
    return ended.wait_for(lock, time, [&] { return hasEnded; });
  };
  if (hasEndedWithin(patience))
    return;
  do {
    if (bytes > 0) {
      auto total = static_cast<double>(bytes);
      double part = std::min(static_cast<double>(done.load()), total);
      std::fprintf(stderr, "%s%s: %.2f of %.2f GB (%.0f %%) after %.0f s%s",
                   start, task.c_str(), part / 1e9, total / 1e9,
                   100 * part / total, seconds(), end);
    } else {
      std::fprintf(stderr, "%s%s: %.0f s so far%s", start, task.c_str(),
                   seconds(), end);
    }
  } while (!hasEndedWithin(intervalOf(terminal)));
  std::fprintf(stderr, "%s%s: took %.1f s%s\n", start, task.c_str(), seconds(),
               terminal ? end : "");
}
