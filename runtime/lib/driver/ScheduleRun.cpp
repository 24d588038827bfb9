//===- ScheduleRun.cpp - Runs a schedule on a batch of tokens -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/ScheduleRun.h"

#include <cmath>

using namespace boost_rt;

ScheduleResult boost_rt::runSchedule(Session &session, const Schedule &schedule,
                                     Batches &batches, int64_t number) {
  const Program &program = session.getProgram();
  std::optional<int64_t> filled;
  ScheduleResult result;
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
    auto loss =
        static_cast<double>(session.readScalar(program.only(Role::loss)));
    if (!std::isfinite(loss) && !result.nonFiniteBatch)
      result.nonFiniteBatch = call.microBatch.value_or(0);
    sum += loss;
    ++losses;
  }
  result.loss = sum / static_cast<double>(losses);
  return result;
}
