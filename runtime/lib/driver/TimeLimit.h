//===- TimeLimit.h - Ends a program that does not end itself ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_DRIVER_TIMELIMIT_H
#define BOOST_RUNTIME_DRIVER_TIMELIMIT_H

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace boost_rt {

/// Ends the process with exit code 5 if it lives longer than so many seconds; 0
/// is no limit. Generated code that loops for ever leaves no other way.
class TimeLimit {
public:
  /// `what` is what takes so long, for the message. Others who may speak first
  /// have so many seconds more.
  TimeLimit(double seconds, std::string what, double margin);
  ~TimeLimit();
  TimeLimit(const TimeLimit &) = delete;
  TimeLimit &operator=(const TimeLimit &) = delete;

private:
  void watch();

  const double seconds;
  const std::string what;
  std::mutex mutex;
  std::condition_variable wake;
  bool stopping = false;
  std::thread thread;
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_DRIVER_TIMELIMIT_H
