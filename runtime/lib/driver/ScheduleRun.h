//===- ScheduleRun.h - Runs a schedule on a batch of tokens -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_DRIVER_SCHEDULERUN_H
#define BOOST_RUNTIME_DRIVER_SCHEDULERUN_H

#include "driver/Batches.h"

#include <functional>

namespace boost_rt {

/// The result of a run of a schedule.
struct ScheduleResult {
  /// The mean of the losses that the calls give.
  double loss = 0;
  /// The first micro-batch whose loss is not finite.
  std::optional<int64_t> nonFiniteBatch;
  /// The function that the schedule chose; empty if it has no choice.
  std::string chosen;
};

/// Hears what a rank does of a schedule.
class ScheduleListener {
public:
  virtual ~ScheduleListener() = default;

  /// An action, named by its position, begins and has ended; the position
  /// behind the last one is that of waiting until what was sent has left. Each
  /// call of a choice is one, and has the number that the choice gives it.
  virtual void beginAction(size_t action) = 0;
  virtual void endAction(size_t action, size_t call) = 0;
};

/// Does what concerns this rank of a schedule: the calls on its stage and the
/// transfers from it and to it. Returns the function that was chosen, or
/// nothing if there was no choice. `fill` is called with a micro-batch before a
/// call that reads it, unless that call follows others that read the same one;
/// `afterCall` is called after each call. The listener may be null.
std::string runActions(
    Session &session, const Schedule &schedule,
    const std::function<void(int64_t)> &fill = [](int64_t) {},
    const std::function<void(const ScheduledCall &)> &afterCall =
        [](const ScheduledCall &) {},
    ScheduleListener *listener = nullptr);

/// Runs a schedule on the data that `train` fills batches with. `number` counts
/// the runs of the schedule from 0: its micro-batches follow those of the run
/// before. All ranks get the result.
ScheduleResult runSchedule(Session &session, const Schedule &schedule,
                           Batches &batches, int64_t number,
                           ScheduleListener *listener = nullptr);

} // namespace boost_rt

#endif // BOOST_RUNTIME_DRIVER_SCHEDULERUN_H
