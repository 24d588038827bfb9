//===- CallTimer.h - When the calls of a function run -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_COMMON_CALLTIMER_H
#define BOOST_RUNTIME_COMMON_CALLTIMER_H

#include <chrono>
#include <cstdint>
#include <vector>

namespace boost_rt {

/// Returns the nanoseconds of this machine's steady clock.
inline int64_t nanosecondsNow() {
  auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

/// The time of one call of Functions.def, in nanoseconds of the steady clock.
struct CallTime {
  int64_t begin = 0, end = 0;
  /// The site of a collective and the bytes that this rank contributed; -1 and
  /// 0 for all other calls.
  int64_t site = -1, bytes = 0;
};

/// Times the calls of one function of the program after another.
class CallTimer {
public:
  virtual ~CallTimer() = default;

  /// A function starts; the device is idle.
  virtual void beginFunction() { times.clear(); }

  virtual void beginCall() = 0;
  virtual void endCall() = 0;

  /// The call that runs is a collective.
  void noteCollective(int64_t site, int64_t bytes) {
    times.back().site = site;
    times.back().bytes = bytes;
  }

  /// Returns the times of the calls since the function started. The device has
  /// synchronized.
  virtual const std::vector<CallTime> &readTimes() { return times; }

protected:
  std::vector<CallTime> times;
};

/// Times calls that have ended when they return.
class HostCallTimer : public CallTimer {
public:
  void beginCall() override { times.push_back({nanosecondsNow()}); }
  void endCall() override { times.back().end = nanosecondsNow(); }
};

/// While it lives, a call of Functions.def runs, which is timed if there is a
/// timer.
class TimedCall {
public:
  explicit TimedCall(CallTimer *timer) : timer(timer) {
    if (timer)
      timer->beginCall();
  }
  ~TimedCall() {
    if (timer)
      timer->endCall();
  }
  TimedCall(const TimedCall &) = delete;
  TimedCall &operator=(const TimedCall &) = delete;

private:
  CallTimer *timer;
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_COMMON_CALLTIMER_H
