//===- TimeLimit.cpp - Ends a program that does not end itself ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/TimeLimit.h"
#include "common/Communicator.h"
#include "common/Failure.h"

#include <cstdio>
#include <cstdlib>

using namespace boost_rt;

TimeLimit::TimeLimit(double seconds, std::string what, double margin)
    : seconds(seconds + margin), what(std::move(what)) {
  if (seconds > 0)
    thread = std::thread([this] { watch(); });
}

TimeLimit::~TimeLimit() {
  if (!thread.joinable())
    return;
  {
    std::lock_guard<std::mutex> lock(mutex);
    stopping = true;
  }
  wake.notify_one();
  thread.join();
}

void TimeLimit::watch() {
  std::unique_lock<std::mutex> lock(mutex);
  if (wake.wait_for(lock, std::chrono::duration<double>(seconds),
                    [this] { return stopping; }))
    return;
  std::fprintf(stderr,
               "error: rank %lld: %s has run for more than %g s: it does not "
               "end, or another rank is stuck or gone; if it only needs "
               "longer, raise --timeout\n",
               static_cast<long long>(launcherRank()), what.c_str(), seconds);
  std::fflush(nullptr);
  std::_Exit(static_cast<int>(ExitCode::collectiveTimedOut));
}
