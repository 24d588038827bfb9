//===- Watchdog.h - Ends a program whose ranks wait in vain -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_DRIVER_WATCHDOG_H
#define BOOST_RUNTIME_DRIVER_WATCHDOG_H

#include "common/Activity.h"
#include "common/Communicator.h"
#include "common/Program.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace boost_rt {

/// A thread that looks how long this rank has been waiting for others, wherever
/// that is. Past the limit it asks the other ranks what they do, of whom such a
/// thread answers. One that does not answer, or that neither waits nor gets on,
/// is missing: the lowest rank that waits names it and ends the program with
/// exit code 5, upon which the launcher ends the other ranks. The thread that
/// waits cannot leave MPI any other way.
class Watchdog {
public:
  Watchdog(const Program &program, double limitSeconds);
  ~Watchdog();
  Watchdog(const Watchdog &) = delete;
  Watchdog &operator=(const Watchdog &) = delete;

  /// Through which it asks from now on; null before and after there is one.
  void connect(Communicator *communicator);

private:
  /// A message between watchdogs of different ranks.
  struct Note {
    enum Kind : int32_t { question, answer, verdict };
    Kind kind;
    int32_t isWaiting;
    int64_t number;
    /// Since when nothing has changed.
    double seconds;
    char text[1900];
  };

  void watch();
  void look();
  void observe();
  double limit() const;
  bool hasLostRank() const;
  void serve();
  Note describeSelf() const;
  std::string describePlace() const;
  bool ask();
  bool isBeingServed() const;
  void judge();
  std::string describeMissing() const;
  std::string describeWaiting() const;
  [[noreturn]] void report(const std::string &verdict, int64_t speaker);
  void waitForEnd();
  void reportUnasked();
  int64_t rank() const;

  const Program &program;
  const double limitSeconds;
  const std::chrono::duration<double> pause;
  Communicator *communicator = nullptr;

  uint64_t seenTicks = 0;
  double stillSeconds = 0;
  std::chrono::steady_clock::time_point lastLook;
  /// Seconds without a change before it asks again.
  double nextQuestion;
  int64_t questions = 0;
  /// True if another rank was given the verdict.
  bool isEnding = false;
  /// By rank, to the last question.
  std::vector<std::optional<Note>> answers;

  std::mutex mutex;
  std::condition_variable wake;
  bool stopping = false;
  std::thread thread;
};

/// Lets a watchdog, if there is one, ask through a communicator as long as both
/// of them live.
class WatchdogConnection {
public:
  WatchdogConnection(Watchdog *watchdog, Communicator &communicator)
      : watchdog(watchdog) {
    if (watchdog)
      watchdog->connect(&communicator);
  }
  ~WatchdogConnection() {
    if (watchdog)
      watchdog->connect(nullptr);
  }
  WatchdogConnection(const WatchdogConnection &) = delete;
  WatchdogConnection &operator=(const WatchdogConnection &) = delete;

private:
  Watchdog *watchdog;
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_DRIVER_WATCHDOG_H
