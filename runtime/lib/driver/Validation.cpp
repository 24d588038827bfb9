//===- Validation.cpp - The loss on data that is not trained on -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Validation.h"
#include "driver/ScheduleRun.h"

#include <algorithm>

using namespace boost_rt;

Validation::Validation(Session &session, const TrainOptions &options)
    : session(session),
      schedule(session.getProgram().schedule(evaluateSchedule)),
      batches(session, schedule, options, Purpose::validation),
      count(batches.batchesPerEpoch() / schedule.microBatches) {
  if (count < 1)
    refuse("--val-data has ", batches.getWindows().tokens(),
           " tokens, which are not enough for a batch of ",
           batches.tokensPerBatch() * schedule.microBatches, "; use more data");
  if (options.valBatches)
    count = std::min(count, *options.valBatches);
  batches.check(count * schedule.microBatches);
}

float Validation::run() {
  Doing doing("validating");
  double sum = 0;
  for (int64_t batch = 0; batch < count; ++batch)
    sum += runSchedule(session, schedule, batches, batch).loss;
  return static_cast<float>(sum / static_cast<double>(count));
}
