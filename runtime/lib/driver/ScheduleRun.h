//===- ScheduleRun.h - Runs a schedule on a batch of tokens -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_DRIVER_SCHEDULERUN_H
#define BOOST_RUNTIME_DRIVER_SCHEDULERUN_H

#include "driver/Batches.h"

namespace boost_rt {

/// The result of a run of a schedule.
struct ScheduleResult {
  /// The mean of the losses that the calls give.
  double loss = 0;
  /// The first micro-batch whose loss is not finite.
  std::optional<int64_t> nonFiniteBatch;
};

/// Makes all calls of a schedule, filling in each micro-batch before the first
/// call that computes on it. `number` counts the runs of the schedule from 0:
/// its micro-batches follow those of the run before.
ScheduleResult runSchedule(Session &session, const Schedule &schedule,
                           Batches &batches, int64_t number);

} // namespace boost_rt

#endif // BOOST_RUNTIME_DRIVER_SCHEDULERUN_H
