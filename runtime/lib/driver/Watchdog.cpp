//===- Watchdog.cpp - Ends a program whose collectives hang ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Watchdog.h"
#include "common/Failure.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

using namespace boost_rt;

Watchdog::Watchdog(const Program &program, const boost_rt_context &context,
                   double limitSeconds)
    : program(program), context(context), limitSeconds(limitSeconds),
      thread([this] { watch(); }) {}

Watchdog::~Watchdog() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    stopping = true;
  }
  wake.notify_one();
  thread.join();
}

void Watchdog::watch() {
  // Looks often enough to be late by a tenth of the limit at most.
  std::chrono::duration<double> pause(std::min(1.0, limitSeconds / 10));
  std::unique_lock<std::mutex> lock(mutex);
  while (!wake.wait_for(lock, pause, [this] { return stopping; })) {
    CollectiveWait wait = context.wait;
    if (wait.isOver())
      continue;
    if (wait.secondsUntilNow() > limitSeconds)
      report(wait.getSite());
  }
}

void Watchdog::report(int32_t site) const {
  std::string what = "a collective that is not in the plan";
  if (site >= 0 && static_cast<size_t>(site) < program.collectives.size()) {
    const PlannedCollective &planned =
        program.collectives[static_cast<size_t>(site)];
    what = concat(planned.kind, " over ", planned.axis, " at site ", site,
                  " of ", planned.function, " (", planned.phase, ", ",
                  planned.region, ", ", planned.location, ")");
  }
  std::fprintf(stderr,
               "error: rank %lld waited more than %g s in %s: another rank is "
               "stuck or gone; if ranks only need longer, raise --timeout\n",
               static_cast<long long>(context.communicator.rank()),
               limitSeconds, what.c_str());
  std::fflush(nullptr);
  std::_Exit(static_cast<int>(ExitCode::collectiveTimedOut));
}
