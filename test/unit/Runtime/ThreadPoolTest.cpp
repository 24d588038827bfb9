//===- ThreadPoolTest.cpp - Threads that share work -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/ThreadPool.h"

#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <thread>

using namespace boost_rt;

/// Each of two tasks waits for the other one: they need two threads.
TEST(ThreadPoolTest, everyRunIsShared) {
  ThreadPool pool(2);
  for (int run = 0; run < 3; ++run) {
    std::atomic<int> arrived{0}, met{0};
    auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    pool.forTasks(2, [&](int64_t, int) {
      ++arrived;
      while (arrived < 2 && std::chrono::steady_clock::now() < deadline)
        std::this_thread::yield();
      met += arrived == 2;
    });
    ASSERT_EQ(met, 2) << "in run " << run;
  }
}

TEST(ThreadPoolTest, everyTaskRunsOnce) {
  ThreadPool pool(3);
  std::vector<std::atomic<int>> runs(100);
  pool.forTasks(100, [&](int64_t task, int) { ++runs[task]; });
  for (const std::atomic<int> &count : runs)
    EXPECT_EQ(count, 1);
}
