//===- TraceFile.h - Steps as a Chrome trace --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_DRIVER_TRACEFILE_H
#define BOOST_RUNTIME_DRIVER_TRACEFILE_H

#include "common/Program.h"
#include "driver/ClockOffset.h"

#include <string>
#include <vector>

namespace boost_rt {

/// Something that took time on a rank, in a form that ranks send to each other.
struct TraceEvent {
  enum Kind : int64_t {
    step,
    function, ///< a call of a schedule
    call,     ///< one of the calls that a function makes of the runtime
    transfer, ///< this rank's part of a transfer
    finish    ///< waiting until what was sent has left
  };
  Kind kind;
  /// Nanoseconds of the rank's clock.
  int64_t begin, end;
  /// The number of the step.
  int64_t ofStep;
  /// The position in the schedule, and that of a call in its function.
  int64_t action = 0, index = 0;
  /// Of a choice, the number of the call.
  int64_t chosen = 0;
  /// Of a collective, its site; else -1. Bytes that this rank contributes to
  /// it, or sends or receives.
  int64_t site = -1, bytes = 0;
};

/// The events of one rank, in the order in which they ended.
struct RankTrace {
  std::string host;
  /// The clock before the first and after the last event.
  ClockOffset before, after;
  std::vector<TraceEvent> events;
};

/// Writes the events of all ranks as a trace in the JSON format of Chrome, on
/// the clock of rank 0. Throws if the file cannot be written.
void writeTrace(const std::string &path, const Program &program,
                const Schedule &schedule, std::vector<RankTrace> ranks);

} // namespace boost_rt

#endif // BOOST_RUNTIME_DRIVER_TRACEFILE_H
