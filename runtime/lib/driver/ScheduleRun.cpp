//===- ScheduleRun.cpp - Runs a schedule on a batch of tokens -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/ScheduleRun.h"

using namespace boost_rt;

double boost_rt::runSchedule(Session &session, const Schedule &schedule,
                             Batches &batches, int64_t number) {
  const Program &program = session.getProgram();
  std::optional<int64_t> filled;
  double sum = 0;
  int64_t losses = 0;
  for (const ScheduledCall &call : schedule.calls) {
    if (call.microBatch && call.microBatch != filled) {
      batches.fill(number * schedule.microBatches + *call.microBatch);
      filled = call.microBatch;
    }
    session.run(call.function);
    if (!program.givesLoss(call))
      continue;
    sum += static_cast<double>(session.readScalar(program.only(Role::loss)));
    ++losses;
  }
  return sum / static_cast<double>(losses);
}
