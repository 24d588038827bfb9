//===- Watchdog.h - Ends a program whose collectives hang -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_DRIVER_WATCHDOG_H
#define BOOST_RUNTIME_DRIVER_WATCHDOG_H

#include "common/Context.h"
#include "common/Program.h"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace boost_rt {

/// A thread that looks how long this rank has been waiting in a collective of
/// the program. Past the limit another rank is stuck or gone: it says which
/// collective, and ends the process with exit code 5, upon which the launcher
/// ends the other ranks. It cannot leave the wait in MPI any other way.
class Watchdog {
public:
  Watchdog(const Program &program, const boost_rt_context &context,
           double limitSeconds);
  ~Watchdog();
  Watchdog(const Watchdog &) = delete;
  Watchdog &operator=(const Watchdog &) = delete;

private:
  void watch();
  [[noreturn]] void report(int32_t site) const;

  const Program &program;
  const boost_rt_context &context;
  const double limitSeconds;
  std::mutex mutex;
  std::condition_variable wake;
  bool stopping = false;
  std::thread thread;
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_DRIVER_WATCHDOG_H
