//===- FileTimes.h - Where the time of writing files goes -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_COMMON_FILETIMES_H
#define BOOST_RUNTIME_COMMON_FILETIMES_H

#include <chrono>

namespace boost_rt {

/// Seconds that this process has spent on files so far. Checksums are taken
/// while bytes are written, so that the sum may be more than what has passed;
/// each number is changed by one thread at a time.
struct FileTimes {
  double checksums = 0, writes = 0, syncs = 0;

  FileTimes operator-(const FileTimes &other) const {
    return {checksums - other.checksums, writes - other.writes,
            syncs - other.syncs};
  }
  FileTimes &operator+=(const FileTimes &other) {
    checksums += other.checksums;
    writes += other.writes;
    syncs += other.syncs;
    return *this;
  }
};
inline FileTimes fileTimes;

/// Adds the time of its life.
class TimedScope {
public:
  explicit TimedScope(double &seconds) : seconds(seconds) {}
  ~TimedScope() {
    seconds += std::chrono::duration<double>(Clock::now() - start).count();
  }
  TimedScope(const TimedScope &) = delete;
  TimedScope &operator=(const TimedScope &) = delete;

private:
  using Clock = std::chrono::steady_clock;
  double &seconds;
  Clock::time_point start = Clock::now();
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_COMMON_FILETIMES_H
